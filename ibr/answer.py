"""One question to a rulebook, answered in full: verdict, proof, check, and the words for it.

Puts the rooms of `ibr.logic` together for the commands; it finds and judges nothing itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

from ibr.checking import check_in_words
from ibr.drawing.picture import Badge, Picture, meaning
from ibr.logic.clause import Literal, Program
from ibr.logic.explain import explain, tell
from ibr.logic.language import read_question, say
from ibr.logic.repair import Repair, TooLarge, repairs, tell_repair
from ibr.logic.solver import OutOfPatience, Solver, Verdict
from ibr.logic.telling import phrase
from ibr.logic.verifier import Check, check
from ibr.logic.why_not import WhyNot, tell_why_not, why_not
from ibr.prediction import Status
from ibr.proof import Proof, edges_to_json, nodes_to_json
from ibr.theory import FineStrategy, Strategy, Theory

PATIENCE = 200_000  # states of the count: some seconds
BADGES = {
    Status.VALID: Badge.VALID,
    Status.INVALID: Badge.INVALID,
    Status.UNREADABLE: Badge.UNCHECKED,
}


@dataclass(frozen=True, slots=True)
class Why:
    """Why a question is answered as it is; `proof` is one that holds, or a fail-proof."""

    program: Program
    question: Literal
    proof: Proof
    solver: Solver

    @property
    def explanation(self) -> list[str]:
        """The steps of the proof, or every rule that might have shown it and what each lacks."""
        if self.proof.strategy is Strategy.PROOF:
            return tell(explain(self.program, self.question, self.proof)).splitlines()
        return tell_why_not(self.why_not).splitlines()

    @property
    def why_not(self) -> WhyNot:
        """ValueError if it can be proved."""
        return why_not(self.program, self.question.atom, solver=self.solver)

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """Each single fact that would make the statement provable; none if something is proved.

        Raises TooLarge.
        """
        if self.proof.strategy is Strategy.PROOF:
            return ()
        return repairs(self.program, self.question.atom, self.solver)

    def to_json(self) -> dict[str, Any]:
        """`repairs` is null where there are too many rules to search for them."""
        try:
            found = [
                {"fact": say(r.fact), "contradicts": [say(atom) for atom in r.contradicts]}
                for r in self.repairs
            ]
        except TooLarge:
            return {"explanation": self.explanation, "repairs": None}
        return {"explanation": self.explanation, "repairs": found}

    @property
    def told(self) -> list[str]:
        """Lines for people."""
        lines = ["Why:" if self.proof.strategy is Strategy.PROOF else "Why not:"]
        lines += [f"  {line}" for line in self.explanation]
        try:
            found = self.repairs
        except TooLarge as error:
            return [*lines, f"Which fact would prove it is not known: {error}."]
        if found:
            lines.append(f"Any one of these facts would prove that {phrase(self.question.atom)}:")
            lines += [f"  {tell_repair(repair)}" for repair in found]
        return lines


@dataclass(frozen=True, slots=True)
class Answer:
    """`proof` is the smallest one, or the chain of rules that failed deepest."""

    text: str
    question: Literal
    program: Program
    solver: Solver
    verdict: Verdict
    proof: Proof
    check: Check

    @property
    def proved(self) -> bool:
        """The statement itself is proved, not merely true because nothing contradicts it."""
        return self.verdict.fine_strategy is FineStrategy.PROOF and self.check.valid

    @property
    def summary(self) -> str:
        """`True: proved at depth 2 (checked: valid)`."""
        verdict = self.verdict
        depth = f" at depth {verdict.depth}" if verdict.strategy is Strategy.PROOF else ""
        why = meaning(verdict.strategy, verdict.answer)
        return f"{verdict.answer}: {why}{depth} (checked: {check_in_words(self.check)})"

    @property
    def heading(self) -> list[str]:
        """The question, how it was read if that is not word for word, and the verdict."""
        lines = question_lines(self.text, self.question, self.verdict.contradiction)
        return [*lines, f"  {self.summary}"]

    def picture(self, theory: Theory) -> Picture:
        """The proof, ready to be drawn; `theory` is what the program was read from."""
        badge = BADGES[self.check.status]
        return Picture.of_proof(theory, self.text, self.verdict.answer, self.proof, badge)

    @property
    def why(self) -> Why:
        return Why(self.program, self.question, self.proof, self.solver)

    def to_json(self) -> dict[str, Any]:
        verdict = self.verdict
        return {
            "question": self.text,
            "reading": say(self.question),
            "answer": verdict.answer,
            "strategy": verdict.strategy,
            "fine_strategy": verdict.fine_strategy,
            **proof_to_json(self.proof),
            "depth": verdict.depth,
            "length": verdict.length,
            "contradiction": verdict.contradiction,
            "check": self.check.status,
            "check_reason": self.check.why or None,
            "unreadable": list(self.program.unreadable),
            "reasoner": "solver",
        }


def answer(program: Program, solver: Solver, text: str) -> Answer:
    """Raises ReadError if the question has no reading."""
    question = read_question(text)
    verdict = solver.judge(question)
    proof = solver.proof(verdict.proved) if verdict.proved else solver.failure(question.atom)
    checked = check(program, question, proof.graph, proof.strategy, verdict.answer)
    return Answer(text, question, program, solver, verdict, proof, checked)


def question_lines(text: str, question: Literal, contradiction: bool) -> list[str]:
    """The question, how it was read if that is not word for word, and a warning."""
    reading = say(question)
    lines = [text] if reading == text else [text, f"  I read this as: {reading}"]
    if contradiction:
        lines.append("  The rules contradict themselves: they prove this and its negation.")
    return lines


def some_proofs(solver: Solver, answer: Answer, limit: int) -> tuple[int | None, list[Proof]]:
    """How many proofs there are (None: too many to count), and the first ones, shortest first."""
    proved = answer.verdict.proved
    if proved is None:
        return 0, []
    try:
        count = solver.count_proofs(proved, PATIENCE)
    except OutOfPatience:
        count = None
    return count, list(islice(solver.proofs(proved), limit))


def proof_to_json(proof: Proof) -> dict[str, Any]:
    graph = proof.graph
    return {"nodes": nodes_to_json(graph.nodes), "edges": edges_to_json(graph.edges)}
