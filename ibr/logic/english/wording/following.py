"""What a rule says in other words, and who is meant by "a" in a fact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ibr.logic.english.lexis.forms import is_listed, noun_of, verb_base, verb_participle
from ibr.logic.english.lexis.knowledge import sex_of
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.literals import noun_phrase, verb_text
from ibr.logic.english.meaning.normal import CONVERSE, changes_kind, conversely, described, normal
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred, Rule, Var

LOSING = LISTS["losing"]
_AT = LISTS["ordering"] | LISTS["beside"] | {"at", "between", "by", "in", "inside", "near", "on"}
Denied = tuple[Pred, bool]
_MEANS = dict(line.split() for line in sorted(LISTS["means"]))
_GOING = LISTS["going"] | {*_MEANS.values()}
_DOING = {"owner": "own", "holder": "hold", "employee": "employ", "employer": "employ"}


def wordings(rule: Rule) -> Iterator[Rule]:
    """The rule with what its conclusion says in other words, and with what follows from that."""
    pred = rule.head
    if pred.form == "adj" and pred.lemma.endswith("ing"):  # what is barking barks
        yield rule._replace(head=pred._replace(form="verb", lemma=verb_base(pred.lemma)))
    elif pred.form == "verb" and pred.obj is None:
        stem = pred.lemma
        words = (f"{stem}ing", f"{stem[:-1]}ing", f"{stem + stem[-1]}ing")
        found = [pred._replace(form="adj", lemma=word) for word in words if verb_base(word) == stem]
        yield from (rule._replace(head=head) for head in found[:1])
    others = _denied(rule) if rule.negative else _following(pred)
    yield from (rule._replace(head=head, negative=negative) for head, negative in others)


def _denied(rule: Rule) -> Iterator[Denied]:
    """What follows from what is denied, and whether that is denied, too."""
    pred, who = rule.head, rule.head.subj
    if pred.mode.partition(" ")[0] in LISTS["failing"]:  # did not forget to feed it
        yield pred._replace(mode=""), False
    if pred.mode.partition(" ")[0] in LISTS["managing"]:  # did not manage to start it
        yield pred._replace(mode=""), True
    if pred.mode == "can" and not pred.tense:  # cannot fly: does not
        yield pred._replace(mode=""), True
    if pred.passive and not (pred.mode or pred.advs or pred.tails):  # not damaged: undamaged
        yield normal(Pred("adj", f"un{verb_participle(pred.lemma)}", pred.who)), False
    if pred.form == "adj" and isinstance(who, Owned) and not (pred.mode or pred.tense):
        kind = who.kind._replace(mods=(*who.kind.mods, pred.lemma))
        yield Pred("verb", "have", who.owner, kind), True  # his pass is not valid
    if pred.lemma == "contain":  # contains no sugar: is without it
        yield pred._replace(lemma="have"), True
    if pred.lemma == "have" and isinstance(pred.obj, Kind):
        yield Pred("state", pred.obj.noun, who, mods=("passive",)), True  # has no supervision
    if not rule.body and (isinstance(who, Var) or who == Ind("We")):
        yield pred._replace(subj=None), True  # nobody feeds it: it is not fed


def _following(pred: Pred) -> Iterator[Denied]:
    """What else follows, and whether it is denied."""
    tails = dict(pred.tails)
    if pred.mode.partition(" ")[0] in LISTS["failing"]:  # forgot to register, failed to pay
        done = pred._replace(mode="", subj=None if pred.obj else pred.subj)
        yield from ((done._replace(tense=tense), True) for tense in ("", "past", "perf"))
    if pred.mode.partition(" ")[0] in LISTS["managing"]:
        pred = pred._replace(mode="")  # managed to start it
        yield pred, False
    if pred.mode == "used to":
        yield from ((pred._replace(mode="", tense=tense), False) for tense in ("past", "perf"))
    if pred.mode:
        return
    become = pred.lemma == "become" and not (pred.advs or pred.tails)
    if become and isinstance(pred.obj, Kind) and pred.tense != "past":
        yield from ((one, False) for one in described(pred.obj, pred.subj))
    if pred.tense == "perf" and "since" in tails:
        kept = tuple(tail for tail in pred.tails if tail[0] != "since")
        yield pred._replace(tense="", tails=kept), False
    if pred.tense == "past" and "until" in tails and pred.form != "verb":
        yield pred._replace(tense="", tails=()), True
    if pred.lemma in LISTS["standing-in"] and pred.obj is None and pred.tails:  # stands by it: is
        (prep, place), *rest = pred.tails
        plain = pred.form == "verb" and not pred.passive and not pred.advs
        if plain and prep in _AT - {"after", "before"}:
            there = Pred("prep", prep, pred.subj, place, tuple(rest), tense=pred.tense)
            yield there, False
    job = tails.get("as")
    if pred.lemma in ("work", "serve") and isinstance(job, Kind):
        yield Pred("noun", job.noun, pred.subj, mods=job.mods, tense=pred.tense), False
    sure = tuple(adverb for adverb in pred.advs if adverb not in ("almost", "nearly"))
    if sure != pred.advs:
        yield pred._replace(advs=sure), True
        yield pred._replace(advs=sure, tense=""), True
    word = verb_participle(pred.lemma) if pred.passive else pred.lemma
    if word.startswith("un") and (pred.passive or pred.form == "adj"):  # unpaid: not paid
        yield normal(pred._replace(form="adj", lemma=word[2:], subj=pred.who, obj=None)), True
    yield from ((other, False) for other in (*conversely(pred), *_going(pred), *_sold(pred)))
    yield from ((one, False) for one in _married(pred))
    if pred.lemma in LISTS["creating"] and isinstance(pred.obj, Ind | Owned | Var) and pred.subj:
        yield Pred("prep", "by", pred.obj, pred.subj), False  # wrote the book: it is by her
    inside = pred._replace(tails=tuple((prep, _whole(term)) for prep, term in pred.tails))
    inside = inside._replace(obj=_whole(pred.obj)) if pred.form == "prep" else inside
    if inside != pred:
        yield inside, False
    if pred.lemma in LISTS["ergative"] and pred.obj is not None and not pred.tails:
        yield pred._replace(subj=pred.obj, obj=None), False  # he broke it: it broke
    if pred.form == "noun":
        yield from _being(pred, tails.get("of"))
        for form, word, no in () if changes_kind(pred.mods, pred.lemma) else sex_of(pred.lemma):
            yield Pred(form, word, pred.subj), no
    yield from _having(pred)
    over = _ended(pred)
    if over is not None:
        yield over, True


def _going(pred: Pred) -> Iterator[Pred]:
    """Goes to work on foot: walks to work; and the other way round."""
    if pred.form != "verb" or pred.lemma not in _GOING or pred.obj is not None:
        return
    tails = tuple((p, t) for p, t in pred.tails if p not in ("on", "by") or _means(t) not in _MEANS)
    for _, term in (tail for tail in pred.tails if tail not in tails):
        yield pred._replace(lemma=_MEANS[_means(term)], tails=tails)
    for noun in sorted(noun for noun, verb in _MEANS.items() if verb == pred.lemma):
        by = ("on" if noun == "foot" else "by", Kind(noun, mass=True))
        yield from (pred._replace(lemma=verb, tails=(*pred.tails, by)) for verb in LISTS["going"])


def _means(term: Any) -> str:
    return term.noun if isinstance(term, Kind) and term.mass else ""


def _sold(pred: Pred) -> Iterator[Pred]:
    """Ole bought it from Inga: she sold it to him."""
    giver = dict(pred.tails).get("from")
    for lemma in (one for one, other in CONVERSE.items() if other == pred.lemma):
        if isinstance(giver, Ind | Owned) and pred.obj is not None:
            rest = tuple(tail for tail in pred.tails if tail[0] != "from")
            yield pred._replace(lemma=lemma, subj=giver, tails=rest)


def _married(pred: Pred) -> Iterator[Pred]:
    """Paul is Rita's husband, Rita has a husband: each one is married."""
    of = dict(pred.tails).get("of") if pred.form == "noun" else pred.obj
    noun = pred.lemma if pred.form == "noun" else getattr(of, "noun", "")
    holds = pred.form == "noun" or pred.lemma == "have"
    if noun in LISTS["spouses"] and of and holds and not (pred.tense or pred.mods):
        couple = (pred.subj, of) if pred.form == "noun" else (pred.subj,)
        yield from (normal(Pred("adj", "married", one)) for one in couple)


def _whole(term: Any) -> Any:
    """The north of Leeds is in Leeds."""
    return term.owner if isinstance(term, Owned) and term.kind.noun in LISTS["parts"] else term


def _being(pred: Pred, of: Any) -> Iterator[Denied]:
    """A dog of Tom: Tom has it. An ex-member is none. A piano player plays the piano."""
    if pred.lemma == "member" and isinstance(of, Ind) and not of.is_name:
        yield Pred("noun", f"{of.key} member", pred.subj, tense=pred.tense), False
    if pred.lemma == "member" and isinstance(of, Ind) and noun_of(of.key) in LISTS["memberships"]:
        yield Pred("prep", "in", pred.subj, of, tense=pred.tense), False
    if isinstance(of, (Ind, Owned)):
        yield Pred("verb", "have", of, pred.subj, tense=pred.tense), False
    if of is not None and pred.lemma in _DOING:
        pair = (of, pred.subj) if pred.lemma == "employee" else (pred.subj, of)
        done = Pred("verb", _DOING[pred.lemma], *pair, tense=pred.tense)
        yield from ((one, False) for one in (done, *conversely(done)))
    first, _, rest = pred.lemma.replace("ex-", "ex ").replace("non-", "ex ").partition(" ")
    if first in LISTS["denying"] and rest:
        yield pred._replace(lemma=rest), True
    if first == "ex" and pred.lemma.startswith("non-"):  # a non-swimmer
        for done, _ in _being(pred._replace(lemma=rest), of):
            yield from ((done._replace(mode=mode), True) for mode in ("", "can"))
        return
    *mods, noun = pred.lemma.split()
    doubled = noun[:-3] if noun[-3:-2] == noun[-4:-3] else noun[:-2]
    stems = (noun[:-2], noun[:-1], doubled) if noun.endswith("er") and not pred.tails else ()
    listed = filter(is_listed, stems)
    found = [s for s in listed if s in (verb_base(f"{s}s"), verb_base(f"{s}ed"))]
    thing = " ".join(mods)
    for obj in (Ind(thing), Kind(thing, plural=True)) if mods else (None,):
        yield from ((Pred("verb", s, pred.subj, obj, tense=pred.tense), False) for s in found[:1])


def _having(pred: Pred) -> Iterator[Denied]:
    """Has a dog: is a dog owner, the owner of a dog. His pass is valid: he has a valid pass."""
    who, thing, tense = pred.who, pred.obj, pred.tense
    if pred.lemma in ("have", "own", "hold") and thing is not None:
        for noun in sorted(LISTS["possessing"]):
            if isinstance(thing, Kind):
                yield Pred("noun", f"{thing.noun} {noun}", pred.subj, tense=tense), False
            yield Pred("noun", noun, pred.subj, tails=(("of", thing),), tense=tense), False
    if pred.lemma in ("have", "own") and isinstance(thing, Ind) and not thing.is_name:
        of = (("of", pred.subj),)  # the red towel is Emma's: a towel of hers
        yield Pred("noun", noun_of(thing.key), thing, tails=of, tense=tense), False
    state = pred.form == "adj" or pred.passive
    word = pred.lemma if pred.form == "adj" else verb_participle(pred.lemma)
    lasts = word in LISTS["cancelled"] or pred.lemma not in LOSING | LISTS["ending"]
    lasts = lasts and {*dict(pred.tails)} <= {"until"}
    if isinstance(who, Owned) and state and lasts and not tense:
        kind = who.kind._replace(mods=(*who.kind.mods, word))
        yield Pred("verb", "have", who.owner, kind), False


def _ended(pred: Pred) -> Pred | None:
    """The state that is over: Tom's ban has been lifted; he has served his sentence"""
    who, thing, noun = pred.who, pred.obj if pred.who is not pred.obj else None, ""
    left = thing.key.rpartition(" ")[2] if isinstance(thing, Ind) else ""
    mass = thing.noun if isinstance(thing, Kind) and thing.mass else ""
    over = LISTS["ending"] if pred.form == "verb" else LISTS["over"]
    if pred.lemma in ("leave", "quit") and left in LISTS["groups"] and pred.tense:
        noun = left if left in LISTS["crews"] else "member"
    elif pred.form == "adj" and pred.lemma == "free":
        kind = dict(pred.tails).get("of") or dict(pred.tails).get("from")
        noun = kind.noun if isinstance(kind, Kind) else ""
    elif pred.lemma not in over:
        return None
    elif mass.endswith("ing"):
        noun = mass  # has stopped smoking
    elif isinstance(who, Owned) and (thing is None or mass):  # ended, ended last week
        who, noun = who.owner, who.kind.noun
    elif thing is None and isinstance(who, Ind) and " on " in who.key:
        noun, _, rest = who.key.partition(" on ")
        who = Ind(rest.removeprefix("the "))
    elif isinstance(thing, Owned) and thing.owner == who:
        noun = thing.kind.noun
    return Pred("state", noun.rpartition(" ")[2], who) if noun else None


def witness_of(stated: Pred, kind: Kind) -> Any:
    """The one that is had: Nina's parrot; the dog that Leo saw."""
    verb = verb_text(stated.mode, stated.tense, stated.lemma)
    if stated.subj == kind and isinstance(stated.obj, (Ind, Owned, None.__class__)):
        said = stated.lemma if stated.form == "prep" else f"that {verb}"
        return Ind(f"{kind.words} {said} {noun_phrase(stated.obj) if stated.obj else ''}".strip())
    if not isinstance(stated.subj, (Ind, Owned)):
        return None
    if stated.form == "verb" and stated.lemma in LISTS["having"]:
        return Owned(stated.subj, kind)
    return Ind(f"{kind.words} that {noun_phrase(stated.subj)} {verb}")
