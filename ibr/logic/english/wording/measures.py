"""Amounts that are stated, and the bounds that rules set: four years old is under six."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.numbers import ABOVE, BELOW, bound_of, is_count, number_of
from ibr.logic.english.meaning.terms import Ind, Kind, Pred, Rule
from ibr.logic.english.wording.meeting import Match

_PLAIN = ("", "weigh", "cost", "measure", "worth", "aged")
_END = float("inf")


class Amount(NamedTuple):
    """Between two ends; a second figure is 1 just above a number, -1 just below."""

    of: tuple[str, str]  # what is measured, and in what
    low: tuple[float, int]
    high: tuple[float, int]


def amount_of(pred: Pred) -> Amount | None:
    """weighs five kilos, is over 18, is older than six years, has at least two dogs"""
    dim, thing, bound, than = "", pred.obj, "", dict(pred.tails).get("than")
    if pred.form == "prep":
        known = pred.lemma in ABOVE or pred.lemma in BELOW
        dim, bound = ("", pred.lemma) if known else (pred.lemma, "")
    elif pred.form == "adj" and than is not None:
        thing, dim = than, pred.lemma.removesuffix("er")
        bound = "less than" if dim in LISTS["small"] else "more than"
        dim = "" if dim in LISTS["small"] | LISTS["large"] else dim
    elif pred.form in ("noun", "role", "adj"):
        thing = Kind(" ".join((*pred.mods, pred.lemma)))
    elif pred.form == "verb":
        dim = pred.lemma
    else:
        return None
    text = thing.words if isinstance(thing, Kind) else thing.key if isinstance(thing, Ind) else ""
    more, text = bound_of(text)
    first, _, unit = text.partition(" ")
    value = number_of(first)
    if (
        value is None
        or getattr(thing, "tails", ())
        or (more and bound)
        or not (unit or dim != "have")
    ):
        return None
    dim, bound = "" if dim in _PLAIN else dim, more or bound
    if unit not in LISTS["units"] and (dim == "" and unit):
        return None
    low = (value, ABOVE.get(bound, 0)) if bound not in BELOW else (-_END, 0)
    high = (value, BELOW.get(bound, 0)) if bound not in ABOVE else (_END, 0)
    return Amount((dim, unit or "year"), low, high)


def compared(fact: Pred, wanted: Iterable[Pred]) -> Iterator[Rule]:
    """Which bounds an amount keeps, and which it breaks."""
    stated = amount_of(fact)
    for want in wanted if stated else ():
        other = amount_of(want)
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
        return one.of[0] == other.of[0] and (one.of == other.of or not one.of[0])
    same = stated.form == wanted.form and (stated.form == "prep" or stated.lemma == wanted.lemma)
    return same and _counts(stated) and _counts(wanted)


def _counts(pred: Pred) -> bool:
    kinds = [term for term in pred.terms[1:] if isinstance(term, Kind)]
    return any(map(is_count, (word for kind in kinds for word in (*kind.mods, *kind.noun.split()))))


def comparable(fact: Pred, want: Pred) -> bool:
    """Both are amounts of the same, at the same time."""
    one, other = amount_of(fact), amount_of(want)
    tails = [[t for t in pred.tails if t[0] != "than"] for pred in (fact, want)]
    same = one and other and one.of == other.of and tails[0] == tails[1]
    return bool(same) and (fact.mode, fact.tense) == (want.mode, want.tense)
