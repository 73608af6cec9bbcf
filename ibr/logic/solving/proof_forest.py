"""All proofs of a literal at once, as an and-or forest: counted, or made one by one.

A *state* is a literal to be proved in a context; its options are the instances that may prove it
there, with the states of their premises. `Usable` holds every proof in which no literal is repeated
on a path from the root, `Minimal` those of least depth and then least size. Forests have no cycles,
so trees can be counted without growing one (`count`, by `fold`) or grown smallest first (`trees`).
Two proofs differ if somewhere a literal has another sentence or other premises; all NAF leaves are
equal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import chain
from math import inf, prod
from typing import NamedTuple, Protocol, TypeVar

from ibr.errors import LimitError
from ibr.logic.budget import keep, spend
from ibr.logic.clause import Literal
from ibr.logic.lazy import memo
from ibr.logic.solving.chaining import Instance, Instances, Size, size_by
from ibr.logic.solving.strata import components
from ibr.proof import NAF, Tree

Literals = frozenset[Literal]
V = TypeVar("V")


class State(NamedTuple):
    literal: Literal
    usable: Literals = Literals()  # the context of `Usable`
    depth: int = 0  # the context of `Minimal`


class Option(NamedTuple):
    """A sentence that proves a state, and the states of its conditions; None is a NAF leaf."""

    sentence: int
    premises: tuple[State | None, ...]


class Forest(Protocol):
    root: State

    def options(self, state: State) -> Sequence[Option]:
        """Without repeats: instances may differ only in what is not provable."""


class Usable:
    """Every proof in which no literal is repeated on a path from the root.

    A *component* is a set of literals that rest on each other. Two paths that leave the same
    literals of it usable have the same proofs below them, so the context is what is usable, not
    what was passed: the other literals of the component that proofs of this one may rest on, and
    do. What cannot be proved from these is left out, so that no state is a dead end. Every literal
    that an instance has as a premise must be provable by the instances.
    """

    def __init__(self, instances: Instances, literal: Literal) -> None:
        self._instances = instances
        below = components([literal], lambda lit: chain(*(i.premises for i in instances[lit])))
        self._component = {lit: members for members in map(Literals, below) for lit in members}
        self._inner = {  # of each literal, what its instances need of its own component
            lit: {component.intersection(i.premises) for i in instances[lit]}
            for lit, component in self._component.items()
        }
        self.root = State(literal, self._region(literal, self._component[literal]) or Literals())

    @memo
    def options(self, state: State) -> list[Option]:
        found = ((i.sentence, self._premises(i, state)) for i in self._instances[state.literal])
        usable = (Option(sentence, below) for sentence, below in found if below is not None)
        return list(dict.fromkeys(usable))

    def _premises(self, instance: Instance, state: State) -> tuple[State | None, ...] | None:
        """The states of the instance's conditions, or None if one cannot be proved in context."""
        premises: list[State | None] = []
        component = self._component[state.literal]
        for literal in instance.body:
            if literal.is_naf:
                premises.append(None)
                continue
            usable = state.usable if literal in component else self._component[literal]
            region = self._region(literal, usable) if literal in usable else None
            if region is None:
                return None
            premises.append(State(literal, region))
        return tuple(premises)

    @memo
    def _region(self, literal: Literal, usable: Literals) -> Literals | None:
        """Which other usable literals proofs of this one rest on; None if it has no proof."""
        rest = self._provable(usable - {literal})  # below the literal it is not usable itself
        region: set[Literal] = set()
        queue = [literal]
        for found in queue:  # grows as we go
            for inner in self._inner[found]:
                if inner <= rest:
                    queue.extend(inner - region)
                    region |= inner
        has_proof = any(inner <= rest for inner in self._inner[literal])
        return Literals(region) if has_proof else None

    def _provable(self, usable: Literals) -> set[Literal]:
        """What can be proved of the usable literals from themselves."""
        waiting: defaultdict[Literal, list[tuple[Literal, set[Literal]]]] = defaultdict(list)
        for literal in usable:
            for inner in self._inner[literal]:
                missing = {*inner}
                for premise in inner if inner <= usable else ():
                    waiting[premise].append((literal, missing))
        queue = [literal for literal in usable if Literals() in self._inner[literal]]
        provable = {*queue}
        for found in queue:  # grows as we go
            for literal, missing in waiting[found]:
                missing.discard(found)
                if not missing and literal not in provable:
                    provable.add(literal)
                    queue.append(literal)
        return provable


class Minimal:
    """The proofs of least depth, and among these of least size. The context is the depth left."""

    def __init__(
        self, instances: Instances, literal: Literal, sizes: Mapping[Literal, Sequence[Size]]
    ) -> None:
        self.root = State(literal, depth=sizes[literal][0].depth)
        self._instances, self._sizes = instances, sizes

    def options(self, state: State) -> list[Option]:
        literal, _, depth = state
        spend(len(self._instances[literal]))
        least = self.least(state)
        found = (
            Option(
                instance.sentence,
                tuple(None if lit.is_naf else State(lit, depth=depth - 1) for lit in instance.body),
            )
            for instance in self._instances[literal]
            if (depth or not instance.body)
            and least == size_by(instance, lambda premise: self._least(premise, depth - 1))
        )
        return list(dict.fromkeys(found))

    def least(self, state: State) -> int:
        size = self._least(state.literal, state.depth)
        assert size is not None  # no other state is an option's
        return size

    def _least(self, literal: Literal, depth: int) -> int | None:
        """The size of the literal's smallest tree of at most this depth."""
        sizes = reversed(self._sizes[literal])
        return next((step.size for step in sizes if step.depth <= depth), None)


class TooManyStates(LimitError):
    """Literals that rest on each other have too many paths among them to go through."""


def fold(
    forest: Forest,
    value: Callable[[Sequence[Option], Mapping[State, V]], V],
    max_states: float = inf,
) -> V:
    """The root's value, each state's being made of its options and the values of their premises.

    Bottom up without recursion: proofs may be deeper than Python's stack. Raises TooManyStates if
    that takes more than so many states.
    """
    known: dict[State, V] = {}
    stack = [forest.root]
    while stack:
        if len(known) >= max_states:
            raise TooManyStates(f"more than {max_states} states")
        spend()
        state = stack[-1]
        if state in known:
            stack.pop()
            continue
        options = forest.options(state)
        missing = [p for option in options for p in option.premises if p and p not in known]
        if missing:
            stack.extend(missing)
        else:
            known[stack.pop()] = value(options, known)
    return known[forest.root]


def count(forest: Forest, max_states: float = inf) -> int:
    """How many trees the forest has."""

    def total(options: Sequence[Option], known: Mapping[State, int]) -> int:
        return sum(prod(known[p] for p in option.premises if p) for option in options)

    return fold(forest, total, max_states)


def trees(forest: Forest, least: Callable[[State], int]) -> Iterator[Tree]:
    """Every tree once, smallest first; the first costs no more than its own size.

    Best-first search over half-grown trees, always growing the leftmost goal. A half-grown tree
    will have at least the nodes it has and the least size of each goal. Ties go to the newest, so
    that a tree is finished before similar ones are begun.
    """
    root = forest.root
    # least final size, tie-break, goals still to be proved, options taken so far in preorder
    heap: list[tuple[int, int, tuple[State, ...], tuple[Option, ...]]]
    heap = [(least(root), 0, (root,), ())]
    pushed = 0
    while heap:
        bound, _, goals, done = heappop(heap)
        if not goals:
            yield _grown(done)
            continue
        for option in reversed(forest.options(goals[0])):
            below = tuple(premise for premise in option.premises if premise)
            size = 1 + len(option.premises) + sum(least(premise) - 1 for premise in below)
            pushed += 1
            spend()
            keep()
            grown = bound - least(goals[0]) + size
            heappush(heap, (grown, -pushed, below + goals[1:], (*done, option)))


def _grown(done: Sequence[Option]) -> Tree:
    """The tree of a finished preorder. Read backwards, premises come before what rests on them."""
    stack: list[Tree] = []
    for option in reversed(done):
        premises = tuple(stack.pop() if premise else Tree(NAF) for premise in option.premises)
        stack.append(Tree(option.sentence, premises))
    (tree,) = stack
    return tree
