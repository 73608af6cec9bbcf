"""Problems in, predictions out, for any model: problems that share a theory share its encoding.

Ordinary English is given as a model learned to read it (`ibr.resaid`); what is found cites the
sentences as they were written. The k best proofs are searched by beams; the best is the prediction.
With `trace` the prediction also tells what every step weighed; `proving` lets it be watched
(`ibr.watching`). What encodes and scores is a subclass's: torch in `ibr.model.reasoner`,
onnxruntime in `ibr.runtime`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from ibr.arrays import Asked, pad
from ibr.kinds import kind_of
from ibr.logic.language import readings_of
from ibr.logic.reading import Reading
from ibr.prediction import Prediction, Source
from ibr.resaid import Given, as_written, said_again
from ibr.scoring import EncodedScorer
from ibr.search import Found, Front, Scorer, growing
from ibr.theory import Kind, Problem, Question, Sentence, Strategy, Theory
from ibr.trace import trace_to_json

Wrap = Callable[[Sequence[Problem], Scorer], Scorer]
_ALIKE: Final = 4  # sentences by which theories of one batch may differ, less one


@dataclass(frozen=True, slots=True)
class Traced(Prediction):
    """A prediction, its probabilities, and the proofs that were found, best first."""

    probability: float = 0.0  # of the answer "true", calibrated
    proof_probability: float = 0.0  # of the strategy "proof"
    found: tuple[Found, ...] = ()
    sentence: tuple[int, ...] = ()  # of each reading, which the columns of the trace count
    chosen: int | None = 0  # of the proofs found; None: the proof is not one of them

    def to_json(self) -> dict[str, Any]:
        return Prediction.to_json(self) | {
            "probability": round(self.probability, 6),
            "proof_probability": round(self.proof_probability, 6),
            "chosen": self.chosen,
            "proofs": [trace_to_json(found, self.sentence) for found in self.found],
        }


@dataclass(frozen=True, slots=True)
class Moment:
    """A batch of problems while it is worked on. `front` is None when it has just been encoded, and

    then the scorer knows its answers; the last moment has the predictions.
    """

    problems: Sequence[int]  # which problem each row is
    scorer: EncodedScorer
    front: Front | None = None
    predictions: dict[int, Prediction] = field(default_factory=dict)  # by problem


class SearchingReasoner(ABC):
    """`wrap` may replace the model's scorer, e.g. by an oracle (`ibr.model.oracle`)."""

    max_steps: int | None = None  # nodes of a proof; None: as many as the search itself allows
    says_again: bool = True  # for models whose words are anonymous

    def __init__(
        self,
        name: str = "ibr",
        beams: int = 8,
        questions: int = 64,
        trace: bool = False,
        wrap: Wrap | None = None,
        temperature: float = 1.0,
        patience: float = 0.0,
    ) -> None:
        self.name, self.temperature, self.patience = name, temperature, patience
        self.beams, self.questions, self.trace, self.wrap = beams, questions, trace, wrap

    @abstractmethod
    def scorer(self, asked: Sequence[Asked]) -> EncodedScorer:
        """Encodes these theories and questions; rows are the questions in this order."""

    def prove(self, problems: Sequence[Problem]) -> list[Prediction]:
        predictions: dict[int, Prediction] = {}
        for moment in self.proving(problems):
            predictions |= moment.predictions
        return [predictions[index] for index in range(len(problems))]

    def proving(self, problems: Sequence[Problem]) -> Iterator[Moment]:
        """`prove`, moment by moment: whoever takes them decides when it goes on."""
        asked = [self._asked(problem) for problem in problems]
        for part in self._parts(asked):
            order = [index for _, indices in part for index in indices]
            groups = [
                Asked(given.theory, [asked[index][1] for index in indices])
                for given, indices in part
            ]
            backs = [given.back for given, indices in part for _ in indices]
            yield from self._searched(problems, order, groups, backs)

    def _asked(self, problem: Problem) -> tuple[Given, Question]:
        theory = with_kinds(problem.theory)
        if self.says_again:
            return said_again(theory, problem.question)
        return as_written(theory), problem.question

    def _parts(
        self, asked: Sequence[tuple[Given, Question]]
    ) -> Iterator[list[tuple[Given, list[int]]]]:
        """Batches of at most so many questions; a theory may go on in the next one.

        Only theories of about one size meet: to pad a short one to a long one takes a third more
        time than both alone. And what is given as it was written and what is not never meet: what
        is computed together must not depend on which other questions are asked.
        """
        groups: dict[tuple[bool, int], dict[Given, list[int]]] = {}
        for index, (given, _) in enumerate(asked):
            alike = given.is_as_written, len(given.theory) // _ALIKE
            groups.setdefault(alike, {}).setdefault(given, []).append(index)
        for by_theory in groups.values():
            part: list[tuple[Given, list[int]]] = []
            room = self.questions
            for given, indices in by_theory.items():
                while indices:
                    part.append((given, indices[:room]))
                    indices, room = indices[room:], room - len(indices[:room])
                    if not room:
                        yield part
                        part, room = [], self.questions
            if part:
                yield part

    def _searched(
        self,
        problems: Sequence[Problem],
        order: list[int],
        groups: list[Asked],
        backs: list[tuple[int, ...]],
    ) -> Iterator[Moment]:
        own = self.scorer(groups)
        width = int(own.sentence.max(initial=0)) + 1
        own.sentence = np.take_along_axis(pad(backs, width), own.sentence, axis=1)
        moment = Moment(order, own)
        yield moment
        mine = [problems[index] for index in order]
        scorer: Scorer = self.wrap(mine, own) if self.wrap else own
        for front in growing(scorer, self.beams, self.max_steps):
            moment = Moment(order, own, front)
            yield moment
        assert moment.front is not None
        predictions = {
            order[row]: self._prediction(mine[row], own, row, patient(proofs, self.patience))
            for row, proofs in enumerate(moment.front.best(self.beams))
        }
        yield replace(moment, predictions=predictions)

    def _prediction(
        self, problem: Problem, scorer: EncodedScorer, row: int, found: list[Found]
    ) -> Prediction:
        best = found[0]
        answer = bool(scorer.answers[row] > 0.5)
        probability = cooled(float(scorer.answers[row]), self.temperature)
        plain = Prediction(
            id=problem.id,
            answer=answer,
            reasoner=self.name,
            strategy=best.path.strategy,
            graph=best.graph,
            source=Source.MODEL,
            confidence=probability if answer else 1 - probability,
        )
        if not self.trace:
            return plain
        return Traced(
            **{name: getattr(plain, name) for name in Prediction.__dataclass_fields__},
            probability=probability,
            proof_probability=float(scorer.proof_probability[row]),
            found=tuple(found),
            sentence=tuple(scorer.sentence[row].tolist()),
        )


def patient(found: Sequence[Found], patience: float) -> list[Found]:
    """Longer failures before shorter ones that are not much likelier; proofs keep their places.

    A model is shown few long chains, so that it ends them too early.
    """
    failures = [one for one in found if one.path.strategy is Strategy.FAIL_PROOF]
    failures.sort(key=lambda one: -one.score - patience * len(one.path.steps))
    ranked = iter(failures)
    return [next(ranked) if one.path.strategy is Strategy.FAIL_PROOF else one for one in found]


def cooled(probability: float, temperature: float) -> float:
    """The probability whose logit is that of the given one divided by the temperature."""
    if not 0 < probability < 1:
        return probability
    logit = (math.log(probability) - math.log1p(-probability)) / temperature
    odds = math.exp(-abs(logit))  # of the less likely side: it cannot overflow
    return (1 if logit > 0 else odds) / (1 + odds)


def with_kinds(theory: Theory) -> Theory:
    """Facts and rules told apart where nobody said which they are: by the parser, else by a guess.

    So no kind is UNKNOWN; what the parser takes for a remark is one.
    """
    if all(sentence.kind is not Kind.UNKNOWN for sentence in theory):
        return theory
    pairs = zip(theory, readings_of(theory), strict=True)
    sentences = tuple(Sentence(s.text, _kind(s, reading)) for s, reading in pairs)
    return replace(theory, sentences=sentences)


def _kind(sentence: Sentence, reading: Reading) -> Kind:
    if sentence.kind is not Kind.UNKNOWN:
        return sentence.kind
    return reading.kind if reading.readable else kind_of(sentence.text)
