"""Problems in, predictions out, for any model: problems that share a theory share its encoding.

Ordinary English is given as a model learned to read it (`ibr.inputs.normalise`); proofs cite the
sentences as they were written. What encodes and scores is a subclass's: torch in
`ibr.model.trained`, onnxruntime in `ibr.decoding.runtime`.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from ibr.decoding.events import trace_to_json
from ibr.decoding.scoring import EncodedScorer, SearchProgress
from ibr.decoding.search import ScoredPath, Scorer, growing
from ibr.errors import LimitError
from ibr.inputs.arrays import Asked, pad
from ibr.inputs.model_words import ModelWords, default_words
from ibr.inputs.normalise import NormalisedTheory, prepare
from ibr.model.config import IBRConfig
from ibr.prediction import Prediction, Source
from ibr.reasoner import Unanswerable
from ibr.theory import Problem, Question, Strategy, Theory

Prepared = tuple[NormalisedTheory, Question]
Part = list[tuple[NormalisedTheory, list[int]]]  # theories of a batch, each with its problems
Wrap = Callable[[Sequence[Problem], Scorer], Scorer]
MAX_SENTENCES: Final = 500  # memory grows with their square: about 2 GB
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


class SearchingReasoner(ABC):
    """Searches with `beams`; with `trace` a prediction is `Traced`.

    `wrap` may replace the model's scorer, e.g. by an oracle (`ibr.evaluation.oracle`).
    """

    max_steps: int | None = None  # nodes of a proof; None: as many as the search itself allows
    max_words: int | None = None  # of the rules: time and memory grow with their square
    questions: int = 64  # of a batch, at most

    def __init__(
        self,
        name: str = "ibr",
        beams: int = 8,
        trace: bool = False,
        wrap: Wrap | None = None,
        config: IBRConfig | None = None,
        words: ModelWords | None = None,
    ) -> None:
        self.name, self.beams, self.trace, self.wrap = name, beams, trace, wrap
        self.config, self.words = config or IBRConfig(), words or default_words()
        self.normalises = self.config.compact is not None  # other encoders know many words

    @abstractmethod
    def scorer(self, asked: Sequence[Asked]) -> EncodedScorer:
        """Encodes these theories and questions; rows are the questions in this order."""

    def prove(self, problems: Sequence[Problem]) -> list[Prediction]:
        predictions: dict[int, Prediction] = {}
        for progress in self.proving(problems):
            predictions |= progress.predictions
        return [predictions[index] for index in range(len(problems))]

    def proving(self, problems: Sequence[Problem]) -> Iterator[SearchProgress]:
        """`prove` step by step: the search goes on when the next state is asked for.

        Raises Unanswerable for a theory of more than MAX_SENTENCES.
        """
        for problem in problems:
            if (count := len(problem.theory)) > MAX_SENTENCES:
                why = f"{count:,}; a model takes at most {MAX_SENTENCES:,}: use the solver"
                raise Unanswerable(problem, "sentences", why)
        prepared = [prepare(problem, self.words, self.normalises) for problem in problems]
        for part in _parts(prepared, self.questions, self.max_words):
            order = [index for _, indices in part for index in indices]
            groups = [
                Asked(given.theory, [prepared[index][1] for index in indices])
                for given, indices in part
            ]
            own = self.scorer(groups)
            sources = [given.source for given, indices in part for _ in indices]
            width = int(own.sentence.max(initial=0)) + 1
            own.sentence = np.take_along_axis(pad(sources, width), own.sentence, axis=1)
            yield SearchProgress(order, own)
            mine = [problems[index] for index in order]
            scorer: Scorer = self.wrap(mine, own) if self.wrap else own
            for state in growing(scorer, self.beams, self.max_steps):
                yield SearchProgress(order, own, state)
            rows = enumerate(state.best(self.beams))
            found = {order[row]: self._prediction(mine[row], own, row, f) for row, f in rows}
            yield SearchProgress(order, own, state, found)

    def guess(self, problem: Problem, scorer: EncodedScorer, row: int) -> Prediction:
        """What is known once the theory is encoded: answer, strategy and confidence, no proof."""
        answer, probability = bool(scorer.answers[row] > 0.5), self._probability(scorer, row)
        return Prediction(
            id=problem.id,
            answer=answer,
            reasoner=self.name,
            strategy=scorer.strategies[row],
            source=Source.MODEL,
            confidence=probability if answer else 1 - probability,
        )

    def _prediction(
        self, problem: Problem, scorer: EncodedScorer, row: int, found: Sequence[ScoredPath]
    ) -> Prediction:
        found = with_length_bonus(found, self.config.fail_length_bonus)
        plain = replace(
            self.guess(problem, scorer, row), strategy=found[0].path.strategy, graph=found[0].graph
        )
        if not self.trace:
            return plain
        return Traced(
            **{name: getattr(plain, name) for name in Prediction.__dataclass_fields__},
            probability=self._probability(scorer, row),
            proof_probability=float(scorer.proof_probability[row]),
            found=tuple(found),
            sentence=tuple(scorer.sentence[row].tolist()),
        )

    def _probability(self, scorer: EncodedScorer, row: int) -> float:
        return cooled(float(scorer.answers[row]), self.config.temperature)


def _words(theory: Theory) -> int:
    return 1 + sum(len(sentence.text.split()) for sentence in theory)


def _parts(prepared: Sequence[Prepared], most: int, max_words: int | None = None) -> Iterator[Part]:
    """Batches of at most so many questions; a theory may go on in the next one. Raises TooLong.

    With `max_words`, a batch takes no more memory than one theory of so many words.

    Only theories of about one size share a batch: to pad a short one to a long one takes a third
    more time than both alone. Nor do theories as written and rewritten ones: what is computed
    together must not depend on which other questions are asked.
    """
    groups: dict[tuple[bool, int], dict[NormalisedTheory, list[int]]] = {}
    for index, (given, _) in enumerate(prepared):
        if max_words is not None and (found := _words(given.theory)) > max_words:
            raise TooLong(f"{found:,} words for the model; at most {max_words:,}")
        alike = given.is_as_written, len(given.theory) // _ALIKE
        groups.setdefault(alike, {}).setdefault(given, []).append(index)
    for by_theory in groups.values():
        part: Part = []
        whole = math.inf if max_words is None else max_words**2
        free, room = most, whole
        for given, indices in by_theory.items():
            length = _words(given.theory)
            while indices:
                fit = int(min(free, (room / length - length) / _QUESTION))
                if part and fit < 1:
                    yield part
                    part, free, room = [], most, whole
                    continue
                taken, indices = indices[: max(1, fit)], indices[max(1, fit) :]
                part.append((given, taken))
                free, room = free - len(taken), room - length * (length + _QUESTION * len(taken))
        if part:
            yield part


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
