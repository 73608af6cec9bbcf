"""What training asks for: labels, and a gold path over readings. Hints are `hints`'s.

Legend as in `batch`; column s·E + e is the reading of sentence s in channel e.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import torch

from ibr.data.example import Example
from ibr.logic.bindings import Bound, bind
from ibr.logic.language import read_question
from ibr.logic.solver import Solver
from ibr.model.batch import Batch, Gold, pad
from ibr.model.compact_input import CompactInput
from ibr.model.hints import Hinting, channels_of
from ibr.proof import END, NAF, Proof, Tree
from ibr.search import QUESTION
from ibr.theory import Strategy
from ibr.tokens import TheoryTokens, read_theory


def with_gold(batch: Batch, groups: Sequence[Sequence[Example]], rng: random.Random) -> Batch:
    """Adds labels, gold paths in an order drawn by `rng`, and hints.

    `groups` are the examples of each theory of the batch, in its order.
    """
    channels = batch.input.channels
    proofs: list[Proof] = []
    if channels == 1:  # no entity is told apart: sentences are the nodes, and no logic is needed
        proofs = [_over_sentences(example) for group in groups for example in group]
        return replace(batch, gold=_gold(_answers(groups), proofs, batch.is_rule.shape[1], rng))
    assert isinstance(batch.input, CompactInput)
    spots = batch.input.theory.spots.shape[1]
    hints = Hinting((len(groups), channels, batch.is_rule.shape[1]), spots)
    for i, group in enumerate(groups):
        if group[0].program is None:
            raise ValueError(f"{group[0].id}: no logic to learn from")
        tokens = read_theory(group[0].theory, channels)
        solver = Solver(group[0].program)
        hints.tell(i, solver, tokens)
        proofs += [_over_readings(example, solver, tokens, channels) for example in group]
    readings = batch.is_rule.shape[1] * channels
    return replace(
        batch,
        gold=_gold(_answers(groups), proofs, readings, rng),
        hints=hints.hints,
    )


def _answers(groups: Sequence[Sequence[Example]]) -> list[bool]:
    return [example.answer for group in groups for example in group]


def _first_proof(example: Example) -> Proof:
    if not example.proofs:
        raise ValueError(f"{example.id}: no gold proof to learn from")
    return example.proofs[0]


def _over_sentences(example: Example) -> Proof:
    proof = _first_proof(example)

    def cited(tree: Tree) -> Tree:
        return Tree(tree.node, tuple(dict.fromkeys(map(cited, tree.premises))))

    return Proof(proof.strategy, cited(proof.root) if proof.root else None)


def _over_readings(example: Example, solver: Solver, tokens: TheoryTokens, channels: int) -> Proof:
    """The example's first proof with columns of readings as its nodes.

    Equal leaves under one parent are one step: a sentence of several facts is cited once.
    """
    proof, program = _first_proof(example), solver.program
    literal = example.literal or read_question(example.problem.question.text)
    if proof.strategy is Strategy.PROOF:
        goal = literal if example.answer else literal.negation
    else:
        goal = literal.atom

    def column(bound: Bound) -> Tree:
        if bound.node == NAF:
            return Tree(NAF)
        channel = next(iter(channels_of(bound.entity, tokens)), 0)
        premises = dict.fromkeys(map(column, bound.premises))
        return Tree(bound.node * channels + channel, tuple(premises))

    root = bind(program, proof, goal, solver.model)
    return Proof(proof.strategy, column(root) if root else None)


def _gold(
    answers: Sequence[bool], proofs: Sequence[Proof], readings: int, rng: random.Random
) -> Gold:
    special = {NAF: readings, END: readings + 1}
    paths = [proof.to_path(rng) for proof in proofs]
    length = max(len(path.steps) for path in paths)
    children = [[special.get(step.child, step.child) for step in path.steps] for path in paths]
    return Gold(
        answer=torch.tensor([int(answer) for answer in answers]),
        strategy=torch.tensor([int(p.strategy is Strategy.PROOF) for p in proofs]),
        columns=pad([[QUESTION, *c[:-1]] for c in children], length, QUESTION),
        parent=pad([[step.parent for step in path.steps] for path in paths], length),
        child=pad(children, length),
        is_step=pad([[1] * len(c) for c in children], length).bool(),
    )
