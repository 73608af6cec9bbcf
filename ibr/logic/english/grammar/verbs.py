"""Tense: the actions of english.lark that make a verb phrase, a Formula about SELF.

A phrase starts as atoms whose relation is in the base form ("pay fee in", "be eligible for") or as
a participle; the auxiliary above it gives the tense, and "not" the negation.
"""

from __future__ import annotations

from ibr.logic.english.grammar.complements import phrase
from ibr.logic.english.grammar.forest import Leaf
from ibr.logic.english.grammar.lists import deny, formula_of, negated, retold
from ibr.logic.english.grammar.meaning import NP, SELF, Atom, Formula, Joined
from ibr.logic.english.lexis.lexicon import verb_base, verb_participle, verb_past
from ibr.logic.wording import third_person
from ibr.logic.words import words

# Verbs that link a subject with a state.
_COPULAR = words("appear become feel get go grow keep look remain seem smell sound stay taste turn")
_AUXILIARY = words("has have had does do did")
FIXED = "="  # before a relation whose tense does not change


def bare_verb(verb: Leaf, *more: object) -> Formula | None:
    return phrase(verb.text, more)


def present(relation: str) -> str:
    first, _, tail = relation.partition(" ")
    if first in ("be", FIXED):
        return f"is {tail}".strip() if first == "be" else tail
    return third_person(relation)


def have_done(_: Leaf, parts: Joined) -> Formula | None:
    """must have signed"""
    formula = formula_of(parts)
    return None if formula is None else retold(formula, lambda relation: f"have {relation}")


def finite(verb: Leaf, *more: object) -> Formula | None:
    """likes the dog; signed the form; has to pay."""
    if not more and verb.text in _AUXILIARY:
        return None
    return phrase(present(verb.text) if verb.type == "V" else verb.text, more)


def linking(verb: Leaf, state: Leaf) -> Formula | None:
    """stays closed, become invalid: the verb in the form it has"""
    if verb_base(verb.text) not in _COPULAR:
        return None
    return Atom(SELF, verb.text, NP("attribute", state.text))


def linked(verb: Leaf, state: Leaf) -> Formula | None:
    """they stay closed: stays"""
    formula = linking(verb, state)
    return None if formula is None else retold(formula, present)


def never(_: Leaf, formula: Formula) -> Formula:
    return deny(formula)


def do_not(aux: Leaf, _: Leaf, bases: Joined) -> Formula | None:
    formula = negated(bases)
    return None if formula is None else retold(formula, past if aux.type == "DID" else present)


def past(relation: str) -> str:
    verb, _, tail = relation.partition(" ")
    if verb == FIXED:
        return tail
    return f"{'was' if verb == 'be' else verb_past(verb)} {tail}".strip()


def modal(aux: Leaf, *children: object) -> Formula | None:
    bases = children[-1]
    negative = aux.type == "CANNOT" or len(children) == 2
    formula = negated(bases) if negative else formula_of(bases)
    word = "can" if aux.type == "CANNOT" else aux.text
    return None if formula is None else retold(formula, lambda relation: f"{word} {relation}")


def need_not(_: Leaf, bases: Joined) -> Formula | None:
    formula = negated(bases)
    return None if formula is None else retold(formula, lambda relation: f"needs to {relation}")


def perfect(aux: Leaf, parts: Joined) -> Formula | None:
    formula, word = formula_of(parts), "had" if aux.type == "HAD" else "has"
    return None if formula is None else retold(formula, lambda relation: f"{word} {relation}")


def be(aux: Leaf, comps: Joined) -> Formula | None:
    formula = formula_of(comps)
    if formula is None or aux.type == "BE":
        return formula
    return retold(formula, {"BEEN": _been, "WAS": past, "WERE": past}.get(aux.type, present))


def _been(relation: str) -> str:
    """After "has": been paid; an agent's verb becomes a participle (has been signed by Ann)."""
    first, _, tail = relation.partition(" ")
    return f"{'been' if first == 'be' else verb_participle(first)} {tail}".strip()


def word(*leaves: Leaf) -> Leaf:
    """An adjective or participle, with its adverb: "fully vaccinated"."""
    return Leaf("GRADED" if len(leaves) == 2 else "WORD", " ".join(leaf.text for leaf in leaves))
