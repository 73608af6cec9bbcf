"""Terms, predications and rules as literals, clauses and words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ibr.logic.clause import Clause, Literal, Name, Sign
from ibr.logic.english.lexis.forms import plural, verb_participle, verb_past
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.numbers import is_count
from ibr.logic.english.meaning.terms import Cnd, Ind, Kind, Owned, Pred, Rule, Var, bound, variables
from ibr.logic.surface.wording import third_person
from ibr.logic.surface.words import MODALS

SLOT = "_"
_DETERMINED = ("a", "lots", "plenty", "someone", "something", "another", "every", "enough", "too")
_SPEAKERS = {Ind("We"): "our", Ind("I"): "my"}
Tails = tuple[tuple[str, Any], ...]


class Refusal(Exception):
    """Why a sentence has no reading that is certain."""


class Unsayable(Refusal):
    """A reading that may be meant and has no rule: no other one is certain then."""


def noun_phrase(term: Any) -> str:
    """In the middle of a sentence: Tom, the corner shop, a badge, Ann's card."""
    if isinstance(term, Var):
        return term.name[1:].upper()
    if isinstance(term, Ind):
        return term.key if _is_name(term.key) else f"the {term.key}"
    if isinstance(term, Owned) and term.owner in _SPEAKERS:
        return f"{_SPEAKERS[term.owner]} {describe(term.kind)}"
    if isinstance(term, Owned):
        return _owned(noun_phrase(term.owner), term.kind)
    text = describe(term)
    counted = bool(term.mods) and term.mods[0] != "one" and is_count(term.mods[0])
    if counted and not term.mass and term.mods[0].split()[-1] not in ("one", "1"):
        text = describe(term._replace(noun=plural(term.noun)))  # at most two hours
    alone = term.mass or counted or text.split()[0] in _DETERMINED
    return text if alone else f"{article(text)} {text}"


def _owned(owner: str, kind: Kind) -> str:
    """Ann's card; all Ann's card"""
    first, *mods = kind.mods or ("",)
    if first in ("all", "both"):
        return f"{first} {owner}'s {describe(kind._replace(mods=tuple(mods)))}"
    return f"{owner}'s {describe(kind)}"


def _is_name(key: str) -> bool:
    """Ann, Room 12, Ann's card; but the CE mark"""
    if key[:1].isupper():
        return not key.rpartition(" ")[2].islower()
    return key == "it" or "'s " in key or key[:1].isdigit() or key.startswith("typical ")


def describe(kind: Kind) -> str:
    """old bridge; owner of the shop"""
    return kind.words + "".join(f" {prep} {noun_phrase(term)}" for prep, term in kind.tails)


def article(text: str) -> str:
    low = text.lower()
    if low.startswith(("uni", "use", "eu", "one")) and not low.startswith("unin"):
        return "a"
    return "an" if low[:1] in "aeiou" or low.startswith(("hour", "hono", "hones", "heir")) else "a"


def verb_text(mode: str, tense: str, lemma: str) -> str:
    """may enter, has entered, entered, enters; `lemma` may be several words"""
    first, _, rest = lemma.partition(" ")
    done = "been" if first == "be" else verb_participle(first)
    if mode:
        lead, _, tail = mode.partition(" ")
        if lead in MODALS:
            led = mode
        elif lead == "used":
            led = f"used {tail}"
        elif tense == "past":
            led = f"{'was' if lead == 'be' else verb_past(lead)} {tail}"
        else:
            led = f"{'is' if lead == 'be' else third_person(lead)} {tail}"
        said = f"{led} {f'have {done}' if tense == 'perf' else first}"
    elif tense == "past":
        said = "was" if first == "be" else verb_past(first)
    elif tense == "perf":
        said = f"has {done}"
    else:
        said = {"be": "is", "have": "has"}.get(first) or third_person(first)
    return f"{said} {rest}".rstrip()


def literal(pred: Pred, sign: Sign = Sign.POSITIVE) -> Literal:
    """The predication as subject, relation, object. Raises Refusal."""
    who = pred.who
    if who is None:
        raise Refusal("of whom?")
    words, last = _relation(pred)
    if isinstance(who, Owned) and isinstance(who.owner, Var):
        if who.kind.tails:
            raise Refusal("a description inside a rule")
        return Literal(who.owner.name, f"'s {describe(who.kind)} {words}", last, sign)
    return Literal(constant(who), words, last, sign)


def constant(term: Any) -> str:
    """Raises Refusal for a description that depends on a variable."""
    if isinstance(term, Var):
        return term.name
    if isinstance(term, Owned) and list(variables(term)):
        raise Refusal("a description inside a rule")
    text = noun_phrase(term)
    return Name(term.key if isinstance(term, Ind) else text, text)


def clause_of(rule: Rule) -> Clause:
    """Raises Refusal."""
    names = _names(rule)
    head = literal(rule.head, Sign.NEGATIVE if rule.negative else Sign.POSITIVE).bind(names)
    body = (literal(c.pred, _sign(c)) for c in rule.body)
    return Clause(head, tuple(dict.fromkeys(lit.bind(names) for lit in body)))


def _sign(condition: Cnd) -> Sign:
    if condition.denied:
        return Sign.NEGATIVE
    return Sign.NAF if condition.negative else Sign.POSITIVE


def atoms_of(rule: Rule, conditions: Iterable[Cnd]) -> frozenset[Literal]:
    """The atoms of some of its conditions."""
    names = _names(rule)
    return frozenset(literal(condition.pred).bind(names) for condition in conditions)


def _names(rule: Rule) -> dict[str, str]:
    binding = dict(rule.binding)
    return {name: constant(bound(term, binding)) for name, term in rule.binding}


def _relation(pred: Pred) -> tuple[str, str]:
    mode, tense, advs = pred.mode, pred.tense, " ".join(pred.advs)
    be = verb_text(mode, tense, "be")
    if pred.form == "role":
        return be, Name(pred.lemma, pred.lemma)
    if pred.form == "there":
        return verb_text(mode, tense, "exist"), Name("", "")
    if pred.lemma in LISTS["dimensions"] and isinstance(pred.obj, Kind):
        return be, Name(*[f"{noun_phrase(pred.obj)} {pred.lemma}"] * 2)
    if pred.form == "prep":
        return _slotted(f"{be} {advs}".strip(), ((pred.lemma, pred.obj), *pred.tails))
    if pred.form == "noun":
        noun = " ".join((*pred.mods, pred.lemma))
        shown = f"{advs} {article(noun)} {noun}".strip()
        said = f"{advs} {noun}".strip()
        return _complement(be, f"{article(said)} {said}" if pred.tails else said, shown, pred.tails)
    if pred.form in ("adj", "adv"):
        said = f"{advs} {pred.lemma}".strip()
        return _complement(be, said, said, pred.tails)
    if pred.passive:
        after = " ".join(a for a in pred.advs if a in LISTS["particles"])
        before = " ".join(a for a in pred.advs if a not in LISTS["particles"])
        said = " ".join(filter(None, (before, verb_participle(pred.lemma), after)))
        return _complement(be, said, said, pred.tails)
    objects = (("", pred.obj),) if pred.obj is not None else ()
    said = f"{verb_text(mode, tense, pred.lemma)} {advs}".strip()
    return _slotted(said, (*objects, *pred.tails), pred.subj)


def _complement(be: str, said: str, shown: str, tails: Tails) -> tuple[str, str]:
    return _slotted(f"{be} {said}", tails) if tails else (be, Name(said, shown))


def _slotted(said: str, parts: Tails, who: Any = None) -> tuple[str, str]:
    """All in words but one, which is the object of the literal."""
    slot = _slot(parts)
    last: str = Name("", "")
    for k, (prep, term) in enumerate(parts):
        said = f"{said} {prep}".rstrip()
        if k != slot:
            own = isinstance(term, Owned) and term.owner == who and isinstance(who, Var)
            if any(variables(term)) and not own:
                raise Refusal("it relates three at once")
            said = f"{said} {f'its own {describe(term.kind)}' if own else noun_phrase(term)}"
        elif isinstance(term, Owned) and isinstance(term.owner, Var):
            said, last = f"{said} {_owned(SLOT, term.kind)}", term.owner.name
        else:
            said, last = f"{said} {SLOT}", constant(term)
    return said.removesuffix(f" {SLOT}"), last


def _slot(parts: Tails) -> int | None:
    best = None
    for k, (_, term) in enumerate(parts):
        if isinstance(term, Var) or (isinstance(term, Owned) and isinstance(term.owner, Var)):
            return k
        if isinstance(term, (Ind, Owned)) or term.mass:
            best = k
    return best
