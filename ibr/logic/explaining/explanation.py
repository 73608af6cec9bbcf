"""Why a statement is proved, or why not and which single fact would prove it.

A proof in English has the intermediate conclusions that its graph leaves out:

    Charlie is kind [2] and quiet [by 7], so Charlie is big [5].

"[2]" is the sentence that says it, "[by 7]" the rule that showed it in an earlier line. Whether a
graph is a proof is decided in `verifier`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ibr.logic.checking.derivation import DerivedStep, Premise, derive
from ibr.logic.checking.verifier import setting_for
from ibr.logic.clause import Literal, Program
from ibr.logic.explaining.repair import Repair, TooLarge, repair_text, repairs
from ibr.logic.explaining.why_not import WhyNot, why_not, why_not_lines
from ibr.logic.language import say
from ibr.logic.lazy import lazy
from ibr.logic.solving.solver import Solver
from ibr.logic.surface.phrases import listing, phrase, phrases
from ibr.logic.surface.wording import sentence
from ibr.proof import NAF, Graph


@dataclass(frozen=True)
class Why:
    """`shows` is what the steps prove: the question, its negation, or None if neither is proved."""

    program: Program
    question: Literal
    solver: Solver
    shows: Literal | None = None
    steps: tuple[DerivedStep, ...] = ()

    @classmethod
    def solved(cls, program: Program, question: Literal, solver: Solver) -> Why:
        """By the solver's proof, from the sentences that can be read."""
        proved = solver.judge(question).proved
        if proved is None:
            return cls(program, question, solver)
        steps = steps_of(program, proved, solver.proof(proved).graph)
        return cls(program, question, solver, proved, steps)

    @lazy
    def explanation(self) -> list[str]:
        """The steps of the proof, or every rule that might have shown it and what each lacks."""
        if self.shows is not None:
            return proof_lines(self.steps)
        return why_not_lines(self.why_not) if self.why_not else []

    @lazy
    def why_not(self) -> WhyNot | None:
        """None if the statement or its negation is proved."""
        if self.shows is not None:
            return None
        return why_not(self.program, self.question.atom, solver=self.solver)

    @lazy
    def repairs(self) -> tuple[Repair, ...] | TooLarge:
        """Each single fact that would make the statement provable; none if something is proved."""
        try:
            return repairs(self.program, self.question.atom, self.solver) if not self.shows else ()
        except TooLarge as error:
            return error

    def to_json(self) -> dict[str, Any]:
        """`repairs` is null where there are too many rules to search for them."""
        found = None
        if not isinstance(self.repairs, TooLarge):
            found = [
                {"fact": say(each.fact), "contradicts": [say(atom) for atom in each.contradicts]}
                for each in self.repairs
            ]
        return {"explanation": self.explanation, "repairs": found}

    def lines(self, supposing: str = "") -> list[str]:
        """For people; `supposing` says what it rests on beside the rules."""
        lines = [f"{'Why' if self.shows is not None else 'Why not'}{supposing}:"]
        lines += [f"  {line}" for line in self.explanation]
        if isinstance(self.repairs, TooLarge):
            lines.append(f"Which fact would prove it is not known: {self.repairs}.")
        elif self.repairs:
            lines.append(f"Any one of these facts would prove that {phrase(self.question.atom)}:")
            lines += [f"  {repair_text(repair)}" for repair in self.repairs]
        return lines


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
