"""Who is who in a rulebook: descriptions, roles, and what pronouns point to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ibr.logic.english.lexis import closed
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.people import is_person
from ibr.logic.english.meaning.terms import Ind, Kind, Owned
from ibr.logic.surface.words import GIVEN_NAMES, words

_ANIMALS = LISTS["animals"]
_TITLES = words("mr mrs ms miss dr prof professor sir lady lord captain coach chef")
HE = LISTS["he"]


class Refusal(Exception):
    """Why a sentence has no reading that is certain."""


class NeedVariable(Exception):
    """An indefinite noun phrase is spoken of again: it must be a variable or a witness."""

    def __init__(self, at: int) -> None:
        self.at = at


class Ref(NamedTuple):
    """Something that was mentioned. `at`: of a noun phrase that is no individual yet."""

    term: Any
    noun: str
    plural: bool = False
    person: bool | None = None
    at: int = -1
    subject: bool = False
    depth: int = 0


@dataclass
class Discourse:
    """What the sentences so far (and the whole rulebook's descriptions) speak of."""

    described: dict[str, Kind] = field(default_factory=dict)  # key of an Ind -> its description
    roles: set[str] = field(default_factory=set)  # descriptions that somebody is said to be
    members: dict[str, list[Ind]] = field(default_factory=dict)  # noun -> who is one, by facts
    before: list[Ref] = field(default_factory=list)  # mentioned in the sentence before
    owned: dict[tuple[Any, str], Owned] = field(default_factory=dict)
    witnesses: dict[str, list[Any]] = field(default_factory=dict)  # noun -> indefinites of facts
    aliases: dict[str, Any] = field(default_factory=dict)  # description -> who it is, in questions

    def definite(self, kind: Kind) -> Ind:
        """The individual that a description fits: the same one, or the only one it can be."""
        key = describe(kind)
        if key in self.described:
            return Ind(key)
        said = set(key.split())
        noun = head(kind.noun)
        fuller = [
            k
            for k, d in self.described.items()
            if head(d.noun) == noun
            and said < set(k.split())
            and not closed.PRIVATIVE & set(k.split())
        ]
        if len(fuller) == 1:
            return Ind(fuller[0])
        self.described[key] = kind
        return Ind(key)


def head(noun: str) -> str:
    return noun.rpartition(" ")[2]


def describe(kind: Kind) -> str:
    """old bridge; owner of the shop"""
    from ibr.logic.english.meaning.literals import noun_phrase

    text = " ".join((*kind.mods, kind.noun))
    for prep, term in kind.tails:
        text += f" {prep} {noun_phrase(term)}"
    return text


def person_of(term: Any, noun: str) -> bool | None:
    """True, False, or None where nobody knows."""
    if isinstance(term, Ind) and term.key[:1].isupper():
        first = term.key.partition(" ")[0].rstrip(".").lower()
        return True if first in GIVEN_NAMES or first in _TITLES else None
    if not noun:
        return None
    if head(noun) in _ANIMALS:
        return None
    return is_person(noun)
