"""One sentence of a rulebook, a question, and their rules as clauses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ibr.logic.clause import Clause, Sign
from ibr.logic.english.meaning.discourse import (
    Ref,
    Refusal,
)
from ibr.logic.english.meaning.literals import constant, literal
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred, Rule, bound, variables


@dataclass
class Sentence:
    """One sentence and what became of it."""

    text: str
    template: tuple[Clause, ...] = ()
    trees: list[Any] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    others: list[list[Rule]] = field(default_factory=list)  # other readings
    reason: str = ""
    remark: bool = False
    open: list[Pred] = field(default_factory=list)  # holds of some, perhaps
    refs: list[Ref] = field(default_factory=list)


@dataclass
class Asked:
    """A question in its rulebook: what it asks, and what it supposes."""

    pred: Pred
    negative: bool
    supposed: list[Pred]


def clause_of(rule: Rule) -> Clause:
    """Raises Refusal."""
    binding = dict(rule.binding)
    names = {name: constant_of(bound(term, binding)) for name, term in binding.items()}
    head = literal(rule.head, Sign.NEGATIVE if rule.negative else Sign.POSITIVE).bind(names)
    body = (
        literal(c.pred, Sign.NAF if c.negative else Sign.POSITIVE).bind(names) for c in rule.body
    )
    return Clause(head, tuple(dict.fromkeys(body)))


def constant_of(term: Any) -> str:
    if isinstance(term, Owned) and list(variables(term)):
        raise Refusal("a description inside a rule")
    return constant(term)


def individuals(pred: Pred) -> Iterator[Any]:
    for term in pred.terms:
        yield from _inside(term)


def _inside(term: Any) -> Iterator[Any]:
    if isinstance(term, Ind):
        yield term
    elif isinstance(term, Owned) and not list(variables(term)):
        yield term
        yield from _inside(term.owner)
    elif isinstance(term, Kind):
        for _, other in term.tails:
            yield from _inside(other)


def distinct(readings: list[tuple[list[Rule], list[Ref]]]) -> list[tuple[list[Rule], list[Ref]]]:
    kept: dict[Any, tuple[list[Rule], list[Ref]]] = {}
    for rules, refs in readings:
        kept.setdefault(frozenset(map(_named_apart, map(clause_of, rules))), (rules, refs))
    return list(kept.values())


def _named_apart(clause: Clause) -> Any:
    names: dict[str, str] = {}
    for lit in (clause.head, *clause.body):
        for term in (lit.subject, lit.object):
            if term.startswith("?"):
                names.setdefault(term, f"?{len(names)}")
    made = clause.bind(names)
    return made.head, frozenset(made.body)
