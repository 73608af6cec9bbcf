"""Amounts that are stated, and the bounds that rules set: four years old is under six."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ibr.logic.english.lexis.forms import adjective_base
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.numbers import ABOVE, BELOW, bound_of, is_count, number_of
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred, Rule
from ibr.logic.english.wording.meeting import Match, Met, entails, noun_in

_PLAIN = ("", "weigh", "cost", "measure", "worth", "aged", *LISTS["large"])
_SCALES = {one: (base, float(n)) for one, base, n in map(str.split, LISTS["scales"])}
_LESS = dict(map(str.split, LISTS["less-of"]))
_NOUNS = dict(map(str.split, LISTS["sizes-of"]))
_END = float("inf")
_SINCE = {"after": "more than", "since": "at least", "before": "less than", "until": "at most"}
_ONCE = frozenset("bear build die found make print publish write".split())


class Amount(NamedTuple):
    """Between two ends; a second figure is 1 just above a number, -1 just below."""

    of: tuple[str, str]  # what is measured, and in what
    low: tuple[float, int]
    high: tuple[float, int]


def amount_of(pred: Pred, least: bool = False) -> Amount | None:
    """weighs five kilos, is over 18, is older than six years; `least`: two dogs, or more of them"""
    dim, bound, thing = _measured(pred)
    text = thing.words if isinstance(thing, Kind) else thing.key if isinstance(thing, Ind) else ""
    more, text = bound_of(text)
    if isinstance(thing, Kind) and not thing.plural and text in LISTS["units"]:
        text = f"1 {text}"  # a year old
    first, _, unit = text.partition(" ")
    value = number_of(first)
    if value is None or (isinstance(thing, Kind) and thing.tails) or (more and bound):
        return None
    known = unit in LISTS["units"] | LISTS["lengths"]
    unit, times = _SCALES.get(unit, (unit, 1))
    long = unit == "centimetre" and dim == "high"  # of other amounts the unit tells what it is
    dim, bound = "tall" if long else "" if dim in _PLAIN else dim, more or bound
    if (not unit and dim) or (unit and not dim and not known):
        return None
    counts = bool(dim) or pred.lemma == "have"
    return _between((dim, unit or "year"), value * times, bound, least and counts)


def _between(of: tuple[str, str], value: float, bound: str, least: bool) -> Amount:
    least = least and not bound
    low = (value, ABOVE.get(bound, 0)) if bound not in BELOW else (-_END, 0)
    high = (value, BELOW.get(bound, 0)) if not least and bound not in ABOVE else (_END, 0)
    return Amount(of, low, high)


def _span(prep: str, term: Any, least: bool = False) -> Amount | None:
    """for ten years, in 2015, before 2018"""
    if not isinstance(term, Kind) or term.tails:
        return None
    if term.mass and term.noun.isdigit() and len(term.noun) == 4 and prep in ("in", *_SINCE):
        return _between(("when", ""), float(term.noun), _SINCE.get(prep, ""), False)
    bound, count = bound_of(term.mods[0]) if len(term.mods) == 1 else ("", "")
    value = number_of(count)
    unit, times = _SCALES.get(term.noun, (term.noun, 1))
    return _between((prep, unit), value * times, bound, least) if value and prep == "for" else None


def _spans(fact: Pred, want: Pred) -> tuple[bool | None, Met] | None:
    """Whether it has been so as long as, or was when, it is wanted to; None if that is open."""
    left = [tail for tail in want.tails if tail not in fact.tails]
    other = _span(*left[0], least=True) if len(left) == 1 else None
    for tail in fact.tails if other and fact.lemma == want.lemma else ():
        one, dropped = _span(*tail), (tail, *left)
        if one and other and one.of == other.of:
            rest = (tuple(t for t in p.tails if t not in dropped) for p in (fact, want))
            met = entails(fact._replace(tails=next(rest)), want._replace(tails=next(rest)))
            kept = _keeps(one, other)
            once = tail[0] == "for" or fact.lemma in _ONCE
            return (kept if kept or once else None, met) if met and not met.witness else None
    return None


def _keeps(one: Amount, other: Amount, denied: bool = False, limit: bool = False) -> bool | None:
    """Within the bounds, outside of them, or neither; `one` may be denied, or be a limit."""
    covers = one.low <= other.low and other.high <= one.high
    if not denied and (covers if limit else other.low <= one.low and one.high <= other.high):
        return True
    apart = covers if denied else one.high < other.low or other.high < one.low
    return False if apart else None


def _measured(pred: Pred) -> tuple[str, str, Any]:
    """What is measured, the bound, and the amount."""
    than, lemma = dict(pred.tails).get("than"), pred.lemma
    if pred.form == "adj" and than is not None:
        dim = adjective_base(lemma)
        counted = noun_in(than) in LISTS["lengths"]  # shorter than eight letters
        less = dim in LISTS["small"] or dim in _LESS
        dim = "" if counted or dim in LISTS["small"] else _LESS.get(dim, dim)
        return dim, "less than" if less else "more than", than
    if lemma == "have" and noun_in(pred.obj) in LISTS["lengths"]:  # six characters: of that length
        return "", "", pred.obj
    if pred.form in ("noun", "role", "adj"):
        aged = lemma.removesuffix("-old").replace("-", " ") if lemma.endswith("-old") else lemma
        return "", "", Kind(" ".join((*pred.mods, aged)))
    if lemma in ABOVE or lemma in BELOW:
        return "", lemma, pred.obj
    known = pred.form == "verb" or lemma in LISTS["dimensions"] or lemma in _PLAIN
    return lemma, "", pred.obj if known else None


def compared(fact: Pred, wanted: Iterable[Pred], denied: bool = False) -> Iterator[Rule]:
    """Which bounds an amount keeps, and which it breaks; `denied`: what is not more than two."""
    dim = _NOUNS.get(fact.subj.kind.noun) if isinstance(fact.subj, Owned) else None
    if dim and (fact.lemma == "worth" or dim == "old"):  # the height of the tower
        fact = fact._replace(subj=fact.subj.owner, lemma=dim if fact.obj else fact.lemma)
    stated = amount_of(fact)
    for want in wanted:
        kept, met = (not denied and _spans(fact, want)) or (None, Met({}))
        if kept is not None:
            yield Rule(want, not kept, met.extra, tuple(met.binding.items()))
        if stated is None or fact == want or not comparable(fact, want):
            continue
        limit = not denied and fact.mode in ("may", "can") and stated.low[0] == -_END
        other, match = amount_of(want, least=not limit), Match()
        kept = _keeps(stated, other, denied, limit) if other else None
        if kept is not None and match.term(fact.who, want.who) and not match.witnesses:
            yield Rule(want, not kept, tuple(match.extra), tuple(match.binding.items()))


def blurred(stated: Pred, wanted: Pred) -> bool:
    """Both count, and nothing compares them: pence and pounds, before ten and at nine."""
    one, other = amount_of(stated), amount_of(wanted)
    if one and other:
        if one.of[1] == other.of[1] and "have" in (one.of[0], other.of[0]):
            return True  # has six characters, is shorter than eight characters
        return one.of[0] == other.of[0] and (one.of == other.of or not one.of[0])
    if other and not one and other.low[0] == -_END:  # a door: fewer than two
        return stated.lemma == wanted.lemma and noun_in(stated.obj) == other.of[1]
    other_verb = stated.lemma != wanted.lemma  # not: has a badge, has two badges
    if (
        other
        and not one
        and other_verb
        and any(_speaks_of(stated, unit) for unit in other.of[1].split())
    ):
        return True
    same = stated.form == wanted.form and (stated.form == "prep" or stated.lemma == wanted.lemma)
    return same and _counts(stated) and _counts(wanted)


def _speaks_of(pred: Pred, unit: str) -> bool:
    """Has six characters; is 24 centimetres long; turned 19"""
    nouns = {pred.lemma, *(noun_in(term) for term in pred.terms[1:])}
    return unit in nouns or (unit == "year" and any(map(is_count, nouns)))


def _counts(pred: Pred) -> bool:
    kinds = [term for term in pred.terms[1:] if isinstance(term, Kind)]
    return any(map(is_count, (word for kind in kinds for word in (*kind.mods, *kind.noun.split()))))


def comparable(fact: Pred, want: Pred) -> bool:
    """Both are amounts of the same, at the same time."""
    one, other = amount_of(fact), amount_of(want)
    tails = [[t for t in pred.tails if t[0] != "than"] for pred in (fact, want)]
    if _spans(fact, want):
        return True
    if not one or not other or one.of[1] != other.of[1] or tails[0] != tails[1]:
        return False
    dims = {one.of[0], other.of[0]}
    same = len(dims) == 1 or dims in ({"short", "long"}, {"short", "tall"})
    return same and (fact.mode, fact.tense) == (want.mode, want.tense)
