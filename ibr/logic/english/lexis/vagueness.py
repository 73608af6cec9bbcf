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
    """Words with at most one word in capitals before them: the Rita of Rita and Intern Rita"""
    before: dict[str, set[str]] = {}
    for said in (text.replace("'s", " ").split() for text in texts):
        for last, word in zip(["", *said], said, strict=False):
            title = last if last[:1].isupper() and last[-1:].isalpha() else ""
            before.setdefault(word.strip(".,;:!?()"), set()).add(title)
    return (word for word, titles in before.items() if len(titles - {""}) < 2)
