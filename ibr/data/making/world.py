"""What one theory can speak of: its entities and everything that can be said of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ibr.data.making.errors import VocabularyError
from ibr.data.making.shape import Shape
from ibr.data.questions import Signature
from ibr.data.vocabulary import Vocabulary, adjective, class_noun
from ibr.logic.clause import Literal, Name
from ibr.logic.wording import base_form

_PARTICLES = ("on", "off", "out", "up", "down", "in", "over", "away", "inside", "outside")
Attribute = tuple[str, str]  # (relation, object): ("is", "kind"), ("can fly", "")


@dataclass(frozen=True)
class World:
    entities: tuple[Name, ...]
    attributes: tuple[Attribute, ...]
    verbs: tuple[str, ...] = ()
    hub: Name | None = None  # alone does things to others

    @cached_property
    def atoms(self) -> tuple[Literal, ...]:
        """Every positive statement, entity by entity; nothing does anything to itself."""
        return tuple(atom for e in self.entities for atom in (*self.plain(e), *self.relational(e)))

    @property
    def signature(self) -> Signature:
        """The same as what questions may ask."""
        return Signature(
            self.entities,
            tuple(object_ for relation, object_ in self.attributes if relation == "is"),
            self.verbs,
            tuple(relation for relation, _ in self.attributes if relation != "is"),
        )

    def plain(self, subject: str) -> list[Literal]:
        return [Literal(subject, relation, object_) for relation, object_ in self.attributes]

    def relational(self, subject: str) -> list[Literal]:
        if self.hub is not None and subject != self.hub:
            return []
        others = [e for e in self.entities if e != subject]
        return [Literal(subject, verb, other) for verb in self.verbs for other in others]


def draw_world(shape: Shape, entities: int, vocabulary: Vocabulary, rng: random.Random) -> World:
    """Words for a theory, no word in two roles ("a cook", "can cook")."""
    draw = _Draw(vocabulary.name, set(), rng)
    names = sum(rng.random() < shape.names for _ in range(entities))
    things = [Name(word) for word in draw("names", vocabulary.names, names)]
    nouns = draw("nouns", vocabulary.nouns, entities - names)
    described = [*vocabulary.nouns, *vocabulary.adjectives]
    for place in [k for k in range(len(nouns)) if rng.random() < shape.compound]:
        (first,) = draw("words", described, 1)
        nouns[place] = _compound(first, nouns[place])
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
    said: list[Attribute] = [("is", adjective(word)) for word in adjectives]
    said += [("is", class_noun(word)) for word in classes]
    said += [(f"can {word}", "") for word in abilities]
    rng.shuffle(said)
    return World(tuple(things), tuple(said), tuple(verbs), things[0] if shape.hub else None)


def _compound(first: str, second: str) -> str:
    """The light bulb; but the rhinoceros, since its s would be taken for a plural's."""
    return second if first.endswith("s") or second.endswith("s") else f"{first} {second}"


@dataclass(frozen=True)
class _Draw:
    vocabulary: str
    taken: set[str]
    rng: random.Random

    def __call__(self, role: str, words: Sequence[str], count: int) -> list[str]:
        drawn: list[str] = []
        for word in self.rng.sample(words, min(len(words), count + 8)):
            if len(drawn) < count and _root(word) not in self.taken:
                self.taken.add(_root(word))
                drawn.append(word)
        if len(drawn) < count:
            raise VocabularyError(
                f"vocabulary {self.vocabulary} has {len(words)} {role}, but a theory needs {count} "
                'of its own: ask for less, or use the vocabulary "open"'
            )
        return drawn


def _root(word: str) -> str:
    """Rough on purpose: "cooks" and "cook" are one word too many for a reader."""
    lowered = word.lower()
    return base_form(lowered) if lowered.endswith("s") else lowered
