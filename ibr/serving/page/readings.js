// Beside each sentence: how it was read where that differs from what was written, what it may mean
// instead, why it cannot be read or apply to anything; and questions to try.
import { $, button, element, plural } from "./dom.js";

const SHOWN = 3;

// `rewrite(index, text)` replaces a sentence, `light(indices)` makes it stand out.
export function showReadings(sentences, { rewrite, light }) {
  const unread = sentences.filter(({ kind }) => kind === "unknown");
  $("reading-state").textContent = state(sentences, unread.length);
  $("reading-state").classList.toggle("bad", unread.length > 0);
  $("notes").replaceChildren(...sentences.map((sentence) => note(sentence, rewrite, light)).filter(Boolean));
  $("notes").hidden = !$("notes").children.length;
}

export function showNotRead(message) {
  $("reading-state").textContent = message;
  $("reading-state").classList.add("bad");
}

// "8 facts and 5 rules, all understood."
function state(sentences, unread) {
  const count = (kind) => sentences.filter((sentence) => sentence.kind === kind).length;
  const counts = [plural(count("fact"), "fact"), plural(count("rule"), "rule")].join(" and ");
  if (!sentences.length) return "Write a fact or a rule to begin.";
  const open = sentences.filter(({ others }) => others.length).length;
  if (open && !unread) return `${counts} understood; ${plural(open, "sentence")} in several ways.`;
  if (!unread) return `${counts}, all understood.`;
  return `${counts} understood; ${plural(unread, "sentence")} not.`;
}

const same = (one, other) => one.replace(/\W+$/, "").toLowerCase() === other.replace(/\W+$/, "").toLowerCase();

function note(sentence, rewrite, light) {
  const { index, line, text, kind, reading, others, choices, reason, unmet } = sentence;
  const number = `[${index + 1}]`;
  const use = (wording) =>
    button(wording, () => rewrite(index, wording), { class: "quiet choice", "aria-label": `Write this for ${number}: ${wording}` });
  const made = (name, words, ...wordings) =>
    element(
      "li",
      { class: name, "data-line": line, onmouseenter: () => light([index]), onmouseleave: () => light([]) },
      element("p", {}, element("span", { class: "number-of" }, number), ` ${words}`),
      ...wordings,
    );
  if (kind === "unknown") return made("unread", `Cannot be read: ${reason}.`);
  if (kind === "remark") return made("remark", "A remark, not used.");
  if (others.length) {
    const readings = [reading, ...others].map((one) => (choices.includes(one) ? use(one) : element("p", { class: "other" }, one)));
    return made("open", "Can be read in several ways. Which is meant?", ...readings);
  }
  const missing = unmet.map((one) => element("p", { class: "other" }, `No sentence says that ${one}.`));
  return same(reading, text) && !missing.length ? null : made("read", reading, ...missing);
}

// Questions as buttons, a few at first; `ask(question)` asks one.
export function showSuggestions(questions, ask, all = false) {
  const shown = all ? questions : questions.slice(0, SHOWN);
  const items = shown.map((question) => element("li", {}, button(question, () => ask(question), { class: "chip" })));
  if (shown.length < questions.length) {
    const more = () => {
      showSuggestions(questions, ask, true);
      $("suggestions").children[SHOWN].firstChild.focus();
    };
    const label = { class: "chip more", "aria-label": "More suggested questions" };
    items.push(element("li", {}, button("More", more, label)));
  }
  $("suggestions").replaceChildren(...items);
}
