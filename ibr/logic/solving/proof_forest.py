"""All proofs of a literal at once: an and-or forest, and what can be done with one.

A *state* is a literal to be proved in a context; its options are the instances that may prove it
there, with the states of their premises. `Unrepeating` holds every proof in which no literal is
repeated on a path from the root, `Minimal` those of least depth and then least size. Forests have
no cycles, so trees can be counted without growing one (`count`, by `fold`) or grown smallest first
(`trees`). Two proofs differ if somewhere a literal has another sentence or other premises; any
NAF is like another.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from math import inf, prod
from typing import Generic, NamedTuple, Protocol, TypeVar

from ibr.logic.clause import Literal, Sign
from ibr.logic.solving.measure import Instances, Size, size_by
from ibr.logic.solving.stratify import components
from ibr.proof import NAF, Tree

C = TypeVar("C", bound=Hashable)
V = TypeVar("V")
_NAF = Sign.NAF


class State(NamedTuple, Generic[C]):
    literal: Literal
    context: C


class Option(NamedTuple, Generic[C]):
    """A sentence that proves a state, and the states of its conditions; None is a NAF leaf."""

    sentence: int
    premises: tuple[State[C] | None, ...]


class Forest(Protocol[C]):
    root: State[C]

    def options(self, state: State[C]) -> Sequence[Option[C]]: ...


Path = frozenset[Literal]


class Unrepeating:
    """Every proof in which no literal is repeated on a path from the root.

    The context is the path above, as far as the literal may rest on it: nothing, if no literal
    of the theory rests on itself.
    """

    def __init__(self, instances: Instances, literal: Literal) -> None:
        self.root = State(literal, Path())
        self._instances = instances
        self._component: dict[Literal, int] = {}
        for number, members in enumerate(components([literal], self._below)):
            self._component.update(dict.fromkeys(members, number))
        self._options: dict[State[Path], list[Option[Path]]] = {}

    def options(self, state: State[Path]) -> list[Option[Path]]:
        if state not in self._options:
            literal, above = state
            path = above | {literal}
            self._options[state] = different(
                Option(instance.sentence, tuple(self._state(lit, state) for lit in instance.body))
                for instance in self._instances[literal]
                if path.isdisjoint(instance.body)
            )
        return self._options[state]

    def _state(self, literal: Literal, above: State[Path]) -> State[Path] | None:
        if literal.sign is _NAF:
            return None
        meets = self._component[literal] == self._component[above.literal]
        return State(literal, above.context | {above.literal} if meets else Path())

    def _below(self, literal: Literal) -> list[Literal]:
        return [lit for instance in self._instances[literal] for lit in instance.premises]


class Minimal:
    """The proofs of least depth, and among these of least size. The context is the depth left."""

    def __init__(
        self, instances: Instances, literal: Literal, sizes: Mapping[Literal, Sequence[Size]]
    ) -> None:
        self.root = State(literal, sizes[literal][0].depth)
        self._instances = instances
        self._sizes = sizes

    def options(self, state: State[int]) -> list[Option[int]]:
        literal, depth = state
        least = self.least(state)
        return different(
            Option(
                instance.sentence,
                tuple(None if lit.sign is _NAF else State(lit, depth - 1) for lit in instance.body),
            )
            for instance in self._instances[literal]
            if (depth or not instance.body)
            and least == size_by(instance, lambda premise: self._least(premise, depth - 1))
        )

    def least(self, state: State[int]) -> int:
        size = self._least(*state)
        assert size is not None  # no other state is an option's
        return size

    def _least(self, literal: Literal, depth: int) -> int | None:
        """The size of the literal's smallest tree of at most this depth."""
        sizes = reversed(self._sizes[literal])
        return next((step.size for step in sizes if step.depth <= depth), None)


def different(options: Iterable[Option[C]]) -> list[Option[C]]:
    """Without repeats: instances may differ only in what is not provable."""
    return list(dict.fromkeys(options))


class OutOfPatience(RuntimeError):
    """Literals that rest on each other have too many paths among them to go through."""


def fold(
    forest: Forest[C],
    value: Callable[[Sequence[Option[C]], Mapping[State[C], V]], V],
    patience: float = inf,
) -> V:
    """The root's value, each state's being made of its options and the values of their premises.

    Bottom up without recursion: proofs may be deeper than Python's stack. Raises OutOfPatience if
    that takes more than so many states.
    """
    known: dict[State[C], V] = {}
    stack = [forest.root]
    while stack:
        if len(known) >= patience:
            raise OutOfPatience(f"more than {patience} states")
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


def count(forest: Forest[C], patience: float = inf) -> int:
    """How many trees the forest has."""

    def total(options: Sequence[Option[C]], known: Mapping[State[C], int]) -> int:
        return sum(prod(known[p] for p in option.premises if p) for option in options)

    return fold(forest, total, patience)


class _Goals(NamedTuple, Generic[C]):
    """States still to be proved, leftmost first, as a linked list."""

    state: State[C]
    rest: _Goals[C] | None


class _Done(NamedTuple, Generic[C]):
    """Options taken so far in preorder, the last first, as a linked list."""

    option: Option[C]
    before: _Done[C] | None


def trees(forest: Forest[C], least: Callable[[State[C]], int]) -> Iterator[Tree]:
    """Every tree once, smallest first; the first costs no more than its own size.

    Best-first search over half-grown trees, always growing the leftmost goal. A half-grown tree
    will have at least the nodes it has and the least size of each goal. Ties go to the newest, so
    that a tree is finished before its likes are begun.
    """
    heap: list[tuple[int, int, _Goals[C] | None, _Done[C] | None]] = []
    heappush(heap, (least(forest.root), 0, _Goals(forest.root, None), None))
    pushed = 0
    while heap:
        bound, _, goals, done = heappop(heap)
        if goals is None:
            yield _grown(done)
            continue
        for option in reversed(forest.options(goals.state)):
            size, left = 1 + len(option.premises), goals.rest
            for premise in reversed(option.premises):
                if premise:
                    size += least(premise) - 1
                    left = _Goals(premise, left)
            pushed += 1
            grown = bound - least(goals.state) + size
            heappush(heap, (grown, -pushed, left, _Done(option, done)))


def _grown(done: _Done[C] | None) -> Tree:
    """The tree of a finished preorder. Read backwards, premises come before what rests on them."""
    stack: list[Tree] = []
    while done:
        premises = tuple(stack.pop() if p else Tree(NAF) for p in done.option.premises)
        stack.append(Tree(done.option.sentence, premises))
        done = done.before
    (tree,) = stack
    return tree
