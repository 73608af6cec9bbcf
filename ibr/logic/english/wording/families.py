"""Words of one family."""

from __future__ import annotations

from functools import lru_cache
from itertools import takewhile

from ibr.logic.budget import spend
from ibr.logic.english.lexis import closed
from ibr.logic.english.lexis.forms import singular, verb_base
from ibr.logic.english.lexis.lists import LISTS

_FAMILIES = tuple(frozenset(group.split("+")) for group in LISTS["families"])
_STEM_ENDINGS = ("er", "ers", "ness", "ing", "ish", "ie", "y")


def noun_of(key: str) -> str:
    """The noun that a description is about: of "key to the box" key, of "drill bit" bit."""
    own = takewhile(lambda word: word not in closed.CLOSED, key.split())
    return [key, *own][-1]


def family(one: str, other: str) -> bool:
    """suspension, suspend; ban, banned; a hyphen is no difference"""
    spend()
    return related(one.rpartition(" ")[2].lower(), other.rpartition(" ")[2].lower())


@lru_cache(maxsize=1 << 16)
def related(one: str, other: str) -> bool:
    """Of two words in lower case."""
    if one == other or any(one in f and other in f for f in _FAMILIES):
        return True
    if len(one) < 3 or len(other) < 3:
        return False
    if _forms(one) & _forms(other):
        return True
    shorter, longer = sorted((one, other), key=len)
    pairs = zip(one, other, strict=False)
    common = len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])
    if common == len(shorter) >= 4 and longer[common:] in LISTS["endings"]:
        return True
    return common >= 5 and common >= 0.5 * len(longer)


def _forms(word: str) -> set[str]:
    found = {word, verb_base(word), singular(word)}
    for ending in _STEM_ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word.removesuffix(ending)
            found |= {stem, stem + "e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem}
    return found | ({word[2:], verb_base(word[2:])} if word.startswith("un") else set())
