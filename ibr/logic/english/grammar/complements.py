"""What follows a verb: objects, prepositions, adverbs, "to …". Actions of english.lark.

It is flat: the last noun phrase is the object, and what stands between it and the verb joins the
relation ("gives book to"). A list of objects makes one atom for each.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from ibr.logic.english.grammar.forest import Leaf, Priced
from ibr.logic.english.grammar.lists import MIXED, formula_of, link_of, negated, retold
from ibr.logic.english.grammar.meaning import (
    NP,
    SELF,
    All,
    Any,
    Atom,
    Formula,
    Joined,
    Not,
    Unclear,
)
from ibr.logic.english.lexis import common
from ibr.logic.english.lexis.lexicon import verb_base
from ibr.logic.english.lexis.people import is_person
from ibr.logic.words import words

Item = Joined | str  # a list of noun phrases, or a word

# Verbs with two objects: "gives Bob the book", "is given a key".
GIVE = words(
    """allocate allow ask assign award bring buy charge deny fine give grant guarantee hand issue
    lend offer owe pay promise refuse sell send show teach tell"""
)
# Verbs that give their object a name or an office: "is called a pollywog".
NAME = words("appoint call consider declare deem elect label name title")


class ToDo(NamedTuple):
    """ "to pay the fee": joins the verb before it."""

    formula: Formula


def attribute(key: str) -> NP:
    return NP("attribute", key)


def rest(*children: object) -> tuple[Item, ...]:
    found: tuple[Item, ...] = ()
    for child in children:
        found = (*found, child) if isinstance(child, Joined) else (*found, *child)  # type: ignore
    return found


def gift(person: NP, things: Joined) -> tuple[Item, ...] | None:
    """ "gives Bob the book"; `phrase` lets only verbs of giving have it."""
    if person.kind == "kind" and not is_person(person.key):
        return None
    return (Joined((person,)), things)


def with_prep(prep: Leaf, objects: Joined) -> tuple[Item, ...] | Priced:
    if prep.text == "without":
        reason = '"without" after a verb: say it as a condition'
        return (prep.text, Joined((NP("kind", "without", tests=(Unclear(reason),)),)))
    first = objects.items[0]
    bare = isinstance(first, NP) and first.det == "bare" and not first.plural
    if prep.text == "to" and bare and first.key in common.VERBS - common.NOUNS:  # type: ignore[attr-defined]
        return Priced((prep.text, objects), 3)  # taught Mia to sail: a verb
    return (prep.text, objects)


def with_preps(*children: object) -> tuple[Item, ...] | None:
    """in the garden but not in the kitchen: the verb is said of each"""
    first, objects, link, *no, second, others = children
    assert isinstance(first, Leaf)
    assert isinstance(second, Leaf)
    assert isinstance(objects, Joined)
    assert isinstance(others, Joined)
    if len(objects.items) + len(others.items) > 2 or link == ",":
        return None
    places = ((first.text, objects.items[0]), ("not", second.text, others.items[0]))
    return (Joined((places[0], places[1] if no else places[1][1:]), (str(link),)),)


def with_state(prep: Leaf, state: Leaf) -> tuple[Item, ...] | None:
    """marked as fragile"""
    return (prep.text, Joined((attribute(state.text),))) if prep.text == "as" else None


def alone(leaf: Leaf) -> tuple[Item, ...]:
    return (leaf.text,)


def to_do(*children: object) -> ToDo | None:
    bases = children[-1]
    formula = negated(bases) if len(children) == 3 else formula_of(bases)
    return None if formula is None or len(children) == 3 else ToDo(formula)


def atoms_of(verb: str, items: tuple[Item, ...]) -> Formula | None:
    """The verb and what follows it, once for each combination of listed objects."""
    lists = [item for item in items if isinstance(item, Joined)]
    links = {link_of(joined) for joined in lists if len(joined.items) > 1}
    if None in links or len(links) > 1:
        return None
    if links == {"mixed"}:
        return Unclear(MIXED)
    if _unclear_end(verb, items):
        return Unclear("it is not clear to what the last part of its list belongs", cost=4)
    atoms = tuple(
        _atom(verb, items, choice) for choice in product(*(joined.items for joined in lists))
    )
    if len(atoms) == 1:
        return atoms[0]
    return Any(atoms) if links == {"or"} else All(atoms, listed=True)


def _unclear_end(verb: str, items: tuple[Item, ...]) -> bool:
    """a key to the lab and a badge; a car and a flat in Paris; but: sends A or B to Bob"""
    lists = [item for item in items if isinstance(item, Joined)]
    if any(len(joined.items) > 1 for joined in lists[:-1]):
        alike = len({_article(item) for item in lists[0].items}) == 1
        given = verb_base(verb.rpartition(" ")[2]) in GIVE and items[1:2] == ("to",)
        return not (alike and given and len(lists) == 2)
    if len(lists) < 2 or len(lists[-1].items) == 1:
        return False
    last = {_article(item) for item in lists[-1].items}
    return len(last) > 1 or any(_article(joined.items[0]) in last for joined in lists[:-1])


def _article(item: object) -> str:
    """How a noun phrase opens, by which lists show what belongs together."""
    if not isinstance(item, NP):
        return "place"
    return {"an": "a"}.get(item.det, item.det) if item.kind == "kind" else item.kind


def _atom(verb: str, items: tuple[Item, ...], choice: tuple[object, ...]) -> Formula:
    chosen = iter(choice)
    flat: list[object] = []
    for item in items:
        one = next(chosen) if isinstance(item, Joined) else item
        flat += one if isinstance(one, tuple) and not isinstance(one, NP) else [one]
    negative = flat.count("not") == 1
    flat = [item for item in flat if item != "not"]
    last = max((i for i, item in enumerate(flat) if isinstance(item, NP)), default=None)
    object_ = flat[last] if last is not None else None
    assert object_ is None or isinstance(object_, NP)
    middle = [item for i, item in enumerate(flat) if i != last]
    between = tuple(item for item in middle if isinstance(item, NP))
    relation = " ".join((verb, *map(_key, middle)))
    if last is not None and 0 < last < len(flat) - 1 and isinstance(flat[last - 1], str):
        return Unclear(f'it is not clear to what "{_key(flat[-1])}" belongs')
    if any(np.tests for np in between):
        return Unclear("a noun inside its verb phrase has conditions of its own", cost=4)
    denied = sum(np.det == "no" for np in (*between, *((object_,) if object_ else ())))
    if denied > 1 or (denied and negative):
        return Unclear("it denies twice")
    if object_ is not None and object_.det == "no":
        object_ = object_._replace(det="a")
    between = tuple(np._replace(det="a") if np.det == "no" else np for np in between)
    atom = Atom(SELF, relation, object_, between)
    return Not(atom) if negative or denied else atom


def phrase(verb: str, more: tuple[object, ...]) -> Formula | None:
    """A verb in any form, what follows it, and "to …"."""
    items = next((m for m in more if isinstance(m, tuple) and not isinstance(m, ToDo)), ())
    twice = len(items) > 1 and all(isinstance(item, Joined) for item in items[:2])
    if twice and verb_base(verb) not in GIVE | NAME:
        return None
    todo = next((m for m in more if isinstance(m, ToDo)), None)
    if todo is None:
        return atoms_of(verb, items)
    if any(isinstance(item, Joined) and len(item.items) > 1 for item in items):
        return None
    flat = [item.items[0] if isinstance(item, Joined) else item for item in items]
    start = " ".join((verb, *map(_key, flat), "to"))
    between = tuple(item for item in flat if isinstance(item, NP))
    return retold(todo.formula, lambda relation: f"{start} {relation}", between)


def _key(item: object) -> str:
    return item.key if isinstance(item, NP) else str(item)
