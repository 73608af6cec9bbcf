"""Resolved formulas → clauses: conclusions apart, conditions spread over their alternatives."""

from __future__ import annotations

from itertools import product

from ibr.logic.clause import Clause, Literal, Sign
from ibr.logic.english.clauses.scope import Refusal
from ibr.logic.english.grammar.meaning import All, Any, Formula, Given, Not

OR = '"or" in a fact or a conclusion leaves open which holds'


def heads(
    formula: Formula, given: tuple[Formula, ...]
) -> list[tuple[tuple[Formula, ...], Literal]]:
    """A conclusion → its literals, each with what it takes for granted.

    "Shipments … will be returned, and the sender gets a refund": what the first subject takes for
    granted holds for the later clauses as well, unless they bring a subject of their own.
    """
    match formula:
        case Literal():
            return [(given, formula)]
        case Not(Literal() as literal):
            return [(given, literal.negation)]
        case Not(Given(conditions, then)):
            return heads(Not(then), (*given, conditions))
        case Not(Not(item)):
            return heads(item, given)
        case Not(Any(items)):
            return heads(All(tuple(Not(item) for item in items)), given)
        case Given(conditions, then):
            return heads(then, (*given, conditions))
        case All(items):
            found = []
            passed: tuple[Formula, ...] = ()
            for item in items:
                own = isinstance(item, Given)
                found += heads(item, given if own else (*given, *passed))
                if isinstance(item, Given):
                    passed = (item.conditions,)
            return found
    raise Refusal(OR if isinstance(formula, Any) else "its conclusion denies several at once")


def spread(head: Literal, body: list[Formula]) -> list[Clause]:
    """One clause for each alternative of the body."""
    found = []
    for alternative in _alternatives(All(tuple(body)), True):
        clause = Clause(head, tuple(dict.fromkeys(alternative)))
        _check(clause)
        found.append(clause)
    return found


def _check(clause: Clause) -> None:
    seen = clause.head.variables
    for literal in clause.body:
        if literal.positive:
            seen |= literal.variables
    for literal in clause.body:
        if not literal.variables <= seen:
            raise Refusal("its negation speaks of nobody in particular")
    if not clause.body and len(clause.head.variables) > 1:
        raise Refusal("it relates everything to everything")


def _alternatives(formula: Formula, positive: bool) -> list[tuple[Literal, ...]]:
    match formula:
        case Literal():
            return [(formula if positive else formula._replace(sign=Sign.NAF),)]
        case Not(item):
            return _alternatives(item, not positive)
        case All(items) | Any(items):
            parts = [_alternatives(item, positive) for item in items]
            if isinstance(formula, All) == positive:
                return [sum(choice, ()) for choice in product(*parts)]
            return [alternative for part in parts for alternative in part]
        case Given(conditions, then):
            return _alternatives(All((conditions, then)), positive)
    raise Refusal("its condition cannot be read")
