"""How deep and how long the proofs of each literal are at least.

Works on the instances that chaining found, in rounds of growing depth, whatever order found them:
after round d the size of a literal is that of its smallest proof tree of depth at most d.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from itertools import count
from typing import NamedTuple

from ibr.logic.clause import Literal
from ibr.logic.solving.chaining import Instance

Instances = Mapping[Literal, Collection[Instance]]


class Size(NamedTuple):
    """Proof trees of at most `depth` have at least `size` nodes (facts + NAFs + rules)."""

    depth: int
    size: int


def sizes(instances: Instances) -> dict[Literal, list[Size]]:
    """For each literal, each depth at which its proofs can get smaller, from its own depth on.

    The first entry is the literal's depth and RuleTaker's QLen; the last, its smallest proof.
    """
    table: dict[Literal, list[Size]] = {}
    current: dict[Literal, int] = {}
    uses: dict[Literal, list[tuple[Literal, Instance]]] = {}
    due: dict[tuple[Literal, Instance], None] = {}
    for head, ways in instances.items():
        for instance in ways:
            premises = instance.premises
            for premise in premises:
                uses.setdefault(premise, []).append((head, instance))
            if not instance.body:  # a fact, or a rule without conditions: of all there is
                current[head] = 1
                table[head] = [Size(0, 1)]
            elif not premises:
                due[head, instance] = None
    for premise in current:
        due.update(dict.fromkeys(uses.get(premise, ())))
    for depth in count(1):
        smaller: dict[Literal, int] = {}
        for head, instance in due:
            size = size_by(instance, current.get)
            if size is not None and size < smaller.get(head, current.get(head, size + 1)):
                smaller[head] = size
        if not smaller:
            return table
        current |= smaller
        due = {}
        for head, size in smaller.items():
            table.setdefault(head, []).append(Size(depth, size))
            due.update(dict.fromkeys(uses.get(head, ())))
    raise AssertionError("unreachable")


def size_by(instance: Instance, least: Callable[[Literal], int | None]) -> int | None:
    """Of the smallest tree by this instance, if the smallest trees of its premises are known."""
    size = 1 + len(instance.body)
    for premise in instance.premises:
        known = least(premise)
        if known is None:
            return None
        size += known - 1
    return size
