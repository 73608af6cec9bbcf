"""The word lists of the reader, from lists.txt beside this file."""

from __future__ import annotations

from pathlib import Path

from ibr.logic.surface.words import words


def _lists() -> dict[str, frozenset[str]]:
    """`[name]` starts a list; a phrase is written with underscores."""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").split("\n", 1)[1]
    parts = (part.partition("]") for part in text.split("[")[1:])
    return {
        name: frozenset(word.replace("_", " ") for word in words(listed))
        for name, _, listed in parts
    }


LISTS = _lists()
