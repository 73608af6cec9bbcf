"""Sentences and questions to logic, and logic to sentences.

Templates are tried first (fast, exact); all else is read by `ibr.logic.english`, a whole rulebook
at a time. A sentence without a reading is Kind.UNKNOWN, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ibr.choices import Assumption
from ibr.logic.checking.relevance import content_words
from ibr.logic.clause import Clause, Literal, Program, Sign
from ibr.logic.english import say as canonical
from ibr.logic.reading import ReadError, Reading
from ibr.logic.surface import templates
from ibr.logic.surface.segment import Segment, segment
from ibr.theory import Kind, Theory

if TYPE_CHECKING:
    from ibr.logic.english.book import Book
    from ibr.logic.english.doubt import Judged
    from ibr.logic.english.sentence import Asked

say, say_clause = canonical.say_literal, canonical.say_clause


class Logic(NamedTuple):
    """What a problem means: its sentences and its question."""

    program: Program
    question: Literal

    def in_world(self, world: Assumption) -> Logic:
        return Logic(self.program.in_world(world), self.question)


@lru_cache(maxsize=1 << 16)
def read(text: str) -> Reading:
    """One sentence that stands alone: its clauses, or why it has none. Never raises."""
    reading = templates.parse(text)
    return reading if reading is not None else readings_of(Theory.of([text]))[0]


@lru_cache(maxsize=1 << 16)
def read_question(text: str) -> Literal:
    """A statement or a yes-no question without its rulebook; else ReadError."""
    reading = None if text.rstrip().endswith("?") else templates.parse(text.strip())
    if reading is None:
        return logic_of(Theory(()), text).question
    if not reading.clauses[0].is_fact:
        raise ReadError(text, "a question asks about exactly one fact")
    return reading.clauses[0].head


def are_templates(theory: Theory) -> bool:
    """Every sentence but the remarks is one of RuleTaker's templates."""
    texts = (s.text for s in theory if s.kind is not Kind.REMARK)
    return all(templates.parse(text) is not None for text in texts)


def book_of(theory: Theory, names: frozenset[str] = frozenset()) -> Book:
    """The whole rulebook, read; `names` are words that a question writes as names."""
    texts = tuple(s.text for s in theory)
    remarks = frozenset(i for i, s in enumerate(theory) if s.kind is Kind.REMARK)
    book = read_book(texts, frozenset(), names)
    found = frozenset(i for i, sentence in enumerate(book.sentences) if sentence.remark)
    return book if remarks in (frozenset(), found) else read_book(texts, remarks, names)


@lru_cache(maxsize=256)
def read_book(texts: tuple[str, ...], remarks: frozenset[int], names: frozenset[str]) -> Book:
    """What its author calls remarks is not read; a book finds others itself."""
    from ibr.logic.english.book import Book

    return Book(texts, remarks, names)


@lru_cache(maxsize=4096)
def readings_of(theory: Theory) -> tuple[Reading, ...]:
    """The reading of each sentence; what its author calls a remark, a fact or a rule is one."""
    if are_templates(theory):
        return tuple(_template(s.text, s.kind) for s in theory)
    return _readings(book_of(theory), theory)


def _readings(book: Book, theory: Theory) -> tuple[Reading, ...]:
    return tuple(_as_labelled(book.reading(i), sentence.kind) for i, sentence in enumerate(theory))


def _template(text: str, kind: Kind) -> Reading:
    reading = None if kind is Kind.REMARK else templates.parse(text)
    return reading or Reading(text, Kind.REMARK)


def _as_labelled(reading: Reading, kind: Kind) -> Reading:
    if reading.kind is Kind.REMARK and kind not in (Kind.UNKNOWN, Kind.REMARK):
        return Reading(reading.text, Kind.UNKNOWN, reason=f"no {kind} is found in it")
    return reading


@lru_cache(maxsize=4096)
def program_of(theory: Theory) -> Program:
    """What the whole theory says, sentence by sentence."""
    readings = readings_of(theory)
    if are_templates(theory):
        return _program(theory, readings, [reading.clauses for reading in readings])
    return _program(theory, readings, book_of(theory).clauses())


def _program(
    theory: Theory,
    readings: tuple[Reading, ...],
    clauses: list[tuple[Clause, ...]],
    asked: bool = False,
) -> Program:
    """Asked of a rulebook, what its wording leaves open is the work of `judged`."""
    unreadable = tuple(i for i, reading in enumerate(readings) if not reading.readable)
    return Program(
        clauses=tuple(clauses),
        numbers=theory.numbers,
        unreadable=unreadable,
        unread_words=tuple(content_words(readings[i].text) for i in unreadable),
        loosely_read=frozenset(
            i for i, reading in enumerate(readings) if not reading.exact and not asked
        ),
    )


@lru_cache(maxsize=1 << 12)
def ask(theory: Theory, text: str) -> tuple[Book, Asked]:
    """A question in its rulebook. Raises ReadError."""
    from ibr.logic.english.alternatives import decided_first
    from ibr.logic.english.book import names_of
    from ibr.logic.english.meaning.literals import Refusal

    try:
        book = book_of(theory)
        missing = names_of(text) - book.names
        if any(name in sentence.text for name in missing for sentence in theory):
            book = book_of(theory, missing)
        asked = book.ask(text)
        return book, decided_first(book, asked) if asked.also else asked
    except Refusal as refusal:
        raise ReadError(text, str(refusal)) from None


@lru_cache(maxsize=1 << 12)
def logic_of(theory: Theory, text: str) -> Logic:
    """The rulebook as it bears on a question, and what that asks. Raises ReadError."""
    from ibr.logic.english.meaning.literals import literal

    book, asked = ask(theory, text)
    sign = Sign.NEGATIVE if asked.negative else Sign.POSITIVE
    clauses = book.clauses(asked)
    program = _program(theory, _readings(book, theory), clauses, asked=True)
    return Logic(program, literal(asked.pred, sign))


@lru_cache(maxsize=1 << 12)
def judged(theory: Theory, text: str, world: Assumption = Assumption.CLOSED) -> Judged:
    """The verdict on a question, with what its wording leaves open. Raises ReadError."""
    from ibr.logic.english.alternatives import judge

    return judge(*ask(theory, text), world)


def stages_of(theory: Theory, index: int) -> list[str]:
    """Every stage of the reading of one sentence."""
    from ibr.logic.english.trace import stages

    return list(stages(book_of(theory), index))


def theory_of(segments: Iterable[Segment]) -> Theory:
    """The sentences of a document, each with the kind it reads as."""
    texts = [part.text for part in segments]
    return Theory.of(texts, [reading.kind for reading in readings_of(Theory.of(texts))])


def theory_from_text(text: str) -> Theory:
    """A document: one paragraph, lines, lists."""
    return theory_of(segment(text))
