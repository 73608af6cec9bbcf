"""The labels of training: answers, a gold path over readings, and hints of the solver.

Hints are for the compact encoder: for each sentence and entity, whether the sentence holds and how
deep its proof is, or how long a chain of failures it leads; for each word, its role. Inference does
not have them. Column s·E + e is the reading of sentence s in channel e.

Legend: M theories, E channels, N sentences, T spots.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import torch

from ibr.data.formats.example import Example
from ibr.decoding.search import QUESTION
from ibr.errors import InputError
from ibr.evaluation.oracle import cited
from ibr.inputs.arrays import Asked
from ibr.inputs.tokens import TheoryTokens, stem
from ibr.logic.bindings import Bound, bind
from ibr.logic.clause import Clause, Literal, Program, Sign, is_variable
from ibr.logic.solving.solver import Solver
from ibr.model.batch import NO_LABEL, Batch, Gold, Hints, pad
from ibr.model.encoders.encoding import CompactInput
from ibr.model.encoders.layers import WordRole
from ibr.proof import END, NAF, Proof, Tree
from ibr.theory import Strategy

Groups = Sequence[Sequence[Example]]  # the questions of each theory
NEVER = 99  # deeper than any proof: what does not hold
LONGEST = 8  # chain of failures that is labelled


def asked_of(groups: Groups) -> list[Asked]:
    return [Asked(group[0].theory, [e.problem.question for e in group]) for group in groups]


def with_gold(batch: Batch, groups: Groups, rng: random.Random) -> Batch:
    """Add labels to a batch of these examples, by theory; `rng` draws the order of the paths."""
    examples = [example for group in groups for example in group]
    channels = batch.input.channels
    if channels == 1:  # nodes are sentences: no logic is needed
        firsts = [e.proofs[0] if e.proofs else None for e in examples]
        proofs = [p and Proof(p.strategy, p.root and cited(p.root)) for p in firsts]
    else:
        solvers = [solver_of(group[0]) for group in groups]
        batch = with_hints(batch, groups, solvers)
        proofs = [
            _over_readings(example, solver, tokens, channels)
            for group, solver, tokens in zip(groups, solvers, batch.tokens, strict=True)
            for example in group
        ]
    gold = _gold(examples, proofs, batch.is_rule.shape[1] * channels, rng)
    return replace(batch, gold=gold, tokens=())


def solver_of(example: Example) -> Solver:
    """Of its theory. Raises InputError."""
    if example.program is None:
        raise InputError(f"{example.id}: no logic to learn from")
    return Solver(example.program)


def first_proof(example: Example) -> Proof:
    if not example.proofs:
        raise InputError(f"{example.id}: no gold proof to learn from")
    return example.proofs[0]


def _over_readings(example: Example, solver: Solver, tokens: TheoryTokens, channels: int) -> Proof:
    """The example's first proof with columns of readings as its nodes.

    Equal leaves under one parent are one step: a sentence of several facts is cited once.
    """
    proof, program = first_proof(example), solver.program
    literal = example.statement
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
    examples: Sequence[Example], proofs: Sequence[Proof | None], readings: int, rng: random.Random
) -> Gold:
    """An example without a proof has no steps and no strategy: its answer alone is learned."""
    special = {NAF: readings, END: readings + 1}
    paths = [proof.to_path(rng).steps if proof else () for proof in proofs]
    length = max(1, *map(len, paths))
    strategies = [NO_LABEL if p is None else int(p.strategy is Strategy.PROOF) for p in proofs]
    children = [[special.get(step.child, step.child) for step in path] for path in paths]
    return Gold(
        answer=torch.tensor([int(example.answer) for example in examples]),
        strategy=torch.tensor(strategies),
        columns=pad([[QUESTION, *c[:-1]] for c in children], length, QUESTION),
        parent=pad([[step.parent for step in path] for path in paths], length),
        child=pad(children, length),
        is_step=pad([[1] * len(c) for c in children], length).bool(),
    )


def with_hints(batch: Batch, groups: Groups, known: Sequence[Solver] = ()) -> Batch:
    """Add the hints of the theories' solvers; only the compact encoder takes them."""
    if not isinstance(batch.input, CompactInput):
        return batch
    solvers = known or [solver_of(group[0]) for group in groups]
    shape = (len(solvers), batch.input.channels, batch.is_rule.shape[1])
    fires, chain = np.full(shape, NEVER), np.zeros(shape, dtype=np.int64)
    is_asked = np.zeros(shape, dtype=bool)
    word_roles = np.full(batch.input.theory.spots.shape, -1)
    for m, (solver, tokens) in enumerate(zip(solvers, batch.tokens, strict=True)):
        channels = len(tokens.channels)
        is_asked[m, 1:channels, : len(tokens.kinds)] = True
        for s, entity, depth in depths(solver):
            for e in range(1, channels) if entity is None else channels_of(entity, tokens):
                fires[m, e, s] = min(fires[m, e, s], depth)
        for s, entity, length in chains(solver):
            for e in channels_of(entity, tokens):
                chain[m, e, s] = max(chain[m, e, s], length)
        found = roles(solver.program, tokens)
        word_roles[m, : len(found)] = found
    labels = map(torch.from_numpy, (fires, chain, is_asked, word_roles))
    return replace(batch, hints=Hints(*labels))


def channels_of(entity: str, tokens: TheoryTokens) -> list[int]:
    """The channels of an entity: those of the words in its name."""
    numbers = {tokens.numbers.get(word) for word in _stems(entity)}
    return [c for c, number in enumerate(tokens.channels.tolist()) if c and number in numbers]


def _stems(term: str) -> set[str]:
    return {stem(word) for word in term.lower().replace("-", " ").split()}


def roles(program: Program, tokens: TheoryTokens) -> list[int]:
    """The role of every spot; -1 if it names the subject, or may have two roles."""
    labels = []
    names = {number: word for word, number in tokens.numbers.items()}
    by_sentence = [_roles_of(clauses) for clauses in program.clauses]
    for spot in tokens.spots.tolist():
        found = by_sentence[tokens.sentence[spot]].get(names[tokens.symbols[spot]], {WordRole.NONE})
        labels.append(next(iter(found)) if len(found) == 1 else -1)
    return labels


def _roles_of(clauses: Iterable[Clause]) -> dict[str, set[int]]:
    """Stem → its roles in a sentence; names have -1 among theirs."""
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
    (Sign.POSITIVE, False): WordRole.ASSERTED,
    (Sign.NEGATIVE, False): WordRole.NEGATED,
    (Sign.POSITIVE, True): WordRole.CONDITION,
    (Sign.NEGATIVE, True): WordRole.NEGATED_CONDITION,
    (Sign.NAF, True): WordRole.NEGATED_CONDITION,
}


def depths(solver: Solver) -> list[tuple[int, str | None, int]]:
    """(sentence, entity, depth) of all that is proved.

    The entity of a rule is that of its variable, None without one; of a fact, its subject.
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
                c for c in program.clauses[instance.sentence] if len(c.body) == len(instance.body)
            )
            pairs = zip((clause.head, *clause.body), (head, *instance.body), strict=True)
            entity = next((b.subject for a, b in pairs if is_variable(a.subject)), None)
            found.append((instance.sentence, entity, below + 1))
    return found


def chains(solver: Solver) -> Iterator[tuple[int, str, int]]:
    """(sentence, entity, length) of the chain of each rule that fails to conclude an atom.

    The longest chain of an atom is its failure.
    """
    for atom in solver.failing:
        for sentence, length in solver.failures(atom, LONGEST):
            for clause in solver.program.clauses[sentence]:
                entity = _subject_of(clause, atom)
                if entity is not None:
                    yield sentence, entity, length
                    break


def _subject_of(clause: Clause, atom: Literal) -> str | None:
    """The entity of the rule's variable as it concludes the atom; None if it does not."""
    head = clause.head
    if head.relation != atom.relation or not head.positive:
        return None
    pairs = [(head.subject, atom.subject), (head.object, atom.object)]
    if any(a != b for a, b in pairs if not is_variable(a)):
        return None
    return next((b for a, b in pairs if is_variable(a)), atom.subject)
