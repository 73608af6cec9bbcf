"""Is this graph a proof of the question? VALID, INVALID (where and why) or UNREADABLE (which).

Independent of the solver: the cited rules are applied to the cited premises only (`derivation`),
and what a proof takes as underivable is looked up in a model computed separately (`wellfounded`).

What counts. An edge (premise, rule) claims that the premise's conclusion serves a condition of the
rule; a graph with a claim that is not true is INVALID, even if the question follows without it. A
node that the conclusion does not need makes no false claim: the proof is VALID and the node is
listed as redundant. A fail-proof claims that neither the question nor its negation is provable,
and each rule of its chain that it could conclude a condition that fails the rule above it; an
empty one also claims that no rule could conclude the question. Whether a chain could have been
longer is not judged: the solver finds the deepest. What must not be provable is certain only if no
unread sentence may bear on it, and a graph that cites a sentence that may state more than was read
from it is not INVALID but UNREADABLE (`relevance`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ibr.logic.checking.derivation import DerivedStep, Edge, Setting, derive, graph_of, needed
from ibr.logic.checking.matching import rules_of
from ibr.logic.checking.refusal import Refusal, wrong_conclusion, wrong_step
from ibr.logic.checking.relevance import in_doubt, in_the_way
from ibr.logic.checking.shortfall import Shortfall, shortfalls
from ibr.logic.checking.wellfounded import WellFoundedModel, well_founded
from ibr.logic.clause import Literal, Program, Sign
from ibr.logic.surface.phrases import phrase
from ibr.prediction import Side, Status
from ibr.proof import NAF, Graph
from ibr.theory import Strategy


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
