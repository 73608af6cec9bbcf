"""What would follow if wordings that look alike meant the same, or if unread sentences mattered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ibr.logic.clause import Clause, Literal, Sign
from ibr.logic.english.book import Book
from ibr.logic.english.meaning.discourse import Refusal
from ibr.logic.english.meaning.literals import literal
from ibr.logic.english.meaning.terms import Pred, Rule, Var
from ibr.logic.english.say import phrase
from ibr.logic.english.sentence import Asked, clause_of
from ibr.logic.english.wording.content import keys_of
from ibr.logic.english.wording.families import alike_names, family
from ibr.logic.english.wording.meeting import apart, entails
from ibr.logic.english.wording.nearness import near


class Near(NamedTuple):
    """A clause that holds only if two wordings mean the same."""

    sentence: int
    clause: Clause
    what: str
    stated: Literal | None = None


def _demands(rules: list[list[Rule]], asked: Asked) -> Iterator[tuple[Pred, bool]]:
    yield asked.pred, False
    for said in rules:
        for rule in said:
            if rule.binding:
                continue
            for condition in rule.body:
                yield apart(condition.pred, "w"), condition.negative


def looks(book: Book, rules: list[list[Rule]], asked: Asked) -> Iterator[Near]:
    asked_for = list(dict.fromkeys(_demands(rules, asked)))
    absent = {_plain(pred) for pred, denied in asked_for if denied}
    wanted = [(pred, denied or _plain(pred) in absent) for pred, denied in asked_for]
    wanted = list(dict.fromkeys(wanted))
    for i, said in enumerate(rules):
        for rule in said:
            if rule.binding:
                continue
            for want, denied in wanted:
                for met in near(rule.head, rule.negative, want, denied):
                    made = Rule(want, False, rule.body, tuple(met.binding.items()))
                    yield from _doubted(book, i, made, rule)
    for i, sentence in enumerate(book.sentences):
        for pred in sentence.open:
            for want, denied in wanted:
                if denied and entails(pred, want) is not None:
                    yield from _doubted(book, i, Rule(want, False))


def _plain(pred: Pred) -> Pred:
    return pred.mapped(lambda t: None if isinstance(t, Var) else t)


def _doubted(book: Book, i: int, rule: Rule, said: Rule | None = None) -> Iterator[Near]:
    try:
        clause = clause_of(rule)
        stated = clause_of(said).head if said else None
    except Refusal:
        return
    if clause.head.atom in [c.atom for c in clause.body]:
        return
    why = f"it may or may not mean that {phrase(clause.head)}"
    yield Near(i, clause, why, stated)
    yield Near(i, Clause(clause.head.negation, clause.body), why, stated)


def namesakes(book: Book, clauses: list[list[Clause]], question: Literal) -> Iterator[Near]:
    """What is said of one who may be another: Dr Weber, Ann Weber."""
    everyone = {t for said in clauses for c in said for t in c.entities} | question.entities
    names = sorted(n for n in everyone if not n.startswith(("a ", "an ")))
    pairs = [(a, b) for a in names for b in names if alike_names(a, b)]
    if not pairs:
        return
    for i, said in enumerate(clauses):
        for clause in said:
            for a, b in pairs:
                if a in clause.entities:
                    made = Clause(
                        _swapped(clause.head, a, b), tuple(_swapped(c, a, b) for c in clause.body)
                    )
                    yield Near(i, made, f"{a} may be {b}", Literal(a, "is", b))


def _swapped(lit: Literal, old: str, new: str) -> Literal:
    subject = new if lit.subject == old else lit.subject
    return lit._replace(
        subject=subject, object=new if lit.object == old and lit.relation != "is" else lit.object
    )


def _mentions(said: list[str], key: str) -> bool:
    return all(any(family(word, part) for word in said if word) for part in key.split())


def untold(book: Book, rules: list[list[Rule]], asked: Asked) -> Iterator[Near]:
    """What sentences without a reading may say."""
    unread = [(i, s) for i, s in enumerate(book.sentences) if s.reason]
    if not unread:
        return
    wanted = list(dict.fromkeys(pred for pred, _ in _demands(rules, asked)))
    for i, sentence in unread:
        said = list(sentence.text.replace("’", "'").replace("'s", "").split())
        said = [w.strip(".,;:!?()\"'*").lower() for w in said]
        {
            w
            for w in sentence.text.replace("'s", "").replace(",", "").replace(".", "").split()
            if w in book.names
        }
        for want in wanted:
            if not any(_mentions(said, key) for key in keys_of(want, whole=True)):
                continue
            for sign in (Sign.POSITIVE, Sign.NEGATIVE):
                try:
                    clause = Clause(literal(want, sign))
                except Refusal:
                    continue
                yield Near(i, clause, "it cannot be read, and it may matter")
