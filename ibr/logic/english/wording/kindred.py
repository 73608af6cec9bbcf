"""Sentences that say in related words what is wanted: shut, closed; a redhead, has red hair.

All content words of what is wanted are in one sentence that speaks of the same individual, some of
them as a synonym, a kind, a derived word, the words of a definition or, denied, an opposite. Sister
terms (cat, dog) exclude each other and are none, nor are two words that one rule tells apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from ibr.logic.english.lexis import relations
from ibr.logic.english.lexis.forms import family, noun_of, verb_participle
from ibr.logic.english.lexis.knowledge import is_off
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.terms import Cnd, Ind, Kind, Owned, Pred, Rule, Var, variables, walk
from ibr.logic.english.wording.coverage import term_words, words_in
from ibr.logic.english.wording.meeting import PLACES
from ibr.logic.english.wording.nearness import Loose, other_mode, spoken_of

_EXCLUSIVE = [frozenset(group.split("+")) for group in LISTS["exclusive"]]
_PAST = ("past", "perf")
_PARTS = {"verb": "v", "adj": "a", "noun": "n"}
Senses = tuple[tuple[str, str], ...]  # the forms of a word, each with its class


class Wanted(NamedTuple):
    """What is wanted, or several conditions of one individual together, and their words."""

    pred: Pred
    denied: bool
    keys: dict[str, Senses]
    rule: Rule | None = None  # of which these are conditions
    left: tuple[Cnd, ...] = ()  # its other conditions


class Kin(NamedTuple):
    """`rule` would hold if the one wording meant the other."""

    rule: Rule
    said: str
    meant: str


class Kindred:
    """All that is wanted, by the words that sentences may say instead."""

    def __init__(self, demands: Iterable[tuple[Pred, bool]], rules: Iterable[Rule]) -> None:
        rules = dict.fromkeys(rules)
        found = [Wanted(want, no, _senses(want, whole=False)) for want, no in demands]
        found += [one for rule in rules for one in _together(rule)]
        self.wanted = [one for one in found if one.keys]
        self.apart = [
            {w for c in rule.body for w in words_in(c.pred)} for rule in rules if rule.body
        ]
        self.by_key: defaultdict[str, list[int]] = defaultdict(list)
        for place, one in enumerate(self.wanted):
            for senses in one.keys.values():
                for word in {*(word for word, _ in senses)} | _hints(senses, wanted=True):
                    self.by_key[word].append(place)

    def of(self, rule: Rule) -> Iterator[Kin]:
        """What a rule may say in other words."""
        stated = _senses(rule.head, whole=True)
        hints = {word for senses in stated.values() for word, _ in senses}
        hints = hints.union(*(_hints(senses) for senses in stated.values()))
        places = {place for word in hints for place in self.by_key.get(word, ())}
        for one in (self.wanted[place] for place in sorted(places)):
            yield from self._kin(rule, stated, one)

    def _kin(self, rule: Rule, stated: dict[str, Senses], one: Wanted) -> Iterator[Kin]:
        said, want = rule.head, one.pred
        if one.rule and (rule.body or rule.negative):
            return
        if not one.rule and (said == want or other_mode(said, want, one.denied)):
            return
        if not one.rule and not (said.tense == want.tense or {said.tense, want.tense} <= {*_PAST}):
            return
        for term in dict.fromkeys(_of_whom(said, one)):
            match = Loose()
            if isinstance(term, Kind) or not match.term(term, want.who):
                continue
            own = term_words(term) - {said.lemma}
            words = {word: senses for word, senses in stated.items() if word not in own}
            found, met = self._covered(words, one, rule.negative), match.met
            if found and {*variables(want)} <= {*met.binding}:
                body = (*rule.body, *met.extra, *one.left)
                yield Kin(Rule(want, found[2], body, tuple(met.binding.items())), *found[:2])

    def _covered(
        self, words: dict[str, Senses], one: Wanted, negative: bool
    ) -> tuple[str, str, bool] | None:
        """The first two related words, and what is then denied, if all that is wanted is stated."""
        left, found = dict(words), None
        pairs = {key: next((w for w in left if family(w, key)), "") for key in one.keys}
        for word in filter(None, pairs.values()):
            left.pop(word, None)
        for key in (key for key, word in pairs.items() if not word):
            for word, senses in left.items():
                if any(word in some and key in some for some in self.apart):
                    continue
                sign = _relation(senses, one.keys[key], {*one.keys})
                if sign:
                    break
            else:
                return None
            if found and sign != found[2]:
                return None
            meant = one.keys[key] or ((key, ""),)
            found = (senses or ((word, ""),))[-1][0], meant[-1][0], sign  # closed, not: close
        if found is None:
            return None
        denied = negative != (found[2] == "opposite")
        if found[2] == "kind" and (negative or is_off()):
            return None
        if denied and not (one.denied or negative):
            return None
        return found[0], found[1], denied != bool(one.rule and one.rule.negative)


def _together(rule: Rule) -> Iterator[Wanted]:
    """Of a rule, the conditions about others than the one of whom it concludes something."""
    who = rule.head.who
    if not isinstance(who, Var) or rule.binding:
        return
    others = {name for c in rule.body for name in variables(c.pred)} - {who.name}
    if not others or others & {*variables(rule.head)}:
        return
    some = [c for c in rule.body if others & {*variables(c.pred)}]
    if all(not c.negative for c in some):
        keys = {k: v for c in some for k, v in _senses(c.pred, whole=True).items()}
        yield Wanted(rule.head, False, keys, rule, tuple(c for c in rule.body if c not in some))


def _of_whom(stated: Pred, one: Wanted) -> Iterator[Any]:
    if one.rule is not None:
        yield from (t for t in stated.terms if isinstance(t, Ind | Owned))
    elif stated.form == one.pred.form == "verb":
        yield stated.obj if one.pred.passive else stated.subj
    else:
        yield from spoken_of(stated, one.pred)


def _senses(pred: Pred, whole: bool) -> dict[str, Senses]:
    """The content words with the class of each; the first words of a compound have none."""
    found: dict[str, Senses] = dict.fromkeys(words_in(pred, whole), ())
    typed = [(pred.lemma, _PARTS.get(pred.form, ""))]
    typed += [(word, "a") for word in pred.mods] + [(word, "r") for word in pred.advs]
    for part in (part for term in pred.terms for part in walk(term)):
        if isinstance(part, Kind):
            typed += [(word, "a") for word in part.mods] + [(part.noun, "n")]
        elif isinstance(part, Ind) and not part.is_name:
            typed += [(noun_of(part.key), "n")]
    for words, part in typed:
        last = words.rpartition(" ")[2]
        if last in found and part:
            found[last] = (*found[last], (last, part))
    if whole and pred.form == "prep" and pred.lemma in PLACES:
        found["present"] = (("present", "a"),)  # in class
    if pred.passive and pred.lemma in found:
        found[pred.lemma] = (*found[pred.lemma], (verb_participle(pred.lemma), "a"))
    return found


@lru_cache(maxsize=1 << 12)
def _hints(senses: Senses, wanted: bool = False) -> frozenset[str]:
    """The words that one may stand for; `wanted`: instead."""
    found: set[str] = set()
    for word, part in senses:
        found |= relations.same(word, part) | relations.opposite(word, part)
        found |= relations.derived(word)
        found |= frozenset() if wanted else relations.broader(word, part) | relations.defining(word)
    return frozenset(found)


def _relation(said: Senses, meant: Senses, keys: set[str]) -> str:
    """same, kind (the first implies the second), opposite, or none"""
    found = {_of_two(one, other, keys) for one in said for other in meant}
    return next((sign for sign in ("opposite", "same", "kind") if sign in found), "")


def _of_two(said: tuple[str, str], meant: tuple[str, str], keys: set[str]) -> str:
    (word, part), (key, other) = said, meant
    if part == other and (
        key in relations.opposite(word, part) or word in relations.opposite(key, part)
    ):
        return "opposite"
    if any(word in group and key in group for group in _EXCLUSIVE):
        return ""
    if part == other and (key in relations.same(word, part) or word in relations.same(key, part)):
        return "same"
    if part != other and (key in relations.derived(word) or word in relations.derived(key)):
        return "same"
    known = relations.defining(word) if part == "n" else frozenset()
    kind = part == other and key in relations.broader(word, part)
    return "kind" if kind or (key in known and len(keys) > 1 and keys <= known) else ""
