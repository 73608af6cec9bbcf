"""What comparisons and places say of others: Tom is older than all whom Ann is older than."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from ibr.logic.english.lexis.forms import verb_participle
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.people import is_person
from ibr.logic.english.meaning.normal import CONVERSE_PLACES, conversely, described, normal
from ibr.logic.english.meaning.reference.discourse import head
from ibr.logic.english.meaning.terms import Cnd, Ind, Kind, Owned, Pred, Rule, Var, changed, walk
from ibr.logic.english.wording.measures import compared

_ANY = Var("?any")
_OPPOSITES = dict(pair.split() for pair in sorted(LISTS["opposites"]))
_CONTRARY = {pair for pair in LISTS["exclusive"] if pair.count("+") == 1}
_CONTRARY |= {"+".join(p) for one in LISTS["one-time"] for p in combinations(one.split("+"), 2)}
_OPPOSITES |= {other: one for one, other in _OPPOSITES.items()}


def carried(fact: Pred, wanted: Sequence[Pred]) -> Iterator[Rule]:
    """Rules that a fact brings with it, where something like them is `wanted`."""
    other = _than(fact)
    if other is not None:
        words = {fact.lemma, _OPPOSITES.get(fact.lemma, "")}
        if any(pred.lemma in words and _than(pred) is not None for pred in wanted):
            for lemma in sorted(words - {""}):
                same = lemma == fact.lemma
                up, down = (fact.subj, other) if same else (other, fact.subj)
                yield Rule(_compared(fact, lemma, up, down))
                if lemma.endswith("er") or lemma.startswith(("more ", "less ")):
                    yield Rule(_compared(fact, lemma, down, up), negative=True)
                far = Cnd(_compared(fact, lemma, down, _ANY))
                yield Rule(_compared(fact, lemma, up, _ANY), body=(far,))
    elif _holds(fact) and any((p.form, p.lemma) == ("prep", "in") for p in wanted):
        inner = Cnd(fact._replace(lemma="in", subj=fact.obj, obj=_ANY))
        yield Rule(fact._replace(lemma="in", obj=_ANY), body=(inner,))
    elif len(fact.tails) == 1 and fact.lemma in LISTS["staying"] and not fact.obj:
        prep, place = fact.tails[0]
        where = Pred("prep", prep, place, _ANY)  # lives in Rome, which is in Italy
        if _holds(where._replace(obj=place)) and any(p.lemma == fact.lemma for p in wanted):
            yield Rule(fact._replace(tails=((prep, _ANY),)), body=(Cnd(where),))
    if any(pred.lemma == fact.lemma for pred in wanted):
        yield from map(Rule, _mutual(fact))
    if any(pred.lemma in (fact.lemma, CONVERSE_PLACES.get(fact.lemma)) for pred in wanted):
        yield from _ordered(fact)
    yield from compared(fact, wanted)
    word = _state(fact)
    for pred in (p for p in wanted if word):
        if f"{word}+{_state(pred)}" in _CONTRARY or f"{_state(pred)}+{word}" in _CONTRARY:
            who = {"obj" if pred.passive else "subj": fact.who}
            yield Rule(pred._replace(**who), negative=True)


def _state(pred: Pred) -> str:
    """The word for what somebody simply is: closed, off, a woman."""
    if pred.tense or pred.mode or pred.advs or pred.tails or pred.mods:
        return ""
    plain = pred.form in ("adj", "adv", "noun")
    return verb_participle(pred.lemma) if pred.passive else pred.lemma if plain else ""


def unowned(rule: Rule) -> Iterator[Rule]:
    """Anyone whose dog barks: one that barks is a dog of theirs, or a dog that they have."""
    terms = (t for c in rule.body if not c.negative for t in walk(c.pred))
    owned = next((t for t in terms if isinstance(t, Owned) and isinstance(t.owner, Var)), None)
    if owned is None or owned.kind.tails or rule.binding or owned.kind.plural:
        return  # whose cats bite: one is not enough
    one, kind = Var("?own"), owned.kind._replace(plural=False)

    def free(pred: Pred) -> Pred:
        made: Pred = changed(pred, lambda term: one if term == owned else term)
        return made

    body = tuple(c._replace(pred=free(c.pred)) for c in rule.body)
    of = Pred("noun", kind.noun, one, tails=(("of", owned.owner),), mods=kind.mods)
    yield Rule(free(rule.head), rule.negative, (Cnd(normal(of)), *body))
    if not is_person(kind.noun):
        has = (*described(kind, one), Pred("verb", "have", owned.owner, one))
        yield Rule(free(rule.head), rule.negative, (*map(Cnd, has), *body))


def _mutual(pred: Pred) -> Iterator[Pred]:
    """Kim is married to Ben, stands next to him: and he to her."""
    prep, other = pred.tails[0] if len(pred.tails) == 1 else ("", None)
    one = pred.who
    with_other = prep in LISTS["beside"] or (pred.lemma, prep) == ("marry", "to")
    if with_other and isinstance(other, Ind) and isinstance(one, Ind):
        obj = other if pred.obj == one else pred.obj
        yield pred._replace(subj=pred.subj and other, obj=obj, tails=((prep, one),))
    is_beside = pred.form == "prep" and pred.lemma in LISTS["beside"]
    if is_beside and isinstance(pred.subj, Ind) and isinstance(pred.obj, Ind):
        yield pred._replace(subj=pred.obj, obj=pred.subj)


def _ordered(fact: Pred) -> Iterator[Rule]:
    """Gets up before Tom: before all before whom Tom gets up; is above the desk"""
    if fact.form == "prep" and not (fact.tails or fact.tense):
        for one in (fact, *conversely(fact)):
            if one.lemma in LISTS["ordering"] and isinstance(one.obj, Ind | Owned):
                yield Rule(one)
                far = Cnd(one._replace(subj=one.obj, obj=_ANY))
                yield Rule(one._replace(obj=_ANY), body=(far,))
    elif fact.form == "verb" and len(fact.tails) == 1 and not (fact.mode or fact.obj):
        (prep, other), daily = fact.tails[0], fact.lemma in LISTS["once-a-day"]
        if prep in LISTS["ordering"] and isinstance(other, Ind | Owned):
            back = fact._replace(subj=other, tails=((CONVERSE_PLACES.get(prep, ""), fact.subj),))
            for one in (fact, *([back] if daily and prep in ("before", "after") else ())):
                yield Rule(one)
                ((how, last),) = one.tails
                if daily and how in ("before", "after"):
                    yield Rule(one._replace(subj=last, tails=((how, one.subj),)), negative=True)
                beyond = one._replace(tails=((how, _ANY),))
                yield Rule(beyond, body=(Cnd(beyond._replace(subj=last)),))


def _than(pred: Pred) -> Any:
    """With whom it compares."""
    plain = pred.form == "adj" and not (pred.tense or pred.mode or pred.advs)
    known = plain and len(pred.tails) == 1 and pred.tails[0][0] == "than"
    term = pred.tails[0][1] if known else None
    if isinstance(term, Kind) and term.mass and not term.tails:
        return Ind(term.words)  # gold is heavier than iron
    return term if isinstance(term, Ind | Owned | Var) else None


def _compared(fact: Pred, lemma: str, one: Any, other: Any) -> Pred:
    return fact._replace(lemma=lemma, subj=one, tails=(("than", other),))


def _holds(place: Pred) -> bool:
    """What is in it is where it is: a box, Switzerland; but not: a photo, a choir"""
    term = place.obj
    plain = place.form == "prep" and not (place.tails or place.tense or place.mode)
    if not plain or not isinstance(term, Ind | Owned) or place.lemma not in ("in", "on"):
        return False
    noun = head(term.kind.noun if isinstance(term, Owned) else term.key.partition(" in ")[0])
    if place.lemma == "on":
        return noun in LISTS["surfaces"]
    return noun[:1].isupper() or noun in LISTS["containers"]
