"""What the solver tells the compact encoder in training: of every sentence and every entity,

whether it holds and how deep its proof is; and if it fails to conclude what it might, how long a
chain of failures it leads; and of every word, what it does in its sentence. Inference never sees
this.

Legend: M theories, E channels, N sentences, T spots.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
import torch

from ibr.logic.clause import Clause, Literal, Program, Sign, is_variable
from ibr.logic.solver import Solver
from ibr.model.batch import Hints
from ibr.model.roles import Role
from ibr.tokens import TheoryTokens, stem

NEVER = 99  # deeper than any proof: what does not hold
LONGEST = 8  # chain of failures that is looked for


class Hinting:
    """The hints of a batch, gathered theory by theory."""

    def __init__(self, shape: tuple[int, int, int], spots: int) -> None:
        self._fires = np.full(shape, NEVER, dtype=np.int64)
        self._chain = np.zeros(shape, dtype=np.int64)
        self._asked = np.zeros(shape, dtype=bool)
        self._roles = np.full((shape[0], spots), -1, dtype=np.int64)

    def tell(self, theory: int, solver: Solver, tokens: TheoryTokens) -> None:
        channels = len(tokens.channels)
        self._asked[theory, 1:channels, : len(tokens.kinds)] = True
        for s, entity, depth in depths(solver):
            for channel in range(1, channels) if entity is None else channels_of(entity, tokens):
                self._fires[theory, channel, s] = min(self._fires[theory, channel, s], depth)
        for s, entity, length in chains(solver):
            for channel in channels_of(entity, tokens):
                self._chain[theory, channel, s] = max(self._chain[theory, channel, s], length)

        told = roles(solver.program, tokens)
        self._roles[theory, : len(told)] = told

    @property
    def hints(self) -> Hints:
        return Hints(*map(torch.from_numpy, (self._fires, self._chain, self._asked, self._roles)))


def channels_of(entity: str, tokens: TheoryTokens) -> list[int]:
    """The channels of an entity: those of the words in its name."""
    numbers = {tokens.numbers.get(word) for word in _stems(entity)}
    return [c for c, number in enumerate(tokens.channels.tolist()) if c and number in numbers]


def _stems(term: str) -> set[str]:
    return {stem(word) for word in term.lower().replace("-", " ").split()}


def roles(program: Program, tokens: TheoryTokens) -> list[int]:
    """The role of every spot; -1 if it names whom a sentence is about, or may have two roles."""
    told = []
    names = {number: word for word, number in tokens.numbers.items()}
    by_sentence = [_roles_of(clauses) for clauses in program.said]
    for spot in tokens.spots.tolist():
        found = by_sentence[tokens.sentence[spot]].get(names[tokens.symbols[spot]], {Role.NONE})
        told.append(next(iter(found)) if len(found) == 1 else -1)
    return told


def _roles_of(clauses: Iterable[Clause]) -> dict[str, set[int]]:
    """Stem → its roles in what a sentence says; names have -1 among theirs."""
    found: dict[str, set[int]] = {}
    for clause in clauses:
        for literal in (clause.head, *clause.body):
            role = _ROLES[literal.sign, literal is not clause.head]
            for term in (literal.relation, literal.object):
                for word in _stems(term):
                    found.setdefault(word, set()).add(role)
            for word in _stems(literal.subject):
                found.setdefault(word, set()).add(-1)
    return found


_ROLES: Final = {
    (Sign.POSITIVE, False): Role.SAID,
    (Sign.NEGATIVE, False): Role.DENIED,
    (Sign.POSITIVE, True): Role.ASKED,
    (Sign.NEGATIVE, True): Role.ABSENT,
    (Sign.NAF, True): Role.ABSENT,
}


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
    """(sentence, entity, length) of the chain that every rule leads as it fails to conclude

    something of the entity. The longest for an atom is its failure; the others it is longer than.
    """
    for atom in solver.failing:
        for sentence, length in solver.failures(atom, LONGEST):
            for clause in solver.program.said[sentence]:
                entity = _spoken_of(clause, atom)
                if entity is not None:
                    yield sentence, entity, length
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
