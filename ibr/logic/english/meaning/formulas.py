"""Formulas of one sentence, and what can be asked of trees and formulas. A formula is a tuple:

("atom", Pred), ("and", f…), ("&", f…) for an "and" of the author's, ("or", f…), ("not", f),
("except", f), ("if", condition, f), ("only", f, condition), ("nothing",), ("exempt", condition, f).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ibr.logic.english.grammar.occasions import time_of
from ibr.logic.english.grammar.tree import NP, PP, Clause, Co, Cond, Not, V, mapped
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.literals import Refusal
from ibr.logic.english.meaning.terms import Ind, Owned, Pred, Var, changed, variables
from ibr.logic.surface.words import MODALS, words

Formula = Any
Then = Callable[[Any], Formula]

ANYONE = words("people person thing individual one human somebody anybody")
ORDINALS = words("first second third fourth other")
TIMES = LISTS["weekdays"] | LISTS["noun-phrases-times"]
_PLACING = words("in on at under near inside outside behind beside by with")


class Given(NamedTuple):
    """A term in the place of a noun phrase."""

    term: Any
    det: str = "given"


class Filled(NamedTuple):
    """A verb phrase whose object is given."""

    v: V
    gap: Any


def atom(*of: Any, **more: Any) -> Formula:
    return ("atom", Pred(*of, **more))


def both(*formulas: Formula) -> Formula:
    parts = [f for f in formulas if f != ("and",)]
    return parts[0] if len(parts) == 1 else ("and", *parts)


def gap_filled(vp: Any, term: Any, prep: str = "") -> Any:
    """that Tom likes, that Tom looks at: the object, or what follows the preposition, is given"""

    def fill(v: V) -> V | Filled:
        if prep:
            return v._replace(tails=(*v.tails, PP(prep, Given(term))))
        if v.form != "verb" or v.obj is not None:
            raise Refusal("the relative clause has no place for its noun")
        return Filled(v, term)

    return mapped(vp, fill)


def lifted(condition: Formula, main: Formula) -> tuple[Formula, Formula]:
    """Unless a visitor is registered, he must wait: of a visitor, and not of anybody else."""
    if condition[0] != "and":
        return ("and",), condition
    spoken_of = {name for pred in preds_of(main) for name in variables(pred)}
    given = [
        part for part in condition[1:-1]
        if part[0] == "atom" and spoken_of.intersection(variables(part[1]))
    ]  # fmt: skip
    return both(*given), both(*(part for part in condition[1:] if part not in given))


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


def with_preds(formula: Formula, change: Callable[[Pred], Pred]) -> Formula:
    if formula[0] == "atom":
        return ("atom", change(formula[1]))
    return tuple(with_preds(f, change) if isinstance(f, tuple) else f for f in formula)


def replaced(formula: Formula, old: Any, new: Any) -> Formula:
    return with_preds(formula, lambda p: changed(p, lambda term: new if term == old else term))


def kept_in(found: list[Any]) -> Then:
    """Says nothing of a term, but keeps it."""

    def keep(term: Any) -> Formula:
        found.append(term)
        return ("and",)

    return keep


def adjectives(np: NP) -> tuple[str, ...]:
    """With their adverbs: very old"""
    described = (m for m in np.mods if m.kind in ("adj", "vn", "vg"))
    return tuple(" ".join((*m.advs, m.text)) for m in described)


def compound(np: NP) -> str:
    """guide dog"""
    return " ".join((*(m.text for m in np.mods if m.kind in ("noun", "name")), np.noun))


def masses_in(tree: Any) -> Iterator[str]:
    """Nouns that stand without an article."""
    if isinstance(tree, NP) and tree.det == "mass":
        yield compound(tree)
    for part in tree if isinstance(tree, tuple) else ():
        yield from masses_in(part)


def classes_in(tree: Any) -> Iterator[str]:
    """Hedwig is an owl: what somebody with a name is stated to be."""
    if isinstance(tree, Clause) and getattr(tree.subj, "det", "") == "name":
        obj = getattr(tree.vp, "obj", None)
        if getattr(tree.vp, "form", "") == "noun" and isinstance(obj, NP) and obj.det == "a":
            yield obj.noun


def weather_in(tree: Any) -> Iterator[str]:
    """What a condition that opens the sentence says of "it", which is nothing else then."""
    if isinstance(tree, Cond) and first_place(tree.cond) < first_place(tree.main):
        parts = tree.cond.items if isinstance(tree.cond, Co) else (tree.cond,)
        subjects = (getattr(part, "subj", None) for part in parts)
        yield from (np.word for np in subjects if isinstance(np, NP) and np.det == "it")


def times_in(tree: Any) -> Iterator[str]:
    """Today is Sunday; it is night."""
    is_it = isinstance(tree, Clause) and getattr(tree.subj, "det", "") == "it"
    if is_it and tree.subj.word == "it" and isinstance(tree.vp, V):
        yield tree.vp.lemma if tree.vp.form == "adj" else time_of(tree.vp.obj)


def now_of(vp: Any, now: frozenset[str]) -> tuple[NP, Any] | None:
    """Which of the times that are stated a verb phrase names, and the phrase without it."""
    found: list[NP] = []

    def without(v: V) -> V:
        named = {t: time_of(t.np) for t in v.tails if t.prep in ("on", "at", "in", "by")}
        found.extend(tail.np for tail, time in named.items() if time in now)
        if any(time in TIMES and time not in now for time in named.values()):
            return v  # on Sundays in summer
        if v.mode in ("", *MODALS) and not v.tense:
            return v._replace(tails=tuple(t for t in v.tails if named.get(t, "") not in now))
        return v

    made = mapped(vp, without)
    return (found[0], made) if len({*found}) == 1 and made != vp else None


def first_place(tree: Any) -> int:
    if isinstance(tree, NP):
        return tree.at if tree.at >= 0 else 999
    if isinstance(tree, tuple):
        return min((first_place(t) for t in tree if isinstance(t, tuple)), default=999)
    return 999


def moved(tree: Any) -> Any:
    """With later places for its noun phrases than those of the sentence before."""
    if isinstance(tree, NP) and tree.at >= 0:
        tree = tree._replace(at=tree.at + 1000)
    if not isinstance(tree, tuple):
        return tree
    parts = [moved(part) for part in tree]
    return type(tree)(*parts) if hasattr(tree, "_fields") else tuple(parts)


def owns(tree: Any) -> bool:
    """His dog: there is a possessive pronoun in it."""
    here = isinstance(tree, NP) and (tree.det, tree.noun) == ("pro", "owner")
    return here or (isinstance(tree, tuple) and any(map(owns, tree)))


def _verb_in(vp: Any) -> Any:
    return vp.body if isinstance(vp, Not) else vp


def collective(vp: Any) -> bool:
    """It is stated of several as a group: they are friends; they meet each other"""
    v = _verb_in(vp)
    if not isinstance(v, V):
        return False
    if {"each other", "one another", "together"} & set(v.advs):
        return True
    np = v.obj
    if v.form != "noun" or not isinstance(np, NP) or np.posts:
        return False
    one = np.det == "a" and not np.plural and np.word != "of"  # are a couple
    return one or (np.det == "bare" and np.noun in LISTS["interpret-collective"])


def in_active(tree: Clause, asking: bool) -> Clause | None:
    """Mice are eaten by owls: owls eat mice. But not: pupils must be helped by teachers."""
    subj, v = tree.subj, _verb_in(tree.vp)
    if not isinstance(subj, NP) or not isinstance(v, V) or v.form != "passive" or v.obj:
        return None
    agents = [t.np for t in v.tails if t.prep == "by" and isinstance(t.np, NP)]
    if len(agents) != 1 or subj.excepts or agents[0].noun in LISTS["no-agents"]:
        return None
    (agent,), many = agents, subj.det in ("bare", "mass", "no")
    several = agent.plural and agent.det in ("the", "these", "poss")
    known = several or (agent.det in ("name", "the", "poss", "pro") and not asking)
    kinds = agent.det == "bare" and many and v.mode in ("", "may", "can")
    if not (kinds or ((known and (many or subj.plural or several)) and not asking)):
        return None
    obj = subj._replace(det="bare") if subj.det == "no" else subj
    rest = tuple(t for t in v.tails if t.np is not agent)
    said = v._replace(form="verb", obj=obj, tails=rest, text="")
    return Clause(agent, Not(said) if isinstance(tree.vp, Not) != (subj.det == "no") else said)


def may_be_a_guess(subj: Any, vp: Any) -> bool:
    """Ben must be at home; Rolf may not come. But not: Ben must be at home by six."""
    v = _verb_in(vp)
    if not isinstance(v, V) or getattr(subj, "det", "") not in ("name", "pro", "the"):
        return False
    days = {getattr(tail.np, "noun", "") for tail in v.tails} & LISTS["weekdays"]
    if days and v.mode == "may" and isinstance(vp, Not):
        return True  # the team may not play on Friday
    if subj.det == "the":
        return False
    if v.mode == "must" and isinstance(vp, Not):
        return False
    state = v.form in ("adj", "prep", "adv") and not any(t.prep not in _PLACING for t in v.tails)
    chance = v.mode == "may" and v.form == "verb" and v.lemma in LISTS["chances"]
    return chance or (state and v.mode in ("must", "may"))


def happened(vp: Any) -> bool:
    """It tells of one time: A visitor lost a badge. Dogs are barking in the street."""
    v = _verb_in(vp)
    if isinstance(v, Co):
        return any(map(happened, v.items))
    now = isinstance(v, V) and (v.text == "now" or "being" in v.advs)
    beside = getattr(v, "form", "") == "prep" and getattr(v.obj, "det", "") in ("name", "pro")
    now = now or (beside and v.lemma in _PLACING) or v == V("adv", "on")  # a show is on
    tails = getattr(v, "tails", ()) if getattr(v, "lemma", "") == "belong" else ()
    now = now or any(getattr(tail.np, "det", "") == "name" for tail in tails)  # belongs to Tom
    return isinstance(v, V) and not v.mode and (v.tense == "past" or now)


def passing(vp: Any, one: bool) -> bool:
    """It may tell of one time, or of `one`: is in the garden, is missing, has complained."""
    if isinstance(vp, Co):
        return any(passing(item, one) for item in vp.items)
    if not isinstance(vp, V) or vp.mode:
        return False
    of_all = {getattr(np, "word", "") for np in (vp.obj, *(t.np for t in vp.tails))}
    needed = vp.form == "passive" and vp.lemma in ("need", "want", "seek")
    if needed or (one and of_all & {"every", "each", "all"}):
        return True  # workers are needed; a guard watches every door
    places = (t for t in vp.tails if getattr(t.np, "noun", "") not in LISTS["times"])  # at night
    lasting = vp.lemma in LISTS["standing"]  # welcome in Zandor
    placed = vp.form == "adj" and not lasting and any(tail.prep in _PLACING for tail in places)
    if one and vp.form in ("adj", "passive") and (vp.text or vp.lemma) in LISTS["passing-states"]:
        return True  # a key is missing
    if one and vp.lemma == "have" and getattr(vp.obj, "noun", "") in LISTS["passing-troubles"]:
        return True
    known = any(getattr(t.np, "det", "") in ("the", "poss", "name") for t in vp.tails)
    if one and known and vp.form == "verb" and vp.lemma in LISTS["staying"]:
        return True  # a cat lives in the barn
    return vp.tense == "perf" or placed or (vp.form == "prep" and vp.lemma in _PLACING)


def subject_of(formula: Formula) -> Any:
    """The individual of whom it is stated."""
    if formula[0] == "atom":
        subject = formula[1].subj
        return subject if isinstance(subject, (Ind, Owned, Var)) else None
    return subject_of(formula[1]) if formula[0] in ("and", "&") and len(formula) > 1 else None
