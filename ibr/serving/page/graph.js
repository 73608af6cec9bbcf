// Draws a picture whose places the server computed, and shows as much of it as a frame has.
//
// Every text ends in a space, so that the words of a box do not run into each other when it is read
// aloud or searched.
import { drawn } from "./dom.js";
import { coloursOf } from "./verdict.js";

const PAD = 12;
const TAG = 17;
const LINE = 19;
const SMALL_LINE = 15;
const FONT = 14;
const SMALL = 11.5;
const ROUND = { question: 8, fact: 16, rule: 3, naf: 16, fail: 3 };
const SIGNS = {
  "checked and valid": "m0 5l4 4 7-8",
  "solver's proof, checked": "m0 5l4 4 7-8",
  "not checked": "m2 2c1-3 8-3 8 1 0 3-4 2-4 5m0 2.4v.2",
  "checked: not valid": "m1 1l8 8m0-8l-8 8",
};

export const TONES = {
  "checked and valid": "valid",
  "solver's proof, checked": "solver",
  "not checked": "unchecked",
  "checked: not valid": "invalid",
};

// `onlight(key | null)` gets the node that is pointed at or focused, `onpick(key)` the one that is pressed.
export function draw(picture, { onlight = () => {}, onpick = () => {} } = {}) {
  const edges = picture.edges.map(edge);
  const below = (key) => picture.edges.filter((one) => one.target === key).map((one) => one.source);
  const boxes = picture.boxes.map((one) => box(one, picture, below(one.key), { onlight, onpick }));
  const svg = drawn(
    "svg",
    {
      class: "graph",
      role: "group",
      "aria-label": `${picture.verdict} (${picture.badge}). Arrow keys go from box to box.`,
      width: picture.width,
      height: picture.height,
      viewBox: `0 0 ${picture.width} ${picture.height}`,
    },
    ...edges,
    ...boxes,
  );
  svg.addEventListener("keydown", (event) => walk(event, picture, boxes));
  return { svg, edges, boxes, picture };
}

// Makes the drawing show a frame; the box that the last step added stands out.
export function reveal({ edges, boxes, picture }, frame, fresh) {
  picture.boxes.forEach((one, at) => {
    boxes[at].classList.toggle("away", !frame.shown.has(one.key));
    boxes[at].classList.toggle("fresh", fresh && one.key === frame.key);
    boxes[at].setAttribute("tabindex", at ? -1 : 0);
  });
  edges.forEach((one, at) => one.classList.toggle("away", !frame.edges.has(at)));
}

export function lightBoxes({ boxes, picture }, keys) {
  picture.boxes.forEach((one, at) => boxes[at].classList.toggle("lit", keys.includes(one.key)));
}

function box(one, picture, below, { onlight, onpick }) {
  const names = below.map((key) => picture.boxes.find((other) => other.key === key).tag);
  const end = one.role === "question" ? [picture.verdict, picture.badge] : [];
  const label = [one.tag, ...one.lines, ...one.detail, ...end, names.length ? `(rests on ${names.join(", ")})` : ""].join(" ");
  const parts = [
    drawn("rect", { class: "box", x: one.x, y: one.y, width: one.width, height: one.height, rx: ROUND[one.role] }),
  ];
  if (one.role === "rule") {
    parts.push(drawn("path", { class: "bar", d: `M${one.x + 2.5} ${one.y}v${one.height}` }));
  }
  parts.push(drawn("text", { class: "tag", x: one.x + PAD, y: one.y + PAD + 10.5 }, `${one.tag} `));
  one.lines.forEach((line, at) => {
    const y = one.y + PAD + TAG + FONT + LINE * at;
    parts.push(drawn("text", { class: "line", x: one.x + PAD, y }, `${line} `));
  });
  one.detail.forEach((line, at) => {
    const y = one.y + PAD + TAG + LINE * one.lines.length + SMALL + SMALL_LINE * at;
    parts.push(drawn("text", { class: "detail", x: one.x + PAD, y }, `${line} `));
  });
  if (one.role === "question") parts.push(...pills(one, picture));
  return drawn(
    "g",
    {
      class: `node ${one.role}`,
      role: "button",
      "aria-label": label,
      "data-node": one.node,
      onmouseenter: () => onlight(one.key),
      onmouseleave: () => onlight(null),
      onfocus: () => onlight(one.key),
      onblur: () => onlight(null),
      onclick: () => onpick(one.key),
    },
    ...parts,
  );
}

// Verdict and badge at the foot of the question; the server left space for them.
function pills(one, picture) {
  const [y, tone] = [one.y + one.height - 34, TONES[picture.badge]];
  const first = measured(picture.verdict) + 20;
  const second = measured(picture.badge) + 38;
  const x = one.x + PAD;
  const pill = (left, width, ...inside) => [
    drawn("rect", { class: "box", x: left, y, width, height: 24, rx: 12 }),
    ...inside,
  ];
  const text = (left, words) => drawn("text", { class: "small", x: left, y: y + 16.2 }, `${words} `);
  const sign = drawn("path", { class: "sign", d: SIGNS[picture.badge], transform: `translate(${x + first + 19} ${y + 7})` });
  return [
    drawn("g", { class: `answer ${coloursOf(picture.verdict)}` }, ...pill(x, first, text(x + 10, picture.verdict))),
    drawn("g", { class: `badge ${tone}` }, ...pill(x + first + 8, second, sign, text(x + first + 36, picture.badge))),
  ];
}

const pen = document.createElement("canvas").getContext("2d");

function measured(text) {
  pen.font = `600 11.5px ${getComputedStyle(document.body).fontFamily}`;
  return Math.ceil(pen.measureText(text).width);
}

// The line, and an arrow's head where it arrives.
function edge({ source, target, path }) {
  const numbers = path.match(/-?\d+(?:\.\d+)?/g).map(Number);
  const [before, tip] = [numbers.slice(-4, -2), numbers.slice(-2)];
  const turned = before[1] === tip[1] ? "l8-4v8z" : before[1] > tip[1] ? "l-4 8h8z" : "l-4-8h8z";
  return drawn(
    "g",
    { class: "edge", "data-from": source, "data-to": target, "aria-hidden": "true" },
    drawn("path", { class: "way", d: path, pathLength: 1 }),
    drawn("path", { class: "head", d: `M${tip[0]} ${tip[1]}${turned}` }),
  );
}

// Arrow keys go to the nearest box on that side; Enter and Space press.
function walk(event, picture, boxes) {
  const at = boxes.indexOf(event.target);
  if (at < 0) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    event.target.dispatchEvent(new MouseEvent("click"));
    return;
  }
  const side = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
  if (!side) return;
  event.preventDefault();
  const middle = (one) => [one.x + one.width / 2, one.y + one.height / 2];
  const here = middle(picture.boxes[at]);
  let [best, nearest] = [null, Infinity];
  picture.boxes.forEach((one, other) => {
    const [dx, dy] = middle(one).map((value, axis) => value - here[axis]);
    const along = dx * side[0] + dy * side[1];
    const across = Math.abs(dx * side[1]) + Math.abs(dy * side[0]);
    const far = along + 2 * across;
    if (other !== at && along > 1 && far < nearest && !boxes[other].classList.contains("away")) {
      [best, nearest] = [other, far];
    }
  });
  if (best === null) return;
  boxes[at].setAttribute("tabindex", -1);
  boxes[best].setAttribute("tabindex", 0);
  boxes[best].focus();
}
