"""Questions for a theory, drawn and labelled as RuleTaker's are (docs/formats.md section 5).

For each depth one provable statement and, drawn independently, the negation of one; then
unprovable statements, alternately negative (true) and positive (false): up to half of them
conclusions of rules, the rest any other statements. Half of the labels are true.
"""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Final

from ibr.data.formats.example import Example, RecordSource
from ibr.data.formats.pararules import Paraphrased
from ibr.data.formats.proof_string import Names
from ibr.data.formats.rule_reasoning import all_proofs
from ibr.data.making.vocabulary import World
from ibr.logic.clause import Literal, Program
from ibr.logic.solving.solver import Solver
from ibr.logic.surface import templates
from ibr.theory import Problem, Question, Theory

_FAILING: Final = 10  # unprovable questions at least, if deep failures are asked for
MAX_PROOFS: Final = 256  # alternatives listed per question; a few statements have millions


@dataclass(frozen=True, slots=True)
class SolvableTheory:
    """A theory, its logic, and the words that questions may use (default: its own)."""

    id: str
    theory: Theory
    program: Program
    world: World | None = None


@dataclass(frozen=True, slots=True)
class QuestionPlan:
    """Which questions to sample."""

    depths: Sequence[int]  # of proved ones; a depth at which nothing is provable is left out
    unproved: int | None = None  # at most so many, an even number; default: as many as proved
    max_proofs: int = MAX_PROOFS  # listed for a question
    list_all: bool = True  # every provable statement with its proofs, in the RecordSource
    deep_failures: bool = False  # ask conclusions of rules with failure chains of every length


def sample_questions(made: SolvableTheory, plan: QuestionPlan, rng: random.Random) -> list[Example]:
    """Questions in RuleTaker's order."""
    solver = Solver(made.program)
    proved = _proved(solver, rng, plan.depths)
    wanted = plan.unproved
    if wanted is None:
        wanted = max(len(proved), _FAILING * plan.deep_failures)
    world = made.world or World.of(made.program)
    asked = proved + _unproved(solver, rng, wanted, world, plan.deep_failures)
    source = RecordSource(made.id, max(solver.model.values(), default=0))
    if plan.list_all:
        listed = all_proofs(solver, Names.of_theory(made.theory), plan.max_proofs)
        source = replace(source, all_proofs=listed)
    examples = []
    for k, literal in enumerate(asked, start=1):
        question, found = Question(templates.write_literal(literal)), solver.judge(literal)
        example = Example(
            Problem(f"{made.id}-{k}", made.theory, question),
            found.answer,
            depth=found.depth,
            length=found.length,
            fine_strategy=found.fine_strategy,
            proofs=tuple(islice(solver.all_evidence(literal), plan.max_proofs)),
            program=solver.program,
            literal=literal,
            source=source,
        )
        examples.append(example)
    return examples


def _proved(solver: Solver, rng: random.Random, depths: Sequence[int]) -> list[Literal]:
    asked = []
    for depth in depths:  # sorted: the order of sets varies from run to run
        found = sorted(literal for literal, at in solver.model.items() if at == depth)
        # A contradiction has no right answer.
        if found := [literal for literal in found if literal.negation not in solver.model]:
            asked += [rng.choice(found), rng.choice(found).negation]
    return asked


def _unproved(
    solver: Solver, rng: random.Random, wanted: int, world: World, deep: bool
) -> list[Literal]:
    concluded = solver.program.concluded(world.entities)

    def open_(atom: Literal) -> bool:
        return not solver.proves(atom) and not solver.proves(atom.negation)

    conclusions = sorted(filter(open_, concluded))
    first = rng.sample(conclusions, min(len(conclusions), wanted // 2))
    if deep:
        shuffled = rng.sample(conclusions, len(conclusions))
        first = _of_every_length(solver, shuffled)[: wanted * 3 // 4]
    others = (a for a in world.draw_atoms(rng) if a not in concluded and open_(a))
    atoms = list(islice(chain(first, others), wanted))
    del atoms[len(atoms) // 2 * 2 :]
    return [atom if k % 2 else atom.negation for k, atom in enumerate(atoms)]


def _of_every_length(solver: Solver, atoms: Iterable[Literal]) -> list[Literal]:
    """The atoms by length of their failure chains: one of each length in turn, longest first."""
    ranked: list[tuple[int, int, Literal]] = []
    seen: Counter[int] = Counter()
    for atom in atoms:
        length = solver.failure(atom).size
        ranked.append((seen[length], -length, atom))
        seen[length] += 1
    return [atom for _, _, atom in sorted(ranked)]


def sample_paraphrased(
    source: Paraphrased, rng: random.Random, max_depth: int = 5, max_proofs: int = MAX_PROOFS
) -> list[Example]:
    """Questions for a theory of ParaRules: every depth that it reaches, then as many unprovable."""
    made = SolvableTheory(source.record_id, source.theory, source.program)
    plan = QuestionPlan(range(max_depth + 1), max_proofs=max_proofs, list_all=False)
    return sample_questions(made, plan, rng)
