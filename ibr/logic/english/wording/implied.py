"""What follows from a predication in other words, and who is meant by "a" in a fact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ibr.logic.english.lexis.forms import verb_base, verb_participle
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred
from ibr.logic.surface.words import words


def implied(pred: Pred) -> Iterator[tuple[Pred, bool]]:
    """What follows in other words, and whether it is denied."""
    if pred.tense == "perf" and any(p == "since" for p, _ in pred.tails) and not pred.mode:
        kept = tuple(t for t in pred.tails if t[0] != "since")
        yield pred._replace(tense="", tails=kept), False
    if pred.form == "adj" and pred.lemma.startswith("un") and not pred.mode:
        word = pred.lemma[2:]
        base = verb_base(word)
        if base != word and verb_participle(base) == word:
            yield pred._replace(form="verb", lemma=base, subj=None, obj=pred.subj), True
        yield pred._replace(lemma=word), True
    if pred.form == "verb" and pred.subj is None and pred.lemma.startswith("un") and not pred.mode:
        yield pred._replace(lemma=pred.lemma[2:]), True
    if pred.form == "verb" and pred.lemma in ("work", "serve") and not pred.mode:
        for prep, term in pred.tails:
            if prep == "as" and isinstance(term, Kind):
                yield Pred("noun", term.noun, pred.subj, mods=term.mods, tense=pred.tense), False
    if pred.form == "noun" and pred.lemma.endswith("er") and not pred.tails:
        yield from _agent(pred)


def _agent(pred: Pred) -> Iterator[tuple[Pred, bool]]:
    """a smoker smokes; a piano player plays the piano"""
    *mods, noun = pred.lemma.split()
    for stem in (noun[:-2], noun[:-1], noun[:-3] if noun[-3:-2] == noun[-4:-3] else noun[:-2]):
        if verb_base(stem + "s") == stem or verb_base(stem + "ed") == stem:
            obj = Ind(" ".join(mods)) if mods else None
            yield Pred("verb", stem, pred.subj, obj, tense=pred.tense), False
            return


def witness_of(stated: Pred, kind: Kind) -> Any:
    """The one that is had: Nina's parrot; the dog that Leo saw."""
    from ibr.logic.english.meaning.literals import noun_phrase, verb_text

    if stated.subj == kind and isinstance(stated.obj, (Ind, Owned)):
        verb = (
            stated.lemma
            if stated.form == "prep"
            else f"that {verb_text(stated.mode, stated.tense, stated.lemma)}"
        )
        return Ind(f"{' '.join((*kind.mods, kind.noun))} {verb} {noun_phrase(stated.obj)}")
    if not isinstance(stated.subj, (Ind, Owned)):
        return None
    if stated.form == "verb" and stated.lemma in _HAVING:
        return Owned(stated.subj, kind._replace(mods=kind.mods))
    verb = verb_text(stated.mode, stated.tense, stated.lemma)
    return Ind(f"{' '.join((*kind.mods, kind.noun))} that {noun_phrase(stated.subj)} {verb}")


_HAVING = words("have own keep hold carry wear bring lose drive raise breed buy")
