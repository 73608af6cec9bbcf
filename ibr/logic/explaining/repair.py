"""Repairs: every single fact whose addition would make an unprovable question provable.

Exact, also through negation as failure: a new fact may prove what was missing, or defeat what stood
in the way. Of all facts that the words of the theory can say, a backward search finds those that
might help, never too few, and one evaluation decides all of them. A *world* is the theory with one
of these facts, and a bit; the value of a literal is the set of worlds in which it holds.

The search: if a fact f makes an unproved goal provable, then f is the goal, or all conditions of
some rule instance for it hold with f. A missing condition must become provable by f; an atom that
must not be proved has to lose its proof, which takes a proof of some atom negated in it. An
explicit "not" serves no condition, so it can only be the question itself.

A repair makes the question itself provable. If its negation is provable now, that mostly remains
so: such a repair lists what it contradicts. A fact that puts negation into a cycle, so that the
theory has no answer any more, is no repair.
"""

from collections import defaultdict, deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from ibr.errors import LimitError
from ibr.logic.checking.derivation import Setting, derive
from ibr.logic.checking.matching import concluding, extensions, rules_of
from ibr.logic.checking.wellfounded import alternating_fixpoint
from ibr.logic.clause import Clause, Literal, Program
from ibr.logic.lazy import memo
from ibr.logic.solving.chaining import Closure, Rule
from ibr.logic.solving.solver import Solver
from ibr.logic.solving.strata import NotStratified, layers, predicate_of
from ibr.logic.surface.phrases import listing, phrase
from ibr.logic.surface.wording import sentence
from ibr.proof import NAF

Worlds = int  # bit i is set: world i
Values = Mapping[Literal, Worlds]
_ADDED = -1  # in place of a sentence
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
    search = _RepairSearch(program, solver)
    search.explore(question)
    goals = [goal for goal in search.goals if goal != question] + [question]
    worlds = _holding(search.inferences, goals).get(question, 0)
    facts = [fact for i, fact in enumerate(goals) if worlds >> i & 1]  # that might help
    values = _holding(_possible_inferences(program, question, facts, solver.domain), facts)
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


class _RepairSearch:
    """Goals are unproved literals; in inferences, `~` is that its atom loses its proof."""

    def __init__(self, program: Program, solver: Solver) -> None:
        self.program, self.solver = program, solver
        self.domain = sorted(solver.domain)
        self.setting = Setting(
            rules_of(program), solver.domain, lambda atom: not solver.proves(atom)
        )
        self.goals: dict[Literal, None] = {}
        self.inferences: list[_Inference] = []

    def explore(self, question: Literal) -> None:
        self.goals[question] = None
        fresh = [question]
        for goal in fresh:  # grows as we go
            for instance in self.instances(goal):
                body = instance.body
                needs = tuple(c for c in body if self.solver.proves(c.stated) == c.is_naf)
                self.inferences.append(_Inference(goal, needs))
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
        for _, clause in concluding(self.program, goal, self.domain):
            for binding in extensions({}, clause.variables, self.domain):
                instance = clause.bind(binding) if binding else clause
                if sum(map(self.only_by_stating, {*instance.body})) < 2:
                    yield instance

    @memo
    def only_by_stating(self, condition: Literal) -> bool:
        """Is there no rule for it? Two such conditions are more than one fact can mend."""
        rules = concluding(self.program, condition, self.domain)
        return not condition.is_naf and next(rules, None) is None

    @memo
    def negated_for(self, condition: Literal) -> list[Literal]:
        """What one proof of the atom of `~` negates: it is lost only if one of these is proved."""
        derivation = derive(self.solver.proof(condition.atom).graph, self.setting)
        negated = [
            premise.literal.atom
            for step in derivation.steps(condition.atom)
            for premise in step.premises
            if premise.source == NAF
        ]
        self.inferences += (_Inference(condition, (literal,)) for literal in negated)
        return negated


class _Inference(NamedTuple):
    """`conclusion` holds where all `needs` hold and none of `absent` does."""

    conclusion: Literal
    needs: tuple[Literal, ...] = ()
    absent: tuple[Literal, ...] = ()


def _possible_inferences(
    program: Program, question: Literal, added: Iterable[Literal], domain: Iterable[str]
) -> Iterator[_Inference]:
    """The instances of rules that may fire with these facts, whatever they negate, and bear on the
    question or on what some sentence denies."""
    closure, rules = Closure(domain), _relevant(program, question)
    closure.run([rule for rule in rules if rule.clause.is_fact])
    closure.run([Rule(_ADDED, Clause(fact)) for fact in added])
    closure.run([rule for rule in rules if not rule.clause.is_fact], settled=lambda atom: False)
    for head, ways in closure.instances.items():
        for origin, body in ways:
            if origin != _ADDED:
                needs = tuple(literal for literal in body if not literal.is_naf)
                yield _Inference(head, needs, tuple(lit.atom for lit in body if lit.is_naf))


def _relevant(program: Program, question: Literal) -> list[Rule]:
    """The rules that serve to conclude the predicate of the question, or one that is denied."""
    rules = [Rule(i, clause) for i, clause in program]
    node_of = predicate_of(rules)
    concluding: defaultdict[Hashable, list[Rule]] = defaultdict(list)
    for rule in rules:
        concluding[node_of(rule.clause.head.atom)].append(rule)
    denied = (rule.clause.head for rule in rules if not rule.clause.head.positive)
    nodes = dict.fromkeys(node_of(literal.atom) for literal in (question, *denied))
    queue = [*nodes]
    for node in queue:  # grows as we go
        below = (node_of(lit.atom) for rule in concluding[node] for lit in rule.clause.body)
        new = {other: None for other in below if other not in nodes}
        nodes |= new
        queue.extend(new)
    return [rule for node in nodes for rule in concluding[node]]


def _holding(inferences: Iterable[_Inference], added: Sequence[Literal]) -> Values:
    """The worlds in which each literal holds. World i has the inferences and `added[i]`.

    What holds is true in the well-founded model; a world in which that model leaves something open
    is not to be relied on.
    """
    known = tuple(inferences)
    start = {fact: 1 << i for i, fact in enumerate(added)}
    concluded = {inference.conclusion for inference in known}
    possible = _least(known, start, start)
    if all(concluded.isdisjoint(inference.absent) for inference in known):
        return possible
    return alternating_fixpoint(partial(_least, known, start), possible)[0]


def _least(inferences: Sequence[_Inference], start: Values, doubted: Values) -> Values:
    """The least fixpoint above `start`, where what is not doubted is absent."""
    every: Worlds = (1 << len(start)) - 1
    values = defaultdict(int, start)
    using: defaultdict[Literal, list[_Inference]] = defaultdict(list)
    for inference in inferences:
        for need in inference.needs:
            using[need].append(inference)
    queue = deque(inferences)
    while queue:
        conclusion, needs, absent = queue.popleft()
        worlds = every
        for need in needs:
            worlds &= values[need]
        for literal in absent:
            worlds &= ~doubted.get(literal, 0)
        if worlds & ~values[conclusion]:
            values[conclusion] |= worlds
            queue.extend(using[conclusion])
    return values
