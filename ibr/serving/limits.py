"""How much the server takes on: every limit by its name, with its default and what it is.

Each is a flag of `ibr serve` (`--max-sentences`) and a variable (`IBR_MAX_SENTENCES`). Who keeps
them is elsewhere: `guard`, `faults`, `worker`, `asking`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

ENVIRONMENT = "IBR_"


def _limit(default: Any, help: str, least: float = 1) -> Any:
    return field(default=default, metadata={"help": help, "least": least})


@dataclass(frozen=True, slots=True)
class Limits:
    max_body_bytes: int = _limit(256 * 1024, "Bytes of a request; beyond: 413.")
    max_context_chars: int = _limit(20_000, "Characters of the rules; beyond: 422.")
    max_sentences: int = _limit(200, "Sentences of the rules; beyond: 422.")
    max_questions: int = _limit(64, "Questions of a request; beyond: 422.")
    max_question_chars: int = _limit(500, "Characters of a question; beyond: 422.")
    max_beams: int = _limit(8, "Proofs that a model follows at once; beyond: 422.")
    max_steps: int = _limit(64, "Nodes of a proof; the model's search ends there.")
    request_timeout_s: float = _limit(30.0, "From arrival to answer; beyond: 504.", least=0.01)
    max_queue: int = _limit(64, "Requests that wait; beyond: 503.")
    max_wait_s: float = _limit(5.0, "As long as one may be expected to wait; beyond: 503.", 0)
    max_batch: int = _limit(16, "Requests that are answered together.")
    batch_wait_ms: float = _limit(5.0, "How long the first of them waits for others.", least=0)
    max_connections: int = _limit(512, "Open connections; beyond: 503.")
    drain_s: float = _limit(35.0, "How long work is finished after SIGTERM.", least=0)

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if value < each.metadata["least"]:
                raise ValueError(
                    f"{each.name} is {value}, but must be {each.metadata['least']:g} or more"
                )
