"""A proof told in English, with the intermediate conclusions that its graph leaves out.

`explain` finds them: the steps of one derivation inside the graph, or for a fail-proof what each
rule of the chain lacks. `tell` puts them into sentences. Whether to trust the proof is `verifier`'s
to say; here a graph that does not hold is an ExplainError.

    Charlie is kind [2] and quiet [by 7], so Charlie is big [5].

"[2]" is the sentence that says it, "[by 7]" the rule that showed it in an earlier line.
"""

from __future__ import annotations

from dataclasses import dataclass

from ibr.logic.checking.derivation import Premise, Step, derive
from ibr.logic.checking.refusal import Refusal, wrong_conclusion, wrong_step
from ibr.logic.checking.shortfall import Shortfall, shortfalls
from ibr.logic.clause import Literal, Program
from ibr.logic.telling import Number, from_one, listing, phrase, phrase_of_any, phrases
from ibr.logic.verifier import inferred_strategy, model_for, setting_for, world_for
from ibr.logic.wording import sentence
from ibr.proof import NAF, Graph, Proof
from ibr.theory import Strategy


class ExplainError(ValueError):
    """There is nothing true to tell: the graph is no proof of the question."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """`shows` is what the steps prove, the question or its negation; None for a fail-proof.

    Then `lacks` says what each rule of its chain lacks.
    """

    question: Literal
    shows: Literal | None
    steps: tuple[Step, ...] = ()
    lacks: tuple[Shortfall, ...] = ()

    @property
    def answer(self) -> bool:
        if self.shows is None:
            return not self.question.positive
        return self.shows == self.question


def explain(program: Program, question: Literal, proof: Proof | Graph) -> Explanation:
    """The steps behind a proof. Sentences that cannot be read are taken to say nothing."""
    if isinstance(proof, Proof):
        graph, strategy = proof.graph, proof.strategy
    else:
        graph, strategy = proof, inferred_strategy(program, proof)
    try:
        if strategy is Strategy.FAIL_PROOF:
            return _explain_failure(program, question, graph)
        return _explain_proof(program, question, graph)
    except Refusal as refusal:
        raise ExplainError(f"not a proof: {refusal.why}") from refusal


def _explain_proof(program: Program, question: Literal, graph: Graph) -> Explanation:
    setting = setting_for(program, question)
    derivation = derive(graph, setting)
    for goal in (question, question.negation):
        if derivation.nodes_for(goal):
            return Explanation(question, goal, tuple(derivation.steps(goal)))
    false_claims = graph.edges - derivation.used_edges()
    if false_claims:
        raise wrong_step(graph, derivation, setting, false_claims)
    raise wrong_conclusion(graph, derivation, question)


def _explain_failure(program: Program, question: Literal, graph: Graph) -> Explanation:
    model = model_for(program, question)
    for goal in (question, question.negation):
        if goal in model.possible:
            raise Refusal(f"it can be proved that {phrase(goal)}", None)
    lacks = shortfalls(question.atom, graph, world_for(program, question))
    return Explanation(question, None, lacks=lacks)


def tell(explanation: Explanation, number: Number = from_one) -> str:
    """One line per step. `number` turns a sentence index into what its reader calls it."""
    if explanation.shows is None:
        return "\n".join(_tell_failure(explanation, number))
    given = {(step.node, step.conclusion) for step in explanation.steps if not step.premises}
    lines = [_tell_step(step, given, number) for step in explanation.steps if step.premises]
    if not lines:
        (step,) = explanation.steps
        lines = [sentence(f"{phrase(step.conclusion)} [{number(step.node)}]")]
    return "\n".join(lines)


def _tell_step(step: Step, given: set[tuple[int, Literal]], number: Number) -> str:
    """`Charlie is kind [2] and quiet [by 7], so Charlie is big [5].`"""
    reasons = [
        _tell_premise(premise, words, (premise.source, premise.literal) in given, number)
        for premise, words in zip(
            step.premises, phrases([p.literal for p in step.premises]), strict=True
        )
    ]
    return sentence(f"{listing(reasons)}, so {phrase(step.conclusion)} [{number(step.node)}]")


def _tell_premise(premise: Premise, words: str, is_given: bool, number: Number) -> str:
    if premise.source == NAF:
        return f"nothing shows that {phrase(premise.literal.atom)}"
    return f"{words} [{'' if is_given else 'by '}{number(premise.source)}]"


def _tell_failure(explanation: Explanation, number: Number) -> list[str]:
    """`[5] would show that Bob is big, but nothing shows that Bob is kind.`"""
    atom = explanation.question.atom
    lines = [f"nothing shows that {phrase(atom)}"]
    for lack in explanation.lacks:
        but = "nothing shows that" if lack.missing.positive else "it can be shown that"
        lines.append(
            f"[{number(lack.rule)}] would show that {phrase(lack.goal)},"
            f" but {but} {phrase_of_any(lack.missing.atom)}"
        )
    lines.append(f"what nothing shows is taken as false, so {phrase(atom.negation)}")
    return [sentence(line) for line in lines]
