"""Formulas that mean more than they say: the weather, and what is true of a group only."""

from __future__ import annotations

from ibr.logic.english.grammar.meaning import All, Any, Atom, Formula, Not
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
