"""What would follow if wordings that look alike meant the same, or if unread sentences mattered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import chain, permutations, product
from typing import Any, NamedTuple

from ibr.logic.clause import Clause, Literal
from ibr.logic.english.grammar.sentences import WIDE
from ibr.logic.english.lexis.forms import family, noun_of
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.literals import Refusal, clause_of, constant
from ibr.logic.english.meaning.normal import described
from ibr.logic.english.meaning.terms import (
    Ind,
    Kind,
    Owned,
    Pred,
    Rule,
    Var,
    apart,
    changed,
    individuals,
    variables,
)
from ibr.logic.english.say import phrase
from ibr.logic.english.sentence import Asked, Sentence
from ibr.logic.english.wording.coverage import Covered, no_more, term_words, words_in, words_of
from ibr.logic.english.wording.identity import may_be_one
from ibr.logic.english.wording.kindred import Kin, Kindred
from ibr.logic.english.wording.loosely import facts_of, loosely
from ibr.logic.english.wording.meeting import Match, entails, keys_of, noun_in
from ibr.logic.english.wording.nearness import near, only_of

Said = list[list[Rule]]
Demand = tuple[Pred, bool]
Beside = Callable[[], Iterator[str]]  # words of the other sentences


class Near(NamedTuple):
    """A clause that holds only if two wordings mean the same."""

    sentence: int
    clause: Clause
    what: str
    stated: Literal | None = None
    general: bool = False  # two words: a sentence about all settles it


def doubts(sentences: list[Sentence], said: Said, asked: Asked) -> list[Near]:
    """All that stands between what is proved and what may be meant."""
    rules = [rule for some in said for rule in some]
    demands = {(asked.pred, False): None}  # what is asked for, and whether its absence is
    for rule in (rule for rule in rules if not rule.binding):
        demands |= dict.fromkeys((apart(c.pred, "w"), c.negative) for c in rule.body)
    wanted = {pred: words_in(pred) for pred, _ in demands}
    spoken_of = (*rules, *(value for rule in rules for _, value in rule.binding), asked.pred)
    everyone = list(dict.fromkeys(t for one in spoken_of for t in individuals(one)))
    known = [(term, term_words(term)) for term in everyone]
    facts = [rule.head for rule in rules if not rule.body and not rule.negative]
    pairs = may_be_one(everyone, facts)
    found: list[Near] = []
    denials = (r.head for r in rules if r.negative and not r.body and not any(variables(r.head)))
    sorts = {pred[:2] for pred in denials}  # of others denied: who is left?
    texts = " ".join(sentence.text.lower() for sentence in sentences).split()
    own = [{*words_of(sentence.text.lower())} for sentence in sentences]
    count = Counter(word for words in own for word in words)
    beside = [partial(_beside, count, words) for words in own]
    one_by_one = bool({"only", "else", "alone", "exactly"} & {*texts})
    near_to = [(want, no or one_by_one or want[:2] in sorts) for want, no in demands]
    by_who = _by_who(near_to)
    for i, sentence in enumerate(sentences):
        found += _looks(i, sentence, near_to, by_who, pairs, beside[i])
        renamed = _renamed(said[i], pairs)
        found += (Near(i, clause_of(r), f"{s.subject} may be {s.object}", s) for r, s in renamed)
        found += _possessive(i, sentence.rules, [*wanted])
        found += _excepted(i, said[i], known)
    for i, sentence in enumerate(sentences):
        pointing = own[i] & {"this", "that"} and own[i] & LISTS["rulings"]
        found += _unread(i, sentence, own[i] | own[i - 1] if pointing else own[i], [*wanted])
    found += _kinds(said, asked)
    kindred = Kindred(near_to, rules)
    for i, sentence in enumerate(sentences):
        more = [rule for rule, _ in _renamed(sentence.rules, pairs)]
        for rule in (*sentence.rules, *more, *_classed(sentence.rules)):
            found += (new for kin in kindred.of(rule) for new in _said_otherwise(i, kin, rule))
    stated = facts_of([rule for sentence in sentences for rule in sentence.rules])
    for i, sentence in enumerate(sentences):
        for rule, want in product(sentence.rules, wanted):
            for binding, body in loosely(rule, want, stated):
                bound = ((k, v) for k, v in binding.items() if not isinstance(v, Kind))
                found += _doubted(i, Rule(want, False, body, tuple(bound)))
    for i, sentence in enumerate(sentences):
        if not (sentence.remark or sentence.reason or sentence.template):  # read word for word
            covered = Covered.of(sentence, said[i], known)
            for want, keys in wanted.items():
                special = any(_is_special(rule, want, beside[i]) for rule in said[i])
                for binding in covered.bindings(want, keys) if not special else ():
                    found += _doubted(i, Rule(want, False, (), tuple(binding.items())))
    return list({(doubt.sentence, doubt.clause): doubt for doubt in found}.values())


def _looks(
    i: int,
    sentence: Sentence,
    demands: list[Demand],
    by_who: dict[Any, list[int]],
    pairs: Sequence[tuple[Any, Any]],
    beside: Beside,
) -> Iterator[Near]:
    """What one sentence says that is near to what is asked for."""
    for rule in (*sentence.rules, *(rule for rule, _ in _renamed(sentence.rules, pairs))):
        for want, denied in _of_those(only_of(rule.head), demands, by_who):
            special = not denied and _is_special(rule, want, beside)
            for met in near(rule, want, denied) if not special else ():
                body, binding = (*rule.body, *met.extra), tuple(met.binding.items())
                found = _doubted(i, Rule(want, False, body, binding), rule)
                only_denies = rule.negative and no_more(rule.head, want)
                yield from (d for d in found if not only_denies or not d.clause.head.positive)
    for want, denied in demands if sentence.open else ():
        one = isinstance(want.who, Kind) and want.who.noun in sentence.text  # is at least one not?
        if one or (denied and any(entails(pred, want) is not None for pred in sentence.open)):
            yield from _doubted(i, Rule(want))


def _by_who(demands: list[Demand]) -> dict[Any, list[int]]:
    """Places of the demands by the individual of whom each is; of all others under None."""
    found: dict[Any, list[int]] = {None: []}
    for place, (want, _) in enumerate(demands):
        found.setdefault(want.who if isinstance(want.who, Ind) else None, []).append(place)
    return found


def _of_those(
    some: set[Ind] | None, demands: list[Demand], by_who: dict[Any, list[int]]
) -> list[Demand]:
    """In their order; all of them without `some`."""
    if some is None:
        return demands
    places = sorted(chain(by_who[None], *(by_who.get(term, ()) for term in some)))
    return [demands[place] for place in places]


def _beside(count: Counter[str], own: set[str]) -> Iterator[str]:
    """The words of the other sentences: looked for only where they may matter."""
    return (word for word, number in count.items() if number > (word in own))


def _is_special(rule: Rule, want: Pred, beside: Beside) -> bool:
    """No one may enter in sandals, and of sandals nothing else is stated."""
    kept = tuple(tail for tail in rule.head.tails if tail in want.tails)
    words = {w for tail in rule.head.tails if tail not in kept for w in term_words(tail[1])}
    if not (rule.negative and words) or entails(want, rule.head._replace(tails=kept)) is None:
        return False
    return not any(family(w, b) for w in words for b in beside())


def _possessive(i: int, rules: list[Rule], wanted: list[Pred]) -> Iterator[Near]:
    """Tessa's photo: that she owns, that she took, or that shows her. Her name: how is it spelt?"""
    names = dict.fromkeys(t for r in rules for t in individuals(r) if isinstance(t, Ind))
    for want in (w for w in wanted if isinstance(w.subj, Owned) and w.subj.kind.noun == "name"):
        for one in (t for t in names if t.is_name and isinstance(want.subj.owner, Var)):
            yield from _doubted(i, Rule(want, False, (), ((want.subj.owner.name, one),)))
    owned = dict.fromkeys(t for rule in rules for t in individuals(rule) if isinstance(t, Owned))
    senses = [w for w in wanted if w.lemma in LISTS["possessive-senses"] and not w.mode]
    senses = [w for w in senses if w.tense or w.lemma != "have"]  # which the description says
    for want, term in product(senses, owned):
        for one, other in permutations(filter(None, want.terms), 2):
            match = Match()
            if noun_in(other) == term.kind.noun and match.term(term.owner, one):
                yield from _doubted(i, Rule(want, False, (), tuple(match.binding.items())))


def _excepted(i: int, rules: list[Rule], known: list[tuple[Any, set[str]]]) -> Iterator[Near]:
    """All windows but the kitchen window: is that the kitchen window of the cottage?"""
    preds = {c.pred for rule in rules for c in rule.body if c.negative and c.pred.form == "role"}
    for pred, (term, words) in product(preds, known):
        if {*words_of(pred.lemma)} - LISTS["closed"] < words:
            yield from _doubted(i, Rule(pred._replace(subj=term)))


def _kinds(said: Said, asked: Asked) -> Iterator[Near]:
    """Does a guard stand at the door? If every guard does, one that there may be does."""
    kinds = dict.fromkeys(term for term in asked.pred.terms if isinstance(term, Kind))
    given = [pred for kind in kinds for pred in described(kind, kind)]
    for i, rules in enumerate(said if given else ()):
        for condition in (c for rule in rules for c in rule.body if not c.negative):
            for met in filter(None, (entails(pred, condition.pred) for pred in given)):
                yield from _doubted(i, Rule(condition.pred, binding=tuple(met.binding.items())))


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


def _said_otherwise(i: int, kin: Kin, stated: Rule) -> Iterator[Near]:
    what = f'"{kin.said}" may or may not mean "{kin.meant}"'
    for doubt in _doubted(i, kin.rule, stated):
        if doubt.clause.head.positive != kin.rule.negative:
            yield doubt._replace(what=what, general=True)


def _classed(rules: list[Rule]) -> Iterator[Rule]:
    """What descriptions say: the lentil stew is a stew."""
    for one in dict.fromkeys(term for rule in rules for term in individuals(rule)):
        if isinstance(one, Ind) and not one.is_name:
            yield Rule(Pred("noun", noun_of(one.key), one))


def _renamed(rules: list[Rule], pairs: Sequence[tuple[Any, Any]]) -> Iterator[tuple[Rule, Literal]]:
    """What is stated of one who may be another, stated of the other: Dr Weber, Ann Weber."""
    for rule in rules if pairs else ():
        spoken_of = {*individuals(rule), *(value for _, value in rule.binding)}
        for one, other in (pair for pair in pairs if pair[0] in spoken_of):
            same = Literal(constant(one), "is", constant(other))
            head = _swapped(rule.head, one, other)
            body = (c._replace(pred=_swapped(c.pred, one, other)) for c in rule.body)
            values = ((name, other if value == one else value) for name, value in rule.binding)
            yield Rule(head, rule.negative, tuple(body), tuple(values)), same


def _swapped(pred: Pred, old: Any, new: Any) -> Pred:
    found: Pred = changed(pred, lambda term: new if term == old else term)
    return found


def _unread(i: int, sentence: Sentence, words: set[str], wanted: list[Pred]) -> Iterator[Near]:
    """What a sentence without a reading may say."""
    wide = sentence.reason.endswith(WIDE)
    for want in wanted if sentence.reason else ():
        keys = [key.split() for key in keys_of(want, whole=True)]
        keys += [word.lower().split() for word in term_words(want.who)] if wide else []
        keys += [["it"]] if wide and want.who == Ind("it") else []
        if any(all(any(family(w, part) for w in words) for part in key) for key in keys):
            for doubt in _doubted(i, Rule(want)):
                yield doubt._replace(what="it cannot be read, and it may matter")


def strange(
    sentences: list[Sentence], groups: Collection[Any], said: Said, asked: Asked
) -> Iterator[Any]:
    """Descriptions of the question that the rulebook has only in other words."""
    known = {*groups, *(t for rules in said for rule in rules for t in individuals(rule))}
    texts = {*words_of(*(sentence.text for sentence in sentences))}
    for term in individuals(asked.pred):
        if term not in known and isinstance(term, Ind):
            own = {word for word in words_of(term.key) if word not in LISTS["closed"]}
            if len(own) > 1 and "that" not in term.key.split() and own <= texts:
                yield term
