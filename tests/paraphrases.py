"""Rows of a ParaRules file for tests."""

from __future__ import annotations

from pathlib import Path

from ibr.data.formats.pararules import COLUMNS, Row
from ibr.data.formats.proof_string import parse_facts, parse_rule


def fact(number: int, text: str, logic: str) -> Row:
    clauses = parse_facts(logic)
    return Row(str(number), text, tuple(f"triple{k}" for k in range(len(clauses))), clauses)


def rule(number: int, text: str, body: str, head: str) -> Row:
    conditions = " ".join(f'("someone" "is" "{word}" "+")' for word in body.split())
    logic = f'(({conditions}) -> ("someone" "is" "{head}" "+"))'
    return Row(str(number), text, ("rule1",), (parse_rule(logic),))


ROWS = (
    fact(1, "Bob is a big and round guy.", '("Bob" "is" "big" "+") ("Bob" "is" "round" "+")'),
    fact(2, "Anne feels cold.", '("Anne" "is" "cold" "+")'),
    rule(3, "Big people tend to be red.", "big", "red"),
    rule(4, "Whoever is red and round is nice.", "red round", "nice"),
    rule(5, "A cold person is blue.", "cold", "blue"),
    rule(6, "Nice people are kind.", "nice", "kind"),
)


def save(path: Path, rows: list[tuple[str, ...]], marked: bool = False) -> Path:
    lines = ["\t".join(row) for row in [COLUMNS, *rows]]
    text = "\n".join([*lines[:1], "", *lines[1:], ""])
    path.write_text(text, encoding="utf-8-sig" if marked else "utf-8")
    return path


FILE_ROWS = [
    (
        "AttNoneg12-theory",
        "sent1",
        "207",
        "Dave",
        "Big Dave is young.  He is kind, too!",
        "Dave is big. Dave is young. Dave is kind. ",
        "triple1 triple2 triple3 ",
        '("Dave" "is" "big" "+") ("Dave" "is" "young" "+") ("Dave" "is" "kind" "+") ',
    ),
    (
        "AttNoneg12-theory",
        "sent2",
        "208",
        "Bob",
        "Bob's really big.",
        "Bob is big. ",
        "triple4 ",
        '("Bob" "is" "big" "+") ',
    ),
    (
        "AttNoneg12-theory",
        "sent3",
        "209",
        "",
        "Whoever is big and young feels cold.",
        "If someone is big and young then they are cold.",
        "rule1",
        '((("someone" "is" "big" "+") ("someone" "is" "young" "+"))'
        ' -> ("someone" "is" "cold" "+"))',
    ),
    (
        "AttNoneg12-theory",
        "sent4",
        "210",
        "",
        "Cold, kind people are blue.",
        "If someone is cold and kind then they are blue.",
        "rule2",
        '((("someone" "is" "cold" "+") ("someone" "is" "kind" "+"))'
        ' -> ("someone" "is" "blue" "+"))',
    ),
]
