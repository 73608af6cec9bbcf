"""A proof in English, with the intermediate conclusions that its graph leaves out.

    Charlie is kind [2] and quiet [by 7], so Charlie is big [5].

"[2]" is the sentence that says it, "[by 7]" the rule that showed it in an earlier line. Whether a
graph is a proof is decided in `verifier`.
"""

from collections.abc import Sequence

from ibr.logic.checking.derivation import DerivedStep, Premise, derive
from ibr.logic.checking.verifier import setting_for
from ibr.logic.clause import Literal, Program
from ibr.logic.surface.phrases import listing, phrase, phrases
from ibr.logic.surface.wording import sentence
from ibr.proof import NAF, Graph


def steps_of(program: Program, shown: Literal, graph: Graph) -> tuple[DerivedStep, ...]:
    """The steps of one derivation in a graph that shows the literal, premises first.

    Sentences that cannot be read are taken to say nothing.
    """
    return tuple(derive(graph, setting_for(program, shown)).steps(shown))


def proof_lines(steps: Sequence[DerivedStep]) -> list[str]:
    """One sentence for each step that has premises; for a single fact, the fact."""
    given = {(step.node, step.conclusion) for step in steps if not step.premises}
    lines = [_line(step, given) for step in steps if step.premises]
    return lines or [sentence(f"{phrase(step.conclusion)} [{step.node + 1}]") for step in steps]


def _line(step: DerivedStep, given: set[tuple[int, Literal]]) -> str:
    """`Charlie is kind [2] and quiet [by 7], so Charlie is big [5].`"""
    words = phrases([premise.literal for premise in step.premises])
    reasons = [
        _reason(premise, text, (premise.source, premise.literal) in given)
        for premise, text in zip(step.premises, words, strict=True)
    ]
    return sentence(f"{listing(reasons)}, so {phrase(step.conclusion)} [{step.node + 1}]")


def _reason(premise: Premise, text: str, is_given: bool) -> str:
    if premise.source == NAF:
        return f"nothing shows that {phrase(premise.literal.atom)}"
    return f"{text} [{'' if is_given else 'by '}{premise.source + 1}]"
