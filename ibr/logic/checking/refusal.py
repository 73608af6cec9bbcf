"""Why a graph is no proof: the first wrong step, found and put into plain words.

Only called once a graph is known to be wrong; it decides nothing. `where` names nodes, `why` never
does.
"""

from collections.abc import Collection

from ibr.logic.checking.derivation import Derivation, Edge, Setting
from ibr.logic.checking.matching import Binding, match
from ibr.logic.clause import Literal
from ibr.logic.surface.phrases import listing, phrase, phrases
from ibr.proof import NAF, Graph

_TRIES = 8  # premises tried per condition: enough for a message, and the search stays small


class Refusal(Exception):
    """The graph is no proof of the question."""

    def __init__(self, why: str, where: int | Edge | None) -> None:
        super().__init__(why)
        self.why, self.where = why, where


def wrong_step(
    graph: Graph, derivation: Derivation, setting: Setting, false_claims: Collection[Edge]
) -> Refusal:
    """The earliest step that does not hold, given the edges that serve nothing."""
    for edge in sorted(false_claims):
        if not any(rule.clause.body for rule in setting.rules[edge[1]]):
            return Refusal("only a rule has premises, and this sentence is none", edge)
    at = _earliest(min(rule for _, rule in false_claims), graph, derivation)
    if not derivation.conclusions(at):
        return Refusal(_unmet(at, graph, derivation, setting), at)
    edge = min(edge for edge in false_claims if edge[1] == at)
    if edge[0] == NAF:
        return Refusal("no use of this rule rests on a negated condition", edge)
    shown = listing([phrase(literal) for literal in derivation.conclusions(edge[0])[:3]])
    return Refusal(f"that {shown} serves no condition of this rule", edge)


def wrong_conclusion(graph: Graph, derivation: Derivation, question: Literal) -> Refusal:
    """Every step holds, but the steps do not show the question (or the given answer)."""
    for literal, answer in ((question, True), (question.negation, False)):
        if derivation.nodes_for(literal):
            return Refusal(f"the proof shows that {phrase(literal)}: the answer is {answer}", None)
    ends = graph.nodes - {premise for premise, _ in graph.edges} - {NAF}
    end = min(ends) if len(ends) == 1 else None
    shown = [phrase(c) for node in sorted(ends) for c in derivation.conclusions(node)]
    what = f"that {listing(shown[:3])}" if shown else "nothing"
    return Refusal(f"the proof shows {what}, not whether {phrase(question.atom)}", end)


def _earliest(node: int, graph: Graph, derivation: Derivation) -> int:
    """Go down while a premise concludes nothing: the fault is there, not above."""
    visited = {node}
    while True:
        blocked = [
            premise
            for premise in sorted(graph.premises(node) - visited - {NAF})
            if not derivation.conclusions(premise)
        ]
        if not blocked:
            return node
        node = blocked[0]
        visited.add(node)


def _unmet(node: int, graph: Graph, derivation: Derivation, setting: Setting) -> str:
    """What the rule still lacks, for the clause and the binding that lack least."""
    given = [literal for at, literal in derivation.providers if at == node]
    attempts = [
        (rule, *_best(rule.positives, given, {}, setting.domain)) for rule in setting.rules[node]
    ]
    if not attempts:
        return "this sentence says nothing that a proof could use"
    rule, binding, missing = min(attempts, key=lambda attempt: len(attempt[2]))
    if missing:
        return f"no cited premise shows that {listing(phrases(missing))}"
    atoms = [atom.bind(binding) for atom in rule.absent]
    if NAF not in graph.premises(node):
        return f"NAF must be cited: this rule needs that nothing shows that {phrase(atoms[0])}"
    wrong = [atom for atom in atoms if atom.variables or not setting.underivable(atom)]
    return f"it cannot be taken as false that {phrase((wrong or atoms)[0])}"


def _best(
    patterns: tuple[Literal, ...],
    given: list[Literal],
    binding: Binding,
    domain: Collection[str],
) -> tuple[Binding, list[Literal]]:
    """The binding that leaves the fewest patterns unmatched, and those patterns."""
    if not patterns:
        return binding, []
    matches = (match(patterns[0], literal, binding, domain) for literal in given)
    options = [extended for extended in matches if extended is not None][:_TRIES]
    results = [_best(patterns[1:], given, option, domain) for option in options]
    skipped, missing = _best(patterns[1:], given, binding, domain)
    results.append((skipped, [patterns[0].bind(skipped), *missing]))
    return min(results, key=lambda result: len(result[1]))
