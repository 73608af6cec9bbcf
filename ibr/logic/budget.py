"""A budget of work: reading and reasoning count their steps and stop when it is used up.

    with Budget(steps=300_000, groundings=100_000):
        prover.prove(rules, question)  # may raise OutOfWork

Steps are counted, not timed, so a text needs the same budget on every machine; what is cached needs
less. A grounding is a rule or fact about certain names that is kept. Without a budget nothing is
bounded. A step takes about 4 µs, a grounding about 300 bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar, Token
from math import inf
from typing import Final

from ibr.errors import LimitError

_POLL: Final = 1_000  # steps between two calls of `poll`


class OutOfWork(LimitError):
    """`limit` is the name of the part of the budget that is used up."""

    def __init__(self, limit: str, most: float) -> None:
        super().__init__(f"it needs more than {most:,} {limit}")
        self.limit, self.most = limit, most


class Cancelled(LimitError):
    """Nobody waits for the result."""


class Budget:
    """Counts what is done inside its `with` block, which may be entered several times.

    `poll` is called now and then; it may wait, or raise Cancelled.
    """

    def __init__(
        self,
        steps: float = inf,
        groundings: float = inf,
        poll: Callable[[], object] = lambda: None,
    ) -> None:
        self.steps, self.groundings = steps, groundings
        self.used = self.kept = 0
        self._poll, self._next_poll = poll, _POLL
        self._token: Token[Budget | None] | None = None

    def __enter__(self) -> Budget:
        self._token = _current.set(self)
        return self

    def __exit__(self, *error: object) -> None:
        assert self._token is not None
        _current.reset(self._token)

    def spend(self, steps: int) -> None:
        self.used += steps
        if self.used > self.steps:
            raise OutOfWork("steps", self.steps)
        if self.used > self._next_poll:
            self._next_poll = self.used + _POLL
            self._poll()

    def keep(self, groundings: int) -> None:
        self.kept += groundings
        if self.kept > self.groundings:
            raise OutOfWork("groundings", self.groundings)


_current: ContextVar[Budget | None] = ContextVar("budget", default=None)


def spend(steps: int = 1) -> None:
    """Count steps. Raises OutOfWork if the budget is used up, Cancelled if nobody waits."""
    if (budget := _current.get()) is not None:
        budget.spend(steps)


def keep(groundings: int = 1) -> None:
    """Count groundings that stay in memory. Raises OutOfWork."""
    if (budget := _current.get()) is not None:
        budget.keep(groundings)
