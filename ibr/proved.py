"""Questions to a rulebook, answered by a model and told in full: the twin of `ibr.answer`.

Whoever found a proof, the verifier's word on it is given beside it, and only what it accepts is
called proved and told in English. It finds and judges nothing itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ibr.answer import BADGES, Why, question_lines
from ibr.checking import check_in_words
from ibr.drawing.picture import UNPROVED, Badge, Picture, meaning
from ibr.drawing.text import plain
from ibr.drawing.trace import trace_lines
from ibr.drawing.tree import proof_lines
from ibr.errors import IbrError
from ibr.logic.checking.derivation import Step
from ibr.logic.clause import Literal
from ibr.logic.explain import explain
from ibr.logic.language import read_question, say
from ibr.logic.reading import ReadError
from ibr.logic.solver import NotStratified, Solver
from ibr.logic.verifier import Check, check
from ibr.prediction import Prediction, Source, Status
from ibr.proof import NAF, Proof, Tree
from ibr.proving import Traced
from ibr.reasoner import Reasoner
from ibr.rulebook import Rulebook
from ibr.theory import Problem, Question, Strategy

_SURE = 0.9995  # what would be printed as 100.0 %


@dataclass(frozen=True, slots=True)
class Heard:
    """A question as it was asked; `literal` is None where it has no reading, `trouble` says why."""

    text: str
    literal: Literal | None
    trouble: str = ""

    @property
    def statement(self) -> str:
        """What a model is asked: models learn from statements, so "Is Bob big?" becomes one."""
        is_asking = self.literal is not None and self.text.rstrip().endswith("?")
        return say(self.literal) if is_asking and self.literal else self.text


@dataclass(frozen=True, slots=True)
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

    def picture(self) -> Picture:
        """The proof, ready to be drawn."""
        solved = self.check.valid and self.prediction.source is Source.SOLVER
        badge = Badge.SOLVER if solved else BADGES[self.check.status]
        theory, asked = self.book.theory, self.heard.text
        return Picture.of_proof(theory, asked, self.prediction.answer, self.proof, badge)

    def to_json(self, trace: bool = False) -> dict[str, Any]:
        """The fields of `ibr predict`, and what else is known."""
        literal = self.heard.literal
        told = self.why.to_json() if self.why else {"explanation": [], "repairs": []}
        prediction = self.prediction
        return {
            "question": self.heard.text,
            "reading": None if literal is None else say(literal),
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
    problems = [
        Problem(f"q{number}", book.theory, Question(asked.statement))
        for number, asked in enumerate(heard, start=1)
    ]
    judge = _Judge(book)
    return [
        judge.proved(asked, prediction)
        for asked, prediction in zip(heard, reasoner.prove(problems), strict=True)
    ]


def hear(text: str) -> Heard:
    if not text.strip():
        raise ReadError(text, "a question must have text")
    try:
        return Heard(text, read_question(text))
    except ReadError as error:
        hint = f"; try: {error.rewrite}" if error.rewrite else ""
        return Heard(text, None, f"The question cannot be read ({error.reason}){hint}")


class _Judge:
    """Asks the verifier about predictions for one rulebook."""

    def __init__(self, book: Rulebook) -> None:
        self._book, self._program = book, book.program
        self._solver: Solver | None = None
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
        return Proved(self._book, heard, prediction, checked, proof, contradiction, why)

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
