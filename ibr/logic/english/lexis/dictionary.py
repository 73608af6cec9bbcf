"""The tables of `lemminflect`, looked up where they are. Knows words and their forms, no grammar.

`lemminflect` itself makes dictionaries of all of them first, which takes half a second and loads
numpy; a rulebook needs a few dozen words. The answers are the same for every word.
"""

from __future__ import annotations

import gzip
from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

Forms = dict[str, tuple[str, ...]]

_TAGS: Final = {  # the columns of the table of inflections
    "noun": ("NNS",),
    "adj": ("JJR", "JJS"),
    "adv": ("RBR", "RBS"),
    "verb": ("VBD", "VBN", "VBG", "VBZ"),
}
_BASE: Final = {"noun": ("NN",), "adj": ("JJ",), "adv": ("RB",), "verb": ("VB", "VBP")}
_PARTS: Final = {"NOUN": ("NN",), "ADJ": ("JJ",), "ADV": ("RB",), "VERB": ("VB", "MD")}
_AUXILIARIES: Final[dict[str, Forms]] = {  # instead of what the table says
    "can": {"VB": ("can",), "VBD": ("could",)},
    "may": {"VB": ("may",), "VBD": ("might",)},
    "will": {"VB": ("will",), "VBD": ("would",)},
    "shall": {"VB": ("shall",), "VBD": ("should",)},
    "must": {"VB": ("must",), "VBD": ("must",)},
    "ought": {"VB": ("ought",), "VBD": ("ought",)},
    "dare": {"VB": ("dare",)},
    "be": {
        "VB": ("be",), "VBD": ("was", "were"), "VBG": ("being",), "VBN": ("been",),
        "VBP": ("am", "are"), "VBZ": ("is",),
    },
}  # fmt: skip


def lemmas(word: str) -> Forms:
    """By part of speech: lemmas("signed") = {"ADJ": ("signed",), "VERB": ("sign",)}."""
    low, found = word.lower(), {}
    for category, forms in _rows("lemma_lu.csv.gz", low):
        found["AUX" if category == "modal" else category.upper()] = tuple(forms.split("/"))
    return _as_written(word, found | _overrides("lemma_overrides.csv", low))


def inflections(lemma: str, part: str) -> Forms:
    """By Penn tag: inflections("sign", "NOUN") = {"NNS": ("signs",), "NN": ("sign",)}."""
    low, found = lemma.lower(), Forms()
    for category, *columns in _rows("infl_lu.csv.gz", low):
        forms = zip(_TAGS[category], columns, strict=False)
        found |= {tag: tuple(said.split("/")) for tag, said in forms if said}
        found |= dict.fromkeys(_BASE[category], (low,))
    found = _AUXILIARIES.get(low, found) | _overrides("infl_overrides.csv", low)
    wanted = {tag: said for tag, said in found.items() if tag.startswith(_PARTS[part])}
    return _as_written(lemma, wanted)


def is_proper(word: str) -> bool:
    """Does the dictionary itself write it with a capital: Rex, Kim, London, German?"""
    return word[:1].isupper() and any(True for _ in _rows("infl_lu.csv.gz", word))


def _as_written(word: str, forms: Forms) -> Forms:
    style: Callable[[str], str] = str.capitalize if word[:1].isupper() else str.lower
    style = str.upper if word.isupper() else style
    return {name: tuple(map(style, said)) for name, said in forms.items()}


def _rows(table: str, word: str) -> Iterator[list[str]]:
    """The columns after the word, of each of its lines."""
    lines, key = _lines(table), f"{word},"
    at = bisect_left(lines, key)
    while at < len(lines) and lines[at].startswith(key):
        yield lines[at][len(key) :].split(",")
        at += 1


def _overrides(table: str, word: str) -> Forms:
    """`dare,VBD,dared`: one form each."""
    return {name: (form,) for name, form in _rows(table, word)}


@cache
def _lines(table: str) -> list[str]:
    found = find_spec("lemminflect")
    assert found is not None
    assert found.origin is not None
    data = (Path(found.origin).parent / "resources" / table).read_bytes()
    text = (gzip.decompress(data) if table.endswith(".gz") else data).decode()
    return sorted(text.splitlines())
