"""Who is a person, what is a name, and which nouns say little: by lists, endings and titles.

For pronouns ("he" is a person), and for the first word of a sentence ("Bill", but not "Visitor").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ibr.logic.english.lexis import forms
from ibr.logic.english.lexis.forms import classes, is_listed, is_proper, singular
from ibr.logic.english.lexis.knowledge import is_animal
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.splitting import Raw
from ibr.logic.surface.words import GIVEN_NAMES, NATIONS

_PERSON_ENDINGS = ("er", "or", "ee", "ist", "ian", "man", "woman", "eer")
_NOT_PERSONS = LISTS["people-things"] | (LISTS["things"] - LISTS["persons"])


def is_person(head: str) -> bool:
    last = head.rpartition(" ")[2].lower()
    by_ending = len(last) > 3 and last.endswith(_PERSON_ENDINGS)
    known = last in LISTS["persons"] or by_ending
    return known and last not in _NOT_PERSONS and not is_animal(last)


def is_common(word: str) -> bool:
    """Whether a capitalised first word can stand as a subject without being a name."""
    lower = word.lower()
    common = bool({forms.MASS, forms.GERUND, forms.PLURAL} & classes(lower)) or is_kind(lower)
    return common and is_listed(lower) and not is_proper(word)


def is_kind(word: str) -> bool:
    """A kind of person or thing that needs an article: visitor, package. (But Lea, a meadow?)"""
    found = classes(word) if is_listed(word) else frozenset()
    return (
        forms.NOUN in found
        and forms.MASS not in found
        and (word in LISTS["things"] or is_person(word))
    )


def is_property(first: str, name: str) -> bool:
    """Big Dave: is "Big" his name, or is he big?"""
    lower = first.lower()
    known = LISTS["in-names"] | NATIONS | GIVEN_NAMES
    plain = forms.ADJECTIVE in classes(lower) and is_listed(lower) and lower not in known
    return plain and (name.lower() in GIVEN_NAMES or is_proper(name))


def vague_in(sentences: Sequence[Sequence[Raw]]) -> frozenset[str]:
    """Words for anything at all that open one sentence only, or several: goods, creatures."""
    inside = {singular(raw.low) for sentence in sentences for raw in sentence[2:]}
    nouns = [{singular(raw.low) for raw in sentence} for sentence in sentences]
    said = [noun for some in nouns for noun in some & LISTS["anything"]]
    return frozenset(n for n in said if said.count(n) == 1 or n not in inside)


def places_in(sentences: Sequence[Sequence[Raw]]) -> frozenset[str]:
    """Names that "in" stands before: Norwood"""
    pairs = (pair for said in sentences for pair in pairwise(said))
    return frozenset(name.text for word, name in pairs if word.low == "in" and name.name)


def names_alone(texts: Sequence[str]) -> Iterator[str]:
    """Words with at most one word in capitals before them: the Rita of Rita and Intern Rita"""
    before: dict[str, set[str]] = {}
    for said in (text.replace("'s", " ").split() for text in texts):
        for last, word in zip(["", *said], said, strict=False):
            title = last if last[:1].isupper() and last[-1:].isalpha() else ""
            before.setdefault(word.strip(".,;:!?()"), set()).add(title)
    return (word for word, titles in before.items() if len(titles - {""}) < 2)
