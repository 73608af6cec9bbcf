"""What one more fact changes, exactly, for many facts at once.

A world is the theory with one more fact, and a bit; the value of a literal is the set of worlds in
which it holds, as an integer, so one evaluation serves all worlds.
"""

from collections import defaultdict, deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from ibr.logic.checking.wellfounded import alternating_fixpoint
from ibr.logic.clause import Clause, Literal, Program
from ibr.logic.solving.chaining import Closure, Rule
from ibr.logic.solving.strata import predicate_of

Worlds = int  # bit i is set: world i
Values = Mapping[Literal, Worlds]
_ADDED = -1  # in place of a sentence


class Inference(NamedTuple):
    """`conclusion` holds where all `needs` hold and none of `absent` does."""

    conclusion: Literal
    needs: tuple[Literal, ...] = ()
    absent: tuple[Literal, ...] = ()


def possible_inferences(
    program: Program, question: Literal, added: Iterable[Literal], domain: Iterable[str]
) -> Iterator[Inference]:
    """The instances of rules that may fire with these facts, whatever they negate, and bear on the
    question or on what some sentence denies."""
    closure, rules = Closure(domain), _relevant(program, question)
    closure.run([rule for rule in rules if rule.clause.is_fact])
    closure.run([Rule(_ADDED, Clause(fact)) for fact in added])
    closure.run([rule for rule in rules if not rule.clause.is_fact], settled=lambda atom: False)
    for head, ways in closure.instances.items():
        for sentence, body in ways:
            if sentence != _ADDED:
                needs = tuple(literal for literal in body if not literal.is_naf)
                yield Inference(head, needs, tuple(lit.atom for lit in body if lit.is_naf))


def _relevant(program: Program, question: Literal) -> list[Rule]:
    """The rules that serve to conclude the predicate of the question, or one that is denied."""
    rules = [Rule(i, clause) for i, clause in program]
    node_of = predicate_of(rules)
    concluding: defaultdict[Hashable, list[Rule]] = defaultdict(list)
    for rule in rules:
        concluding[node_of(rule.clause.head.atom)].append(rule)
    denied = (rule.clause.head for rule in rules if not rule.clause.head.positive)
    nodes = dict.fromkeys(node_of(literal.atom) for literal in (question, *denied))
    queue = [*nodes]
    for node in queue:  # grows as we go
        below = (node_of(lit.atom) for rule in concluding[node] for lit in rule.clause.body)
        new = {other: None for other in below if other not in nodes}
        nodes |= new
        queue.extend(new)
    return [rule for node in nodes for rule in concluding[node]]


def holding(inferences: Iterable[Inference], added: Sequence[Literal]) -> Values:
    """The worlds in which each literal holds. World i has the inferences and `added[i]`.

    What holds is true in the well-founded model; a world in which that model leaves something open
    is not to be relied on.
    """
    known = tuple(inferences)
    start = {fact: 1 << i for i, fact in enumerate(added)}
    concluded = {inference.conclusion for inference in known}
    possible = _least(known, start, start)
    if all(concluded.isdisjoint(inference.absent) for inference in known):
        return possible
    return alternating_fixpoint(partial(_least, known, start), possible)[0]


def _least(inferences: Sequence[Inference], start: Values, doubted: Values) -> Values:
    """The least fixpoint above `start`, where what is not doubted is absent."""
    every: Worlds = (1 << len(start)) - 1
    values = defaultdict(int, start)
    using: defaultdict[Literal, list[Inference]] = defaultdict(list)
    for inference in inferences:
        for need in inference.needs:
            using[need].append(inference)
    queue = deque(inferences)
    while queue:
        conclusion, needs, absent = queue.popleft()
        worlds = every
        for need in needs:
            worlds &= values[need]
        for literal in absent:
            worlds &= ~doubted.get(literal, 0)
        if worlds & ~values[conclusion]:
            values[conclusion] |= worlds
            queue.extend(using[conclusion])
    return values
