"""A chain of rules that fail, each for want of what the next could conclude.

The other half of the verifier: RuleTaker's `(rule10 <- rule8 <- FAIL)`. It finds out what each
rule of a given chain lacks, or that the chain is not genuine; the solver finds the deepest one.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ibr.logic.checking.derivation import Setting
from ibr.logic.checking.matching import Conclusions, conclusions_of, extensions
from ibr.logic.checking.refusal import Refusal
from ibr.logic.clause import Clause, Literal, Program
from ibr.logic.surface.phrases import phrase
from ibr.proof import NAF, Graph


class Shortfall(NamedTuple):
    """`rule` would conclude `goal`, but its condition `missing` fails.

    `missing` is a positive literal that nothing proves, of anything if it has a variable, or a
    `~` literal whose atom is proved.
    """

    rule: int
    goal: Literal
    missing: Literal


class _Failing(NamedTuple):
    """Which clauses conclude a goal, and which of their conditions fail."""

    conclusions: Conclusions
    setting: Setting

    def clauses(self, rule: int, goal: Literal) -> list[Clause]:
        """The clauses of this sentence that could conclude the goal."""
        found = self.conclusions.of(goal, self.setting.domain)
        return [clause for index, clause in found if index == rule]

    def fails(self, condition: Literal) -> bool:
        return self.setting.underivable(condition.atom) == condition.positive

    def instances(self, condition: Literal) -> Iterator[Literal]:
        """The condition about every entity it could be about."""
        for binding in extensions({}, condition.variables, self.setting.domain):
            yield condition.bind(binding)


def shortfalls(
    program: Program, goal: Literal, graph: Graph, setting: Setting
) -> tuple[Shortfall, ...]:
    """What each rule of the chain lacks, from the goal downwards. Refusal if it is not genuine."""
    chain = _chain_of(graph)
    world = _Failing(conclusions_of(program), setting)
    rule = next((index for index, _ in world.conclusions.of(goal, setting.domain)), None)
    if not chain and rule is not None:
        raise Refusal(f"this sentence could conclude that {phrase(goal)}: say why it fails", rule)
    levels: list[dict[Literal, Literal]] = [{goal: goal}]  # wanted at this level → the goal above
    for position, rule in enumerate(chain):
        wanted = {g: clauses for g in levels[-1] if (clauses := world.clauses(rule, g))}
        if not wanted:
            what = "what fails the rule above it" if position else f"that {phrase(goal)}"
            raise Refusal(f"this sentence could not conclude {what}", rule)
        levels[-1] = {g: above for g, above in levels[-1].items() if g in wanted}
        below: dict[Literal, Literal] = {}
        for above, clauses in wanted.items():
            for clause in clauses:
                for condition in clause.body:
                    if condition.positive:
                        for literal in filter(world.fails, world.instances(condition)):
                            below.setdefault(literal, above)
        levels.append(below)
    return tuple(reversed(list(_traced(chain, levels, world))))


def _traced(
    chain: tuple[int, ...], levels: list[dict[Literal, Literal]], world: _Failing
) -> Iterator[Shortfall]:
    """From the last rule up: what it could have concluded, and for which goal."""
    if not chain:
        return
    goal = next(iter(levels[len(chain) - 1]))
    missing = _first_failing(world.clauses(chain[-1], goal), world)
    for position in reversed(range(len(chain))):
        yield Shortfall(chain[position], goal, missing)
        goal, missing = levels[position][goal], goal


def _first_failing(clauses: list[Clause], world: _Failing) -> Literal:
    """A condition that fails for anything, else for something: some do, or the goal were proved."""
    conditions = [condition for clause in clauses for condition in clause.body]
    for condition in conditions:
        if condition.positive and all(map(world.fails, world.instances(condition))):
            return condition
    return next(
        literal for c in conditions for literal in world.instances(c) if world.fails(literal)
    )


def _chain_of(graph: Graph) -> tuple[int, ...]:
    """The rules from the question downwards; Refusal if the graph is no chain."""
    if NAF in graph.nodes:
        raise Refusal("a fail-proof is a chain of rules: NAF has no place in it", NAF)
    tops = graph.nodes - {premise for premise, _ in graph.edges}
    if graph.nodes and len(tops) != 1:
        raise Refusal("a fail-proof is one chain of rules, with one rule at its top", None)
    chain: list[int] = []
    below = tops
    while below and len(chain) <= len(graph.nodes):
        if len(below) > 1:
            raise Refusal("a fail-proof is a chain of rules: this one branches", chain[-1])
        chain.extend(below)
        below = graph.premises(chain[-1])
    if len(chain) != len(graph.nodes):
        raise Refusal("a fail-proof is one chain of rules without a circle", None)
    return tuple(chain)
