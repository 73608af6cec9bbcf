"""The exact solver: closed world, stratified negation as failure (docs/formats.md section 4).

The door to its rooms: `strata` finds what is provable, `measure` how deep, `forest` every proof,
`covering` whether a graph is one, `failure` why the rest is not. Knows clauses only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import inf

from ibr.logic.clause import Literal, Program, Sign
from ibr.logic.solving.chaining import Instance
from ibr.logic.solving.covering import Target, covered, covers
from ibr.logic.solving.failure import Failures
from ibr.logic.solving.forest import Minimal, OutOfPatience, Unrepeating, count, trees
from ibr.logic.solving.measure import Size, sizes
from ibr.logic.solving.shared import Shared
from ibr.logic.solving.strata import chain
from ibr.logic.solving.stratify import NotStratified
from ibr.proof import Graph, Proof
from ibr.theory import FineStrategy, Strategy

__all__ = ["NotStratified", "OutOfPatience", "Solver", "Verdict", "solve"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What follows of a question. `proved` is the question, its negation, or None."""

    answer: bool
    depth: int  # of the shallowest proof; of the failure chain if nothing is proved
    length: int | None  # RuleTaker's QLen; None if nothing is proved
    fine_strategy: FineStrategy
    proved: Literal | None
    contradiction: bool = False  # the theory proves the question and its negation
    exact: bool = True  # else the failure chain was too hard to find: it has `depth` rules or more

    @property
    def strategy(self) -> Strategy:
        return self.fine_strategy.strategy


class Solver:
    """All that can be known about one program. Everything is computed once, when first asked.

    The domain of variables is the program's entities and `extra_entities`; a question about an
    entity outside it is answered over the domain with that entity. Raises NotStratified.
    """

    def __init__(self, program: Program, extra_entities: Iterable[str] = ()) -> None:
        self.program = program
        self.domain = program.entities.union(extra_entities)
        self._chained = chain(program, self.domain)
        self._wider: dict[frozenset[str], Solver] = {}

    @cached_property
    def model(self) -> Mapping[Literal, int]:
        """Every provable ground literal, positive and negative, with its depth."""
        return {literal: steps[0].depth for literal, steps in self._sizes.items()}

    @property
    def instances(self) -> Mapping[Literal, Collection[Instance]]:
        """Every ground clause that proves something, by what it proves."""
        return self._chained.instances

    def proves(self, literal: Literal) -> bool:
        return literal in self._over(literal)._chained.instances

    def judge(self, question: Literal) -> Verdict:
        """Answer, depth, length and strategy of a statement (`Sign.POSITIVE` or `NEGATIVE`)."""
        return self._over(question)._judge(question)

    def proofs(self, literal: Literal) -> Iterator[Proof]:
        """Every proof, smallest first, grown as you ask; none if it is not provable.

        A proof is a tree of literals, each with the sentence that gives it from those below, no
        literal repeated on a path from the root. If a sentence says several clauses, two such
        trees may cite the same sentences: both come here, and `distinct_proofs` gives one.
        """
        over = self._over(literal)
        if over.proves(literal):
            forest = Unrepeating(over._chained.instances, literal)
            sizes = over._sizes
            yield from map(Proof.of, trees(forest, lambda s: sizes[s.literal][-1].size))

    def distinct_proofs(self, literal: Literal) -> Iterator[Proof]:
        """`proofs`, without those that cite the same sentences in the same tree as one before."""
        return _distinct(self.proofs(literal))

    def count_proofs(self, literal: Literal, patience: float = inf) -> int:
        """How many `proofs` there are, without growing them.

        The work grows with the literals below, but where they rest on each other with the paths
        among them. OutOfPatience is raised after so many states; 10,000 take about a second.
        """
        over = self._over(literal)
        if not over.proves(literal):
            return 0
        return count(Shared(over._chained.instances, literal), patience)

    def minimal_proofs(self, literal: Literal) -> list[Proof]:
        """The distinct proofs of least depth, and among these of least size (RuleTaker's QLen)."""
        return list(_distinct(self._over(literal)._shallowest(literal)))

    def proof(self, literal: Literal) -> Proof:
        """The first of the minimal proofs."""
        proof = next(self._over(literal)._shallowest(literal), None)
        if proof is None:
            raise ValueError(f"{literal} is not provable")
        return proof

    def failure(self, atom: Literal) -> Proof:
        """The deepest-failure chain of an unprovable positive atom (see `Verdict.exact`)."""
        over = self._over(atom)
        if over.proves(atom) or not atom.positive:
            raise ValueError(f"{atom}: only an unprovable positive atom has a failure chain")
        return Proof.failure(over._failures.chain(atom).sentences())

    def failures(self, atom: Literal, limit: int) -> Iterator[tuple[int, int]]:
        """(sentence, length) of the chain, up to the limit, that each rule for the atom leads."""
        return self._failures.lengths(atom, limit)

    @cached_property
    def failing(self) -> list[Literal]:
        """Every atom that some rule is about but that is not proved, nor its negation."""
        proved = self._chained.instances
        heads = {clause.head for _, clause in self.program if clause.body and clause.head.positive}
        domain = sorted(self.domain)
        atoms = {
            head.bind(dict(zip(variables, values, strict=True)))
            for head in heads
            for variables in [sorted(head.variables)]
            for values in product(domain, repeat=len(variables))
        }
        return sorted(a for a in atoms if a not in proved and a.negation not in proved)

    def consequences(self) -> list[tuple[Literal, int]]:
        """Every provable literal with its depth, shallowest first."""
        return sorted(self.model.items(), key=lambda item: item[1])

    def contradictions(self) -> list[Literal]:
        """The atoms that are proved both ways."""
        proved = self._chained.instances
        return [literal for literal in proved if literal.positive and literal.negation in proved]

    def accepts(self, question: Literal, graph: Graph) -> bool:
        """Is this the graph of one of the question's proofs, or of its failure chain?"""
        return self._over(question)._accepts(question, Target(graph.nodes, graph.edges))

    def accepts_nodes(self, question: Literal, nodes: Iterable[int]) -> bool:
        """Has one of them exactly these nodes?"""
        return self._over(question)._accepts(question, Target(nodes=frozenset(nodes)))

    def accepts_edges(self, question: Literal, edges: Iterable[tuple[int, int]]) -> bool:
        """Has one of them exactly these edges?"""
        return self._over(question)._accepts(question, Target(edges=frozenset(edges)))

    def accepts_minimal(self, question: Literal, graph: Graph) -> bool:
        """Is this the graph of one of the minimal proofs, or of the failure chain?"""
        over = self._over(question)
        target = Target(graph.nodes, graph.edges)
        proved = over._proved(question)
        if proved is None:
            return over._accepts(question, target)
        return covers(Minimal(over._chained.instances, proved, over._sizes), target)

    @cached_property
    def _sizes(self) -> dict[Literal, list[Size]]:
        return sizes(self._chained.instances)

    @cached_property
    def _failures(self) -> Failures:
        return Failures(self.program, self._chained)

    def _over(self, literal: Literal) -> Solver:
        """The solver whose domain has the literal's entities: mostly this one."""
        if literal.sign == Sign.NAF or literal.variables:
            raise ValueError(f"{literal}: a statement has no variable and no negation as failure")
        strangers = literal.entities - self.domain
        if not strangers:
            return self
        if strangers not in self._wider:
            self._wider[strangers] = Solver(self.program, self.domain | strangers)
        return self._wider[strangers]

    def _proved(self, question: Literal) -> Literal | None:
        """The question or its negation, whichever is proved; the question first."""
        proved = self._chained.instances
        return next((lit for lit in (question, question.negation) if lit in proved), None)

    def _judge(self, question: Literal) -> Verdict:
        proved, positive = self._proved(question), question.positive
        if proved is not None:
            depth, length = self._sizes[proved][0]
            answer = proved == question
            strategy = FineStrategy.PROOF if answer else FineStrategy.INV_PROOF
            both = answer and question.negation in self._chained.instances
            return Verdict(answer, depth, length, strategy, proved, both)
        failure = self._failures.chain(question.atom)
        if self._failures.concludes(question.atom):
            strategy = FineStrategy.RCONC if positive else FineStrategy.INV_RCONC
        else:
            strategy = FineStrategy.RANDOM if positive else FineStrategy.INV_RANDOM
        return Verdict(not positive, failure.length, None, strategy, None, exact=failure.exact)

    def _shallowest(self, literal: Literal) -> Iterator[Proof]:
        if literal in self._chained.instances:
            forest = Minimal(self._chained.instances, literal, self._sizes)
            yield from map(Proof.of, trees(forest, forest.least))

    def _accepts(self, question: Literal, target: Target) -> bool:
        proved = self._proved(question)
        if proved is not None:
            return covered(self._chained.instances, proved, target)
        return target.is_met_by(self.failure(question.atom).graph)


def _distinct(proofs: Iterable[Proof]) -> Iterator[Proof]:
    seen: set[tuple[tuple[int, int], ...]] = set()
    for proof in proofs:
        shape = tuple((tree.node, len(tree.premises)) for tree in proof)
        if shape not in seen:
            seen.add(shape)
            yield proof


def solve(program: Program, question: Literal) -> Verdict:
    """`Solver(program).judge(question)` for a single question."""
    return Solver(program, question.entities).judge(question)
