"""The `representation` strings of RuleTaker's files ⇄ literals and clauses.

    ("circuit" "has" "switch" "~")
    ((("someone" "is" "a bird" "+") ("someone" "is" "hurt" "~")) -> ("someone" "is" "ok" "+"))

The one variable is written "someone" or "something" and read as "?x"; an article belongs to the
wording, not to the key ("a bird" is `Name("bird", "a bird")`).
"""

import re
from functools import lru_cache
from typing import Final

from ibr.errors import InputError
from ibr.logic.clause import Clause, Literal, Name, Sign, check_clause, is_variable

VARIABLE: Final = "?x"
VARIABLE_WORDS: Final = ("someone", "something")
_ARTICLE: Final = re.compile(r"(an?|the)\s+(?=\S)")
_LITERAL: Final = re.compile(r'\(\s*"([^"]*)"\s*"([^"]*)"\s*"([^"]*)"\s*"([-+~])"\s*\)')
_ANY: Final = r'\s*\(\s*(?:"[^"]*"\s*){3}"[-+~]"\s*\)'  # blanks only before: one way to match
_FACTS: Final = re.compile(rf"(?:{_ANY})+\s*")
_RULE: Final = re.compile(rf"\s*\(\s*\(((?:{_ANY})*)\s*\)\s*->({_ANY})\s*\)\s*")


class LogicStringError(InputError):
    """A representation outside the grammar, or logic that the notation cannot express."""


@lru_cache(maxsize=65536)  # few statements, many files
def parse_facts(text: str) -> tuple[Clause, ...]:
    """One or more literals side by side, as in a fact row of ParaRules."""
    if not _FACTS.fullmatch(text):
        raise LogicStringError(f"cannot read the representation {text!r}: expected literals")
    return tuple(_checked(Clause(literal), text) for literal in _literals(text))


@lru_cache(maxsize=65536)
def parse_rule(text: str) -> Clause:
    match = _RULE.fullmatch(text)
    if not match:
        raise LogicStringError(f"cannot read the representation {text!r}: expected a rule")
    return _checked(Clause(_literals(match[2])[0], _literals(match[1])), text)


def parse_literal(text: str) -> Literal:
    facts = parse_facts(text)
    if len(facts) != 1:
        raise LogicStringError(f"cannot read the representation {text!r}: it has several literals")
    return facts[0].head


def _literals(text: str) -> tuple[Literal, ...]:
    return tuple(
        Literal(_term(subject), relation, _term(obj), Sign(sign))
        for subject, relation, obj, sign in _LITERAL.findall(text)
    )


def _term(written: str) -> str:
    if written in VARIABLE_WORDS:
        return VARIABLE
    article = _ARTICLE.match(written)
    return Name(written[article.end() :], written) if article else written


def _checked(clause: Clause, text: str) -> Clause:
    try:
        check_clause(clause)
    except ValueError as error:
        raise LogicStringError(f"{error}, in {text!r}") from None
    if wrong := [literal for literal in clause.body if literal.sign == Sign.NEGATIVE]:
        raise LogicStringError(f"{wrong[0]}: a negated condition is written ~, in {text!r}")
    return clause


def write_literal(literal: Literal, variable: str = "someone") -> str:
    subject, object_ = (_written(term, variable) for term in (literal.subject, literal.object))
    terms = subject, literal.relation, object_, literal.sign.value
    for term in terms:
        if '"' in term:
            raise LogicStringError(f'{term!r} cannot be written: it holds a "')
    return "(" + " ".join(f'"{term}"' for term in terms) + ")"


def write_clause(clause: Clause, variable: str = "someone") -> str:
    """A rule as `((...) -> ...)`, a fact as its literal; one variable at most."""
    if len(clause.variables) > 1:
        raise LogicStringError(f"{clause}: the notation has words for one variable only")
    head = write_literal(clause.head, variable)
    if clause.is_fact:
        return head
    return f"(({' '.join(write_literal(lit, variable) for lit in clause.body)}) -> {head})"


def _written(term: str, variable: str) -> str:
    if is_variable(term):
        return variable
    surface = getattr(term, "surface", "")
    return surface if surface in (f"a {term}", f"an {term}") else str(term)
