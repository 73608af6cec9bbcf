"""How one sentence was read: its clauses, or the reason why it could not be.

The noun that `templates` and `english` make and `language` hands out; it reads nothing itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ibr.logic.clause import Clause
from ibr.theory import Kind


class Form(StrEnum):
    """The three ways in which RuleTaker says a rule about one variable."""

    IF = "if"  # If someone is big then they are kind.
    ALL = "all"  # All big people are kind.
    BARE = "bare"  # Big people are kind.


class Style(StrEnum):
    """How a theory speaks of its variable: someone/they/people or something/it/things."""

    PERSON = "person"
    THING = "thing"


@dataclass(frozen=True, slots=True)
class Phrasing:
    """What the logic of a template sentence forgets and its text needs."""

    form: Form = Form.IF
    style: Style = Style.PERSON


@dataclass(frozen=True, slots=True)
class Reading:
    """`clauses` if readable; else `reason` and `rewrite`, the nearest sentence that is."""

    text: str
    kind: Kind
    clauses: tuple[Clause, ...] = ()
    phrasing: Phrasing | None = None
    reason: str | None = None
    rewrite: str | None = None

    @property
    def readable(self) -> bool:
        return self.kind is not Kind.UNKNOWN


class ReadError(ValueError):
    """A question (or a sentence that must be read) has no reading."""

    def __init__(self, text: str, reason: str, rewrite: str | None = None) -> None:
        hint = f"; try: {rewrite}" if rewrite else ""
        super().__init__(f"cannot read {text!r}: {reason}{hint}")
        self.text, self.reason, self.rewrite = text, reason, rewrite
