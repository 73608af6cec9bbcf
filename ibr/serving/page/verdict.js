// The verdict as the headline, the badge of its proof, and the reason in a sentence.
import { $, button, cited, element, percent, plural } from "./dom.js";

// By verdict: name of its colours, headline, and the sentence beside it.
const VERDICTS = {
  yes: ["yes", "Yes", "Your rules prove it."],
  no: ["no", "No, the rules forbid it", "Your rules prove the opposite."],
  "not shown": ["open", "Not shown", "Your rules prove neither this nor its opposite."],
  contradictory: ["contrary", "The rules contradict each other", "They prove this and its opposite. Both proofs are below."],
  "cannot say": ["unsaid", "Cannot say", ""],
};

const BADGES = {
  valid: ["valid", "✓", "Checked and valid"],
  both: ["valid", "✓", "Both proofs checked"],
  solver: ["solver", "✓", "Solver’s proof, checked"],
  unreadable: ["unchecked", "?", "Not checked"],
  invalid: ["invalid", "✗", "Checked: not valid"],
};

// The colours of a picture whose verdict is this headline.
export const coloursOf = (headline) => Object.values(VERDICTS).find((one) => one[1] === headline)?.[0];

export function showSearching(step = 0) {
  const at = step ? ` Step ${step}.` : "";
  $("verdict").replaceChildren(
    element("p", { class: "answer waiting" }, "…"),
    element("p", { class: "meaning" }, `Searching for a proof.${at}`),
  );
}

// `cite(index, text)` makes the button for a sentence's number, `choose(wording, obstacle)` writes one
// of the sentences that settle it; `count` is the number of sentences.
export function showVerdict(result, count, { cite, choose }) {
  const [name, headline, meaning] = VERDICTS[result.verdict];
  const [tone, sign, words] = badge(result);
  const unsure = result.obstacle !== null;
  const guess = guessed(result);
  const read = result.reading && result.reading !== result.question ? `I read this as “${result.reading}”` : "";
  const why = result.by ? cited(sentence(result.by), cite) : [meaning];
  const parts = [
    element("p", { class: `answer ${name}` }, headline),
    !unsure && element("p", { class: `badge ${tone}` }, element("span", { "aria-hidden": "true" }, sign), ` ${words}`),
    element("p", { class: "meaning" }, ...(unsure ? obstacle(result.obstacle, cite) : why)),
    unsure && choices(result.obstacle, choose),
    read && element("p", { class: "note" }, read),
    unsure && guess && element("p", { class: "guess" }, element("strong", {}, "A guess, not proved. "), guess),
    element("p", { class: "note unused" }, ...notUsed(result.not_used, count, cite)),
  ];
  $("verdict").replaceChildren(...parts.filter(Boolean));
}

const sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}`.replace(/\.?$/, ".");

// Buttons, each of which writes a sentence that says what is meant.
function choices(obstacle, choose) {
  if (!obstacle.choices.length) return null;
  const place = obstacle.action === "replace" ? `in place of [${obstacle.sentence + 1}]` : "into the rules";
  const made = obstacle.choices.map((wording) =>
    element("li", {}, button(wording, () => choose(wording, obstacle), { class: "quiet choice", "aria-label": `Write ${place}: ${wording}` })),
  );
  return element(
    "div",
    { class: "settle" },
    element("p", { id: "settle-title" }, `Which is meant? Press one to write it ${place}.`),
    element("ul", { "aria-labelledby": "settle-title" }, ...made),
  );
}

// "Not used: 3 of 9 sentences (remarks [1], [2]; unread [7]), 3 comments."
function notUsed({ remarks, unread, comments }, count, cite) {
  const named = [["remarks", remarks], ["unread", unread]].filter(([, found]) => found.length);
  const text = named.map(([name, found]) => `${name} ${found.map((index) => `[${index + 1}]`).join(", ")}`).join("; ");
  const rest = comments.length ? `, ${plural(comments.length, "comment")}` : "";
  const total = remarks.length + unread.length;
  return cited(`Not used: ${total} of ${plural(count, "sentence")}${text && ` (${text})`}${rest}.`, cite);
}

export function verdictInWords(result) {
  const { choices } = result.obstacle ?? {};
  const settled = choices?.length ? `${plural(choices.length, "sentence")} to choose from would settle it.` : "";
  const about = result.obstacle ? settled || "Not proved." : `${badge(result)[2]}.`;
  return `${VERDICTS[result.verdict][1]}. ${about} ${result.question}`;
}

// "The model predicts true, 97.1 % sure."; empty where no model answered.
export function guessed({ guess }) {
  if (!guess) return "";
  return `The model predicts ${guess.answer}, ${percent(Math.min(guess.confidence, 0.9999))} sure.`;
}

// What stands in the way of a verdict; a sentence is named by its number.
function obstacle({ kind, why, sentence: index, text }, cite) {
  if (kind === "sentence") return [cite(index, `[${index + 1}]`), " cannot be read and may matter: ", element("q", {}, text)];
  if (kind === "wording") return [cite(index, `[${index + 1}]`), " ", element("q", {}, text), ` ${why.replace(/^it /, "").replace(/\.?$/, ".")}`];
  return cited(sentence(why), cite);
}

function badge({ contrary, source, checked }) {
  if (contrary) return BADGES.both;
  return BADGES[source === "solver" && checked === "valid" ? "solver" : checked];
}
