"""The same examples with their theory's sentences in another order: labels move along."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from ibr.data.example import Example
from ibr.logic.clause import Program
from ibr.proof import NAF, Proof, Tree
from ibr.theory import Theory


def reorder(group: Sequence[Example], rng: random.Random) -> list[Example]:
    """`group` are questions about one theory."""
    first = group[0]
    order = list(range(len(first.theory)))
    rng.shuffle(order)
    place = {old: new for new, old in enumerate(order)} | {NAF: NAF}
    theory = Theory(
        tuple(first.theory.sentences[old] for old in order),
        tuple(first.theory.numbers[old] for old in order),
    )
    program = _reordered(first.program, order, place) if first.program else None
    return [
        replace(
            example,
            problem=replace(example.problem, theory=theory),
            program=program,
            proofs=example.proofs and tuple(_moved(proof, place) for proof in example.proofs[:1]),
            source=None,  # its components are in the old order
        )
        for example in group
    ]


def _reordered(program: Program, order: Sequence[int], place: dict[int, int]) -> Program:
    return Program(
        tuple(program.said[old] for old in order),
        tuple(program.numbers[old] for old in order),
        tuple(sorted(place[old] for old in program.unreadable)),
    )


def _moved(proof: Proof, place: dict[int, int]) -> Proof:
    def tree(old: Tree) -> Tree:
        return Tree(place[old.node], tuple(map(tree, old.premises)))

    return Proof(proof.strategy, tree(proof.root) if proof.root else None)
