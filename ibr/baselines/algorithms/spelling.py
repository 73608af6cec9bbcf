"""Statements as the words that generating systems read and write: stems, no article, no "is"."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from ibr.inputs.model_words import KnownWords
from ibr.inputs.tokens import tokenize
from ibr.logic.clause import Literal, Sign, is_variable
from ibr.logic.language import say

NOT: Final = "not"
_ANYTHING: Final = "something"


def words_of(text: str, known: KnownWords) -> list[str]:
    """`The cat does not like Anne.` → cat not like anne"""
    return [token.symbol or known.words[token.word] for token in tokenize(text, known)]


@lru_cache(maxsize=1 << 16)
def spell(literal: Literal, known: KnownWords) -> str:
    """`Literal("Tom", "is", "calm", Sign.NAF)` → "tom not calm"; a variable is "something"."""
    subject, object_ = (
        _ANYTHING if is_variable(term) else term for term in (literal.subject, literal.object)
    )
    sign = Sign.POSITIVE if literal.positive else Sign.NEGATIVE
    return " ".join(words_of(say(Literal(subject, literal.relation, object_, sign)), known))


def without_not(words: Sequence[str]) -> tuple[str, ...]:
    """What a statement and its negation have in common; "cannot" is read as "not"."""
    return tuple(word for word in words if word not in (NOT, "can"))
