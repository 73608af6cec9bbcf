"""The structure of a theory as numbers: how many of what, and how often. No words, no logic.

A preset draws a Shape for each theory: `ruletaker` has shapes like those of DU5, `wide` any shape.
`growth` builds the theory.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Final

from ibr.errors import InputError


class GenerateError(InputError):
    """A recipe or vocabulary that cannot be used; the message has the reason and what to change."""


@dataclass(frozen=True, slots=True)
class Count:
    """A random whole number from `low` to `high` whose mean is `mean`."""

    low: int
    high: int
    mean: float

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.mean <= self.high:
            raise GenerateError(f"a count {self.low} to {self.high} cannot have mean {self.mean}")

    @classmethod
    def exactly(cls, number: int) -> Count:
        return cls(number, number, number)

    @classmethod
    def between(cls, low: int, high: int) -> Count:
        return cls(low, high, (low + high) / 2)

    def draw(self, rng: random.Random) -> int:
        """Beta-binomial: the ends are rarer than the middle, but not absent."""
        spread = self.high - self.low
        share = (self.mean - self.low) / spread if spread else 0.0
        if not 0 < share < 1:
            return round(self.mean)
        chance = rng.betavariate(4 * share, 4 * (1 - share))
        return self.low + sum(rng.random() < chance for _ in range(spread))


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of theory. Every float is a probability."""

    family: str  # first part of the id, e.g. "AttNeg"
    depth: int  # of the deepest provable statement: all depths up to it occur
    entities: Count = Count(4, 4, 4)
    facts: Count = Count(7, 16, 10.5)
    rules: Count = Count(5, 9, 8.05)
    adjectives: int = 7  # is kind
    classes: int = 0  # is a bird
    abilities: int = 0  # can fly
    verbs: int = 0  # likes the cat; 0 for theories about attributes only
    names: float = 1.0  # each entity is a name, else a noun ("the cat")
    people: float = 0.5  # someone/they/people, else something/it/things
    conditions: tuple[float, ...] = (0.5, 0.5)  # weights of 1, 2, 3 … conditions
    relational_facts: float = 0.0
    relational_conditions: float = 0.0
    relational_heads: float = 0.0
    negative_facts: float = 0.0
    negative_heads: float = 0.0
    absent: float = 0.0  # the rule has a negated condition (negation as failure)
    ground: float = 0.13  # the rule has no variable
    ground_heads: float = 0.0  # a variable in the body, none in the head
    linked: float = 0.4  # a further condition is about an entity that the last ones mention
    loose: float = 0.0  # in a rule without a variable, it is about any entity
    alive: float = 0.9  # a rule beside the backbone fires for some entity
    fresh: float = 0.3  # a rule beside the backbone that fires concludes something new
    bushy: float = 0.0  # further conditions are conclusions of rules, not facts
    bare: float = 2 / 3  # "All kind people are …" or "Kind people are …" where possible, else "If"
    crowded: float = 0.0  # a rule beside the backbone concludes what an earlier one concludes
    hub: bool = False  # only one entity is the subject of verbs
    compound: float = 0.0  # a noun has two words: the light bulb
    everyday: float = 0.0  # one adjective is like "on", and one verb is "has"

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            if isinstance(value, float) and not 0 <= value <= 1:
                raise GenerateError(f"shape {self.family}: {f.name} {value} is not from 0 to 1")
        if self.rules.high < self.depth:
            raise GenerateError(
                f"shape {self.family}: depth {self.depth} needs as many rules, "
                f"but there are at most {self.rules.high}"
            )
        if self.depth + 1 > self.attributes and not self.verbs:
            raise GenerateError(
                f"shape {self.family}: depth {self.depth} needs {self.depth + 1} attributes, "
                f"not {self.attributes}"
            )

    @property
    def attributes(self) -> int:
        """How many different things can be stated of an entity without another."""
        return self.adjectives + self.classes + self.abilities

    def statements(self, entities: int) -> int:
        """How many different facts there can be about so many entities."""
        subjects = 1 if self.hub else entities
        return entities * self.attributes + subjects * self.verbs * (entities - 1)

    def max_facts(self, entities: int) -> int:
        """How many facts leave enough statements to be proved."""
        chain = 0 if self.verbs and entities > 1 else self.depth
        return max(1, min(self.statements(entities) - chain, 3 * self.statements(entities) // 4))


# A function of the depth, a number 0 ≤ share < 1 that selects the family, and an rng.
Preset = Callable[[int, float, random.Random], Shape]


@cache
def _du5() -> list[Shape]:
    """The shape of each theory of DU5 dev, by its four families."""
    text = Path(__file__).with_name("du5_shapes.json").read_text(encoding="utf-8")
    shapes = []
    for family, numbers in json.loads(text).items():
        count, weights = numbers.pop("theories"), tuple(numbers.pop("conditions"))
        shapes += [Shape(family, 5, conditions=weights, **numbers)] * count
    return shapes


def ruletaker(depth: int, share: float, rng: random.Random) -> Shape:
    """DU{depth}. Depths 4 and 5 as DU5 dev; up to 3 smaller, with more negation; beyond, longer."""
    shape = _du5()[int(share * len(_du5()))]
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
    """A new structure every time, of any depth up to `depth`, for varied training data."""
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
    """Arthur is a bird, birds can fly: some attributes are classes and abilities."""
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
    """As circuits, but one thing has all the others: a hub."""
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
