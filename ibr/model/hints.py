"""What the solver tells the compact encoder in training: of every sentence and every entity,

whether it holds and how deep its proof is; and if it is what failing to prove something comes to,
how long that chain is. Inference never sees this.

Legend: M theories, E channels, N sentences.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch

from ibr.logic.clause import Clause, Literal, is_variable
from ibr.logic.solver import Solver
from ibr.model.batch import Hints
from ibr.tokens import TheoryTokens, stem

NEVER = 99  # deeper than any proof: what does not hold


class Hinting:
    """The hints of a batch, gathered theory by theory."""

    def __init__(self, shape: tuple[int, int, int]) -> None:
        self._fires = np.full(shape, NEVER, dtype=np.int64)
        self._chain = np.zeros(shape, dtype=np.int64)
        self._asked = np.zeros(shape, dtype=bool)

    def tell(self, theory: int, solver: Solver, tokens: TheoryTokens) -> None:
        channels = len(tokens.channels)
        self._asked[theory, 1:channels, : len(tokens.kinds)] = True
        for s, entity, depth in depths(solver):
            for channel in range(1, channels) if entity is None else channels_of(entity, tokens):
                self._fires[theory, channel, s] = min(self._fires[theory, channel, s], depth)
        for s, entity, length in chains(solver):
            for channel in channels_of(entity, tokens):
                self._chain[theory, channel, s] = length

    @property
    def hints(self) -> Hints:
        return Hints(*map(torch.from_numpy, (self._fires, self._chain, self._asked)))


def channels_of(entity: str, tokens: TheoryTokens) -> list[int]:
    """The channels of an entity: those of the words in its name."""
    numbers = {tokens.numbers.get(stem(word)) for word in entity.lower().replace("-", " ").split()}
    return [c for c, number in enumerate(tokens.channels.tolist()) if c and number in numbers]


def depths(solver: Solver) -> list[tuple[int, str | None, int]]:
    """(sentence, entity, depth) of all that is proved: a rule speaks of the entity that its

    variable stands for, of none if it has none; a fact, at depth 0, of its subject.
    """
    depth, program = solver.model, solver.program
    found: list[tuple[int, str | None, int]] = []
    for head, instances in solver.instances.items():
        for instance in instances:
            if not instance.body:
                found.append((instance.sentence, head.subject, 0))
                continue
            below = max((depth[premise] for premise in instance.premises), default=0)
            clause = next(
                c for c in program.said[instance.sentence] if len(c.body) == len(instance.body)
            )
            pairs = zip((clause.head, *clause.body), (head, *instance.body), strict=True)
            entity = next((b.subject for a, b in pairs if is_variable(a.subject)), None)
            found.append((instance.sentence, entity, below + 1))
    return found


def chains(solver: Solver) -> Iterator[tuple[int, str, int]]:
    """(sentence, entity, length) of the chain of every atom that some rule fails to conclude."""
    for atom in solver.failing:
        proof = solver.failure(atom)
        if proof.root is None:
            continue
        for clause in solver.program.said[proof.root.node]:
            entity = _spoken_of(clause, atom)
            if entity is not None:
                yield proof.root.node, entity, proof.size
                break


def _spoken_of(clause: Clause, atom: Literal) -> str | None:
    """The entity that the rule speaks of as it concludes the atom; None if it does not."""
    head = clause.head
    if head.relation != atom.relation or not head.positive:
        return None
    pairs = [(head.subject, atom.subject), (head.object, atom.object)]
    if any(a != b for a, b in pairs if not is_variable(a)):
        return None
    return next((b for a, b in pairs if is_variable(a)), atom.subject)
