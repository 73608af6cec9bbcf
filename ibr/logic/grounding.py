"""Rules of several variables as rules of one: the others are replaced by what they may stand for.

"If X beats Y and Y beats Z then X outranks Z" is, where Ann, Bob and Cid play, "If someone beats
Bob and Bob beats Cid then they outrank Cid" and so on. For speech that knows one variable, which is
always the subject. It proves nothing: it only leaves out what no sentence could ever show.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod
from typing import Final

from ibr.logic.clause import Clause, Literal, entities_of, is_variable

_MOST: Final = 40  # instances of one rule


def one_variable(clause: Clause, program: Sequence[Clause]) -> list[Clause]:
    """The same as rules of at most one variable, which is only a subject.

    Raises ValueError if they are too many, or if none of them could ever fire.
    """
    fixed = sorted(clause.variables - {_kept(clause)})
    if not fixed:
        return [clause]
    heads = [other.head for other in program]
    entities = sorted(entities_of(program))
    choices = [_values(variable, clause.body, heads, entities) for variable in fixed]
    if prod(map(len, choices)) > _MOST:
        raise ValueError(f"more than {_MOST} instances: {clause}")
    made = (clause.bind(dict(zip(fixed, chosen, strict=True))) for chosen in product(*choices))
    alive = [instance for instance in made if _may_fire(instance, heads)]
    if not alive:
        raise ValueError(f"nothing could fire {clause}")
    return alive


def _kept(clause: Clause) -> str | None:
    """The variable that stays: a subject only, of a condition; the conclusion's if possible."""
    objects = {literal.object for literal in (clause.head, *clause.body)}
    subjects = [literal.subject for literal in clause.body]
    for term in (clause.head.subject, *subjects):
        if is_variable(term) and term in subjects and term not in objects:
            return term
    return None


def _values(
    variable: str, body: Iterable[Literal], heads: Sequence[Literal], entities: Sequence[str]
) -> list[str]:
    """The entities of which some sentence might say all that the positive conditions say of it."""
    conditions = [literal for literal in body if literal.positive and variable in literal.variables]
    return [
        entity
        for entity in entities
        if all(_may_hold(literal.bind({variable: entity}), heads) for literal in conditions)
    ]


def _may_fire(clause: Clause, heads: Sequence[Literal]) -> bool:
    return all(_may_hold(literal, heads) for literal in clause.body if literal.positive)


def _may_hold(literal: Literal, heads: Sequence[Literal]) -> bool:
    return any(head.positive and _matches(literal, head) for head in heads)


def _matches(one: Literal, other: Literal) -> bool:
    """Whether they might be the same once their variables are bound."""
    pairs = zip(one[:3], other[:3], strict=True)
    return all(a == b or is_variable(a) or is_variable(b) for a, b in pairs)
