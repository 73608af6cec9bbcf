// The answer in large letters, whose proof it is, how far it was checked, and how sure the model was.
import { $, element, percent } from "./dom.js";

const MEANING = {
  "proof true": "Your rules prove it.",
  "proof false": "Your rules prove the opposite.",
  "fail-proof false": "Nothing in your rules shows it.",
  "fail-proof true": "Nothing in your rules shows the contrary.",
};

const BADGES = {
  valid: ["valid", "✓", "Checked and valid"],
  solver: ["solver", "✓", "Solver’s proof, checked"],
  unreadable: ["unchecked", "?", "Not checked"],
  invalid: ["invalid", "✗", "Checked: not valid"],
};

// Before the proof: the model's guess.
export function showGuess({ answer, confidence }) {
  const sure = confidence === null ? "" : ` (${percent(Math.min(confidence, 0.9999))} sure)`;
  $("verdict").replaceChildren(
    element("p", { class: "answer waiting" }, "…"),
    element("p", { class: "meaning" }, `The model’s first guess is ${said(answer)}${sure}. Looking for a proof.`),
  );
}

export function showVerdict(result) {
  const [tone, sign, words] = badge(result);
  const trusted = tone === "valid" || tone === "solver";
  const name = trusted ? said(result.answer).toLowerCase() : tone;
  $("verdict").replaceChildren(
    element("p", { class: `answer ${name}` }, said(result.answer)),
    element("p", { class: `badge ${tone}` }, element("span", { "aria-hidden": "true" }, sign), ` ${words}`),
    element("p", { class: "meaning" }, trusted ? MEANING[`${result.strategy} ${result.answer}`] : "Only the model says so: it is not proved."),
    element("p", { class: "note" }, notes(result).join(" ")),
  );
}

export function verdictInWords(result) {
  return `${said(result.answer)}. ${badge(result)[2]}. ${result.question}`;
}

function badge(result) {
  return BADGES[result.source === "solver" && result.checked === "valid" ? "solver" : result.checked];
}

const said = (answer) => (answer ? "True" : "False");

function notes(result) {
  const found = [];
  if (result.reading && result.reading !== result.question) found.push(`I read this as “${result.reading}”`);
  if (result.check_reason) found.push(`Why: ${result.check_reason}.`);
  if (result.contradiction) found.push("The rules contradict themselves: they prove this and its negation.");
  if (result.confidence !== null && result.confidence !== undefined) {
    const alone = result.answer === result.confidence >= 0.5;
    const sure = Math.max(result.confidence, 1 - result.confidence);
    found.push(`The model alone says ${said(alone)}, ${percent(Math.min(sure, 0.9999))} sure.`);
  }
  return found;
}
