"""Clauses → canonical English: "If X is an employee and X is not on probation then X is eligible."

Says what `reader` can read back to the same clauses. Variables are letters, so any rule has one
form; RuleTaker's own wordings are in `ibr.logic.surface.templates`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ibr.logic.clause import Clause, Literal, Sign, is_variable
from ibr.logic.english.lexis.forms import NOUN, PARTICIPLE, PAST, PLURAL, THIRD, classes, verb_base
from ibr.logic.english.meaning.literals import SLOT
from ibr.logic.surface.wording import attribute, base_form, noun_phrase, sentence, verb_phrase
from ibr.logic.surface.words import MODALS, PREPOSITIONS

_LETTERS = "XYZUVWRSTPQ"
_BE = ("is", "was", "be", "been")


def say_literal(literal: Literal) -> str:
    """`Literal("Ann", "'s badge is", "valid", "-")` → "Ann's badge is not valid." """
    return sentence(phrase(literal))


def phrase(literal: Literal) -> str:
    """The same inside a sentence: no capital, no full stop."""
    return _said(literal, _letters([literal]))


def say_clause(clause: Clause) -> str:
    letters = _letters([*clause.body, clause.head])
    head = _said(clause.head, letters)
    if not clause.body:
        return sentence(head)
    return sentence(f"if {' and '.join(_said(lit, letters) for lit in clause.body)} then {head}")


def _letters(literals: list[Literal]) -> dict[str, str]:
    terms = (term for lit in literals for term in (lit.subject, lit.object) if is_variable(term))
    variables = dict.fromkeys(terms)
    return dict(zip(variables, _LETTERS, strict=False))


def _said(literal: Literal, letters: Mapping[str, str]) -> str:
    relation, negative = literal.relation, literal.sign is not Sign.POSITIVE
    subject = letters.get(literal.subject) or noun_phrase(literal.subject)
    if relation.startswith("'s "):
        owned, relation = _owned(relation)
        subject += owned
    verb = verb_said(relation, negative)
    if _is_group(literal.subject):
        first, space, rest = verb.partition(" ")
        done = {"is": "are", "was": "were", "has": "have", "does": "do"}.get(first)
        ends = first.endswith("s") and first not in MODALS
        verb = (done or (base_form(first) if ends else first)) + space + rest
    if SLOT in verb.replace("'s", " ").split():
        thing = letters.get(literal.object) or noun_phrase(literal.object)
        said = " ".join(thing + w[1:] if w == SLOT or w == f"{SLOT}'s" else w for w in verb.split())
        return f"{subject} {said}"
    text = f"{subject} {verb}"
    if not literal.object:
        return text
    if is_variable(literal.object):
        return f"{text} {letters[literal.object]}"
    say = attribute if relation.rpartition(" ")[2] in _BE else noun_phrase
    return f"{text} {say(literal.object)}"


def _is_group(term: str) -> bool:
    """nets, boxes in the attic"""
    words = term.split()
    if term[:1].isupper() or "'s" in term or words[:1] in (["a"], ["an"]):
        return False
    at = next((k for k, word in enumerate(words) if k and word in PREPOSITIONS), len(words))
    found = classes(words[at - 1]) if words else frozenset()
    return PLURAL in found and NOUN not in found


def _owned(relation: str) -> tuple[str, str]:
    """ "'s line manager is" → "'s line manager", "is"."""
    words = relation.split()
    at = next((i for i in range(2, len(words)) if _is_verb(words[i])), len(words) - 1)
    return " ".join(words[:at]), " ".join(words[at:])


def _is_verb(word: str) -> bool:
    if word in ("is", "was", "has", "had") or word in MODALS:
        return True
    return bool(classes(word) & {THIRD, PAST})


@lru_cache(maxsize=4096)
def verb_said(relation: str, negative: bool) -> str:
    first, _, rest = relation.partition(" ")
    if not negative:
        return relation
    if first == "must":
        return f"does not have to {rest}"
    if first in ("has", "had") and _is_participle(rest.partition(" ")[0]):
        return f"{first} not {rest}"
    if first == "ought":
        return f"ought not {rest}"
    if first not in MODALS and not first.endswith("s"):
        return f"did not {verb_base(first)} {rest}".strip()
    return verb_phrase(relation, negative, False)


def _is_participle(word: str) -> bool:
    found = classes(word) if word else frozenset()
    return word == "been" or (PARTICIPLE in found and (NOUN not in found or word[-2:] in _ENDINGS))


_ENDINGS = ("ed", "en")
