"""Why a question cannot be proved: every rule that could conclude it, and what each one lacks.

`why_not` makes the tree, `why_not_lines` the English. It reports what the solver finds and judges
nothing; which single facts would help is the matter of `repair`.

The tree is finite: on the way down no rule is used twice, a goal is taken apart where it first
appears (the shallowest place) and only referred to elsewhere, and the limits bound the rest. The
tree records what was left out for any of these reasons.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, islice

from ibr.logic.checking.matching import Binding, Facts, conclusions_of, extensions, join
from ibr.logic.clause import Clause, Literal, Program
from ibr.logic.solving.solver import Solver
from ibr.logic.surface.phrases import phrase
from ibr.logic.surface.wording import sentence
from ibr.proof import Proof

MAX_DEPTH = 12  # rules on one path
MAX_WIDTH = 4  # instances of one rule for one goal, those that lack least
_TRIES = 4096  # instances looked at to choose them


@dataclass(frozen=True, slots=True)
class BranchCondition:
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
    conditions: tuple[BranchCondition, ...]


@dataclass(slots=True)
class WhyNot:
    """`goal` is not provable. Without branches and other notes, nothing concludes it at all.

    `contrary` proves its negation. `elsewhere`: the goal is taken apart in another place of the
    tree. `in_use` are rules that could conclude it but are being tried further up; `unseen` counts
    instances left out by the limits. Mutable only while the tree grows.
    """

    goal: Literal
    contrary: Proof | None = None
    branches: list[Branch] = field(default_factory=list)
    elsewhere: bool = False
    in_use: tuple[int, ...] = ()
    unseen: int = 0


def why_not(program: Program, question: Literal, solver: Solver | None = None) -> WhyNot:
    """The failing branches under an unprovable question. ValueError if it can be proved.

    `solver`, if there is one for this program already, saves building another.
    """
    solver = (solver or Solver(program)).over(question)
    if solver.proves(question):
        raise ValueError(f"it can be proved that {phrase(question)}: there is no why-not")
    return _TreeSearch(program, solver).explore(question)


class _TreeSearch:
    def __init__(self, program: Program, solver: Solver) -> None:
        self.conclusions, self.solver = conclusions_of(program), solver
        self.domain = sorted(solver.domain)
        self.facts = Facts(solver.model)
        self.queue: deque[tuple[WhyNot, frozenset[int]]] = deque()  # with the rules above it

    def explore(self, question: Literal) -> WhyNot:
        """Level by level, so that each goal is taken apart at its shallowest place."""
        root = self.goal(question, frozenset())
        seen: set[Literal] = set()
        while self.queue:
            tree, used = self.queue.popleft()
            tree.elsewhere = tree.goal in seen
            if not tree.elsewhere:
                seen.add(tree.goal)
                self.expand(tree, used)
        return root

    def goal(self, literal: Literal, used: frozenset[int]) -> WhyNot:
        denied = self.solver.proves(literal.negation)
        tree = WhyNot(literal, self.solver.proof(literal.negation) if denied else None)
        self.queue.append((tree, used))
        return tree

    def expand(self, tree: WhyNot, used: frozenset[int]) -> None:
        concluding = list(self.conclusions.of(tree.goal, self.domain))
        tree.in_use = tuple(dict.fromkeys(rule for rule, _ in concluding if rule in used))
        for rule, clause in concluding:
            if rule in used:
                continue
            shown = self.instances(clause) if len(used) < MAX_DEPTH else []
            tree.unseen += len(self.domain) ** len(clause.variables) - len(shown)
            below = used | {rule}
            for instance in shown:
                conditions = tuple(self.condition(literal, below) for literal in instance.body)
                tree.branches.append(Branch(rule, conditions))

    def instances(self, clause: Clause) -> list[Clause]:
        """The instances that lack least, among the promising ones first and then all."""
        bindings = chain(self.promising(clause), self.every(clause, {}))
        distinct = dict.fromkeys(clause.bind(b) for b in islice(bindings, _TRIES))
        lacking = {instance: sum(not self.holds(c) for c in instance.body) for instance in distinct}
        return sorted(distinct, key=lacking.__getitem__)[:MAX_WIDTH]

    def promising(self, clause: Clause) -> Iterator[Binding]:
        """Bindings that satisfy at least one condition about a variable."""
        for condition in clause.body:
            if condition.variables and not condition.is_naf:
                for binding in join((condition,), self.facts, {}, self.solver.domain):
                    yield from self.every(clause, binding)

    def every(self, clause: Clause, binding: Binding) -> Iterator[Binding]:
        return extensions(binding, clause.variables - binding.keys(), self.domain)

    def holds(self, condition: Literal) -> bool:
        return (condition.stated in self.facts) != condition.is_naf

    def condition(self, literal: Literal, used: frozenset[int]) -> BranchCondition:
        holds = self.holds(literal)
        if not (literal.is_naf or holds):
            return BranchCondition(literal, False, why_not=self.goal(literal, used))
        proof = None if literal.is_naf and holds else self.solver.proof(literal.stated)
        return BranchCondition(literal, holds, proof)


def why_not_lines(tree: WhyNot) -> list[str]:
    """The tree in English, as indented lines."""
    return [sentence(f"nothing shows that {phrase(tree.goal)}"), *_lines(tree, "  ")]


def _lines(tree: WhyNot, indent: str) -> Iterator[str]:
    for line in _notes(tree):
        yield f"{indent}{line}"
    for branch in tree.branches:
        yield f"{indent}[{branch.rule + 1}] would show it if all of this held:"
        for condition in branch.conditions:
            yield f"{indent}  - {_condition(condition)}"
            if condition.why_not:
                yield from _lines(condition.why_not, f"{indent}    ")


def _notes(tree: WhyNot) -> Iterator[str]:
    if tree.contrary:
        yield f"On the contrary, {phrase(tree.goal.negation)} {_cite(tree.contrary)}."
    if tree.elsewhere:
        yield "(This is taken apart elsewhere here.)"
    elif not (tree.branches or tree.in_use or tree.unseen):
        yield "No sentence says so and no rule concludes it."
    for rule in tree.in_use:
        yield f"[{rule + 1}] could show it, but is being tried already."
    if tree.unseen:
        yield f"({tree.unseen} more ways to apply these rules are not listed.)"


def _condition(condition: BranchCondition) -> str:
    literal, atom = phrase(condition.literal), phrase(condition.literal.atom)
    if not condition.literal.is_naf:
        shown = f"yes {_cite(condition.proof)}" if condition.proof else "nothing shows it"
        return f"{literal}: {shown}"
    if condition.proof:
        return f"{literal}: no, {atom} {_cite(condition.proof)}"
    return f"{literal}: yes, nothing shows that {atom}"


def _cite(proof: Proof) -> str:
    """[2] for the sentence that says it, [by 7] for the rule that shows it."""
    assert proof.root is not None
    return f"[{'by ' if proof.root.premises else ''}{proof.root.node + 1}]"
