"""Questions to a rulebook, answered by a model and told in full: the twin of `ibr.answer`.

Whoever found a proof, the verifier's word on it is given beside it, and only what it accepts is
called proved and told in English. It finds and judges nothing itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from ibr.answer import BADGES, Why, question_lines
from ibr.checking import check_in_words
from ibr.drawing.picture import UNPROVED, Badge, Picture, meaning
from ibr.drawing.text import plain
from ibr.drawing.trace import trace_lines
from ibr.drawing.tree import proof_lines
from ibr.errors import IbrError
from ibr.events import Stepped
from ibr.heard import Heard, hear
from ibr.logic.checking.derivation import Step
from ibr.logic.clause import Literal
from ibr.logic.explain import explain
from ibr.logic.language import say
from ibr.logic.repair import TooLarge
from ibr.logic.solver import NotStratified, Solver
from ibr.logic.verifier import Check, check
from ibr.logic.why_not import WhyNot
from ibr.prediction import Prediction, Source, Status
from ibr.proof import NAF, Proof, Tree
from ibr.proving import Traced
from ibr.reasoner import Reasoner
from ibr.rulebook import Rulebook
from ibr.theory import Problem, Question, Strategy
from ibr.trace import trace_to_json

_SURE = 0.9995  # what would be printed as 100.0 %


@dataclass(frozen=True, slots=True, repr=False)
class Proved:
    """A prediction, the verifier's word on it, and what can be told of it.

    `proof` is a tree of the sentences that it cites. `why` is None unless the check is valid.
    """

    book: Rulebook
    heard: Heard
    prediction: Prediction
    check: Check
    proof: Proof
    contradiction: bool
    why: Why | None
    circle: str = ""  # how negation goes in a circle, so that nothing can be checked

    @property
    def proved(self) -> bool:
        """The statement itself is proved, not merely true because nothing contradicts it."""
        return self.check.valid and self.check.shows is not None and self.prediction.answer

    @property
    def reason(self) -> str | None:
        """Why the proof is not valid, or nobody can say; a sentence that matters is named."""
        where = self.check.where
        if self.check.status is Status.UNREADABLE and isinstance(where, int):
            entry = self.book.entries[where]
            place = f'[{where + 1}], line {entry.line}, "{plain(entry.reading.text)}"'
            return f"{self.check.why}: {place}"
        return self.check.why or None

    @property
    def summary(self) -> str:
        """`True: proved (the model's proof, checked: valid)`; "proved" only if it is."""
        prediction, checked = self.prediction, f"checked: {check_in_words(self.check)}"
        verdict = UNPROVED
        if self.check.valid:
            verdict = meaning(self.proof.strategy, prediction.answer)
        elif self.check.status is Status.UNREADABLE:
            checked = f"not checked: {self.reason}"
        whose = "the model's proof"
        if prediction.source is Source.SOLVER:
            whose = "the solver's proof"
            if isinstance(prediction, Traced):
                whose += ", as the model found none that holds"
        return f"{prediction.answer}: {verdict} ({whose}; {checked})"

    @property
    def heading(self) -> list[str]:
        """The question, how it was read, the answer with its check, and how sure the model is."""
        heard, confidence = self.heard, self.prediction.confidence
        lines = [heard.text, f"  {heard.trouble}: only the model reads it"]
        if heard.literal is not None:
            lines = question_lines(heard.text, heard.literal, self.contradiction)
        lines.append(f"  {self.summary}")
        if confidence is not None:
            alone = self.prediction.answer == (confidence >= 0.5)
            sure = max(confidence, 1 - confidence)
            share = "over 99.9 %" if sure >= _SURE else f"{100 * sure:.1f} %"
            lines.append(f"  The model alone says {alone} and is {share} sure.")
        return lines

    def told(self, trace: bool = False) -> list[str]:
        """All of it for people; with `trace`, what every step of the search weighed."""
        fails = self.proof.strategy is Strategy.FAIL_PROOF
        titles = {
            Status.VALID: "Where it fails:" if fails else "Proof:",
            Status.INVALID: "What it cites, though it does not hold:",
            Status.UNREADABLE: "What it cites, not checked:",
        }
        lines = [*self.heading, titles[self.check.status]]
        lines += proof_lines(self.book.theory, self.proof, "  ")
        if self.why:
            lines += self.why.told
        return [*lines, *self._traced()] if trace else lines

    def _traced(self) -> list[str]:
        given = self.prediction
        assert isinstance(given, Traced)  # a system without traces refuses to be asked for them
        title = "How the model found it:"
        if given.chosen is None:
            title = "What the model tried first, which does not hold:"
        found = given.found[given.chosen or 0]
        lines = trace_lines(self.book.theory, found, given.sentence)
        return [title, *(f"  {line}" for line in lines)]

    @property
    def answer(self) -> bool:
        return self.prediction.answer

    @property
    def checked(self) -> Status:
        """What the verifier says of the proof: `valid`, `invalid` or `unreadable`."""
        return self.check.status

    @property
    def trace(self) -> tuple[Stepped, ...]:
        """How the model grew the proof given, or else its best; empty where no model did."""
        given = self.prediction
        if not isinstance(given, Traced) or not given.found:
            return ()
        told = trace_to_json(given.found[given.chosen or 0], given.sentence)
        return tuple(Stepped.of_json(n, step) for n, step in enumerate(told["steps"], start=1))

    def explain(self) -> str:
        """The proof or the failure in English, a line a step; why not, if it is not valid."""
        return "\n".join(self.why.explanation) if self.why else f"Not proved: {self.reason}"

    @property
    def why_not(self) -> WhyNot | None:
        """Every rule that could show it and what each lacks; None if it is proved or refuted."""
        fails = self.proof.strategy is Strategy.FAIL_PROOF
        return self.why.why_not if self.why and fails else None

    @property
    def repairs(self) -> list[str] | None:
        """Facts, each a sentence that would prove it if it were added; None: too many to search."""
        try:
            return [say(repair.fact) for repair in self.why.repairs] if self.why else []
        except TooLarge:
            return None

    def to_svg(self) -> str:
        """The proof as a picture that needs nothing else."""
        from ibr.drawing.svg import svg

        return svg(self.picture())

    def __repr__(self) -> str:
        return f"<Proved {self.heard.text!r}: {self.summary}>"

    def __str__(self) -> str:
        return "\n".join(self.told())

    def _repr_html_(self) -> str:
        """For notebooks."""
        told = escape("\n".join([*self.heading, self.explain()]))
        return f"<pre>{told}</pre>{self.to_svg()}"

    def picture(self) -> Picture:
        """The proof, ready to be drawn."""
        solved = self.check.valid and self.prediction.source is Source.SOLVER
        badge = Badge.SOLVER if solved else BADGES[self.check.status]
        theory, asked = self.book.theory, self.heard.text
        return Picture.of_proof(theory, asked, self.prediction.answer, self.proof, badge)

    def to_json(self, trace: bool = False) -> dict[str, Any]:
        """The fields of `ibr predict`, and what else is known."""
        told = self.why.to_json() if self.why else {"explanation": [], "repairs": []}
        prediction = self.prediction
        return {
            "question": self.heard.text,
            "reading": self.heard.reading,
            **(prediction.to_json() if trace else Prediction.to_json(prediction)),
            "checked": self.check.status,
            "check_reason": self.reason,
            "contradiction": self.contradiction,
            **told,
        }


def prove(book: Rulebook, questions: Sequence[str], reasoner: Reasoner) -> list[Proved]:
    """All questions at once, so that a model encodes the rulebook once. Raises ReadError for an

    empty question, and Unanswerable where the reasoner needs to read what it cannot.
    """
    heard = [hear(text) for text in questions]
    problems = problems_of(book, heard)
    return judged(book, heard, reasoner.prove(problems))


def problems_of(book: Rulebook, heard: Sequence[Heard]) -> list[Problem]:
    """What a reasoner is asked."""
    return [
        Problem(f"q{number}", book.theory, Question(asked.statement))
        for number, asked in enumerate(heard, start=1)
    ]


def judged(
    book: Rulebook, heard: Sequence[Heard], predictions: Sequence[Prediction]
) -> list[Proved]:
    """What a reasoner said of these questions to one rulebook, checked and ready to be told."""
    judge = _Judge(book)
    return [judge.proved(*pair) for pair in zip(heard, predictions, strict=True)]


class _Judge:
    """Asks the verifier about predictions for one rulebook."""

    def __init__(self, book: Rulebook) -> None:
        self._book, self._program = book, book.program
        self._solver: Solver | None = None
        self._circle = ""
        try:
            self._solver = Solver(self._program)
        except NotStratified as error:
            self._circle = str(error)

    def proved(self, heard: Heard, prediction: Prediction) -> Proved:
        literal, solver, contradiction, why = heard.literal, self._solver, False, None
        checked = self._check(heard, prediction)
        proof = self._proof(literal, prediction, checked)
        if literal is not None and solver is not None:
            contradiction = solver.judge(literal).contradiction
            why = Why(self._program, literal, proof, solver) if checked.valid else None
        found = prediction, checked, proof, contradiction, why
        return Proved(self._book, heard, *found, circle=self._circle)

    def _check(self, heard: Heard, prediction: Prediction) -> Check:
        graph, unreadable = prediction.graph, self._program.unreadable
        if graph is None:
            raise IbrError(f"{prediction.reasoner} only answers: it has no proof to show")
        if heard.literal is None:
            return Check(Status.UNREADABLE, "the question cannot be read")
        if self._solver is None:
            return Check(Status.INVALID, self._circle)
        strategy, answer = prediction.strategy, prediction.answer
        found = check(self._program, heard.literal, graph, strategy, answer)
        if found.status is Status.INVALID and unreadable:
            why = f"{check_in_words(found)}; but this sentence, which may matter, cannot be read"
            return replace(found, status=Status.UNREADABLE, why=why, where=unreadable[0])
        return found

    def _proof(self, literal: Literal | None, prediction: Prediction, checked: Check) -> Proof:
        """A graph forgets how often a sentence serves: the model's path or the logic knows."""
        fails = prediction.strategy is Strategy.FAIL_PROOF
        chosen = prediction.chosen if isinstance(prediction, Traced) else None
        if chosen is not None and (fails or not checked.valid):
            assert isinstance(prediction, Traced)
            return prediction.found[chosen].path.to_proof()
        assert literal is not None
        assert self._solver is not None
        assert prediction.graph is not None
        if fails:
            return self._solver.failure(literal.atom)
        return Proof.of(tree_of(explain(self._program, literal, prediction.graph).steps))


def tree_of(steps: Sequence[Step]) -> Tree:
    """The last step above those that it rests on, which come before it."""
    made: dict[tuple[int, Literal], Tree] = {}
    for node, conclusion, premises in steps:
        below = (Tree(NAF) if p.source == NAF else made[p.source, p.literal] for p in premises)
        made[node, conclusion] = Tree(node, tuple(below))
    return made[steps[-1].node, steps[-1].conclusion]
