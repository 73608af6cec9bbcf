"""A rewrite never changes the law: what is offered for a sentence is one of its readings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from ibr.asking.rulebook import Entry, Rulebook
from ibr.logic.language import read
from ibr.logic.surface.segment import segment
from tests.same_logic import same

FOLDER = Path(__file__).parent
BOOKS = sorted((FOLDER / "rulebooks").glob("*.json"))
ENGLISH = [*sorted((FOLDER / "english").glob("*.jsonl"))]


def offers(text: str) -> Iterator[tuple[Entry, str]]:
    for entry in Rulebook.parse(text).entries:
        yield from ((entry, choice) for choice in entry.choices)


def check(text: str) -> int:
    """How many are offered; each is read back to one of the readings."""
    count = 0
    for entry, choice in offers(text):
        back = [clause for part in segment(choice) for clause in read(part.text).clauses]
        readings = [same(clauses) for clauses in (entry.reading.clauses, *entry.reading.others)]
        assert same(back) in readings, (entry.reading.text, choice)
        count += 1
    return count


def texts(path: Path) -> list[str]:
    """The rules of each item, each once."""
    items = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rules = (item.get("rules") or f"{item['context']}\n{item['sentence']}" for item in items)
    return list(dict.fromkeys(rules))


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_of_a_rulebook(path: Path) -> None:
    check("\n".join(s["text"] for s in json.loads(path.read_text(encoding="utf-8"))["sentences"]))


@pytest.mark.parametrize("path", ENGLISH, ids=lambda path: path.stem)
def test_of_plain_english(path: Path) -> None:
    offered = sum(map(check, texts(path)))
    print(f"\n{path.stem}: {offered} offered")
    assert offered or path.stem != "tricky"


def test_what_an_or_leaves_open_is_not_offered_as_a_condition() -> None:
    (entry,) = Rulebook.parse("Tom or Ann is late.").entries
    assert entry.reading.clauses
    assert not entry.may_be("If Ann is not late then Tom is late.")
