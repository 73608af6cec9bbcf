"""Closed classes of English: the words whose meaning the grammar itself knows.

The lists, and what each is for, are in words.txt beside this file.
"""

from pathlib import Path


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _lists() -> dict[str, frozenset[str]]:
    """`[name]` starts a list; lines with `#` are comments."""
    lines = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#"))
    parts = (part.partition("]") for part in text.split("[")[1:])
    return {name: words(listed) for name, _, listed in parts}


LISTS = _lists()
MODALS = LISTS["modals"]
NUMBERS = LISTS["numbers"]
PARTICLES = LISTS["particles"]
STRUCTURE = LISTS["structure"]
GIVEN_NAMES = LISTS["given-names"]
NATIONS = LISTS["nations"]

# Inside a noun phrase they make it more than a name: "the number of guests".
PREPOSITIONS = (PARTICLES - {"like", "past"}) | {"of", "during", "since", "until", "via", "per"}
