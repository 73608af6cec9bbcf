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
from ibr.logic.surface.words import GIVEN_NAMES, NATIONS

_PERSON_ENDINGS = ("er", "or", "ee", "ist", "ian", "man", "woman", "eer")
_PERSONS = LISTS["persons"]
_NOT_PERSONS = LISTS["people-things"] | LISTS["animals"] | (LISTS["things"] - _PERSONS)


def is_person(head: str) -> bool:
    last = head.rpartition(" ")[2].lower()
    by_ending = len(last) > 3 and last.endswith(_PERSON_ENDINGS)
    return last not in _NOT_PERSONS and (last in _PERSONS or by_ending)


def is_common(word: str) -> bool:
    """Whether a capitalised first word can stand as a subject without being a name."""
    lower = word.lower()
    common = bool({MASS, GERUND, PLURAL} & classes(lower)) or is_kind(lower)
    return common and is_listed(lower) and not is_proper(word)


def is_kind(word: str) -> bool:
    """A kind of person or thing that needs an article: visitor, package. (But Lea, a meadow?)"""
    found = classes(word) if is_listed(word) else frozenset()
    return NOUN in found and MASS not in found and (word in LISTS["things"] or is_person(word))


def is_property(first: str, name: str) -> bool:
    """Big Dave: is "Big" his name, or is he big?"""
    lower = first.lower()
    known = LISTS["in-names"] | NATIONS | GIVEN_NAMES
    plain = ADJECTIVE in classes(lower) and is_listed(lower) and lower not in known
    return plain and (name.lower() in GIVEN_NAMES or is_proper(name))
