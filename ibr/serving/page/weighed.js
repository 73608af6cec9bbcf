// A step of the model's search: the candidates of its two choices with their probabilities.
import { $, button, element, percent } from "./dom.js";
import { named, pathOf } from "./frames.js";

const WORDS = { NAF: "nothing shows it", END: "the proof is complete" };

// `steps` of a proof, of which step number `at` is shown (0: none yet); null where no model grew it.
export function showWeighed(steps, at, sentences) {
  const step = steps?.[at - 1];
  if (!step) {
    $("weighed").replaceChildren(element("p", { class: "hint" }, idle(steps)));
    return;
  }
  const nodes = pathOf(steps);
  const chosen = step.child === "END" ? "END" : String(step.child);
  const parents = step.parents.map(([place, share]) => candidate(nodes[place], share, place === step.parent, sentences));
  const children = step.children.map(([node, share]) => candidate(String(node), share, String(node) === chosen, sentences));
  $("weighed").replaceChildren(
    element("h4", {}, "Where the proof grows"),
    element("ul", { class: "bars" }, ...parents),
    element("h4", {}, "What goes below"),
    element("ul", { class: "bars" }, ...children),
  );
}

function idle(steps) {
  return steps ? "Choose a step." : "This proof was found by the exact solver, which makes no guesses. Choose another proof to see the model’s steps.";
}

function candidate(node, share, chosen, sentences) {
  const full = node === "question" ? "" : (WORDS[node] ?? sentences[Number(node)]?.text ?? "");
  const bar = element("span", { class: "bar" });
  bar.style.setProperty("--share", share);
  return element(
    "li",
    { class: chosen ? "chosen" : null },
    element("span", { class: "what", title: full || null }, element("b", {}, named(node)), full && ` ${full}`),
    element("span", { class: "share" }, percent(share), chosen && element("span", { class: "unseen" }, ", chosen")),
    bar,
  );
}

// Steps as they arrive, before there is a picture.
export function showArriving(steps) {
  const nodes = pathOf(steps);
  const words = ({ child, parent }) => (child === "END" ? "done" : below(String(child), nodes[parent]));
  $("path").replaceChildren(...steps.map((step) => element("li", {}, button(words(step), () => {}))));
  $("path").hidden = false;
}

// The steps of a film as buttons; `go(at)` shows one.
export function showPath(film, boxes, go) {
  const nodeOf = (key) => boxes.find((box) => box.key === key)?.node;
  const words = ({ step, key, under }) =>
    step?.child === "END" ? "done" : below(step ? String(step.child) : nodeOf(key), nodeOf(under));
  const items = film.slice(1).map((frame, at) => element("li", {}, button(words(frame), () => go(at + 1))));
  $("path").replaceChildren(...items);
  $("path").hidden = !items.length;
}

const below = (node, above) => `${named(node)} under ${named(above)}`;

export function markPath(at) {
  [...$("path").children].forEach((item, index) => {
    item.classList.toggle("coming", index >= at);
    if (index === at - 1) item.firstChild.setAttribute("aria-current", "step");
    else item.firstChild.removeAttribute("aria-current");
  });
}

// A step in words, for screen readers.
export function stepInWords(steps, at, sentences) {
  const step = steps?.[at - 1];
  if (!step) return "";
  const share = step.children.find(([node]) => String(node) === String(step.child))?.[1];
  const sure = share === undefined ? "" : `, ${percent(share)}`;
  if (step.child === "END") return `Step ${at}: the proof is complete${sure}`;
  const words = WORDS[step.child] ?? sentences[step.child]?.text ?? "";
  return `Step ${at}: under ${named(pathOf(steps)[step.parent])}, ${named(String(step.child))} ${words}${sure}`;
}
