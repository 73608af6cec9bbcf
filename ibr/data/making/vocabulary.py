"""The words that generated theories are made of: RuleTaker's own, a bundled open list, or files.

A Vocabulary only lists words; which of them a theory uses is drawn by `world`. Every word is one
that `ibr.logic.templates` reads back as what it was written for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ibr.data.making.errors import VocabularyError
from ibr.logic.clause import Clause, Literal, Name
from ibr.logic.templates import parse, write_literal
from ibr.logic.wording import third_person

_WORDS = Path(__file__).parent / "words"
# Words that sound as if they began with a vowel: an hour, but a unicorn.
_AN = re.compile(r"(?!uni|us[aeiu]|ut[ei]|eu|one|ewe)[aeiou]|heir|hon|hour", re.IGNORECASE)
_ADJECTIVES = (
    "red", "blue", "green", "kind", "nice", "big", "cold", "young", "round", "rough",
    "white", "smart", "quiet", "furry",
)  # fmt: skip


@dataclass(frozen=True)
class Vocabulary:
    """Words by what they do. `relational_adjectives` are those of theories with verbs."""

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
            raise VocabularyError(
                f"vocabulary {self.name}: nothing to speak of: add names or nouns"
            )
        if not self.adjectives:
            raise VocabularyError(f"vocabulary {self.name} has nothing to say: add adjectives.txt")

    def __len__(self) -> int:
        return sum(len(getattr(self, role)) for role in _ROLES)


_ROLES = ("names", "nouns", "adjectives", "verbs", "classes", "abilities")

RULETAKER = Vocabulary(
    name="ruletaker",
    names=("Anne", "Bob", "Charlie", "Dave", "Erin", "Fiona", "Gary", "Harry"),
    nouns=(
        "bald eagle", "bear", "cat", "cow", "dog", "lion", "mouse", "rabbit", "squirrel", "tiger",
    ),
    adjectives=_ADJECTIVES,
    verbs=("chases", "eats", "likes", "needs", "sees", "visits"),
    relational_adjectives=_ADJECTIVES[:10],
)  # fmt: skip


def vocabulary(name: str) -> Vocabulary:
    """ "ruletaker", "open", or the path of a folder with names.txt, nouns.txt, adjectives.txt,
    verbs.txt (base forms), classes.txt and abilities.txt, one word a line, each optional."""
    if name == RULETAKER.name:
        return RULETAKER
    if name == "open":
        return _open()
    if Path(name).is_dir():
        return read_folder(Path(name))
    raise VocabularyError(
        f'no vocabulary {name!r}: use "ruletaker", "open" or the path of a folder of word files'
    )


@cache
def _open() -> Vocabulary:
    # Bundled words were checked by the tests; checking all of them again would take a second.
    return _build(_WORDS, "open")


def read_folder(folder: Path) -> Vocabulary:
    """A vocabulary from someone's own files, every word checked."""
    for role in _ROLES:
        for number, word in _lines(folder / f"{role}.txt"):
            _check(folder / f"{role}.txt", number, role, word)
    return _build(folder, str(folder))


def _build(folder: Path, name: str) -> Vocabulary:
    words = {role: [word for _, word in _lines(folder / f"{role}.txt")] for role in _ROLES}
    words["verbs"] = [third_person(verb) for verb in words["verbs"]]
    return Vocabulary(name, **{role: tuple(dict.fromkeys(words[role])) for role in _ROLES})


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """(line number, word): blank lines and # comments left out; no file, no words."""
    if not path.is_file():
        return
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), start=1):
        word = " ".join(line.split())
        if word and not word.startswith("#"):
            yield number, word


def _check(path: Path, number: int, role: str, word: str) -> None:
    """A word must come back from a sentence as itself, whatever is said with it."""
    literal = sample(role, word)
    for said in (literal, literal.negation):
        text = write_literal(said)
        reading = parse(text)
        if reading is None or reading.clauses != (Clause(said),):
            raise VocabularyError(
                f"{path}:{number}: {word!r} cannot be used: {text!r} would not be read as "
                f"{role} are; choose another word"
            )


def sample(role: str, word: str) -> Literal:
    """The simplest statement that uses a word of this role."""
    anyone = Name("Anne")
    return {
        "names": lambda: Literal(Name(word), "is", Name("kind", "kind")),
        "nouns": lambda: Literal(Name(word), "is", Name("kind", "kind")),
        "adjectives": lambda: Literal(anyone, "is", adjective(word)),
        "verbs": lambda: Literal(anyone, third_person(word), Name("cat")),
        "classes": lambda: Literal(anyone, "is", class_noun(word)),
        "abilities": lambda: Literal(anyone, f"can {word}", ""),
    }[role]()


def adjective(word: str) -> Name:
    return Name(word, word)


def class_noun(word: str) -> Name:
    """ "ostrich" → what "an ostrich" says."""
    return Name(word, f"{'an' if _AN.match(word) else 'a'} {word}")
