"""Wordings that look alike: the difference is one that people blur and no list settles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ibr.logic.english.lexis import closed
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred, Var
from ibr.logic.english.wording.families import alike_names, family
from ibr.logic.english.wording.following import ended, equals, following
from ibr.logic.english.wording.meeting import Match, Met, entails, is_a

_BODY, _BELIEF, _GROUPS = LISTS["body"], LISTS["belief"], LISTS["noun-phrases-collective"]
_HAVE_LIKE = LISTS["have-like"]
_EMPTY = ("be", "have", "do", "get")
_ACTIONS = ("may", "must", "should", "shall")  # a permission or a duty is no fact
_NOT_YET = LISTS["not-yet"]  # who wants to smoke need not smoke


class _Loose(Match):
    """Matches individuals; of kinds only that they may be the same."""

    def term(self, stated: Any, wanted: Any) -> bool:
        if isinstance(self.resolve(stated), Kind) or isinstance(self.resolve(wanted), Kind):
            return True
        return super().term(stated, wanted)

    @property
    def met(self) -> Met:
        return Met({k: v for k, v in self.binding.items() if not isinstance(v, Kind)})


def keys_of(pred: Pred, whole: bool = False) -> set[str]:
    """The words that make a predication what it is; `whole`: all words of a compound."""
    if pred.form == "adj":
        return {pred.lemma.split()[0]}
    if pred.form in ("noun", "role") or (pred.form == "verb" and pred.lemma not in _EMPTY):
        return {pred.lemma.rpartition(" ")[2]}
    found = set()
    for term in (pred.obj, pred.subj if pred.form == "there" else None):
        noun = term.kind.noun if isinstance(term, Owned) else _words(term)
        if noun:
            found.add(noun if whole and isinstance(term, Kind) else noun.rpartition(" ")[2])
    return found


def _words(term: Any) -> str:
    if isinstance(term, Owned):
        return term.kind.noun
    return term.noun if isinstance(term, Kind) else term.key if isinstance(term, Ind) else ""


def denies(stated: Pred, wanted: Pred) -> Met | None:
    """Tom's ban has been lifted: he is not banned."""
    over = ended(stated)
    state = wanted.form in ("prep", "adj") or wanted.passive
    if over is None or not state or wanted.mode or wanted.tense:
        return None
    who, noun = over
    match = Match()
    alike = any(family(noun, key) for key in keys_of(wanted))
    return Met(match.binding) if alike and match.term(who, wanted.who) else None


def near(stated: Pred, negative: bool, wanted: Pred, denied: bool) -> Iterator[Met]:
    """`stated` does not settle `wanted`, but looks like it. `denied`: it is wanted to be absent."""
    if "role" in (stated.form, wanted.form) or _other_mode(stated, wanted):
        return
    if _settled(stated, negative, wanted) or not _overlap(stated, wanted, denied):
        return
    if stated.form == wanted.form and family(stated.lemma, wanted.lemma):
        if stated.form == "noun" and _other_class(stated.lemma, wanted.lemma, denied):
            return
        if stated.form != "noun" and (_other_roles(stated, wanted) or _elsewhere(stated, wanted)):
            return
        if stated.form == "verb" and wanted.subj is not None:
            yield from _same_verb(stated, wanted)
            return
    elif stated.form == wanted.form == "noun" and not _named_for(stated.lemma, wanted.lemma):
        return
    for term in dict.fromkeys(_spoken_of(stated, wanted)):
        match = _Loose()
        if not (isinstance(term, Kind) and not denied) and match.term(term, wanted.who):
            yield match.met  # of a kind: some are, and whether this one is, is open


def _named_for(stated: str, wanted: str) -> bool:
    """a membership officer: a member? A dog sitter is no dog."""
    first = stated.rpartition(" ")[0]
    return bool(first) and first.split()[-1] != wanted and family(first, wanted)


def _other_mode(stated: Pred, wanted: Pred) -> bool:
    if wanted.mode == stated.mode:
        return False
    state = stated.form != "verb" or stated.lemma in ("have", "be", "own") or stated.passive
    if stated.mode.partition(" ")[0] in _NOT_YET:
        return True
    return bool(wanted.mode) or (stated.mode in _ACTIONS and not (stated.mode == "may" and state))


def _settled(stated: Pred, negative: bool, wanted: Pred) -> bool:
    """By itself or by what follows from it in other words."""
    for same in (stated, *equals(stated)):
        met = entails(wanted, same) if negative else entails(same, wanted)
        if met is not None and not (met.extra if negative else met.witness):
            return True
    if negative:
        return False
    if denies(stated, wanted):
        return True
    for pred, opposite in following(stated):
        if entails(wanted, pred) if opposite else entails(pred, wanted):
            return True
    return stated.form == "noun" and stated.lemma.split()[0] in closed.DENYING


def _overlap(stated: Pred, wanted: Pred, denied: bool) -> bool:
    place = wanted.obj if wanted.form == "prep" and stated.form != "prep" else None
    if isinstance(place, (Ind, Owned)) and any(term == place for _, term in stated.tails):
        return True
    if wanted.lemma == "have" and ("with", wanted.obj) in stated.tails:
        return True  # saw the man with the telescope
    keys = keys_of(wanted)
    return any(
        family(word, key) and _fits(word, where, key, stated, wanted)
        for word, where in _content(stated, denied) for key in keys
    )  # fmt: skip


def _fits(word: str, where: str, key: str, stated: Pred, wanted: Pred) -> bool:
    if word == key and stated.form == "adj" and wanted.form != "adj" and wanted.subj is not None:
        return False  # he is fine; he has a fine
    if wanted.form == "noun" and where == "noun":
        return word != key or key in _GROUPS or stated.lemma in ("become", "join")
    if wanted.form == "verb" and wanted.lemma == "have":
        return stated.form != "verb" or stated.lemma in _HAVE_LIKE or where != "noun"
    return True


def _content(pred: Pred, denied: bool) -> Iterator[tuple[str, str]]:
    """Each content word, and where it stands: pred, mod, noun, like, adverb."""
    if pred.lemma not in ("be", "have", "do"):
        yield from ((word, "pred") for word in pred.lemma.split())
    yield from ((mod.rpartition(" ")[2], "mod") for mod in pred.mods)
    for prep, term in (("", pred.subj), ("", pred.obj), *pred.tails):
        if term is not pred.subj or not isinstance(term, Ind):
            where = "like" if prep in ("like", "as") else "noun"
            yield from ((word, where) for word in _nouns(term))
    for adverb in pred.advs:
        if not (adverb.startswith("that ") and pred.lemma in _BELIEF and not denied):
            yield from ((word.lower(), "adverb") for word in adverb.split())


def _nouns(term: Any) -> Iterator[str]:
    kind = term.kind if isinstance(term, Owned) else term
    if isinstance(kind, Kind):
        yield from kind.noun.split()
        for _, other in kind.tails:
            yield from _nouns(other)
    elif isinstance(kind, Ind) and not kind.is_name:
        yield from kind.key.replace("'s", "").split()


def _spoken_of(pred: Pred, wanted: Pred) -> Iterator[Any]:
    """Those of whom it may be stated, the subject first."""
    if wanted.form == "noun" and pred.form == "verb" and pred.subj is not None:
        yield pred.subj
        return
    acting = wanted.passive and pred.form == "verb" and pred.subj is not None
    acting = acting and isinstance(pred.obj, (Ind, Var)) and family(pred.lemma, wanted.lemma)
    for k, term in enumerate(pred.terms):
        if k == 0 and acting:
            continue
        if isinstance(term, Owned) and _other_thing(pred, term, wanted):
            yield term
        elif isinstance(term, Kind) and (k > 1 or (k == 1 and pred.subj is not None)):
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
    return bool(pred.who == term)


def _inside(term: Any) -> Iterator[Any]:
    if isinstance(term, Owned):
        yield term.owner
        yield from _inside(term.owner)
        term = term.kind
    if isinstance(term, Kind):
        for _, other in term.tails:
            yield other
            yield from _inside(other)
    if isinstance(term, Ind) and " of " in term.key:
        yield Ind(term.key.partition(" of ")[2].removeprefix("the "))


def _same_verb(stated: Pred, wanted: Pred) -> Iterator[Met]:
    """Who does it must fit who should, and to whom likewise."""
    match = _Loose()
    for said, want in ((stated.subj, wanted.subj), (stated.obj, wanted.obj)):
        if said is None or want is None:
            continue
        if isinstance(said, Owned) and isinstance(want, Ind) and family(said.kind.noun, want.key):
            continue
        if not match.term(said, want):
            return
    yield match.met


def _other_class(stated: str, wanted: str, denied: bool) -> bool:
    """A guard dog is no guide dog."""
    one, other = stated.replace("-", " ").split(), wanted.replace("-", " ").split()
    if one[-1] != other[-1]:
        return False
    if len(one) > 1 and len(other) > 1:
        return one != other and one[0] not in closed.PRIVATIVE
    return denied and len(one) < len(other)


def _other_roles(stated: Pred, wanted: Pred) -> bool:
    """Nora supervises Felix, but is not supervised; bitten by a mosquito, not by a snake."""
    pairs = ((stated.subj, wanted.subj), (stated.obj, wanted.obj))
    return stated.form == "verb" and any(_other(said, want) for said, want in pairs)


def _other(said: Any, want: Any) -> bool:
    """They cannot be one, though neither is a variable."""
    if isinstance(said, Kind) and isinstance(want, Kind):
        one, other = said.noun, want.noun
        return not (is_a(one, other) or is_a(other, one) or _part(one, other))
    if isinstance(said, Owned) and isinstance(want, Owned):
        return not family(said.kind.noun, want.kind.noun)
    if isinstance(said, Ind) and isinstance(want, (Ind, Kind)):
        same = said.key == (want.key if isinstance(want, Ind) else want.words)
        return not same and (isinstance(want, Ind) or want.mass)
    return isinstance(said, Kind) and said.mass and isinstance(want, Ind) and said.words != want.key


def _part(one: str, other: str) -> bool:
    return other in one.split() or one in other.split() or family(one, other)


def _elsewhere(stated: Pred, wanted: Pred) -> bool:
    """works for Acme, not for Bolt"""
    if stated.form == "prep":
        return stated.lemma != wanted.lemma or _differ(stated.obj, wanted.obj)
    for prep, term in wanted.tails:
        others = [t for p, t in stated.tails if p == prep]
        if others and all(_differ(t, term) for t in others):
            return True
    return False


def _differ(one: Any, other: Any) -> bool:
    if isinstance(one, Var) or isinstance(other, Var):
        return False
    if isinstance(one, Kind) and isinstance(other, Kind):
        return not _part(one.noun, other.noun)
    alike = isinstance(one, Ind) and isinstance(other, Ind) and alike_names(one.key, other.key)
    return bool(one != other and not alike)
