"""The model of a whole program: layer after layer, and knots in negation untied atom by atom.

Mostly the predicates alone give an order. Rules that negate what they help to prove (real RuleTaker
theories have some) are made ground; what is certain then decides more, until all is decided: the
well-founded model (Van Gelder, Ross, Schlipf 1991). If something stays open, no order exists.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence

from ibr.logic.clause import Clause, Literal, Program, Sign
from ibr.logic.solving.chaining import Model
from ibr.logic.solving.stratify import Layer, NotStratified, Rule, circle, layers, predicate_of

_KNOWN = -1  # in place of a sentence: proved before


def chain(program: Program, domain: Iterable[str]) -> Model:
    """Everything the program proves. Raises NotStratified."""
    model = Model(domain)
    facts: list[Rule] = []
    rules: list[Rule] = []
    for sentence, clause in program:
        (facts if clause.is_fact else rules).append(Rule(sentence, clause))
    model.state(facts)
    node_of = predicate_of(rules)
    for layer in layers(rules, node_of):
        model.run(layer.plain)
        if layer.tangled:
            for finer in layers(list(_ground(model, layer, node_of)), lambda literal: literal):
                model.run(finer.plain)
                model.run(list(_decided(model, finer.tangled)))
    return model


def _ground(model: Model, layer: Layer, node_of: Callable[[Literal], Hashable]) -> Iterator[Rule]:
    """The instances of tangled rules that fire if no ~ inside the tangle stops any of them."""
    possible = Model(model.domain)
    possible.state(Rule(_KNOWN, Clause(literal)) for literal in model.instances)
    possible.run(layer.tangled, lambda atom: node_of(atom) not in layer.nodes)
    for head, ways in possible.instances.items():
        for sentence, body in ways:
            if sentence != _KNOWN:
                yield Rule(sentence, Clause(head, body))


def _decided(model: Model, ground: Sequence[Rule]) -> Iterator[Rule]:
    """The tangled ground rules whose ~ conditions hold, found by alternating two estimates."""
    atoms = {lit.atom for rule in ground for lit in (rule.clause.head, *rule.clause.body)}
    given = certain = atoms & model.instances.keys()
    while True:
        possible = _closure(ground, given, certain)
        grown = _closure(ground, given, possible)
        if grown == certain:
            break
        certain = grown
    if certain != possible:
        raise NotStratified(circle(_undecided(ground, certain, possible)))
    for rule in ground:
        if all(lit.sign != Sign.NAF or lit.atom not in certain for lit in rule.clause.body):
            yield rule


def _undecided(
    ground: Iterable[Rule], certain: Container[Literal], possible: Container[Literal]
) -> Iterator[Rule]:
    """What is left of the rules when all that is decided is taken out."""
    for sentence, (head, body) in ground:
        left = tuple(lit for lit in body if lit.atom in possible and lit.atom not in certain)
        others = [lit for lit in body if lit not in left]
        holds = all((lit.atom in certain) == (lit.sign != Sign.NAF) for lit in others)
        if left and holds and head not in certain:
            yield Rule(sentence, Clause(head, left))


def _closure(
    ground: Iterable[Rule], given: Iterable[Literal], refused: Container[Literal]
) -> set[Literal]:
    """What follows if each atom counts as not provable that is not `refused` to."""
    waiting: dict[Literal, list[int]] = {}
    missing: list[int] = []
    heads: list[Literal] = []
    known = set(given)
    fresh: list[Literal] = list(known)
    for _, (head, body) in ground:
        if any(lit.sign == Sign.NAF and lit.atom in refused for lit in body):
            continue
        premises = {lit for lit in body if lit.sign != Sign.NAF}
        for premise in premises:
            waiting.setdefault(premise, []).append(len(heads))
        heads.append(head)
        missing.append(len(premises))
        if not premises and head not in known:
            known.add(head)
            fresh.append(head)
    for literal in fresh:  # grows as we go
        for place in waiting.get(literal, ()):
            missing[place] -= 1
            if not missing[place] and heads[place] not in known:
                known.add(heads[place])
                fresh.append(heads[place])
    return known
