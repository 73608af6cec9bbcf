"""Which words of a rulebook say little: names that stand alone, nouns for anything at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ibr.logic.english.lexis.forms import singular
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.splitting import Raw


def vague_in(sentences: Sequence[Sequence[Raw]]) -> frozenset[str]:
    """Words for anything at all that only one sentence has: goods, creatures."""
    nouns = [{singular(raw.low) for raw in sentence} for sentence in sentences]
    said = [noun for some in nouns for noun in some & LISTS["anything"]]
    return frozenset(noun for noun in said if said.count(noun) == 1)


def names_alone(texts: Sequence[str]) -> Iterator[str]:
    """Words without a word in capitals before them: Rita, but not the Rita of Intern Rita"""
    for text in texts:
        before = ""
        for word in text.replace("'s", " ").split():
            if not before[:1].isupper():
                yield word.strip(".,;:!?()")
            before = word
