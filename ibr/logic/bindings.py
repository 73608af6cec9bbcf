"""What each occurrence in a proof tree concludes, and of which entity its rule speaks.

A `Proof` cites sentences only; here every node gets its literal back, by walking down from the
conclusion. Training needs it, since a model reads one rule differently for different entities.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

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
    world = _World(program, sorted(program.entities | goal.entities), proved)
    if proof.strategy is Strategy.PROOF:
        bound = next(_proofs(world, proof.root, goal), None)
    else:
        bound = next(_failures(world, proof.root, goal), None)
    if bound is None:
        raise ValueError(f"sentence {proof.root.node} does not conclude {goal} in this proof")
    return bound


@dataclass(frozen=True, slots=True)
class _World:
    program: Program
    domain: Sequence[str]
    proved: Container[Literal]


def _proofs(world: _World, tree: Tree, goal: Literal) -> Iterator[Bound]:
    leaves = [premise for premise in tree.premises if premise.node != NAF]
    for instance, entity in _instances(world, tree.node, goal):
        positive = [literal for literal in instance.body if literal.sign is not Sign.NAF]
        negated = [literal for literal in instance.body if literal.sign is Sign.NAF]
        if len(positive) != len(leaves) or bool(negated) != (len(leaves) < len(tree.premises)):
            continue
        if any(literal.atom in world.proved for literal in negated):
            continue
        absent = tuple(Bound(NAF) for premise in tree.premises if premise.node == NAF)
        for below in _assigned(world, leaves, positive):
            yield Bound(tree.node, entity, absent + below)


def _assigned(
    world: _World, trees: Sequence[Tree], goals: Sequence[Literal]
) -> Iterator[tuple[Bound, ...]]:
    """Each tree proves one goal of its own."""
    if not trees:
        yield ()
        return
    for k, goal in enumerate(goals):
        rest = [*goals[:k], *goals[k + 1 :]]
        for first in _proofs(world, trees[0], goal):
            for others in _assigned(world, trees[1:], rest):
                yield (first, *others)


def _failures(world: _World, tree: Tree, goal: Literal) -> Iterator[Bound]:
    for instance, entity in _instances(world, tree.node, goal):
        if not tree.premises:
            yield Bound(tree.node, entity)
            continue
        failing = [lit for lit in instance.body if lit.positive and lit not in world.proved]
        for literal in failing:
            for below in _failures(world, tree.premises[0], literal):
                yield Bound(tree.node, entity, (below,))


def _instances(world: _World, node: int, goal: Literal) -> Iterator[tuple[Clause, str]]:
    """Ground instances that conclude the goal, with the entity that each speaks of."""
    for clause in world.program.said[node]:
        binding = _match(clause.head, goal)
        if binding is None:
            continue
        free = sorted(clause.variables - binding.keys())
        for values in product(world.domain, repeat=len(free)):
            whole = binding | dict(zip(free, values, strict=True))
            yield clause.bind(whole), whole[_main(clause)] if whole else goal.subject


def _main(clause: Clause) -> str:
    """The variable that a rule is about: of its head, or else of its first condition."""
    literals = (clause.head, *clause.body)
    return next(t for lit in literals for t in (lit.subject, lit.object) if is_variable(t))


def _match(pattern: Literal, ground: Literal) -> dict[str, str] | None:
    if pattern.relation != ground.relation or pattern.sign != ground.sign:
        return None
    binding: dict[str, str] = {}
    for term, value in ((pattern.subject, ground.subject), (pattern.object, ground.object)):
        if is_variable(term):
            if binding.setdefault(term, value) != value:
                return None
        elif term != value:
            return None
    return binding
