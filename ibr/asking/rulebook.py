"""A rulebook: its sentences with their lines, readings and solver; a question to it, parsed once;
what hinders a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from ibr.choices import Assumption
from ibr.drawing.text import plain
from ibr.errors import UsageError
from ibr.logic.checking.unmet import unmet
from ibr.logic.clause import Literal, Program, Sign
from ibr.logic.language import logic_of, program_of, read, readings_of, say, say_clause, theory_of
from ibr.logic.lazy import lazy
from ibr.logic.reading import ReadError, Reading
from ibr.logic.solving.solver import NotStratified, Solver
from ibr.logic.surface.phrases import phrase
from ibr.logic.surface.segment import Segment, comment_lines, segment
from ibr.theory import Kind, Theory

_NAMED = 8  # sentences that are named; of the others, that there are more


@dataclass(frozen=True, slots=True)
class Entry:
    """One sentence of a rulebook; `index` counts from 0, `line` from 1."""

    index: int
    line: int
    reading: Reading

    @property
    def canonical(self) -> str | None:
        """The reading in canonical English; None for a remark or an unreadable sentence."""
        return " ".join(map(say_clause, self.reading.clauses)) or None

    @property
    def others(self) -> list[str]:
        """The other ways to read it, if there are any."""
        return [" ".join(map(say_clause, clauses)) for clauses in self.reading.others]

    @property
    def choices(self) -> list[str]:
        """Its several readings, as sentences any of which may take its place."""
        several = [self.canonical, *self.others] if self.others else []
        return [wording for wording in several if wording and self.may_be(wording)]

    def may_be(self, wording: str) -> bool:
        """Whether this says what is meant: read by itself, it has this one meaning."""
        alone = [read(part.text) for part in segment(wording)]
        words = " ".join(say_clause(clause) for reading in alone for clause in reading.clauses)
        is_open = any(reading.others or not reading.readable for reading in alone)
        return words == wording != self.reading.text and not is_open and self._can_be_written

    @property
    def _can_be_written(self) -> bool:
        """Not what follows from an "or": that something is denied has no wording as a condition."""
        several = (self.reading.clauses, *self.reading.others)
        conditions = (lit for clauses in several for c in clauses for lit in c.body)
        return all(lit.sign is not Sign.NEGATIVE for lit in conditions)

    @property
    def problem(self) -> str:
        """`line 4: cannot read "..." (why)`"""
        return f'line {self.line}: cannot read "{self.reading.text}" ({self.reading.reason})'

    def to_json(self) -> dict[str, Any]:
        reading = self.reading
        return {
            "index": self.index,
            "line": self.line,
            "text": reading.text,
            "kind": reading.kind,
            "reading": self.canonical,
            "others": self.others,
            "choices": self.choices,
            "reason": reading.reason,
        }


@dataclass(frozen=True)
class Rulebook:
    """`asked`: the question that its program is for, as a question may use other words.

    `comments` are the lines with a `#` comment, which is not part of any sentence. In an open
    `world`, "not" in a condition has to be shown.
    """

    theory: Theory
    entries: tuple[Entry, ...]
    comments: tuple[int, ...] = ()
    asked: str = ""
    world: Assumption = Assumption.CLOSED

    @classmethod
    def parse(cls, text: str, world: Assumption | str = Assumption.CLOSED) -> Rulebook:
        return replace(cls.of(segment(text), comment_lines(text)), world=assumption(world))

    @classmethod
    def of(cls, segments: Sequence[Segment], comments: Sequence[int] = ()) -> Rulebook:
        """For a text that has been divided already."""
        theory = theory_of(segments)
        pairs = zip(segments, readings_of(theory), strict=True)
        entries = tuple(Entry(i, part.line, r) for i, (part, r) in enumerate(pairs))
        return cls(theory, entries, tuple(comments))

    def about(self, question: str) -> Rulebook:
        """The same rulebook, with what it says in the words of the question."""
        try:
            program = logic_of(self.theory, question).program.in_world(self.world)
        except ReadError:
            return self
        same = program == self.program and not self.program.loosely_read
        return self if same else replace(self, asked=question)

    @property
    def program(self) -> Program:
        if self.asked:
            return logic_of(self.theory, self.asked).program.in_world(self.world)
        return program_of(self.theory).in_world(self.world)

    @lazy
    def unmet(self) -> list[list[str]]:
        """Of each sentence, the conditions that no sentence can make true: `anything is torn`."""
        stated = Program(tuple(entry.reading.clauses for entry in self.entries))
        found = unmet(self.program, stated.in_world(self.world))
        return [list(dict.fromkeys(phrase(lit, "anything") for lit in each)) for each in found]

    def to_json(self) -> list[dict[str, Any]]:
        """Its sentences, as `ibr read --json` has them."""
        pairs = zip(self.entries, self.unmet, strict=True)
        return [entry.to_json() | {"unmet": conditions} for entry, conditions in pairs]

    @property
    def unreadable(self) -> list[Entry]:
        return [entry for entry in self.entries if not entry.reading.readable]

    @property
    def not_used(self) -> dict[str, list[int]]:
        """Sentences that no proof can use, by index, and lines with a comment."""
        kinds = {"remarks": Kind.REMARK, "unread": Kind.UNKNOWN}
        found = {
            name: [entry.index for entry in self.entries if entry.reading.kind is kind]
            for name, kind in kinds.items()
        }
        return found | {"comments": [*self.comments]}

    @property
    def not_used_in_words(self) -> str:
        """`Not used: 2 of 9 sentences (remarks: [1]; unread: [4]), 3 comments`."""
        remarks, unread, comments = self.not_used.values()
        text = f"Not used: {len(remarks) + len(unread)} of {_counted(self.entries, 'sentence')}"
        named = []
        for name, found in (("remarks", remarks), ("unread", unread)):
            some = ", ".join(f"[{index + 1}]" for index in found[:_NAMED])
            named += [f"{name}: {some}{' …' * (len(found) > _NAMED)}"] if found else []
        text += f" ({'; '.join(named)})" if named else ""
        return text + (f", {_counted(comments, 'comment')}" if comments else "")

    @property
    def solver(self) -> Solver | None:
        """Over the sentences that can be read; None if negation goes in a circle."""
        return self._solved if isinstance(self._solved, Solver) else None

    def solver_over(self, question: Literal) -> Solver | NotStratified:
        """For one question: a name that only it has may be what negation goes in a circle over."""
        try:
            found = self._solved
            return found.over(question) if isinstance(found, Solver) else found
        except NotStratified as error:
            return error

    @lazy
    def _solved(self) -> Solver | NotStratified:
        try:
            return Solver(self.program)
        except NotStratified as error:
            return error


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


def assumption(world: Assumption | str) -> Assumption:
    """By its name. Raises UsageError."""
    if world in (names := [*Assumption]):
        return Assumption(world)
    raise UsageError(f"world must be {' or '.join(names)}, not {world!r:.60}")


class ObstacleKind(StrEnum):
    """What kind of thing stands in the way of a verdict."""

    QUESTION = "question"  # it cannot be read
    SENTENCE = "sentence"  # one that may matter cannot be read
    WORDING = "wording"  # two wordings may or may not mean the same
    READINGS = "readings"  # a sentence can be read in several ways
    CIRCLE = "circle"  # negation goes in a circle
    PROOF = "proof"  # the system's proof is not valid


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What stands in the way of a verdict, in words; `entry` is the sentence, if it is one.

    Any of `choices` settles it: in place of the sentence if that has several readings, else as a
    further sentence.
    """

    kind: ObstacleKind
    why: str
    entry: Entry | None = None
    choices: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.entry is None:
            return self.why
        where = f"[{self.entry.index + 1}], line {self.entry.line}"
        if self.kind in (ObstacleKind.WORDING, ObstacleKind.READINGS):
            return f'{where}: {self.why} ("{plain(self.entry.reading.text)}")'
        return f'{where}, cannot be read and may matter: "{plain(self.entry.reading.text)}"'

    @property
    def replaces(self) -> bool:
        """A choice takes the place of the sentence."""
        return self.kind is ObstacleKind.READINGS

    @property
    def lines(self) -> list[str]:
        """The choices, for people."""
        if not self.choices or self.entry is None:
            return []
        where = f"in place of [{self.entry.index + 1}]" if self.replaces else "added to the rules"
        heading = f"  Any of these, {where}, would settle it:"
        return [heading, *(f"    {choice}" for choice in self.choices)]

    def to_json(self) -> dict[str, Any]:
        """`action` is what to do with a choice."""
        entry, action = self.entry, "replace" if self.replaces else "add"
        found: dict[str, Any] = {"kind": self.kind, "why": self.why, "choices": [*self.choices]}
        found["action"] = action if self.choices else None
        if entry is None:
            return found | dict.fromkeys(("sentence", "line", "text"))
        return found | {"sentence": entry.index, "line": entry.line, "text": entry.reading.text}


def _counted(items: Sequence[Any], noun: str) -> str:
    return f"{len(items)} {noun}{'s' * (len(items) != 1)}"
