"""Formulas of one sentence, and what can be asked of trees and formulas. A formula is a tuple:

("atom", Pred), ("and", f…), ("or", f…), ("not", f), ("except", f), ("if", condition, f),
("only", f, condition).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ibr.logic.english.grammar.tree import (
    NP,
    Co,
    Mod,
    Not,
    V,
)
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.discourse import (
    Refusal,
)
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred, variables
from ibr.logic.surface.words import words

Formula = Any

Then = Callable[[Any], Formula]

ANYONE = words("people person thing individual one human somebody anybody")

COLLECTIVE = LISTS["interpret-collective"]

PERSONS = LISTS["interpret-persons"]

ORDINALS = words("first second third fourth other")


def both(*formulas: Formula) -> Formula:
    parts = [f for f in formulas if f != ("and",)]
    return parts[0] if len(parts) == 1 else ("and", *parts)


class Given(NamedTuple):
    """A term in the place of a noun phrase."""

    term: Any
    det: str = "given"
    excepts: tuple[Any, ...] = ()


class Filled(NamedTuple):
    """A verb phrase whose object is given."""

    v: V
    gap: Any


def gap_filled(vp: Any, term: Any) -> Any:
    if isinstance(vp, Co):
        return Co(vp.op, tuple(gap_filled(item, term) for item in vp.items))
    if isinstance(vp, Not):
        return Not(gap_filled(vp.body, term))
    if isinstance(vp, V) and vp.form == "verb" and vp.obj is None:
        return Filled(vp, term)
    raise Refusal("the relative clause has no place for its noun")


def normal(pred: Pred) -> Pred:
    """belongs to Sam: Sam owns it"""
    if pred.lemma == "belong" and len(pred.tails) == 1 and pred.tails[0][0] == "to":
        owner = pred.tails[0][1]
        said = owner.key if isinstance(owner, Ind) else getattr(owner, "noun", "")
        if said.rpartition(" ")[2] in _GROUPS:
            return pred
        return pred._replace(lemma="own", subj=pred.tails[0][1], obj=pred.subj, tails=())
    return pred


def noun_text(kind: Kind) -> str:
    from ibr.logic.english.meaning.literals import noun_phrase

    return noun_phrase(kind)


def lifted(condition: Formula, main: Formula) -> tuple[Formula, Formula]:
    """Unless a visitor is registered, he must wait: of a visitor, and not of anybody else."""
    if condition[0] != "and":
        return ("and",), condition
    spoken_of = {name for pred in preds_of(main) for name in variables(pred)}
    given = [
        part for part in condition[1:-1]
        if part[0] == "atom" and any(name in spoken_of for name in variables(part[1]))
    ]  # fmt: skip
    rest = [part for part in condition[1:] if part not in given]
    return both(*given), both(*rest)


def shares(one: Formula, other: Formula) -> bool:
    """They speak of somebody in common."""
    names = [{name for pred in preds_of(f) for name in variables(pred)} for f in (one, other)]
    return bool(names[0] & names[1])


def preds_of(formula: Formula) -> Iterator[Pred]:
    if formula[0] == "atom":
        yield formula[1]
        return
    for part in formula[1:]:
        if isinstance(part, tuple):
            yield from preds_of(part)


def kept_in(found: list[Any]) -> Then:
    """Says nothing of a term, but keeps it."""

    def keep(term: Any) -> Formula:
        found.append(term)
        return ("and",)

    return keep


def describe_owned(term: Owned) -> str:
    from ibr.logic.english.meaning.literals import noun_phrase

    return noun_phrase(term)


def can_act(np: Any) -> bool:
    if isinstance(np, Co):
        return all(map(can_act, np.items))
    return np.det not in ("mass",) and np.noun not in (
        "bus",
        "car",
        "train",
        "hand",
        "mistake",
        "noon",
    )


def moded(tree: Any, mode: str) -> Any:
    if isinstance(tree, Co):
        return Co(tree.op, tuple(moded(item, mode) for item in tree.items))
    if not isinstance(tree, V):
        raise Refusal("it says what is needed not to do it")
    return tree._replace(mode=mode)


def adjectives(np: NP) -> tuple[str, ...]:
    return tuple(m.text for m in np.mods if m.kind in ("adj", "vn", "vg"))


def adverbed(mod: Mod) -> str:
    return " ".join((*mod.advs, mod.text))


def compound(np: NP) -> str:
    """guide dog; the adjectives between its parts are lost nowhere: there are none"""
    return " ".join((*(m.text for m in np.mods if m.kind in ("noun", "name")), np.noun))


def first_place(tree: Any) -> int:
    if isinstance(tree, NP):
        return tree.at if tree.at >= 0 else 999
    if isinstance(tree, tuple):
        return min((first_place(t) for t in tree if isinstance(t, tuple)), default=999)
    return 999


def collective(vp: Any) -> bool:
    inner = vp.body if isinstance(vp, Not) else vp
    if not isinstance(inner, V):
        return False
    if "each other" in inner.advs or "one another" in inner.advs or "together" in inner.advs:
        return True
    return (
        inner.form == "noun" and isinstance(inner.obj, NP) and inner.obj.noun in COLLECTIVE
        and not inner.obj.posts and inner.obj.det == "bare"
    )  # fmt: skip


def happened(vp: Any) -> bool:
    """It tells of one time: A visitor lost a badge. Dogs are barking in the street."""
    inner = vp.body if isinstance(vp, Not) else vp
    if isinstance(inner, Co):
        return any(map(happened, inner.items))
    return isinstance(inner, V) and not inner.mode and "past" in (inner.tense, _past(inner))


def _past(v: V) -> str:
    return "past" if v.form == "verb" and v.text == "now" else ""


def changed(formula: Formula, change: Callable[[Pred], Pred]) -> Formula:
    if formula[0] == "atom":
        return ("atom", change(formula[1]))
    return (formula[0], *(changed(f, change) for f in formula[1:]))


def subject_of(formula: Formula) -> Any:
    if formula[0] == "atom":
        pred = formula[1]
        return pred.subj if isinstance(pred.subj, (Ind, Owned)) else None
    if formula[0] in ("and", "&") and len(formula) > 1:
        return subject_of(formula[1])
    return None


def replaced(formula: Formula, old: Any, new: Any) -> Formula:
    return changed(formula, lambda p: p.mapped(lambda t: new if t == old else t))


_GROUPS = words("staff team club group party crew committee class choir band family")
