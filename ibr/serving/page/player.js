// Plays frames by itself or by its buttons. Knows numbers, not proofs.
import { $ } from "./dom.js";

const PACE = 1100; // milliseconds a step
const BY_NAME = { back: -1, forward: 1 };

export class Player {
  #count = 0;
  #at = 0;
  #timer = null;

  // `show(at, fresh)` draws frame `at`; `fresh` if it was reached by a step, not by a jump.
  constructor(show) {
    this.show = show;
    $("play").addEventListener("click", () => (this.#timer ? this.pause() : this.play()));
    for (const [name, way] of Object.entries(BY_NAME)) {
      $(name).addEventListener("click", () => {
        this.pause();
        this.go(this.#at + way);
      });
    }
    $("seek").addEventListener("input", () => {
      this.pause();
      this.go(Number($("seek").value));
    });
  }

  // Starts with the frames of another proof, at the first or at the last.
  load(count, at) {
    this.pause();
    this.#count = count;
    $("seek").max = count - 1;
    this.go(at);
  }

  go(at) {
    const to = Math.min(Math.max(at, 0), this.#count - 1);
    const fresh = Math.abs(to - this.#at) === 1;
    this.#at = to;
    $("seek").value = to;
    $("seek").setAttribute("aria-valuetext", `Step ${to} of ${this.#count - 1}`);
    $("at").textContent = `Step ${to} of ${this.#count - 1}`;
    this.#able("back", to > 0);
    this.#able("forward", to < this.#count - 1);
    this.show(to, fresh);
  }

  play() {
    if (this.#at === this.#count - 1) this.go(0);
    this.#playing(true);
  }

  pause() {
    this.#playing(false);
  }

  // A button that cannot act is not disabled, so that it keeps the focus.
  #able(name, able) {
    $(name).setAttribute("aria-disabled", String(!able));
  }

  #playing(on) {
    clearTimeout(this.#timer);
    this.#timer = null;
    if (on && this.#at < this.#count - 1) {
      this.#timer = setTimeout(() => {
        this.go(this.#at + 1);
        this.#playing(true);
      }, PACE / Number($("speed").value));
    }
    const playing = this.#timer !== null;
    $("play").setAttribute("aria-label", playing ? "Pause" : "Play");
    $("play").classList.toggle("playing", playing);
  }
}
