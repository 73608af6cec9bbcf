"""Amounts that are stated, and the bounds that rules set: four years old is under six."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ibr.logic.english.lexis.forms import adjective_base
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.numbers import ABOVE, BELOW, bound_of, is_count, number_of
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred, Rule
from ibr.logic.english.wording.meeting import Match, noun_in

_PLAIN = ("", "weigh", "cost", "measure", "worth", "aged", *LISTS["large"])
_SCALES = {one: (base, float(n)) for one, base, n in map(str.split, LISTS["scales"])}
_LESS = dict(map(str.split, LISTS["less-of"]))
_NOUNS = dict(map(str.split, LISTS["sizes-of"]))
_END = float("inf")


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
    first, _, unit = text.partition(" ")
    value = number_of(first)
    if value is None or (isinstance(thing, Kind) and thing.tails) or (more and bound):
        return None
    known, (unit, times) = unit in LISTS["units"], _SCALES.get(unit, (unit, 1))
    long = unit == "centimetre" and dim == "high"  # of other amounts the unit tells what it is
    dim, bound, value = (
        "tall" if long else "" if dim in _PLAIN else dim,
        more or bound,
        value * times,
    )
    if (not unit and dim) or (unit and not dim and not known):
        return None
    least = least and bool(dim) and not bound
    low = (value, ABOVE.get(bound, 0)) if bound not in BELOW else (-_END, 0)
    high = (value, BELOW.get(bound, 0)) if not least and bound not in ABOVE else (_END, 0)
    return Amount((dim, unit or "year"), low, high)


def _measured(pred: Pred) -> tuple[str, str, Any]:
    """What is measured, the bound, and the amount."""
    than, lemma = dict(pred.tails).get("than"), pred.lemma
    if pred.form == "adj" and than is not None:
        dim = adjective_base(lemma)
        bound = "less than" if dim in LISTS["small"] or dim in _LESS else "more than"
        return "" if dim in LISTS["small"] else _LESS.get(dim, dim), bound, than
    if pred.form in ("noun", "role", "adj"):
        return "", "", Kind(" ".join((*pred.mods, lemma)))
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
    for want in wanted if stated else ():
        limit = not denied and fact.mode in ("may", "can") and stated and stated.low[0] == -_END
        other = amount_of(want, least=not limit)
        if not (stated and other) or fact == want or not comparable(fact, want):
            continue
        small, large = (other, stated) if limit or denied else (stated, other)
        inside = large.low <= small.low and small.high <= large.high
        outside = stated.high < other.low or other.high < stated.low
        within, match = inside and not denied, Match()
        if not inside and (denied or not outside):
            continue
        if match.term(fact.who, want.who) and not match.witnesses:
            yield Rule(want, not within, tuple(match.extra), tuple(match.binding.items()))


def blurred(stated: Pred, wanted: Pred) -> bool:
    """Both count, and nothing compares them: pence and pounds, before ten and at nine."""
    one, other = amount_of(stated), amount_of(wanted)
    if one and other:
        return one.of[0] == other.of[0] and (one.of == other.of or not one.of[0])
    if other and not one and other.low[0] == -_END:  # a door: fewer than two
        return stated.lemma == wanted.lemma and noun_in(stated.obj) == other.of[1]
    same = stated.form == wanted.form and (stated.form == "prep" or stated.lemma == wanted.lemma)
    return same and _counts(stated) and _counts(wanted)


def _counts(pred: Pred) -> bool:
    kinds = [term for term in pred.terms[1:] if isinstance(term, Kind)]
    return any(map(is_count, (word for kind in kinds for word in (*kind.mods, *kind.noun.split()))))


def comparable(fact: Pred, want: Pred) -> bool:
    """Both are amounts of the same, at the same time."""
    one, other = amount_of(fact), amount_of(want)
    tails = [[t for t in pred.tails if t[0] != "than"] for pred in (fact, want)]
    if not one or not other or one.of[1] != other.of[1] or tails[0] != tails[1]:
        return False
    dims = {one.of[0], other.of[0]}
    same = len(dims) == 1 or dims in ({"short", "long"}, {"short", "tall"})
    return same and (fact.mode, fact.tense) == (want.mode, want.tense)
