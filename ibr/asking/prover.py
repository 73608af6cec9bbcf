"""The Python interface: rules in plain English and questions in, results with checked proofs out.

    prover = ibr.load()
    result = prover.prove("Bob is big. Big people are kind.", "Bob is kind.")
    result.verdict, result.explain(), result.to_svg()

It puts rulebook, model and checker together and decides nothing itself. Not for many threads at
once: give each its own `Prover`, or one queue (as `ibr.serving` does).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from pathlib import Path
from typing import Any, overload

from ibr.asking.judge import VerifiedReasoner, judge
from ibr.asking.reasoners import SystemName, get_base
from ibr.asking.result import Result
from ibr.asking.rulebook import ParsedQuestion, Rulebook, assumption
from ibr.choices import Assumption
from ibr.decoding.events import Guess, Stepped, Watcher
from ibr.decoding.proving import MAX_SENTENCES, SearchingReasoner
from ibr.decoding.scoring import SearchProgress
from ibr.errors import UsageError, WrongType
from ibr.logic.language import Logic
from ibr.logic.solver_reasoner import SolverReasoner, solved
from ibr.logic.solving.solver import Solver
from ibr.prediction import Prediction
from ibr.reasoner import Reasoner
from ibr.theory import Problem, Question

Rules = str | Path | Rulebook
Several = list[str] | tuple[str, ...]
Questions = Sequence[tuple[Rulebook, Sequence[str]]]
Event = Guess | Stepped | Result
Events = Iterator[tuple[int, int, Event] | None]


def load(
    name: str = "verified", beams: int | None = None, world: Assumption | str = Assumption.CLOSED
) -> Prover:
    """The prover of a name: `verified` (the embedded model; its proofs are checked, and replaced by
    the solver's where none is valid), `ibr` (the model alone), `solver`, the folder of a model, or
    `verified:FOLDER`. `beams` is how many proofs a model follows at once, 8 if not given. In an
    `open` world "not" in a condition has to be shown, and nothing is false for want of a proof.
    """
    system = SystemName.parse(name)
    options: dict[str, Any] = {} if beams is None else {"beams": _checked_beams(beams)}
    return Prover(get_base(system, **options), system.verified, world)


class Prover:
    """Answers questions to rulebooks. `ibr.load` makes one; any `Reasoner` with proofs will do.

    With `verify`, a model's proofs are tried until one is valid, else the solver's is taken
    (`ibr.asking.judge`). Without it, the best one is taken. Either way it is checked.
    `max_steps` bounds the nodes of a model's proof, `max_words` the rules that it may read. `world`
    is that of rules given as a text or a file; a `Rulebook` has its own.
    """

    def __init__(
        self, reasoner: Reasoner, verify: bool = False, world: Assumption | str = Assumption.CLOSED
    ) -> None:
        self._reasoner, self._verify = reasoner, verify
        self.world = assumption(world)
        self.max_steps: int | None = None
        self.max_words: int | None = None

    @property
    def name(self) -> str:
        return VerifiedReasoner.name if self._verify else self._reasoner.name

    @overload
    def prove(self, rules: Rules, questions: str, beams: int | None = None) -> Result: ...
    @overload
    def prove(self, rules: Rules, questions: Several, beams: int | None = None) -> list[Result]: ...

    def prove(
        self, rules: Rules, questions: str | Several, beams: int | None = None
    ) -> Result | list[Result]:
        """One question, or a list of them: the rulebook is then read and encoded once.

        `rules` is a text, the `Path` of a file, or a `Rulebook`. Raises ReadError for an empty
        question.
        """
        return self.ask(rules).prove(questions, beams)

    def ask(self, rules: Rules) -> Asking:
        """For many questions to one rulebook, which is read once."""
        return Asking(self, rulebook(rules, self.world))

    def steps(self, rules: Rules, question: str, beams: int | None = None) -> Iterator[Event]:
        """The reasoning as events: `Guess`, a `Stepped` for each step, and last the `Result`.

        The guess comes when the theory is encoded, before the search begins, and a step as soon as
        the search has taken it; the reasoning goes on when the next event is asked for. The steps
        are those of the leading path. If another path takes the lead, or another proof is given in
        the end, the steps that differ come again by their numbers: `path = step.onto(path)` keeps
        `path` right, and in the end it is the result's `trace`. A system without a model makes no
        guess and no steps: its answer takes the place of the guess.
        """
        return self.ask(rules).steps(question, beams)

    def prove_many(self, asked: Questions, beams: int | None = None) -> list[list[Result]]:
        """Questions to several rulebooks, encoded and searched together."""
        results: list[list[Result]] = [[] for _ in asked]
        for happened in self._run(asked, beams):
            if happened and isinstance(result := happened[2], Result):
                results[happened[0]].append(result)
        return results

    def watch(self, asked: Questions, beams: int | None = None) -> Events:
        """`prove_many` as events: the number of the rulebook, that of its question, and the event.

        None stands between two steps of the search: a caller may stop there. The questions of a
        batch are searched side by side, so their steps alternate.
        """
        return self._run(asked, beams, Watcher())

    def _run(
        self,
        asked: Questions,
        beams: int | None,
        watcher: Watcher | None = None,
    ) -> Events:
        """Without a watcher only the results."""
        batch, reasoner, verified = _Batch(asked), self._reasoner, self._verify
        if is_model := isinstance(reasoner, SearchingReasoner):
            reasoner = self._model(reasoner, beams)
        predictions: Sequence[Prediction | None]
        # The solver's proofs may replace those of a model, for which a rulebook may be too large.
        too_large = verified and any(len(p.theory) > MAX_SENTENCES for p in batch.problems)
        if too_large or isinstance(reasoner, SolverReasoner):
            verified, predictions = False, batch.solved()
        elif watcher and isinstance(reasoner, SearchingReasoner):
            found: dict[int, Prediction] = {}
            for progress in reasoner.proving(batch.problems):
                for problem, event in _events(batch, progress, watcher, reasoner):
                    yield *batch.places[problem], event
                yield None
                found |= progress.predictions
            predictions = [found[problem] for problem in range(len(batch.problems))]
        else:
            predictions = reasoner.prove(batch.problems)
        for problem, place in enumerate(batch.places):
            result = judge(*batch.asked[problem], predictions[problem], verified)
            if watcher and result.prediction and not is_model:
                question = result.question
                yield *place, Guess.of(question.text, question.reading, result.prediction)
            for step in watcher.rest(problem, result.trace) if watcher else ():
                yield *place, step
            yield *place, result

    def _model(self, model: SearchingReasoner, beams: int | None) -> SearchingReasoner:
        """The same weights with other settings."""
        mine = copy(model)
        mine.trace = True
        mine.beams = model.beams if beams is None else _checked_beams(beams)
        mine.max_steps = self.max_steps or model.max_steps
        mine.max_words = self.max_words or model.max_words
        return mine


class Asking:
    """One rulebook and a prover. `book.unreadable` lists the sentences that only a model uses."""

    def __init__(self, prover: Prover, book: Rulebook) -> None:
        self.book, self._prover = book, prover

    @overload
    def prove(self, questions: str, beams: int | None = None) -> Result: ...
    @overload
    def prove(self, questions: Several, beams: int | None = None) -> list[Result]: ...

    def prove(self, questions: str | Several, beams: int | None = None) -> Result | list[Result]:
        """As `Prover.prove`."""
        several = [questions] if isinstance(questions, str) else questions
        (results,) = self._prover.prove_many([(self.book, several)], beams)
        return results[0] if isinstance(questions, str) else results

    def steps(self, question: str, beams: int | None = None) -> Iterator[Event]:
        """As `Prover.steps`."""
        events = self._prover.watch([(self.book, [question])], beams)
        return (event[2] for event in events if event)


class _Batch:
    """Questions to several rulebooks as problems in a row; `places` are (rulebook, question)."""

    def __init__(self, asked: Questions) -> None:
        self.asked: list[tuple[Rulebook, ParsedQuestion]] = []
        self.places: list[tuple[int, int]] = []
        for place, (book, questions) in enumerate(asked):
            if not isinstance(questions, list | tuple):
                raise WrongType("questions", "a text or a list of texts", questions)
            for number, text in enumerate(questions):
                if not isinstance(text, str):
                    raise WrongType("a question", "a text", text)
                parsed = ParsedQuestion.parse(text, book.theory)
                self.asked.append((book.about(text), parsed))
                self.places.append((place, number))
        self.problems = [
            Problem(f"q{number + 1}", book.theory, Question(question.statement))
            for (_, number), (book, question) in zip(self.places, self.asked, strict=True)
        ]

    def solved(self) -> list[Prediction | None]:
        """By the solver of each rulebook; None for what it cannot use."""
        return [
            solved(problem.id, Logic(book.program, question.literal), solver)
            if question.literal and isinstance(solver := book.solver_over(question.literal), Solver)
            else None
            for problem, (book, question) in zip(self.problems, self.asked, strict=True)
        ]


def _events(
    batch: _Batch, progress: SearchProgress, watcher: Watcher, model: SearchingReasoner
) -> Iterator[tuple[int, Guess | Stepped]]:
    """The guess of each problem when it is encoded, then the steps."""
    if progress.state is None:
        for row, problem in enumerate(progress.problems):
            guess = model.guess(batch.problems[problem], progress.scorer, row)
            _, asked = batch.asked[problem]
            proof = float(progress.scorer.proof_probability[row])
            yield problem, Guess.of(asked.text, asked.reading, guess, proof)
    yield from watcher.steps(progress)


def rulebook(rules: Rules, world: Assumption = Assumption.CLOSED) -> Rulebook:
    """A text, or the file of a `Path`, as a rulebook. Raises UsageError for a file name as text."""
    if isinstance(rules, Rulebook):
        return rules
    if isinstance(rules, Path):
        from ibr.data.formats.jsonl import read_text

        return Rulebook.parse(read_text(str(rules)), world)
    if not isinstance(rules, str):
        raise WrongType("rules", "a text, a pathlib.Path or an ibr.Rulebook", rules)
    if _is_file(rules):
        raise UsageError(f"{rules!r} is the name of a file: give its text, or pathlib.Path(name)")
    return Rulebook.parse(rules, world)


def _is_file(text: str) -> bool:
    try:
        return "\n" not in text and bool(text.strip()) and Path(text).is_file()
    except (OSError, ValueError):  # too long for a name, or a character that no name has
        return False


def _checked_beams(beams: int) -> int:
    if isinstance(beams, bool) or not isinstance(beams, int):
        raise WrongType("beams", "a whole number", beams)
    if beams < 1:
        raise UsageError(f"beams must be at least 1, not {beams}")
    return beams
