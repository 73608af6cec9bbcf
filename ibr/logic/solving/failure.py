"""Why an atom is not provable: the deepest-failure chain of RuleTaker (docs/formats.md section 4).

    chain(A) = empty if not-A is provable or no rule concludes A; else the LONGEST over the rules
    that do, none used twice on the way, of the rule followed by the SHORTEST chain among the
    conditions that fail. Ties: the lowest rule number, the first condition.

Longest paths are hard: a chain that takes too long to find is cut and says so (`exact`). That needs
dozens of rules that lead to each other; RuleTaker's theories have nine, and chains of up to seven.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from typing import Any, NamedTuple

from ibr.logic.budget import spend
from ibr.logic.clause import Literal, Program
from ibr.logic.solving.attempts import Attempts, TooManyInstances
from ibr.logic.solving.chaining import Closure

STEPS = 20_000  # of a search for one chain, a few tenths of a second: longest paths are hard


class Chain(NamedTuple):
    """A linked chain of rules; `Chain(0)` is the empty one."""

    length: int
    sentence: int = -1
    rest: Chain | None = None
    exact: bool = True  # else only the first rules of it were looked for

    def sentences(self) -> list[int]:
        found: list[int] = []
        chain: Chain | None = self
        while chain and chain.length:
            found.append(chain.sentence)
            chain = chain.rest
        return found


EMPTY = Chain(0)


class Task(NamedTuple):
    """A chain to be found: of which atom, below which rules (as bits), at most how long."""

    atom: Literal
    used: int
    limit: int


# Chains found so far, and their limits. One below its limit is the whole chain, whatever the limit.
ChainCache = dict[tuple[Literal, int], tuple[Chain, int]]


def _known_chain(task: Task, known: ChainCache) -> Chain | None:
    if not task.limit:
        return EMPTY
    chain, limit = known.get((task.atom, task.used), (EMPTY, 0))
    return chain if chain.length < limit or limit >= task.limit else None


class Failures:
    """The chains of one program and its model."""

    def __init__(self, program: Program, model: Closure) -> None:
        self._proved = model.instances
        self._attempts = Attempts(program, model)
        self._chains: dict[Literal, Chain] = {}

    def concludes(self, atom: Literal) -> bool:
        """Is there a rule for it, whether or not it applies?"""
        return bool(self._attempts.at(atom))

    def chain(self, atom: Literal) -> Chain:
        """The deepest-failure chain of an unprovable atom."""
        if atom not in self._chains:
            self._chains[atom] = self._chain(atom)
        return self._chains[atom]

    def _chain(self, atom: Literal) -> Chain:
        attempts = self._attempts.at(atom)
        if not attempts or atom.negation in self._proved:
            return EMPTY
        # Mostly a short chain is the answer, and a low limit finds it before long ones are tried.
        known: ChainCache = {}
        best, limit = Chain(1, attempts[0].sentence, EMPTY), 4
        while (
            found := self._search(self._longest(Task(atom, 0, limit), known), known)
        ) is not None:
            if found.length < limit:
                return found
            best, limit = found, limit + limit // 2
        return best._replace(exact=False)

    def lengths(self, atom: Literal, limit: int) -> Iterator[tuple[int, int]]:
        """(sentence, length) of the chain that each rule for the atom leads, up to the limit.

        The longest of them is the atom's chain. One that takes too long to find is left out.
        """
        known: ChainCache = {}
        for attempt in self._attempts.at(atom):
            below = Task(atom, self._attempts.bits[attempt.sentence], limit - 1)
            length = 1
            for failing in self._attempts.failing(atom, attempt):
                rest = self._search(self._shortest(failing, below, 0, known), known)
                length = max(length, 1 + rest.length) if rest else length
            yield attempt.sentence, length

    def _search(self, first: Generator[Task, Any, Chain], known: ChainCache) -> Chain | None:
        """The chain that is looked for first, or None if that takes more than STEPS."""
        stack = [first]
        answer: Chain | None = None
        for _ in range(STEPS):  # no recursion: chains may be longer than Python's stack
            spend()
            try:
                below = stack[-1].send(answer)
            except StopIteration as stop:
                stack.pop()
                answer = stop.value
                if not stack:
                    return answer
            except TooManyInstances:
                return None
            else:
                stack.append(self._longest(below, known))
                answer = None
        return None

    def _longest(self, task: Task, known: ChainCache) -> Generator[Task, Any, Chain]:
        """The chain of the task; yields the tasks below it and is sent their chains."""
        best = EMPTY
        for attempt in self._attempts.at(task.atom):
            used = task.used | self._attempts.bits[attempt.sentence]
            left = (self._attempts.below[attempt.rule] & ~used).bit_count()
            if used == task.used or best.length >= task.limit or left < best.length:
                continue
            if not best.length:
                best = Chain(1, attempt.sentence, EMPTY)
            for failing in self._attempts.failing(task.atom, attempt) if left else ():
                conditions = Task(task.atom, used, task.limit - 1)
                shortest = yield from self._shortest(failing, conditions, best.length, known)
                if shortest.length >= best.length:
                    best = Chain(1 + shortest.length, attempt.sentence, shortest)
        known[task.atom, task.used] = best, task.limit
        return best

    def _shortest(
        self, failing: Iterable[Literal], task: Task, floor: int, known: ChainCache
    ) -> Generator[Task, Any, Chain]:
        """The shortest chain among the failing conditions, or any that is below the floor."""
        shortest: Chain | None = None
        for condition in failing:
            reach = self._attempts.reach(condition)
            # A later condition matters only if its chain is shorter.
            below = Task(condition, task.used & reach, shortest.length if shortest else task.limit)
            chain = _known_chain(below, known) if reach & ~task.used else EMPTY
            if chain is None:
                chain = yield below
            if shortest is None or chain.length < shortest.length:
                shortest = chain
            if shortest.length < floor:
                break
        assert shortest is not None  # the rule would have fired
        return shortest
