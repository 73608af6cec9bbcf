"""Problems in, predictions out, for any model: problems that share a theory share its encoding.

Ordinary English is given as a model learned to read it (`ibr.inputs.normalise`); what is found
cites the sentences as they were written. The k best proofs are searched by beams; the best is the
prediction. With `trace` the prediction also has what every step weighed; `proving` lets it be
watched (`ibr.decoding.watching`). What encodes and scores is a subclass's: torch in
`ibr.model.trained`, onnxruntime in `ibr.decoding.runtime`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from ibr.decoding.scoring import EncodedScorer
from ibr.decoding.search import ScoredPath, Scorer, SearchState, growing
from ibr.decoding.trace import trace_to_json
from ibr.errors import LimitError
from ibr.inputs.arrays import Asked, pad
from ibr.inputs.kinds import KindClassifier
from ibr.inputs.model_words import ModelWords
from ibr.inputs.normalise import MAX_UNREAD, NormalisedTheory, as_written, normalise
from ibr.logic.language import readings_of
from ibr.prediction import Prediction, Source
from ibr.theory import Kind, Problem, Question, Sentence, Strategy, Theory

Wrap = Callable[[Sequence[Problem], Scorer], Scorer]
_QUESTION: Final = 16  # words of the rules that need as much memory as a question
_ALIKE: Final = 4  # sentences by which theories of one batch may differ, less one


class TooLong(LimitError):
    """The rules have more words than the model may read."""


@dataclass(frozen=True, slots=True)
class Traced(Prediction):
    """A prediction, its probabilities, and the proofs that were found, best first."""

    probability: float = 0.0  # of the answer "true", calibrated
    proof_probability: float = 0.0  # of the strategy "proof"
    found: tuple[ScoredPath, ...] = ()
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
class SearchProgress:
    """A batch of problems during the search. `state` is None right after encoding, when the scorer
    knows the answers; the last one has the predictions.
    """

    problems: Sequence[int]  # which problem each row is
    scorer: EncodedScorer
    state: SearchState | None = None
    predictions: dict[int, Prediction] = field(default_factory=dict)  # by problem


class SearchingReasoner(ABC):
    """`wrap` may replace the model's scorer, e.g. by an oracle (`ibr.evaluation.oracle`)."""

    max_steps: int | None = None  # nodes of a proof; None: as many as the search itself allows
    max_words: int | None = None  # of the rules: time and memory grow with their square
    normalises: bool = True  # for models whose words are anonymous
    words: ModelWords  # set by subclasses
    temperature: float = 1.0  # of the answer's logit, set by subclasses
    fail_length_bonus: float = 0.0  # set by subclasses
    questions: int = 64  # of a batch, at most

    def __init__(
        self, name: str = "ibr", beams: int = 8, trace: bool = False, wrap: Wrap | None = None
    ) -> None:
        self.name, self.beams, self.trace, self.wrap = name, beams, trace, wrap

    @abstractmethod
    def scorer(self, asked: Sequence[Asked]) -> EncodedScorer:
        """Encodes these theories and questions; rows are the questions in this order."""

    def prove(self, problems: Sequence[Problem]) -> list[Prediction]:
        predictions: dict[int, Prediction] = {}
        for progress in self.proving(problems):
            predictions |= progress.predictions
        return [predictions[index] for index in range(len(problems))]

    def proving(self, problems: Sequence[Problem]) -> Iterator[SearchProgress]:
        """`prove` step by step: the search goes on when the next state is asked for."""
        asked = [self._asked(problem) for problem in problems]
        for part in self._parts(asked):
            order = [index for _, indices in part for index in indices]
            groups = [
                Asked(given.theory, [asked[index][1] for index in indices])
                for given, indices in part
            ]
            backs = [given.source for given, indices in part for _ in indices]
            yield from self._searched(problems, order, groups, backs)

    def _asked(self, problem: Problem) -> tuple[NormalisedTheory, Question]:
        theory = with_kinds(problem.theory, self.words.kinds)
        if self.normalises:
            return normalise(theory, problem.question, self.words.known)
        return as_written(theory), problem.question

    def _parts(
        self, asked: Sequence[tuple[NormalisedTheory, Question]]
    ) -> Iterator[list[tuple[NormalisedTheory, list[int]]]]:
        """Batches of at most so many questions; a theory may go on in the next one.

        Only theories of about one size meet: to pad a short one to a long one takes a third more
        time than both alone. And what is given as it was written and what is not never meet: what
        is computed together must not depend on which other questions are asked.
        """
        groups: dict[tuple[bool, int], dict[NormalisedTheory, list[int]]] = {}
        for index, (given, _) in enumerate(asked):
            self._check_length(given.theory)
            alike = given.is_as_written, len(given.theory) // _ALIKE
            groups.setdefault(alike, {}).setdefault(given, []).append(index)
        for by_theory in groups.values():
            part: list[tuple[NormalisedTheory, list[int]]] = []
            free, room = self.questions, self._room
            for given, indices in by_theory.items():
                length = _words(given.theory)
                while indices:
                    fit = int(min(free, (room / length - length) / _QUESTION))
                    if part and fit < 1:
                        yield part
                        part, free, room = [], self.questions, self._room
                        continue
                    fit = max(1, fit)
                    part.append((given, indices[:fit]))
                    room -= length * (length + _QUESTION * len(indices[:fit]))
                    indices, free = indices[fit:], free - len(indices[:fit])
            if part:
                yield part

    @property
    def _room(self) -> float:
        """Of a batch: the square of the words that one theory may have."""
        return math.inf if self.max_words is None else self.max_words**2

    def _check_length(self, theory: Theory) -> None:
        if self.max_words is not None and _words(theory) > self.max_words:
            found, most = _words(theory), self.max_words
            raise TooLong(f"{found:,} words for the model; at most {most:,}")

    def _searched(
        self,
        problems: Sequence[Problem],
        order: list[int],
        groups: list[Asked],
        backs: list[tuple[int, ...]],
    ) -> Iterator[SearchProgress]:
        own = self.scorer(groups)
        width = int(own.sentence.max(initial=0)) + 1
        own.sentence = np.take_along_axis(pad(backs, width), own.sentence, axis=1)
        progress = SearchProgress(order, own)
        yield progress
        mine = [problems[index] for index in order]
        scorer: Scorer = self.wrap(mine, own) if self.wrap else own
        for state in growing(scorer, self.beams, self.max_steps):
            progress = SearchProgress(order, own, state)
            yield progress
        assert progress.state is not None
        predictions = {
            order[row]: self._prediction(
                mine[row], own, row, with_length_bonus(proofs, self.fail_length_bonus)
            )
            for row, proofs in enumerate(progress.state.best(self.beams))
        }
        yield replace(progress, predictions=predictions)

    def guess(self, problem: Problem, scorer: EncodedScorer, row: int) -> Prediction:
        """What is known once the theory is encoded: answer, strategy and confidence, no proof."""
        answer = bool(scorer.answers[row] > 0.5)
        probability = cooled(float(scorer.answers[row]), self.temperature)
        return Prediction(
            id=problem.id,
            answer=answer,
            reasoner=self.name,
            strategy=scorer.strategies[row],
            source=Source.MODEL,
            confidence=probability if answer else 1 - probability,
        )

    def _prediction(
        self, problem: Problem, scorer: EncodedScorer, row: int, found: list[ScoredPath]
    ) -> Prediction:
        best = found[0]
        plain = replace(
            self.guess(problem, scorer, row), strategy=best.path.strategy, graph=best.graph
        )
        if not self.trace:
            return plain
        return Traced(
            **{name: getattr(plain, name) for name in Prediction.__dataclass_fields__},
            probability=cooled(float(scorer.answers[row]), self.temperature),
            proof_probability=float(scorer.proof_probability[row]),
            found=tuple(found),
            sentence=tuple(scorer.sentence[row].tolist()),
        )


def _words(theory: Theory) -> int:
    return 1 + sum(len(sentence.text.split()) for sentence in theory)


def with_length_bonus(found: Sequence[ScoredPath], fail_length_bonus: float) -> list[ScoredPath]:
    """Longer failures before shorter ones that are not much likelier; proofs keep their places.

    A model is shown few long chains, so that it ends them too early.
    """
    failures = [one for one in found if one.path.strategy is Strategy.FAIL_PROOF]
    failures.sort(key=lambda one: -one.score - fail_length_bonus * len(one.path.steps))
    ranked = iter(failures)
    return [next(ranked) if one.path.strategy is Strategy.FAIL_PROOF else one for one in found]


def cooled(probability: float, temperature: float) -> float:
    """The probability whose logit is that of the given one divided by the temperature."""
    if not 0 < probability < 1:
        return probability
    logit = (math.log(probability) - math.log1p(-probability)) / temperature
    odds = math.exp(-abs(logit))  # of the less likely side: it cannot overflow
    return (1 if logit > 0 else odds) / (1 + odds)


def with_kinds(theory: Theory, kinds: KindClassifier) -> Theory:
    """Fill in unknown kinds of sentences: by the parser, else by a classifier.

    So no kind is UNKNOWN; what the parser takes for a remark is one. Of a text that is mostly
    unreadable, the parser's kind counts only for template sentences: it reads the rest of such
    a text too narrowly.
    """
    if all(sentence.kind is not Kind.UNKNOWN for sentence in theory):
        return theory
    readings = readings_of(theory)
    is_readable = sum(not r.readable for r in readings) <= MAX_UNREAD * len(theory)
    sentences = []
    for sentence, reading in zip(theory, readings, strict=True):
        kind = sentence.kind
        if kind is Kind.UNKNOWN:
            trusted = reading.exact or is_readable or reading.kind is Kind.REMARK
            by_parser = reading.readable and trusted
            kind = reading.kind if by_parser else kinds.kind_of(sentence.text)
        sentences.append(Sentence(sentence.text, kind))
    return replace(theory, sentences=tuple(sentences))
