"""The Python door: rules in plain English and questions in, checked proofs out.

    prover = ibr.load()
    proved = prover.prove("Bob is big. Big people are kind.", "Bob is kind.")
    proved.answer, proved.checked, proved.explain(), proved.to_svg()

It puts rulebook, model and checker together and decides nothing itself. Not for many threads at
once: give each its own `Prover`, or one queue (as `ibr.serving` does).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from itertools import islice
from typing import Any, overload

from ibr.events import Guess, Stepped
from ibr.heard import Heard, hear
from ibr.prediction import Prediction
from ibr.proved import Proved, judged, problems_of
from ibr.proving import Moment, SearchingReasoner, cooled
from ibr.reasoner import Reasoner, get_reasoner
from ibr.rulebook import Rulebook
from ibr.scoring import EncodedScorer
from ibr.verified import VerifiedReasoner
from ibr.watching import Watcher

Rules = str | Rulebook
Several = list[str] | tuple[str, ...]
Told = Guess | Stepped | Proved


def load(name: str = "verified", beams: int = 8) -> Prover:
    """The prover of a name: `verified` (the embedded model, its proofs checked and replaced by the

    solver's where none holds), `ibr` (the model alone), `solver`, the folder of a model, or
    `verified:FOLDER`. `beams` is how many proofs a model follows at once. Raises IbrError.
    """
    first, _, folder = name.partition(":")
    if first == VerifiedReasoner.name:
        return Prover(get_reasoner(folder or "ibr", beams=beams, trace=True), verify=True)
    options: dict[str, Any] = {} if name == "solver" else {"beams": beams, "trace": True}
    return Prover(get_reasoner(name, **options))


class Prover:
    """Answers questions to rulebooks. `ibr.load` makes one; any `Reasoner` that proves will do.

    With `verify`, a model's proofs are tried until one holds, else the solver's is given
    (`ibr.verified`). Without it, the best one is given. Either way the verifier's word stands
    beside it. `max_steps` bounds the nodes of a model's proof.
    """

    def __init__(self, reasoner: Reasoner, verify: bool = False) -> None:
        self._reasoner, self._verify = reasoner, verify
        self.max_steps: int | None = None

    @property
    def name(self) -> str:
        return VerifiedReasoner.name if self._verify else self._reasoner.name

    @overload
    def prove(self, rules: Rules, questions: str, beams: int | None = None) -> Proved: ...
    @overload
    def prove(self, rules: Rules, questions: Several, beams: int | None = None) -> list[Proved]: ...

    def prove(
        self, rules: Rules, questions: str | Several, beams: int | None = None
    ) -> Proved | list[Proved]:
        """One question, or a list of them: the rulebook is then read and encoded once.

        Raises ReadError for an empty question.
        """
        return self.ask(rules).prove(questions, beams)

    def ask(self, rules: Rules) -> Asking:
        """For many questions to one rulebook, which is read once."""
        return Asking(self, rules if isinstance(rules, Rulebook) else Rulebook.parse(rules))

    def steps(self, rules: Rules, question: str, beams: int | None = None) -> Iterator[Told]:
        """What happens while it reasons: `Guess`, a `Stepped` for each step, and last the `Proved`.

        The guess comes when the theory is encoded, before the search begins, and a step as soon as
        the search has taken it: the reasoning goes on when the next is asked for. The steps are
        those of the path that leads. If another takes the lead, or is given in the end, those that
        differ are told again by their numbers: `told = step.onto(told)` keeps `told` right, and it
        is the proof's `trace` when that comes. A system without a model has no guess of its own:
        its answer stands in, and there are no steps.
        """
        return self.ask(rules).steps(question, beams)

    def prove_many(
        self, asked: Sequence[tuple[Rulebook, Sequence[str]]], beams: int | None = None
    ) -> list[list[Proved]]:
        """Questions to several rulebooks, encoded and searched together."""
        batch, reasoner = _Batch(asked), self._reasoner
        if isinstance(reasoner, SearchingReasoner):
            model = self._model(reasoner, beams)
            reasoner = VerifiedReasoner(model, trace=True) if self._verify else model
        return list(batch.judged(reasoner.prove(batch.problems)))

    def watch(
        self, asked: Sequence[tuple[Rulebook, Sequence[str]]], beams: int | None = None
    ) -> Iterator[tuple[int, int, Told]]:
        """`prove_many` as it happens: which rulebook, which question of it, and what `steps` tells.

        The questions of a batch are searched side by side, so their steps come by turns.
        """
        batch, reasoner, watcher = _Batch(asked), self._reasoner, Watcher()
        guesses: dict[int, Prediction] = {}
        if isinstance(reasoner, SearchingReasoner):
            model = self._model(reasoner, beams)
            for moment in model.proving(batch.problems):
                for problem, told in _told(batch, moment, watcher, model.temperature):
                    yield *batch.places[problem], told
                guesses |= moment.predictions
            given = [guesses[problem] for problem in range(len(batch.problems))]
            if self._verify:
                given = VerifiedReasoner(model, trace=True).checked(batch.problems, given)
        else:
            given = reasoner.prove(batch.problems)
        proved = [one for some in batch.judged(given) for one in some]
        for problem, (place, one) in enumerate(zip(batch.places, proved, strict=True)):
            if not guesses:
                yield *place, _stand_in(one)
            for step in watcher.rest(problem, one.trace):
                yield *place, step
            yield *place, one

    def _model(self, model: SearchingReasoner, beams: int | None) -> SearchingReasoner:
        """The same weights with other settings."""
        mine = copy(model)
        mine.trace, mine.beams = True, beams or model.beams
        mine.max_steps = self.max_steps or model.max_steps
        return mine


class Asking:
    """One rulebook and whoever answers questions to it. `book.unreadable` lists what only a model

    can read.
    """

    def __init__(self, prover: Prover, book: Rulebook) -> None:
        self.book, self._prover = book, prover

    @overload
    def prove(self, questions: str, beams: int | None = None) -> Proved: ...
    @overload
    def prove(self, questions: Several, beams: int | None = None) -> list[Proved]: ...

    def prove(self, questions: str | Several, beams: int | None = None) -> Proved | list[Proved]:
        """As `Prover.prove`."""
        several = [questions] if isinstance(questions, str) else questions
        (found,) = self._prover.prove_many([(self.book, several)], beams)
        return found[0] if isinstance(questions, str) else found

    def steps(self, question: str, beams: int | None = None) -> Iterator[Told]:
        """As `Prover.steps`."""
        return (told for _, _, told in self._prover.watch([(self.book, [question])], beams))


class _Batch:
    """Questions to several rulebooks as problems in a row."""

    def __init__(self, asked: Sequence[tuple[Rulebook, Sequence[str]]]) -> None:
        self._books = [(book, [hear(text) for text in questions]) for book, questions in asked]
        self.heard = [one for _, heard in self._books for one in heard]
        self.problems = [one for book, heard in self._books for one in problems_of(book, heard)]
        self.places = [
            (place, number)
            for place, (_, heard) in enumerate(self._books)
            for number in range(len(heard))
        ]

    def judged(self, predictions: Sequence[Prediction]) -> Iterator[list[Proved]]:
        """Of each rulebook."""
        given = iter(predictions)
        for book, heard in self._books:
            yield judged(book, heard, list(islice(given, len(heard))))


def _told(
    batch: _Batch, moment: Moment, watcher: Watcher, temperature: float
) -> Iterator[tuple[int, Guess | Stepped]]:
    """Of which problem what: the guess when it is encoded, then the steps."""
    if moment.front is None:
        for row, problem in enumerate(moment.problems):
            yield problem, _guess(batch.heard[problem], moment.scorer, row, temperature)
    yield from watcher.steps(moment)


def _guess(heard: Heard, scorer: EncodedScorer, row: int, temperature: float) -> Guess:
    answer = bool(scorer.answers[row] > 0.5)
    probability = cooled(float(scorer.answers[row]), temperature)
    return Guess(
        heard.text,
        heard.reading,
        answer,
        scorer.strategies[row],
        probability if answer else 1 - probability,
        float(scorer.proof_probability[row]),
    )


def _stand_in(proved: Proved) -> Guess:
    """The answer of a system that has no guess of its own."""
    heard, given = proved.heard, proved.prediction
    return Guess(heard.text, heard.reading, given.answer, given.strategy, given.confidence, None)
