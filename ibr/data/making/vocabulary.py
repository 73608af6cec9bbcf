"""The words that generated theories are made of: RuleTaker's own, a bundled open list, or files.

A Vocabulary lists words; a World has those of one theory, and all that can be stated with them.
Every word is read by `ibr.logic.surface.templates` as what it was written for.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from pathlib import Path
from typing import Final

from ibr.data.making.shape import GenerateError, Shape
from ibr.logic.clause import Clause, Literal, Name, Program
from ibr.logic.surface.templates import parse, write_literal
from ibr.logic.surface.wording import base_form, third_person

WORDS: Final = Path(__file__).parent / "words"
_BUNDLED: Final = {"ruletaker": WORDS / "ruletaker", "open": WORDS}
_ROLES: Final = ("names", "nouns", "adjectives", "verbs", "classes", "abilities")
# Words that sound as if they began with a vowel: an hour, but a unicorn.
_AN: Final = re.compile(r"(?!uni|us[aeiu]|ut[ei]|eu|one|ewe)[aeiou]|heir|hon|hour", re.IGNORECASE)
MAX_DRAWN: Final = 4096  # random statements that are drawn: all in theories of usual size
_PARTICLES: Final = ("on", "off", "out", "up", "down", "in", "over", "away", "inside", "outside")
Attribute = tuple[str, str]  # (relation, object): ("is", "kind"), ("can fly", "")


@dataclass(frozen=True)
class Vocabulary:
    """Words by role. `relational_adjectives` are those of theories with verbs."""

    name: str
    names: tuple[str, ...] = ()  # Anne
    nouns: tuple[str, ...] = ()  # the bald eagle
    adjectives: tuple[str, ...] = ()  # is kind
    verbs: tuple[str, ...] = ()  # likes the …, runs through the …: third person
    classes: tuple[str, ...] = ()  # is a bird
    abilities: tuple[str, ...] = ()  # can fly
    relational_adjectives: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.relational_adjectives:
            object.__setattr__(self, "relational_adjectives", self.adjectives)
        if not self.names and not self.nouns:
            raise GenerateError(f"vocabulary {self.name} has no entities: add names or nouns")
        if not self.adjectives:
            raise GenerateError(f"vocabulary {self.name} has no attributes: add adjectives.txt")

    def __len__(self) -> int:
        return sum(len(getattr(self, role)) for role in _ROLES)


@cache
def vocabulary(name: str) -> Vocabulary:
    """ "ruletaker", "open", or the path of a folder with names.txt, nouns.txt, adjectives.txt,
    verbs.txt (base forms), classes.txt and abilities.txt, one word a line, each optional.
    """
    folder = _BUNDLED.get(name, Path(name))
    if not folder.is_dir():
        raise GenerateError(
            f'no vocabulary {name!r}: use "ruletaker", "open" or the path of a folder of word files'
        )
    words: dict[str, tuple[str, ...]] = {}
    for role in (*_ROLES, "relational_adjectives"):
        lines = list(read_words(path := folder / f"{role}.txt"))
        if name not in _BUNDLED and role in _ROLES:  # the tests check those: it takes a second
            for number, word in lines:
                _check(path, number, role, word)
        forms = (third_person(word) if role == "verbs" else word for _, word in lines)
        words[role] = tuple(dict.fromkeys(forms))
    return Vocabulary(name, **words)


def read_words(path: Path) -> Iterator[tuple[int, str]]:
    """(line number, word) without blank lines and # comments; no words if there is no file."""
    if not path.is_file():
        return
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), start=1):
        word = " ".join(line.split())
        if word and not word.startswith("#"):
            yield number, word


def _check(path: Path, number: int, role: str, word: str) -> None:
    """A word must be read from its simplest sentences as it was written."""
    literal = sample(role, word)
    for stated in (literal, literal.negation):
        text = write_literal(stated)
        reading = parse(text)
        if reading is None or reading.clauses != (Clause(stated),):
            raise GenerateError(
                f"{path}:{number}: {word!r} cannot be used: {text!r} would not be read as "
                f"{role} are; choose another word"
            )


def sample(role: str, word: str) -> Literal:
    """The simplest statement that uses a word of this role."""
    if role in ("names", "nouns"):
        return Literal(Name(word), "is", adjective("kind"))
    relation, obj = {
        "adjectives": ("is", adjective(word)),
        "verbs": (third_person(word), Name("cat")),
        "classes": ("is", class_noun(word)),
        "abilities": (f"can {word}", ""),
    }[role]
    return Literal(Name("Anne"), relation, obj)


def adjective(word: str) -> Name:
    return Name(word, word)


def class_noun(word: str) -> Name:
    """ "ostrich" → the class in "is an ostrich"."""
    return Name(word, f"{'an' if _AN.match(word) else 'a'} {word}")


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
    taken: set[str] = set()

    def draw(role: str, words: Sequence[str], count: int) -> list[str]:
        drawn: list[str] = []
        for word in rng.sample(words, min(len(words), count + 8)):
            if len(drawn) < count and _root(word) not in taken:
                taken.add(_root(word))
                drawn.append(word)
        if len(drawn) < count:
            raise GenerateError(
                f"vocabulary {vocabulary.name} has {len(words)} {role}, but a theory needs {count} "
                'of its own: ask for less, or use the vocabulary "open"'
            )
        return drawn

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


def _root(word: str) -> str:
    """Rough: "cooks" and "cook" count as one word."""
    lowered = word.lower()
    return base_form(lowered) if lowered.endswith("s") else lowered
