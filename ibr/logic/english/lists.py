"""Lists of anything: "A, B and C" → a Joined, and a Joined of formulas → one Formula.

A list that mixes "and" with "or" on one level has two meanings, and so has "not A and B": these
become Unclear, which refuses the sentence instead of choosing.
"""

from __future__ import annotations

from collections.abc import Callable

from ibr.logic.english.forest import Leaf
from ibr.logic.english.meaning import About, All, Any, Atom, Formula, Joined, Not, Unclear

MIXED = 'it mixes "and" with "or", so that it can mean two things'
NOT_BOTH = '"not … and …" can mean two things'


def conj(*leaves: Leaf) -> str:
    link = leaves[-1].type
    return {"AND": "and", "BUT": "but", "OR": "or", "NOR": "or", "COMMA": ","}[link]


def one(*children: object) -> Joined:
    """A list of one; "either" before it says nothing."""
    return Joined((children[-1],))


def not_one(_: Leaf, item: Formula) -> Joined:
    return Joined((Not(item),))


def more(items: Joined, link: str, item: object) -> Joined:
    return Joined((*items.items, item), (*items.links, link))


def more_not(items: Joined, link: str, _: Leaf, item: Formula) -> Joined:
    return Joined((*items.items, Not(item)), (*items.links, link))


def pair(first: object, link: str | Leaf, second: object) -> Joined:
    return Joined((first, second), (link if isinstance(link, str) else ",",))


def link_of(joined: Joined) -> str | None:
    """ "and" or "or"; "mixed"; None if it is no list of English (commas alone)."""
    if not joined.links:
        return "and"
    kinds = {"and" if link == "but" else link for link in joined.links if link != ","}
    if joined.links[-1] == "," or not kinds:
        return None
    return kinds.pop() if len(kinds) == 1 else "mixed"


def formula_of(value: object, loose: bool = False) -> Formula | None:
    """A Joined of formulas → All or Any; None rejects the tree.

    `loose`: verb phrases or clauses, each with a negation of its own.
    """
    assert isinstance(value, Joined)
    items: tuple[Formula, ...] = value.items  # type: ignore[assignment]
    link = link_of(value)
    if link is None:
        return None
    if len(items) == 1:
        return items[0]
    if link == "mixed":
        return Unclear(MIXED)
    if not loose and isinstance(items[0], Not) and not all(isinstance(item, Not) for item in items):
        if link == "or" and not any(isinstance(item, Not) for item in items[1:]):
            return All((items[0], *(Not(item) for item in items[1:])))
        if link == "or" or "but" not in value.links:
            return Unclear(NOT_BOTH)
    if link == "or":
        return Any(items, loose)
    return Unclear(MIXED) if any(map(_ends_loose, items)) else All(items)


def _ends_loose(item: Formula) -> bool:
    said = item.said if isinstance(item, About) else item
    return isinstance(said, Any) and said.loose


def negated(value: object) -> Formula | None:
    """ "does not A or B": neither; "does not A and B" is Unclear."""
    assert isinstance(value, Joined)
    link = link_of(value)
    items: tuple[Formula, ...] = value.items  # type: ignore[assignment]
    if link is None:
        return None
    if len(items) == 1:
        return Not(items[0])
    return All(tuple(Not(item) for item in items)) if link == "or" else Unclear(NOT_BOTH)


def retold(formula: Formula, tell: Callable[[str], str]) -> Formula:
    """The same with every relation told otherwise: in another tense, after another verb."""
    match formula:
        case Atom():
            return formula._replace(relation=tell(formula.relation))
        case All(items):
            return All(tuple(retold(item, tell) for item in items))
        case Any(items):
            return formula._replace(items=tuple(retold(item, tell) for item in items))
        case Not(item):
            return Not(retold(item, tell))
        case About(subject, said):
            return About(subject, retold(said, tell))
    return formula
