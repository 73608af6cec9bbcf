"""Sentences as people say them, each with the verdicts that are right for it."""

from __future__ import annotations

import pytest

import ibr

CASES = [
    # some do not: not all do, and of each one it is open
    ("Some of the machines have no guard. The press is one of the machines. A machine that has"
     " no guard must be switched off.",
     "Must the press be switched off?", "cannot say"),
    ("Some cats do not like fish. Tom is a cat. Cats that do not like fish get chicken.",
     "Does Tom get chicken?", "cannot say"),
    ("All moozles can fly, except the baby ones. Tuppy is a baby moozle.", "Can Tuppy fly?", "no"),
    # contractions: is or has
    ("A book that's been reserved can't be renewed. The atlas is a book. It's been reserved.",
     "Can the atlas be renewed?", "no"),
    ("Anything marked fragile goes on the top rack. Crate nine's been marked fragile.",
     "Does crate nine go on the top rack?", "yes"),
    ("Anyone who's lost their key has to pay. Bea's just lost her key.",
     "Does Bea have to pay?", "yes"),
    ("Only swimmers with a form may dive. Marcus is a swimmer, but he hasn't got a form.",
     "May Marcus dive?", "no"),
    ("Tom's got to leave. Anyone who has to leave gets a coat.", "Does Tom get a coat?", "yes"),
    ("Nobody's allowed to shout. If the soup's cold, Ann heats it.",
     "Is Kim allowed to shout?", "no"),
    ("He's called Rex. A dog that's called Rex barks.", "Has he called Rex?", "cannot say"),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "question", "verdict"), CASES)
def test_verdict(rules: str, question: str, verdict: str) -> None:
    assert str(ibr.load("solver").prove(rules, question).verdict) == verdict
