// Files to keep: the proof as SVG, as PNG and as JSON. Both pictures are drawn from the page's own
// drawing, with its colours written out, so that they need nothing else.
import { $, drawn } from "./dom.js";
import { draw } from "./graph.js";

const KEPT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "font-size", "font-weight"];
const SHARP = 2; // pixels of the PNG for one of the picture

export function saveJson(result) {
  save("proof.json", "application/json", `${JSON.stringify(result, null, 2)}\n`);
}

export function saveSvg(picture) {
  const svg = standalone(picture);
  save("proof.svg", "image/svg+xml", `${new XMLSerializer().serializeToString(svg)}\n`);
}

export function savePng(picture) {
  const canvas = document.createElement("canvas");
  canvas.width = picture.width * SHARP;
  canvas.height = picture.height * SHARP;
  const pen = canvas.getContext("2d");
  pen.scale(SHARP, SHARP);
  const svg = standalone(picture);
  svg.querySelectorAll("rect, path, text").forEach((part) => paint(pen, part, svg.getAttribute("font-family")));
  canvas.toBlob((blob) => offer("proof.png", blob), "image/png");
}

function save(name, type, text) {
  offer(name, new Blob([text], { type }));
}

function offer(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// The whole picture with every computed colour as an attribute, on paper of the page's colour.
function standalone(picture) {
  const { svg } = draw(picture);
  svg.classList.add("still");
  $("canvas").append(svg);
  const look = getComputedStyle(svg);
  const parts = [...svg.querySelectorAll("rect, path, text")].map((part) => [part, getComputedStyle(part)]);
  for (const [part, style] of parts) {
    for (const name of KEPT) {
      const value = style.getPropertyValue(name);
      if (value && value !== "none") part.setAttribute(name, value);
      else if (name === "fill" || name === "stroke") part.setAttribute(name, "none");
    }
    part.removeAttribute("pathLength");
  }
  const paper = drawn("rect", { width: picture.width, height: picture.height, fill: getComputedStyle($("canvas")).backgroundColor });
  svg.setAttribute("font-family", look.fontFamily);
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `${picture.verdict} (${picture.badge})`);
  svg.remove();
  svg.prepend(paper);
  svg.querySelectorAll("[tabindex], [role=button]").forEach((part) => {
    part.removeAttribute("tabindex");
    part.removeAttribute("role");
  });
  return svg;
}

// One shape of the picture on a canvas.
function paint(pen, part, font) {
  const get = (name) => part.getAttribute(name);
  const [fill, stroke] = [get("fill") ?? "none", get("stroke") ?? "none"];
  pen.save();
  if (get("transform")) pen.translate(...get("transform").match(/-?[\d.]+/g).map(Number));
  if (part.tagName === "text") {
    pen.font = `${get("font-weight")} ${get("font-size")} ${font}`;
    pen.fillStyle = fill;
    pen.fillText(part.textContent, get("x"), get("y"));
    pen.restore();
    return;
  }
  const shape = new Path2D(get("d") ?? undefined);
  if (part.tagName === "rect") {
    const [x, y, width, height, round] = ["x", "y", "width", "height", "rx"].map((name) => Number(get(name) ?? 0));
    shape.roundRect(x, y, width, height, round);
  }
  pen.lineWidth = parseFloat(get("stroke-width") ?? "1");
  pen.lineCap = get("stroke-linecap") ?? "butt";
  pen.setLineDash((get("stroke-dasharray") ?? "").match(/[\d.]+/g)?.map(Number) ?? []);
  if (fill !== "none") {
    pen.fillStyle = fill;
    pen.fill(shape);
  }
  if (stroke !== "none") {
    pen.strokeStyle = stroke;
    pen.stroke(shape);
  }
  pen.restore();
}
