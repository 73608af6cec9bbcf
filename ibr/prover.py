"""The Python door: rules in plain English and questions in, checked proofs out.

    prover = ibr.load()
    proved = prover.prove("Bob is big. Big people are kind.", "Bob is kind.")
    proved.answer, proved.checked, proved.explain(), proved.to_svg()

It puts rulebook, model and checker together and decides nothing itself. Not for many threads at
once: give each its own `Prover`, or one queue (as `ibr.serving` does).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from itertools import islice
from typing import Any, overload

from ibr.arrays import Asked
from ibr.events import Guess, Stepped
from ibr.heard import Heard, hear
from ibr.proved import Proved, judged, problems_of
from ibr.proving import SearchingReasoner, Wrap, cooled, with_kinds
from ibr.reasoner import Reasoner, get_reasoner
from ibr.rulebook import Rulebook
from ibr.scoring import EncodedScorer
from ibr.search import Scorer
from ibr.theory import Problem
from ibr.verified import VerifiedReasoner

Rules = str | Rulebook
Several = list[str] | tuple[str, ...]
Told = Guess | Stepped | Proved
OnGuess = Callable[[int, int, Guess], None]  # which rulebook, which question of it, the guess


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

        The guess comes when the theory is encoded, before the search begins. The steps are those of
        the proof that is given (else of the model's best), so they are told when the search has
        ended; a search that can be watched may tell them earlier, in the same form. A system
        without a model has no guess of its own: its answer stands in, and there are no steps.
        """
        return self.ask(rules).steps(question, beams)

    def prove_many(
        self,
        asked: Sequence[tuple[Rulebook, Sequence[str]]],
        beams: int | None = None,
        on_guess: OnGuess | None = None,
    ) -> list[list[Proved]]:
        """Questions to several rulebooks, encoded and searched together."""
        heard = [[hear(text) for text in questions] for _, questions in asked]
        parts = [problems_of(book, some) for (book, _), some in zip(asked, heard, strict=True)]
        reasoner = self._reasoner
        if isinstance(reasoner, SearchingReasoner):
            model = self._model(reasoner, beams)
            if on_guess:
                model.wrap = _telling(model, parts, heard, on_guess)
            reasoner = self._checked(model)
        given = iter(reasoner.prove([problem for part in parts for problem in part]))
        found = [
            judged(book, some, list(islice(given, len(some))))
            for (book, _), some in zip(asked, heard, strict=True)
        ]
        if on_guess and not isinstance(self._reasoner, SearchingReasoner):
            for place, some_proved in enumerate(found):
                for number, proved in enumerate(some_proved):
                    on_guess(place, number, _stand_in(proved))
        return found

    def told(self, book: Rulebook, question: str, beams: int | None = None) -> Iterator[Told]:
        """`steps`, for a rulebook that was read."""
        heard = [hear(question)]
        problems = problems_of(book, heard)
        reasoner = self._reasoner
        if isinstance(reasoner, SearchingReasoner):
            model = _Encoded(self._model(reasoner, beams), problems[0])
            yield _guess(heard[0], model.own, 0, model.temperature)
            (proved,) = judged(book, heard, self._checked(model).prove(problems))
        else:
            (proved,) = judged(book, heard, reasoner.prove(problems))
            yield _stand_in(proved)
        yield from proved.trace
        yield proved

    def _model(self, model: SearchingReasoner, beams: int | None) -> SearchingReasoner:
        """The same weights with other settings."""
        mine = copy(model)
        mine.trace, mine.beams = True, beams or model.beams
        mine.max_steps = self.max_steps or model.max_steps
        return mine

    def _checked(self, model: SearchingReasoner) -> Reasoner:
        return VerifiedReasoner(model, trace=True) if self._verify else model


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
        return self._prover.told(self.book, question, beams)


class _Encoded(SearchingReasoner):
    """A model that has encoded its one problem already, so that its answer is known."""

    def __init__(self, model: SearchingReasoner, problem: Problem) -> None:
        vars(self).update(vars(model))
        self.own = model.scorer([Asked(with_kinds(problem.theory), [problem.question])])

    def scorer(self, asked: Sequence[Asked]) -> EncodedScorer:
        return self.own


def _telling(
    model: SearchingReasoner,
    parts: Sequence[Sequence[Problem]],
    heard: Sequence[Sequence[Heard]],
    on_guess: OnGuess,
) -> Wrap:
    """Tells the guess of every problem of a batch, between its encoding and its search."""
    places = {
        id(problem): (place, number)
        for place, part in enumerate(parts)
        for number, problem in enumerate(part)
    }
    inner, temperature = model.wrap, model.temperature

    def wrap(problems: Sequence[Problem], scorer: Scorer) -> Scorer:
        assert isinstance(scorer, EncodedScorer)
        for row, problem in enumerate(problems):
            place, number = places[id(problem)]
            on_guess(place, number, _guess(heard[place][number], scorer, row, temperature))
        return inner(problems, scorer) if inner else scorer

    return wrap


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
