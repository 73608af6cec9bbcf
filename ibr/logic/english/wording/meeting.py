"""Wordings that meet: when what is stated implies what is wanted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ibr.logic.budget import spend
from ibr.logic.english.lexis import closed
from ibr.logic.english.lexis import knowledge as common
from ibr.logic.english.lexis.forms import verb_base, verb_participle
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.discourse import head
from ibr.logic.english.meaning.terms import Cnd, Ind, Kind, Owned, Pred, Var, bound

Binding = dict[str, Any]


class Met(NamedTuple):
    """Under `binding` and the `extra` conditions the stated implies the wanted."""

    binding: Binding
    extra: tuple[Cnd, ...]
    witness: Any = None


class _Match:
    def __init__(self, can_may: bool) -> None:
        self.binding: Binding = {}
        self.extra: list[Cnd] = []
        self.witnesses: list[tuple[str, Kind]] = []
        self.can_may = can_may

    def resolve(self, term: Any) -> Any:
        while isinstance(term, Var) and term.name in self.binding:
            term = self.binding[term.name]
        return term

    def term(self, stated: Any, wanted: Any) -> bool:
        stated, wanted = self.resolve(stated), self.resolve(wanted)
        if stated == wanted:
            return True
        if stated is None or wanted is None:
            return False
        if _is_stuff(stated, wanted) or _is_stuff(wanted, stated):
            return True
        if isinstance(wanted, Var):
            if isinstance(stated, Kind):
                self.witnesses.append((wanted.name, stated))
                return True
            self.binding[wanted.name] = stated
            return True
        if isinstance(stated, Var):
            if isinstance(wanted, Kind):
                self.extra += [Cnd(p) for p in described(wanted, stated)]
                return True
            self.binding[stated.name] = wanted
            return True
        if isinstance(wanted, Kind):
            if isinstance(stated, Kind):
                return self.kind(stated, wanted)
            if isinstance(stated, Owned) and self.kind(stated.kind, wanted):
                return True
            self.extra += [Cnd(p) for p in described(wanted, stated)]
            return True
        if isinstance(wanted, Owned) and isinstance(stated, Owned):
            return self.kind(stated.kind, wanted.kind) and self.term(stated.owner, wanted.owner)
        return False

    def kind(self, stated: Kind, wanted: Kind) -> bool:
        """An unpaid fine is a fine."""
        if wanted.noun in ("someone", "something"):
            return True
        if not is_a(stated.noun, wanted.noun):
            return False
        dropped = set(stated.mods) - set(wanted.mods)
        if any(mod in closed.PRIVATIVE or mod in closed.CANCELLED for mod in dropped):
            return False
        if not set(wanted.mods) <= set(stated.mods):
            return False
        return self.tails(stated.tails, wanted.tails)

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
    return (
        isinstance(one, Ind)
        and isinstance(other, Kind)
        and other.mass
        and (one.key == " ".join((*other.mods, other.noun)) and not other.tails)
    )


def is_a(stated: str, wanted: str) -> bool:
    """guide dog: dog, animal"""
    if stated == wanted or " or " in stated:
        return stated == wanted
    if stated.split()[0] in closed.PRIVATIVE or stated.startswith(("ex-", "non-", "half-")):
        return False
    stated, wanted = stated.replace("-", " "), wanted.replace("-", " ")
    words = stated.split()
    if stated == wanted:
        return True
    if stated.endswith(f" {wanted}"):
        return wanted != "member" or words[0] == "staff"
    return wanted in common.KINDS.get(head(stated), ())


def described(kind: Kind, term: Any) -> Iterator[Pred]:
    """What a description says of its individual."""
    if kind.noun not in ("someone", "something", "person", "people", "thing"):
        of = tuple(tail for tail in kind.tails if tail[0] == "of")
        yield Pred("noun", kind.noun, term, tails=of)
    for mod in kind.mods:
        if mod not in closed.NUMERALS:
            yield modifier(mod, term)
    for prep, other in kind.tails:
        if prep == "with":
            yield Pred("verb", "have", term, other)
        elif prep != "of":
            yield Pred("prep", prep, term, other)


def modifier(mod: str, term: Any) -> Pred:
    """suspended: by somebody; furry"""
    word = mod.rpartition(" ")[2]
    base = verb_base(word)
    if base != word and verb_participle(base) == word and not word.endswith("ing"):
        advs = tuple(mod.split()[:-1])
        return Pred("verb", base, None, term, advs=advs)
    return Pred("adj", mod, term)


def entails(stated: Pred, wanted: Pred, can_may: bool = False) -> Met | None:
    """`stated` implies `wanted`; their variables are apart."""
    spend()
    match = _Match(can_may)
    if not _modes(stated, wanted, can_may) or wanted.tense not in (stated.tense, "any"):
        return None
    dropped = set(stated.advs) - set(wanted.advs)
    if not set(wanted.advs) <= set(stated.advs) or any(_doubtful(a) for a in dropped):
        return None
    stated = _alike(stated, wanted)
    if stated.form != wanted.form or not _lemmas(stated, wanted, match):
        return None
    if stated.form in ("adj", "verb") and _changes(stated, wanted):
        return None
    if wanted.subj is None:
        pass
    elif not match.term(stated.subj, wanted.subj):
        return None
    if wanted.obj is None:
        if stated.obj is not None and stated.form == "verb" and not _may_drop(stated):
            return None
    elif not match.term(stated.obj, wanted.obj):
        return None
    if not match.tails(stated.tails, wanted.tails):
        return None
    witness = match.witnesses[0] if match.witnesses else None
    if len(match.witnesses) > 1:
        return None
    return Met(match.binding, tuple(match.extra), witness)


def _doubtful(adverb: str) -> bool:
    return adverb in closed.DOUBTFUL or adverb.startswith("that ") or adverb in closed.PARTICLES


def _may_drop(stated: Pred) -> bool:
    """eats an apple: eats; but not: runs a shop"""
    return stated.lemma in common.OBJECT_DROPS


def _changes(stated: Pred, wanted: Pred) -> bool:
    """tired of waiting is not tired; barks like a dog"""
    lost = [(p, t) for p, t in stated.tails if p not in {q for q, _ in wanted.tails}]
    if stated.form == "verb" and stated.subj is not None and wanted.subj is not None:
        return any(p in ("like", "as") for p, _ in lost)
    if any(p in ("of", "than", "from", "as", "like", "before", "after") for p, _ in lost):
        return True
    return any(
        p == "for"
        and not (isinstance(t, Kind) and (t.mass or (not t.tails and t.noun not in _EVENTS)))
        for p, t in lost
    )


_EVENTS = LISTS["events"]


def _modes(stated: Pred, wanted: Pred, can_may: bool) -> bool:
    a, b = stated.mode, wanted.mode
    if a == b or (a == "must" and b == "may"):
        return True
    return (can_may and {a, b} <= {"can", "may"}) or (can_may and a == "must" and b == "can")


def _alike(stated: Pred, wanted: Pred) -> Pred:
    """The stated in the form of the wanted: talks, talking; is banned by, banned"""
    forms = stated.form, wanted.form
    if forms == ("verb", "adj"):
        if stated.obj is None:
            return _renamed(stated, "adj", wanted.lemma) if _is_gerund(wanted, stated) else stated
        if wanted.lemma == verb_participle(stated.lemma):
            return _renamed(stated, "adj", wanted.lemma)._replace(subj=stated.obj, obj=None)
    if forms == ("adj", "verb"):
        if wanted.obj is None and _is_gerund(stated, wanted):
            return _renamed(stated, "verb", wanted.lemma)
        if wanted.subj is None and stated.lemma == verb_participle(wanted.lemma):
            return _renamed(stated, "verb", wanted.lemma)._replace(subj=None, obj=stated.subj)
    return stated


def _renamed(pred: Pred, form: str, lemma: str) -> Pred:
    return pred._replace(form=form, lemma=lemma)


def _is_gerund(adjective: Pred, verb: Pred) -> bool:
    return adjective.lemma.endswith("ing") and verb_base(adjective.lemma) == verb.lemma


def _lemmas(stated: Pred, wanted: Pred, match: _Match) -> bool:
    if stated.form == "noun":
        if not is_a(stated.lemma, wanted.lemma):
            return False
        missing = [m for m in wanted.mods if m not in stated.mods]
        if any(m in closed.PRIVATIVE for m in (*missing, *(set(stated.mods) - set(wanted.mods)))):
            return False
        match.extra += [Cnd(modifier(m, stated.subj)) for m in missing]
        return True
    if stated.lemma == wanted.lemma:
        return True
    if stated.form == "verb":
        return wanted.lemma in common.VERBS.get(stated.lemma, ())
    if stated.form == "prep":
        return wanted.lemma in common.PLACES.get(stated.lemma, ())
    return False


def apart(pred: Pred, mark: str) -> Pred:
    """With other names for its variables."""
    from ibr.logic.english.meaning.terms import variables

    names = {name: Var(f"?{mark}{name[1:]}") for name in variables(pred)}
    made: Pred = bound(pred, names)
    return made
