"""Yes, no or unknown: accuracy on the sets that systems report on, by answer, strategy and depth.

A prediction with a proof is yes or no; a fail-proof is unknown. Where a file has no third answer
and the world is closed, what is not shown is false. Where the file has proofs or an explanation, a
prediction is also right or wrong in the set of sentences that it cites: it is the set of one of
them, or not.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ibr.choices import Assumption
from ibr.data.formats.example import Reported
from ibr.evaluation.metrics import Tally
from ibr.prediction import NoAnswer, Prediction, Verdict
from ibr.proof import NAF
from ibr.theory import Strategy

GIVEN = (Verdict.YES, Verdict.NO, Verdict.NOT_SHOWN, Verdict.CANNOT_SAY)
NAMES = {Verdict.NOT_SHOWN: "unknown"}  # as the sets call it


@dataclass
class AnswerRow:
    """Some of the questions: how many answers are right, and what was answered."""

    answers: Tally = field(default_factory=Tally)
    cited: Tally = field(default_factory=Tally)
    given: Counter[Verdict] = field(default_factory=Counter)

    def to_json(self) -> dict[str, Any]:
        given = {name_of(verdict): self.given[verdict] for verdict in GIVEN}
        percents = {"accuracy": self.answers.percent, "cited": self.cited.percent}
        return {"count": self.answers.asked, **percents, "given": given}


@dataclass
class AnswerReport:
    """Rows by name. `three_way`: unknown is one of the answers."""

    world: Assumption = Assumption.CLOSED
    three_way: bool = False
    rows: dict[str, AnswerRow] = field(default_factory=dict)

    def add(self, example: Reported, prediction: Prediction) -> None:
        given = answer_of(prediction)
        closed = self.world is Assumption.CLOSED and not example.has_unknown
        if closed and given is Verdict.NOT_SHOWN:
            given = Verdict.YES if prediction.answer else Verdict.NO
        self.three_way |= example.has_unknown
        for name in _row_names(example):
            row = self.rows.setdefault(name, AnswerRow())
            row.answers = row.answers.plus(given is example.label, given in GIVEN[:3], 1)
            row.given[given] += 1
            if example.cited:
                right = _cited(prediction) in example.cited
                row.cited = row.cited.plus(right, prediction.graph is not None, 1)

    @property
    def ways(self) -> int:
        return 3 if self.three_way else 2

    @property
    def sorted_rows(self) -> list[tuple[str, AnswerRow]]:
        """All, by answer, by strategy, by depth."""
        order = ["all", *(f"answer {name_of(verdict)}" for verdict in GIVEN)]
        known = [name for name in order if name in self.rows]
        return [(name, self.rows[name]) for name in [*known, *sorted(self.rows.keys() - order)]]

    def to_json(self) -> dict[str, Any]:
        """{} if the file is not one of these sets."""
        rows = {name: row.to_json() for name, row in self.sorted_rows}
        return {"world": self.world, "ways": self.ways, "answers": rows} if rows else {}


def answer_of(prediction: Prediction) -> Verdict:
    if isinstance(prediction, NoAnswer):
        return Verdict.CANNOT_SAY
    if prediction.strategy is Strategy.FAIL_PROOF:
        return Verdict.NOT_SHOWN
    return Verdict.YES if prediction.answer else Verdict.NO


def name_of(verdict: Verdict) -> str:
    return NAMES.get(verdict, str(verdict))


def _row_names(example: Reported) -> Iterator[str]:
    """Without a strategy in the file, that of its answer: what is unknown has a fail-proof."""
    yield "all"
    yield f"answer {name_of(example.label)}"
    failing = example.label is Verdict.NOT_SHOWN
    known = Strategy.FAIL_PROOF if failing else Strategy.PROOF if example.has_unknown else None
    strategy = example.fine_strategy or known
    if strategy is not None:
        yield f"strategy {strategy}"
    if example.depth is not None:
        yield f"depth {example.depth}"


def _cited(prediction: Prediction) -> frozenset[int] | None:
    if prediction.graph is None or prediction.strategy is Strategy.FAIL_PROOF:
        return None
    return prediction.graph.nodes - {NAF}
