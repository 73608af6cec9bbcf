"""Wordings that meet: when what is stated implies what is wanted."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from ibr.logic.budget import spend
from ibr.logic.english.lexis import knowledge as common
from ibr.logic.english.lexis.forms import family
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.people import is_person
from ibr.logic.english.meaning.normal import changes_kind, described, modifier
from ibr.logic.english.meaning.terms import Cnd, Ind, Kind, Owned, Pred, Var

_TIMES = LISTS["times"] | LISTS["noun-phrases-times"] | LISTS["numbers"]
_WHEN = ("during", "after", "before", "until", "while", "without", "with", "if")
_CHANGING = ("of", "than", "from", "like", "before", "after", "until")
_ALL = {"all", "both"}
_DENYING = tuple("anti- half- non- post- pre- pseudo- semi- step- sub- under-".split())
_EMPTY = ("be", "have", "do", "get")
PLACES = ("in", "on", "at", "under", "near", "inside", "outside", "behind", "beside", "to")
_OF_STATES = ("about", "because of", "since", "to")
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
        if stated == wanted:
            return True
        if stated is None or wanted is None:
            return isinstance(wanted, Kind) and wanted.noun in ("someone", "something")
        if self.free and isinstance(stated, Kind) and isinstance(wanted, Ind | Owned):
            self.extra += map(Cnd, described(stated, wanted))
            return not LISTS["numerals"] & {*stated.mods}
        if isinstance(stated, Owned) and isinstance(wanted, Ind):
            of = (("of", stated.owner),)  # their files, and this is one of them
            self.extra.append(Cnd(Pred("noun", stated.kind.noun, wanted, tails=of)))
            return not ({*stated.kind.mods} - _ALL or stated.kind.tails)
        if isinstance(wanted, Var):
            if isinstance(stated, Kind):
                self.witnesses.append((wanted.name, stated))
            else:
                self.binding[wanted.name] = stated
            return True
        if isinstance(wanted, Kind):
            kind = stated.kind if isinstance(stated, Owned) else stated
            if isinstance(kind, Kind) and (_is_some(kind, wanted) or self.kind(kind, wanted)):
                return True
            if not isinstance(stated, Kind):
                self.extra += map(Cnd, described(wanted, stated))
            return not isinstance(stated, Kind)
        if isinstance(stated, Var):
            self.binding[stated.name] = wanted
            return True
        owned = isinstance(wanted, Owned) and isinstance(stated, Owned)
        return owned and self.kind(stated.kind, wanted.kind) and self.term(stated[0], wanted[0])

    def kind(self, stated: Kind, wanted: Kind) -> bool:
        """An unpaid fine is a fine."""
        dropped = {*stated.mods} - {*wanted.mods}
        needed = {*wanted.mods} - (_ALL if stated.plural else set())  # lost his cards
        return (
            is_a(stated.noun, wanted.noun)
            and not dropped & LISTS["cancelled"]
            and not changes_kind(dropped, stated.noun)
            and needed <= {*stated.mods}
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


def _is_some(stated: Kind, wanted: Kind) -> bool:
    """A child is someone."""
    if wanted.mods or wanted.tails or stated.mass:
        return False
    return wanted.noun == "something" or (wanted.noun == "someone" and is_person(stated.noun))


def is_a(stated: str, wanted: str) -> bool:
    """guide dog: dog, animal; but not: the Old Ship"""
    return is_kind_of(stated, wanted, common.is_off())


@lru_cache(maxsize=1 << 16)
def is_kind_of(stated: str, wanted: str, _off: bool) -> bool:
    """`is_a` with or without common knowledge."""
    name = stated.rpartition(" ")[2][:1].isupper()
    stated, wanted = stated.lower(), wanted.lower()
    first, last = stated.split()[0], stated.rpartition(" ")[2]
    if {first, first.partition("-")[0]} & LISTS["privative"] or stated.startswith(_DENYING):
        return stated == wanted or wanted == first in LISTS["being-itself"]  # a toy tiger: a toy
    changed = changes_kind(stated.split()[-2:-1], last)
    stated, wanted = stated.replace("-", " "), wanted.replace("-", " ")
    if changed or stated == wanted or name or " or " in stated:
        return stated == wanted
    if stated.endswith(f" {wanted}"):
        return wanted != "member" or stated.split()[-2] in LISTS["groups"] - {"family"}
    return wanted in common.kinds_of(last) or wanted == first in LISTS["being-itself"]  # pet cat


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
    spend()
    if not _modes(stated, wanted.mode, can_may) or not _times(stated, wanted):
        return None
    match = Match(stated.mode == "may" or _of_each(stated))
    if not _words(stated, wanted, match) or _changes(stated, wanted):
        return None
    some = isinstance(stated.subj, Kind) and not stated.subj.plural
    if some and isinstance(wanted.subj, Ind | Owned):
        return None  # some members may vote
    if wanted.subj is not None and not match.term(stated.subj, wanted.subj):
        return None
    thing, verb = stated.obj, stated.form == "verb"
    stuff = verb and isinstance(thing, Kind) and thing.mass and not thing.tails
    if stuff and isinstance(wanted.obj, Kind) and not match.kind(thing, wanted.obj):
        thing = Ind(thing.words)  # eats honey, which is an animal product
    if wanted.obj is not None and not match.term(thing, wanted.obj):
        return None
    lost = verb and wanted.obj is None and thing is not None
    if lost and stated.lemma not in LISTS["object-drops"]:
        return None  # eats an apple: eats; but not: runs a shop
    tails = wanted.tails
    if stated.form == "noun":  # an actor in the play: an actor, who is in the play
        apart = [t for t in tails if t[0] != "of" and t not in stated.tails]
        match.extra += [Cnd(Pred("prep", prep, stated.subj, term)) for prep, term in apart]
        tails = tuple(t for t in tails if t not in apart)
    if not match.tails(stated.tails, tails) or len(match.witnesses) > 1:
        return None
    return Met(match.binding, tuple(match.extra), next(iter(match.witnesses), None))


def _in_state(stated: Pred, wanted: Pred) -> Met | None:
    """Who is banned is under a ban; who smokes is smoking. `mods`: by what others do only."""
    if stated.mode or stated.tense or (wanted.mods and not stated.passive):
        return None
    acts = stated.form == "verb" and not stated.passive and stated.lemma != "have"
    match, thing = Match(), stated.obj
    void = isinstance(thing, Kind) and LISTS["cancelled"] & {*thing.mods}
    fits = not void and any(family(wanted.lemma, key) for key in keys_of(stated))
    fits = fits and (not acts or wanted.lemma.endswith("ing"))
    return Met(match.binding) if fits and match.term(stated.who, wanted.subj) else None


def _of_each(stated: Pred) -> bool:
    """can open lockers; fears cats; is afraid of, free for them"""
    if stated.mode == "can":
        return _is_plural(stated.obj) or _is_plural(stated.subj)
    if stated.form == "verb":
        many = {f"{stated.lemma} {prep}" for prep, term in stated.tails if _is_plural(term)}
        some = many | ({stated.lemma} if _is_plural(stated.obj) else set())  # barks at strangers
        return bool(some & LISTS["to-each"])
    to = ("than", "to", "for", *(("of",) if stated.lemma in LISTS["of-each"] else ()))
    preps = [prep for prep, term in stated.tails if _is_plural(term)]
    return stated.form == "adj" and bool(preps) and {*preps} <= {*to}


def _is_plural(term: Any) -> bool:
    return isinstance(term, Kind) and term.plural


def _modes(stated: Pred, wanted: str, can_may: bool) -> bool:
    able = not stated.mode and wanted == "can" and stated.lemma in LISTS["skills"]
    if able or stated.mode == wanted or (stated.mode, wanted) in (("must", "may"), ("", "will")):
        return True
    return can_may and wanted in ("can", "may") and stated.mode in ("can", "may", "must")


def _times(stated: Pred, wanted: Pred) -> bool:
    """Who is banned has been; who is a member has been one."""
    if wanted.tense == "any" and stated.tense and stated.form != "verb":
        at = ((prep, term) for prep, term in stated.tails if prep != "of")
        then = stated.advs or any(prep not in PLACES or _is_time(term) for prep, term in at)
        return stated.tense == "past" and not then  # a member until 1990
    if wanted.tense in (stated.tense, "any"):
        return True
    state = stated.form != "verb" or stated.passive or stated.lemma == "have"
    if stated.tense == "perf" and not wanted.tense:  # has run out of paper
        return wanted.lemma in LISTS["achieving"]
    return state and not stated.tense and wanted.tense == "perf"


def _words(stated: Pred, wanted: Pred, match: Match) -> bool:
    """Adverbs and adjectives that are dropped change nothing; those that are added are stated."""
    dropped = {*stated.advs} - {*wanted.advs}
    added = {*wanted.advs} - {"ever", *stated.advs}
    dropped -= LISTS["sometime"] if stated.tense else frozenset()
    if added or dropped & (LISTS["doubtful"] | LISTS["particles"]):
        return False
    if any(adverb.startswith(("that ", "whether ", "next ")) for adverb in dropped):
        return False
    missing = [m for m in wanted.mods if m not in stated.mods]
    match.extra += [Cnd(modifier(m, stated.subj)) for m in missing]
    sized = stated.lemma != wanted.lemma and LISTS["sizes"] & {*missing}  # a small elephant
    return not sized and not changes_kind({*stated.mods} ^ {*wanted.mods}, stated.lemma)


def _changes(stated: Pred, wanted: Pred) -> bool:
    """tired of waiting is not tired; barks like a dog; is closed on Sundays; may park after six"""
    if stated.lemma == "member" and not wanted.tails:
        return any(isinstance(term, Kind) for _, term in stated.tails)  # of another club
    return any(_restricts(stated, *t) for t in stated.tails if t[0] not in dict(wanted.tails))


def _restricts(stated: Pred, prep: str, term: Any) -> bool:
    """Without this place or time it may not hold: rich in theory, a nurse by day, looks after"""
    if noun_in(term).rpartition(" ")[2] in LISTS["unreal"] and prep in PLACES:
        return True
    if stated.mode == "must" and prep in ("by", "before", "until"):
        return False  # must register by Friday
    action = stated.form == "verb" and not stated.passive
    often = stated.mode or not action or (prep == "on" and not stated.tense)
    limits = (stated.mode and prep in _WHEN) or (_is_time(term) and often)
    if limits and not stated.tense and prep not in ("of", "since", "for"):
        return (stated.form, prep) != ("prep", "until")
    if stated.form == "adj" and prep not in _OF_STATES:  # good at chess; but: ill in Rome
        return prep not in PLACES or isinstance(term, Kind)
    if action:
        idiom = stated.lemma in LISTS["light"] and prep not in PLACES and stated.obj is None
        return idiom or prep == "like" or (prep == "without" and not stated.tense)
    return stated.passive and (prep in _CHANGING or (prep == "for" and not _is_cause(term)))


def _is_cause(term: Any) -> bool:
    """suspended for fraud, for a month; but not: suspended for the match"""
    plain = isinstance(term, Kind) and not term.tails and term.noun not in LISTS["events"]
    return plain or getattr(term, "mass", False)


def _is_time(term: Any) -> bool:
    """winter, Sundays, six"""
    noun = term.noun if isinstance(term, Kind) else term.key if isinstance(term, Ind) else ""
    word = noun.rpartition(" ")[2].lower()
    return (noun.isdigit() and len(noun) == 4) or bool({word, word.removesuffix("s")} & _TIMES)


def _may_imply(stated: Pred, wanted: Pred) -> bool:
    """By their words alone."""
    if stated.lemma == wanted.lemma:
        return True
    if stated.form == "noun":
        return is_a(stated.lemma, wanted.lemma)
    return wanted.lemma in common.IMPLIED.get((stated.form, stated.lemma), ())
