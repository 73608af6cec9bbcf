"""Nouns of resolving: who SELF is, where a phrase stands, what a subject takes for granted."""

from __future__ import annotations

from typing import NamedTuple

from ibr.logic.english.grammar.meaning import All, Formula, Given


class Self(NamedTuple):
    """What SELF stands for: a term, and "'s badge " if it is something of that term."""

    term: str
    of: str = ""


class Place(NamedTuple):
    """Where a phrase stands: in a condition, and under a negation."""

    condition: bool
    negated: bool = False


class Who(NamedTuple):
    """A subject: who it is, what that takes for granted, and whether it denies ("no member")."""

    me: Self
    given: tuple[Formula, ...] = ()
    negative: bool = False


def granted(said: Formula, given: tuple[Formula, ...], place: Place) -> Formula:
    if not given:
        return said
    return All((*given, said)) if place.condition else Given(All(given), said)
