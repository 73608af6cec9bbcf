"""Repairs: every single fact whose addition would make an unprovable question provable.

Exact, also through negation as failure: a new fact may prove what was missing, and it may defeat
what stood in the way. Candidates are all ground literals that the words of the theory and the
question can say and that are not provable yet. Only those that some chain of rules connects with
the question can matter (an explicit "not" serves no condition, so it can only be the question
itself); they are all tried at once in `worlds`.

The goal is always that the question itself becomes provable. If its negation is provable now,
that mostly remains so: such a repair says what it contradicts. A fact that would put negation
into a circle, so that the theory has no answer any more, is no repair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ibr.logic.backward import conclusions_of
from ibr.logic.clause import Clause, Literal, Program
from ibr.logic.matching import extensions
from ibr.logic.solver import NotStratified, Solver
from ibr.logic.stratify import Rule, layers, predicate_of
from ibr.logic.telling import listing, phrase
from ibr.logic.wording import sentence
from ibr.logic.worlds import proved_in

MOST_RULES = 400_000  # ground instances: some hundred megabytes


@dataclass(frozen=True, slots=True)
class Repair:
    """Stating `fact` makes the question provable.

    `contradicts`: the atoms that would then be proved both ways, and are not now.
    """

    fact: Literal
    contradicts: tuple[Literal, ...] = ()


class TooLarge(ValueError):
    """The search for repairs is exact, and here it would take too long."""


def repairs(
    program: Program, question: Literal, solver: Solver | None = None
) -> tuple[Repair, ...]:
    """All of them, those nearest to the question first and the question itself last.

    None if it is provable already. `solver`, if there is one for this program already, saves
    building another. Raises NotStratified as the solver does, and TooLarge.
    """
    if solver is None or not question.entities <= solver.domain:
        solver = Solver(program, question.entities)
    if solver.proves(question):
        return ()
    ground = _Grounding(program, solver)
    ground.reach([question])
    added = [atom for atom in ground.reached if atom != question and not solver.proves(atom)]
    added.append(question)
    worlds = proved_in(ground.rules, added).get(question, 0)
    facts = [fact for i, fact in enumerate(added) if worlds >> i & 1]
    return tuple(_without_circles(program, question, _with_clashes(ground, question, facts)))


def _with_clashes(
    ground: _Grounding, question: Literal, facts: Sequence[Literal]
) -> Iterator[Repair]:
    """The facts as repairs, each with what it would make contradictory."""
    proves = ground.solver.proves
    denials = [*ground.denials(), *([] if question.positive else [question])]
    disputed = [d for d in dict.fromkeys(denials) if not (proves(d) and proves(d.atom))]
    ground.reach(disputed)
    ground.reach([literal.atom for literal in disputed])
    values = proved_in(ground.rules, facts)
    clashes = [(d.atom, values.get(d, 0) & values.get(d.atom, 0)) for d in disputed]
    for i, fact in enumerate(facts):
        yield Repair(fact, tuple(atom for atom, worlds in clashes if worlds >> i & 1))


class _Grounding:
    """The ground rules on which given literals depend, gathered as they are asked for."""

    def __init__(self, program: Program, solver: Solver) -> None:
        self.program, self.solver = program, solver
        self.conclusions = conclusions_of(program)
        self.domain = sorted(solver.domain)
        # Without `~` a new fact unproves nothing: what is proved needs no further look.
        self.monotone = all(c.positive for _, clause in program for c in clause.body)
        self.rules: list[Clause] = []
        self.reached: dict[Literal, None] = {}
        self._hopeless: dict[Literal, bool] = {}

    def reach(self, goals: Iterable[Literal]) -> None:
        """Everything below the goals, breadth first."""
        fresh = [goal for goal in goals if goal not in self.reached]
        self.reached.update(dict.fromkeys(fresh))
        for goal in fresh:  # grows as we go
            for rule in self._rules_for(goal):
                self.rules.append(rule)
                below = [c.atom for c in rule.body if c.atom not in self.reached]
                self.reached.update(dict.fromkeys(below))
                fresh.extend(below)
            if len(self.rules) > MOST_RULES:
                raise TooLarge(
                    f"more than {MOST_RULES} instances of rules bear on the question:"
                    " too many to search for repairs exactly"
                )

    def _rules_for(self, goal: Literal) -> Iterator[Clause]:
        if self.monotone and self.solver.proves(goal):
            yield Clause(goal)
            return
        for _, clause in self.conclusions.of(goal, self.domain):
            for binding in extensions({}, sorted(clause.variables), self.domain):
                rule = clause.bind(binding) if binding else clause
                if sum(map(self._is_hopeless, set(rule.body))) < 2:
                    yield rule

    def _is_hopeless(self, condition: Literal) -> bool:
        """Could only stating it satisfy it? With two such conditions no single fact is enough."""
        if condition not in self._hopeless:
            found = self.conclusions.of(condition, self.domain) if condition.positive else [()]
            self._hopeless[condition] = not any(True for _ in found)
        return self._hopeless[condition]

    def denials(self) -> Iterator[Literal]:
        """Every ground "not" that the program might prove."""
        for _, clause in self.program:
            if not clause.head.positive:
                for binding in extensions({}, sorted(clause.head.variables), self.domain):
                    yield clause.head.bind(binding)


def _without_circles(
    program: Program, question: Literal, found: Iterable[Repair]
) -> Iterator[Repair]:
    """Leave out the facts with which the solver finds negation in a circle."""
    rules = [Rule(i, clause) for i, clause in program if not clause.is_fact]
    if not any(layer.tangled for layer in layers(rules, predicate_of(rules))):
        yield from found  # no fact can tie a knot in rules that have none
        return
    for repair in found:
        try:
            Solver(with_fact(program, repair.fact), question.entities)
        except NotStratified:
            continue
        yield repair


def with_fact(program: Program, fact: Literal) -> Program:
    """The program with one more sentence at its end."""
    return replace(
        program,
        said=(*program.said, (Clause(fact),)),
        numbers=(*program.numbers, 1 + max(program.numbers, default=-1)),
    )


def tell_repair(repair: Repair) -> str:
    """The fact as a sentence that can be added as it stands, with a warning where it clashes."""
    said = sentence(phrase(repair.fact))
    if not repair.contradicts:
        return said
    clash = listing([phrase(atom) for atom in repair.contradicts])
    return f"{said} (but then it is both proved and denied that {clash})"
