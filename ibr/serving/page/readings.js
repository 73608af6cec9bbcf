// How each sentence was read, or why not and what could be; and questions to try.
import { $, button, element } from "./dom.js";

const KINDS = { fact: "fact", rule: "rule", remark: "remark", unknown: "not read" };
const SHOWN = 3;

// `rewrite(index, text)` replaces a sentence, `light(indices)` makes it stand out.
export function showReadings(sentences, { rewrite, light }) {
  const unread = sentences.filter(({ kind }) => kind === "unknown");
  $("reading-state").textContent = state(sentences, unread.length);
  $("reading-state").classList.toggle("bad", unread.length > 0);
  $("troubles").replaceChildren(...unread.map((sentence) => trouble(sentence, rewrite)));
  $("troubles").hidden = !unread.length;
  $("readings").hidden = !sentences.length;
  $("reading-list").replaceChildren(...sentences.map((sentence) => reading(sentence, light)));
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
  if (!unread) return `${counts}, all understood.`;
  return `${counts} understood; ${plural(unread, "sentence")} not.`;
}

const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

function trouble({ index, text, reason, rewrite: better }, rewrite) {
  const number = `[${index + 1}]`;
  const parts = [
    element("p", {}, element("strong", {}, `${number} `), element("q", {}, text)),
    element("p", { class: "reason" }, `Cannot be read: ${reason}.`),
  ];
  if (better) {
    const label = `Use this for ${number}: ${better}`;
    const press = () => rewrite(index, better);
    parts.push(element("p", {}, "Try ", element("q", {}, better)));
    parts.push(button("Use this", press, { "aria-label": label, class: "quiet rewrite" }));
  }
  return element("li", {}, ...parts);
}

function reading({ index, text, kind, reading: meaning, reason }, light) {
  const below = kind === "unknown" ? `Cannot be read: ${reason}.` : meaning && meaning !== text ? `Read as: ${meaning}` : null;
  return element(
    "li",
    { value: index + 1, class: kind, onmouseenter: () => light([index]), onmouseleave: () => light([]) },
    element("span", { class: "kind" }, KINDS[kind]),
    element("span", { class: "words" }, text),
    below && element("span", { class: "read" }, below),
  );
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
