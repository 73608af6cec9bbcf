"""A certificate that nothing shows it: what has all its words and is not told apart forbids it."""

from __future__ import annotations

import pytest

import ibr
from ibr.prediction import Verdict

NEAR = [  # it stands in the rulebook, in a shape that the rules do not meet
    ("Mira fears that Olf was late for the show.", "Was Olf late for the show?"),
    ("Orn was lent a boat by Sif.", "Did Sif lend Orn a boat?"),
    ("The shed is bare except for a rake.", "Is there a rake in the shed?"),
    ("Every tutor who knows Ada helps her cousin. Bo is a tutor. Bo knows Ada.",
     "Does Bo help Ada's cousin?"),
    ("The man whose boat sank is a poet.", "Is the man a poet?"),
    ("The following pupils are ill: Hal and Ida.", "Is Ida a pupil?"),
    ("Lu has four hens, and Mo three.", "Does Mo have three hens?"),
]  # fmt: skip
APART = [  # all its words are there, and the reading tells why it is something else
    ("Orn taught Sif.", "Did Sif teach Orn?"),
    ("Rex chases cats.", "Is Rex a cat?"),
    ("Mira hopes that Olf is late.", "Is Olf late?"),
    ("Mira wants to buy a boat.", "Does Mira buy a boat?"),
    ("The key to the chest is lost.", "Is the chest lost?"),
    ("Every pupil who owns a bike gets a lock. Hal is a pupil.", "Does Hal own a bike?"),
    ("Lu's brother is a poet.", "Is Lu a poet?"),
    ("Lu fed the goat and Mo washed the horse.", "Did Lu feed the horse?"),
]
SEVERAL = [  # it holds in one reading only
    ("Rex is a dog. A dog is in the shed.", "Is Rex in the shed?"),
    ("Gus is a fox. Foxes have been seen near the mill.", "Has Gus been seen near the mill?"),
    ("Lu is a clerk. All clerks may not smoke.", "May Lu smoke?"),
    ("The cook of the king who snores is old.", "Does the king snore?"),
    ("Lu likes her cat and so does Mo.", "Does Mo like Lu's cat?"),
    ("Una is a heavy smoker.", "Is Una heavy?"),
]


@pytest.mark.parametrize(("rules", "question"), NEAR + SEVERAL)
def test_nothing_is_certified_and_the_sentence_is_named(rules: str, question: str) -> None:
    found = ibr.load("solver").prove(rules, question)
    assert found.verdict is Verdict.CANNOT_SAY
    assert found.obstacle is not None
    assert found.obstacle.entry is not None


@pytest.mark.parametrize(("rules", "question"), APART)
def test_what_is_told_apart_is_not_shown(rules: str, question: str) -> None:
    assert ibr.load("solver").prove(rules, question).verdict is Verdict.NOT_SHOWN


def test_a_sentence_that_may_say_it_offers_both_answers() -> None:
    found = ibr.load("solver").prove(*NEAR[0])
    assert found.obstacle is not None
    assert found.obstacle.kind == "wording"
    assert found.obstacle.choices[-2:] == (
        "If Mira fears that Olf was late for the show then Olf was late for the show.",
        "If Mira fears that Olf was late for the show then Olf was not late for the show.",
    )
