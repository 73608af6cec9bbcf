"""The limits of the server, and the error for a request that is refused. Knows no web framework.

Each limit is a flag of `ibr serve` (`--max-sentences`) and a variable (`IBR_MAX_SENTENCES`).
"""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass, field, fields
from functools import partial
from typing import Any

ENVIRONMENT = "IBR_"
_TOLD = 20  # faults: an answer is not larger than what was asked


def _limit(default: Any, help: str, least: float = 1) -> Any:
    return field(default=default, metadata={"help": help, "least": least})


@dataclass(frozen=True, slots=True)
class ServerLimits:
    max_body_bytes: int = _limit(256 * 1024, "Bytes of a request; beyond: 413.")
    max_context_chars: int = _limit(20_000, "Characters of the rules; beyond: 422.")
    max_sentences: int = _limit(200, "Sentences of the rules; beyond: 422.")
    max_questions: int = _limit(64, "Questions of a request; beyond: 422.")
    max_question_chars: int = _limit(500, "Characters of a question; beyond: 422.")
    max_beams: int = _limit(8, "Paths in the model's beam; beyond: 422.")
    max_steps: int = _limit(64, "Nodes of a proof; the model's search stops there.")
    max_model_words: int = _limit(400, "Words that the model may read; beyond: the solver alone.")
    max_work: int = _limit(1_200_000, "Steps of analysis of the rules or a question; beyond: 422.")
    max_groundings: int = _limit(100_000, "Rules and facts about certain names; beyond: 422.")
    request_timeout_s: float = _limit(30.0, "From arrival to answer; beyond: 504.", least=0.01)
    max_queue: int = _limit(64, "Requests in the queue; beyond: 503.")
    max_wait_s: float = _limit(1.5, "Estimated wait in the queue; beyond: 503.", 0)
    max_batch: int = _limit(16, "Requests in one batch.")
    batch_wait_ms: float = _limit(5.0, "Time to collect a batch.", least=0)
    max_connections: int = _limit(512, "Open connections; beyond: the idlest is closed, or 503.")
    max_client_connections: int = _limit(128, "Open connections of one address; likewise.")
    max_header_bytes: int = _limit(16 * 1024, "Request line and headers; beyond: 431.", least=256)
    max_headers: int = _limit(64, "Headers of a request; beyond: 431.", least=2)
    max_pipelined: int = _limit(8, "Requests sent before an answer; beyond: closed.", least=0)
    header_timeout_s: float = _limit(
        10.0, "From the first byte to the last header; beyond: 408.", least=0.01
    )
    body_timeout_s: float = _limit(20.0, "For a body to arrive; beyond: 408.", least=0.01)
    idle_timeout_s: float = _limit(5.0, "Between requests, or before the first byte.", least=0.01)
    send_timeout_s: float = _limit(20.0, "In which a client reads none of its answer.", least=0.01)
    drain_s: float = _limit(35.0, "Time to finish accepted requests after SIGTERM.", least=0)

    def __post_init__(self) -> None:
        for each in fields(self):
            value, least = getattr(self, each.name), each.metadata["least"]
            if value < least:
                raise ValueError(f"{each.name} is {value}, but must be {least:g} or more")

    @property
    def max_nodes(self) -> int:
        """Of a proof to check: every sentence, and NAF."""
        return self.max_sentences + 1

    @property
    def max_edges(self) -> int:
        return self.max_nodes**2


@dataclass(frozen=True, slots=True)
class Fault:
    """One error in a request; `sentence` counts from 0, `line` from 1."""

    field: str
    message: str
    sentence: int | None = None
    line: int | None = None


class RequestError(Exception):
    """A request that is refused: the HTTP status and the faults."""

    def __init__(self, status: int, *faults: Fault, headers: dict[str, str] | None = None) -> None:
        super().__init__(status, *(fault.message for fault in faults[:_TOLD]))
        self.status, self.faults = status, faults[:_TOLD]
        self.headers = headers or ({"Retry-After": "1"} if status == 503 else {})

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(RequestError, headers=self.headers), (self.status, *self.faults)

    def to_json(self) -> dict[str, Any]:
        """The form of every error: `{"detail": [{"field", "message", "sentence", "line"}]}`."""
        return {"detail": [asdict(fault) for fault in self.faults]}


def queue_full() -> RequestError:
    """503: the queue is full."""
    message = "the queue is full or the server is stopping; try again later"
    return RequestError(503, Fault("queue", message))


def internal_error(error: Exception) -> RequestError:
    """A bug: the traceback is logged, only the type is sent."""
    logging.getLogger("uvicorn.error").error("internal error", exc_info=error)
    return RequestError(500, Fault("server", f"internal error: {type(error).__name__}"))


def check_counts(limits: ServerLimits, *counts: tuple[str, str, int, str]) -> None:
    """Raise a 422 that names each (field, things, count, limit) whose count is over its limit."""
    faults = [
        Fault(field, f"{count:,} {things}; at most {most:,} ({limit})")
        for field, things, count, limit in counts
        if count > (most := getattr(limits, limit))
    ]
    if faults:
        raise RequestError(422, *faults)
