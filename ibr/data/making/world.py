"""What one theory can be about: its entities and everything that can be stated about them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Final

from ibr.data.making.shape import GenerateError, Shape
from ibr.data.making.vocabulary import Vocabulary, adjective, class_noun
from ibr.logic.clause import Literal, Name, Program
from ibr.logic.surface.wording import base_form

MAX_DRAWN: Final = 4096  # random statements that are drawn: all in theories of usual size
_PARTICLES: Final = ("on", "off", "out", "up", "down", "in", "over", "away", "inside", "outside")
Attribute = tuple[str, str]  # (relation, object): ("is", "kind"), ("can fly", "")


@dataclass(frozen=True)
class World:
    """The words of a theory. A generated theory may not use all of them."""

    entities: tuple[str, ...]
    attributes: tuple[Attribute, ...] = ()
    verbs: tuple[str, ...] = ()  # between two entities
    hub: str | None = None  # the only subject of verbs

    @classmethod
    def of(cls, program: Program) -> World:
        """The words that a program uses."""
        literals = [lit for _, clause in program for lit in (clause.head, *clause.body)]
        entities = (t for lit in literals for t in (lit.subject, lit.object) if t in lit.entities)
        qualities = _worded(lit.object for lit in literals if lit.relation == "is")
        verbs = {lit.relation for lit in literals if lit.relation != "is" and lit.object}
        abilities = sorted({lit.relation for lit in literals if not lit.object})
        attributes = [*(("is", word) for word in qualities), *((verb, "") for verb in abilities)]
        return cls(_worded(entities), tuple(attributes), tuple(sorted(verbs)))

    @cached_property
    def atoms(self) -> tuple[Literal, ...]:
        """Every positive statement, entity by entity; no verb has one entity in both places."""
        return tuple(atom for e in self.entities for atom in (*self.plain(e), *self.relational(e)))

    def plain(self, subject: str) -> list[Literal]:
        return [Literal(subject, relation, object_) for relation, object_ in self.attributes]

    def relational(self, subject: str) -> list[Literal]:
        if self.hub is not None and subject != self.hub:
            return []
        others = [e for e in self.entities if e != subject]
        return [Literal(subject, verb, other) for verb in self.verbs for other in others]

    def draw_atoms(self, rng: random.Random) -> Iterator[Literal]:
        """What can be asked, in random order, each once (at most MAX_DRAWN)."""
        attributes = sorted(self.attributes, key=lambda attribute: attribute[0] != "is")
        predicates = [*attributes, *product(self.verbs, self.entities)]
        size = len(self.entities) * len(predicates)
        for k in rng.sample(range(size), min(size, MAX_DRAWN)):
            yield Literal(self.entities[k // len(predicates)], *predicates[k % len(predicates)])


def _worded(terms: Iterable[str]) -> tuple[str, ...]:
    """Each term once, sorted; a Name, which has a wording, before a bare string."""
    found: dict[str, str] = {}
    for term in terms:
        if term not in found or isinstance(term, Name):
            found[term] = term
    return tuple(found[term] for term in sorted(found))


def draw_world(shape: Shape, entities: int, vocabulary: Vocabulary, rng: random.Random) -> World:
    """Words for a theory, no word in two roles ("a cook", "can cook")."""
    draw = _Draw(vocabulary.name, rng)
    names = sum(rng.random() < shape.names for _ in range(entities))
    things = [Name(word) for word in draw("names", vocabulary.names, names)]
    nouns = draw("nouns", vocabulary.nouns, entities - names)
    described = [*vocabulary.nouns, *vocabulary.adjectives]
    for place in [k for k in range(len(nouns)) if rng.random() < shape.compound]:
        (first,) = draw("words", described, 1)
        # "the light bulb", but "the rhinoceros": its s would be read as a plural
        if not first.endswith("s") and not nouns[place].endswith("s"):
            nouns[place] = f"{first} {nouns[place]}"
    things += map(Name, nouns)
    rng.shuffle(things)
    known = vocabulary.relational_adjectives if shape.verbs else vocabulary.adjectives
    adjectives = draw("adjectives", known, shape.adjectives)
    classes = draw("classes", vocabulary.classes, shape.classes)
    abilities = draw("abilities", vocabulary.abilities, shape.abilities)
    verbs = draw("verbs", vocabulary.verbs, shape.verbs)
    if adjectives and rng.random() < shape.everyday:
        adjectives[0] = rng.choice(_PARTICLES)
    if verbs and rng.random() < shape.everyday:
        verbs[0] = "has"
    attributes: list[Attribute] = [("is", adjective(word)) for word in adjectives]
    attributes += [("is", class_noun(word)) for word in classes]
    attributes += [(f"can {word}", "") for word in abilities]
    rng.shuffle(attributes)
    return World(tuple(things), tuple(attributes), tuple(verbs), things[0] if shape.hub else None)


@dataclass(frozen=True)
class _Draw:
    vocabulary: str
    rng: random.Random
    taken: set[str] = field(default_factory=set)

    def __call__(self, role: str, words: Sequence[str], count: int) -> list[str]:
        drawn: list[str] = []
        for word in self.rng.sample(words, min(len(words), count + 8)):
            if len(drawn) < count and _root(word) not in self.taken:
                self.taken.add(_root(word))
                drawn.append(word)
        if len(drawn) < count:
            raise GenerateError(
                f"vocabulary {self.vocabulary} has {len(words)} {role}, but a theory needs {count} "
                'of its own: ask for less, or use the vocabulary "open"'
            )
        return drawn


def _root(word: str) -> str:
    """Rough: "cooks" and "cook" count as one word."""
    lowered = word.lower()
    return base_form(lowered) if lowered.endswith("s") else lowered
