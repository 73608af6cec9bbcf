"""Which shapes theories have: `ruletaker` as DU5 has them, `wide` anything goes.

A preset is a function of the depth, a number 0 ≤ share < 1 that picks the family, and an rng.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import accumulate
from typing import Final

from ibr.data.making.shape import Count, Shape

Preset = Callable[[int, float, random.Random], Shape]

# The four families of DU5 dev and how many theories of each it has.
_DU5: Final = (
    (150, Shape("AttNoneg", 5, conditions=(0.508, 0.492), ground=0.127)),
    (
        128,
        Shape(
            "AttNeg", 5, conditions=(0.521, 0.479), ground=0.136,
            negative_facts=0.056, negative_heads=0.05, absent=0.165,
        ),
    ),
    (
        104,
        Shape(
            "RelNoneg", 5, adjectives=5, verbs=3, names=0.0, conditions=(0.56, 0.44),
            ground=0.119, ground_heads=0.32, relational_facts=0.679, relational_conditions=0.6,
            relational_heads=0.657, alive=0.4,
        ),
    ),
    (
        102,
        Shape(
            "RelNeg", 5, adjectives=5, verbs=3, names=0.0, conditions=(0.54, 0.46),
            ground=0.139, ground_heads=0.337, relational_facts=0.681, relational_conditions=0.6,
            relational_heads=0.695, negative_facts=0.095, negative_heads=0.081, absent=0.239,
            alive=0.4,
        ),
    ),
)  # fmt: skip


def ruletaker(depth: int, share: float, rng: random.Random) -> Shape:
    """DU{depth}. Depths 4 and 5 as DU5 dev; up to 3 smaller, with more negation; beyond, longer."""
    until = accumulate(theories for theories, _ in _DU5)
    place = share * sum(theories for theories, _ in _DU5)
    shape = _DU5[next(k for k, theories in enumerate(until) if place < theories)][1]
    if depth <= 3:
        return replace(
            shape,
            depth=depth,
            entities=Count(2, 4, 3.2) if shape.verbs else Count(1, 4, 3.2),
            facts=Count(1, 16, 7),
            rules=Count(max(2, depth), 8, 5.5),
            negative_facts=1.5 * shape.negative_facts,
            negative_heads=1.5 * shape.negative_heads,
            absent=1.5 * shape.absent,
        )
    more = max(0, depth - 5)
    attributes = shape.adjectives + (0 if shape.verbs else more)
    rules = Count(5 + more, 9 + more, 8.05 + more)
    return replace(shape, depth=depth, rules=rules, adjectives=attributes)


def wide(depth: int, share: float, rng: random.Random) -> Shape:
    """A new structure every time, of any depth up to `depth`: the variety that training needs."""
    family = _WIDE[int(share * len(_WIDE))]
    own = rng.randint(min(1, depth), depth)
    rules = own + rng.choice((0, 1, 2, 4, 8, 16))
    negation = rng.choice((0.0, 0.15, 0.4))
    shape = Shape(
        f"Wide{family.__name__.strip('_').title()}",
        own,
        entities=Count.exactly(rng.randint(2, 8)),
        facts=Count.between(3, rng.choice((6, 12, 30))),
        rules=Count.exactly(max(2, rules)),
        adjectives=own + rng.randint(2, 6),
        people=rng.choice((0.0, 1.0)),
        conditions=rng.choice(_CONDITIONS),
        negative_facts=negation * rng.random(),
        negative_heads=negation * rng.random() / 2,
        absent=negation,
        ground=rng.choice((0.0, 0.15, 0.5)),
        linked=rng.uniform(0.2, 0.8),
        alive=rng.uniform(0.3, 1.0),
        fresh=rng.random(),
        bushy=rng.random(),
        crowded=rng.choice((0.0, 0.2, 0.5)),
        bare=rng.random(),
        compound=rng.choice((0.0, 0.0, 0.3)),
        everyday=rng.choice((0.0, 0.5)),
    )
    return family(shape, rng)


_CONDITIONS: Final = (
    (1.0,), (0.5, 0.5), (0.3, 0.4, 0.3), (0.25, 0.25, 0.25, 0.25), (0.1, 0.5, 0.3, 0.1),
)  # fmt: skip


def _attributes(shape: Shape, rng: random.Random) -> Shape:
    """Anne is kind: adjectives only."""
    return replace(shape, names=rng.choice((0.0, 1.0)))


def _kinds(shape: Shape, rng: random.Random) -> Shape:
    """Arthur is a bird, birds can fly: some of the attributes are classes and abilities."""
    classes = rng.randint(1, shape.adjectives - 1)
    abilities = rng.randint(0, shape.adjectives - classes)
    return replace(
        shape,
        names=rng.choice((0.5, 1.0)),
        adjectives=shape.adjectives - classes - abilities,
        classes=classes,
        abilities=abilities,
        bare=0.2,
    )


def _relations(shape: Shape, rng: random.Random) -> Shape:
    """The cat likes the dog, Anne visits Bob; maybe with classes and abilities."""
    related = rng.uniform(0.3, 0.9)
    return replace(
        shape,
        entities=Count.exactly(max(3, shape.entities.low)),
        adjectives=rng.randint(1, 5),
        classes=rng.choice((0, 0, 2)),
        abilities=rng.choice((0, 0, 1)),
        verbs=rng.randint(1, 5),
        names=rng.choice((0.0, 0.5, 1.0)),
        ground_heads=(1 - shape.ground) * rng.choice((0.0, 0.3, 0.6)),
        relational_facts=related,
        relational_conditions=rng.uniform(0.3, 0.8),
        relational_heads=rng.uniform(0.3, 0.8),
    )


def _circuits(shape: Shape, rng: random.Random) -> Shape:
    """The circuit has the switch, the switch is on: no variable, several entities in a rule."""
    return replace(
        _relations(shape, rng),
        entities=Count.exactly(rng.randint(4, 10)),
        names=rng.choice((0.0, 0.0, 0.3)),
        ground=1.0,
        ground_heads=0.0,
        linked=rng.uniform(0.5, 0.95),
        loose=rng.choice((0.0, 0.2, 0.5)),
    )


def _machines(shape: Shape, rng: random.Random) -> Shape:
    """As circuits, but one thing has all the others."""
    return replace(
        _circuits(shape, rng),
        hub=True,
        adjectives=rng.randint(2, 8),
        verbs=rng.choice((1, 1, 2)),
        relational_heads=rng.choice((0.0, 0.2)),
        relational_facts=rng.uniform(0.4, 0.8),
        compound=0.3,
        everyday=0.8,
    )


_WIDE: Final = (
    _attributes, _kinds, _relations, _relations, _circuits, _circuits, _machines, _machines,
)  # fmt: skip
PRESETS: Final[Mapping[str, Preset]] = {"ruletaker": ruletaker, "wide": wide}
