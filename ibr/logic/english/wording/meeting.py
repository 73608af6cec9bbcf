"""Wordings that meet: when what is stated implies what is wanted."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from ibr.logic.budget import spend
from ibr.logic.english.lexis import closed
from ibr.logic.english.lexis import knowledge as common
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.people import is_person
from ibr.logic.english.meaning.discourse import head
from ibr.logic.english.meaning.normal import described, modifier
from ibr.logic.english.meaning.terms import Cnd, Ind, Kind, Owned, Pred, Var
from ibr.logic.english.wording.families import family

_EVENTS, _SOMEONE = LISTS["events"], ("someone", "something")
_CLUBS = LISTS["groups"] - {"family"}
_TIMES = LISTS["times"] | LISTS["noun-phrases-times"] | LISTS["numbers"]
_EMPTY = ("be", "have", "do", "get")
_WHEN = ("during", "after", "before", "until", "while", "without", "with", "if")
_CHANGING = ("of", "than", "from", "like", "before", "after")
Binding = dict[str, Any]


class Met(NamedTuple):
    """Under `binding` and the `extra` conditions the stated implies the wanted.

    `witness`: the variable of the wanted that stands for some one of a stated kind, and the kind.
    """

    binding: Binding
    extra: tuple[Cnd, ...] = ()
    witness: tuple[str, Kind] | None = None


class Match:
    """Terms matched so far."""

    def __init__(self, free: bool = False) -> None:
        self.free = free  # of a permission: may use lockers, so any one of them
        self.binding: Binding = {}
        self.extra: list[Cnd] = []
        self.witnesses: list[tuple[str, Kind]] = []

    def resolve(self, term: Any) -> Any:
        while isinstance(term, Var) and term.name in self.binding:
            term = self.binding[term.name]
        return term

    def term(self, stated: Any, wanted: Any) -> bool:
        stated, wanted = self.resolve(stated), self.resolve(wanted)
        if stated == wanted or _is_stuff(stated, wanted) or _is_stuff(wanted, stated):
            return True
        if stated is None or wanted is None:
            return isinstance(wanted, Kind) and wanted.noun in _SOMEONE
        if self.free and isinstance(stated, Kind) and isinstance(wanted, Ind | Owned):
            self.extra += [Cnd(p) for p in described(stated, wanted)]
            return not closed.NUMERALS & {*stated.mods}
        if isinstance(stated, Owned) and isinstance(wanted, Ind):
            of = (("of", stated.owner),)  # their files, and this is one of them
            self.extra.append(Cnd(Pred("noun", stated.kind.noun, wanted, tails=of)))
            return not (stated.kind.mods or stated.kind.tails)
        if isinstance(wanted, Var):
            if isinstance(stated, Kind):
                self.witnesses.append((wanted.name, stated))
            else:
                self.binding[wanted.name] = stated
            return True
        if isinstance(wanted, Kind):
            kind = stated.kind if isinstance(stated, Owned) else stated
            if isinstance(kind, Kind) and self.kind(kind, wanted):
                return True
            if not isinstance(stated, Kind):
                self.extra += [Cnd(p) for p in described(wanted, stated)]
            return not isinstance(stated, Kind)
        if isinstance(stated, Var):
            self.binding[stated.name] = wanted
            return True
        if isinstance(wanted, Owned) and isinstance(stated, Owned):
            return self.kind(stated.kind, wanted.kind) and self.term(stated.owner, wanted.owner)
        return False

    def kind(self, stated: Kind, wanted: Kind) -> bool:
        """An unpaid fine is a fine."""
        if wanted.noun in _SOMEONE:
            return True
        dropped = {*stated.mods} - {*wanted.mods}
        return (
            is_a(stated.noun, wanted.noun)
            and not dropped & (closed.PRIVATIVE | closed.CANCELLED)
            and {*wanted.mods} <= {*stated.mods}
            and self.tails(stated.tails, wanted.tails)
        )

    def tails(self, stated: tuple[Any, ...], wanted: tuple[Any, ...]) -> bool:
        left = list(stated)
        for prep, term in wanted:
            for k, (other, said) in enumerate(left):
                kept = dict(self.binding)
                if other == prep and self.term(said, term):
                    del left[k]
                    break
                self.binding = kept
            else:
                return False
        return True


def _is_stuff(one: Any, other: Any) -> bool:
    """Glass is collected; the council collects glass"""
    stuff = isinstance(other, Kind) and other.mass and not other.tails
    return stuff and isinstance(one, Ind) and one.key == other.words


def is_a(stated: str, wanted: str) -> bool:
    """guide dog: dog, animal; but not: the Old Ship"""
    return stated == wanted or is_kind_of(stated, wanted, common.is_off())


@lru_cache(maxsize=1 << 16)
def is_kind_of(stated: str, wanted: str, _off: bool) -> bool:
    """`is_a` with or without common knowledge."""
    name = stated.rpartition(" ")[2][:1].isupper()
    stated, wanted = stated.lower(), wanted.lower()
    if stated == wanted or " or " in stated:
        return stated == wanted
    first = stated.split()[0]
    if first in closed.PRIVATIVE or stated.startswith(("ex-", "non-", "half-")):
        return False
    if first in LISTS["made-of"] and (is_person(head(stated)) or head(stated) in common.KINDS):
        return False  # a stone lion
    stated, wanted = stated.replace("-", " "), wanted.replace("-", " ")
    if stated == wanted or name:
        return stated == wanted
    if stated.endswith(f" {wanted}"):
        return wanted != "member" or stated.split()[-2] in _CLUBS
    return wanted in common.kinds_of(head(stated))


def noun_in(term: Any) -> str:
    kind = term.kind if isinstance(term, Owned) else term
    return kind.noun if isinstance(kind, Kind) else kind.key if isinstance(kind, Ind) else ""


def keys_of(pred: Pred, whole: bool = False) -> set[str]:
    """The words that make a predication what it is; `whole`: all words of a compound."""
    if pred.form == "adj":
        return {pred.lemma.split()[0]}
    if pred.form in ("noun", "role") or (pred.form == "verb" and pred.lemma not in _EMPTY):
        return set(pred.lemma.split()[0 if whole else -1 :])
    nouns = {noun_in(pred.obj), noun_in(pred.subj) if pred.form == "there" else ""} - {""}
    return nouns if whole else {noun.rpartition(" ")[2] for noun in nouns}


def entails(stated: Pred, wanted: Pred, can_may: bool = True) -> Met | None:
    """`stated` implies `wanted`; their variables are apart."""
    if wanted.form == "state":
        return _in_state(stated, wanted)
    if stated.form != wanted.form or not _may_imply(stated, wanted):
        return None
    found = _entails(stated, wanted, can_may)
    if found is None and stated.form == "verb" and stated.lemma == wanted.lemma:
        one, other = _loosened(stated), _loosened(wanted)
        if (one, other) != (stated, wanted):
            found = _entails(one, other, can_may)
    return found


def _in_state(stated: Pred, wanted: Pred) -> Met | None:
    """Who is banned is under a ban. Who has a fine is not in a state of fining."""
    if stated.mode or stated.tense or (wanted.mods and not stated.passive):
        return None
    acts = stated.form == "verb" and not stated.passive and stated.lemma != "have"
    if acts and not wanted.lemma.endswith("ing"):
        return None
    match = Match()
    fits = any(family(wanted.lemma, key) for key in keys_of(stated))
    return Met(match.binding) if fits and match.term(stated.who, wanted.subj) else None


def _loosened(pred: Pred) -> Pred:
    """gets [two cards in the final round]: gets [two cards] in the final round"""
    thing = pred.obj
    if not isinstance(thing, Kind) or not thing.tails:
        return pred
    return pred._replace(obj=thing._replace(tails=()), tails=(*pred.tails, *thing.tails))


def _entails(stated: Pred, wanted: Pred, can_may: bool) -> Met | None:
    spend()
    match = Match(stated.mode == "may" or _of_each(stated))
    if not _modes(stated.mode, wanted.mode, can_may):
        return None
    if not _times(stated, wanted) or not _adverbs(stated, wanted):
        return None
    if not _lemmas(stated, wanted, match) or _changes(stated, wanted):
        return None
    some = isinstance(stated.subj, Kind) and not stated.subj.plural
    if some and isinstance(wanted.subj, Ind | Owned):
        return None  # some members may vote
    if wanted.subj is not None and not match.term(stated.subj, wanted.subj):
        return None
    thing = stated.obj
    stuff = stated.form == "verb" and isinstance(thing, Kind) and thing.mass and not thing.tails
    if stuff and isinstance(wanted.obj, Kind) and not match.kind(thing, wanted.obj):
        thing = Ind(thing.words)  # eats honey, which is an animal product
    if wanted.obj is not None and not match.term(thing, wanted.obj):
        return None
    lost = wanted.obj is None and stated.obj is not None and stated.form == "verb"
    if lost and stated.lemma not in common.OBJECT_DROPS:
        return None  # eats an apple: eats; but not: runs a shop
    tails = wanted.tails
    if stated.form == "noun":  # an actor in the play: an actor, who is in the play
        apart = [t for t in tails if t[0] != "of" and t not in stated.tails]
        match.extra += [Cnd(Pred("prep", prep, stated.subj, term)) for prep, term in apart]
        tails = tuple(t for t in tails if t not in apart)
    if not match.tails(stated.tails, tails) or len(match.witnesses) > 1:
        return None
    return Met(match.binding, tuple(match.extra), next(iter(match.witnesses), None))


def _of_each(stated: Pred) -> bool:
    """can open lockers; is unlocked by an administrator; fears cats; is afraid of, free for them"""
    if stated.mode == "can":
        return _is_plural(stated.obj) or _is_plural(stated.subj)
    if stated.form == "verb":
        to_whom = stated.lemma in LISTS["ditransitive"] and _is_plural(dict(stated.tails).get("to"))
        return to_whom or (stated.lemma in LISTS["to-each"] and _is_plural(stated.obj))
    to = ("than", "to", "for", *(("of",) if stated.lemma in LISTS["of-each"] else ()))
    tails = [(prep, term) for prep, term in stated.tails if _is_plural(term)]
    return stated.form == "adj" and bool(tails) and all(prep in to for prep, _ in tails)


def _is_plural(term: Any) -> bool:
    return isinstance(term, Kind) and term.plural


def _modes(stated: str, wanted: str, can_may: bool) -> bool:
    if stated == wanted or (stated, wanted) in (("must", "may"), ("", "will")):
        return True
    return can_may and wanted in ("can", "may") and stated in ("can", "may", "must")


def _times(stated: Pred, wanted: Pred) -> bool:
    """Who is banned has been; who is a member has been one."""
    if wanted.tense in (stated.tense, "any"):
        return True
    state = stated.form != "verb" or stated.passive or stated.lemma == "have"
    return state and not stated.tense and wanted.tense == "perf"


def _adverbs(stated: Pred, wanted: Pred) -> bool:
    dropped = {*stated.advs} - {*wanted.advs}
    doubtful = dropped & (closed.DOUBTFUL | closed.PARTICLES)
    said = any(adverb.startswith("that ") for adverb in dropped)
    return {*wanted.advs} - {"ever"} <= {*stated.advs} and not doubtful and not said


def _changes(stated: Pred, wanted: Pred) -> bool:
    """tired of waiting is not tired; barks like a dog"""
    if stated.lemma == "member" and not wanted.tails:
        return any(isinstance(term, Kind) for _, term in stated.tails)  # of another club
    if stated.form not in ("adj", "verb"):
        return False
    kept = {prep for prep, _ in wanted.tails}
    lost = [(prep, term) for prep, term in stated.tails if prep not in kept]
    if _limits(stated, lost):
        return True
    if stated.form == "verb" and stated.subj is not None and wanted.subj is not None:
        return any(prep == "like" for prep, _ in lost)
    if stated.form == "adj" and any(prep == "as" for prep, _ in lost):
        return True
    return any(prep in _CHANGING or (prep == "for" and not _reason(term)) for prep, term in lost)


def _limits(stated: Pred, lost: list[tuple[str, Any]]) -> bool:
    """May park here after six; is closed on Sundays: not at other times"""
    action = stated.form == "verb" and not stated.passive
    return not stated.tense and any(
        (stated.mode and prep in _WHEN) or (is_time(term) and not (action and not stated.mode))
        for prep, term in lost
    )


def is_time(term: Any) -> bool:
    """winter, Sundays, six"""
    noun = term.noun if isinstance(term, Kind) else term.key if isinstance(term, Ind) else ""
    word = noun.rpartition(" ")[2].lower()
    return bool({word, word.removesuffix("s")} & _TIMES)


def _reason(term: Any) -> bool:
    """suspended for fraud, for a month; but not: suspended for the match"""
    if not isinstance(term, Kind):
        return False
    return term.mass or (not term.tails and term.noun not in _EVENTS)


def _lemmas(stated: Pred, wanted: Pred, match: Match) -> bool:
    if stated.form == "noun":
        if closed.PRIVATIVE & ({*stated.mods} ^ {*wanted.mods}):
            return False
        missing = [m for m in wanted.mods if m not in stated.mods]
        if stated.lemma != wanted.lemma and LISTS["sizes"] & {*missing}:
            return False  # a small elephant is no small animal
        match.extra += [Cnd(modifier(m, stated.subj)) for m in missing]
    return True


def _may_imply(stated: Pred, wanted: Pred) -> bool:
    """By their words alone."""
    if stated.lemma == wanted.lemma:
        return True
    if stated.form == "noun":
        return is_a(stated.lemma, wanted.lemma)
    implied = common.VERBS if stated.form == "verb" else common.PLACES
    return stated.form in ("verb", "prep") and wanted.lemma in implied.get(stated.lemma, ())
