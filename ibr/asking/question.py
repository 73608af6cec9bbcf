"""A question to a rulebook, parsed once: its text and the literal that it asks about."""

from __future__ import annotations

from dataclasses import dataclass

from ibr.logic.clause import Literal
from ibr.logic.language import logic_of, say
from ibr.logic.reading import ReadError
from ibr.theory import Theory


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """`literal` is None if the question cannot be read; `problem` is the reason."""

    text: str
    literal: Literal | None
    problem: str = ""

    @classmethod
    def parse(cls, text: str, theory: Theory) -> ParsedQuestion:
        """The theory decides what the words are. Raises ReadError only for an empty question."""
        if not text.strip():
            raise ReadError(text, "a question must have text")
        try:
            return cls(text, logic_of(theory, text).question)
        except ReadError as error:
            return cls(text, None, f"the question cannot be read ({error.reason})")

    @property
    def reading(self) -> str | None:
        """The literal in canonical English."""
        return None if self.literal is None else say(self.literal)

    @property
    def statement(self) -> str:
        """The input of a model, which is trained on statements: "Is Bob big?" becomes one."""
        if self.literal is not None and self.text.rstrip().endswith("?"):
            return say(self.literal)
        return self.text
