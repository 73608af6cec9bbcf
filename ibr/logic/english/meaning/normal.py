"""The one form of wordings that say the same: who belongs to the staff is staff."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ibr.logic.english.lexis import closed
from ibr.logic.english.lexis.forms import PARTICIPLE, classes, verb_base, verb_participle
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.terms import Ind, Kind, Pred

_GROUPS, _CREWS = LISTS["groups"], LISTS["crews"]
CONVERSE = {"sell": "buy", "lend": "borrow"}
UNSAID = frozenset({"someone", "something", "person", "people", "thing"})


def normal(pred: Pred) -> Pred:
    """The same predication, in the form that all wordings of it share."""
    if pred.form == "adj":
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


def _belonging(pred: Pred, group: str) -> Pred:
    """belongs to Sam: Sam owns it; belongs to the staff: is staff"""
    if group in _CREWS:
        return pred._replace(form="noun", lemma=group, tails=())
    if group in _GROUPS:
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


def described(kind: Kind, term: Any) -> Iterator[Pred]:
    """What a description says of its individual."""
    if closed.PRIVATIVE & {*kind.mods}:
        yield Pred("noun", kind.words, term)
        return
    if kind.noun not in UNSAID:
        of = tuple(tail for tail in kind.tails if tail[0] == "of")
        yield normal(Pred("noun", kind.noun, term, tails=of))
    for mod in kind.mods:
        if mod not in closed.NUMERALS:
            yield modifier(mod, term)
    for prep, other in kind.tails:
        if prep == "with":
            yield Pred("verb", "have", term, other)
        elif prep != "of":
            yield normal(Pred("prep", prep, term, other))
