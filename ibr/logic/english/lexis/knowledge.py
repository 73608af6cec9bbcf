"""What every child knows: kinds of kinds, and verbs that imply others.

A rulebook that has the line "No common knowledge." does without the kinds of kinds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextvars import ContextVar
from functools import lru_cache

from ibr.logic.english.lexis.forms import singular
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.relations import everyday

_LISTED: dict[str, set[str]] = {}
for _one, _other in map(str.split, LISTS["knowledge-kinds"]):
    _LISTED.setdefault(_one, set()).add(_other)
_LIVING = {"animal", "tree", "flower", "fruit", "vegetable"}
SEXES = {noun: sex for sex in ("female", "male") for noun in LISTS[f"knowledge-{sex}"]}
IMPLIED = {
    ("verb", "own"): ("have",), ("verb", "possess"): ("have", "own"),
    ("prep", "inside"): ("in",), ("prep", "in"): ("inside",), ("verb", "contain"): ("have",),
}  # fmt: skip
_FEMALE = (("adj", "female"), ("noun", "woman"), ("noun", "girl"))
_MALE = (("adj", "male"), ("noun", "man"), ("noun", "boy"))
_OF_SEX = {
    "female": (("adj", "female", False), *((f, w, True) for f, w in _MALE)),
    "male": (("adj", "male", False), *((f, w, True) for f, w in _FEMALE)),
}
SWITCH = "no common knowledge"
_is_off = ContextVar("off", default=False)


@lru_cache(maxsize=1 << 12)
def _kinds(noun: str) -> frozenset[str]:
    """By the list and by WordNet, with the kinds of these kinds."""
    if noun in LISTS["homonyms"] | LISTS["not-kinds"]:
        return frozenset(_LISTED.get(noun, ()))
    found = everyday(noun) | _LISTED.get(noun, frozenset())
    return found.union(*map(_kinds, found))


REMEMBERED = (_kinds,)


class _Living(Mapping[str, frozenset[str]]):
    """What is known to be a kind of animal or plant, or is listed."""

    def __getitem__(self, noun: str) -> frozenset[str]:
        kinds = _kinds(noun)
        if noun in _LISTED or kinds & _LIVING:
            return kinds
        raise KeyError(noun)

    def __iter__(self) -> Iterator[str]:
        return iter(_LISTED)

    def __len__(self) -> int:
        return len(_LISTED)


KINDS = _Living()


def switch(texts: Iterable[str]) -> None:
    """Off, if the rulebook says so; for all that is compared until the next call."""
    _is_off.set(any(text.strip(" .!").lower() == SWITCH for text in texts))


def is_off() -> bool:
    return _is_off.get()


def kinds_of(noun: str) -> frozenset[str]:
    """owl: animal, bird"""
    return frozenset() if _is_off.get() else _kinds(noun)


def is_animal(noun: str) -> bool:
    return noun in LISTS["animals"] or "animal" in _kinds(noun)


def sex_of(noun: str) -> tuple[tuple[str, str, bool], ...]:
    """aunt: female, not male, no man; but perhaps a girl"""
    return () if _is_off.get() else _OF_SEX.get(SEXES.get(noun, ""), ())


def used(said: str, concluded: str) -> str:
    """What a sentence leaves to common knowledge if it is taken to say that something is that."""
    nouns = {singular(word.strip(".,;:!?").lower()) for word in said.split()}
    found = sorted(noun for noun in nouns if concluded in _kinds(noun))
    return found[0] if found and concluded not in nouns else ""
