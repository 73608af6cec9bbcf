"""Why a question cannot be proved: every rule that could conclude it, and what each one lacks.

`why_not` makes the tree, `tell_why_not` the English. It reports what the solver finds and judges
nothing; which single facts would help is `repair`'s question.

The tree is finite: on the way down no rule is used twice, a goal is taken apart where it first
appears (the shallowest place) and only referred to elsewhere, and `Limits` bound the rest. What was
left out for any of these reasons is said.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, islice

from ibr.logic.checking.backward import conclusions_of
from ibr.logic.checking.matching import Binding, Facts, extensions, join
from ibr.logic.clause import Clause, Literal, Program
from ibr.logic.solver import Solver
from ibr.logic.telling import Number, from_one, phrase
from ibr.logic.wording import sentence
from ibr.proof import Proof


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of the tree is wanted."""

    depth: int = 12  # rules on one path
    width: int = 4  # instances of one rule for one goal, those that lack least
    tries: int = 4096  # instances looked at to choose them


_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of a rule. `proof` proves it, or the atom of a `~` condition that fails.

    `why_not` says why a positive condition fails.
    """

    literal: Literal
    holds: bool
    proof: Proof | None = None
    why_not: WhyNot | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    """`rule` would conclude the goal if all these conditions held."""

    rule: int
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class WhyNot:
    """`goal` is not provable. Without branches and other notes, nothing concludes it at all.

    `contrary` proves its negation. `told` marks a goal taken apart elsewhere in the tree.
    `in_use` are rules that could conclude it but are being tried further up, `unseen` counts
    instances left out by the limits.
    """

    goal: Literal
    branches: tuple[Branch, ...] = ()
    contrary: Proof | None = None
    told: bool = False
    in_use: tuple[int, ...] = ()
    unseen: int = 0


def why_not(
    program: Program,
    question: Literal,
    limits: Limits = _LIMITS,
    solver: Solver | None = None,
) -> WhyNot:
    """The failing branches under an unprovable question. ValueError if it can be proved.

    `solver`, if there is one for this program already, saves building another.
    """
    if solver is None or not question.entities <= solver.domain:
        solver = Solver(program, question.entities)
    if solver.proves(question):
        raise ValueError(f"it can be proved that {phrase(question)}: there is no why-not")
    return _Search(program, solver, limits).explore(question)


@dataclass(slots=True)
class _Goal:
    """A WhyNot in the making; `used` are the rules on the path to it."""

    literal: Literal
    used: frozenset[int]
    told: bool = False
    unseen: int = 0
    in_use: dict[int, None] = field(default_factory=dict)
    branches: list[tuple[int, list[Condition | _Goal]]] = field(default_factory=list)


class _Search:
    def __init__(self, program: Program, solver: Solver, limits: Limits) -> None:
        self.conclusions = conclusions_of(program)
        self.solver, self.limits = solver, limits
        self.domain = sorted(solver.domain)
        self.facts = Facts()
        for literal in solver.model:
            self.facts.add(literal)
        self.seen: set[Literal] = set()

    def explore(self, question: Literal) -> WhyNot:
        """Level by level, so that each goal is taken apart at its shallowest place."""
        root = _Goal(question, frozenset())
        queue = deque([root])
        while queue:
            goal = queue.popleft()
            goal.told = goal.literal in self.seen
            if not goal.told:
                self.seen.add(goal.literal)
                self.expand(goal)
                for _, conditions in goal.branches:
                    queue.extend(c for c in conditions if isinstance(c, _Goal))
        return self.finish(root)

    def expand(self, goal: _Goal) -> None:
        for rule, clause in self.conclusions.of(goal.literal, self.domain):
            if rule in goal.used:
                goal.in_use[rule] = None
                continue
            shown = self.instances(clause) if len(goal.used) < self.limits.depth else []
            goal.unseen += len(self.domain) ** len(clause.variables) - len(shown)
            used = goal.used | {rule}
            for instance in shown:
                conditions = [self.condition(literal, used) for literal in instance.body]
                goal.branches.append((rule, conditions))

    def instances(self, clause: Clause) -> list[Clause]:
        """The instances that lack least, among those that something speaks for and all others."""
        bindings = chain(self.promising(clause), self.every(clause, {}))
        distinct = dict.fromkeys(clause.bind(b) for b in islice(bindings, self.limits.tries))
        lacking = {instance: sum(not self.holds(c) for c in instance.body) for instance in distinct}
        return sorted(distinct, key=lacking.__getitem__)[: self.limits.width]

    def promising(self, clause: Clause) -> Iterator[Binding]:
        """Bindings that satisfy at least one condition about a variable."""
        for condition in clause.body:
            if condition.positive and condition.variables:
                for binding in join((condition,), self.facts, {}, self.solver.domain):
                    yield from self.every(clause, binding)

    def every(self, clause: Clause, binding: Binding) -> Iterator[Binding]:
        return extensions(binding, sorted(clause.variables - binding.keys()), self.domain)

    def holds(self, condition: Literal) -> bool:
        return (condition.atom in self.facts) == condition.positive

    def condition(self, literal: Literal, used: frozenset[int]) -> Condition | _Goal:
        holds = self.holds(literal)
        if literal.positive and not holds:
            return _Goal(literal, used)
        proof = self.solver.proof(literal.atom) if literal.positive or not holds else None
        return Condition(literal, holds, proof)

    def finish(self, goal: _Goal) -> WhyNot:
        branches = [
            Branch(rule, tuple(self.finish_condition(condition) for condition in conditions))
            for rule, conditions in goal.branches
        ]
        denied = self.solver.proves(goal.literal.negation)
        return WhyNot(
            goal.literal,
            tuple(branches),
            self.solver.proof(goal.literal.negation) if denied else None,
            goal.told,
            tuple(goal.in_use),
            goal.unseen,
        )

    def finish_condition(self, condition: Condition | _Goal) -> Condition:
        if isinstance(condition, Condition):
            return condition
        return Condition(condition.literal, False, why_not=self.finish(condition))


def tell_why_not(tree: WhyNot, number: Number = from_one) -> str:
    """The tree as indented lines; `number` as in `explain.tell`."""
    heading = sentence(f"nothing shows that {phrase(tree.goal)}")
    return "\n".join([heading, *_lines(tree, "  ", number)])


def _lines(tree: WhyNot, indent: str, number: Number) -> Iterator[str]:
    for line in _notes(tree, number):
        yield f"{indent}{line}"
    for branch in tree.branches:
        yield f"{indent}[{number(branch.rule)}] would show it if all of this held:"
        for condition in branch.conditions:
            yield f"{indent}  - {_tell_condition(condition, number)}"
            if condition.why_not:
                yield from _lines(condition.why_not, f"{indent}    ", number)


def _notes(tree: WhyNot, number: Number) -> Iterator[str]:
    if tree.contrary:
        yield f"On the contrary, {phrase(tree.goal.negation)} {_cite(tree.contrary, number)}."
    if tree.told:
        yield "(This is taken apart elsewhere here.)"
    elif not (tree.branches or tree.in_use or tree.unseen):
        yield "No sentence says so and no rule concludes it."
    for rule in tree.in_use:
        yield f"[{number(rule)}] could show it, but is being tried already."
    if tree.unseen:
        yield f"({tree.unseen} more ways to apply these rules are not listed.)"


def _tell_condition(condition: Condition, number: Number) -> str:
    atom = phrase(condition.literal.atom)
    if condition.literal.positive:
        if condition.proof:
            return f"{atom}: yes {_cite(condition.proof, number)}"
        return f"{atom}: nothing shows it"
    if condition.proof:
        return f"{phrase(condition.literal)}: no, {atom} {_cite(condition.proof, number)}"
    return f"{phrase(condition.literal)}: yes, nothing shows that {atom}"


def _cite(proof: Proof, number: Number) -> str:
    """[2] for the sentence that says it, [by 7] for the rule that shows it."""
    assert proof.root is not None
    return f"[{'by ' if proof.root.premises else ''}{number(proof.root.node)}]"
