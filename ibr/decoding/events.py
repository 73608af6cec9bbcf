"""A search for people and programs: the model's own answer, its steps, and what they weighed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import takewhile
from operator import eq, is_
from typing import Any, Final

from ibr.decoding.scoring import SearchProgress
from ibr.decoding.search import ScoredPath, StepTrace
from ibr.prediction import Prediction
from ibr.proof import END, NAF, graph_to_json, node_to_json
from ibr.theory import Strategy

_SHOWN: Final = 5  # parents and children of a step, the likeliest
_LEAST: Final = 1e-4  # of their probabilities


@dataclass(frozen=True, slots=True)
class Guess:
    """The model's own answer, known once the theory is encoded: before any proof, unchecked.

    `confidence` is the calibrated probability of this answer, `proof_probability` that of there
    being a proof; None where the system has no such number. `reading` is the question as it was
    understood, None if it could not be read.
    """

    question: str
    reading: str | None
    answer: bool
    strategy: Strategy | None
    confidence: float | None
    proof_probability: float | None

    @classmethod
    def of(
        cls, question: str, reading: str | None, prediction: Prediction, proof: float | None = None
    ) -> Guess:
        strategy, confidence = prediction.strategy, prediction.confidence
        return cls(question, reading, prediction.answer, strategy, confidence, proof)

    def to_json(self) -> dict[str, Any]:
        sure, proof = self.confidence, self.proof_probability
        return asdict(self) | {
            "confidence": None if sure is None else round(sure, 4),
            "proof_probability": None if proof is None else round(proof, 6),
        }


@dataclass(frozen=True, slots=True)
class Stepped:
    """One step of a path: under which position which node was put, and what else was weighed.

    `number` counts from 1. An event replaces the one of its number and all after it (`onto`): if
    there were such, another path leads now. A parent is a position on the path: 0 is the question,
    k the child of step k. A child is a sentence (from 0), "NAF" or "END". Both lists are
    (candidate, probability), likeliest first.
    """

    number: int
    parent: int
    child: int | str
    parents: tuple[tuple[int, float], ...]
    children: tuple[tuple[int | str, float], ...]

    @classmethod
    def of(cls, found: ScoredPath, number: int, sentence: Sequence[int]) -> Stepped:
        """`sentence` is the sentence of each reading: those of one sentence are added up."""
        step, trace = found.path.steps[number - 1], found.trace[number - 1]
        parents = _likeliest(dict(enumerate(trace.parents.tolist())))
        children = {_name(node): p for node, p in by_node(trace, sentence).items()}
        return cls(number, step.parent, _name(step.child), parents, _likeliest(children))

    def onto(self, path: Sequence[Stepped]) -> list[Stepped]:
        """The path after this event."""
        return [*path[: self.number - 1], self]

    def to_json(self) -> dict[str, Any]:
        lists = {name: list(map(list, getattr(self, name))) for name in ("parents", "children")}
        return {"number": self.number, "parent": self.parent, "child": self.child, **lists}


def steps_of(found: ScoredPath, sentence: Sequence[int]) -> tuple[Stepped, ...]:
    return tuple(Stepped.of(found, k, sentence) for k in range(1, len(found.trace) + 1))


def trace_to_json(found: ScoredPath, sentence: Sequence[int]) -> dict[str, Any]:
    """A path with its score, graph and steps; the place in the list is the number of a step."""
    steps = [step.to_json() for step in steps_of(found, sentence)]
    return {
        "score": round(found.score, 6),
        **graph_to_json(found.graph),
        "steps": [{key: step[key] for key in step if key != "number"} for step in steps],
    }


def by_node(trace: StepTrace, sentence: Sequence[int]) -> dict[int, float]:
    """The probability of each sentence (all its readings), of NAF and of END as the child."""
    summed: dict[int, float] = {}
    for node, probability in zip((*sentence, NAF, END), trace.children.tolist(), strict=True):
        summed[node] = summed.get(node, 0.0) + probability
    return summed


def _name(node: int) -> int | str:
    return "END" if node == END else node_to_json(node)


def _likeliest(weights: Mapping[Any, float]) -> tuple[tuple[Any, float], ...]:
    ranked = sorted(weights.items(), key=lambda item: -item[1])[:_SHOWN]
    return tuple((name, round(weight, 4)) for name, weight in ranked if weight >= _LEAST)


class Watcher:
    """Turns search states into events: the steps of the leading path of each problem.

    Another path may take the lead, and the proof that is given in the end may never have led.
    Changes no search.
    """

    def __init__(self) -> None:
        self._events: dict[int, list[Stepped]] = {}
        self._traces: dict[int, Sequence[StepTrace]] = {}  # which the events were made of

    def steps(self, progress: SearchProgress) -> Iterator[tuple[int, Stepped]]:
        """(problem, event) for each new step of a leading path."""
        for row, lead in progress.state.leads().items() if progress.state else ():
            problem = progress.problems[row]
            for step in self._new(problem, lead, progress.scorer.sentence[row].tolist()):
                yield problem, step

    def rest(self, problem: int, trace: Sequence[Stepped]) -> Iterator[Stepped]:
        """The events that are still missing if `trace` is the path of the proof given."""
        yield from trace[_common(self._events.get(problem, []), trace, eq) :]

    def _new(self, problem: int, lead: ScoredPath, sentence: Sequence[int]) -> Iterator[Stepped]:
        """Paths share the trace objects of the steps that they have in common."""
        events = self._events.setdefault(problem, [])
        same = _common(self._traces.get(problem, ()), lead.trace, is_)
        self._traces[problem] = lead.trace
        del events[same:]
        for number in range(same + 1, len(lead.trace) + 1):
            events.append(Stepped.of(lead, number, sentence))
            yield events[-1]


def _common(some: Sequence[Any], others: Sequence[Any], same: Callable[[Any, Any], bool]) -> int:
    """The length of the common beginning."""
    pairs = zip(some, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: same(*pair), pairs))
