"""Pieces of English that explanations, refusals and repairs share: a literal inside a sentence.

Wording of single words is `wording`'s; whole sentences of a theory are written by `language.say`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ibr.logic.clause import Literal, Name, is_variable
from ibr.logic.english import say
from ibr.logic.wording import predicate

Number = Callable[[int], str]  # how a sentence index is shown to its reader


def from_one(index: int) -> str:
    """The default `Number`: people count from 1."""
    return str(index + 1)


def phrase(literal: Literal) -> str:
    """`Literal("cat", "likes", "dog")` → "the cat likes the dog"; a variable is "something"."""
    return _phrase(literal, "something")


def phrase_of_any(literal: Literal) -> str:
    """The same after "nothing shows that": a variable is "anything"."""
    return _phrase(literal, "anything")


def _phrase(literal: Literal, variable: str) -> str:
    said = literal.bind(dict.fromkeys(literal.variables, Name(variable, variable)))
    return say.phrase(said)


def phrases(literals: Sequence[Literal]) -> list[str]:
    """One phrase each; the subject is not repeated: "Bob is kind", "quiet", "the cat is red"."""
    return [
        _continuation(literal, before) or phrase(literal)
        for literal, before in zip(literals, (None, *literals), strict=False)
    ]


def _continuation(literal: Literal, before: Literal | None) -> str | None:
    """What is left of "Bob is quiet" after "Bob is kind"."""
    if before is None or is_variable(literal.subject) or literal[:2] != before[:2]:
        return None
    if literal.relation != "is" or not (literal.positive and before.positive):
        return None
    return predicate(literal).removeprefix("is ")


def listing(parts: Sequence[str]) -> str:
    """["a", "b", "c"] → "a, b and c"."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
