"""Why a question cannot be proved: the branches, what holds in them, and what is left out."""

from __future__ import annotations

import pytest

from ibr.logic.clause import Literal
from ibr.logic.language import program_of, read_question
from ibr.logic.why_not import Condition, Limits, WhyNot, tell_why_not, why_not
from ibr.proof import Graph
from ibr.theory import Theory


def asked(question: str, *texts: str, limits: Limits = Limits()) -> WhyNot:  # noqa: B008
    return why_not(program_of(Theory.of(texts)), read_question(question), limits)


BOB = (
    "Bob is young.",
    "Bob is cold.",
    "If someone is young and not cold then they are quiet.",
    "If someone is kind and quiet then they are big.",
    "If someone is cold then they are tired.",
    "If someone is tired and big then they are nice.",
)


def test_the_tree_in_english() -> None:
    assert tell_why_not(asked("Bob is nice.", *BOB)).splitlines() == [
        "Nothing shows that Bob is nice.",
        "  [6] would show it if all of this held:",
        "    - Bob is tired: yes [by 5]",
        "    - Bob is big: nothing shows it",
        "      [4] would show it if all of this held:",
        "        - Bob is kind: nothing shows it",
        "          No sentence says so and no rule concludes it.",
        "        - Bob is quiet: nothing shows it",
        "          [3] would show it if all of this held:",
        "            - Bob is young: yes [1]",
        "            - Bob is not cold: no, Bob is cold [2]",
    ]


def test_the_tree_as_data() -> None:
    tree = asked("Bob is big.", *BOB)
    (branch,) = tree.branches
    assert branch.rule == 3
    kind, quiet = branch.conditions
    assert kind == Condition(
        Literal("Bob", "is", "kind"), False, why_not=WhyNot(Literal("Bob", "is", "kind"))
    )
    assert quiet.why_not is not None
    young, cold = quiet.why_not.branches[0].conditions
    assert young.holds
    assert young.proof is not None
    assert young.proof.graph == Graph.of([0])
    assert not cold.holds
    assert cold.proof is not None
    assert cold.proof.graph == Graph.of([1])


def test_a_denied_goal_says_so() -> None:
    text = tell_why_not(asked("Bob is kind.", "Bob is cold.", "Cold people are not kind."))
    assert text.splitlines() == [
        "Nothing shows that Bob is kind.",
        "  On the contrary, Bob is not kind [by 2].",
        "  No sentence says so and no rule concludes it.",
    ]


def test_a_negative_goal_asks_for_rules_with_a_negative_conclusion() -> None:
    tree = asked(
        "Bob is not kind.", "Bob is red.", "Cold people are not kind.", "All red things are big."
    )
    assert [branch.rule for branch in tree.branches] == [1]


def test_circles_end() -> None:
    tree = asked("Bob is big.", "Bob is red.", "Kind people are big.", "Big people are kind.")
    text = tell_why_not(tree)
    assert text.splitlines()[-1].strip() == "(This is taken apart elsewhere here.)"
    tree = asked(
        "Bob is big.",
        "Bob likes the cat.",
        "If someone likes the cat and the cat is big then they are big.",
    )
    assert "[2] could show it, but is being tried already." in tell_why_not(tree)


CROWD = [f"The {name} is red." for name in ("cat", "dog", "cow", "bear", "lion", "mouse", "tiger")]
RULE = "If something eats the fish and it is cold and it is tall then the fish is sad."


def test_instances_that_lack_least_come_first_and_the_rest_is_counted() -> None:
    texts = (*CROWD, RULE, "The cat eats the fish.", "The lion eats the fish.", "The lion is cold.")
    tree = asked("The fish is sad.", *texts)
    assert len(tree.branches) == Limits().width
    assert tree.unseen == len(CROWD) + 1 - Limits().width
    first = tree.branches[0].conditions
    assert [(c.literal.subject, c.holds) for c in first] == [
        ("lion", True),
        ("lion", True),
        ("lion", False),
    ]
    assert f"({tree.unseen} more ways" in tell_why_not(tree)


def test_depth_is_limited_and_said() -> None:
    tree = asked("Bob is nice.", *BOB, limits=Limits(depth=1))
    big = tree.branches[0].conditions[1].why_not
    assert big is not None
    assert (big.branches, big.unseen) == ((), 1)


def test_a_provable_question_has_no_why_not() -> None:
    with pytest.raises(ValueError, match="it can be proved that Bob is tired"):
        asked("Bob is tired.", *BOB)
