"""The model of a whole program: rules run in layers, so that `~` refers to complete layers only.

Mostly the predicates alone give an order. Rules that negate what they help to prove (real RuleTaker
theories have some) are made ground and decided by the well-founded model (Van Gelder, Ross, Schlipf
1991); if that leaves something open, no order exists. A *node* is the unit of dependence: a
predicate for whole rules, an atom for ground ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from ibr.errors import InputError
from ibr.logic.clause import Clause, Literal, Program, is_variable
from ibr.logic.solving.chaining import Closure, Rule

N = TypeVar("N", bound=Hashable)
_KNOWN = -1  # in place of a sentence: proved before


def chain(program: Program, domain: Iterable[str]) -> Closure:
    """Everything the program proves. Raises NotStratified."""
    model = Closure(domain)
    model.run([Rule(sentence, clause) for sentence, clause in program if clause.is_fact])
    rules = [Rule(sentence, clause) for sentence, clause in program if not clause.is_fact]
    node_of = predicate_of(rules)
    for layer in layers(rules, node_of):
        model.run(layer.plain)
        if layer.tangled:
            for finer in layers(list(_ground(model, layer, node_of)), lambda literal: literal):
                model.run(finer.plain)
                model.run(_decided(model, finer.tangled))
    return model


def _ground(model: Closure, layer: Layer, node_of: Callable[[Literal], Hashable]) -> Iterator[Rule]:
    """The instances of tangled rules that fire if no `~` inside the tangle fails."""
    possible = Closure(model.domain)
    possible.run([Rule(_KNOWN, Clause(literal)) for literal in model.instances])
    possible.run(layer.tangled, lambda atom: node_of(atom) not in layer.nodes)
    for head, ways in possible.instances.items():
        for sentence, body in ways:
            if sentence != _KNOWN:
                yield Rule(sentence, Clause(head, body))


def _decided(model: Closure, ground: Sequence[Rule]) -> list[Rule]:
    """The tangled ground rules whose `~` conditions hold, by the alternating fixpoint."""
    atoms = {lit.stated for rule in ground for lit in (rule.clause.head.atom, *rule.clause.body)}
    given = certain = atoms & model.instances.keys()
    while True:
        possible = _following(ground, given, certain)
        grown = _following(ground, given, possible)
        if grown == certain:
            break
        certain = grown
    if certain != possible:
        raise NotStratified(cycle_of(_undecided(ground, certain, possible)))
    return _unrefused(ground, certain)


def _unrefused(ground: Iterable[Rule], refused: Container[Literal]) -> list[Rule]:
    """The rules without a `~` condition on a refused atom."""
    return [
        rule
        for rule in ground
        if not any(lit.is_naf and lit.atom in refused for lit in rule.clause.body)
    ]


def _undecided(
    ground: Iterable[Rule], certain: Container[Literal], possible: Container[Literal]
) -> Iterator[Rule]:
    """The rules that may still fire, reduced to their undecided conditions."""
    for sentence, (head, body) in ground:
        left = tuple(lit for lit in body if lit.stated in possible and lit.stated not in certain)
        others = [lit for lit in body if lit not in left]
        holds = all((lit.stated in certain) != lit.is_naf for lit in others)
        if left and holds and head not in certain:
            yield Rule(sentence, Clause(head, left))


def _following(
    ground: Iterable[Rule], given: Iterable[Literal], refused: Container[Literal]
) -> set[Literal]:
    """What follows if a `~` condition holds for every atom that is not refused."""
    closure = Closure(())
    closure.run([Rule(_KNOWN, Clause(literal)) for literal in given])
    closure.run(_unrefused(ground, refused), settled=lambda atom: False)
    return set(closure.instances)


class Dependence(NamedTuple):
    """`conclusion` of `sentence` rests on `condition`, by proof or (sign `~`) by its absence."""

    sentence: int
    conclusion: Literal
    condition: Literal


class NotStratified(InputError):
    """Something is concluded only if it, or what rests on it, is not provable.

    In `cycle` each condition is the next conclusion, and the first condition is a `~`.
    """

    def __init__(self, cycle: Sequence[Dependence]) -> None:
        self.cycle = tuple(cycle)
        super().__init__("negation in a circle: " + "; ".join(map(_shown, cycle)))


def _shown(link: Dependence) -> str:
    """Sentences are numbered as proofs cite them: from 1, in brackets."""
    conclusion, condition = (
        " ".join(filter(None, (lit.subject, lit.relation, lit.object)))
        for lit in (link.conclusion, link.condition)
    )
    need = "is not provable" if link.condition.is_naf else "is provable"
    return f'[{link.sentence + 1}] concludes "{conclusion}" if "{condition}" {need}'


@dataclass(frozen=True, slots=True)
class Layer:
    """Rules that run together, once every layer before is complete.

    `tangled` rules negate, by their nodes alone, what they also serve to prove; whether that is a
    cycle depends on their ground instances. `nodes` are the nodes that these rules conclude.
    """

    plain: list[Rule] = field(default_factory=list)
    tangled: list[Rule] = field(default_factory=list)
    nodes: set[Hashable] = field(default_factory=set)


def layers(rules: Sequence[Rule], node_of: Callable[[Literal], Hashable]) -> list[Layer]:
    """The rules in an order in which the atom of a `~` condition is complete before."""
    if not any(lit.is_naf for rule in rules for lit in rule.clause.body):
        return [Layer(list(rules))]
    needs: defaultdict[Hashable, set[tuple[Hashable, bool]]] = defaultdict(set)  # and is it by ~
    for _, (head, body) in rules:
        needs[node_of(head)].update((node_of(lit.stated), lit.is_naf) for lit in body)
    level: dict[Hashable, int] = {}
    tangled: set[Hashable] = set()
    for component in components([*needs], lambda node: (other for other, _ in needs[node])):
        members = set(component)
        edges = set().union(*(needs[node] for node in component))
        knot = any(by_naf for other, by_naf in edges if other in members)
        below = (
            level[other] + (by_naf or knot or other in tangled)
            for other, by_naf in edges
            if other not in members
        )
        level |= dict.fromkeys(component, max(below, default=0))
        tangled |= members if knot else set()
    result = [Layer() for _ in range(1 + max(level.values()))]
    for rule in rules:
        node = node_of(rule.clause.head)
        layer = result[level[node]]
        if node in tangled:
            layer.tangled.append(rule)
            layer.nodes.add(node)
        else:
            layer.plain.append(rule)
    return result


def predicate_of(rules: Iterable[Rule]) -> Callable[[Literal], Hashable]:
    """The node of a literal among these rules: its sign, its relation and, unless some rule has a
    variable object of that relation, its object ("is kind" and "is big" are two predicates)."""
    open_relations = {
        literal.relation
        for _, (head, body) in rules
        for literal in (head, *body)
        if is_variable(literal.object)
    }

    def node_of(literal: Literal) -> Hashable:
        if literal.relation in open_relations:
            return literal.sign, literal.relation
        return literal.sign, literal.relation, literal.object

    return node_of


def cycle_of(ground: Iterable[Rule]) -> list[Dependence]:
    """A shortest cycle through some `~` of ground rules that have no order."""
    links: defaultdict[Literal, list[Dependence]] = defaultdict(list)
    for sentence, (head, body) in ground:
        links[head] += (Dependence(sentence, head, literal) for literal in body)
    for first in [k for found in links.values() for k in found if k.condition.is_naf]:
        came = {first.condition.atom: first}  # the link by which each atom is first reached
        queue = [*came]
        for atom in queue:  # grows as we go
            for link in links.get(atom, ()):
                if link.condition.stated not in came:
                    came[link.condition.stated] = link
                    queue.append(link.condition.stated)
        if first.conclusion in came:
            cycle = [came[first.conclusion]]
            while cycle[-1] is not first:
                cycle.append(came[cycle[-1].conclusion])
            return cycle[::-1]
    raise AssertionError("these rules have an order")


def components(nodes: Iterable[N], successors: Callable[[N], Iterable[N]]) -> list[list[N]]:
    """Strongly connected components, successors first (Kosaraju, without recursion)."""
    left: dict[N, None] = {}  # in the order in which a walk, depth first, leaves each node
    before: defaultdict[N, list[N]] = defaultdict(list)  # the edges, turned round
    met: set[N] = set()
    stack = [(node, False) for node in nodes]
    while stack:
        node, is_done = stack.pop()
        if is_done:
            left[node] = None
        elif node not in met:
            met.add(node)
            stack.append((node, True))
            for other in successors(node):
                before[other].append(node)
                stack.append((other, False))
    found: list[list[N]] = []
    while left:
        component = [left.popitem()[0]]
        for node in component:  # grows as we go
            for other in before[node]:
                if other in left:
                    del left[other]
                    component.append(other)
        found.append(component)
    return found[::-1]
