"""Clauses → canonical English: "If X is an employee and X is not on probation then X is eligible."

Says what `reader` can read back to the same clauses. Variables are letters, so any rule has one
form; RuleTaker's own wordings are in `ibr.logic.templates`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ibr.logic.clause import Clause, Literal, Sign, is_variable
from ibr.logic.english.clauses.scope import with_article
from ibr.logic.english.lexis.lexicon import (
    ADJECTIVE,
    GERUND,
    NOUN,
    PARTICIPLE,
    PAST,
    THIRD,
    classes,
    verb_base,
)
from ibr.logic.wording import attribute, noun_phrase, sentence, verb_phrase
from ibr.logic.words import MODALS

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
    text = f"{subject} {verb_said(relation, negative)}"
    if not literal.object:
        return text
    if is_variable(literal.object):
        return f"{text} {letters[literal.object]}"
    say = attribute if relation.rpartition(" ")[2] in _BE else noun_phrase
    return f"{text} {say(literal.object)}"


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
    relation = _with_article(relation)
    first, _, rest = relation.partition(" ")
    if not negative:
        return relation
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


def _with_article(relation: str) -> str:
    """is member of → is a member of; is eligible for stays."""
    words = relation.split()
    at = next((i for i, word in enumerate(words) if word in _BE), None)
    if at is None or len(words) < at + 3:
        return relation
    found = classes(words[-2])
    if (
        NOUN not in found
        or found & {ADJECTIVE, PARTICIPLE, GERUND}
        or classes(words[at + 1]) & {PARTICIPLE}
    ):
        return relation
    return " ".join((*words[: at + 1], with_article(" ".join(words[at + 1 :]))))
