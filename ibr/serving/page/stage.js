// The result: which proof is shown, how far it has grown, and what is highlighted.
import { $, announce, button, element, percent } from "./dom.js";
import { frames } from "./frames.js";
import { draw, lightBoxes, reveal, TONES } from "./graph.js";
import { Player } from "./player.js";
import { guessed, showSearching, showVerdict, verdictInWords } from "./verdict.js";
import { markPath, stepInWords, showArriving, showPath, showWeighed } from "./weighed.js";
import { showWhy, SUPPOSING } from "./why.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Stage {
  #player = new Player((at, fresh) => this.#show(at, fresh));
  #sentences = [];
  #steps = []; // as they arrive
  #views = []; // {picture, steps, name, label, hint, side}
  #view = null;
  #film = [];
  #graph = null;
  result = null;

  // `light(indices)` makes sentences of the rules stand out, `add(fact)` adds one to them,
  // `choose(wording, obstacle)` writes what settles an obstacle.
  constructor({ light, add, choose }) {
    this.lightRules = light;
    this.add = add;
    this.choose = choose;
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
    showSearching();
    for (const id of ["canvas", "sides", "beams", "path", "weighed", "guess"]) $(id).replaceChildren();
    $("searched").hidden = $("mend").hidden = true;
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
    if (guess.confidence !== null) $("guess").textContent = guessed({ guess });
  }

  // A step takes the place of the one of its number and of all after it: another path leads now.
  step(step) {
    this.#steps = [...this.#steps.slice(0, step.number - 1), step];
    $("searched").hidden = false;
    showSearching(this.#steps.length);
    showArriving(this.#steps);
    markPath(this.#steps.length);
    showWeighed(this.#steps, this.#steps.length, this.#sentences);
  }

  finish(result) {
    this.result = result;
    $("result").className = "";
    this.#views = views(result);
    const cite = (index, text) => this.#cite(index, text);
    showVerdict(result, this.#sentences.length, { cite, choose: this.choose });
    showWhy(result, { cite, add: this.add });
    $("guess").textContent = guessed(result);
    $("searched").hidden = !result.proofs?.length;
    announce(verdictInWords(result));
    this.#choose(this.#views.find(({ side }) => side === "given"), !still.matches);
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
    this.#showChoices();
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
    if (fresh) announce(stepInWords(this.#view.steps, at, this.#sentences) || this.#boxInWords(frame));
  }

  // Keeps the new box in view where the picture is wider than its frame.
  #follow({ key }) {
    const place = this.picture.boxes.find((box) => box.key === key);
    const canvas = $("canvas");
    if (!place || canvas.scrollWidth <= canvas.clientWidth) return;
    const scale = this.#graph.svg.clientWidth / this.picture.width || 1;
    canvas.scrollLeft = (place.x + place.width / 2) * scale - canvas.clientWidth / 2;
  }

  #boxInWords({ key }) {
    const place = this.picture.boxes.find((box) => box.key === key);
    return place ? `${place.tag}: ${place.lines.join(" ")}` : "";
  }

  #showChoices() {
    const found = this.#views.filter(({ steps, side }) => steps || side === "given");
    choices("beams", "Proofs", found.length > 1 ? found : [], this.#view, (view) => this.#choose(view, false));
    const sides = this.#views.filter(({ side }) => side);
    const both = this.result.contrary ? sides.map((view) => ({ ...view, ...sideOf(view, this.result) })) : [];
    const shown = both.find(({ side }) => side === this.#view.side);
    choices("sides", "Proof", both, shown, ({ side }) => this.#choose(sides.find((view) => view.side === side), false));
    const doubt = doubtful(this.result);
    if (doubt) $("sides").append(element("span", {}, doubt));
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

// Buttons that choose one of several proofs; `hint` of the shown one stands beside them.
function choices(id, title, views, shown, choose) {
  const made = views.map((view) =>
    button(view.name, () => choose(view), {
      class: `beam ${TONES[view.picture.badge]}`,
      "aria-pressed": String(view === shown),
      "aria-label": `${view.label}, ${view.picture.badge}${view.side === "given" ? ", the proof given" : ""}`,
      title: `${view.label}: ${view.picture.badge}`,
    }),
  );
  const focused = [...$(id).querySelectorAll("button")].indexOf(document.activeElement);
  const parts = [
    element("span", { id: `${id}-title` }, title),
    element("div", { role: "group", "aria-labelledby": `${id}-title` }, ...made),
    element("span", { class: "hint" }, shown?.hint ?? ""),
  ];
  $(id).replaceChildren(...(made.length ? parts : []));
  made[focused]?.focus();
}

// What is doubtful of the proof shown; empty where nothing is.
function doubtful({ obstacle, checked, guess }) {
  if (obstacle && checked === "valid") return `The proof${SUPPOSING[obstacle.kind]}.`;
  return obstacle && guess ? "The model’s own proof. It was not accepted." : "";
}

// The two proofs of rules that contradict each other, by what they show.
function sideOf({ side }, { answer }) {
  const holds = (side === "given") === answer;
  const name = holds ? "that it holds" : "that it does not hold";
  return { name, label: `Proof ${name}`, hint: "" };
}

// Every proof that can be shown: the model's in their order, then the solver's, then the contrary.
function views({ pictures, proofs = [], chosen, contrary }) {
  const given = chosen ?? proofs.length;
  return pictures.map((picture, at) => {
    const proof = proofs[at];
    const side = at === given ? "given" : contrary && at === pictures.length - 1 ? "contrary" : null;
    const likely = proof ? `${percent(Math.exp(proof.score))} likely` : "exact search";
    return {
      picture,
      steps: proof?.steps ?? null,
      side,
      name: proof ? String(at + 1) : "Solver",
      label: proof ? `Proof ${at + 1} of the model, ${likely}` : "The solver’s proof",
      hint: side === "given" ? `${likely}, given` : likely,
    };
  });
}
