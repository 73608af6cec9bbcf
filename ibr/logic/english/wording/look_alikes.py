"""What would follow if wordings that look alike meant the same, or if unread sentences mattered."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from ibr.logic.clause import Clause, Literal
from ibr.logic.english.lexis.closed import CLOSED
from ibr.logic.english.meaning.literals import Refusal, clause_of, constant
from ibr.logic.english.meaning.normal import described
from ibr.logic.english.meaning.terms import (
    Ind,
    Kind,
    Pred,
    Rule,
    Var,
    apart,
    changed,
    individuals,
)  # fmt: skip
from ibr.logic.english.say import phrase
from ibr.logic.english.sentence import Asked, Sentence
from ibr.logic.english.wording.families import family
from ibr.logic.english.wording.identity import may_be
from ibr.logic.english.wording.meeting import entails, keys_of
from ibr.logic.english.wording.nearness import Covered, near, words_of

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
    found += _kinds(said, asked)
    found += _covered(sentences, said, asked)
    return list({(doubt.sentence, doubt.clause): doubt for doubt in found}.values())


def _demands(said: Said, asked: Asked) -> list[tuple[Pred, bool]]:
    """What is asked for, and whether its absence is."""
    found = [(asked.pred, False)]
    for rule in (rule for rules in said for rule in rules if not rule.binding):
        found += [(apart(c.pred, "w"), c.negative) for c in rule.body]
    return list(dict.fromkeys(found))


def _looks(sentences: list[Sentence], said: Said, asked: Asked) -> Iterator[Near]:
    wanted, pairs = _demands(said, asked), _namesakes(said, asked)
    for i, sentence in enumerate(sentences):
        renamed = [*_renamed(sentence.rules, pairs)] if pairs else []
        for rule in (*sentence.rules, *(rule for rule, _ in renamed)):
            for want, denied in wanted:
                for met in near(rule, want, denied):
                    body, binding = (*rule.body, *met.extra), tuple(met.binding.items())
                    found = _doubted(i, Rule(want, False, body, binding), rule)
                    only_denies = rule.negative and _no_more(rule.head, want)
                    yield from (d for d in found if not only_denies or not d.clause.head.positive)
        for pred in sentence.open:
            for want, denied in wanted:
                if denied and entails(pred, want) is not None:
                    yield from _doubted(i, Rule(want))
        for rule, same in _renamed(said[i], pairs):
            yield Near(i, clause_of(rule), f"{same.subject} may be {same.object}", same)


def _no_more(stated: Pred, wanted: Pred) -> bool:
    """Has not stung anybody: does not sting, perhaps. But who is not seriously hurt may be hurt."""
    more = isinstance(stated.obj, Kind) and (stated.obj.mods or stated.obj.tails)
    plain = not (stated.advs or stated.mods or stated.tails or more)
    then = wanted.tense and not stated.tense  # no longer banned: was banned
    same = (stated.form, stated.lemma, stated.passive) == (
        wanted.form,
        wanted.lemma,
        wanted.passive,
    )
    return plain and same and not then


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


def _namesakes(said: Said, asked: Asked) -> list[tuple[Any, Any]]:
    """Pairs of whom the first may be the second: Dr Weber, Ann Weber; the account, Bea's account"""
    facts = [r.head for rules in said for r in rules if not r.body and not r.negative]
    rules = (*(rule for rules in said for rule in rules), Rule(asked.pred))
    everyone = dict.fromkeys(term for rule in rules for term in individuals(rule))
    return [(one, other) for one in everyone for other in everyone if may_be(one, other, facts)]


def _renamed(rules: list[Rule], pairs: list[tuple[Any, Any]]) -> Iterator[tuple[Rule, Literal]]:
    """What is stated of one who may be another, stated of the other."""
    for rule in rules:
        spoken_of = {*individuals(rule)}
        for one, other in pairs if spoken_of else ():
            if one in spoken_of:
                yield (
                    _swapped(rule, one, other),
                    Literal(constant(one), "is", constant(other)),
                )


def _swapped(rule: Rule, old: Any, new: Any) -> Rule:
    def swap(pred: Pred) -> Pred:
        found: Pred = changed(pred, lambda term: new if term == old else term)
        return found

    body = tuple(c._replace(pred=swap(c.pred)) for c in rule.body)
    return rule._replace(head=swap(rule.head), body=body)


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


def strange(
    sentences: list[Sentence], groups: Collection[Any], said: Said, asked: Asked
) -> Iterator[Any]:
    """Descriptions of the question that the rulebook has only in other words."""
    known = {*groups, *(t for rules in said for rule in rules for t in individuals(rule))}
    texts = {*words_of(*(sentence.text for sentence in sentences))}
    for term in individuals(asked.pred):
        if term not in known and isinstance(term, Ind):
            own = {word for word in words_of(term.key) if word not in CLOSED}
            if len(own) > 1 and "that" not in term.key.split() and own <= texts:
                yield term
