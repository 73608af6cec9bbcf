"""The content words of a predication, and those of whom they may be said."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred, Var
from ibr.logic.english.wording.families import family


class ContentWord(NamedTuple):
    """A content word of a predication. `where`: pred, noun, mod, adverb, like."""

    word: str
    where: str


_BODY = LISTS["body"]


_BELIEF = LISTS["belief"]


def keys_of(pred: Pred, whole: bool = False) -> Iterator[str]:
    """The words that make a predication what it is; `whole`: all words of a compound."""
    if pred.form in ("adj", "noun", "verb") and pred.lemma not in ("have", "be", "do", "get"):
        yield pred.lemma.split()[0] if pred.form == "adj" else pred.lemma.rpartition(" ")[2]
        return
    if pred.form == "role":
        yield pred.lemma.rpartition(" ")[2]
        return
    for term in (pred.obj, pred.subj if pred.form == "there" else None):
        if isinstance(term, Kind):
            yield term.noun if whole else term.noun.rpartition(" ")[2]
        elif isinstance(term, Ind):
            yield term.key.rpartition(" ")[2]
        elif isinstance(term, Owned):
            yield term.kind.noun.rpartition(" ")[2]


def content_of(pred: Pred, denied: bool) -> Iterator[ContentWord]:
    if pred.lemma not in ("be", "have", "do"):
        for word in pred.lemma.split():
            yield ContentWord(word, "pred")
    for mod in pred.mods:
        yield ContentWord(mod.rpartition(" ")[2], "mod")
    for prep, term in (("", pred.subj), ("", pred.obj), *pred.tails):
        where = "like" if prep in ("like", "as") else "noun"
        if term is not pred.subj or not isinstance(term, Ind):
            yield from _of_term(term, where)
    for adverb in pred.advs:
        if adverb.startswith("that ") and pred.lemma in _BELIEF and not denied:
            continue
        for word in adverb.split():
            yield ContentWord(word.lower(), "adverb")


def _of_term(term: Any, where: str) -> Iterator[ContentWord]:
    if isinstance(term, Owned):
        yield from _of_term(term.kind, where)
    elif isinstance(term, Kind):
        for word in term.noun.split():
            yield ContentWord(word, where)
        for _, other in term.tails:
            yield from _of_term(other, where)
    elif isinstance(term, Ind) and not term.key[:1].isupper():
        for word in term.key.replace("'s", "").split():
            yield ContentWord(word, where)


def mentioned(pred: Pred, wanted: Pred) -> Iterator[Any]:
    """Those of whom it may be said, the subject first."""
    acting = (
        wanted.form == "verb"
        and wanted.subj is None
        and pred.form == "verb"
        and (
            pred.subj is not None
            and isinstance(pred.obj, (Ind, Var))
            and family(pred.lemma, wanted.lemma)
        )
    )
    if wanted.form == "noun" and pred.form == "verb" and pred.subj is not None:
        yield pred.subj
        return
    for k, term in enumerate(pred.terms):
        if k == 0 and acting:
            continue
        if isinstance(term, Owned) and _other_thing(pred, term, wanted):
            yield term
            continue
        if isinstance(term, Kind) and (k > 1 or (k == 1 and pred.subj is not None)):
            yield from _inside(term)
        elif term is not None:
            yield term
            yield from _inside(term)
    for adverb in pred.advs:
        if adverb.startswith("that "):
            for word in adverb.split():
                if word[:1].isupper():
                    yield Ind(word)
                elif word in ("he", "she", "it", "they"):
                    yield pred.subj


def _other_thing(pred: Pred, term: Owned, wanted: Pred) -> bool:
    """Karl's dog is banned: Karl is not."""
    noun = term.kind.noun.rpartition(" ")[2]
    if noun in _BODY or any(family(noun, key) for key in keys_of(wanted)):
        return False
    return pred.subj == term or (pred.subj is None and pred.obj == term)


def _inside(term: Any) -> Iterator[Any]:
    if isinstance(term, Owned):
        yield term.owner
        yield from _inside(term.owner)
        term = term.kind
    if isinstance(term, Kind):
        for _, other in term.tails:
            yield other
            yield from _inside(other)
    if isinstance(term, Ind) and " of the " in term.key:
        yield Ind(term.key.partition(" of the ")[2])
    if isinstance(term, Ind) and " of " in term.key:
        yield Ind(term.key.partition(" of ")[2])
