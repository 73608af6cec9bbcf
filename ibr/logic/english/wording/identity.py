"""Individuals that may be one: what a description says is stated of somebody else, too."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

from ibr.logic.budget import spend
from ibr.logic.english.lexis.forms import family, noun_of, singular
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.splitting import TITLES
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred, walk

Akin = Callable[[str, str], bool]
Pair = tuple[Any, Any]
_AGENTS = ("er", "or", "ant", "ent", "ee")
_CONFUSABLE = str.maketrans("АВЕКМНОРСТХаеорсухіѕ", "ABEKMHOPCTXaeopcyxis")


def may_be_one(everyone: Sequence[Any], facts: Sequence[Pred]) -> tuple[Pair, ...]:
    """The pairs of which the first may be the second."""
    return pairs_in(tuple(everyone), tuple(facts))


@lru_cache(maxsize=32)
def pairs_in(everyone: tuple[Any, ...], facts: tuple[Pred, ...]) -> tuple[Pair, ...]:
    """`may_be_one`, which most questions to a rulebook and most of its readings have in common."""
    return tuple(_pairs(everyone, facts))


def _pairs(everyone: Sequence[Any], facts: Sequence[Pred]) -> Iterator[Pair]:
    about: dict[Any, list[Pred]] = {}
    for pred in facts:
        for term in {pred.subj, pred.obj}:
            about.setdefault(term, []).append(pred)
    akin = cache(family)  # the same words come again and again
    like = _like_names(everyone)
    for place, one in enumerate(everyone):
        is_name = isinstance(one, Ind) and one.is_name
        for other in (everyone[p] for p in sorted(like[place])) if is_name else everyone:
            if _may_be(one, other, about.get(other, []), akin):
                yield one, other


def _like_names(everyone: Sequence[Any]) -> dict[int, set[int]]:
    """The places of those that may be `_alike`, in time that grows with names, not with pairs.

    One of two such names has all words of the other, so also the one that fewest names have.
    """
    keys = {place: _keys(one.key) for place, one in enumerate(everyone) if isinstance(one, Ind)}
    count = Counter(word for words, _ in keys.values() for word in words)
    places, like = defaultdict(list), defaultdict(set)
    for place, (words, whole) in keys.items():
        for key in (*whole, *sorted(words, key=count.__getitem__)[:1]):
            places[key].append(place)
    for place, (words, whole) in keys.items():
        for other in (other for key in (*words, *whole) for other in places[key]):
            like[place].add(other)
            like[other].add(place)
    return like


def _keys(name: str) -> tuple[set[str], tuple[str, ...]]:
    """The words of a name but titles, and what else two may share: A. Brown, Ann Brown."""
    words = [word for word in name.replace(".", "").split() if word.lower() not in TITLES]
    initial = [f"{words[0][0]} {words[1]}"] if len(words) == 2 else []
    return {*words}, (_plain(name), *initial)


def _may_be(one: Any, other: Any, about: Sequence[Pred], akin: Akin) -> bool:
    """The first is a description of which all words are stated of the other, or a like name."""
    keys = [term.key for term in (one, other) if isinstance(term, Ind)]
    if one == other or any(key.startswith(("other ", "another ")) for key in keys):
        return False
    if len(keys) == 2 and any(a in b.partition(" that ")[2] for a, b in (keys, keys[::-1])):
        return False  # the owl that eats the mouse that the owl eats
    if len(keys) == 2 and _alike(*keys):
        return True
    if isinstance(one, Ind) and one.is_name:
        return False
    *rest, noun = _words(one)
    *others, same = _words(other)
    if noun == same and not (isinstance(other, Ind) and other.is_name) and {*others} <= {*rest}:
        return True  # Pim's saw: the saw
    if singular(noun) != noun if isinstance(one, Ind) else one.kind.plural:
        return False  # the keys: all of them
    spend()
    about = [p for p in about if not LISTS["unproven"] & {*_all_words(p)} - {*rest}]  # deputy mayor
    if not any(akin(noun, word) for word in _classes(other, noun, about)):
        return False
    parts = [
        p for p in about if p.lemma in ("in", "member") or one not in p.terms
    ]  # not: as old as the team
    known = {word for pred in parts for word in _all_words(pred)} | {*_words(other)}
    return all(word in known for word in rest)


def _alike(one: str, other: str) -> bool:
    """Dr Weber, Ann Weber; F. Brown, Felix Brown; Tom, with a Cyrillic T; the drill, the old one"""
    plain = _plain(one), _plain(other)
    words = [name.replace(".", "").split() for name in (one, other)]
    names = one[:1].isupper(), other[:1].isupper()
    if plain[0] == plain[1]:
        return True
    if not all(names):
        fewer, more = sorted(map(set, words), key=len)
        return not any(names) and noun_of(one) == noun_of(other) and fewer < more
    titles = [[w for w in name if w.lower() in TITLES] for name in words]
    first = {name.split()[0] for name in plain}
    if (all(titles) and titles[0] != titles[1]) or LISTS["nearness-places"] & first:
        return False
    bare = [[w for w in name if w.lower() not in TITLES] for name in words]
    if not all(bare):
        return False
    shorter, longer = sorted(bare, key=len)
    if len(shorter) == len(longer) == 2 and shorter[1] == longer[1]:
        letters = shorter[0][0] == longer[0][0] and 1 in (len(shorter[0]), len(longer[0]))
        return letters or shorter == longer
    meet = any(titles) or shorter[0] == longer[0] or shorter[-1] == longer[-1]
    return meet and {*shorter} <= {*longer}


def _plain(name: str) -> str:
    return name.translate(_CONFUSABLE).lower().replace("-", " ")


def _words(term: Any) -> list[str]:
    """The content words of a description, its noun last."""
    if isinstance(term, Owned):
        return [*_words(term.owner), *term.kind.mods, *term.kind.noun.split()]
    key = term.words if isinstance(term, Kind) else term.key
    noun = noun_of(key)
    return [*(w for w in key.split() if w not in LISTS["closed"] and w != noun), noun]


def _classes(term: Any, noun: str, about: Sequence[Pred]) -> Iterator[str]:
    """What somebody is: by description, by what is stated, by what he does, by his group."""
    is_name = isinstance(term, Ind) and term.is_name  # Professor Stone: the professor
    yield term.key.partition(" ")[0].lower() if is_name else _words(term)[-1]
    for pred in about:
        does = pred.form == "verb" and noun.endswith(_AGENTS)
        if pred.subj == term and (does or pred.form in ("noun", "adj")):
            yield pred.lemma.rpartition(" ")[2]
        if pred.form in ("prep", "noun") and noun in LISTS["groups"]:
            yield from _all_words(pred)


def _all_words(pred: Pred) -> Iterator[str]:
    yield from (*pred.lemma.split(), *pred.mods)
    for part in (part for term in pred.terms for part in walk(term)):
        if isinstance(part, (Kind, Ind)):
            yield from (part.words if isinstance(part, Kind) else part.key).split()
