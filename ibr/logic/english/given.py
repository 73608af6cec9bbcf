"""Clauses of template sentences as the rules of a rulebook, and back to the same clauses."""

from __future__ import annotations

from collections.abc import Iterator

from ibr.logic.clause import Clause, Literal, Name, Sign, is_variable
from ibr.logic.english.lexis.forms import ADJECTIVE, PARTICIPLE, classes, verb_base, verb_participle
from ibr.logic.english.meaning.literals import Refusal, literal
from ibr.logic.english.meaning.normal import modifier, normal
from ibr.logic.english.meaning.reference.discourse import Discourse
from ibr.logic.english.meaning.terms import Cnd, Ind, Kind, Pred, Rule, Var
from ibr.logic.surface import templates
from ibr.logic.surface.wording import base_form


def rule_of(clause: Clause, discourse: Discourse) -> Rule:
    """Raises Refusal if the rule would not say the same clause."""
    head = _pred(clause.head, discourse)
    body = tuple(Cnd(_pred(lit, discourse), lit.sign is Sign.NAF) for lit in clause.body)
    return Rule(normal(head), clause.head.sign is Sign.NEGATIVE, body)


def _pred(lit: Literal, discourse: Discourse) -> Pred:
    subject = _term(lit.subject, discourse)
    for pred in _readings(lit, subject, discourse):
        made = literal(pred, lit.sign)
        if made == lit or (pred.passive and _is_spelling(lit.object, made.object)):
            return pred
    raise Refusal("a template that has no rule")


def _is_spelling(word: str, usual: str) -> bool:
    """cancelled, canceled"""
    return PARTICIPLE in classes(word) and verb_participle(verb_base(word)) == usual


def _readings(lit: Literal, subject: Ind | Var, discourse: Discourse) -> list[Pred]:
    surface = getattr(lit.object, "surface", lit.object)
    if lit.relation == "is":
        if surface.startswith(("a ", "an ")):
            return [Pred("noun", str(lit.object), subject)]
        return [modifier(str(lit.object), subject), Pred("adj", str(lit.object), subject)]
    if lit.relation.startswith("can ") and not lit.object:
        return [Pred("verb", lit.relation[4:], subject, mode="can")]
    verb, _, prep = base_form(lit.relation).partition(" ")
    thing = _term(lit.object, discourse)
    if prep:
        return [Pred("verb", verb, subject, tails=((prep, thing),))]
    return [Pred("verb", verb, subject, thing)]


def _term(text: str, discourse: Discourse) -> Ind | Var:
    if is_variable(text):
        return Var(text)
    if isinstance(text, Name) and not text[:1].isupper():
        *before, noun = str(text).split()
        plain = all(ADJECTIVE in classes(word) for word in before)
        kind = Kind(noun, tuple(before)) if plain else Kind(str(text))  # the broken cup is broken
        discourse.described.setdefault(str(text), kind)
    return Ind(str(text))


def classes_by_template(text: str) -> Iterator[tuple[str, str]]:
    """The words of a template sentence, and what each is there."""
    reading = templates.parse(text)
    for clause in reading.clauses if reading else ():
        for lit in (clause.head, *clause.body):
            if lit.relation != "is":
                yield base_form(lit.relation).split()[0], "V"
            for term in (lit.subject, lit.object):
                surface = getattr(term, "surface", "")
                if surface.startswith(("a ", "an ", "the ")):
                    yield str(term).rpartition(" ")[2], "N"
                elif term and not is_variable(term) and not term[:1].isupper():
                    yield str(term), "ADJ"
