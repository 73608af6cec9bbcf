"""How one sentence was read: its clauses, or the reason why it could not be.

Made by `templates` and `english`, given out by `language`; reads nothing itself.
"""

from dataclasses import dataclass
from enum import StrEnum

from ibr.errors import InputError
from ibr.logic.clause import Clause
from ibr.theory import Kind


class Form(StrEnum):
    """The three ways in which RuleTaker writes a rule about one variable."""

    IF = "if"  # If someone is big then they are kind.
    ALL = "all"  # All big people are kind.
    BARE = "bare"  # Big people are kind.


class Style(StrEnum):
    """How a theory words its variable: someone/they/people or something/it/things."""

    PERSON = "person"
    THING = "thing"


@dataclass(frozen=True, slots=True)
class Phrasing:
    """The choices of wording that the logic of a template sentence does not hold."""

    form: Form = Form.IF
    style: Style = Style.PERSON


@dataclass(frozen=True, slots=True)
class Reading:
    """`clauses` if readable, and `others` if it can be read otherwise too; else the `reason`.

    `exact`: read by a template, word for word.
    """

    text: str
    kind: Kind
    clauses: tuple[Clause, ...] = ()
    phrasing: Phrasing | None = None
    reason: str | None = None
    exact: bool = True
    others: tuple[tuple[Clause, ...], ...] = ()

    @property
    def readable(self) -> bool:
        return self.kind is not Kind.UNKNOWN


class ReadError(InputError):
    """A question (or a sentence that must be read) has no reading."""

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(f"cannot read {text!r}: {reason}")
        self.text, self.reason = text, reason
