"""Amounts that are stated, and the bounds that rules set: four years old is under six."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.numbers import ABOVE, BELOW, bound_of, is_count, number_of
from ibr.logic.english.meaning.terms import Ind, Kind, Pred, Rule
from ibr.logic.english.wording.meeting import Match, noun_in

_PLAIN = ("", "weigh", "cost", "measure", "worth", "aged")
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
    dim, bound = "" if dim in _PLAIN else dim, more or bound
    if (not unit and dim) or (unit and not dim and unit not in LISTS["units"]):
        return None
    least = least and bool(dim) and not bound
    low = (value, ABOVE.get(bound, 0)) if bound not in BELOW else (-_END, 0)
    high = (value, BELOW.get(bound, 0)) if not least and bound not in ABOVE else (_END, 0)
    return Amount((dim, unit or "year"), low, high)


def _measured(pred: Pred) -> tuple[str, str, Any]:
    """What is measured, the bound, and the amount."""
    than, lemma = dict(pred.tails).get("than"), pred.lemma
    if pred.form == "adj" and than is not None:
        dim = lemma.removesuffix("er")
        bound = "less than" if dim in LISTS["small"] else "more than"
        return "" if dim in LISTS["small"] | LISTS["large"] else dim, bound, than
    if pred.form in ("noun", "role", "adj"):
        aged = lemma.removesuffix("-old").replace("-", " ") if lemma.endswith("-old") else lemma
        return "", "", Kind(" ".join((*pred.mods, aged)))
    if lemma in ABOVE or lemma in BELOW:
        return "", lemma, pred.obj
    return lemma, "", pred.obj if pred.form == "verb" or lemma in _PLAIN else None


def compared(fact: Pred, wanted: Iterable[Pred]) -> Iterator[Rule]:
    """Which bounds an amount keeps, and which it breaks."""
    stated = amount_of(fact)
    for want in wanted if stated else ():
        other = amount_of(want, least=True)
        if not (stated and other) or fact == want or not comparable(fact, want):
            continue
        within = other.low <= stated.low and stated.high <= other.high
        match = Match()
        if not within and not (stated.high < other.low or other.high < stated.low):
            continue
        if match.term(fact.who, want.who) and not match.witnesses:
            yield Rule(want, not within, tuple(match.extra), tuple(match.binding.items()))


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
    same = one and other and one.of == other.of and tails[0] == tails[1]
    return bool(same) and (fact.mode, fact.tense) == (want.mode, want.tense)
