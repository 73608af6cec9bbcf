"""The words that generated theories are made of: RuleTaker's own, a bundled open list, or files.

A Vocabulary only lists words; `world` draws those of one theory. Every word is read by
`ibr.logic.surface.templates` as what it was written for.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from ibr.data.making.shape import GenerateError
from ibr.logic.clause import Clause, Literal, Name
from ibr.logic.surface.templates import parse, write_literal
from ibr.logic.surface.wording import third_person

WORDS: Final = Path(__file__).parent / "words"
_BUNDLED: Final = {"ruletaker": WORDS / "ruletaker", "open": WORDS}
_ROLES: Final = ("names", "nouns", "adjectives", "verbs", "classes", "abilities")
_OPTIONAL: Final = "relational_adjectives"
# Words that sound as if they began with a vowel: an hour, but a unicorn.
_AN: Final = re.compile(r"(?!uni|us[aeiu]|ut[ei]|eu|one|ewe)[aeiou]|heir|hon|hour", re.IGNORECASE)


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
    if name not in _BUNDLED:  # bundled words are checked by the tests: it takes a second
        for role in _ROLES:
            for number, word in read_words(folder / f"{role}.txt"):
                _check(folder / f"{role}.txt", number, role, word)
    words = {
        role: dict.fromkeys(word for _, word in read_words(folder / f"{role}.txt"))
        for role in (*_ROLES, _OPTIONAL)
    }
    words["verbs"] = dict.fromkeys(map(third_person, words["verbs"]))
    return Vocabulary(name, **{role: tuple(some) for role, some in words.items()})


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
