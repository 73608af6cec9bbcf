"""The `representation` strings of RuleTaker's files ⇄ literals and clauses.

    ("circuit" "has" "switch" "~")
    ((("someone" "is" "a bird" "+") ("someone" "is" "hurt" "~")) -> ("someone" "is" "ok" "+"))

The one variable is written "someone" or "something" and read as "?x"; an article belongs to the
wording, not to the key ("a bird" is `Name("bird", "a bird")`).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any, Final

from lark import Lark, Token, Transformer
from lark.exceptions import LarkError, UnexpectedInput

from ibr.logic.clause import Clause, Literal, Name, Sign, check_clause, is_variable

VARIABLE: Final = "?x"
VARIABLE_WORDS: Final = ("someone", "something")
_ARTICLE: Final = re.compile(r"(an?|the)\s+(?=\S)")

_GRAMMAR: Final = r"""
fact: literal
literals: literal+
rule: "(" "(" literal* ")" "->" literal ")"
literal: "(" STRING STRING STRING SIGN ")"
SIGN.1: /"[-+~]"/
STRING: /"[^"]*"/
%ignore /\s+/
"""


class LogicStringError(ValueError):
    """A representation outside the grammar, or logic that the notation has no words for."""


class _Build(Transformer[Token, Any]):
    def literal(self, items: list[Token]) -> Literal:
        subject, relation, obj, sign = (str(item)[1:-1] for item in items)
        return Literal(_term(subject), relation, _term(obj), Sign(sign))

    def fact(self, items: list[Literal]) -> Clause:
        return Clause(items[0])

    def literals(self, items: list[Literal]) -> tuple[Literal, ...]:
        return tuple(items)

    def rule(self, items: list[Literal]) -> Clause:
        *body, head = items
        return Clause(head, tuple(body))


@cache
def _parser() -> Lark:
    return Lark(_GRAMMAR, parser="lalr", start=["fact", "literals", "rule"], transformer=_Build())


def _parse(text: str, start: str) -> Any:
    try:
        return _parser().parse(text, start=start)
    except UnexpectedInput as error:
        where = f"column {error.column}" if error.column > 0 else "the end"
        raise LogicStringError(f"cannot read the representation {text!r}: see {where}") from None
    except LarkError as error:
        raise LogicStringError(f"cannot read the representation {text!r}: {error}") from None


@lru_cache(maxsize=65536)  # few statements, many files
def parse_literal(text: str) -> Literal:
    literal = _parse(text, "fact").head
    assert isinstance(literal, Literal)
    return literal


@lru_cache(maxsize=65536)
def parse_rule(text: str) -> Clause:
    clause = _parse(text, "rule")
    assert isinstance(clause, Clause)
    return _checked(clause, text)


@lru_cache(maxsize=65536)
def parse_facts(text: str) -> tuple[Clause, ...]:
    """One or more literals side by side, as in a fact row of ParaRules."""
    facts = tuple(Clause(literal) for literal in _parse(text, "literals"))
    return tuple(_checked(fact, text) for fact in facts)


def _checked(clause: Clause, text: str) -> Clause:
    try:
        check_clause(clause)
    except ValueError as error:
        raise LogicStringError(f"{error}, in {text!r}") from None
    return clause


def _term(written: str) -> str:
    if written in VARIABLE_WORDS:
        return VARIABLE
    article = _ARTICLE.match(written)
    return Name(written[article.end() :], written) if article else written


def write_literal(literal: Literal, variable: str = "someone") -> str:
    terms = (
        _written(literal.subject, variable),
        literal.relation,
        _written(literal.object, variable),
        literal.sign.value,
    )
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
