"""NLProlog's search without its vectors (Weber et al. 2019): names match as they are similar.

An atom is a predicate's text ("likes the cat", "is not kind") and a subject. Two atoms unify if
both pairs of names are at least `threshold` similar; a proof's score is the product over its
unifications. NLProlog was made for multi-hop questions over extracted triples with rule templates;
on rule texts all of this is our extension: the rules are the theory's own, parsed, an explicit
negative is a predicate of its own, and `~c` holds iff no proof of c reaches `accept`.

The authors search depth-first with branch and bound, to depth 3. Here the best proofs are kept by
goal and depth, too, which finds the same best proof; clauses with a variable object are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Final, NamedTuple

from ibr.logic.clause import Literal, Program, Sign, groundings, is_variable
from ibr.logic.surface.wording import predicate
from ibr.proof import NAF, Tree

DEPTH: Final = 6
Similarity = Callable[[str, str], float]
Pairs = list[tuple[str, str]]


class Atom(NamedTuple):
    predicate: str
    subject: str

    @classmethod
    def of(cls, literal: Literal) -> Atom:
        sign = Sign.NEGATIVE if literal.sign is Sign.NEGATIVE else Sign.POSITIVE
        return cls(predicate(literal._replace(sign=sign)), literal.subject)


class Condition(NamedTuple):
    atom: Atom
    is_absent: bool  # `~`


class Horn(NamedTuple):
    sentence: int
    head: Atom
    body: tuple[Condition, ...] = ()

    @property
    def free(self) -> frozenset[str]:
        """Variables that the head does not bind."""
        subjects = {condition.atom.subject for condition in self.body}
        return frozenset(s for s in subjects - {self.head.subject} if is_variable(s))


class Scored(NamedTuple):
    """The best proof of an atom; `unified` are the pairs of names whose similarities it took."""

    score: float
    tree: Tree
    unified: tuple[tuple[str, str], ...] = ()


@lru_cache(maxsize=256)
def clauses_of(program: Program) -> tuple[Horn, ...]:
    found = []
    for sentence, (head, body) in program:
        if not any(is_variable(literal.object) for literal in (head, *body)):
            conditions = (Condition(Atom.of(lit), lit.sign is Sign.NAF) for lit in body)
            found.append(Horn(sentence, Atom.of(head), tuple(conditions)))
    return tuple(found)


def exact(one: str, other: str) -> float:
    return float(one == other)


@dataclass
class Search:
    """Best proofs over one program. `nodes` counts the goals that were searched."""

    clauses: tuple[Horn, ...]
    domain: tuple[str, ...]  # what a variable that no head binds may stand for
    similarity: Similarity = exact
    threshold: float = 0.5  # λ: names below it do not unify
    accept: float = 0.5  # τ: a proof below it shows nothing
    depth: int = DEPTH
    max_nodes: int = 5000  # after so many goals nothing more is found (the authors: 5 minutes)

    def __post_init__(self) -> None:
        self.nodes = 0
        self._best: dict[tuple[Atom, int], Scored | None] = {}
        self._absent: dict[Atom, bool] = {}
        self._open: dict[Atom, bool] = {}  # `~` goals being searched: was it met again below?

    @property
    def is_exhausted(self) -> bool:
        """What it found may be worse than the best."""
        return self.nodes >= self.max_nodes

    def proved(self, atom: Atom) -> Scored | None:
        """The best proof of the atom, if it is good enough."""
        found = self.best(atom, self.depth)
        return found if found is not None and found.score >= self.accept else None

    def best(self, atom: Atom, depth: int) -> Scored | None:
        key = atom, depth
        if key not in self._best:
            if self.is_exhausted:
                return None
            self.nodes += 1
            shallower = self.best(atom, depth - 1) if depth else None  # preferred on a tie
            self._best[key] = self._improved(shallower, atom, depth)
        return self._best[key]

    def _improved(self, best: Scored | None, atom: Atom, depth: int) -> Scored | None:
        """The best proof, of which one is known. Branch and bound: a clause that unifies no better
        than the best proof scores cannot lead to a better one."""
        for score, pairs, clause in self._unifying(atom, depth > 0):
            if best is not None and score <= best.score:
                break
            head = {clause.head.subject: atom.subject} if is_variable(clause.head.subject) else {}
            for free in groundings(clause.free, self.domain):
                least = max(self.threshold, best.score if best else 0.0) / score
                found = self._body(clause, head | free, depth - 1, least)
                if found is not None and (best is None or score * found.score > best.score):
                    best = Scored(score * found.score, found.tree, (*pairs, *found.unified))
        return best

    def _unifying(self, atom: Atom, with_rules: bool) -> list[tuple[float, Pairs, Horn]]:
        """The clauses whose head unifies with the atom, the best first."""
        found = []
        for clause in self.clauses:
            if clause.body and not with_rules:
                continue
            pairs: Pairs = [(atom.predicate, clause.head.predicate)]
            if not is_variable(clause.head.subject):
                pairs.append((atom.subject, clause.head.subject))
            similar = [self.similarity(*pair) for pair in pairs]
            if min(similar) >= self.threshold and prod(similar) >= self.threshold:
                found.append((prod(similar), pairs, clause))
        return sorted(found, key=lambda item: -item[0])

    def _body(
        self, clause: Horn, binding: Mapping[str, str], depth: int, least: float
    ) -> Scored | None:
        """The conditions of a clause, if they score at least so much."""
        score, premises, unified = 1.0, list[Tree](), list[tuple[str, str]]()
        for (predicate_, subject), is_absent in clause.body:
            atom = Atom(predicate_, binding.get(subject, subject))
            if is_absent:
                if not self._is_absent(atom):
                    return None
                premises.append(Tree(NAF))
                continue
            found = self.best(atom, depth)
            if found is None:
                return None
            score *= found.score
            if score < least:
                return None
            premises.append(found.tree)
            unified += found.unified
        return Scored(score, Tree(clause.sentence, tuple(premises)), tuple(unified))

    def _is_absent(self, atom: Atom) -> bool:
        """Searched to the full depth; a proof of the atom may not rest on its own absence.

        What was found while that was forbidden is forgotten: elsewhere it may be allowed.
        """
        if atom in self._absent:
            return self._absent[atom]
        if atom in self._open:
            self._open[atom] = True
            return False
        kept, self._best = self._best, {}
        self._open[atom] = False
        absent = self.proved(atom) is None
        was_met = self._open.pop(atom)
        others_met = any(self._open.values())
        if not others_met:
            self._absent[atom] = absent
        self._best = kept if was_met or others_met else kept | self._best
        return absent
