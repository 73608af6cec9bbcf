"""Wordings that look alike: the difference is one that people blur and no list settles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ibr.logic.english.grammar.tree import COLLECTIVE
from ibr.logic.english.lexis import closed
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred, Var
from ibr.logic.english.wording.content import ContentWord, content_of, keys_of, mentioned
from ibr.logic.english.wording.families import alike_names, family
from ibr.logic.english.wording.implied import implied
from ibr.logic.english.wording.meeting import Met, _Match, entails, is_a
from ibr.logic.surface.words import words

_HAVE_LIKE = LISTS["have-like"]
_ACTIONS = ("may", "must", "should", "shall")  # a permission or a duty is no fact
_STATES = words("have be own")


class _Near(_Match):
    """Matches individuals; of kinds only that they may be the same."""

    def term(self, stated: Any, wanted: Any) -> bool:
        stated, wanted = self.resolve(stated), self.resolve(wanted)
        if isinstance(stated, Kind):
            return True
        if isinstance(wanted, Kind):
            return not isinstance(stated, Ind) or True
        return super().term(stated, wanted)


def near(stated: Pred, negative: bool, wanted: Pred, denied: bool) -> Iterator[Met]:
    """`stated` does not settle `wanted`, but looks like it. `denied`: it is wanted to be absent."""
    if wanted.form == "role" or stated.form == "role":
        return
    if not _overlap(stated, wanted, denied) or _excluded(stated, negative, wanted, denied):
        return
    if _settled(stated, negative, wanted):
        return
    if stated.form == wanted.form == "verb" and family(stated.lemma, wanted.lemma) and wanted.subj:
        yield from _by_roles(stated, wanted)
        return
    who = wanted.obj if wanted.form == "verb" and wanted.subj is None else wanted.subj
    for term in dict.fromkeys(mentioned(stated, wanted)):
        if isinstance(term, Kind) and not denied:
            continue  # some are; whether this one is, is open
        match = _Near(True)
        if match.term(term, who):
            yield Met({k: v for k, v in match.binding.items() if not isinstance(v, Kind)}, ())


def _by_roles(stated: Pred, wanted: Pred) -> Iterator[Met]:
    """The same verb: who does it must fit who should, and to whom likewise."""
    match = _Near(True)
    for said, want in ((stated.subj, wanted.subj), (stated.obj, wanted.obj)):
        if said is None or want is None:
            continue
        if isinstance(said, Var) and isinstance(want, Kind):
            want = Ind(" ".join((*want.mods, want.noun)))
        alike = (
            isinstance(said, Owned) and isinstance(want, Ind) and family(said.kind.noun, want.key)
        )
        if not alike and not match.term(said, want):
            return
    yield Met({k: v for k, v in match.binding.items() if not isinstance(v, Kind)}, ())


def _settled(stated: Pred, negative: bool, wanted: Pred) -> bool:
    """By what follows from it in other words."""
    if negative:
        return False
    for pred, denied in implied(stated):
        if denied and entails(wanted, pred, True) is not None:
            return True
        if not denied and entails(pred, wanted, True) is not None:
            return True
    return stated.form == "noun" and stated.lemma.split()[0] in closed.DENYING


def _overlap(stated: Pred, wanted: Pred, denied: bool) -> bool:
    if wanted.form in ("prep", "adv") and _same_place(stated, wanted):
        return True
    if wanted.lemma == "have" and ("with", wanted.obj) in stated.tails:
        return True  # saw the man with the telescope
    keys = set(keys_of(wanted))
    return any(
        family(said.word, key) and _fits(said, key, stated, wanted)
        for said in content_of(stated, denied)
        for key in keys
    )


def _fits(said: ContentWord, key: str, stated: Pred, wanted: Pred) -> bool:
    if (
        said.word == key
        and stated.form == "adj"
        and wanted.form != "adj"
        and wanted.subj is not None
    ):
        return False  # he is fine; he has a fine
    if wanted.form == "noun" and said.where == "noun":
        return said.word != key or key in COLLECTIVE or stated.lemma in ("become", "join")
    if wanted.form == "verb" and wanted.lemma == "have":
        return stated.form != "verb" or stated.lemma in _HAVE_LIKE or said.where != "noun"
    return True


def _same_place(stated: Pred, wanted: Pred) -> bool:
    if not isinstance(wanted.obj, (Ind, Owned)):
        return False
    return stated.form != "prep" and any(term == wanted.obj for _, term in stated.tails)


def _excluded(stated: Pred, negative: bool, wanted: Pred, denied: bool) -> bool:
    """It says something else, or it settles the matter."""
    if negative:
        met = entails(wanted, stated, True)
        if met is not None and not met.extra:
            return True
    else:
        met = entails(stated, wanted, True)
        if met is not None and not met.witness:
            return True
    if wanted.mode != stated.mode and (
        wanted.mode
        or (stated.mode in _ACTIONS and not (stated.mode == "may" and _is_state(stated)))
    ):
        return True
    if stated.form == wanted.form and stated.form == "noun":
        return _other_class(stated, wanted, denied)
    if stated.form == wanted.form and family(stated.lemma, wanted.lemma):
        return _other_roles(stated, wanted) or _other_places(stated, wanted)
    return False


def _is_state(pred: Pred) -> bool:
    return pred.form != "verb" or pred.lemma in _STATES or pred.subj is None


def _other_class(stated: Pred, wanted: Pred, denied: bool) -> bool:
    one, other = stated.lemma.split(), wanted.lemma.split()
    if one[-1] != other[-1]:
        if any(family(part, other[-1]) for part in one[:-1]):
            return False  # a brackus hunter
        return not family(one[-1], other[-1])
    if len(one) > 1 and len(other) > 1 and one[0].replace("-", " ") != other[0]:
        return one != other and one[0] not in closed.PRIVATIVE  # a guard dog is no guide dog
    if len(one) < len(other):
        return denied
    return False


def _other_roles(stated: Pred, wanted: Pred) -> bool:
    """Nora supervises Felix, but is not supervised; bitten by a mosquito, not by a snake."""
    if stated.form != "verb":
        return False
    for said, want in ((stated.subj, wanted.subj), (stated.obj, wanted.obj)):
        if said is None or want is None:
            continue
        if isinstance(said, Kind) and isinstance(want, Kind):
            if not (is_a(said.noun, want.noun) or is_a(want.noun, said.noun) or _part(said, want)):
                return True
        elif (
            isinstance(said, (Ind, Kind))
            and isinstance(want, (Ind, Kind))
            and _stuff(said) != _stuff(want)
        ):
            if (isinstance(said, Ind) and (isinstance(want, Ind) or want.mass)) or _mass(said):
                return True
        elif (
            isinstance(said, Owned)
            and isinstance(want, Owned)
            and not family(said.kind.noun, want.kind.noun)
        ):
            return True
    if wanted.subj is None and stated.subj is not None and stated.obj is not None:
        return False
    return False


def _mass(term: Any) -> bool:
    return isinstance(term, Kind) and term.mass


def _stuff(term: Ind | Kind) -> str:
    return term.key if isinstance(term, Ind) else " ".join((*term.mods, term.noun))


def _part(one: Kind, other: Kind) -> bool:
    return (
        other.noun in one.noun.split()
        or one.noun in other.noun.split()
        or family(one.noun, other.noun)
    )


def _other_places(stated: Pred, wanted: Pred) -> bool:
    """works for Acme, not for Bolt"""
    if stated.form == "prep":
        if stated.lemma != wanted.lemma:
            return True
        return _differ(stated.obj, wanted.obj)
    for prep, term in wanted.tails:
        others = [t for p, t in stated.tails if p == prep]
        if others and all(_differ(t, term) for t in others):
            return True
    return False


def _differ(one: Any, other: Any) -> bool:
    if isinstance(one, Var) or isinstance(other, Var):
        return False
    if isinstance(one, Kind) and isinstance(other, Kind):
        return not _part(one, other)
    return one != other and not (
        isinstance(one, Ind) and isinstance(other, Ind) and alike_names(one.key, other.key)
    )
