"""The verdict on a question: proved, refuted, denied by an exception, open, or doubtful and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import islice, product
from typing import Any, NamedTuple

from ibr.logic.checking.matching import Facts, join, match, rules_of
from ibr.logic.checking.wellfounded import least_model
from ibr.logic.clause import Clause, Literal, Program
from ibr.logic.english.book import Book
from ibr.logic.english.meaning.literals import literal
from ibr.logic.english.meaning.terms import Pred, Rule
from ibr.logic.english.say import phrase, say_clause
from ibr.logic.english.sentence import Asked, clause_of, constant_of
from ibr.logic.english.wording.look_alikes import Near, looks, namesakes, untold
from ibr.prediction import Verdict

COMBINATIONS = 16  # of readings of several sentences


class Doubt(StrEnum):
    """Why a verdict differs from what is simply proved."""

    NONE = ""
    UNREAD = "unread"  # a sentence that cannot be read may matter
    WORDING = "wording"  # two wordings may mean the same
    READINGS = "readings"  # a sentence can be read in several ways
    EXCEPTION = "exception"  # an exception applies
    CONTRADICTION = "contradiction"  # it would contradict what is proved
    CLASH = "clash"  # it rests on what is contradicted


class Judged(NamedTuple):
    """`sentences` are those that `why` speaks of; `choices` are sentences that would settle it."""

    verdict: Verdict
    doubt: Doubt = Doubt.NONE
    why: str = ""
    sentences: tuple[int, ...] = ()
    choices: tuple[str, ...] = ()


def judge(book: Book, asked: Asked) -> Judged:
    """Under every reading of the sentences that have several."""
    open_ = [i for i, s in enumerate(book.sentences) if s.others]
    kept = {i: book.sentences[i].rules for i in open_}
    choices = [[book.sentences[i].rules, *book.sentences[i].others] for i in open_]
    found: list[Judged] = []
    try:
        for combination in islice(product(*choices), COMBINATIONS + 1):
            for i, rules in zip(open_, combination, strict=True):
                book.sentences[i].rules = rules
            found.append(_judge(book, asked))
    finally:
        for i, rules in kept.items():
            book.sentences[i].rules = rules
    if len(found) > COMBINATIONS or len({one.verdict for one in found}) > 1:
        return Judged(
            Verdict.CANNOT_SAY,
            Doubt.READINGS,
            f"it depends on how [{open_[0] + 1}] is read",
            tuple(open_),
            tuple(_wording(rules) for rules in choices[0]),
        )
    return found[0]


def _wording(rules: list[Rule]) -> str:
    return " ".join(say_clause(clause_of(rule)) for rule in rules)


def _judge(book: Book, asked: Asked) -> Judged:
    rules = book.closed(asked)
    clauses = [[clause_of(r) for r in said] for said in rules]
    question = literal(asked.pred)
    program = Program(clauses=tuple(tuple(dict.fromkeys(c)) for c in clauses))
    doubts = [
        *looks(book, rules, asked),
        *untold(book, rules, asked),
        *namesakes(book, clauses, question),
    ]
    doubts = list({(d.sentence, d.clause): d for d in doubts}.values())
    world = _World(program, doubts, question)
    verdict = world.verdict(rules, clauses, book, asked)
    if asked.negative and verdict.verdict in _FLIPPED:
        return verdict._replace(verdict=_FLIPPED[verdict.verdict])
    return verdict


_FLIPPED = {Verdict.YES: Verdict.NO, Verdict.NO: Verdict.YES}


class _World:
    def __init__(self, program: Program, doubts: Sequence[Near], question: Literal) -> None:
        self.program, self.doubts, self.question = program, doubts, question
        self.rules = [r for some in rules_of(program) for r in some]
        extra = Program(clauses=(tuple(d.clause for d in doubts),))
        self.near = [r for some in rules_of(extra) for r in some]
        self.domain = program.entities | question.entities | extra.entities
        self.lower, self.upper = self._bounds(self.near)

    def _bounds(self, near: list[Any]) -> tuple[frozenset[Literal], frozenset[Literal]]:
        """What certainly holds, and what may hold; what is denied outright may not."""
        lower: frozenset[Literal] = frozenset()
        for _ in range(4):
            upper = least_model([*self.rules, *near], self.domain, lower)
            upper = frozenset(lit for lit in upper if lit in lower or lit.negation not in lower)
            again = least_model(self.rules, self.domain, upper)
            if again == lower:
                break
            lower = again
        return lower, upper

    def verdict(
        self, rules: list[list[Rule]], clauses: list[list[Clause]], book: Book, asked: Asked
    ) -> Judged:
        yes, no = self.question in self.lower, self.question.negation in self.lower
        if yes and no:
            return Judged(Verdict.CONTRADICTORY)
        if yes or no:
            clash = self._rests_on_contradiction(self.question if yes else self.question.negation)
            if clash is not None:
                why = f"it rests on what is contradicted: {phrase(clash)}"
                return Judged(Verdict.CONTRADICTORY, Doubt.CLASH, why)
            return Judged(Verdict.YES if yes else Verdict.NO)
        if self.question in self.upper or self.question.negation in self.upper:
            return self._doubtful()
        excepted = self._exception(rules, clauses)
        if excepted is not None:
            sentence, held = excepted
            why = f"by the exception of [{sentence + 1}]: {phrase(held)}"
            return Judged(Verdict.NO, Doubt.EXCEPTION, why, (sentence,))
        clash = self._contradiction(asked)
        if clash is not None:
            why = (
                f"by contradiction: it would mean that {phrase(clash)}, and the opposite is proved"
            )
            return Judged(Verdict.NO, Doubt.CONTRADICTION, why)
        return Judged(Verdict.NOT_SHOWN)

    def _doubtful(self) -> Judged:
        blame = self._blame()
        if blame is None:
            return Judged(Verdict.CANNOT_SAY, Doubt.WORDING, "something stands in the way")
        if blame.stated is None:
            return Judged(Verdict.CANNOT_SAY, Doubt.UNREAD, blame.what, (blame.sentence,))
        means = say_clause(Clause(blame.clause.head.atom, (blame.stated.atom,)))
        differs = say_clause(Clause(blame.clause.head.atom.negation, (blame.stated.atom,)))
        choices = (means, differs) if blame.stated.positive else ()
        return Judged(Verdict.CANNOT_SAY, Doubt.WORDING, blame.what, (blame.sentence,), choices)

    def _rests_on_contradiction(self, goal: Literal) -> Literal | None:
        clashes = {lit for lit in self.lower if lit.positive and lit.negation in self.lower}
        if not clashes:
            return None
        # an atom that is contradicted can neither be used nor be denied
        kept = [r for r in self.rules if not any(self._meets(c, clashes) for c in r.positives)]
        again = least_model(kept, self.domain, self.upper | clashes)
        return None if goal in again else min(clashes)

    def _meets(self, condition: Literal, clashes: set[Literal]) -> bool:
        return any(match(condition, lit, {}, self.domain) is not None for lit in clashes)

    def _blame(self) -> Near | None:
        for sentence in dict.fromkeys(d.sentence for d in self.doubts):
            some = [
                r for d, r in zip(self.doubts, self.near, strict=True) if d.sentence == sentence
            ]
            lower, upper = self._bounds(some)
            seen = {self.question, self.question.negation}
            if seen & upper and not seen & lower:
                return next(d for d in self.doubts if d.sentence == sentence)
        return self.doubts[0] if self.doubts else None

    def _exception(
        self, rules: list[list[Rule]], clauses: list[list[Clause]]
    ) -> tuple[int, Literal] | None:
        """The sentence whose rule would prove it but for an exception that holds, and that."""
        facts = Facts()
        for lit in self.lower:
            facts.add(lit)
        for i, said in enumerate(rules):
            for rule, clause in zip(said, clauses[i], strict=True):
                if rule.negative or not any(c.exception for c in rule.body):
                    continue
                held = self._applies(rule, clause, facts)
                if held is not None:
                    return i, held
        return None

    def _applies(self, rule: Rule, clause: Clause, facts: Facts) -> Literal | None:
        start = match(clause.head, self.question, {}, self.domain)
        if start is None:
            return None
        signs = {lit.atom: c for lit, c in zip(_literals(rule), rule.body, strict=True)}
        positives = tuple(lit for lit in clause.body if lit.positive)
        for binding in join(positives, facts, start, self.domain):
            broken = [
                lit
                for lit in clause.body
                if not lit.positive and lit.atom.bind(binding) in self.upper
            ]
            held = [lit for lit in broken if lit.atom.bind(binding) in self.lower]
            if held and len(held) == len(broken) and all(signs[lit.atom].exception for lit in held):
                return held[0].atom.bind(binding)
        return None

    def _contradiction(self, asked: Asked) -> Literal | None:
        """Supposing it proves something whose opposite is proved, without negation as failure."""
        strict = [r for r in self.rules if not r.absent]
        before = least_model(strict, self.domain, frozenset())
        if any(lit.negation in before for lit in before):
            return None
        facts = [Clause(self.question)]
        facts += [Clause(literal(p)) for p in _parts(asked.pred)]
        extra = [r for some in rules_of(Program(clauses=(tuple(facts),))) for r in some]
        after = least_model([*strict, *extra], self.domain, frozenset())
        return min((lit for lit in after if lit.positive and lit.negation in after), default=None)


def _parts(pred: Pred) -> Iterator[Pred]:
    """A permanent employee is permanent and an employee."""
    from ibr.logic.english.wording.meeting import modifier

    if pred.form == "noun" and pred.mods:
        yield pred._replace(mods=())
        for mod in pred.mods:
            yield modifier(mod, pred.subj)


def _literals(rule: Rule) -> list[Literal]:
    from ibr.logic.english.meaning.terms import bound

    binding = dict(rule.binding)
    names = {k: constant_of(bound(t, binding)) for k, t in binding.items()}
    return [literal(c.pred).bind(names) for c in rule.body]
