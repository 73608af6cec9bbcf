"""Is this graph a proof of the question? VALID, INVALID (where and why) or UNREADABLE (which).

Independent of the solver: the cited rules are applied to the cited premises only (`derivation`),
and what a proof takes as underivable is looked up in a model computed separately (`wellfounded`).

What counts. An edge (premise, rule) claims that the premise's conclusion serves a condition of the
rule; a graph with a claim that is not true is INVALID, even if the question follows without it. A
node that the conclusion does not need makes no false claim: the proof is VALID and the node is
listed as redundant. A fail-proof claims that neither the question nor its negation is provable, and
each rule of its chain that it could conclude a condition that fails the rule above it; an empty one
also claims that no rule could conclude the question. Whether a chain could have been longer is not
judged: the solver finds the deepest (RuleTaker's `(rule10 <- rule8 <- FAIL)`). What must not be
provable is certain only if no unread sentence may bear on it, and a graph that cites a sentence
that may state more than was read from it is not INVALID but UNREADABLE (`relevance`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ibr.logic.checking.derivation import DerivedStep, Edge, Setting, derive, graph_of, needed
from ibr.logic.checking.matching import concluding, extensions, rules_of
from ibr.logic.checking.refusal import Refusal, wrong_conclusion, wrong_step
from ibr.logic.checking.relevance import in_doubt, in_the_way
from ibr.logic.checking.wellfounded import WellFoundedModel, well_founded
from ibr.logic.clause import Clause, Literal, Program, Sign
from ibr.logic.surface.phrases import phrase
from ibr.prediction import Side, Status
from ibr.proof import NAF, Graph
from ibr.theory import Strategy


class Shortfall(NamedTuple):
    """`rule` would conclude `goal`, but its condition `missing` fails.

    `missing` is a literal that nothing proves, of anything if it has a variable, or a
    `~` literal whose atom is proved.
    """

    rule: int
    goal: Literal
    missing: Literal


class _Failing(NamedTuple):
    """Which clauses conclude a goal, and which of their conditions fail."""

    program: Program
    setting: Setting

    def clauses(self, rule: int, goal: Literal) -> list[Clause]:
        """The clauses of this sentence that could conclude the goal."""
        found = concluding(self.program, goal, self.setting.domain)
        return [clause for index, clause in found if index == rule]

    def fails(self, condition: Literal) -> bool:
        return self.setting.underivable(condition.stated) != condition.is_naf

    def instances(self, condition: Literal) -> Iterator[Literal]:
        """The condition about every entity it could be about."""
        for binding in extensions({}, condition.variables, self.setting.domain):
            yield condition.bind(binding)


def shortfalls(
    program: Program, goal: Literal, graph: Graph, setting: Setting
) -> tuple[Shortfall, ...]:
    """What each rule of the chain lacks, from the goal downwards. Refusal if it is not genuine."""
    chain = _chain_of(graph)
    world = _Failing(program, setting)
    rule = next((index for index, _ in concluding(program, goal, setting.domain)), None)
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
                    if not condition.is_naf:
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
        if not condition.is_naf and all(map(world.fails, world.instances(condition))):
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


@dataclass(frozen=True, slots=True)
class Check:
    """`where`: the node, edge or sentence that is at fault; None for the graph as a whole.

    `shows` is the literal that a valid proof proves, the question or its negation (`side` tells
    which), and `steps` are how; `lacks` is what each rule of a valid fail-proof lacks. Without the
    `redundant` nodes and edges the graph is still valid, and then nothing more can be left out.
    """

    status: Status
    why: str = ""
    where: int | Edge | None = None
    shows: Literal | None = None
    redundant: frozenset[int] = frozenset()
    redundant_edges: frozenset[Edge] = frozenset()
    side: Side | None = field(default=None, compare=False)  # None unless it is valid
    steps: tuple[DerivedStep, ...] = field(default=(), compare=False)
    lacks: tuple[Shortfall, ...] = field(default=(), compare=False)

    @property
    def valid(self) -> bool:
        return self.status is Status.VALID


def check(
    program: Program,
    question: Literal,
    graph: Graph,
    strategy: Strategy | None = None,
    answer: bool | None = None,
) -> Check:
    """Judge a graph. Without a strategy, it is inferred from the graph.

    With an answer, the graph must also show that answer and not its opposite.
    """
    if question.sign == Sign.NAF or question.variables:
        raise ValueError(f"{question}: a question is a ground literal, positive or negative")
    outside = [node for node in graph.nodes if node >= len(program.clauses)]
    if outside:
        return Check(
            Status.INVALID, f"the theory has only {len(program.clauses)} sentences", min(outside)
        )
    cited = graph.nodes.intersection(program.unreadable)
    if cited:
        return Check(
            Status.UNREADABLE, "the proof cites a sentence that cannot be read", min(cited)
        )
    try:
        if (strategy or _inferred_strategy(program, graph)) is Strategy.FAIL_PROOF:
            return _check_failure(program, question, graph, answer)
        return _check_proof(program, question, graph, answer)
    except Refusal as refusal:
        doubtful = in_doubt(program, question, graph.nodes - {NAF})
        if doubtful is None:
            return Check(Status.INVALID, refusal.why, refusal.where)
        why = "the proof cites a sentence that may say more than was read from it"
        return Check(Status.UNREADABLE, why, doubtful)


def _inferred_strategy(program: Program, graph: Graph) -> Strategy:
    """FAIL_PROOF if no node could start a proof: every one is a rule with conditions."""
    cited = [clause for node in graph.nodes - {NAF} for clause in program.clauses[node]]
    starts = NAF in graph.nodes or not all(clause.body for clause in cited)
    return Strategy.PROOF if starts else Strategy.FAIL_PROOF


def _check_proof(program: Program, question: Literal, graph: Graph, answer: bool | None) -> Check:
    setting = setting_for(program, question)
    try:
        shown, steps = _derived(question, graph, answer, setting)
    except Refusal:
        if not program.unreadable or all(premise != NAF for premise, _ in graph.edges):
            raise
        # What is proved by the other sentences does not count: an unread one may defeat it.
        lenient = replace(setting, underivable=lambda atom: True)
        blocked = _blocked(program, _derived(question, graph, answer, lenient)[1])
        if blocked is None:
            raise
        return blocked
    kept = graph_of(steps)
    return _blocked(program, steps) or Check(
        Status.VALID,
        shows=shown,
        side=Side.STATEMENT if shown == question else Side.NEGATION,
        redundant=graph.nodes - kept.nodes,
        redundant_edges=graph.edges - kept.edges,
        steps=steps,
    )


def _derived(
    question: Literal, graph: Graph, answer: bool | None, setting: Setting
) -> tuple[Literal, tuple[DerivedStep, ...]]:
    """What the graph proves of the question, and the steps that it needs. Raises Refusal."""
    derivation = derive(graph, setting)
    false_claims = graph.edges - derivation.used_edges()
    if false_claims:
        raise wrong_step(graph, derivation, setting, false_claims)
    goals = {None: (question, question.negation), True: (question,), False: (question.negation,)}
    shown = next((goal for goal in goals[answer] if derivation.nodes_for(goal)), None)
    if shown is None:
        raise wrong_conclusion(graph, derivation, question)
    return shown, needed(derivation, shown, setting)


def _blocked(program: Program, steps: Sequence[DerivedStep]) -> Check | None:
    """UNREADABLE if a sentence may bear on what the steps take as not provable; else None."""
    premises = (premise for step in steps for premise in step.premises)
    return _in_the_way(program, [p.literal for p in premises if p.source == NAF])


def _in_the_way(program: Program, absent: Sequence[Literal]) -> Check | None:
    first = next(iter(in_the_way(program, absent)), None) if absent else None
    if first is None:
        return None
    rests = "it rests on something not being provable, and this sentence"
    unread = first in program.unreadable
    why = "cannot be read" if unread else "may say more than was read from it"
    return Check(Status.UNREADABLE, f"{rests} {why}", first)


def _check_failure(program: Program, question: Literal, graph: Graph, answer: bool | None) -> Check:
    blocked = _in_the_way(program, [question])
    if blocked is not None:
        return blocked
    model = _model_for(program, question)
    for literal in (question, question.negation):
        if literal in model.proved:
            raise Refusal(f"it can be proved that {phrase(literal)}", None)
        if literal in model.possible:
            raise Refusal(f"a cycle of negations leaves open whether {phrase(literal)}", None)
    if answer is not None and answer == question.positive:
        raise Refusal(f"nothing proves the question, so its answer is {not answer}", None)
    setting = setting_for(program, question)
    lacks = shortfalls(program, question.atom, graph, setting)
    return Check(Status.VALID, side=Side.NEITHER, lacks=lacks)


def setting_for(program: Program, question: Literal) -> Setting:
    """The readable part of the theory; its model is computed when a proof first needs it."""
    return Setting(
        rules_of(program),
        program.entities | question.entities,
        lambda atom: _model_for(program, question).underivable(atom),
    )


def _model_for(program: Program, question: Literal) -> WellFoundedModel:
    return well_founded(program, question.entities - program.entities)
