"""Random programs and questions: `programs()` and `statements()` for hypothesis, `random_program`
where thousands are wanted fast.

Small vocabularies, so that rules chain, meet and cycle. Everything the logic allows is made: facts
and rules of several clauses, one or two variables in any place, variables in `~` or in the head
only, rules without conditions, explicit negatives, numbers that are not the order.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from hypothesis import strategies as st

from ibr.logic.clause import Clause, Literal, Program, Sign

ENTITIES = ("Anne", "Bob", "cat")
ATTRIBUTES = ("kind", "big", "red", "cold", "young", "green")
VERBS = ("likes", "sees")
Predicate = tuple[str, str | None]  # relation, attribute; a verb has an entity instead
PREDICATES: tuple[Predicate, ...] = (
    *(("is", attribute) for attribute in ATTRIBUTES),
    *((verb, None) for verb in VERBS),
)


@dataclass(frozen=True)
class Shape:
    """How a program may look."""

    facts: tuple[int, int] = (1, 8)  # at least, at most
    rules: tuple[int, int] = (0, 12)
    conditions: tuple[int, ...] = (0, *[1] * 12, *[2] * 8, 3)  # drawn from
    variables: tuple[str, ...] = (*["?x"] * 12, "?y")  # drawn from, with the entities
    clauses: int = 2  # at most, of one sentence
    stratified: bool = True  # else `~` may ask about anything, even the conclusion


ANY = Shape()
WILD = Shape(stratified=False)


def programs(shape: Shape = ANY) -> st.SearchStrategy[Program]:
    """Stratified programs are so by construction, not by a check of the solver."""
    return st.builds(random_program, st.randoms(use_true_random=False), st.just(shape))


def statements() -> st.SearchStrategy[Literal]:
    """Ground literals to ask about, some with an entity or attribute that no program has."""
    return st.builds(
        _literal,
        st.sampled_from((*ENTITIES, "Zoe")),
        st.sampled_from((*PREDICATES, ("is", "odd"))),
        st.sampled_from((*ENTITIES, "Zoe")),
        st.sampled_from((Sign.POSITIVE, Sign.NEGATIVE)),
    )


def random_program(rng: random.Random, shape: Shape = ANY) -> Program:
    ranks = list(PREDICATES)
    rng.shuffle(ranks)
    clauses = [
        tuple(Clause(_head(rng, ranks, ())) for _ in range(rng.randint(1, shape.clauses)))
        for _ in range(rng.randint(*shape.facts))
    ]
    clauses += [
        tuple(_rule(rng, ranks, shape) for _ in range(rng.randint(1, shape.clauses)))
        for _ in range(rng.randint(*shape.rules))
    ]
    rng.shuffle(clauses)
    numbers = list(range(len(clauses)))
    rng.shuffle(numbers)
    return Program(tuple(clauses), tuple(numbers))


def _rule(rng: random.Random, ranks: list[Predicate], shape: Shape) -> Clause:
    head = _head(rng, ranks, shape.variables)
    # Two predicates share a level: they may rest on each other, and negate what is lower.
    level = len(ranks) if head.sign == Sign.NEGATIVE else _rank(head, ranks) // 2 * 2
    body = []
    for _ in range(rng.choice(shape.conditions)):
        naf = rng.random() < 0.2
        allowed = ranks[: level if naf else level + 2] if shape.stratified else ranks
        if allowed:
            sign = Sign.NAF if naf else Sign.POSITIVE
            body.append(_literal(*_terms(rng, allowed, shape.variables), sign))
    return Clause(head, tuple(body))


def _head(rng: random.Random, ranks: list[Predicate], variables: tuple[str, ...]) -> Literal:
    sign = Sign.NEGATIVE if rng.random() < 0.15 else Sign.POSITIVE
    return _literal(*_terms(rng, ranks, variables), sign)


def _terms(
    rng: random.Random, allowed: list[Predicate], variables: tuple[str, ...]
) -> tuple[str, Predicate, str]:
    terms = (*ENTITIES, *variables)
    return rng.choice(terms), rng.choice(allowed), rng.choice(terms)


def _literal(subject: str, predicate: Predicate, object_: str, sign: Sign) -> Literal:
    relation, attribute = predicate
    return Literal(subject, relation, attribute or object_, sign)


def _rank(literal: Literal, ranks: list[Predicate]) -> int:
    return ranks.index((literal.relation, literal.object if literal.relation == "is" else None))
