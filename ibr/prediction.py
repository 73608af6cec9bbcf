"""What a system predicts for a problem, and the status of its check. Knows no system."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ibr.proof import Graph, graph_to_json
from ibr.theory import FineStrategy, Strategy


class Source(StrEnum):
    """Where a proof comes from."""

    MODEL = "model"
    CHECKED = "model+checked"  # the best of the model's proofs that the verifier accepts
    SOLVER = "solver"


class Status(StrEnum):
    """What the verifier finds of a proof."""

    VALID = "valid"
    INVALID = "invalid"
    UNREADABLE = "unreadable"  # a sentence that matters cannot be read


class Side(StrEnum):
    """What a valid proof shows, by itself: another may show the opposite."""

    STATEMENT = "statement"  # the question, as it is asked
    NEGATION = "negation"
    NEITHER = "neither"  # a fail-proof: neither of them can be proved


class Verdict(StrEnum):
    """What is known of a statement once a proof has been checked."""

    YES = "yes"  # it is proved
    NO = "no"  # its negation is proved
    NOT_SHOWN = "not shown"  # neither is, and that is certain
    CONTRADICTORY = "contradictory"  # both are
    CANNOT_SAY = "cannot say"  # something stands in the way; a system can only guess

    @property
    def heading(self) -> str:
        """As people read it."""
        return _HEADINGS[self]


_HEADINGS = {
    Verdict.YES: "Yes",
    Verdict.NO: "No, the rules forbid it",
    Verdict.NOT_SHOWN: "Not shown",
    Verdict.CONTRADICTORY: "The rules contradict each other",
    Verdict.CANNOT_SAY: "Cannot say",
}


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a Reasoner predicts for one Problem. `None` means that it makes no such claim.

    `graph` is None for systems that only answer. `unreadable` lists sentences whose meaning the
    reasoner could not use. `confidence` is a model's probability of this answer, calibrated, before
    any check.
    """

    id: str
    answer: bool
    reasoner: str
    strategy: Strategy | None = None
    graph: Graph | None = None
    depth: int | None = None
    length: int | None = None
    fine_strategy: FineStrategy | None = None
    unreadable: tuple[int, ...] = field(default=())
    source: Source | None = None
    checked: Status | None = None
    confidence: float | None = field(default=None, compare=False)  # its last digits vary

    @property
    def guess(self) -> tuple[bool, float] | None:
        """The model's own answer, whatever a check made of it, and its probability."""
        if self.confidence is None:
            return None
        likely = self.confidence >= 0.5
        return self.answer == likely, self.confidence if likely else 1 - self.confidence

    def to_json(self) -> dict[str, Any]:
        """The line that `ibr predict` writes."""
        no_graph = dict.fromkeys(("nodes", "edges"))
        return {
            "id": self.id,
            "answer": self.answer,
            "strategy": self.strategy,
            **(no_graph if self.graph is None else graph_to_json(self.graph)),
            "depth": self.depth,
            "unreadable": list(self.unreadable),
            "reasoner": self.reasoner,
            "source": self.source,
            "checked": self.checked,
            "confidence": None if self.confidence is None else round(self.confidence, 4),
        }


@dataclass(frozen=True, slots=True)
class NoAnswer(Prediction):
    """What stands in place of an answer where the reasoner cannot take the problem."""

    why: str = ""

    def to_json(self) -> dict[str, Any]:
        none = {"answer": None, "verdict": Verdict.CANNOT_SAY, "why": self.why}
        return Prediction.to_json(self) | none
