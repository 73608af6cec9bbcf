"""What follows from a predication in other words, and who is meant by "a" in a fact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ibr.logic.english.lexis import closed
from ibr.logic.english.lexis.forms import MASS, classes, verb_base, verb_participle
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.literals import noun_phrase, verb_text
from ibr.logic.english.meaning.normal import normal
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred, Rule, Var
from ibr.logic.english.wording.families import noun_of

LOSING, _FAILING = LISTS["losing"], LISTS["failing"]
_GROUPS, _CREWS = LISTS["groups"], LISTS["crews"]
_ENDING, _OVER, _HAVING = LISTS["ending"], LISTS["over"], LISTS["having"]
Denied = tuple[Pred, bool]


def wordings(rule: Rule) -> Iterator[Rule]:
    """The rule with what its conclusion says in other words."""
    yield from (rule._replace(head=head) for head in _equals(rule.head))
    found = _opposite(rule) if rule.negative else _following(rule.head)
    yield from (rule._replace(head=head, negative=negative) for head, negative in found)


def _equals(pred: Pred) -> Iterator[Pred]:
    """What is barking barks."""
    if pred.form == "adj" and MASS in classes(pred.lemma):
        yield pred._replace(form="noun")
    if pred.form == "adj" and pred.lemma.endswith("ing"):
        base = verb_base(pred.lemma)
        if base != pred.lemma:
            yield pred._replace(form="verb", lemma=base)
    elif pred.form == "verb" and pred.obj is None and pred.subj is not None:
        stem = pred.lemma
        words = (f"{stem}ing", f"{stem[:-1]}ing", f"{stem + stem[-1]}ing")
        found = (word for word in words if verb_base(word) == stem)
        yield from (pred._replace(form="adj", lemma=word) for word in [*found][:1])


def _opposite(rule: Rule) -> Iterator[Denied]:
    """What follows from what is denied, and whether that is denied, too."""
    pred, who = rule.head, rule.head.subj
    if pred.mode.partition(" ")[0] in _FAILING:  # did not forget to feed it
        yield pred._replace(mode=""), False
    if pred.form == "adj" and isinstance(who, Owned) and not (pred.mode or pred.tense):
        kind = who.kind._replace(mods=(*who.kind.mods, pred.lemma))
        yield Pred("verb", "have", who.owner, kind), True  # his pass is not valid
    if pred.lemma == "have" and isinstance(pred.obj, Kind):
        yield Pred("state", pred.obj.noun, who, mods=("passive",)), True  # has no supervision
    if not rule.body and isinstance(who, Var) and pred.obj is not None:
        yield pred._replace(subj=None), True  # nobody feeds it: it is not fed


def _following(pred: Pred) -> Iterator[Denied]:
    """What else follows, and whether it is denied."""
    tails = dict(pred.tails)
    if pred.mode.partition(" ")[0] in _FAILING:  # forgot to register, failed to pay
        done = pred._replace(mode="", subj=None if pred.obj else pred.subj)
        yield from ((done._replace(tense=tense), True) for tense in ("", "past", "perf"))
    if pred.mode:
        return
    if pred.tense == "perf" and "since" in tails:
        kept = tuple(tail for tail in pred.tails if tail[0] != "since")
        yield pred._replace(tense="", tails=kept), False
    if pred.tense == "past" and "until" in tails and pred.form != "verb":
        yield pred._replace(tense="", tails=()), True
    job = tails.get("as")
    if pred.lemma in ("work", "serve") and isinstance(job, Kind):
        yield Pred("noun", job.noun, pred.subj, mods=job.mods, tense=pred.tense), False
    sure = tuple(adverb for adverb in pred.advs if adverb not in ("almost", "nearly"))
    if sure != pred.advs:
        yield from ((pred._replace(advs=sure, tense=t), True) for t in {pred.tense, ""})
    yield from _having(pred, tails.get("of"))
    word = verb_participle(pred.lemma) if pred.passive else pred.lemma
    if word.startswith("un") and (pred.passive or pred.form == "adj"):  # unpaid: not paid
        yield normal(pred._replace(form="adj", lemma=word[2:], subj=pred.who, obj=None)), True
    if pred.form == "noun":
        yield from _acting(pred)
        first, _, rest = pred.lemma.replace("ex-", "ex ").replace("non-", "ex ").partition(" ")
        if first in closed.DENYING and rest:
            yield pred._replace(lemma=rest), True
    over = _ended(pred)
    if over is not None:
        yield over, True


def _having(pred: Pred, of: Any) -> Iterator[Denied]:
    """Has a dog: is a dog owner. The red towel is Emma's: a towel of hers. His pass is valid."""
    who, thing, tense = pred.who, pred.obj, pred.tense
    if pred.form == "noun" and isinstance(of, (Ind, Owned)):
        yield Pred("verb", "have", of, pred.subj, tense=tense), False
    if pred.form == "verb" and pred.lemma in ("have", "own", "hold") and thing is not None:
        for noun in sorted(LISTS["possessing"]):
            if isinstance(thing, Kind) and not thing.tails:
                yield Pred("noun", f"{thing.noun} {noun}", pred.subj, tense=tense), False
            yield Pred("noun", noun, pred.subj, tails=(("of", thing),), tense=tense), False
        if isinstance(thing, Ind) and not thing.is_name:
            one = Pred("noun", noun_of(thing.key), thing, tails=(("of", pred.subj),), tense=tense)
            yield one, False
    state = pred.form == "adj" or pred.passive
    if isinstance(who, Owned) and state and not tense and pred.lemma not in LOSING | _ENDING:
        word = pred.lemma if pred.form == "adj" else verb_participle(pred.lemma)
        kind = who.kind._replace(mods=(*who.kind.mods, word))
        if not {*dict(pred.tails)} - {"until"}:
            yield Pred("verb", "have", who.owner, kind), False


def _acting(pred: Pred) -> Iterator[Denied]:
    """a smoker smokes; a piano player plays the piano"""
    *mods, noun = pred.lemma.split()
    if not noun.endswith("er") or pred.tails:
        return
    doubled = noun[:-3] if noun[-3:-2] == noun[-4:-3] else noun[:-2]
    stems = (noun[:-2], noun[:-1], doubled)
    found = [s for s in stems if s in (verb_base(f"{s}s"), verb_base(f"{s}ed"))]
    thing = " ".join(mods)
    for obj in (Ind(thing), Kind(thing, plural=True)) if mods else (None,):
        yield from ((Pred("verb", s, pred.subj, obj, tense=pred.tense), False) for s in found[:1])


def _ended(pred: Pred) -> Pred | None:
    """The state that is over: Tom's ban has been lifted; he has served his sentence"""
    who, thing, noun = pred.who, pred.obj if pred.who is not pred.obj else None, ""
    left = thing.key.rpartition(" ")[2] if isinstance(thing, Ind) else ""
    if pred.lemma in ("leave", "quit") and left in _GROUPS and pred.tense:
        noun = left if left in _CREWS else "member"
    elif pred.form == "adj" and pred.lemma == "free":
        thing = dict(pred.tails).get("of") or dict(pred.tails).get("from")
        noun = thing.noun if isinstance(thing, Kind) else ""
    elif pred.form in ("adj", "adv", "verb") and pred.lemma in (
        _ENDING if pred.form == "verb" else _OVER
    ):
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
    return Pred("state", noun.rpartition(" ")[2], who) if noun else None


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
