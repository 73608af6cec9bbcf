"""Is this graph a chain of rules that fail, each for want of what the next could conclude?

The other half of the verifier: FORMAT's `(rule10 <- rule8 <- FAIL)`. It checks that the chain is
genuine, not that it is the deepest one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ibr.logic.backward import conclusions_of
from ibr.logic.clause import Clause, Literal, Program
from ibr.logic.matching import Underivable, extensions
from ibr.logic.refusal import Refusal
from ibr.logic.telling import phrase
from ibr.proof import NAF, Graph


def check_chain(
    program: Program, goal: Literal, graph: Graph, domain: Collection[str], underivable: Underivable
) -> None:
    """Raise Refusal unless the rules fail one for another, the first one for the goal."""
    conclusions = conclusions_of(program)
    goals = {goal}
    for position, rule in enumerate(chain_of(graph)):
        clauses = [
            clause
            for wanted in goals
            for index, clause in conclusions.of(wanted, domain)
            if index == rule
        ]
        if not clauses:
            what = f"that {phrase(goal)}" if not position else "what fails the rule above it"
            raise Refusal(f"this sentence could not conclude {what}", rule)
        goals = {
            condition
            for clause in clauses
            for condition in _conditions(clause, domain)
            if underivable(condition)
        }


def chain_of(graph: Graph) -> tuple[int, ...]:
    """The rules from the question downwards; Refusal if the graph is no chain."""
    if NAF in graph.nodes:
        raise Refusal("a fail-proof is a chain of rules: NAF has no place in it", NAF)
    tops = graph.nodes - {premise for premise, _ in graph.edges}
    if graph.nodes and len(tops) != 1:
        raise Refusal("a fail-proof is one chain of rules, with one rule at its top", None)
    chain: list[int] = []
    below: Collection[int] = tops
    while below:
        if len(below) > 1:
            raise Refusal("a fail-proof is a chain of rules: this one branches", chain[-1])
        (rule,) = below
        chain.append(rule)
        below = graph.premises(rule)
        if len(chain) > len(graph.nodes):
            break
    if len(chain) != len(graph.nodes):
        raise Refusal("a fail-proof is one chain of rules without a circle", None)
    return tuple(chain)


def _conditions(clause: Clause, domain: Collection[str]) -> Iterator[Literal]:
    """Each positive condition, about every entity it could be about."""
    for condition in clause.body:
        if condition.positive:
            for binding in extensions({}, sorted(condition.variables), domain):
                yield condition.bind(binding)
