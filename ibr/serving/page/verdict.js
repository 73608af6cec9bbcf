// The verdict as the headline, the badge of its proof, and the reason in a sentence.
import { $, element, percent } from "./dom.js";

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

// `cite(index, text)` makes the button for a sentence's number.
export function showVerdict(result, cite) {
  const [name, headline, meaning] = VERDICTS[result.verdict];
  const [tone, sign, words] = badge(result);
  const unsure = result.obstacle !== null;
  const guess = guessed(result);
  const read = result.reading && result.reading !== result.question ? `I read this as “${result.reading}”` : "";
  const parts = [
    element("p", { class: `answer ${name}` }, headline),
    !unsure && element("p", { class: `badge ${tone}` }, element("span", { "aria-hidden": "true" }, sign), ` ${words}`),
    element("p", { class: "meaning" }, ...(unsure ? obstacle(result.obstacle, cite) : [meaning])),
    read && element("p", { class: "note" }, read),
    unsure && guess && element("p", { class: "guess" }, element("strong", {}, "A guess, not proved. "), guess),
  ];
  $("verdict").replaceChildren(...parts.filter(Boolean));
}

export function verdictInWords(result) {
  return `${VERDICTS[result.verdict][1]}. ${badge(result)[2]}. ${result.question}`;
}

// "The model predicts true, 97.1 % sure."; empty where no model answered.
export function guessed({ guess }) {
  if (!guess) return "";
  return `The model predicts ${guess.answer}, ${percent(Math.min(guess.confidence, 0.9999))} sure.`;
}

// What stands in the way of a verdict; a sentence is named by its number.
function obstacle({ kind, why, sentence, text }, cite) {
  if (kind !== "sentence") return [`${why[0].toUpperCase()}${why.slice(1)}`.replace(/\.?$/, ".")];
  return [cite(sentence, `[${sentence + 1}]`), " cannot be read and may matter: ", element("q", {}, text)];
}

function badge({ contrary, source, checked }) {
  if (contrary) return BADGES.both;
  return BADGES[source === "solver" && checked === "valid" ? "solver" : checked];
}
