// Building pieces of the page. Strings become text nodes, never markup.

const SVG = "http://www.w3.org/2000/svg";

export const $ = (id) => document.getElementById(id);

// element("button", {class: "quiet", onclick: run}, "Run"); what is null or false is left out.
export function element(name, properties = {}, ...children) {
  return filled(document.createElement(name), properties, children);
}

export function drawn(name, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, name), properties, children);
}

function filled(made, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child || child === 0));
  return made;
}

export function button(text, onclick, properties = {}) {
  return element("button", { type: "button", class: "quiet", onclick, ...properties }, text);
}

// Text in which every "[12]" and "[by 12]" is a button, which `cite(index, text)` makes; a full stop
// or comma stays with it.
export function cited(text, cite) {
  return text.split(/(\[(?:by )?\d+\][.,:;]?)/).map((part) => {
    const [, citation, number, after] = /^(\[(?:by )?(\d+)\])([.,:;]?)$/.exec(part) ?? [];
    return number ? element("span", { class: "cited" }, cite(Number(number) - 1, citation), after) : part;
  });
}

// Shares that would round to 100 % or 0 % are shown as bounds.
export function percent(share) {
  if (share >= 0.9995 && share < 1) return "> 99.9 %";
  return share > 0 && share < 0.0005 ? "< 0.1 %" : `${(100 * share).toFixed(1)} %`;
}

export const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

export function announce(text) {
  $("live").textContent = text;
}
