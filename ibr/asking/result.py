"""The result of one question to one rulebook, for every interface: verdict, proof, check, words.

`ibr.asking.judge` makes it; nothing is decided here.
"""

from dataclasses import dataclass, replace
from html import escape
from typing import Any

from ibr.asking.rulebook import Obstacle, ObstacleKind, ParsedQuestion, Rulebook
from ibr.bulk.checks import check_in_words
from ibr.choices import Assumption
from ibr.decoding.events import Stepped, steps_of
from ibr.decoding.proving import Traced
from ibr.drawing.picture import Captions
from ibr.drawing.proof_lines import LEGEND, proof_lines, step_lines, trace_lines
from ibr.logic.checking.verifier import Check
from ibr.logic.explaining.explanation import Why, WhyNot
from ibr.logic.explaining.repair import TooLarge
from ibr.logic.language import say
from ibr.logic.lazy import lazy
from ibr.logic.surface.phrases import phrase
from ibr.prediction import Prediction, Source, Status, Verdict
from ibr.proof import Proof, graph_to_json
from ibr.theory import Strategy

_SUPPOSING = {  # of an explanation, where something stands in the way
    ObstacleKind.SENTENCE: ", by what was read",
    ObstacleKind.WORDING: ", if the wordings differ",
    ObstacleKind.READINGS: ", by the first reading",
}
_ALMOST_SURE = 0.9995  # what would be printed as 100.0 %


@dataclass(frozen=True)
class CheckedProof:
    """A proof tree (None if only its graph is known) and its check."""

    proof: Proof | None
    check: Check


@dataclass(frozen=True, repr=False)
class Result:
    """`verdict` is what is certain; `prediction` is what the system predicts, None if it cannot.

    `given` is the proof of the prediction, `contrary` the proof of the opposite if the verdict is
    contradictory. `tried` are the checks of the model's first proofs, as far as they were needed.
    """

    book: Rulebook
    question: ParsedQuestion
    verdict: Verdict
    prediction: Prediction | None
    given: CheckedProof
    contrary: CheckedProof | None = None
    obstacle: Obstacle | None = None
    tried: tuple[Check, ...] = ()
    by: str = ""  # why, where no proof shows it: an exception that applies, a contradiction

    @property
    def proved(self) -> bool:
        """The statement itself is proved, and its negation is not."""
        return self.verdict is Verdict.YES

    @property
    def answer(self) -> bool | None:
        """The predicted answer. Without a verdict it is a guess. None if there is none: in an open
        world nothing is false for want of a proof."""
        found, is_open = self.prediction, self.book.world is Assumption.OPEN
        if found is None or (is_open and found.strategy is Strategy.FAIL_PROOF):
            return None
        return found.answer

    @property
    def guessed(self) -> tuple[bool, float] | None:
        """The model's own answer, before any check, and its probability; None without a model."""
        return self.prediction.guess if self.prediction else None

    @property
    def check(self) -> Check:
        return self.given.check

    @property
    def proof(self) -> Proof | None:
        """A tree of the sentences that it cites, or the chain of rules that failed deepest."""
        return self.given.proof

    @property
    def checked(self) -> Status:
        """`valid`, `invalid` or `unreadable`."""
        return self.check.status

    @property
    def reason(self) -> str | None:
        """Why there is no verdict; None if there is one."""
        return None if self.obstacle is None else str(self.obstacle)

    @property
    def partial(self) -> bool:
        """`why` leaves out sentences that may matter, as they cannot be read."""
        return self.obstacle is not None and self.obstacle.kind is ObstacleKind.SENTENCE

    @property
    def is_circular(self) -> bool:
        """Negation goes in a circle, so no proof was checked."""
        return self.obstacle is not None and self.obstacle.kind is ObstacleKind.CIRCLE

    @lazy
    def why(self) -> Why | None:
        """Why, or why not; None where nothing is certain."""
        literal, solver, program = self.question.literal, self.book.solver, self.book.program
        if literal is None or solver is None or not (self.check.valid or self.partial):
            return None
        if self.partial:
            return Why.solved(program, literal, solver)
        return Why(program, literal, solver, self.check.shows, self.check.steps)

    @property
    def _why_contrary(self) -> Why:
        assert self.why is not None
        assert self.contrary is not None
        return replace(self.why, shows=self.contrary.check.shows, steps=self.contrary.check.steps)

    @property
    def explanation(self) -> list[str]:
        return self.why.explanation if self.why else []

    def explain(self) -> str:
        """The proof or the failure in English, a line a step; else why there is no verdict."""
        return "\n".join(self.explanation) or f"{self.verdict.heading}: {self.reason}"

    @property
    def why_not(self) -> WhyNot | None:
        """Every rule that could show it and what each lacks; None if it is proved or refuted."""
        return self.why.why_not if self.why else None

    @property
    def repairs(self) -> list[str] | None:
        """Facts, each a sentence that would prove it if it were added; None: too many to search."""
        found = self.why.repairs if self.why else ()
        return None if isinstance(found, TooLarge) else [say(repair.fact) for repair in found]

    @property
    def summary(self) -> str:
        """`Yes (the model's proof; checked: valid)`."""
        heading = self.verdict.heading
        if self.obstacle is not None:
            return f"{heading}: {self.obstacle}"
        if self.by:
            return f"{heading} ({self.by})"
        if self.contrary is not None:
            return f"{heading} (both proofs are valid)"
        return f"{heading} ({self._whose()}; checked: {check_in_words(self.check)})"

    def _whose(self) -> str:
        prediction = self.prediction
        if prediction is None or prediction.source is not Source.SOLVER:
            return "the model's proof"
        if isinstance(prediction, Traced):
            return "the solver's proof, as the model found none that holds"
        depth = prediction.strategy is Strategy.PROOF and prediction.depth is not None
        return f"the solver's proof, depth {prediction.depth}" if depth else "the solver's proof"

    @property
    def heading(self) -> list[str]:
        """The question, how it was read, the verdict, and what the model predicts by itself."""
        text, reading = self.question.text, self.question.reading
        lines = [text] if reading in (text, None) else [text, f"  I read this as: {reading}"]
        lines.append(f"  {self.summary}")
        if self.obstacle:
            lines += self.obstacle.lines
        if self.guessed:
            answer, sure = self.guessed
            share = "over 99.9 %" if sure >= _ALMOST_SURE else f"{100 * sure:.1f} %"
            name = "A guess, not proved: the model" if self.obstacle else "The model alone"
            lines.append(f"  {name} predicts {answer} ({share} sure).")
        return [*lines, f"  {self.book.not_used_in_words}."]

    def lines(self, trace: bool = False, tree: bool = True, why: bool = True) -> list[str]:
        """For people; with `trace`, also what every step of the search weighed."""
        lines = self.heading
        for given in (self.given, self.contrary):
            lines += self._tree(given) if given and tree else []
        if why and self.why:
            lines += self.why.lines(self._supposing)
        if why and self.contrary:
            lines += self._why_contrary.lines()
        return [*lines, *self._search()] if trace else lines

    @property
    def _supposing(self) -> str:
        return _SUPPOSING.get(self.obstacle.kind, "") if self.obstacle else ""

    def _title(self, given: CheckedProof) -> str:
        if not given.check.valid:
            return "What the guess cites:" if self.guessed else "By what was read:"
        if self.contrary and given.check.shows:
            return f"Proof that {phrase(given.check.shows)}:"
        return f"{'Proof' if given.check.shows else 'Where it fails'}{self._supposing}:"

    def _tree(self, given: CheckedProof) -> list[str]:
        theory, proof, title = self.book.theory, given.proof, self._title(given)
        if given.check.steps:
            return [title, *step_lines(theory, given.check.steps, "  ")]
        if proof is None:
            return []
        return [title, *proof_lines(theory, proof, "  ", Captions.of(given.check).end)]

    def _search(self) -> list[str]:
        model = self.prediction
        if not isinstance(model, Traced) or not model.found:
            return []
        found = model.found[model.chosen or 0]
        rejected = " (its best proof, which was not taken)" if model.chosen is None else ""
        lines = trace_lines(self.book.theory, found, model.sentence)
        return [f"How the model searched{rejected}:", *(f"  {line}" for line in (LEGEND, *lines))]

    @property
    def trace(self) -> tuple[Stepped, ...]:
        """How the model grew the proof given, or else its best; empty without a model."""
        model = self.prediction
        if not isinstance(model, Traced) or not model.found:
            return ()
        return steps_of(model.found[model.chosen or 0], model.sentence)

    def to_svg(self) -> str:
        """The proof as a picture that needs nothing else."""
        from ibr.asking.pictures import picture
        from ibr.drawing.svg import svg

        return svg(picture(self))

    def to_json(self, trace: bool = False, why: bool = True) -> dict[str, Any]:
        """The fields of `ibr predict`, and what else is known; `docs/cli.md` lists them."""
        nothing: dict[str, Any] = {"explanation": [], "repairs": []}
        predicted = self.prediction or Prediction("", False, "solver")
        guess, contrary = self.guessed, None
        if self.contrary and self.contrary.proof:
            explanation = self._why_contrary.explanation
            contrary = graph_to_json(self.contrary.proof.graph) | {"explanation": explanation}
        return {
            "question": self.question.text,
            "reading": self.question.reading,
            "verdict": self.verdict,
            **(predicted.to_json() if trace else Prediction.to_json(predicted)),
            "answer": self.answer,
            "fine_strategy": predicted.fine_strategy,
            "length": predicted.length,
            "checked": self.checked,
            "check_reason": self.reason,
            "obstacle": self.obstacle and self.obstacle.to_json(),
            "guess": guess and {"answer": guess[0], "confidence": round(guess[1], 4)},
            "by": self.by or None,
            "contradiction": self.contrary is not None,
            "contrary": contrary,
            "partial": self.partial,
            "not_used": self.book.not_used,
            **((self.why.to_json() if self.why else nothing) if why else {}),
        }

    def __repr__(self) -> str:
        return f"<Result {self.question.text!r}: {self.summary}>"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        """For notebooks."""
        text = escape("\n".join([*self.heading, self.explain()]))
        return f"<pre>{text}</pre>{self.to_svg()}"
