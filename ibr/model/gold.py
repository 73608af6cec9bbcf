"""What training asks for: labels, a gold path over readings, and solver hints.

Legend as in `batch`; column s·E + e is the reading of sentence s in channel e.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch

from ibr.data.example import Example
from ibr.logic.bindings import Bound, bind
from ibr.logic.clause import is_variable
from ibr.logic.language import read_question
from ibr.logic.solver import Solver
from ibr.model.batch import Batch, Gold, Hints, pad
from ibr.proof import END, NAF, Proof, Tree
from ibr.search import QUESTION
from ibr.theory import Kind, Strategy
from ibr.tokens import TheoryTokens, read_theory, stem

NEVER = 99  # deeper than any proof: a rule that does not fire


def with_gold(batch: Batch, groups: Sequence[Sequence[Example]], rng: random.Random) -> Batch:
    """Adds labels, gold paths in an order drawn by `rng`, and hints.

    `groups` are the examples of each theory of the batch, in its order.
    """
    channels = batch.input.channels
    fires = np.full((len(groups), channels, batch.is_rule.shape[1]), NEVER, dtype=np.int64)
    asked = np.zeros(fires.shape, dtype=bool)
    proofs: list[Proof] = []
    if channels == 1:  # no entity is told apart: sentences are the nodes, and no logic is needed
        proofs = [_over_sentences(example) for group in groups for example in group]
        return replace(batch, gold=_gold(_answers(groups), proofs, batch.is_rule.shape[1], rng))
    for i, group in enumerate(groups):
        if group[0].program is None:
            raise ValueError(f"{group[0].id}: no logic to learn from")
        tokens = read_theory(group[0].theory, channels)
        solver = Solver(group[0].program)
        asked[i, 1 : len(tokens.channels)] = [s.kind is Kind.RULE for s in group[0].theory] + [
            False
        ] * (fires.shape[2] - len(group[0].theory))
        for s, entity, depth in rule_depths(solver):
            for channel in range(1, channels) if entity is None else channels_of(entity, tokens):
                fires[i, channel, s] = min(fires[i, channel, s], depth)
        proofs += [_over_readings(example, solver, tokens, channels) for example in group]
    readings = batch.is_rule.shape[1] * channels
    return replace(
        batch,
        gold=_gold(_answers(groups), proofs, readings, rng),
        hints=Hints(torch.from_numpy(fires), torch.from_numpy(asked)),
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


def channels_of(entity: str, tokens: TheoryTokens) -> list[int]:
    """The channels of an entity: those of the words in its name."""
    numbers = {tokens.numbers.get(stem(word)) for word in entity.lower().replace("-", " ").split()}
    return [c for c, number in enumerate(tokens.channels.tolist()) if c and number in numbers]


def rule_depths(solver: Solver) -> list[tuple[int, str | None, int]]:
    """(sentence, entity that its variable stands for or None, depth) of every firing instance."""
    depth, program = solver.model, solver.program
    found = []
    for head, instances in solver.instances.items():
        for instance in instances:
            if not instance.body:
                continue
            below = max((depth[premise] for premise in instance.premises), default=0)
            clause = next(
                c for c in program.said[instance.sentence] if len(c.body) == len(instance.body)
            )
            pairs = zip((clause.head, *clause.body), (head, *instance.body), strict=True)
            entity = next((b.subject for a, b in pairs if is_variable(a.subject)), None)
            found.append((instance.sentence, entity, below + 1))
    return found
