"""Why a statement is proved, or why not and which single fact would prove it.

A proof in English has the intermediate conclusions that its graph leaves out:

    Charlie is kind [2] and quiet [by 7], so Charlie is big [5].

"[2]" is the sentence that says it, "[by 7]" the rule that showed it in an earlier line. Whether a
graph is a proof is decided in `verifier`.

Why a question cannot be proved is a tree: every rule that could conclude it, and what each one
lacks. It reports what the solver finds and judges nothing; which single facts would help is the
matter of `repair`. The tree is finite: on the way down no rule is used twice, a goal is taken apart
where it first appears (the shallowest place) and only referred to elsewhere, and the limits bound
the rest. The tree records what was left out for any of these reasons.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

from ibr.logic.checking.derivation import DerivedStep, Premise, derive
from ibr.logic.checking.matching import Binding, Facts, concluding, extensions, join
from ibr.logic.checking.verifier import setting_for
from ibr.logic.clause import Clause, Literal, Program
from ibr.logic.explaining.repair import Repair, TooLarge, repair_text, repairs
from ibr.logic.language import say
from ibr.logic.lazy import lazy
from ibr.logic.solving.solver import Solver
from ibr.logic.surface.phrases import listing, phrase, phrases
from ibr.logic.surface.wording import sentence
from ibr.proof import NAF, Graph, Proof

MAX_DEPTH = 12  # rules on one path
MAX_WIDTH = 4  # instances of one rule for one goal, those that lack least
_TRIES = 4096  # instances looked at to choose them


@dataclass(frozen=True, slots=True)
class BranchCondition:
    """A condition of a rule. `proof` proves it, or the atom of a `~` condition that fails.

    `why_not` says why a positive condition fails.
    """

    literal: Literal
    holds: bool
    proof: Proof | None = None
    why_not: WhyNot | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    """`rule` would conclude the goal if all these conditions held."""

    rule: int
    conditions: tuple[BranchCondition, ...]


@dataclass(slots=True)
class WhyNot:
    """`goal` is not provable. Without branches and other notes, nothing concludes it at all.

    `contrary` proves its negation. `elsewhere`: the goal is taken apart in another place of the
    tree. `in_use` are rules that could conclude it but are being tried further up; `unseen` counts
    instances left out by the limits. Mutable only while the tree grows.
    """

    goal: Literal
    contrary: Proof | None = None
    branches: list[Branch] = field(default_factory=list)
    elsewhere: bool = False
    in_use: tuple[int, ...] = ()
    unseen: int = 0


def why_not(program: Program, question: Literal, solver: Solver | None = None) -> WhyNot:
    """The failing branches under an unprovable question. ValueError if it can be proved.

    `solver`, if there is one for this program already, saves building another.
    """
    solver = (solver or Solver(program)).over(question)
    if solver.proves(question):
        raise ValueError(f"it can be proved that {phrase(question)}: there is no why-not")
    return _TreeSearch(program, solver).explore(question)


class _TreeSearch:
    def __init__(self, program: Program, solver: Solver) -> None:
        self.program, self.solver = program, solver
        self.domain = sorted(solver.domain)
        self.facts = Facts(solver.model)
        self.queue: deque[tuple[WhyNot, frozenset[int]]] = deque()  # with the rules above it

    def explore(self, question: Literal) -> WhyNot:
        """Level by level, so that each goal is taken apart at its shallowest place."""
        root = self.goal(question, frozenset())
        seen: set[Literal] = set()
        while self.queue:
            tree, used = self.queue.popleft()
            tree.elsewhere = tree.goal in seen
            if not tree.elsewhere:
                seen.add(tree.goal)
                self.expand(tree, used)
        return root

    def goal(self, literal: Literal, used: frozenset[int]) -> WhyNot:
        denied = self.solver.proves(literal.negation)
        tree = WhyNot(literal, self.solver.proof(literal.negation) if denied else None)
        self.queue.append((tree, used))
        return tree

    def expand(self, tree: WhyNot, used: frozenset[int]) -> None:
        found = list(concluding(self.program, tree.goal, self.domain))
        tree.in_use = tuple(dict.fromkeys(rule for rule, _ in found if rule in used))
        for rule, clause in found:
            if rule in used:
                continue
            shown = self.instances(clause) if len(used) < MAX_DEPTH else []
            tree.unseen += len(self.domain) ** len(clause.variables) - len(shown)
            below = used | {rule}
            for instance in shown:
                conditions = tuple(self.condition(literal, below) for literal in instance.body)
                tree.branches.append(Branch(rule, conditions))

    def instances(self, clause: Clause) -> list[Clause]:
        """The instances that lack least, among the promising ones first and then all."""
        bindings = chain(self.promising(clause), self.every(clause, {}))
        distinct = dict.fromkeys(clause.bind(b) for b in islice(bindings, _TRIES))
        lacking = {instance: sum(not self.holds(c) for c in instance.body) for instance in distinct}
        return sorted(distinct, key=lacking.__getitem__)[:MAX_WIDTH]

    def promising(self, clause: Clause) -> Iterator[Binding]:
        """Bindings that satisfy at least one condition about a variable."""
        for condition in clause.body:
            if condition.variables and not condition.is_naf:
                for binding in join((condition,), self.facts, {}, self.solver.domain):
                    yield from self.every(clause, binding)

    def every(self, clause: Clause, binding: Binding) -> Iterator[Binding]:
        return extensions(binding, clause.variables - binding.keys(), self.domain)

    def holds(self, condition: Literal) -> bool:
        return (condition.stated in self.facts) != condition.is_naf

    def condition(self, literal: Literal, used: frozenset[int]) -> BranchCondition:
        holds = self.holds(literal)
        if not (literal.is_naf or holds):
            return BranchCondition(literal, False, why_not=self.goal(literal, used))
        proof = None if literal.is_naf and holds else self.solver.proof(literal.stated)
        return BranchCondition(literal, holds, proof)


def why_not_lines(tree: WhyNot) -> list[str]:
    """The tree in English, as indented lines."""
    return [sentence(f"nothing shows that {phrase(tree.goal)}"), *_lines(tree, "  ")]


def _lines(tree: WhyNot, indent: str) -> Iterator[str]:
    for line in _notes(tree):
        yield f"{indent}{line}"
    for branch in tree.branches:
        yield f"{indent}[{branch.rule + 1}] would show it if all of this held:"
        for condition in branch.conditions:
            yield f"{indent}  - {_condition(condition)}"
            if condition.why_not:
                yield from _lines(condition.why_not, f"{indent}    ")


def _notes(tree: WhyNot) -> Iterator[str]:
    if tree.contrary:
        yield f"On the contrary, {phrase(tree.goal.negation)} {_cite(tree.contrary)}."
    if tree.elsewhere:
        yield "(This is taken apart elsewhere here.)"
    elif not (tree.branches or tree.in_use or tree.unseen):
        yield "No sentence says so and no rule concludes it."
    for rule in tree.in_use:
        yield f"[{rule + 1}] could show it, but is being tried already."
    if tree.unseen:
        yield f"({tree.unseen} more ways to apply these rules are not listed.)"


def _condition(condition: BranchCondition) -> str:
    literal, atom = phrase(condition.literal), phrase(condition.literal.atom)
    if not condition.literal.is_naf:
        shown = f"yes {_cite(condition.proof)}" if condition.proof else "nothing shows it"
        return f"{literal}: {shown}"
    if condition.proof:
        return f"{literal}: no, {atom} {_cite(condition.proof)}"
    return f"{literal}: yes, nothing shows that {atom}"


def _cite(proof: Proof) -> str:
    """[2] for the sentence that says it, [by 7] for the rule that shows it."""
    assert proof.root is not None
    return f"[{'by ' if proof.root.premises else ''}{proof.root.node + 1}]"


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
