"""What a system says of a problem, and how far it was checked. Knows no system and no checker."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ibr.proof import Graph, edges_to_json, nodes_to_json
from ibr.theory import FineStrategy, Strategy


class Source(StrEnum):
    """Whose proof it is."""

    MODEL = "model"
    CHECKED = "model+checked"  # the best of the model's proofs that the verifier accepts
    SOLVER = "solver"


class Status(StrEnum):
    """What the verifier says of a proof."""

    VALID = "valid"
    INVALID = "invalid"
    UNREADABLE = "unreadable"  # a sentence that matters cannot be read, so nobody knows


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a Reasoner says of one Problem. `None` means that it makes no such claim.

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

    def to_json(self) -> dict[str, Any]:
        """The line that `ibr predict` writes."""
        graph = self.graph
        return {
            "id": self.id,
            "answer": self.answer,
            "strategy": self.strategy,
            "nodes": None if graph is None else nodes_to_json(graph.nodes),
            "edges": None if graph is None else edges_to_json(graph.edges),
            "depth": self.depth,
            "unreadable": list(self.unreadable),
            "reasoner": self.reasoner,
            "source": self.source,
            "checked": self.checked,
            "confidence": None if self.confidence is None else round(self.confidence, 4),
        }
