"""A rulebook: a person's own text, its sentences with their lines, and how each was read.

What `read`, `solve`, `explain` and `check` start from. It reads; it does not reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ibr.logic.clause import Program
from ibr.logic.language import program_of, readings_of, say_clause, theory_from_text
from ibr.logic.reading import Reading
from ibr.logic.segment import segment
from ibr.theory import Kind, Theory


@dataclass(frozen=True, slots=True)
class Entry:
    """One sentence of a rulebook; `index` counts from 0, `line` from 1."""

    index: int
    line: int
    reading: Reading

    @property
    def said(self) -> str | None:
        """The reading in canonical English; None for a remark or an unreadable sentence."""
        return " ".join(map(say_clause, self.reading.clauses)) or None

    @property
    def trouble(self) -> str:
        """`line 4: cannot read "..." (why); try: ...`"""
        reading = self.reading
        hint = f"; try: {reading.rewrite}" if reading.rewrite else ""
        return f'line {self.line}: cannot read "{reading.text}" ({reading.reason}){hint}'

    def to_json(self) -> dict[str, Any]:
        reading = self.reading
        return {
            "index": self.index,
            "line": self.line,
            "text": reading.text,
            "kind": reading.kind,
            "reading": self.said,
            "reason": reading.reason,
            "rewrite": reading.rewrite,
        }


@dataclass(frozen=True, slots=True)
class Rulebook:
    theory: Theory
    entries: tuple[Entry, ...]

    @classmethod
    def parse(cls, text: str) -> Rulebook:
        theory = theory_from_text(text)
        lines = (part.line for part in segment(text))
        readings = readings_of(theory)
        return cls(
            theory,
            tuple(
                Entry(index, line, reading)
                for index, (line, reading) in enumerate(zip(lines, readings, strict=True))
            ),
        )

    @property
    def program(self) -> Program:
        return program_of(self.theory)

    @property
    def unreadable(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.reading.kind is Kind.UNKNOWN]
