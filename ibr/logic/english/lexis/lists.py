"""Lists of anything: "A, B and C" → a Joined, and a Joined of formulas → one Formula.

A list that mixes "and" with "or" on one level has two meanings, and so has "not A and B": these
become Unclear, which refuses the sentence instead of choosing.
"""

from __future__ import annotations

from collections.abc import Callable

from ibr.logic.english.grammar.forest import Leaf, Priced
from ibr.logic.english.grammar.meaning import (
    NP,
    SELF,
    About,
    All,
    Any,
    Atom,
    Formula,
    Joined,
    Not,
    Unclear,
)
from ibr.logic.english.lexis.closed import INTRANSITIVE, PLACES

MIXED = 'it mixes "and" with "or", so that it can mean two things'
SHARED = "it is not clear whether its first verb shares what follows the last one"
NOT_BOTH = '"not … and …" can mean two things'


def conj(*leaves: Leaf) -> str:
    link = leaves[-1].type
    if leaves[-1].text == ";":
        return ";"
    return {"AND": "and", "BUT": "but", "OR": "or", "NOR": "or", "COMMA": ",", "WHILE": "but"}[link]


def one(*children: object) -> Joined:
    """A list of one; "either" before it says nothing."""
    return Joined((children[-1],))


def not_one(_: Leaf, item: Formula) -> Joined:
    return Joined((deny(item),))


def deny(item: Formula) -> Formula:
    """Not; but "not a card and a badge" is ambiguous."""
    return Unclear(NOT_BOTH) if isinstance(item, All) and item.listed else Not(item)


def more(items: Joined, link: str | Leaf, item: object) -> Joined:
    return Joined((*items.items, item), (*items.links, link if isinstance(link, str) else ","))


def more_not(items: Joined, link: str, _: Leaf, item: Formula) -> Joined:
    return Joined((*items.items, deny(item)), (*items.links, link))


def more_if(items: Joined, link: str, _: Leaf, item: object) -> Joined:
    """if A or if B"""
    return more(items, link, item)


def more_objects(items: Joined, link: str, item: object) -> Joined | Priced | None:
    """Listed objects look alike; "a card and guests" more likely does not belong together."""
    joined = more(items, link, item)
    first = items.items[-1]
    assert isinstance(first, NP)
    assert isinstance(item, NP)
    if link == "," and first.plural and item.kind == "name":
        return None  # two daughters, Maud and Iris: not three
    unlike = first.det in ("a", "an") and item.det in ("bare", "the")
    unlike |= first.det == "the" and item.det == "bare" and not item.plural
    unlike |= first.kind != item.kind and bool({first.kind, item.kind} & {"letter", "name"})
    return Priced(joined, 2) if unlike else joined


def nor(_: Leaf, first: Formula, __: Leaf, second: Formula) -> Joined:
    return Joined((deny(first), deny(second)), ("and",))


def no_objects(_: Leaf, first: NP, __: Leaf, second: NP) -> Joined:
    """neither keys nor cards: no keys and no cards"""
    return Joined((first._replace(det="no"), second._replace(det="no")), ("and",))


def pair(first: object, link: str | Leaf, second: object) -> Joined:
    return Joined((first, second), (link if isinstance(link, str) else ",",))


def link_of(joined: Joined) -> str | None:
    """ "and" or "or"; "mixed"; None if it is no list of English (commas alone)."""
    if not joined.links:
        return "and"
    if set(joined.links) == {";"}:
        return "and"
    kinds = {"and" if link == "but" else link for link in joined.links if link not in (",", ";")}
    if joined.links[-1] in (",", ";") or not kinds:
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
    items = _shared(items)
    if len(items) == 1:
        return items[0]
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
        return deny(items[0])
    items = _shared(items)
    if any(isinstance(item, Unclear) for item in items):
        return Unclear(SHARED)
    return All(tuple(map(deny, items))) if link == "or" else Unclear(NOT_BOTH)


def _shared(items: tuple[Formula, ...]) -> tuple[Formula, ...]:
    """sign and return the form; eat or drink in the library: the end belongs to each verb.

    Where it may belong to the last alone ("arrive and sign the form"), the list is Unclear.
    """
    last = items[-1]
    bare = [isinstance(i, Atom) and i.object is None and " " not in i.relation for i in items]
    if not any(bare[:-1]) or bare[-1] or _is_be(last):
        return items
    if not isinstance(last, Atom) or last.subject is not SELF or last.between:
        return (Unclear(SHARED),)
    _, _, tail = last.relation.partition(" ")
    found: list[Formula] = []
    for item, alone in zip(items, bare, strict=True):
        if not alone or not isinstance(item, Atom):
            found.append(item)
        elif tail in PLACES or (not tail and item.relation.rstrip("s") not in INTRANSITIVE):
            found.append(last._replace(relation=f"{item.relation} {tail}".strip()))
        else:
            return (Unclear(SHARED),)
    return tuple(found)


def _is_be(item: Formula) -> bool:
    return isinstance(item, Atom) and item.relation.partition(" ")[0] in ("be", "been", "is")


def retold(formula: Formula, tell: Callable[[str], str], between: tuple[NP, ...] = ()) -> Formula:
    """The same with every relation told otherwise: in another tense, after another verb."""
    match formula:
        case Atom():
            swallowed = (*between, *formula.between)
            return formula._replace(relation=tell(formula.relation), between=swallowed)
        case All(items):
            return All(tuple(retold(item, tell, between) for item in items))
        case Any(items):
            return formula._replace(items=tuple(retold(item, tell, between) for item in items))
        case Not(item):
            return Not(retold(item, tell, between))
        case About(subject, said):
            return About(subject, retold(said, tell, between))
    return formula
