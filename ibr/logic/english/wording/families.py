"""Words of one family, and names that may be one name."""

from __future__ import annotations

from functools import lru_cache
from itertools import takewhile

from ibr.logic.budget import spend
from ibr.logic.english.lexis import closed
from ibr.logic.english.lexis.forms import singular, verb_base
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.splitting import TITLES

_PLACES = LISTS["nearness-places"]

_FAMILIES = tuple(frozenset(group.split("+")) for group in LISTS["families"])


def alike_names(one: str, other: str) -> bool:
    """Dr Weber, Ann Weber; Tom with a Cyrillic T; the drill, the old drill"""
    if one == other:
        return False
    if _plain(one) == _plain(other):
        return True
    first, second = one.replace(".", "").split(), other.replace(".", "").split()
    if not (one[:1].isupper() and other[:1].isupper()):
        if one[:1].isupper() or other[:1].isupper() or noun_of(one) != noun_of(other):
            return False
        return set(first) < set(second) or set(second) < set(first)
    bare = [[w for w in n if w.lower() not in TITLES] for n in (first, second)]
    if not bare[0] or not bare[1]:
        return False
    titles = [[w for w in n if w.lower() in TITLES] for n in (first, second)]
    if titles[0] and titles[1] and titles[0] != titles[1]:
        return False
    if one.split()[0].lower() in _PLACES or other.split()[0].lower() in _PLACES:
        return False
    if not (titles[0] or titles[1] or bare[0][0] == bare[1][0] or bare[0][-1] == bare[1][-1]):
        return _initial(bare[0], bare[1]) or _initial(bare[1], bare[0])
    if _initial(bare[0], bare[1]) or _initial(bare[1], bare[0]):
        return True
    return set(bare[0]) <= set(bare[1]) or set(bare[1]) <= set(bare[0])


def noun_of(key: str) -> str:
    """The noun that a description is about: of "key to the box" key, of "drill bit" bit."""
    own = takewhile(lambda word: word not in closed.CLOSED, key.split())
    return [key, *own][-1]


def _initial(one: list[str], other: list[str]) -> bool:
    """F. Brown, Felix Brown"""
    return (
        len(one) == 2 == len(other)
        and one[1] == other[1]
        and len(one[0]) == 1
        and other[0][0] == one[0]
    )


_CONFUSABLE = str.maketrans("АВЕКМНОРСТХаеорсухіѕ", "ABEKMHOPCTXaeopcyxis")


def _plain(name: str) -> str:
    return name.translate(_CONFUSABLE).lower().replace("-", " ")


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
    common = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        common += 1
    shorter, longer = sorted((one, other), key=len)
    if common == len(shorter) >= 4 and longer[common:] in _ENDINGS:
        return True
    return common >= 5 and common >= 0.5 * len(longer)


_ENDINGS = LISTS["endings"]


def _forms(word: str) -> set[str]:
    found = {word, verb_base(word), singular(word)}
    for ending in ("er", "ers", "ness", "ing", "ish", "ie", "y"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word.removesuffix(ending)
            found |= {stem, stem + "e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem}
    if word.startswith("un") and len(word) > 5:
        found |= {word[2:], verb_base(word[2:])}
    return found
