"""The verdict on a question: proved, refuted, denied by an exception, open, or doubtful and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from enum import StrEnum
from itertools import count, product
from typing import Any, NamedTuple

from ibr.choices import Assumption
from ibr.logic.checking.matching import Facts, join, match, rules_of
from ibr.logic.checking.wellfounded import least_model
from ibr.logic.clause import Clause, Literal, Program
from ibr.logic.english.book import Book
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.literals import atoms_of, clause_of, literal, noun_phrase
from ibr.logic.english.meaning.normal import modifier
from ibr.logic.english.meaning.reference.unnamed import unnamed
from ibr.logic.english.meaning.terms import Pred
from ibr.logic.english.say import phrase, say_clause
from ibr.logic.english.sentence import Asked
from ibr.logic.english.wording.look_alikes import Near, doubts, strange
from ibr.logic.english.wording.rewording import examples_of
from ibr.prediction import Verdict


class Doubt(StrEnum):
    """Why a verdict differs from what is simply proved."""

    NONE = ""
    UNREAD = "unread"  # a sentence that cannot be read may matter
    WORDING = "wording"  # two wordings may mean the same
    READINGS = "readings"  # a sentence can be read in several ways
    EXCEPTION = "exception"  # an exception applies
    CONTRADICTION = "contradiction"  # it would contradict what is proved
    CLASH = "clash"  # it rests on what is contradicted
    SEVERAL = "several"  # it asks of several, of which one settles it
    ABSENCE = "absence"  # "only" says nothing of those of whom nothing is known


class Judged(NamedTuple):
    """`sentences` are those that `why` speaks of; `choices` are sentences that would settle it."""

    verdict: Verdict
    doubt: Doubt = Doubt.NONE
    why: str = ""
    sentences: tuple[int, ...] = ()
    choices: tuple[str, ...] = ()


_ROUNDS = 4  # of bounds that do not only become narrower
_FLIPPED = {Verdict.YES: Verdict.NO, Verdict.NO: Verdict.YES}


class World:
    """What certainly holds (`lower`) and what may hold (`upper`) in one reading of a rulebook."""

    def __init__(self, book: Book, asked: Asked, world: Assumption) -> None:
        self.asked, self.question = asked, literal(asked.pred)
        self.said = book.closed(asked)
        self.clauses = [[clause_of(rule) for rule in rules] for rules in self.said]
        self.in_templates = all(s.template or s.remark for s in book.sentences)
        refuted = [rule for sentence in book.sentences for rule in sentence.refuted]
        groups, kinds = [*book.discourse.groups], book.discourse.described
        there = tuple(map(clause_of, unnamed(groups, kinds, self.said, refuted)))
        self.there = Program(clauses=(there,))
        self.unread = {i for i, sentence in enumerate(book.sentences) if sentence.reason}
        self.doubts = doubts(book.sentences, self.said, asked)
        program = Program(clauses=tuple(tuple(dict.fromkeys(c)) for c in self.clauses))
        extra = Program(clauses=(tuple(doubt.clause for doubt in self.doubts),))
        self.rules = _rules(program.in_world(world))
        self.strict = _rules(program.in_world(Assumption.OPEN))
        denied = ((r, (*r.absent, r.clause.head.negation)) for r in _rules(extra))
        self.near = [rule._replace(absent=absent) for rule, absent in denied]
        self.domain = program.entities | self.question.entities | extra.entities
        self.strange = list(strange(book.sentences, book.discourse.groups, self.said, asked))
        self.lower, self.upper = self._bounds(self.near)
        self.clashes = {lit for lit in self.lower if lit.positive and lit.negation in self.lower}

    def judged(self) -> Judged:
        why = self._refuted() if self.asked.supposed else ""
        if why:
            return Judged(Verdict.YES if self.asked.some else Verdict.NO, Doubt.SEVERAL, why)
        found = self._verdict()
        if (
            self.asked.some == "there"
            and found.verdict in _FLIPPED
            and (found.verdict is Verdict.NO) == self.asked.negative
        ):
            return Judged(Verdict.CANNOT_SAY, Doubt.WORDING, "all are, but is there one?")
        if self.asked.negative and found.verdict in _FLIPPED:
            return found._replace(verdict=_FLIPPED[found.verdict])
        return found

    def _bounds(self, near: list[Any]) -> tuple[frozenset[Literal], frozenset[Literal]]:
        """What is denied outright may not hold, whatever looks like it.

        Each round decides one more exception of an exception. What is contradicted may come and go.
        """
        lower: frozenset[Literal] = frozenset()
        for number in count(1):
            upper = least_model([*self.rules, *near], self.domain, lower)
            upper = frozenset(lit for lit in upper if lit in lower or lit.negation not in lower)
            again = least_model(self.rules, self.domain, upper)
            if again == lower:
                break
            grows, lower = again > lower, again
            if number >= _ROUNDS and not grows:
                break
        return lower, upper

    def _verdict(self) -> Judged:
        yes, no = self.question in self.lower, self.question.negation in self.lower
        if yes and no:
            return Judged(Verdict.CONTRADICTORY)
        if yes or no:
            goal = self.question if yes else self.question.negation
            if self.clashes and self._rests_on_contradiction(goal):
                why = f"it rests on what is contradicted: {phrase(min(self.clashes))}"
                return Judged(Verdict.CONTRADICTORY, Doubt.CLASH, why)
            return self._unless_unknown(yes)
        if self.question in self.upper or self.question.negation in self.upper:
            return self._doubtful()
        excepted = min(self._exceptions(self.question), key=lambda one: one[2], default=None)
        if excepted is not None:
            sentence, held, denies = excepted
            if denies:
                why = f"[{sentence + 1}] denies it unless {phrase(held)}: does it grant it then?"
                return Judged(Verdict.CANNOT_SAY, Doubt.WORDING, why, (sentence,))
            why = f"by the exception of [{sentence + 1}]: {phrase(held)}"
            return Judged(Verdict.NO, Doubt.EXCEPTION, why, (sentence,))
        for verdict, supposed in (Verdict.NO, self.question), (Verdict.YES, self.question.negation):
            parts = _parts(self.asked.pred) if supposed.positive else ()
            clash = self._contradiction(Clause(supposed), *(Clause(literal(p)) for p in parts))
            if clash is not None:
                one = "it" if supposed.positive else "the opposite"
                why = f"by contradiction: {one} would mean that {phrase(clash)}, which is denied"
                return Judged(verdict, Doubt.CONTRADICTION, why)
        if self.strange:
            why = f"the rulebook does not speak of {noun_phrase(self.strange[0])}"
            return Judged(Verdict.CANNOT_SAY, Doubt.WORDING, why)
        return Judged(Verdict.NOT_SHOWN)

    def _unless_unknown(self, yes: bool) -> Judged:
        """Only pilots enter: of one who may be a pilot or not, that says nothing.

        Who cannot swim: nobody can do all that is not denied. In RuleTaker's templates what is not
        shown is false, whatever is denied of others.
        """
        only, able, denied = set[Literal](), set[Literal](), set[Literal]()
        for rule in (rule for rules in self.said for rule in rules):
            only |= atoms_of(rule, (c for c in rule.body if c.only))
            plain = [c for c in rule.body if c.negative and not c.exception]
            able |= atoms_of(rule, (c for c in plain if c.pred.mode == "can"))
            denied |= atoms_of(rule, plain)
        open_ = only | able
        if not self.in_templates:
            open_ |= {atom for atom in denied if self._denied_of_some(atom)}
        unknown = {a for atom in open_ for a in self._instances(atom)}
        unknown = {a for a in unknown if a.negation not in self.lower}
        goal = self.question if yes else self.question.negation
        if not unknown or goal in self._without(unknown):
            return Judged(Verdict.YES if yes else Verdict.NO)
        atom = next((a for a in sorted(unknown) if goal not in self._without({a})), min(unknown))
        return Judged(Verdict.NOT_SHOWN, Doubt.ABSENCE, f"nothing says whether {phrase(atom)}")

    def _denied_of_some(self, atom: Literal) -> bool:
        """The rulebook says of somebody that it is not so: of others it may be."""
        facts = (c.head for some in self.clauses for c in some if c.is_fact)
        denied = [lit[1:3] for lit in facts if not lit.positive]
        verb = _verb(atom[1:3])  # owns no boat: and no car?
        return atom[1:3] in denied or (bool(verb) and verb in map(_verb, denied))

    def _instances(self, atom: Literal) -> Iterator[Literal]:
        names = sorted(atom.variables)
        for chosen in product(sorted(self.domain), repeat=len(names)):
            yield atom.bind(dict(zip(names, chosen, strict=True)))

    def _without(self, unknown: set[Literal]) -> frozenset[Literal]:
        """What is proved though some atoms may hold."""
        return least_model(self.rules, self.domain, self.upper | unknown)

    def _doubtful(self) -> Judged:
        blame = self._blame()
        wanted = blame.clause.head.atom
        if blame.sentence in self.unread:
            return Judged(Verdict.CANNOT_SAY, Doubt.UNREAD, blame.what, (blame.sentence,))
        stated = blame.stated and blame.stated.atom
        settles = blame.stated.positive if blame.stated else not wanted.variables
        both = (wanted, wanted.negation) if settles else ()
        say = _bridge if blame.general else say_clause
        choices = tuple(say(Clause(lit, (stated,) if stated else ())) for lit in both)
        return Judged(Verdict.CANNOT_SAY, Doubt.WORDING, blame.what, (blame.sentence,), choices)

    def _blame(self) -> Near:
        """The first doubt of a sentence whose doubts alone leave the question open."""
        asked = {self.question, self.question.negation}
        by_sentence: defaultdict[int, list[tuple[Near, Any]]] = defaultdict(list)
        for doubt, rule in zip(self.doubts, self.near, strict=True):
            by_sentence[doubt.sentence].append((doubt, rule))
        for pairs in by_sentence.values():
            near = [rule for _, rule in pairs]
            if asked & least_model([*self.rules, *near], self.domain, ()):  # no bound is higher
                lower, upper = self._bounds(near)
                if asked & upper and not asked & lower:
                    return pairs[0][0]
        return self.doubts[0]

    def _rests_on_contradiction(self, goal: Literal) -> bool:
        """Not proved if an atom that is contradicted can neither be used nor be denied."""
        used = ((r, c, lit) for r in self.rules for c in r.positives for lit in self.clashes)
        lost = [r for r, c, lit in used if match(c, lit, {}, self.domain) is not None]
        kept = [r for r in self.rules if r not in lost]
        again = least_model(kept, self.domain, self.upper | self.clashes)
        return goal not in again

    def _exceptions(self, question: Literal) -> Iterator[tuple[int, Literal, bool]]:
        """Sentences whose rules settle it but for an exception that holds, and that one."""
        facts = Facts()
        for lit in self.lower:
            facts.add(lit)
        for i, rules in enumerate(self.said):
            for rule, clause in zip(rules, self.clauses[i], strict=True):
                exceptions = atoms_of(rule, (c for c in rule.body if c.exception))
                goal = clause.head.atom
                start = match(goal, question, {}, self.domain) if exceptions else None
                if start is None:
                    continue
                positives = tuple(lit for lit in clause.body if lit.positive)
                absent = [lit.atom for lit in clause.body if not lit.positive]
                for binding in join(positives, facts, start, self.domain):
                    broken = [atom for atom in absent if atom.bind(binding) in self.upper]
                    held = all(atom.bind(binding) in self.lower for atom in broken)
                    if broken and held and {*broken} <= exceptions:
                        yield i, broken[0].bind(binding), rule.negative

    def _refuted(self) -> str:
        """Why not all are so of whom a question is asked; or why one is so, if it asks for one."""
        goal, *given = map(literal, examples_of(self.asked))
        claim = goal if self.asked.negative == bool(self.asked.some) else goal.negation
        clash = self._contradiction(Clause(claim, tuple(given)))
        if clash is not None:
            return f"the opposite would mean that {phrase(clash)}, which is denied"
        for one in sorted(self.domain) if claim.positive and not self.asked.some else ():
            known = all(lit.bind({"?some": one}) in self.lower for lit in given)
            lit = claim.bind({"?some": one})  # all members but Tom have voted, and he is one
            if known and lit not in self.upper and not all(d for *_, d in self._exceptions(lit)):
                return f"an exception applies to {one}"
        return ""

    def _contradiction(self, *supposed: Clause) -> Literal | None:
        """Supposing it proves something whose opposite is proved, without negation as failure."""
        rules, domain = [*self.strict, *_rules(self.there)], self.domain | self.there.entities
        before = least_model(rules, domain, frozenset())
        if any(lit.negation in before for lit in before):
            return None
        after = least_model([*rules, *_rules(Program(clauses=(supposed,)))], domain, frozenset())
        return min((lit for lit in after if lit.positive and lit.negation in after), default=None)


def _rules(program: Program) -> list[Any]:
    return [rule for some in rules_of(program) for rule in some]


def _bridge(clause: Clause) -> str:
    """If X is shut then X is closed."""
    who = clause.head.subject
    one, *rest = (
        lit._replace(subject="?x") if lit.subject == who else lit
        for lit in (clause.head, *clause.body)
    )
    return say_clause(Clause(one, tuple(rest)))


def _verb(said: tuple[str, str]) -> str:
    """owns, of: owns a car; but nothing of: has been cooled"""
    verb, *rest = " ".join(said).split()
    thing = rest[:1] in (["a"], ["an"])
    shared = {"is", *LISTS["modals"], *(() if thing else ("has",))}
    return verb if rest and verb not in shared else ""


def _parts(pred: Pred) -> Iterator[Pred]:
    """A permanent employee is permanent and an employee, a shop in the arcade is in it."""
    if pred.form == "noun" and (pred.mods or pred.tails):
        places = [tail for tail in pred.tails if tail[0] != "of"]
        yield pred._replace(mods=(), tails=tuple(t for t in pred.tails if t not in places))
        yield from (modifier(mod, pred.subj) for mod in pred.mods)
        yield from (Pred("prep", prep, pred.subj, term) for prep, term in places)
