"""Rules whose witnesses would make witnesses for ever.

"Every manager has a manager" would make a manager of a manager of a manager. A place is where a
term stands in a predication. A rule carries what stands in a place of its conditions to a place of
its conclusion; where its conclusion has some one of a kind, it makes a new one there. If that one
can come to all the places of a condition that it was made for, there is no end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from ibr.logic.english.lexis.knowledge import kinds_of
from ibr.logic.english.lexis.people import is_person
from ibr.logic.english.meaning.normal import described
from ibr.logic.english.meaning.terms import Kind, Pred, Rule, Var, variables

Place = tuple[str, str]  # lemma, and where: subj, obj or a preposition
_ANYONE = ("someone", "subj")


def circle_of(said: Sequence[Sequence[Rule]]) -> tuple[int, list[str]] | None:
    """The first sentence that begins a circle, and the circle in words."""
    edges: defaultdict[Place, set[Place]] = defaultdict(set)
    made: list[tuple[int, set[Place], set[Place]]] = []
    for i, rule in ((i, rule) for i, rules in enumerate(said) for rule in rules):
        new = {*_new_places(rule.head)}
        for name in dict.fromkeys(variables(rule.head)) if not rule.negative else ():
            preds = (c.pred for c in rule.body if not c.negative)
            before = {*_places(preds, Var(name))} or {_ANYONE}
            for place in before:
                edges[place] |= {*_places([rule.head], Var(name))} | new
            made += [(i, before, new)] if new else []
    for noun, _ in [*edges, *(place for *_, new in made for place in new)]:
        edges[noun, "subj"] |= {(kind, "subj") for kind in kinds_of(noun)}
        edges[noun, "subj"] |= {_ANYONE} if is_person(noun) else set()
    for i, before, new in made:
        for start in sorted(new):
            ways = [_path(edges, start, place) for place in sorted(before)]
            if all(ways):
                return i, [noun for noun, _ in (min(before), *ways[0])]
    return None


def _places(preds: Iterable[Pred], term: object) -> Iterator[Place]:
    """Where predications have a term."""
    for pred in preds:
        places = (("subj", pred.subj), ("obj", pred.obj), *pred.tails)
        yield from ((pred.lemma, where) for where, one in places if one == term)


def _new_places(head: Pred) -> Iterator[Place]:
    for kind in (term for term in head.terms if isinstance(term, Kind) and not term.mass):
        yield from _places([head], kind)
        yield from _places(described(kind, Var("?new")), Var("?new"))


def _path(edges: dict[Place, set[Place]], start: Place, end: Place) -> list[Place]:
    """From one place to another; empty if there is no way."""
    ways, known = [[start]], {start}
    for way in ways:
        if way[-1] == end:
            return way
        new = sorted(edges.get(way[-1], set()) - known)
        known.update(new)
        ways += ([*way, place] for place in new)
    return []
