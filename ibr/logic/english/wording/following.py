"""What follows from a predication in other words, and who is meant by "a" in a fact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ibr.logic.english.lexis import closed
from ibr.logic.english.lexis.forms import MASS, classes, verb_base, verb_participle
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.literals import noun_phrase, verb_text
from ibr.logic.english.meaning.normal import normal
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred
from ibr.logic.english.wording.families import noun_of

LOSING, _FAILING = LISTS["losing"], LISTS["failing"]
_GROUPS, _CREWS = LISTS["groups"], LISTS["crews"]
_ENDING, _OVER, _HAVING = LISTS["ending"], LISTS["over"], LISTS["having"]


def following(pred: Pred) -> Iterator[tuple[Pred, bool]]:
    """What else follows, and whether it is denied."""
    tails = dict(pred.tails)
    if not pred.mode:
        if pred.tense == "perf" and "since" in tails:
            kept = tuple(tail for tail in pred.tails if tail[0] != "since")
            yield pred._replace(tense="", tails=kept), False
        if pred.tense == "past" and "until" in tails and pred.form != "verb":
            yield pred._replace(tense="", tails=()), True
        if pred.form == "verb" and pred.lemma in ("work", "serve"):
            job = tails.get("as")
            if isinstance(job, Kind):
                yield Pred("noun", job.noun, pred.subj, mods=job.mods, tense=pred.tense), False
        sure = tuple(adverb for adverb in pred.advs if adverb not in ("almost", "nearly"))
        if sure != pred.advs:
            yield pred._replace(advs=sure), True
            yield pred._replace(advs=sure, tense=""), True
        first, _, rest = pred.lemma.replace("ex-", "ex ").replace("non-", "ex ").partition(" ")
        if pred.form == "noun" and first in closed.DENYING and rest:
            yield pred._replace(lemma=rest), True
        if pred.form == "noun" and isinstance(tails.get("of"), (Ind, Owned)):
            yield Pred("verb", "have", tails["of"], pred.subj, tense=pred.tense), False
        if pred.form == "verb" and pred.lemma in ("have", "own", "hold"):
            yield from _possessing(pred)
        if pred.lemma in ("own", "have") and isinstance(pred.obj, Ind) and not pred.obj.is_name:
            noun = noun_of(pred.obj.key)  # the red towel is Emma's: a towel of hers
            yield Pred("noun", noun, pred.obj, tails=(("of", pred.subj),), tense=pred.tense), False
        yield from _undone(pred)
        yield from _acting(pred)
        yield from _owned(pred)
    elif pred.mode.partition(" ")[0] in _FAILING:  # forgot to register, failed to pay
        done = pred._replace(mode="", subj=None if pred.obj else pred.subj)
        yield from ((done._replace(tense=tense), True) for tense in ("", "past", "perf"))


def _possessing(pred: Pred) -> Iterator[tuple[Pred, bool]]:
    """Has a dog: is a dog owner, the owner of a dog"""
    thing = pred.obj
    for noun in sorted(LISTS["possessing"]):
        if isinstance(thing, Kind) and not thing.tails:
            yield Pred("noun", f"{thing.noun} {noun}", pred.subj, tense=pred.tense), False
        if thing is not None:
            yield Pred("noun", noun, pred.subj, tails=(("of", thing),), tense=pred.tense), False


def opposite(pred: Pred) -> Iterator[tuple[Pred, bool]]:
    """What follows from what is denied, and whether that is denied, too."""
    first = pred.mode.partition(" ")[0]
    if first in _FAILING:  # did not forget to feed it
        yield pred._replace(mode=""), False
    if pred.form == "adj" and isinstance(pred.subj, Owned) and not (pred.mode or pred.tense):
        kind = pred.subj.kind._replace(mods=(*pred.subj.kind.mods, pred.lemma))
        yield Pred("verb", "have", pred.subj.owner, kind), True  # his pass is not valid


def _undone(pred: Pred) -> Iterator[tuple[Pred, bool]]:
    """unpaid: not paid"""
    word = verb_participle(pred.lemma) if pred.passive else pred.lemma
    if word.startswith("un") and (pred.passive or pred.form == "adj"):
        yield normal(pred._replace(form="adj", lemma=word[2:], subj=pred.who, obj=None)), True


def equals(pred: Pred) -> Iterator[Pred]:
    """What is barking barks."""
    if pred.form == "adj" and MASS in classes(pred.lemma):
        yield pred._replace(form="noun")
    if pred.form == "adj" and pred.lemma.endswith("ing"):
        base = verb_base(pred.lemma)
        if base != pred.lemma:
            yield pred._replace(form="verb", lemma=base)
    elif pred.form == "verb" and pred.obj is None and pred.subj is not None:
        stem = pred.lemma
        for word in (f"{stem}ing", f"{stem[:-1]}ing", f"{stem + stem[-1]}ing"):
            if verb_base(word) == stem:
                yield pred._replace(form="adj", lemma=word)
                return


def _acting(pred: Pred) -> Iterator[tuple[Pred, bool]]:
    """a smoker smokes; a piano player plays the piano"""
    if pred.form == "noun" and pred.lemma.endswith("er") and not pred.tails:
        *mods, noun = pred.lemma.split()
        doubled = noun[:-3] if noun[-3:-2] == noun[-4:-3] else noun[:-2]
        for stem in (noun[:-2], noun[:-1], doubled):
            if verb_base(stem + "s") == stem or verb_base(stem + "ed") == stem:
                thing = " ".join(mods)
                for obj in (Ind(thing), Kind(thing, plural=True)) if mods else (None,):
                    yield Pred("verb", stem, pred.subj, obj, tense=pred.tense), False
                return


def _owned(pred: Pred) -> Iterator[tuple[Pred, bool]]:
    """Leo's pass is valid: he has a valid pass."""
    term = pred.who
    if not isinstance(term, Owned) or not (pred.form == "adj" or pred.passive) or pred.tense:
        return
    if pred.lemma not in LOSING | _ENDING and not {*dict(pred.tails)} - {"until"}:
        word = pred.lemma if pred.form == "adj" else verb_participle(pred.lemma)
        kind = term.kind._replace(mods=(*term.kind.mods, word))
        yield Pred("verb", "have", term.owner, kind), False


def ended(pred: Pred) -> tuple[Any, str] | None:
    """Whose state is over, and which: Tom's ban has been lifted; he has served his sentence"""
    noun = ""
    left = pred.obj.key.rpartition(" ")[2] if isinstance(pred.obj, Ind) else ""
    if pred.lemma in ("leave", "quit") and left in _GROUPS and pred.tense and not pred.mode:
        return pred.subj, left if left in _CREWS else "member"
    who, thing = pred.who, pred.obj if pred.who is not pred.obj else None
    if pred.mode or pred.form not in ("adj", "adv", "verb"):
        return None
    if pred.form == "adj" and pred.lemma == "free":
        thing = dict(pred.tails).get("of") or dict(pred.tails).get("from")
        noun = thing.noun if isinstance(thing, Kind) else ""
    elif pred.lemma in (_ENDING if pred.form == "verb" else _OVER):
        timed = isinstance(thing, Kind) and thing.mass and not thing.noun.endswith("ing")
        if isinstance(who, Owned) and (thing is None or timed):  # ended, ended last week
            who, noun = who.owner, who.kind.noun
        elif thing is None and isinstance(who, Ind) and " on " in who.key:
            noun, _, rest = who.key.partition(" on ")
            who = Ind(rest.removeprefix("the "))
        elif isinstance(thing, Owned) and thing.owner == who:
            noun = thing.kind.noun
        elif isinstance(thing, Kind) and thing.mass and thing.noun.endswith("ing"):
            noun = thing.noun  # has stopped smoking
    return (who, noun.rpartition(" ")[2]) if noun else None


def witness_of(stated: Pred, kind: Kind) -> Any:
    """The one that is had: Nina's parrot; the dog that Leo saw."""
    verb = verb_text(stated.mode, stated.tense, stated.lemma)
    if stated.subj == kind and isinstance(stated.obj, (Ind, Owned, None.__class__)):
        said = stated.lemma if stated.form == "prep" else f"that {verb}"
        return Ind(f"{kind.words} {said} {noun_phrase(stated.obj) if stated.obj else ''}".strip())
    if not isinstance(stated.subj, (Ind, Owned)):
        return None
    if stated.form == "verb" and stated.lemma in _HAVING:
        return Owned(stated.subj, kind)
    return Ind(f"{kind.words} that {noun_phrase(stated.subj)} {verb}")
