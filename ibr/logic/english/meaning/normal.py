"""The one form of wordings that say the same: who belongs to the staff is staff."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ibr.logic.english.lexis.forms import PARTICIPLE, classes, verb_base, verb_participle
from ibr.logic.english.lexis.knowledge import KINDS
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.numbers import BELOW, bound_of, is_count
from ibr.logic.english.lexis.people import is_person
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred

_CREWS = LISTS["crews"]
CONVERSE = {"sell": "buy", "lend": "borrow"}
CONVERSE_PLACES = {"above": "below", "over": "under", "in front of": "behind", "before": "after"}
CONVERSE_PLACES |= {other: one for one, other in CONVERSE_PLACES.items()}
_GETTING = ("get", "receive")
_CONVERSE_ROLES: dict[str, list[str]] = {}
for _one, _other in map(str.split, sorted(LISTS["converse-roles"])):
    _CONVERSE_ROLES.setdefault(_one, []).append(_other)
_AGED = re.compile(r"([\w-]+)-(year|month|week|day)s?-old")
UNSAID = frozenset({"someone", "something", "person", "people", "thing"})


def normal(pred: Pred) -> Pred:
    """The same predication, in the form that all wordings of it share."""
    age = _AGED.fullmatch(pred.lemma) if pred.form in ("adj", "noun") else None
    if age:
        return pred._replace(form="prep", lemma="aged", obj=Kind(age[2], (age[1],)))
    if pred.form == "adj":
        usual = dict(pred.tails).get("for")
        if pred.lemma in LISTS["sizes"] and isinstance(usual, Kind) and not usual.mass:
            return pred._replace(advs=(*pred.advs, "comparatively"))  # tall for a child
        if pred.lemma == "asleep":
            return pred._replace(form="verb", lemma="sleep")
        made = modifier(pred.lemma, pred.subj)
        return pred if made.form == "adj" else pred._replace(
            form="verb", lemma=made.lemma, subj=None, obj=pred.subj, advs=(*pred.advs, *made.advs)
        )  # fmt: skip
    if pred.form == "noun":
        return _member(pred)
    group = _noun(pred.obj if pred.form == "prep" else dict(pred.tails).get("to"))
    if pred.form == "prep":
        if pred.lemma in ("on", "in", "of") and group in _CREWS:
            return pred._replace(form="noun", lemma=group, obj=None)
        if pred.lemma == "in" and group == "possession" and isinstance(pred.obj, Kind):
            held = dict(pred.obj.tails).get("of")
            return pred._replace(form="verb", lemma="have", obj=held) if held else pred
    elif pred.lemma in CONVERSE and pred.obj is not None and dict(pred.tails).get("to"):
        taker = dict(pred.tails)["to"]  # sold it to Ivo: Ivo bought it from the seller
        rest = tuple(tail for tail in pred.tails if tail[0] != "to")
        said = pred._replace(lemma=CONVERSE[pred.lemma], subj=taker)
        return said._replace(tails=(("from", pred.subj), *rest) if pred.subj else rest)
    elif pred.lemma == "belong" and len(pred.tails) == 1 and group:
        return _belonging(pred, group)
    return pred


def _may_be_person(term: Any) -> bool:
    """Tom, the baker, Tom's aunt; but not: class 5, the farm"""
    if isinstance(term, Ind) and term.is_name:
        return not any(map(str.isdigit, term.key))
    return isinstance(term, Ind | Owned) and is_person(_noun(term))


def conversely(pred: Pred) -> Iterator[Pred]:
    """The mother of Luis: Luis is her child. Has a son: is a parent."""
    tails, thing = dict(pred.tails), pred.obj
    if pred.form == "noun" and _may_be_person(tails.get("of")) and not pred.mode:
        others = _CONVERSE_ROLES.get(pred.lemma, ())
        yield from (
            pred._replace(lemma=o, subj=tails["of"], tails=(("of", pred.subj),)) for o in others
        )
    if pred.form == "verb" and not pred.mode:
        yield from _transferred(pred, tails)
    if pred.form == "prep" and pred.lemma in CONVERSE_PLACES and not pred.tails:
        yield pred._replace(lemma=CONVERSE_PLACES[pred.lemma], subj=thing, obj=pred.subj)
    if pred.form == "verb" and pred.lemma == "have" and isinstance(thing, Kind) and not pred.mode:
        others = _CONVERSE_ROLES.get(thing.noun, ()) if not thing.tails else ()
        yield from (Pred("noun", o, pred.subj, tense=pred.tense) for o in others)


def _transferred(pred: Pred, tails: dict[str, Any]) -> Iterator[Pred]:
    """Rob gave Mia a present: she got it from him. Acme employs Lea: an employee of Acme."""
    if pred.lemma == "give" and pred.obj and "to" in tails:
        rest = tuple(tail for tail in pred.tails if tail[0] != "to")
        rest = (("from", pred.subj), *rest) if pred.subj else rest
        yield from (pred._replace(lemma=v, subj=tails["to"], tails=rest) for v in _GETTING)
    elif pred.lemma in _GETTING and isinstance(pred.obj, Kind):
        thing, given = pred.obj, (*pred.tails, *pred.obj.tails)
        giver = dict(given).get("from")  # got a present from Rob
        rest = tuple(tail for tail in thing.tails if tail[0] != "from")
        said = pred._replace(lemma="give", subj=giver, obj=thing._replace(tails=rest))
        if _may_be_person(giver):
            yield said._replace(tails=(("to", pred.subj),))
    elif pred.lemma == "employ" and pred.obj:
        of = (("of", pred.subj),) if pred.subj else ()
        if pred.subj:
            yield Pred("noun", "employer", pred.subj, tails=(("of", pred.obj),), tense=pred.tense)
        yield Pred("noun", "employee", pred.obj, tails=of, tense=pred.tense)
        if isinstance(pred.subj, Ind):
            yield Pred("noun", f"{pred.subj.key} employee", pred.obj, tense=pred.tense)
            work = pred._replace(lemma="work", subj=pred.obj, obj=None)
            yield from (work._replace(tails=((p, pred.subj),)) for p in ("for", "at"))
    elif pred.lemma == "work" and isinstance(firm := tails.get("for", tails.get("at")), Ind):
        yield Pred("verb", "employ", firm, pred.subj, tense=pred.tense)
        yield Pred("noun", "employee", pred.subj, tails=(("of", firm),), tense=pred.tense)
        yield Pred("noun", "employer", firm, tails=(("of", pred.subj),), tense=pred.tense)
        yield Pred("noun", f"{firm.key} employee", pred.subj, tense=pred.tense)


def _belonging(pred: Pred, group: str) -> Pred:
    """belongs to Sam: Sam owns it; belongs to the staff: is staff"""
    if group in _CREWS:
        return pred._replace(form="noun", lemma=group, tails=())
    if group in LISTS["groups"]:
        return pred._replace(form="noun", lemma="member", tails=(("of", pred.tails[0][1]),))
    return pred._replace(lemma="own", subj=pred.tails[0][1], obj=pred.subj, tails=())


def _member(pred: Pred) -> Pred:
    """a member of staff, a staff member: staff"""
    first, _, last = pred.lemma.rpartition(" ")
    if last == "member" and first.rpartition(" ")[2] in _CREWS:
        return pred._replace(lemma=first.rpartition(" ")[2])
    if pred.lemma == "member" and pred.tails and pred.tails[0][0] == "of":
        crew = pred.tails[0][1]
        if _noun(crew) in _CREWS:
            return pred._replace(
                lemma=_noun(crew), tails=(*getattr(crew, "tails", ()), *pred.tails[1:])
            )
    return pred


def _noun(term: Any) -> str:
    """The last word of a description; for a name or a variable some word that is on no list."""
    term = term.kind if isinstance(term, Owned) else term
    if isinstance(term, Kind):
        return term.noun.rpartition(" ")[2]
    if isinstance(term, Ind):
        return term.key.rpartition(" ")[2]
    return "" if term is None else "?"


def modifier(mod: str, term: Any) -> Pred:
    """suspended: by somebody; furry"""
    *advs, word = mod.split()
    base = verb_base(word)
    other = word.endswith(("t", "lled", "pped")) and PARTICIPLE in classes(word)  # burnt, cancelled
    is_done = verb_participle(base) == word or other
    if base != word and is_done and not word.endswith("ing"):
        return Pred("verb", base, None, term, advs=tuple(advs))
    return Pred("adj", mod, term)


def changes_kind(mods: Iterable[str], noun: str) -> bool:
    """A fake badge, a stone lion, a guinea pig, fewer than two dogs: it may be none."""
    natural = is_person(noun) or noun in KINDS or noun == "egg"
    words = LISTS["privative"] | (LISTS["made-of"] if natural else frozenset())
    return any(
        mod in words or f"{mod} {noun}" in LISTS["misnamed"] or bound_of(mod)[0] in BELOW
        for mod in mods
    )


def described(kind: Kind, term: Any) -> Iterator[Pred]:
    """What a description says of its individual."""
    if changes_kind(kind.mods, kind.noun):
        yield Pred("noun", kind.words, term)
        return
    if kind.noun not in UNSAID:
        of = tuple(tail for tail in kind.tails if tail[0] == "of")
        yield normal(Pred("noun", kind.noun, term, tails=of))
    for mod in kind.mods:
        if mod not in LISTS["numerals"] | LISTS["every"] and not is_count(mod):
            yield modifier(mod, term)
    for prep, other in kind.tails:
        if prep == "with":
            yield Pred("verb", "have", term, other)
        elif prep != "of":
            yield normal(Pred("prep", prep, term, other))
