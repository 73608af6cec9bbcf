"""Who is a person, and what is a name: by lists, endings and titles.

For pronouns ("he" is a person), and for the first word of a sentence ("Bill", but not "Visitor").
"""

from __future__ import annotations

from ibr.logic.english.lexis.forms import (
    ADJECTIVE,
    GERUND,
    MASS,
    NOUN,
    PLURAL,
    classes,
    is_listed,
    is_proper,
)
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.priors import THINGS
from ibr.logic.surface.words import GIVEN_NAMES, NATIONS

_PERSON_ENDINGS = ("er", "or", "ee", "ist", "ian", "man", "woman", "eer")
_PERSONS = LISTS["persons"]
_THINGS = LISTS["people-things"]


_IN_NAMES = LISTS["in-names"]
_TITLES = LISTS["titles"]


def is_person_name(name: str) -> bool:
    first = name.partition(" ")[0]
    given = first.lower() in GIVEN_NAMES or is_proper(first)
    return first.lower() in _TITLES or (given and not any(c.isdigit() for c in name))


def is_person(head: str) -> bool:
    last = head.rpartition(" ")[2].lower()
    if last in _THINGS or last in THINGS - _PERSONS:
        return False
    return last in _PERSONS or (len(last) > 3 and last.endswith(_PERSON_ENDINGS))


def is_common(word: str) -> bool:
    """Whether a capitalised first word can stand as a subject without being a name."""
    lower = word.lower()
    common = bool({MASS, GERUND, PLURAL} & classes(lower)) or is_kind(lower)
    return common and is_listed(lower) and not is_proper(word)


def is_kind(word: str) -> bool:
    """A kind of person or thing that needs an article: visitor, package. (But Lea, a meadow?)"""
    found = classes(word) if is_listed(word) else frozenset()
    return NOUN in found and MASS not in found and (word in THINGS or is_person(word))


def is_property(first: str, name: str) -> bool:
    """Big Dave: is "Big" his name, or is he big?"""
    lower = first.lower()
    plain = ADJECTIVE in classes(lower) and is_listed(lower) and lower not in _IN_NAMES | NATIONS
    return plain and lower not in GIVEN_NAMES and (name.lower() in GIVEN_NAMES or is_proper(name))
