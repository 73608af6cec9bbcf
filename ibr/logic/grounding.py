"""Rules of several variables as rules of one: the others are replaced by what they may stand for.

"If X beats Y and Y beats Z then X outranks Z" is, with Ann, Bob and Cid, "If someone beats Bob and
Bob beats Cid then they outrank Cid" and so on. For templates, which have one variable, always the
subject. Proves nothing: instances that no sentence could ever fire are left out.
"""

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Final

from ibr.logic.clause import Clause, Literal, entities_of, is_variable, may_match

_MAX_INSTANCES: Final = 40  # instances of one rule


def one_variable(clause: Clause, program: Sequence[Clause]) -> list[Clause]:
    """The same as rules of at most one variable, which is only a subject.

    Raises ValueError if they are too many, or if none of them could ever fire.
    """
    fixed = sorted(clause.variables - {_kept(clause)})
    if not fixed:
        return [clause]
    heads = [other.head for other in program]
    entities = sorted(entities_of(program))
    choices = [
        [entity for entity in entities if _may_fire(clause.bind({variable: entity}), heads)]
        for variable in fixed
    ]
    if prod(map(len, choices)) > _MAX_INSTANCES:
        raise ValueError(f"more than {_MAX_INSTANCES} instances: {clause}")
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


def _may_fire(clause: Clause, heads: Sequence[Literal]) -> bool:
    """Whether some sentence might show every positive condition."""
    return all(
        any(head.positive and may_match(literal, head) for head in heads)
        for literal in clause.body
        if literal.positive
    )
