"""Terms and predications as literals and as words."""

from __future__ import annotations

from typing import Any

from ibr.logic.clause import Literal, Name, Sign
from ibr.logic.english.lexis import closed
from ibr.logic.english.lexis.forms import verb_participle, verb_past
from ibr.logic.english.meaning.discourse import Refusal
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred, Var
from ibr.logic.surface.wording import third_person
from ibr.logic.surface.words import MODALS

SLOT = "_"


def noun_phrase(term: Any) -> str:
    """In the middle of a sentence: Tom, the corner shop, a badge, Ann's card."""
    if isinstance(term, Var):
        return term.name[1:].upper()
    if isinstance(term, Ind):
        return term.key if _is_name(term.key) else f"the {term.key}"
    if isinstance(term, Owned):
        return f"{noun_phrase(term.owner)}'s {_described(term.kind)}"
    return with_article(_described(term), term)


def _is_name(key: str) -> bool:
    """Ann, Room 12, Ann's card; but the CE mark"""
    if key[:1].isupper():
        return not key.rpartition(" ")[2].islower()
    return key == "it" or "'s " in key or key[:1].isdigit() or key.startswith("typical ")


def _described(kind: Kind) -> str:
    text = " ".join((*kind.mods, kind.noun))
    return text + "".join(f" {prep} {noun_phrase(term)}" for prep, term in kind.tails)


def with_article(text: str, kind: Kind) -> str:
    if kind.mass or kind.noun in ("someone", "something") or text[:1].isdigit():
        return text
    if kind.mods and kind.mods[0] in (
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
    ):
        return text
    return f"{article(text)} {text}"


def article(text: str) -> str:
    low = text.lower()
    if low.startswith(("uni", "use", "eu", "one")) and not low.startswith("unin"):
        return "a"
    return "an" if low[:1] in "aeiou" or low.startswith(("hour", "honest", "heir")) else "a"


def verb_text(mode: str, tense: str, lemma: str) -> str:
    """may enter, has entered, entered, enters; `lemma` may be several words"""
    first, _, rest = lemma.partition(" ")
    rest = f" {rest}" if rest else ""
    past = "was" if first == "be" else verb_past(first)
    done = "been" if first == "be" else verb_participle(first)
    if mode:
        lead, _, tail = mode.partition(" ")
        inner = f"have {done}" if tense == "perf" else first
        if lead in MODALS:
            return f"{mode} {inner}{rest}"
        led = "used" if lead == "used" else "is" if lead == "be" else third_person(lead)
        if tense == "past" and lead != "used":
            led = "was" if lead == "be" else verb_past(lead)
        return f"{led} {tail} {inner}{rest}"
    if tense == "past":
        return f"{past}{rest}"
    if tense == "perf":
        return f"has {done}{rest}"
    return f"{'is' if first == 'be' else 'has' if first == 'have' else third_person(first)}{rest}"


def literal(pred: Pred, sign: Sign = Sign.POSITIVE) -> Literal:
    """The predication as subject, relation, object."""
    subject, lead = _subject(pred)
    words, last = _relation(pred)
    relation = f"{lead}{words}"
    return Literal(subject, relation, last, sign)


def _subject(pred: Pred) -> tuple[str, str]:
    term = pred.obj if pred.form == "verb" and pred.subj is None else pred.subj
    if term is None:
        raise Refusal("of whom?")
    if isinstance(term, Owned) and isinstance(term.owner, Var):
        if any(True for _ in term.kind.tails):
            raise Refusal("a description inside a rule")
        return term.owner.name, f"'s {_described(term.kind)} "
    return constant(term), ""


def constant(term: Any) -> str:
    if isinstance(term, Var):
        return term.name
    if isinstance(term, Ind):
        return Name(term.key, noun_phrase(term))
    text = noun_phrase(term)
    return Name(text, text)


def _relation(pred: Pred) -> tuple[str, str]:
    mode, tense = pred.mode, pred.tense
    if pred.form == "role":
        return verb_text(mode, tense, "be"), Name(pred.lemma, pred.lemma)
    if pred.form == "there":
        return verb_text(mode, tense, "exist"), Name("", "")
    advs = " ".join(pred.advs)
    if pred.form in ("adj", "adv"):
        said = f"{advs} {pred.lemma}".strip()
        return _complement(mode, tense, said, said, pred.tails)
    if pred.form == "noun":
        said = " ".join((*pred.advs, *pred.mods, pred.lemma))
        if pred.tails:
            said = f"{article(said)} {said}"
        shown = " ".join(
            (*pred.advs, f"{article(' '.join((*pred.mods, pred.lemma)))}", *pred.mods, pred.lemma)
        )
        return _complement(mode, tense, said, shown, pred.tails)
    if pred.form == "prep":
        be = verb_text(mode, tense, "be")
        said = f"{be} {advs}".strip()
        return _slotted(said, ((pred.lemma, pred.obj), *pred.tails))
    if pred.subj is None:
        after = " ".join(a for a in pred.advs if a in closed.PARTICLES)
        before = " ".join(a for a in pred.advs if a not in closed.PARTICLES)
        said = " ".join(filter(None, (before, verb_participle(pred.lemma), after)))
        return _complement(mode, tense, said, said, pred.tails)
    said = f"{verb_text(mode, tense, pred.lemma)} {advs}".strip()
    objects = (("", pred.obj),) if pred.obj is not None else ()
    return _slotted(said, (*objects, *pred.tails))


def _complement(
    mode: str, tense: str, said: str, shown: str, tails: tuple[Any, ...]
) -> tuple[str, str]:
    be = verb_text(mode, tense, "be")
    if not tails:
        return be, Name(said, shown)
    return _slotted(f"{be} {said}", tails)


def _slotted(said: str, parts: tuple[tuple[str, Any], ...]) -> tuple[str, str]:
    """All in words but one, which is the object of the literal."""
    slot = _slot(parts)
    for k, (prep, term) in enumerate(parts):
        said = f"{said} {prep}".rstrip()
        if k == slot:
            said = f"{said} {SLOT}"
            if isinstance(term, Owned) and isinstance(term.owner, Var):
                said = f"{said}'s {_described(term.kind)}"
        elif any(True for _ in _variables(term)):
            raise Refusal("it relates three at once")
        else:
            said = f"{said} {noun_phrase(term)}"
    if slot is None:
        return said, Name("", "")
    term = parts[slot][1]
    if isinstance(term, Owned) and isinstance(term.owner, Var):
        return said, term.owner.name
    return said.removesuffix(f" {SLOT}"), constant(term)


def _slot(parts: tuple[tuple[str, Any], ...]) -> int | None:
    best = None
    for k, (_, term) in enumerate(parts):
        if isinstance(term, Var) or (isinstance(term, Owned) and isinstance(term.owner, Var)):
            return k
        if isinstance(term, (Ind, Owned)) or (isinstance(term, Kind) and term.mass):
            best = k
    return best


def _variables(term: Any) -> Any:
    from ibr.logic.english.meaning.terms import variables

    return variables(term)


def said_tree(tree: Any) -> str:
    """Words for the inside of a description, the same for the same tree."""
    if isinstance(tree, str):
        return tree if tree and tree not in ("verb", "prep", "name", "the", "a") else ""
    if isinstance(tree, tuple):
        return " ".join(filter(None, (said_tree(t) for t in tree)))
    return ""
