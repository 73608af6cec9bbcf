"""56 rulebooks of ordinary English with questions and answers: `tests/rulebooks`.

No verdict may be wrong. Where the wording leaves an answer open, it is listed here with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from same_logic import same

from ibr.logic.clause import Clause
from ibr.logic.language import ask, judged, read, readings_of, say_clause
from ibr.logic.reading import Reading
from ibr.prediction import Verdict
from ibr.theory import Kind, Theory

FOLDER = Path(__file__).parent / "rulebooks"
BOOKS = sorted(FOLDER.glob("*.json"))
SHARE = 0.98  # of the sentences whose author gave them a meaning
READ_BACK = 0.97  # of the clauses, from their canonical English alone
OPEN = {
    "Mr. Kowalski must pay a replacement fee.": "his room key, or the room key?",
    "Does the council collect paper?": "an unread sentence speaks of bags, which may be collected",
    "Dr. Moreau must supervise Astrid.": "of Wei, not of her: he has had no training",
}


@cache
def book(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


@cache
def theory(path: Path) -> Theory:
    return Theory.of([sentence["text"] for sentence in book(path)["sentences"]])


def read_sentences() -> Iterator[tuple[dict[str, Any], Reading]]:
    for path in BOOKS:
        yield from zip(book(path)["sentences"], readings_of(theory(path)), strict=True)


def clauses() -> Iterator[Clause]:
    for _, reading in read_sentences():
        yield from reading.clauses


def test_the_share_that_is_read() -> None:
    pairs = [pair for pair in read_sentences() if pair[0]["kind"] in ("fact", "rule")]
    found = sum(bool(reading.clauses) for _, reading in pairs)
    print(f"\n{found} of {len(pairs)} sentences are read")
    assert len(pairs) >= 180
    assert found / len(pairs) >= SHARE


def test_remarks_say_nothing_and_what_cannot_be_read_says_why() -> None:
    for sentence, reading in read_sentences():
        if sentence["kind"] == "remark":
            assert reading.kind is Kind.REMARK, sentence["text"]
        if reading.kind is Kind.UNKNOWN:
            assert reading.reason


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_no_verdict_is_wrong(path: Path) -> None:
    for question in book(path)["questions"]:
        text = question["text"]
        verdict = judged(theory(path), text).verdict
        if text in OPEN:
            assert verdict is Verdict.CANNOT_SAY, text
            continue
        _, asked = ask(theory(path), text)
        answers = {Verdict.YES: True, Verdict.NO: False, Verdict.NOT_SHOWN: asked.negative}
        assert answers.get(verdict) is question["answer"], text


def test_canonical_english_reads_back_to_the_same_clause() -> None:
    every = list(clauses())
    back = sum(same(read(say_clause(clause)).clauses) == same([clause]) for clause in every)
    print(f"\n{back} of {len(every)} clauses are read back")
    assert back / len(every) >= READ_BACK
