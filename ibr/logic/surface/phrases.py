"""Pieces of English that explanations, refusals and repairs share: a literal inside a sentence.

Single words are inflected in `wording`; whole sentences of a theory are written by `language.say`.
"""

from collections.abc import Sequence

from ibr.logic.clause import Literal, Name, is_variable
from ibr.logic.english import say
from ibr.logic.surface.wording import predicate


def phrase(literal: Literal, variable: str = "something") -> str:
    """`Literal("cat", "likes", "dog")` → "the cat likes the dog"; after "nothing shows that", a
    variable is "anything"."""
    return say.phrase(literal.bind(dict.fromkeys(literal.variables, Name(variable, variable))))


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
