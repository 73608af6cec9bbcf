"""Closed classes of English: the words whose meaning the grammar itself knows.

The lists, and what each is for, are in words.txt beside this file.
"""

from pathlib import Path


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def read_lists(path: Path) -> dict[str, frozenset[str]]:
    """`[name]` starts a list; a phrase has underscores; lines with `#` are comments."""
    lines = path.read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#"))
    parts = (part.partition("]") for part in text.split("[")[1:])
    return {
        name: frozenset(word.replace("_", " ") for word in listed.split())
        for name, _, listed in parts
    }


LISTS = read_lists(Path(__file__).with_suffix(".txt"))
MODALS = LISTS["modals"]
PARTICLES = LISTS["particles"]
STRUCTURE = LISTS["structure"]
GIVEN_NAMES = LISTS["given-names"]
NATIONS = LISTS["nations"]

# Inside a noun phrase they make it more than a name: "the number of guests".
PREPOSITIONS = (PARTICLES - {"like", "past"}) | {"of", "during", "since", "until", "via", "per"}
