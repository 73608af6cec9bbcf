"""What each occurrence in a proof tree concludes, and which entity its rule is applied to.

A `Proof` cites sentences only; here each node gets its entity back, by walking down from the
conclusion. For training: a model reads one rule differently for different entities.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Sequence
from dataclasses import dataclass

from ibr.logic.checking.matching import extensions, match
from ibr.logic.clause import Clause, Literal, Program, Sign, is_variable
from ibr.proof import NAF, Proof, Tree
from ibr.theory import Strategy


@dataclass(frozen=True, slots=True)
class Bound:
    """An occurrence: `entity` is what the sentence's variable stands for, or its subject."""

    node: int
    entity: str = ""
    premises: tuple[Bound, ...] = ()


def bind(program: Program, proof: Proof, goal: Literal, proved: Container[Literal]) -> Bound | None:
    """The proof of `goal` (for a fail-proof: the positive atom that failed) with its entities.

    None for the empty fail-proof. Raises ValueError if the tree does not conclude the goal.
    """
    if proof.root is None:
        return None
    binder = _Binder(program, program.entities | goal.entities, proved)
    search = binder.proofs if proof.strategy is Strategy.PROOF else binder.failures
    bound = next(search(proof.root, goal), None)
    if bound is None:
        raise ValueError(f"sentence {proof.root.node} does not conclude {goal} in this proof")
    return bound


@dataclass(frozen=True, slots=True)
class _Binder:
    program: Program
    domain: Collection[str]
    proved: Container[Literal]

    def proofs(self, tree: Tree, goal: Literal) -> Iterator[Bound]:
        """Every way in which the tree proves the goal."""
        absent = tuple(Bound(NAF) for premise in tree.premises if premise.node == NAF)
        cited = [premise for premise in tree.premises if premise.node != NAF]
        for instance, entity in self._instances(tree.node, goal):
            negated = [literal.atom for literal in instance.body if literal.sign is Sign.NAF]
            positive = [literal for literal in instance.body if literal.sign is not Sign.NAF]
            fits = len(positive) == len(cited) and bool(negated) == bool(absent)
            if fits and not any(atom in self.proved for atom in negated):
                for below in self._assigned(cited, positive):
                    yield Bound(tree.node, entity, absent + below)

    def _assigned(
        self, trees: Sequence[Tree], goals: Sequence[Literal]
    ) -> Iterator[tuple[Bound, ...]]:
        """Each tree proves one goal of its own."""
        if not trees:
            yield ()
        for k, goal in enumerate(goals):
            for first in self.proofs(trees[0], goal):
                for others in self._assigned(trees[1:], [*goals[:k], *goals[k + 1 :]]):
                    yield (first, *others)

    def failures(self, tree: Tree, goal: Literal) -> Iterator[Bound]:
        """Every way in which the chain of rules fails to prove the goal."""
        for instance, entity in self._instances(tree.node, goal):
            if not tree.premises:
                yield Bound(tree.node, entity)
                continue
            for literal in instance.body:
                if literal.positive and literal not in self.proved:
                    for below in self.failures(tree.premises[0], literal):
                        yield Bound(tree.node, entity, (below,))

    def _instances(self, node: int, goal: Literal) -> Iterator[tuple[Clause, str]]:
        """Ground instances that conclude the goal, each with the entity that it is applied to."""
        for clause in self.program.clauses[node]:
            binding = match(clause.head, goal, {}, self.domain)
            if binding is not None:
                # A rule is about the variable of its head, or else of its first condition.
                terms = (
                    t for lit in (clause.head, *clause.body) for t in (lit.subject, lit.object)
                )
                main = next(filter(is_variable, terms), "")
                for whole in extensions(binding, clause.variables - binding.keys(), self.domain):
                    yield clause.bind(whole), whole[main] if main else goal.subject
