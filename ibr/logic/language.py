"""The front door of the language: sentences and questions → logic, logic → sentences.

Templates are tried first (fast, exact); the reader of ordinary English is loaded when they do not
do. Nothing here knows grammar, and nothing is guessed: a sentence without a reading comes back as
Kind.UNKNOWN with the reason.
"""

from __future__ import annotations

from functools import lru_cache

from ibr.logic import templates
from ibr.logic.clause import Clause, Literal, Program
from ibr.logic.english import say as canonical
from ibr.logic.reading import ReadError, Reading
from ibr.logic.segment import segment
from ibr.theory import Kind, Sentence, Theory


@lru_cache(maxsize=1 << 16)
def read(text: str) -> Reading:
    """One sentence → its clauses, or why it has none. Never raises."""
    reading = templates.parse(text)
    if reading is None:
        from ibr.logic.english import reader

        return reader.read(text)
    return reading


@lru_cache(maxsize=1 << 16)
def read_question(text: str) -> Literal:
    """A statement or a yes-no question → the one literal it asks about; else ReadError."""
    if text.rstrip().endswith("?"):
        return _asked(text)
    reading = read(text.strip())
    if not reading.readable:
        raise ReadError(text, reading.reason or "no reading", reading.rewrite)
    if len(reading.clauses) != 1 or not reading.clauses[0].is_fact:
        raise ReadError(text, "a question asks about exactly one fact")
    return reading.clauses[0].head


def _asked(text: str) -> Literal:
    from ibr.logic.english import reader
    from ibr.logic.english.clauses.scope import Refusal

    try:
        return reader.read_question(text)
    except Refusal as refusal:
        raise ReadError(text, str(refusal)) from None


@lru_cache(maxsize=4096)
def readings_of(theory: Theory) -> tuple[Reading, ...]:
    """The reading of each sentence; what its author calls a remark, a fact or a rule is one."""
    return tuple(map(_read_as, theory))


def _read_as(sentence: Sentence) -> Reading:
    if sentence.kind is Kind.REMARK:
        return Reading(sentence.text, Kind.REMARK)
    reading = read(sentence.text)
    if reading.kind is Kind.REMARK and sentence.kind is not Kind.UNKNOWN:
        reason = f"no {sentence.kind} is found in it"
        return Reading(sentence.text, Kind.UNKNOWN, reason=reason)
    return reading


@lru_cache(maxsize=4096)
def program_of(theory: Theory) -> Program:
    """What the whole theory says, sentence by sentence."""
    readings = readings_of(theory)
    return Program(
        said=tuple(reading.clauses for reading in readings),
        numbers=theory.numbers,
        unreadable=tuple(i for i, reading in enumerate(readings) if not reading.readable),
    )


def theory_from_text(text: str) -> Theory:
    """A document (one paragraph, lines, lists) → its sentences, each with the kind it reads as."""
    texts = [part.text for part in segment(text)]
    return Theory.of(texts, [read(text).kind for text in texts])


def say(literal: Literal) -> str:
    """`Literal("cat", "likes", "dog")` → "The cat likes the dog." """
    return canonical.say_literal(literal)


def say_clause(clause: Clause) -> str:
    """A clause in canonical English: "If X is a member and X is not late then X is eligible." """
    return canonical.say_clause(clause)
