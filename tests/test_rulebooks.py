"""Ordinary English against logic written by hand: 56 rulebooks in `tests/rulebooks`.

A sentence that is read into other logic than the author wrote, or read though it should not be, is
a misreading: there may be none. A sentence that is refused only lowers the share.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from ibr.logic.clause import Clause, Literal, Sign
from ibr.logic.language import program_of, read, read_question, say, say_clause
from ibr.logic.reading import ReadError
from ibr.logic.solver import solve
from ibr.theory import Kind, Theory

FOLDER = Path(__file__).parent / "rulebooks"
BOOKS = sorted(FOLDER.glob("*.json"))
LEAST = 0.85


@cache
def book(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def sentences() -> Iterator[dict[str, Any]]:
    for path in BOOKS:
        yield from book(path)["sentences"]


def literal(fields: list[str]) -> Literal:
    return Literal(*fields[:3], Sign(fields[3]) if len(fields) > 3 else Sign.POSITIVE)


def by_hand(sentence: dict[str, Any]) -> list[Clause]:
    return [
        Clause(literal(c["then"]), tuple(map(literal, c.get("if", ()))))
        for c in sentence.get("clauses") or ()
    ]


def same(clauses: Iterator[Clause] | list[Clause] | tuple[Clause, ...]) -> frozenset[Any]:
    """Equal for clauses that differ in the names of variables and in order only."""
    return frozenset(map(_renamed, clauses))


def _renamed(clause: Clause) -> tuple[Literal, tuple[Literal, ...]]:
    variables = sorted(clause.variables)
    names = [f"?{i}" for i in range(len(variables))]
    options = []
    for chosen in permutations(names):
        head, body = clause.bind(dict(zip(variables, chosen, strict=True)))
        options.append((head, tuple(sorted(body))))
    return min(options)


def test_the_share_that_is_read_and_no_misreading() -> None:
    readable = right = 0
    for sentence in sentences():
        reading, gold = read(sentence["text"]), same(by_hand(sentence))
        readable += bool(gold)
        if reading.clauses:
            assert same(reading.clauses) == gold, sentence["text"]
            assert sentence["kind"] == reading.kind, sentence["text"]
            right += 1
    print(f"\n{right} of {readable} readable sentences read as by hand: {right / readable:.1%}")
    assert readable >= 180
    assert right / readable >= LEAST


def test_what_cannot_be_read_says_why_and_a_rewrite_can_be_read() -> None:
    for sentence in sentences():
        reading = read(sentence["text"])
        if reading.kind is Kind.UNKNOWN:
            assert reading.reason
            assert sentence["kind"] != "remark", sentence["text"]
        if reading.rewrite:
            assert all(read(f"{part}.").clauses for part in reading.rewrite.rstrip(".").split(". "))


def test_questions_ask_what_their_author_meant() -> None:
    asked = right = 0
    for path in BOOKS:
        for question in book(path)["questions"]:
            asked += 1
            try:
                found = read_question(question["text"])
            except ReadError:
                continue
            assert found == literal(question["literal"]), question["text"]
            right += 1
    print(f"\n{right} of {asked} questions read as by hand")
    assert right / asked >= LEAST


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_answers_follow_from_what_was_read(path: Path) -> None:
    rulebook = book(path)
    program = program_of(Theory.of([sentence["text"] for sentence in rulebook["sentences"]]))
    if any(rulebook["sentences"][i]["kind"] in ("fact", "rule") for i in program.unreadable):
        pytest.skip("a sentence that its author can read was refused")
    for question in rulebook["questions"]:
        asked = read_question(question["text"])
        assert solve(program, asked).answer is question["answer"], question["text"]


def test_canonical_english_reads_back_to_the_same_clause() -> None:
    for sentence in sentences():
        for clause in read(sentence["text"]).clauses:
            again = read(say_clause(clause))
            assert same(again.clauses) == same([clause]), say_clause(clause)


def test_what_is_asked_can_be_said() -> None:
    for path in BOOKS:
        for question in book(path)["questions"]:
            asked = read_question(question["text"])
            assert read_question(say(asked)) == asked
