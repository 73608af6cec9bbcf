"""Why a question cannot be proved: the branches, what holds in them, and what is left out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from strategies import programs, statements

from ibr.logic.clause import Clause, Literal, Program
from ibr.logic.explaining.explanation import (
    MAX_WIDTH,
    BranchCondition,
    WhyNot,
    why_not,
    why_not_lines,
)
from ibr.logic.language import program_of, read_question
from ibr.logic.solving.solver import Solver
from ibr.proof import Graph
from ibr.theory import Theory


def asked(question: str, *texts: str) -> WhyNot:
    return why_not(program_of(Theory.of(texts)), read_question(question))


BOB = (
    "Bob is young.",
    "Bob is cold.",
    "If someone is young and not cold then they are quiet.",
    "If someone is kind and quiet then they are big.",
    "If someone is cold then they are tired.",
    "If someone is tired and big then they are nice.",
)


def test_the_tree_in_english() -> None:
    assert why_not_lines(asked("Bob is nice.", *BOB)) == [
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
    assert kind == BranchCondition(
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
    lines = why_not_lines(asked("Bob is kind.", "Bob is cold.", "Cold people are not kind."))
    assert lines == [
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
    assert why_not_lines(tree)[-1].strip() == "(This is taken apart elsewhere here.)"
    tree = asked(
        "Bob is big.",
        "Bob likes the cat.",
        "If someone likes the cat and the cat is big then they are big.",
    )
    assert "[2] could show it, but is being tried already." in why_not_lines(tree)[-1]


def test_instances_that_lack_least_come_first_and_the_rest_is_counted() -> None:
    eats, cold, tall = (("eats", "fish"), ("is", "cold"), ("is", "tall"))
    rule = Clause(
        Literal("fish", "is", "sad"), tuple(Literal("?x", *c) for c in (eats, cold, tall))
    )
    known = [("cat", *eats), ("lion", *eats), ("lion", *cold), ("dog", *cold), ("cow", *cold)]
    program = Program((*((Clause(Literal(*fact)),) for fact in known), (rule,)))
    tree = why_not(program, rule.head)
    assert len(tree.branches) == MAX_WIDTH
    assert tree.unseen == len(program.entities) - MAX_WIDTH
    first = tree.branches[0].conditions
    assert [(c.literal.subject, c.holds) for c in first] == [
        ("lion", True),
        ("lion", True),
        ("lion", False),
    ]
    assert f"({tree.unseen} more ways" in "\n".join(why_not_lines(tree))


def test_depth_is_limited_and_the_rest_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ibr.logic.explaining.explanation.MAX_DEPTH", 1)
    tree = asked("Bob is nice.", *BOB)
    big = tree.branches[0].conditions[1].why_not
    assert big is not None
    assert (big.branches, big.unseen) == ([], 1)


def test_a_provable_question_has_no_why_not() -> None:
    with pytest.raises(ValueError, match="it can be proved that Bob is tired"):
        asked("Bob is tired.", *BOB)


@given(programs(), statements())
def test_the_tree_is_true_and_complete(program: Program, question: Literal) -> None:
    """Against every ground instance: each is a branch that fails, in use, or counted as unseen."""
    solver = Solver(program, question.entities)
    if solver.proves(question):
        return
    domain = sorted(program.entities | question.entities)
    taken_apart: set[Literal] = set()
    for tree, used in _trees(why_not(program, question), frozenset()):
        assert not solver.proves(tree.goal)
        assert (tree.contrary is None) != solver.proves(tree.goal.negation)
        if tree.elsewhere:
            continue
        assert tree.goal not in taken_apart
        taken_apart.add(tree.goal)
        instances = [pair for pair in _instances(program, domain) if pair[1].head == tree.goal]
        assert {rule for rule, _ in instances if rule in used} == {*tree.in_use}
        free = [(rule, clause.body) for rule, clause in instances if rule not in used]
        assert len(tree.branches) + tree.unseen == len(free)
        for branch in tree.branches:
            assert (branch.rule, tuple(c.literal for c in branch.conditions)) in free
            for condition in branch.conditions:
                literal = condition.literal
                assert condition.holds == (solver.proves(literal.atom) == literal.positive)
            assert not all(condition.holds for condition in branch.conditions)
    assert question in taken_apart
    for literal in taken_apart:
        assert not solver.proves(literal)


def _trees(tree: WhyNot, used: frozenset[int]) -> Iterator[tuple[WhyNot, frozenset[int]]]:
    """Every goal of the tree with the rules on the path to it."""
    yield tree, used
    for branch in tree.branches:
        for condition in branch.conditions:
            assert (condition.why_not is not None) == (
                condition.literal.positive and not condition.holds
            )
            if condition.why_not:
                yield from _trees(condition.why_not, used | {branch.rule})


def _instances(program: Program, domain: list[str]) -> Iterator[tuple[int, Clause]]:
    for index, clause in program:
        names = sorted(clause.variables)
        for values in product(domain, repeat=len(names)):
            yield index, clause.bind(dict(zip(names, values, strict=True)))
