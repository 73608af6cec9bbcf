"""Is this graph a proof of the question? VALID, INVALID (where and why) or UNREADABLE (which).

Independent of the solver: the cited rules are applied to the cited premises only (`derivation`),
and what a proof takes as underivable is looked up in a model computed separately (`wellfounded`).

What counts. An edge (premise, rule) claims that the premise's conclusion serves a condition of the
rule; a graph with a claim that is not true is INVALID, even if the question follows without it. A
node that the conclusion does not need makes no false claim: the proof is VALID and the node is
listed as redundant. A fail-proof claims that neither the question nor its negation is provable,
and each rule of its chain that it could conclude a condition that fails the rule above it; an
empty one also claims that no rule could conclude the question. Whether a chain could have been
longer is not judged: which is the deepest is the solver's to say.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from ibr.logic.checking.backward import conclusions_of
from ibr.logic.checking.derivation import Edge, Setting, derive
from ibr.logic.checking.matching import Rule, rules_of
from ibr.logic.checking.needed import needed
from ibr.logic.checking.refusal import Refusal, wrong_conclusion, wrong_step
from ibr.logic.checking.shortfall import World, shortfalls
from ibr.logic.checking.wellfounded import Model, well_founded
from ibr.logic.clause import Literal, Program, Sign
from ibr.logic.telling import phrase
from ibr.prediction import Status
from ibr.proof import NAF, Graph
from ibr.theory import Strategy


@dataclass(frozen=True, slots=True)
class Check:
    """`where`: the node, edge or sentence that is at fault; None for the graph as a whole.

    `shows` is the literal that a valid proof proves: the question or its negation. Without the
    `redundant` nodes and edges the graph is still valid, and then nothing more can be left out.
    """

    status: Status
    why: str = ""
    where: int | Edge | None = None
    shows: Literal | None = None
    redundant: frozenset[int] = frozenset()
    redundant_edges: frozenset[Edge] = frozenset()

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
    """Judge a graph from anywhere. Without a strategy, the one that the graph can be is taken.

    With an answer, the graph must also show that answer and not its opposite.
    """
    if question.sign == Sign.NAF or question.variables:
        raise ValueError(f"{question}: a question is a ground literal, positive or negative")
    outside = [node for node in graph.nodes if node >= len(program.said)]
    if outside:
        return _invalid(f"the theory has only {len(program.said)} sentences", min(outside))
    cited = graph.nodes.intersection(program.unreadable)
    if cited:
        return _unreadable("the proof cites a sentence that cannot be read", min(cited))
    try:
        if (strategy or inferred_strategy(program, graph)) is Strategy.FAIL_PROOF:
            return _check_failure(program, question, graph, answer)
        return _check_proof(program, question, graph, answer)
    except Refusal as refusal:
        return _invalid(refusal.why, refusal.where)


def inferred_strategy(program: Program, graph: Graph) -> Strategy:
    """FAIL_PROOF if no node could start a proof: every one is a rule with conditions."""
    starts = any(
        node == NAF or any(not clause.body for clause in program.said[node]) for node in graph.nodes
    )
    return Strategy.PROOF if starts else Strategy.FAIL_PROOF


def _check_proof(program: Program, question: Literal, graph: Graph, answer: bool | None) -> Check:
    assumes = any(premise == NAF for premise, _ in graph.edges)
    guessing = assumes and bool(program.unreadable)
    setting = setting_for(program, question)
    if guessing:
        setting = replace(setting, underivable=lambda atom: True)
    derivation = derive(graph, setting)
    false_claims = graph.edges - derivation.used_edges()
    if false_claims:
        raise wrong_step(graph, derivation, setting, false_claims)
    goals = {None: (question, question.negation), True: (question,), False: (question.negation,)}
    shown = next((goal for goal in goals[answer] if derivation.nodes_for(goal)), None)
    if shown is None:
        raise wrong_conclusion(graph, derivation, question)
    if guessing:  # right only if the sentences that cannot be read do not matter: nobody knows
        return _unreadable(
            "the proof rests on something not being provable, and this sentence cannot be read",
            program.unreadable[0],
        )
    kept = needed(derivation, shown, setting)
    return Check(
        Status.VALID,
        shows=shown,
        redundant=graph.nodes - kept.nodes,
        redundant_edges=graph.edges - kept.edges,
    )


def _check_failure(program: Program, question: Literal, graph: Graph, answer: bool | None) -> Check:
    if program.unreadable:
        return _unreadable(
            "that nothing proves the question needs every sentence, and this one cannot be read",
            program.unreadable[0],
        )
    model = model_for(program, question)
    for literal in (question, question.negation):
        if literal in model.proved:
            raise Refusal(f"it can be proved that {phrase(literal)}", None)
        if literal in model.possible:
            raise Refusal(f"a cycle of negations leaves open whether {phrase(literal)}", None)
    if answer is not None and answer == question.positive:
        raise Refusal(f"nothing proves the question, so its answer is {not answer}", None)
    shortfalls(question.atom, graph, world_for(program, question))
    return Check(Status.VALID)


def setting_for(program: Program, question: Literal) -> Setting:
    """The readable part of the theory; its model is computed when a proof first needs it."""
    return Setting(
        _rules(program),
        program.entities | question.entities,
        lambda atom: model_for(program, question).underivable(atom),
    )


def world_for(program: Program, question: Literal) -> World:
    """The same for a fail-proof."""
    setting = setting_for(program, question)
    return World(conclusions_of(program), setting.domain, setting.underivable)


def model_for(program: Program, question: Literal) -> Model:
    return well_founded(program, question.entities - program.entities)


@lru_cache(maxsize=64)
def _rules(program: Program) -> tuple[tuple[Rule, ...], ...]:
    return rules_of(program)


def _invalid(why: str, where: int | Edge | None) -> Check:
    return Check(Status.INVALID, why, where)


def _unreadable(why: str, sentence: int) -> Check:
    return Check(Status.UNREADABLE, why, sentence)
