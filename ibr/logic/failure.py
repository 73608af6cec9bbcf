"""Why an atom is not provable: the deepest-failure chain of RuleTaker (FORMAT.md section 4).

    chain(A) = empty if not-A is provable or no rule concludes A; else the LONGEST over the rules
    that do, none used twice on the way, of the rule followed by the SHORTEST chain among the
    conditions that fail. Ties: the lowest rule number, the first condition.

`Failures` explores only atoms that can lengthen a chain; it proves nothing itself.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any, NamedTuple

from ibr.logic.chaining import Binding, Key, Model, key_of, match
from ibr.logic.clause import Clause, Literal, Program, Sign
from ibr.logic.stratify import Rule, components

STEPS = 20_000  # of a search for one chain, a few tenths of a second: longest paths are hard
_NAF = Sign.NAF


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


class Known:
    """Chains found so far. One below its limit is the whole chain, whatever the limit."""

    def __init__(self) -> None:
        self._chains: dict[tuple[Literal, int], tuple[Chain, int]] = {}

    def add(self, task: Task, chain: Chain) -> None:
        self._chains[task.atom, task.used] = chain, task.limit

    def chain(self, task: Task) -> Chain | None:
        if not task.limit:
            return EMPTY
        chain, limit = self._chains.get((task.atom, task.used), (EMPTY, 0))
        return chain if chain.length < limit or limit >= task.limit else None


class Attempt(NamedTuple):
    """A rule that concludes the atom, and the failing conditions that may have chains themselves:
    none if some condition fails at once, for then the chain goes no further."""

    sentence: int
    failing: tuple[Literal, ...] = ()


class Failures:
    def __init__(self, program: Program, model: Model) -> None:
        self._model = model
        self._numbers = program.numbers
        self._rules: dict[Key, list[Rule]] = {}
        for sentence, clause in program:
            if clause.head.positive and not clause.is_fact:
                key = key_of(clause.head, {})
                self._rules.setdefault(key, []).append(Rule(sentence, clause))
        self._attempts: dict[Literal, tuple[Attempt, ...]] = {}
        self._bits: dict[int, int] = {}  # of each sentence met, a bit
        self._reach: dict[Literal, int] = {}  # of the sentences that the atom's chains may use

    def _concluding(self, atom: Literal) -> Iterator[tuple[Rule, Binding]]:
        """The rules whose head can be this atom, lowest number first, with the head's binding."""
        rules = [rule for key in self._model.keys(atom) for rule in self._rules.get(key, ())]
        for rule in sorted(rules, key=lambda rule: self._numbers[rule.sentence]):
            binding = match(rule.clause.head, atom, {})
            if binding is not None:
                yield rule, binding

    def concludes(self, atom: Literal) -> bool:
        """Is there a rule for it, whether or not it applies?"""
        return any(True for _ in self._concluding(atom))

    def chain(self, atom: Literal) -> Chain:
        """The deepest-failure chain of an unprovable atom."""
        if atom.negation in self._model.instances:
            return EMPTY
        self._explore(atom)
        # Mostly a short chain is the answer, and a low limit finds it before long ones are tried.
        best, limit, known = EMPTY, 4, Known()
        while (found := self._deepest(Task(atom, 0, limit), known)) is not None:
            if found.length < limit:
                return found
            best, limit = found, limit + limit // 2
        return best._replace(exact=False)

    def _deepest(self, task: Task, known: Known) -> Chain | None:
        """The chain of the task, or None if that takes more than STEPS."""
        stack = [self._longest(task, known)]
        answer: Chain | None = None
        for _ in range(STEPS):  # no recursion: chains may be longer than Python's stack
            try:
                below = stack[-1].send(answer)
            except StopIteration as stop:
                stack.pop()
                answer = stop.value
                if not stack:
                    return answer
            else:
                stack.append(self._longest(below, known))
                answer = None
        return None

    def _longest(self, task: Task, known: Known) -> Generator[Task, Any, Chain]:
        """The chain of the task; tasks below it are handed out, to be sent back as chains."""
        best = EMPTY
        for sentence, failing in self._attempts[task.atom]:
            if task.used & self._bits[sentence]:
                continue
            if best.length >= task.limit:
                break
            used = task.used | self._bits[sentence]
            if any((self._reach[c] & ~used).bit_count() < best.length for c in failing):
                continue  # not rules enough are left for a longer one
            shortest = EMPTY
            for place, condition in enumerate(failing):
                # Of a later condition no more is asked than whether its chain is shorter.
                limit = shortest.length if place else task.limit - 1
                below = Task(condition, used & self._reach[condition], limit)
                chain = known.chain(below) or (yield below)
                if not place or chain.length < shortest.length:
                    shortest = chain
                if shortest.length < best.length:
                    break
            if shortest.length >= best.length:
                best = Chain(1 + shortest.length, sentence, shortest)
        known.add(task, best)
        return best

    def _explore(self, atom: Literal) -> None:
        """Learn the attempts at every atom that chains from this one can come by."""
        new = [atom] if atom not in self._attempts else []
        for found in new:  # grows as we go
            if found not in self._attempts:
                self._attempts[found] = tuple(self._attempts_at(found))
                new.extend(c for attempt in self._attempts[found] for c in attempt.failing)

        def below(found: Literal) -> list[Literal]:
            return [c for attempt in self._attempts[found] for c in attempt.failing]

        for component in components((a for a in new if a not in self._reach), below):
            reach = 0
            for found in component:
                for sentence, failing in self._attempts[found]:
                    reach |= self._bits[sentence]
                    for condition in failing:
                        reach |= self._reach.get(condition, 0)
            for found in component:
                self._reach[found] = reach

    def _attempts_at(self, atom: Literal) -> Iterator[Attempt]:
        for rule, binding in self._concluding(atom):
            self._bits.setdefault(rule.sentence, 1 << len(self._bits))
            deeper = dict.fromkeys(self._failing(rule.clause, binding))
            yield from (Attempt(rule.sentence, failing) for failing in deeper)
            if not deeper:
                yield Attempt(rule.sentence)

    def _failing(self, clause: Clause, binding: Binding) -> Iterator[tuple[Literal, ...]]:
        """The failing conditions of each instance in which every one of them has a chain.

        A condition that no rule concludes has none, so it must hold: those are joined by index.
        """
        certain = [lit for lit in clause.body if lit.positive and not self._is_concluded(lit)]
        open_ = [lit for lit in clause.body if lit.positive and self._is_concluded(lit)]
        absent = [lit.atom for lit in clause.body if lit.sign is _NAF]
        proved = self._model.instances
        for known in self._model.solutions(certain, binding):
            free = sorted(clause.variables - known.keys())
            for full in self._model.complete([known], free):
                if any(atom.bind(full) in proved for atom in absent):
                    continue
                failing = [c for c in (lit.bind(full) for lit in open_) if c not in proved]
                if all(self._has_chain(condition) for condition in failing):
                    yield tuple(failing)

    def _has_chain(self, atom: Literal) -> bool:
        """May the unprovable atom have a chain at all?"""
        return atom.negation not in self._model.instances and self.concludes(atom)

    def _is_concluded(self, pattern: Literal) -> bool:
        """Can some rule conclude an atom of this pattern?"""
        subject, relation, object_ = key_of(pattern, {})
        return any(
            (subject is None or s is None or s == subject)
            and (object_ is None or o is None or o == object_)
            for s, r, o in self._rules
            if r == relation
        )
