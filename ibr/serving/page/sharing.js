// A rulebook and a question as the fragment of the address, which never leaves the browser; and the
// last text, kept by the browser so that a reload loses nothing.

const DRAFT = "ibr-draft";

// An unchanged example is only named.
export function fragment({ rules, question }, examples) {
  const example = examples.find((one) => one.rules === rules);
  const parameters = example ? { example: example.name, question } : { rules, question };
  return `#${new URLSearchParams(parameters)}`;
}

// {rules, question} of an address, or null.
export function shared(hash, examples) {
  const parameters = new URLSearchParams(hash.slice(1));
  const example = examples.find((one) => one.name === parameters.get("example"));
  const rules = parameters.get("rules") ?? example?.rules;
  return rules === undefined ? null : { rules, question: parameters.get("question") ?? example?.questions[0] ?? "" };
}

export const keepDraft = (draft) => keep(DRAFT, JSON.stringify(draft));

export function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // a browser that keeps nothing still works
  }
}

export function draft() {
  try {
    const { rules, question } = JSON.parse(localStorage.getItem(DRAFT));
    return typeof rules === "string" && typeof question === "string" ? { rules, question } : null;
  } catch {
    return null;
  }
}
