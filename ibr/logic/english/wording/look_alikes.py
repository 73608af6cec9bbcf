"""What would follow if wordings that look alike meant the same, or if unread sentences mattered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ibr.logic.clause import Clause, Literal
from ibr.logic.english.meaning.literals import Refusal, clause_of
from ibr.logic.english.meaning.normal import described
from ibr.logic.english.meaning.terms import Kind, Pred, Rule, Var, apart, changed, individuals
from ibr.logic.english.say import phrase
from ibr.logic.english.sentence import Asked, Sentence
from ibr.logic.english.wording.coverage import Covered
from ibr.logic.english.wording.families import alike_names, family
from ibr.logic.english.wording.meeting import entails
from ibr.logic.english.wording.nearness import keys_of, near

Said = list[list[Rule]]


class Near(NamedTuple):
    """A clause that holds only if two wordings mean the same."""

    sentence: int
    clause: Clause
    what: str
    stated: Literal | None = None


def doubts(sentences: list[Sentence], said: Said, asked: Asked) -> list[Near]:
    """All that stands between what is proved and what may be meant."""
    found = [*_looks(sentences, said, asked), *_unread(sentences, said, asked)]
    found += _namesakes(said, asked)
    found += _kinds(said, asked)
    found += _covered(sentences, said, asked)
    return list({(doubt.sentence, doubt.clause): doubt for doubt in found}.values())


def _demands(said: Said, asked: Asked) -> list[tuple[Pred, bool]]:
    """What is asked for, and whether its absence is."""
    found = [(asked.pred, False)]
    for rule in (rule for rules in said for rule in rules if not rule.binding):
        found += [(apart(c.pred, "w"), c.negative) for c in rule.body]
    absent = {_plain(pred) for pred, denied in found if denied}
    return list(dict.fromkeys((p, denied or _plain(p) in absent) for p, denied in found))


def _plain(pred: Pred) -> Pred:
    plain: Pred = changed(pred, lambda term: None if isinstance(term, Var) else term)
    return plain


def _looks(sentences: list[Sentence], said: Said, asked: Asked) -> Iterator[Near]:
    wanted = _demands(said, asked)
    for i, sentence in enumerate(sentences):
        for rule in sentence.rules:
            for want, denied in wanted:
                for met in near(rule.head, rule.negative, want, denied):
                    body, binding = (*rule.body, *met.extra), tuple(met.binding.items())
                    yield from _doubted(i, Rule(want, False, body, binding), rule)
        for pred in sentence.open:
            for want, denied in wanted:
                if denied and entails(pred, want) is not None:
                    yield from _doubted(i, Rule(want))


def _kinds(said: Said, asked: Asked) -> Iterator[Near]:
    """Does a guard stand at the door? If every guard does, one that there may be does."""
    kinds = dict.fromkeys(term for term in asked.pred.terms if isinstance(term, Kind))
    given = [pred for kind in kinds for pred in described(kind, kind)]
    for i, rules in enumerate(said if given else ()):
        for condition in (c for rule in rules for c in rule.body if not c.negative):
            for pred in given:
                met = entails(pred, condition.pred)
                if met is not None:
                    made = Rule(condition.pred, binding=tuple(met.binding.items()))
                    yield from _doubted(i, made)


def _doubted(i: int, rule: Rule, stated: Rule | None = None) -> Iterator[Near]:
    try:
        clause = clause_of(rule)
        head = clause_of(stated).head if stated else None
    except Refusal:
        return
    if clause.head.atom not in [c.atom for c in clause.body]:
        what = f"it may or may not mean that {phrase(clause.head)}"
        yield Near(i, clause, what, head)
        yield Near(i, Clause(clause.head.negation, clause.body), what, head)


def _namesakes(said: Said, asked: Asked) -> Iterator[Near]:
    """What is stated of one who may be another: Dr Weber, Ann Weber."""
    clauses = [[clause_of(rule) for rule in rules] for rules in said]
    question = clause_of(Rule(asked.pred)).head
    everyone = {t for some in clauses for c in some for t in c.entities} | question.entities
    names = sorted(n for n in everyone if not n.startswith(("a ", "an ")))
    pairs = [(a, b) for a in names for b in names if alike_names(a, b)]
    for i, some in enumerate(clauses):
        for clause in some:
            for a, b in pairs:
                if a in clause.entities:
                    body = tuple(_swapped(c, a, b) for c in clause.body)
                    made = Clause(_swapped(clause.head, a, b), body)
                    yield Near(i, made, f"{a} may be {b}", Literal(a, "is", b))


def _swapped(lit: Literal, old: str, new: str) -> Literal:
    subject = new if lit.subject == old else lit.subject
    thing = new if lit.object == old and lit.relation != "is" else lit.object
    return lit._replace(subject=subject, object=thing)


def _unread(sentences: list[Sentence], said: Said, asked: Asked) -> Iterator[Near]:
    """What sentences without a reading may say."""
    unread = [(i, s) for i, s in enumerate(sentences) if s.reason]
    wanted = dict.fromkeys(pred for pred, _ in _demands(said, asked)) if unread else {}
    for i, sentence in unread:
        words = sentence.text.replace("’", "'").replace("'s", "").lower().split()
        words = [word.strip(".,;:!?()\"'*") for word in words]
        for want in wanted:
            if any(_mentions(words, key) for key in keys_of(want, whole=True)):
                for doubt in _doubted(i, Rule(want)):
                    yield doubt._replace(what="it cannot be read, and it may matter")


def _covered(sentences: list[Sentence], said: Said, asked: Asked) -> Iterator[Near]:
    """What sentences that were read may say beyond their reading."""
    wanted = dict.fromkeys(pred for pred, _ in _demands(said, asked))
    rules = (rule for rules in said for rule in rules)
    everyone = list(dict.fromkeys(t for one in (*rules, asked.pred) for t in individuals(one)))
    for i, sentence in enumerate(sentences):
        if sentence.remark or sentence.reason or sentence.template:  # read word for word
            continue
        covered = Covered(sentence, said[i])
        for want in wanted:
            for binding in covered.bindings(want, everyone):
                yield from _doubted(i, Rule(want, False, (), tuple(binding.items())))


def _mentions(said: list[str], key: str) -> bool:
    return all(any(family(word, part) for word in said if word) for part in key.split())
