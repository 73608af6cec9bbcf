"""Which words are related in meaning: WordNet's relations of the commoner ones, as a file.

`scripts/make_word_relations.py` makes word_relations.txt and says what its marks mean. The file is
read when the first word is looked up; a line is taken apart when its word is.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache, lru_cache
from pathlib import Path

from ibr.logic.english.lexis.lists import LISTS

_PATH = Path(__file__).with_name("word_relations.txt")
_FIELD = re.compile(r"(\w?\W)(.+)")
_NONE: frozenset[str] = frozenset()
_CONTRARY: dict[str, frozenset[str]] = {}
for _pair in map(str.split, LISTS["contrary"]):
    for _one, _other in (_pair, _pair[::-1]):
        _CONTRARY[_one] = _CONTRARY.get(_one, _NONE) | {_other}


@cache
def _lines() -> list[str]:
    return _PATH.read_text(encoding="utf-8").splitlines()


@lru_cache(maxsize=1 << 14)
def _relations(word: str) -> dict[str, frozenset[str]]:
    """By the mark, which has the class of the word before it: v="""
    lines, key = _lines(), f"{word} "
    at = bisect_left(lines, key)
    found = lines[at] if at < len(lines) and lines[at].startswith(key) else ""
    fields = filter(None, map(_FIELD.fullmatch, found.split()))
    return {field[1]: frozenset(field[2].split(",")) for field in fields}


def same(word: str, part: str) -> frozenset[str]:
    """Synonyms and similar adjectives: shut, closed. `part`: n, v, a or r"""
    return _relations(word).get(f"{part}=", _NONE)


def derived(word: str) -> frozenset[str]:
    """absent, absence"""
    return _relations(word).get("+", _NONE)


def broader(word: str, part: str = "n") -> frozenset[str]:
    """What it is a kind or a part of: poodle, dog; Saturday, weekend"""
    return _relations(word).get(f"{part}^", _NONE) | (everyday(word) if part == "n" else _NONE)


def opposite(word: str, part: str) -> frozenset[str]:
    return _relations(word).get(f"{part}!", _NONE) | _CONTRARY.get(word, _NONE)


def defining(word: str) -> frozenset[str]:
    """The words that say who is called so: redhead, hair"""
    return _relations(word).get("n:", _NONE)


def everyday(word: str) -> frozenset[str]:
    """The everyday kinds that it surely is one of: poodle, dog, animal"""
    return _relations(word).get("n*", _NONE)


REMEMBERED = (_relations,)
