"""The structure of a theory as numbers: how many of what, and how often. No words, no logic.

A Shape is what a preset (`presets`) draws for each theory and what `growth` then builds.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, fields

from ibr.data.making.errors import GenerateError


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
        """Beta-binomial: the ends are rarer than the middle, and still turn up."""
        spread = self.high - self.low
        share = (self.mean - self.low) / spread if spread else 0.0
        if not 0 < share < 1:
            return round(self.mean)
        chance = rng.betavariate(4 * share, 4 * (1 - share))
        return self.low + sum(rng.random() < chance for _ in range(spread))


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of theory. Every float is a chance from 0 to 1."""

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
    linked: float = 0.4  # a further condition is about something the last ones mentioned
    loose: float = 0.0  # in a rule without a variable, it is about anything
    alive: float = 0.9  # a rule beside the backbone fires for someone; else it is a dead end
    fresh: float = 0.3  # a live rule beside the backbone concludes something not proved before
    bushy: float = 0.0  # the backbone takes a rule of several conditions, and proved ones for them
    bare: float = 2 / 3  # "All kind people are …" or "Kind people are …" where possible, else "If"
    crowded: float = 0.0  # a rule beside the backbone concludes what an earlier one concludes
    hub: bool = False  # one entity alone does things to the others
    compound: float = 0.0  # a noun has two words: the light bulb
    everyday: float = 0.0  # of the adjectives one is like "on", and of the verbs one is "has"

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            if isinstance(value, float) and not 0 <= value <= 1:
                raise GenerateError(f"shape {self.family}: {f.name} {value} is no chance 0 to 1")
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

    def statements(self, entities: int) -> int:
        """How many different facts there can be about so many entities."""
        doing = 1 if self.hub else entities
        return entities * self.attributes + doing * self.verbs * (entities - 1)

    def room(self, entities: int) -> int:
        """How many facts leave enough to be proved."""
        chain = 0 if self.verbs and entities > 1 else self.depth
        return max(1, min(self.statements(entities) - chain, 3 * self.statements(entities) // 4))

    @property
    def attributes(self) -> int:
        """How many different things can be said of an entity without another."""
        return self.adjectives + self.classes + self.abilities
