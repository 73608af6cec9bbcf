"""Individuals that may be one: what a description says is stated of somebody else, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ibr.logic.budget import spend
from ibr.logic.english.lexis import closed
from ibr.logic.english.lexis.forms import singular
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred, walk
from ibr.logic.english.wording.families import alike_names, family, noun_of

_AGENTS = ("er", "or", "ant", "ent", "ee")


def may_be(one: Any, other: Any, facts: Sequence[Pred]) -> bool:
    """The first is a description of which all words are stated of the other, or a like name."""
    keys = [term.key for term in (one, other) if isinstance(term, Ind)]
    if one == other or any(key.startswith(("other ", "another ")) for key in keys):
        return False
    if len(keys) == 2 and alike_names(*keys):
        return True
    if isinstance(one, Ind) and (one.is_name or one.key == "it" or one.key.startswith("typical ")):
        return False
    *rest, noun = _words(one)
    *others, same = _words(other)
    if noun == same and not (isinstance(other, Ind) and other.is_name) and {*others} <= {*rest}:
        return True  # Pim's saw: the saw
    if isinstance(one, Ind) and singular(noun) != noun:
        return False  # the keys: all of them
    spend(1 + len(facts) // 20)
    about = [pred for pred in facts if other in (pred.subj, pred.obj)]
    if not any(family(noun, word) for word in _classes(other, noun, about)):
        return False
    known = {word for pred in about for word in _all_words(pred)} | {*_words(other)}
    return all(word in known for word in rest)


def is_group(term: Any) -> bool:
    return isinstance(term, Ind) and noun_of(term.key) in LISTS["groups"]


def _words(term: Any) -> list[str]:
    """The content words of a description, its noun last."""
    if isinstance(term, Owned):
        return [*_words(term.owner), *term.kind.mods, *term.kind.noun.split()]
    key = term.words if isinstance(term, Kind) else term.key
    own = [w for w in key.split() if w not in closed.CLOSED] or [key]
    noun = noun_of(key)
    return [*(w for w in own if w != noun), noun]


def _classes(term: Any, noun: str, about: Sequence[Pred]) -> Iterator[str]:
    """What somebody is: by name, by what is stated, by what he does, by the group he is in."""
    if isinstance(term, Owned) or not term.is_name:
        yield _words(term)[-1]
    for pred in about:
        if pred.subj == term and pred.form in ("noun", "adj"):
            yield pred.lemma.rpartition(" ")[2]
        elif pred.subj == term and pred.form == "verb" and noun.endswith(_AGENTS):
            yield pred.lemma
        if pred.form in ("prep", "noun") and noun in LISTS["groups"]:
            yield from _all_words(pred)


def _all_words(pred: Pred) -> Iterator[str]:
    yield from (*pred.lemma.split(), *pred.mods)
    for part in (part for term in pred.terms for part in walk(term)):
        if isinstance(part, Kind):
            yield from part.words.split()
        elif isinstance(part, Ind):
            yield from part.key.split()
