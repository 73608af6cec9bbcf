"""A question to a rulebook as it was asked, and how it was understood, if it was."""

from __future__ import annotations

from dataclasses import dataclass

from ibr.logic.clause import Literal
from ibr.logic.language import read_question, say
from ibr.logic.reading import ReadError


@dataclass(frozen=True, slots=True)
class Heard:
    """A question as it was asked; `literal` is None where it has no reading, `trouble` says why."""

    text: str
    literal: Literal | None
    trouble: str = ""

    @property
    def reading(self) -> str | None:
        """As it was understood, in canonical English."""
        return None if self.literal is None else say(self.literal)

    @property
    def statement(self) -> str:
        """What a model is asked: models learn from statements, so "Is Bob big?" becomes one."""
        is_asking = self.literal is not None and self.text.rstrip().endswith("?")
        return say(self.literal) if is_asking and self.literal else self.text


def hear(text: str) -> Heard:
    """Raises ReadError only for an empty one."""
    if not text.strip():
        raise ReadError(text, "a question must have text")
    try:
        return Heard(text, read_question(text))
    except ReadError as error:
        hint = f"; try: {error.rewrite}" if error.rewrite else ""
        return Heard(text, None, f"The question cannot be read ({error.reason}){hint}")
