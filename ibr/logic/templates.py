"""RuleTaker's English ⇄ clauses, exactly: what is read is written back the same.

The fast path: an LALR grammar over words classified by their neighbours alone, so any vocabulary
is in. `parse` answers None for everything that is not word for word a template; ordinary English
is the work of `ibr.logic.english`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput

from ibr.logic.clause import Clause, Literal, Name, Sign, is_variable
from ibr.logic.reading import Form, Phrasing, Reading, Style
from ibr.logic.template_words import (
    Words,
    has_verb,
    is_adverb,
    is_full_name,
    is_name,
    is_plural,
)
from ibr.logic.wording import attribute, noun_phrase, predicate, sentence, third_person
from ibr.logic.words import NATIONS, PREPOSITIONS
from ibr.theory import Kind

VARIABLE = "?x"


class _Said(NamedTuple):
    """A predicate before its subject is known."""

    relation: str
    object: str
    negative: bool

    def of(self, subject: str) -> Literal:
        sign = Sign.NEGATIVE if self.negative else Sign.POSITIVE
        return Literal(subject, self.relation, self.object, sign)


class _Build(Transformer[Token, tuple[Clause, ...]]):
    """Tree → clause, node by node while parsing."""

    def start(self, children: list[Clause]) -> Clause:
        return children[0]

    def fact(self, children: list[Any]) -> Clause:
        return Clause(children[1].of(children[0]))

    def if_rule(self, children: list[Any]) -> Clause:
        conditions, conclusion = children
        return Clause(conclusion, tuple(map(_as_condition, conditions)))

    def all_rule(self, children: list[Any]) -> Clause:
        first, more, head = children
        if first.lower() in NATIONS or is_adverb(first.lower()):
            raise _NotATemplate
        adjectives = [first[0].lower() + first[1:], *more]
        body = tuple(Literal(VARIABLE, "is", _plain(adjective)) for adjective in adjectives)
        return Clause(head.of(VARIABLE), body)

    def more(self, children: list[Token]) -> list[Token]:
        return children

    def conditions(self, children: list[Literal | _Said]) -> list[Literal]:
        literals: list[Literal] = []
        for child in children:
            literals.append(child.of(literals[-1].subject) if isinstance(child, _Said) else child)
        return literals

    def elided(self, children: list[_Said]) -> _Said:
        return children[0]

    def about_variable(self, children: list[_Said]) -> Literal:
        return children[0].of(VARIABLE)

    def about_constant(self, children: list[Any]) -> Literal:
        subject, said = children
        return said.of(subject)  # type: ignore[no-any-return]

    def adjective(self, children: list[Token]) -> _Said:
        return _Said("is", _plain(children[-1]), len(children) == 2)

    def class_noun(self, children: list[Token]) -> _Said:
        noun, surface = str(children[-1]), f"{children[-2]} {children[-1]}"
        return _Said("is", Name(noun, surface), len(children) == 3)

    def transitive(self, children: list[Any]) -> _Said:
        if is_plural(children[-1]):
            raise _NotATemplate
        verb, negative = children[-2], len(children) == 3
        relation = str(verb) if verb.type == "VERB" else third_person(verb)
        return _Said(relation, children[-1], negative)

    def ability(self, children: list[Token]) -> _Said:
        return _Said(f"can {children[-1]}", "", len(children) == 2)

    def thing(self, children: list[Token]) -> Name:
        if not PREPOSITIONS.isdisjoint(children) or (len(children) > 1 and has_verb(children)):
            raise _NotATemplate
        return Name(" ".join(children), f"the {' '.join(children)}")

    def named(self, children: list[Token]) -> Name:
        if not (is_name(str(children[0])) if len(children) == 1 else is_full_name(children)):
            raise _NotATemplate
        return Name(" ".join(children))


class _NotATemplate(Exception):
    """The shape of a template, but the words tell that it means something else."""


def _plain(word: str) -> Name:
    return Name(str(word), str(word))


def _as_condition(literal: Literal) -> Literal:
    return literal if literal.positive else literal._replace(sign=Sign.NAF)


@cache
def _parser() -> Lark:
    grammar = (Path(__file__).parent / "templates.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer=Words, transformer=_Build())


def parse(text: str) -> Reading | None:
    """The clause of a template sentence; None if `text` is not exactly one."""
    try:
        clause: Clause = _parser().parse(text)  # type: ignore[assignment]
    except (UnexpectedInput, _NotATemplate, IndexError):
        return None
    phrasing = _phrasing(text)
    try:
        same = write_clause(clause, phrasing) == text
    except ValueError:
        return None
    if not same:
        return None
    if clause.is_fact:
        return Reading(text, Kind.FACT, (clause,))
    return Reading(text, Kind.RULE, (clause,), phrasing)


def _phrasing(text: str) -> Phrasing:
    form = Form.IF if text.startswith("If ") else Form.ALL if text.startswith("All ") else Form.BARE
    thing = {"something", "it", "things"}.intersection(text.rstrip(".").split())
    return Phrasing(form, Style.THING if thing else Style.PERSON)


def write_literal(literal: Literal) -> str:
    """`Literal("cat", "likes", "dog", Sign.NEGATIVE)` → "The cat does not like the dog." """
    return sentence(f"{noun_phrase(literal.subject)} {predicate(literal)}")


def write_clause(clause: Clause, phrasing: Phrasing | None = None) -> str:
    """A fact or a rule of at most one variable; ValueError if the phrasing cannot say it."""
    if clause.is_fact:
        return write_literal(clause.head)
    if clause.variables - {VARIABLE} or not clause.body:
        raise ValueError(f"no template says {clause}")
    phrasing = phrasing or Phrasing()
    return _write_if(clause, phrasing) if phrasing.form is Form.IF else _write_all(clause, phrasing)


def can_be_bare(clause: Clause) -> bool:
    """Whether "All … things are …" can say it: positive attributes of the variable only."""
    attributes = all(_is_attribute(lit) and lit.positive for lit in clause.body)
    return attributes and _is_attribute(clause.head) and bool(clause.body)


def _is_attribute(literal: Literal) -> bool:
    return is_variable(literal.subject) and literal.relation == "is"


def _write_all(clause: Clause, phrasing: Phrasing) -> str:
    if not can_be_bare(clause):
        raise ValueError(f"the form {phrasing.form} cannot say {clause}")
    adjectives = [attribute(literal.object) for literal in clause.body]
    if any(" " in adjective for adjective in adjectives):
        raise ValueError(f"{adjectives} cannot stand before a noun")
    kind = "people" if phrasing.style is Style.PERSON else "things"
    every = "all " if phrasing.form is Form.ALL else ""
    return sentence(f"{every}{', '.join(adjectives)} {kind} {predicate(clause.head, plural=True)}")


def _write_if(clause: Clause, phrasing: Phrasing) -> str:
    person = phrasing.style is Style.PERSON
    parts: list[str] = []
    previous: Literal | None = None
    for literal in clause.body:
        parts.append(_condition(literal, previous, person, bool(parts) and _met(clause, literal)))
        previous = literal
    if is_variable(clause.head.object):
        raise ValueError(f"no template has a variable as object: {clause}")
    return sentence(f"if {' and '.join(parts)} then {_about(clause.head, person, True)}")


def _met(clause: Clause, literal: Literal) -> bool:
    """Whether the variable was spoken of before this condition."""
    before = clause.body[: clause.body.index(literal)]
    return any(is_variable(earlier.subject) for earlier in before)


def _condition(literal: Literal, previous: Literal | None, person: bool, met: bool) -> str:
    if is_variable(literal.object):
        raise ValueError(f"no template has a variable as object: {literal}")
    if previous is not None and _is_attribute(previous) and _is_attribute(literal):
        words = attribute(literal.object)
        return words if literal.positive else f"not {words}"
    return _about(literal, person, met)


def _about(literal: Literal, person: bool, met: bool) -> str:
    if not is_variable(literal.subject):
        return f"{noun_phrase(literal.subject)} {predicate(literal)}"
    if met:
        return f"{'they' if person else 'it'} {predicate(literal, plural=person)}"
    return f"{'someone' if person else 'something'} {predicate(literal)}"


__all__ = ["VARIABLE", "can_be_bare", "parse", "write_clause", "write_literal"]
