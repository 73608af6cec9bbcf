"""Which single facts might make a question provable: a backward search, never too few.

If a fact f makes an unproved goal provable, then f is the goal, or some rule instance for it has
only conditions that hold with f. Those that fail now must be mended by f itself: a missing one must
become provable, and an atom that must not be proved has to lose its proof, which only a new proof
of something denied in it can bring about. A fact that mends one condition may spoil another:
whether it really helps is for `change` to say. Without negation as failure nothing is spoiled.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ibr.logic.checking.backward import conclusions_of
from ibr.logic.checking.derivation import Setting, derive
from ibr.logic.checking.matching import extensions, rules_of
from ibr.logic.checking.worlds import Inference, holding
from ibr.logic.clause import Clause, Literal, Program
from ibr.logic.solver import Solver
from ibr.proof import NAF

MOST_INSTANCES = 200_000  # of rules; more take minutes


class TooLarge(ValueError):
    """The search for repairs is exact, and here it would take too long."""


def candidates(program: Program, solver: Solver, question: Literal) -> list[Literal]:
    """The unproved facts that might help, nearest first, the question itself last."""
    search = _Search(program, solver)
    search.explore(question)
    facts = [goal for goal in search.goals if goal != question] + [question]
    worlds = holding(search.inferences, facts).get(question, 0)
    return [fact for i, fact in enumerate(facts) if worlds >> i & 1]


class _Search:
    """Goals are unproved literals; the node `("lost", atom)` is an atom that loses its proof."""

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
        self._denied: dict[Literal, list[Literal]] = {}

    def explore(self, question: Literal) -> None:
        self.goals[question] = None
        fresh = [question]
        for goal in fresh:  # grows as we go
            for instance in self.instances(goal):
                needs: list[Hashable] = []
                below: list[Literal] = []
                for condition in instance.body:
                    if self.solver.proves(condition.atom) == condition.positive:
                        continue
                    if condition.positive:
                        needs.append(condition)
                        below.append(condition)
                    else:
                        needs.append(("lost", condition.atom))
                        below.extend(self.denied_for(condition.atom))
                self.inferences.append(Inference(goal, tuple(needs)))
                below = [literal for literal in below if literal not in self.goals]
                self.goals.update(dict.fromkeys(below))
                fresh.extend(dict.fromkeys(below))
            if len(self.inferences) > MOST_INSTANCES:
                raise TooLarge(
                    f"more than {MOST_INSTANCES} instances of rules bear on the question:"
                    " too many to search for repairs exactly"
                )

    def instances(self, goal: Literal) -> Iterator[Clause]:
        """Every ground rule for the goal that a single fact might let fire."""
        for _, clause in self.conclusions.of(goal, self.domain):
            for binding in extensions({}, sorted(clause.variables), self.domain):
                instance = clause.bind(binding) if binding else clause
                if sum(map(self.only_by_stating, {*instance.body})) < 2:
                    yield instance

    def only_by_stating(self, condition: Literal) -> bool:
        """Is there no rule for it? Two such conditions are more than one fact can mend."""
        known = self._only_by_stating.get(condition)
        if known is None:
            known = condition.positive and not any(
                True for _ in self.conclusions.of(condition, self.domain)
            )
            self._only_by_stating[condition] = known
        return known

    def denied_for(self, atom: Literal) -> list[Literal]:
        """What one proof of this atom denies: it is lost only if one of these is proved."""
        if atom not in self._denied:
            derivation = derive(self.solver.proof(atom).graph, self.setting)
            self._denied[atom] = [
                premise.literal.atom
                for step in derivation.steps(atom)
                for premise in step.premises
                if premise.source == NAF
            ]
            for denied in self._denied[atom]:
                self.inferences.append(Inference(("lost", atom), (denied,)))
        return self._denied[atom]
