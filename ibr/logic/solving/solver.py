"""The exact solver: closed world, stratified negation as failure (docs/formats.md section 4).

`strata` and `chaining` find what is provable and how deep, `proof_forest` every proof, `covering`
whether a graph is one, `failure` why the rest is not. Knows clauses only, no text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import inf

from ibr.logic.clause import Literal, Program, Sign
from ibr.logic.lazy import lazy
from ibr.logic.solving.chaining import Instances, Size, sizes
from ibr.logic.solving.covering import Target, covered, covers
from ibr.logic.solving.failure import Failures
from ibr.logic.solving.proof_forest import Minimal, TooManyStates, Usable, count, trees
from ibr.logic.solving.strata import NotStratified, chain
from ibr.proof import Graph, Proof
from ibr.theory import FineStrategy, Strategy

__all__ = ["Judgement", "NotStratified", "Solver", "TooManyStates"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What follows of a question. `proved` is the question, its negation, or None."""

    answer: bool
    depth: int  # of the shallowest proof; of the failure chain if nothing is proved
    length: int | None  # RuleTaker's QLen; None if nothing is proved
    fine_strategy: FineStrategy
    proved: Literal | None
    exact: bool = True  # else the failure chain was too hard to find: it has `depth` rules or more

    @property
    def strategy(self) -> Strategy:
        return self.fine_strategy.strategy


class Solver:
    """All that follows from one program. Everything is computed once, when first needed.

    The domain of variables is the program's entities and `extra_entities`; a question about an
    entity outside it is answered over the domain with that entity. Raises NotStratified.
    """

    def __init__(self, program: Program, extra_entities: Iterable[str] = ()) -> None:
        self.program = program
        self.domain = program.entities.union(extra_entities)
        self._chained = chain(program, self.domain)
        self._wider: dict[frozenset[str], Solver] = {}

    @lazy
    def model(self) -> Mapping[Literal, int]:
        """Every provable ground literal, positive and negative, with its depth."""
        return {literal: steps[0].depth for literal, steps in self._sizes.items()}

    @property
    def instances(self) -> Instances:
        """Every ground clause that proves something, by what it proves."""
        return self._chained.instances

    def proves(self, literal: Literal) -> bool:
        return literal in self.over(literal)._chained.instances

    def judge(self, question: Literal) -> Judgement:
        """Answer, depth, length and strategy of a statement (`Sign.POSITIVE` or `NEGATIVE`)."""
        return self.over(question)._judge(question)

    def proofs(self, literal: Literal) -> Iterator[Proof]:
        """Every proof, smallest first, made on demand; none if it is not provable.

        A proof is a tree of literals, each with the sentence that gives it from those below, no
        literal repeated on a path from the root. If a sentence says several clauses, two such
        trees may cite the same sentences: both are given.
        """
        over = self.over(literal)
        if over.proves(literal):
            forest = Usable(over.instances, literal)
            sizes = over._sizes
            yield from map(Proof.of, trees(forest, lambda s: sizes[s.literal][-1].size))

    def count_proofs(self, literal: Literal, max_states: float = inf) -> int:
        """How many `proofs` there are, without growing them.

        The work grows with the literals below, but where they rest on each other with the paths
        among them. Raises TooManyStates after so many; 10,000 take a second in RuleTaker theories.
        """
        over = self.over(literal)
        return count(Usable(over.instances, literal), max_states) if over.proves(literal) else 0

    def proof(self, literal: Literal) -> Proof:
        """A proof of least depth, and among these of least size (RuleTaker's QLen)."""
        over = self.over(literal)
        if literal not in over.instances:
            raise ValueError(f"{literal} is not provable")
        forest = Minimal(over.instances, literal, over._sizes)
        return Proof.of(next(trees(forest, forest.least)))

    def failure(self, atom: Literal) -> Proof:
        """The deepest-failure chain of an unprovable positive atom (see `Judgement.exact`)."""
        over = self.over(atom)
        if over.proves(atom) or not atom.positive:
            raise ValueError(f"{atom}: only an unprovable positive atom has a failure chain")
        return Proof.failure(over._failures.chain(atom).sentences())

    def evidence(self, question: Literal) -> Proof:
        """The `proof` of the question or of its negation, else the `failure` of both."""
        over = self.over(question)
        proved = over._proved(question)
        return over.proof(proved) if proved else over.failure(question.atom)

    def all_evidence(self, question: Literal) -> Iterator[Proof]:
        """The `proofs` of the question or of its negation, else the `failure` of both."""
        over = self.over(question)
        proved = over._proved(question)
        yield from over.proofs(proved) if proved else (over.failure(question.atom),)

    def failures(self, atom: Literal, limit: int) -> Iterator[tuple[int, int]]:
        """(sentence, length) of the chain, up to the limit, that each rule for the atom leads."""
        return self._failures.lengths(atom, limit)

    @lazy
    def failing(self) -> list[Literal]:
        """Every atom that some rule is about but that is not proved, nor its negation."""
        proved = self.instances
        atoms = self.program.concluded(sorted(self.domain))
        return sorted(a for a in atoms if a not in proved and a.negation not in proved)

    def accepts(self, question: Literal, graph: Graph | Target) -> bool:
        """Is this the graph of one of the question's proofs, or of its failure chain?"""
        over, target = self.over(question), Target(graph.nodes, graph.edges)
        proved = over._proved(question)
        if proved is None:
            return target.is_met_by(over.failure(question.atom).graph)
        return covered(over.instances, proved, target)

    def accepts_minimal(self, question: Literal, graph: Graph) -> bool:
        """Is this the graph of one of the minimal proofs, or of the failure chain?"""
        over = self.over(question)
        proved = over._proved(question)
        if proved is None:
            return over.accepts(question, graph)
        target = Target(graph.nodes, graph.edges)
        return covers(Minimal(over.instances, proved, over._sizes), target)

    @lazy
    def _sizes(self) -> dict[Literal, list[Size]]:
        return sizes(self.instances)

    @lazy
    def _failures(self) -> Failures:
        return Failures(self.program, self._chained)

    def over(self, literal: Literal) -> Solver:
        """The solver whose domain has the literal's entities: this one, or a wider one."""
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
        proved = self.instances
        return next((lit for lit in (question, question.negation) if lit in proved), None)

    def _judge(self, question: Literal) -> Judgement:
        proved, positive = self._proved(question), question.positive
        if proved is not None:
            depth, length = self._sizes[proved][0]
            answer = proved == question
            strategy = FineStrategy.PROOF if answer else FineStrategy.INV_PROOF
            return Judgement(answer, depth, length, strategy, proved)
        failure = self._failures.chain(question.atom)
        kind = "rconc" if self._failures.concludes(question.atom) else "random"
        strategy = FineStrategy(kind if positive else f"inv-{kind}")
        return Judgement(not positive, failure.length, None, strategy, None, exact=failure.exact)
