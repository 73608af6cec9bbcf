"""What formulas mean beyond their parts: the weather, groups, and who is spoken of again."""

from __future__ import annotations

from collections.abc import Iterator

from ibr.logic.english.grammar.meaning import (
    NP,
    About,
    All,
    Any,
    Atom,
    Formula,
    Not,
    Rule,
    Several,
)
from ibr.logic.words import words

_COLLECTIVE = words(
    """shares meets marries differs cooperates collaborates divorces married divorced engaged friend
    sibling brother sister neighbour neighbor colleague twin partner couple equal identical
    different related enemy rival spouse cousin opponent roommate classmate teammate alike"""
)
_WEATHER = words("rains rained raining rain snows snowed snowing snow hails")


def is_weather(said: Formula) -> bool:
    match said:
        case Atom(_, relation, np):
            return bool({*relation.split(), np.key if np else ""} & _WEATHER)
        case Not(item):
            return is_weather(item)
    return False


def is_collective(said: Formula) -> bool:
    match said:
        case Atom(_, relation, np):
            verb = relation.partition(" ")[0]
            if np is not None and np.kind == "attribute":
                return np.key in _COLLECTIVE
            vague = np is None or np.det in ("a", "an", "bare")  # share a parent, not: share Plot 7
            return verb in _COLLECTIVE and vague
        case All(items) | Any(items):
            return any(map(is_collective, items))
        case Not(item):
            return is_collective(item)
    return False


def recalled(rule: Rule) -> frozenset[str]:
    """What "the …" and "that …" name: "the donor" makes "a donor" before it a certain one."""
    formulas = (rule.main, *(under.formula for under in (*rule.before, *rule.after)))
    return frozenset(
        np.key
        for formula in formulas
        for np in _phrases(formula)
        if np.kind in ("kind", "agent") and np.det in _DEFINITE
    )


_DEFINITE = words("the this that") | {"such a", "such an"}


def _phrases(formula: Formula) -> Iterator[NP]:
    match formula:
        case Atom():
            yield from (formula.subject, *((formula.object,) if formula.object else ()))
        case All(items) | Any(items):
            for item in items:
                yield from _phrases(item)
        case Not(item):
            yield from _phrases(item)
        case About(subject, said):
            for np in subject.items if isinstance(subject, Several) else (subject,):
                yield np.owner if np.owner is not None else np
                for test in np.tests:
                    yield from _phrases(test)
            yield from _phrases(said)
