"""The plain twin of the solver: section 4 of the format, word by word, with no index and no memo.

Every rule is made ground over the whole domain; every proof is written out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from ibr.logic.clause import Clause, Literal, Program, Sign
from ibr.proof import NAF, Proof, Tree


@dataclass(frozen=True)
class LiteralProof:
    """A proof with its literals. NAF leaves have no literal: any is like another."""

    literal: Literal | None
    sentence: int
    premises: tuple[LiteralProof, ...] = ()

    @property
    def tree(self) -> Tree:
        return Tree(self.sentence, tuple(premise.tree for premise in self.premises))


class Naive:
    def __init__(self, program: Program, extra_entities: Iterable[str] = ()) -> None:
        self.program = program
        domain = sorted(program.entities.union(extra_entities))
        self.ground = [
            (sentence, clause.bind(dict(zip(variables, values, strict=True))))
            for sentence, clause in program
            for variables in [sorted(clause.variables)]
            for values in product(domain, repeat=len(variables))
        ]
        self.true, self.possible = self._well_founded()

    def _well_founded(self) -> tuple[set[Literal], set[Literal]]:
        true: set[Literal] = set()
        while True:
            possible = self._closure(true)
            more = self._closure(possible)
            if more == true:
                return true, possible
            true = more

    def _closure(self, refused: set[Literal]) -> set[Literal]:
        found: set[Literal] = set()
        while True:
            new = {
                head
                for _, (head, body) in self.ground
                if all(
                    lit.atom not in refused if lit.sign == Sign.NAF else lit in found
                    for lit in body
                )
            }
            if new == found:
                return found
            found = new

    def holds(self, literal: Literal) -> bool:
        return literal.atom not in self.true if literal.sign == Sign.NAF else literal in self.true

    def depths(self) -> dict[Literal, int]:
        """Rounds of forward chaining, NAF asked of the final model."""
        depth = {clause.head: 0 for _, clause in self.ground if not clause.body}
        for now in range(1, len(self.true) + 1):
            before = set(depth)
            for _, (head, body) in self.ground:
                if all(self.holds(b) if b.sign == Sign.NAF else b in before for b in body):
                    depth.setdefault(head, now)
        return depth

    def proofs(self, literal: Literal, above: tuple[Literal, ...] = ()) -> set[LiteralProof]:
        if literal in above:
            return set()
        found = set()
        for sentence, clause in self.ground:
            if clause.head == literal and all(map(self.holds, clause.body)):
                for premises in product(*self._premises(clause, (*above, literal))):
                    found.add(LiteralProof(literal, sentence, premises))
        return found

    def _premises(self, clause: Clause, above: tuple[Literal, ...]) -> Iterator[set[LiteralProof]]:
        for literal in clause.body:
            yield (
                {LiteralProof(None, NAF)}
                if literal.sign == Sign.NAF
                else self.proofs(literal, above)
            )

    def failure(self, atom: Literal, path: frozenset[int] = frozenset()) -> tuple[int, ...]:
        if atom.negation in self.true:
            return ()
        candidates = []
        for sentence, clause in self.ground:
            is_rule = bool(clause.body)
            if is_rule and clause.head == atom and sentence not in path:
                failing = [
                    () if lit.sign == Sign.NAF else self.failure(lit, path | {sentence})
                    for lit in clause.body
                    if not self.holds(lit)
                ]
                candidates.append((sentence, *min(failing, key=len)))
        order = sorted(candidates, key=lambda c: (-len(c), self.program.numbers[c[0]]))
        return order[0] if order else ()

    def proofs_of(self, literal: Literal) -> list[Proof]:
        return [Proof.of(proof.tree) for proof in self.proofs(literal)]


def lit(text: str) -> Literal:
    """`lit("Bob is kind")`, `lit("-Bob is kind")`, `lit("~?x likes cat")`."""
    sign = Sign(text[0]) if text[0] in "-~" else Sign.POSITIVE
    subject, relation, object_ = text.lstrip("-~").split()
    return Literal(subject, relation, object_, sign)


def theory(*sentences: str, numbers: tuple[int, ...] = ()) -> Program:
    """One sentence a string: `"Bob is big <- Bob is kind, ~Bob is red"`; `|` adds a clause."""

    def clause(text: str) -> Clause:
        head, _, body = text.partition(" <- ")
        return Clause(lit(head), tuple(lit(part) for part in body.split(", ") if part))

    return Program(tuple(tuple(map(clause, s.split(" | "))) for s in sentences), numbers)
