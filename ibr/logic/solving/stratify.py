"""The order in which rules may run, so that `~` only asks about what is already settled.

Knows rules and what they depend on; derives nothing. A *node* is whatever the caller takes as the
unit of dependence: a predicate for whole rules, an atom for ground ones.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from ibr.logic.clause import Clause, Literal, Sign, is_variable

N = TypeVar("N", bound=Hashable)


class Rule(NamedTuple):
    """A clause and the sentence that says it."""

    sentence: int
    clause: Clause


class Dependence(NamedTuple):
    """`conclusion` of `sentence` rests on `condition`; its sign tells how."""

    sentence: int
    conclusion: Literal
    condition: Literal


class NotStratified(ValueError):
    """Something is concluded only if it (or what rests on it) is not provable.

    `cycle` goes round: each condition is the next conclusion, and the first is a `~`.
    """

    def __init__(self, cycle: Sequence[Dependence]) -> None:
        self.cycle = tuple(cycle)
        super().__init__("negation in a circle: " + "; ".join(map(_told, cycle)))


def _told(link: Dependence) -> str:
    """Sentences are numbered as proofs cite them: from 1, in brackets."""
    conclusion, condition = (
        " ".join(filter(None, (lit.subject, lit.relation, lit.object)))
        for lit in (link.conclusion, link.condition)
    )
    need = "is not provable" if link.condition.sign == Sign.NAF else "is provable"
    return f'[{link.sentence + 1}] concludes "{conclusion}" if "{condition}" {need}'


@dataclass(frozen=True, slots=True)
class Layer:
    """Rules that run together, once every layer before is complete.

    `tangled` rules negate, by their nodes alone, what they also serve to prove; only their ground
    instances can tell whether that is a circle. `nodes` are the nodes they conclude.
    """

    plain: list[Rule] = field(default_factory=list)
    tangled: list[Rule] = field(default_factory=list)
    nodes: set[Hashable] = field(default_factory=set)


def layers(rules: Sequence[Rule], node_of: Callable[[Literal], Hashable]) -> list[Layer]:
    """The rules in an order in which each `~` condition is settled before it is asked."""
    if not any(lit.sign == Sign.NAF for rule in rules for lit in rule.clause.body):
        return [Layer(list(rules))]
    needs: dict[Hashable, dict[Hashable, bool]] = {}  # head node -> node it needs -> is it by ~
    for _, (head, body) in rules:
        needed = needs.setdefault(node_of(head), {})
        for literal in body:
            node = node_of(literal.atom)
            needed[node] = needed.get(node, False) or literal.sign == Sign.NAF
    level: dict[Hashable, int] = {}
    tangled: set[Hashable] = set()
    for component in components(needs, lambda node: needs.get(node, {})):
        edges = [edge for node in component for edge in needs.get(node, {}).items()]
        members = set(component)
        knot = any(by_naf for other, by_naf in edges if other in members)
        below = (
            level[other] + (by_naf or knot or other in tangled)
            for other, by_naf in edges
            if other not in members
        )
        level.update(dict.fromkeys(component, max(below, default=0)))
        if knot:
            tangled |= members
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
    """The node of a literal among these rules: its sign, relation and, where no rule has a
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


def circle(ground: Iterable[Rule]) -> list[Dependence]:
    """A shortest way round through some `~` of ground rules that have no order."""
    links: dict[Literal, list[Dependence]] = {}
    for sentence, (head, body) in ground:
        links.setdefault(head, []).extend(Dependence(sentence, head, lit) for lit in body)
    together: dict[Literal, int] = {}
    for number, members in enumerate(
        components(links, lambda atom: [link.condition.atom for link in links.get(atom, ())])
    ):
        together.update(dict.fromkeys(members, number))
    start = next(
        link
        for found in links.values()
        for link in found
        if link.condition.sign == Sign.NAF
        and together[link.condition.atom] == together[link.conclusion]
    )
    return [start, *_way(start.condition.atom, start.conclusion, links)]


def _way(
    source: Literal, target: Literal, links: Mapping[Literal, Sequence[Dependence]]
) -> list[Dependence]:
    """The shortest chain of dependences from `source` to `target`; there is one."""
    came: dict[Literal, Dependence] = {}
    queue = [source]
    for atom in queue:  # grows as we go
        if atom == target:
            break
        for link in links.get(atom, ()):
            if link.condition.atom not in came:
                came[link.condition.atom] = link
                queue.append(link.condition.atom)
    way: list[Dependence] = []
    while target != source:
        way.append(came[target])
        target = came[target].conclusion
    return way[::-1]


def components(nodes: Iterable[N], successors: Callable[[N], Iterable[N]]) -> list[list[N]]:
    """Strongly connected components, successors first (Tarjan 1972, without recursion)."""
    order: dict[N, int] = {}  # when each node was met
    low: dict[N, int] = {}  # the earliest that it is known to lead back to
    stack: list[N] = []
    found: list[list[N]] = []
    closed: set[N] = set()
    for root in nodes:
        work = [] if root in order else [(root, iter(successors(root)))]
        while work:
            node, rest = work[-1]
            if node not in order:
                order[node] = low[node] = len(order)
                stack.append(node)
            for other in rest:
                if other not in order:
                    work.append((other, iter(successors(other))))
                    break
                if other not in closed:
                    low[node] = min(low[node], low[other])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == order[node]:
                    component: list[N] = []
                    while not component or component[-1] != node:
                        component.append(stack.pop())
                    closed.update(component)
                    found.append(component)
    return found
