// The result: which proof is shown, how far it has grown, and what stands out.
import { $, announce, button, element, percent } from "./dom.js";
import { frames } from "./frames.js";
import { draw, lightBoxes, reveal, TONES } from "./graph.js";
import { Player } from "./player.js";
import { showGuess, showVerdict, verdictInWords } from "./verdict.js";
import { markPath, saidOf, showArriving, showPath, showWeighed } from "./weighed.js";
import { showWhy } from "./why.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Stage {
  #player = new Player((at, fresh) => this.#show(at, fresh));
  #sentences = [];
  #steps = []; // as they arrive
  #views = []; // {picture, steps, name, given}
  #view = null;
  #film = [];
  #graph = null;
  result = null;

  // `light(indices)` makes sentences of the rules stand out, `add(fact)` adds one to them.
  constructor({ light, add }) {
    this.lightRules = light;
    this.add = add;
  }

  get picture() {
    return this.#view?.picture;
  }

  begin() {
    this.#player.pause();
    this.result = this.#view = this.#graph = null;
    this.#steps = [];
    $("empty").hidden = true;
    $("stale").hidden = true;
    $("result").hidden = false;
    $("result").className = "growing";
    $("verdict").replaceChildren(element("p", { class: "answer waiting" }, "…"));
    $("canvas").replaceChildren();
    $("beams").replaceChildren();
    $("path").replaceChildren();
    $("weighed").replaceChildren();
    $("mend").hidden = true;
  }

  // Nothing to show.
  end() {
    this.#player.pause();
    this.result = null;
    $("result").hidden = true;
    $("empty").hidden = false;
  }

  guess(guess, sentences) {
    this.#sentences = sentences;
    showGuess(guess);
  }

  // A step takes the place of the one of its number and of all after it: another path leads now.
  step(step) {
    this.#steps = [...this.#steps.slice(0, step.number - 1), step];
    showArriving(this.#steps);
    markPath(this.#steps.length);
    showWeighed(this.#steps, this.#steps.length, this.#sentences);
  }

  finish(result) {
    this.result = result;
    $("result").className = "";
    this.#views = views(result);
    showVerdict(result);
    showWhy(result, { cite: (index, text) => this.#cite(index, text), add: this.add });
    announce(verdictInWords(result));
    this.#choose(this.#views.find(({ given }) => given) ?? this.#views[0], !still.matches);
  }

  // Makes a sentence stand out in the rules and in the graph; null: none.
  light(index) {
    this.lightRules(index === null ? [] : [index]);
    if (!this.#graph) return;
    const boxes = this.picture.boxes.filter(({ node }) => node === String(index));
    lightBoxes(this.#graph, boxes.map(({ key }) => key));
  }

  #choose(view, play) {
    this.#view = view;
    this.#film = frames(view.picture, view.steps);
    this.#graph = draw(view.picture, {
      onlight: (key) => this.light(this.#indexOf(key)),
      onpick: (key) => this.#player.go(Math.max(0, this.#film.findIndex((frame) => frame.key === key))),
    });
    this.#graph.svg.style.setProperty("--width", view.picture.width);
    $("canvas").replaceChildren(this.#graph.svg);
    this.#showBeams();
    showPath(this.#film, view.picture.boxes, (at) => {
      this.#player.pause();
      this.#player.go(at);
    });
    this.#player.load(this.#film.length, play ? 0 : this.#film.length - 1);
    if (play) this.#player.play();
  }

  #show(at, fresh) {
    const frame = this.#film[at];
    reveal(this.#graph, frame, fresh);
    this.#graph.svg.classList.toggle("done", at === this.#film.length - 1);
    this.#follow(frame);
    markPath(at);
    showWeighed(this.#view.steps, at, this.#sentences);
    if (fresh) announce(saidOf(this.#view.steps, at, this.#sentences) || this.#told(frame));
  }

  // Keeps the new box in view where the picture is wider than its frame.
  #follow({ key }) {
    const place = this.picture.boxes.find((box) => box.key === key);
    const canvas = $("canvas");
    if (!place || canvas.scrollWidth <= canvas.clientWidth) return;
    const scale = this.#graph.svg.clientWidth / this.picture.width || 1;
    canvas.scrollLeft = (place.x + place.width / 2) * scale - canvas.clientWidth / 2;
  }

  #told({ key }) {
    const place = this.picture.boxes.find((box) => box.key === key);
    return place ? `${place.tag}: ${place.lines.join(" ")}` : "";
  }

  #showBeams() {
    if (this.#views.length < 2) return $("beams").replaceChildren();
    const made = this.#views.map((view) =>
      button(view.name, () => this.#choose(view, false), {
        class: `beam ${TONES[view.picture.badge]}`,
        "aria-pressed": String(view === this.#view),
        "aria-label": `${view.label}, ${view.picture.badge}${view.given ? ", the proof given" : ""}`,
        title: `${view.label}: ${view.picture.badge}`,
      }),
    );
    const focused = [...$("beams").querySelectorAll("button")].indexOf(document.activeElement);
    $("beams").replaceChildren(
      element("span", { id: "beams-title" }, "Proofs"),
      element("div", { role: "group", "aria-labelledby": "beams-title" }, ...made),
      element("span", { class: "hint" }, this.#view.hint),
    );
    made[focused]?.focus();
  }

  #indexOf(key) {
    const node = this.picture.boxes.find((box) => box.key === key)?.node;
    return /^\d+$/.test(node ?? "") ? Number(node) : null;
  }

  #cite(index, text) {
    const over = () => this.light(index);
    const off = () => this.light(null);
    const label = `${text} ${this.#sentences[index]?.text ?? ""}`;
    return button(text, over, { class: "cite", "aria-label": label, onmouseenter: over, onfocus: over, onmouseleave: off, onblur: off });
  }
}

// Every proof that can be looked at, the model's in their order; the solver's comes last.
function views({ pictures, proofs = [], chosen }) {
  return pictures.map((picture, at) => {
    const proof = proofs[at];
    const given = at === (chosen ?? pictures.length - 1);
    const likely = proof ? `${percent(Math.exp(proof.score))} likely` : "exact search";
    return {
      picture,
      steps: proof?.steps ?? null,
      given,
      name: proof ? String(at + 1) : "Solver",
      label: proof ? `Proof ${at + 1} of the model, ${likely}` : "The solver’s proof",
      hint: given ? `${likely}, given` : likely,
    };
  });
}
