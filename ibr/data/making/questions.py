"""Questions for a theory, drawn and labelled as RuleTaker's are (docs/formats.md section 5).

For each depth one provable statement and, drawn apart from it, the negation of one; then
unprovable statements, negative (true) and positive (false) in turn: up to half of them conclusions
of rules, the rest anything that the vocabulary can say. Labels come out half true, half false.
The solver labels; nothing here chooses what a theory says.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, product
from typing import Final

from ibr.data.example import Example, Source
from ibr.data.pararules import Paraphrased
from ibr.data.proof_string import Names
from ibr.data.ruletaker.all_proofs import all_proofs
from ibr.logic import templates
from ibr.logic.clause import Literal, Name, Program
from ibr.logic.solver import Solver
from ibr.proof import Proof
from ibr.theory import Problem, Question, Theory

_FAILING: Final = 10  # unprovable questions at least, where failures are wanted
MAX_PROOFS: Final = 256  # alternatives listed per question; a few statements have millions
MAX_DRAWN: Final = 4096  # random statements looked at: all of them in theories of usual size


@dataclass(frozen=True, slots=True)
class Signature:
    """What can be asked: everything that these words can say of each other.

    A generator passes its own vocabulary, of which a theory may not use every word.
    """

    entities: tuple[str, ...]
    attributes: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()  # between two entities
    intransitives: tuple[str, ...] = ()  # verbs without an object

    @classmethod
    def of(cls, program: Program) -> Signature:
        literals = [lit for _, clause in program for lit in (clause.head, *clause.body)]
        entities = (t for lit in literals for t in (lit.subject, lit.object) if t in lit.entities)
        verbs = {lit.relation for lit in literals if lit.relation != "is" and lit.object}
        return cls(
            _worded(entities),
            _worded(lit.object for lit in literals if lit.relation == "is"),
            tuple(sorted(verbs)),
            tuple(sorted({lit.relation for lit in literals if not lit.object})),
        )

    def draw(self, rng: random.Random) -> Iterator[Literal]:
        """Atoms in random order, each once (at most MAX_DRAWN)."""
        objects = [("is", a) for a in self.attributes] + [(v, "") for v in self.intransitives]
        said = [*objects, *product(self.verbs, self.entities)]
        size = len(self.entities) * len(said)
        for k in rng.sample(range(size), min(size, MAX_DRAWN)):
            relation, obj = said[k % len(said)]
            yield Literal(self.entities[k // len(said)], relation, obj)


def sample_questions(
    theory_id: str,
    theory: Theory,
    program: Program,
    rng: random.Random,
    depths: Sequence[int],
    unproved: int | None = None,
    *,
    signature: Signature | None = None,
    max_proofs: int = MAX_PROOFS,
    source: Source | None = None,
    deep_failures: bool = False,
) -> list[Example]:
    """Questions in RuleTaker's order. A depth at which nothing is provable is left out.

    `unproved` is how many unprovable ones at most (two per depth asked, by default as many as the
    provable ones); there are fewer when the vocabulary has no more, and always an even number.
    With `deep_failures` there are conclusions of rules that fail at every length among them.
    """
    solver = Solver(program)
    proved = _proved(solver, rng, depths)
    wanted = max(len(proved), _FAILING * deep_failures) if unproved is None else unproved
    signature = signature or Signature.of(program)
    asked = proved + _unproved(solver, rng, wanted, signature, deep_failures)
    source = source or source_of(theory_id, solver, Names.of_theory(theory), max_proofs)
    return [
        label(f"{theory_id}-{k}", theory, solver, literal, source=source, max_proofs=max_proofs)
        for k, literal in enumerate(asked, start=1)
    ]


def source_of(theory_id: str, solver: Solver, names: Names, max_proofs: int = MAX_PROOFS) -> Source:
    """The record that a theory's questions share: how deep it goes and all that it proves.

    Proofs can be listed only where every sentence has a name, so its kind must be known.
    """
    pairs = zip(names.components, solver.program.said, strict=True)
    named = all(held for held, said in pairs if said)
    return Source(
        theory_id,
        max_depth=max(solver.model.values(), default=0),
        all_proofs=all_proofs(solver, names, max_proofs) if named else None,
    )


def label(
    question_id: str,
    theory: Theory,
    solver: Solver,
    literal: Literal,
    *,
    source: Source | None = None,
    max_proofs: int = MAX_PROOFS,
) -> Example:
    """The Example that asks whether `literal` holds."""
    verdict = solver.judge(literal)
    return Example(
        problem=Problem(question_id, theory, Question(templates.write_literal(literal))),
        answer=verdict.answer,
        depth=verdict.depth,
        length=verdict.length,
        fine_strategy=verdict.fine_strategy,
        proofs=_proofs(solver, verdict.proved, literal, max_proofs),
        program=solver.program,
        literal=literal,
        source=source,
    )


def _proofs(
    solver: Solver, proved: Literal | None, question: Literal, limit: int
) -> tuple[Proof, ...]:
    if proved is None:
        return (solver.failure(question.atom),)
    return tuple(islice(solver.proofs(proved), limit))


def _proved(solver: Solver, rng: random.Random, depths: Sequence[int]) -> list[Literal]:
    at_depth: dict[int, list[Literal]] = {}
    for literal in sorted(solver.model):  # sorted: the order of sets varies from run to run
        if literal.negation not in solver.model:  # what is proved both ways has no right answer
            at_depth.setdefault(solver.model[literal], []).append(literal)
    asked = []
    for depth in depths:
        if depth in at_depth:
            asked += [rng.choice(at_depth[depth]), rng.choice(at_depth[depth]).negation]
    return asked


def _unproved(
    solver: Solver, rng: random.Random, wanted: int, signature: Signature, deep: bool
) -> list[Literal]:
    concluded = _concluded(solver.program, signature.entities)

    def open_(atom: Literal) -> bool:
        return not solver.proves(atom) and not solver.proves(atom.negation)

    conclusions = sorted(filter(open_, concluded))
    first = rng.sample(conclusions, min(len(conclusions), wanted // 2))
    if deep:
        shuffled = rng.sample(conclusions, len(conclusions))
        first = _of_every_length(solver, shuffled)[: wanted * 3 // 4]
    others = (a for a in signature.draw(rng) if a not in concluded and open_(a))
    atoms = list(islice(chain(first, others), wanted))
    del atoms[len(atoms) // 2 * 2 :]
    return [atom if k % 2 else atom.negation for k, atom in enumerate(atoms)]


def _of_every_length(solver: Solver, atoms: Iterable[Literal]) -> list[Literal]:
    """Those with the longest chains of failure first, one of each length in turn."""
    ranked: list[tuple[int, int, Literal]] = []
    seen: Counter[int] = Counter()
    for atom in atoms:
        length = solver.failure(atom).size
        ranked.append((seen[length], -length, atom))
        seen[length] += 1
    return [atom for _, _, atom in sorted(ranked)]


def _concluded(program: Program, entities: Sequence[str]) -> set[Literal]:
    """Every positive atom that some rule concludes, for any entities."""
    found: set[Literal] = set()
    for head in {clause.head for _, clause in program if clause.body and clause.head.positive}:
        variables = sorted(head.variables)
        for values in product(entities, repeat=len(variables)):
            binding: Mapping[str, str] = dict(zip(variables, values, strict=True))
            found.add(head.bind(binding))
    return found


def _worded(terms: Iterable[str]) -> tuple[str, ...]:
    """Each term once, in order; a Name, which knows its wording, before a bare string."""
    found: dict[str, str] = {}
    for term in terms:
        if term not in found or isinstance(term, Name):
            found[term] = term
    return tuple(found[term] for term in sorted(found))


def sample_paraphrased(
    source: Paraphrased, rng: random.Random, max_depth: int = 5, max_proofs: int = MAX_PROOFS
) -> list[Example]:
    """Questions for a theory of ParaRules: every depth that it reaches, then as many unprovable."""
    solver = Solver(source.program)
    names = Names(source.components)
    record = replace(
        source_of(source.record_id, solver, names, max_proofs),
        components=source.components,
        extra={"sentenceScramble": []},
    )
    return sample_questions(
        source.record_id,
        source.theory,
        source.program,
        rng,
        range(min(record.max_depth or 0, max_depth) + 1),
        max_proofs=max_proofs,
        source=record,
    )
