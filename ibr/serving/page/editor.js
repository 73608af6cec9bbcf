// The rules: a text area over a mirror of its lines, which shows the numbers of the sentences at the
// left and marks behind the words. Knows places in the text, not meaning.
import { $, element } from "./dom.js";

const area = $("rules");
const mirror = $("mirror");
const notes = $("notes");
let sentences = [];
let lit = new Set();

export const text = () => area.value;

export function setText(value) {
  area.value = value;
  sentences = [];
  show();
}

export function onChange(call) {
  area.addEventListener("input", () => {
    show();
    call();
  });
}

// How the server read the present text: [{index, line, text, kind, ...}].
export function setSentences(found) {
  sentences = located(area.value, found);
  show();
}

// The sentences whose words stand out; the first of them is brought into view.
export function light(indices) {
  lit = new Set(indices);
  show();
  const first = mirror.querySelector(".lit");
  if (!first) return;
  const box = [$("desk"), $("editor")].find((one) => one.scrollHeight > one.clientHeight) ?? $("editor");
  const [word, frame] = [first.getBoundingClientRect(), box.getBoundingClientRect()];
  if (word.top < frame.top || word.bottom > frame.bottom) {
    box.scrollTop += word.top - frame.top - box.clientHeight / 3;
  }
}

// The text with one sentence replaced; one that a list was joined for is kept as a comment.
export function replaced(index, rewrite) {
  const value = area.value;
  const { span, line } = sentences[index];
  if (span) return value.slice(0, span[0]) + rewrite + value.slice(span[1]);
  const lines = value.split("\n");
  lines.splice(line - 1, 1, `# ${lines[line - 1]}`, rewrite);
  return lines.join("\n");
}

// The text with one more fact: after the last one; else at the end.
export const withFact = (fact) => added(fact, sentences.findLast(({ kind, span }) => kind === "fact" && span));

// The text with one more sentence, after the one of this number.
export const withSentence = (sentence, index) => added(sentence, sentences[index]);

// On a line of its own, in the same list, if the sentence before it ends its line.
function added(sentence, before) {
  const value = area.value;
  if (!before?.span) return `${value.trimEnd()}\n${sentence}\n`;
  const [first, last] = before.span;
  const end = value.indexOf("\n", last) < 0 ? value.length : value.indexOf("\n", last);
  if (value.slice(last, end).trim()) return `${value.slice(0, last)} ${sentence}${value.slice(last)}`;
  const start = value.lastIndexOf("\n", first - 1) + 1;
  const marker = /^\s*(?:[-*•+]\s+)?/.exec(value.slice(start, first))[0];
  return `${value.slice(0, end)}\n${marker}${sentence}${value.slice(end)}`;
}

// Where each sentence stands: `span` is [start, end] in the text, null where it was put together
// from several places.
function located(value, found) {
  const starts = [0];
  for (const { index } of value.matchAll(/\n/g)) starts.push(index + 1);
  let from = 0;
  return found.map((sentence) => {
    const start = Math.max(starts[sentence.line - 1] ?? value.length, from);
    const words = sentence.text.split(/\s+/).map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
    const search = new RegExp(words.join("\\s+"), "g");
    search.lastIndex = start;
    const match = search.exec(value);
    const near = match && !value.slice(start, match.index).includes("\n");
    if (near) from = match.index + match[0].length;
    return { ...sentence, span: near ? [match.index, match.index + match[0].length] : null };
  });
}

function show() {
  let offset = 0;
  const rows = area.value.split("\n").map((line, at) => {
    const row = element("div", { class: "row" }, ...marked(line, offset, at + 1), noted(at + 1));
    offset += line.length + 1;
    return row;
  });
  mirror.replaceChildren(...rows);
  placeNotes();
}

// Puts each note beside its line, or below the note before it; where there is no room beside the
// text, the notes stand below it.
export function placeNotes() {
  const items = [...notes.children];
  const beside = notes.offsetLeft >= area.offsetWidth;
  const heights = items.map((item) => item.offsetHeight);
  const first = mirror.firstChild?.offsetTop;
  let bottom = 0;
  items.forEach((item, at) => {
    const row = mirror.children[item.dataset.line - 1];
    const gap = beside && row ? Math.max(row.offsetTop - first - bottom, 0) : 0;
    item.style.marginTop = `${gap}px`;
    bottom += gap + heights[at];
  });
}

new ResizeObserver(placeNotes).observe(mirror);

// A line's words, those of a sentence that is lit or cannot be read in a mark.
function marked(line, offset, number) {
  const parts = [];
  let at = 0;
  for (const { index, kind, span, line: place } of sentences) {
    const name = [kind === "unknown" && "unread", lit.has(index) && "lit"].filter(Boolean).join(" ");
    const [start, end] = span ?? (place === number ? [offset, offset + line.length] : [0, 0]);
    const [a, b] = [Math.max(start - offset, at), Math.min(end - offset, line.length)];
    if (!name || a >= b) continue;
    parts.push(line.slice(at, a), element("mark", { class: name }, line.slice(a, b)));
    at = b;
  }
  return [...parts, line.slice(at) || "\u200b"];
}

// "[3]" or "[3–5]" before the line on which these sentences begin.
function noted(number) {
  const here = sentences.filter(({ line, kind }) => line === number && kind !== "remark");
  if (!here.length) return null;
  const [first, last] = [here[0].index + 1, here.at(-1).index + 1];
  const unread = here.some(({ kind }) => kind === "unknown");
  const name = unread ? "unread" : here.some(({ index }) => lit.has(index)) ? "lit" : here[0].kind;
  return element("span", { class: `note ${name}` }, first === last ? `[${first}]` : `[${first}–${last}]`);
}
