"""Repairs: every single fact whose addition would make an unprovable question provable.

Exact, also through negation as failure: a new fact may prove what was missing, or defeat what stood
in the way. Of all facts that the words of the theory can say, a backward search finds those that
might help, never too few, and `change` evaluates them all.

The search: if a fact f makes an unproved goal provable, then f is the goal, or all conditions of
some rule instance for it hold with f. A missing condition must become provable by f; an atom that
must not be proved has to lose its proof, which takes a proof of some atom negated in it. An
explicit "not" serves no condition, so it can only be the question itself.

A repair makes the question itself provable. If its negation is provable now, that mostly remains
so: such a repair lists what it contradicts. A fact that puts negation into a cycle, so that the
theory has no answer any more, is no repair.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ibr.errors import LimitError
from ibr.logic.checking.derivation import Setting, derive
from ibr.logic.checking.matching import conclusions_of, extensions, rules_of
from ibr.logic.clause import Clause, Literal, Program
from ibr.logic.explaining.change import Inference, holding, possible_inferences
from ibr.logic.solving.chaining import Rule
from ibr.logic.solving.solver import Solver
from ibr.logic.solving.strata import NotStratified, layers, predicate_of
from ibr.logic.surface.phrases import listing, phrase
from ibr.logic.surface.wording import sentence
from ibr.proof import NAF

MOST_INSTANCES = 200_000  # of rules; more take minutes


class TooLarge(LimitError):
    """The search for repairs is exact, and here it would take too long."""


@dataclass(frozen=True, slots=True)
class Repair:
    """Stating `fact` makes the question provable.

    `contradicts`: the atoms that would then be proved both ways, and are not now.
    """

    fact: Literal
    contradicts: tuple[Literal, ...] = ()


def repairs(
    program: Program, question: Literal, solver: Solver | None = None
) -> tuple[Repair, ...]:
    """All of them, those nearest to the question first and the question itself last.

    None if it is provable already. `solver`, if there is one for this program already, saves
    building another. Raises NotStratified as the solver does, and TooLarge.
    """
    solver = (solver or Solver(program)).over(question)
    if solver.proves(question):
        return ()
    facts = _candidates(program, solver, question)
    values = holding(possible_inferences(program, question, facts, solver.domain), facts)
    clashes = {  # the worlds in which an atom is proved both ways, as it is not now
        atom: worlds & values.get(atom.negation, 0)
        for atom, worlds in values.items()
        if atom.positive and not (solver.proves(atom) and solver.proves(atom.negation))
    }
    found = [
        Repair(fact, tuple(atom for atom, worlds in clashes.items() if worlds >> i & 1))
        for i, fact in enumerate(facts)
        if values[question] >> i & 1
    ]
    return tuple(_without_cycles(program, question, found))


def _without_cycles(
    program: Program, question: Literal, found: Iterable[Repair]
) -> Iterator[Repair]:
    """Leave out the facts with which the solver finds a cycle of negations."""
    rules = [Rule(i, clause) for i, clause in program if not clause.is_fact]
    may_cycle = any(layer.tangled for layer in layers(rules, predicate_of(rules)))
    for repair in found:
        try:
            if may_cycle:
                Solver(with_fact(program, repair.fact), question.entities)
        except NotStratified:
            continue
        yield repair


def with_fact(program: Program, fact: Literal) -> Program:
    """The program with one more sentence at its end."""
    return replace(
        program,
        clauses=(*program.clauses, (Clause(fact),)),
        numbers=(*program.numbers, 1 + max(program.numbers, default=-1)),
    )


def repair_text(repair: Repair) -> str:
    """The fact as a sentence that can be added as it stands, with a warning where it clashes."""
    text = sentence(phrase(repair.fact))
    if not repair.contradicts:
        return text
    clash = listing([phrase(atom) for atom in repair.contradicts])
    return f"{text} (but then it is both proved and denied that {clash})"


def _candidates(program: Program, solver: Solver, question: Literal) -> list[Literal]:
    """The unproved facts that might help, nearest first, the question itself last."""
    search = _RepairSearch(program, solver)
    search.explore(question)
    facts = [goal for goal in search.goals if goal != question] + [question]
    worlds = holding(search.inferences, facts).get(question, 0)
    return [fact for i, fact in enumerate(facts) if worlds >> i & 1]


class _RepairSearch:
    """Goals are unproved literals; in inferences, `~` is that its atom loses its proof."""

    def __init__(self, program: Program, solver: Solver) -> None:
        self.solver = solver
        self.conclusions = conclusions_of(program)
        self.domain = sorted(solver.domain)
        self.setting = Setting(
            rules_of(program), solver.domain, lambda atom: not solver.proves(atom)
        )
        self.goals: dict[Literal, None] = {}
        self.inferences: list[Inference] = []
        self._only_by_stating: dict[Literal, bool] = {}
        self._negated: dict[Literal, list[Literal]] = {}

    def explore(self, question: Literal) -> None:
        self.goals[question] = None
        fresh = [question]
        for goal in fresh:  # grows as we go
            for instance in self.instances(goal):
                body = instance.body
                needs = tuple(c for c in body if self.solver.proves(c.stated) == c.is_naf)
                self.inferences.append(Inference(goal, needs))
                below = (lit for c in needs for lit in (self.negated_for(c) if c.is_naf else (c,)))
                new = dict.fromkeys(literal for literal in below if literal not in self.goals)
                self.goals |= new
                fresh.extend(new)
            if len(self.inferences) > MOST_INSTANCES:
                raise TooLarge(
                    f"more than {MOST_INSTANCES} instances of rules bear on the question:"
                    " too many to search for repairs exactly"
                )

    def instances(self, goal: Literal) -> Iterator[Clause]:
        """Every ground rule for the goal that a single fact might let fire."""
        for _, clause in self.conclusions.of(goal, self.domain):
            for binding in extensions({}, clause.variables, self.domain):
                instance = clause.bind(binding) if binding else clause
                if sum(map(self.only_by_stating, {*instance.body})) < 2:
                    yield instance

    def only_by_stating(self, condition: Literal) -> bool:
        """Is there no rule for it? Two such conditions are more than one fact can mend."""
        known = self._only_by_stating.get(condition)
        if known is None:
            rules = self.conclusions.of(condition, self.domain)
            known = not condition.is_naf and next(rules, None) is None
            self._only_by_stating[condition] = known
        return known

    def negated_for(self, condition: Literal) -> list[Literal]:
        """What one proof of the atom of `~` negates: it is lost only if one of these is proved."""
        if condition not in self._negated:
            derivation = derive(self.solver.proof(condition.atom).graph, self.setting)
            self._negated[condition] = [
                premise.literal.atom
                for step in derivation.steps(condition.atom)
                for premise in step.premises
                if premise.source == NAF
            ]
            self.inferences += (Inference(condition, (lit,)) for lit in self._negated[condition])
        return self._negated[condition]
