"""Meaning of verb phrases: the actions of english.lark that make a Formula about SELF.

A phrase starts as atoms whose relation is in the base form ("pay fee in", "be eligible for"), or as
a participle; the auxiliary above it gives the tense. The last noun phrase is the object, and what
stands between it and the verb joins the relation.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from ibr.logic.english.forest import Leaf
from ibr.logic.english.lexicon import (
    PARTICIPLE, classes, is_person, verb_base, verb_participle, verb_past,
)  # fmt: skip
from ibr.logic.english.lists import MIXED, deny, formula_of, link_of, negated, retold
from ibr.logic.english.meaning import (
    NP, SELF, All, Any, Atom, Formula, Joined, Not, Noun, Unclear,
)  # fmt: skip
from ibr.logic.english.nouns import class_atoms, class_of, prep_relation
from ibr.logic.wording import third_person
from ibr.logic.words import words

Item = Joined | str  # of what follows a verb: a list of noun phrases, or a word

# After "by": when or how, not who.
_TIMES = words(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may
    june july august september october november december noon midnight today tomorrow deadline
    date time end morning evening night day week month year default law mistake accident"""
)


FIXED = "="  # before a relation whose tense does not change


# Verbs with two objects: "gives Bob the book", "is given a key".
_GIVE = words(
    """allocate allow ask assign award bring buy charge deny fine give grant guarantee hand issue
    lend offer owe pay promise refuse sell send show teach tell"""
)


class ToDo(NamedTuple):
    """ "to pay the fee": joins the verb before it."""

    formula: Formula


def attribute(key: str) -> NP:
    return NP("attribute", key)


# What follows a verb


def rest(*children: object) -> tuple[Item, ...]:
    found: tuple[Item, ...] = ()
    for child in children:
        found = (*found, child) if isinstance(child, Joined) else (*found, *child)  # type: ignore
    return found


def gift(person: NP, things: Joined) -> tuple[Item, ...] | None:
    """ "gives Bob the book"; `_phrase` lets only verbs of giving have it."""
    if person.kind == "kind" and not is_person(person.key):
        return None
    return (Joined((person,)), things)


def with_prep(prep: Leaf, objects: Joined) -> tuple[Item, ...]:
    if prep.text == "without":
        reason = '"without" after a verb: say it as a condition'
        return (prep.text, Joined((NP("kind", "without", tests=(Unclear(reason),)),)))
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


def _atoms(verb: str, items: tuple[Item, ...]) -> Formula | None:
    """The verb and what follows it, once for each combination of listed objects."""
    lists = [item for item in items if isinstance(item, Joined)]
    links = {link_of(joined) for joined in lists if len(joined.items) > 1}
    if None in links or len(links) > 1:
        return None
    if links == {"mixed"}:
        return Unclear(MIXED)
    if _unclear_end(items):
        return Unclear("it is not clear to what the last part of its list belongs")
    atoms = tuple(
        _atom(verb, items, choice) for choice in product(*(joined.items for joined in lists))
    )
    if len(atoms) == 1:
        return atoms[0]
    return Any(atoms) if links == {"or"} else All(atoms, listed=True)


def _unclear_end(items: tuple[Item, ...]) -> bool:
    """a key to the lab and a badge; a car and a flat in Paris"""
    lists = [item for item in items if isinstance(item, Joined)]
    if any(len(joined.items) > 1 for joined in lists[:-1]):
        return True
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
    if object_ is not None and object_.det == "no":
        negative, object_ = not negative, object_._replace(det="a")
    atom = Atom(SELF, relation, object_, between)
    return Not(atom) if negative else atom


def _phrase(verb: str, more: tuple[object, ...]) -> Formula | None:
    """A verb in any form, what follows it, and "to …"."""
    items = next((m for m in more if isinstance(m, tuple) and not isinstance(m, ToDo)), ())
    twice = len(items) > 1 and all(isinstance(item, Joined) for item in items[:2])
    if twice and verb_base(verb) not in _GIVE:
        return None
    todo = next((m for m in more if isinstance(m, ToDo)), None)
    if todo is None:
        return _atoms(verb, items)
    if any(isinstance(item, Joined) and len(item.items) > 1 for item in items):
        return None
    flat = [item.items[0] if isinstance(item, Joined) else item for item in items]
    start = " ".join((verb, *map(_key, flat), "to"))
    between = tuple(item for item in flat if isinstance(item, NP))
    return retold(todo.formula, lambda relation: f"{start} {relation}", between)


def _key(item: object) -> str:
    return item.key if isinstance(item, NP) else str(item)


def bare_verb(verb: Leaf, *more: object) -> Formula | None:
    return _phrase(verb.text, more)


# Tense


def present(relation: str) -> str:
    first, _, tail = relation.partition(" ")
    if first in ("be", FIXED):
        return f"is {tail}".strip() if first == "be" else tail
    return third_person(relation)


def have_done(_: Leaf, parts: Joined) -> Formula | None:
    """must have signed"""
    formula = formula_of(parts)
    return None if formula is None else retold(formula, lambda relation: f"have {relation}")


def finite(verb: Leaf, *more: object) -> Formula | None:
    """likes the dog; signed the form; has to pay."""
    return _phrase(present(verb.text) if verb.type == "V" else verb.text, more)


def never(_: Leaf, formula: Formula) -> Formula:
    return deny(formula)


def more_class(items: Joined, _: Leaf, noun: Noun) -> Joined | None:
    """a doctor and father"""
    formula = classified(noun)
    return None if formula is None else Joined((*items.items, formula), (*items.links, "and"))


def do_not(aux: Leaf, _: Leaf, bases: Joined) -> Formula | None:
    formula = negated(bases)
    return None if formula is None else retold(formula, past if aux.type == "DID" else present)


def past(relation: str) -> str:
    verb, _, tail = relation.partition(" ")
    if verb == FIXED:
        return tail
    return f"{'was' if verb == 'be' else verb_past(verb)} {tail}".strip()


def modal(aux: Leaf, *children: object) -> Formula | None:
    bases = children[-1]
    negative = aux.type == "CANNOT" or len(children) == 2
    formula = negated(bases) if negative else formula_of(bases)
    word = "can" if aux.type == "CANNOT" else aux.text
    return None if formula is None else retold(formula, lambda relation: f"{word} {relation}")


def perfect(aux: Leaf, parts: Joined) -> Formula | None:
    formula, word = formula_of(parts), "had" if aux.type == "HAD" else "has"
    return None if formula is None else retold(formula, lambda relation: f"{word} {relation}")


def be(aux: Leaf, comps: Joined) -> Formula | None:
    formula = formula_of(comps)
    if formula is None or aux.type == "BE":
        return formula
    return retold(formula, {"BEEN": _been, "WAS": past, "WERE": past}.get(aux.type, present))


def _been(relation: str) -> str:
    """After "has": been paid; an agent's verb becomes a participle (has been signed by Ann)."""
    first, _, tail = relation.partition(" ")
    return f"{'been' if first == 'be' else verb_participle(first)} {tail}".strip()


# What follows "be", as atoms with the relation "be …"


def word(*leaves: Leaf) -> Leaf:
    """An adjective or participle, with its adverb: "fully vaccinated"."""
    return Leaf("GRADED" if len(leaves) == 2 else "WORD", " ".join(leaf.text for leaf in leaves))


def attributed(leaf: Leaf) -> Formula:
    return Atom(SELF, "be", attribute(leaf.text))


def related(leaf: Leaf, *more: object) -> Formula | None:
    """eligible for a refund; able to vote."""
    formula = _phrase(leaf.text, more)
    if formula is None:
        return None
    if isinstance(formula, Atom) and formula.object is None and len(more) == 1:
        return Atom(SELF, "be", attribute(formula.relation))
    return retold(formula, lambda relation: f"be {relation}")


def acted(leaf: Leaf, *more: object) -> Formula | None:
    """signed by Ann; assigned to a project; carrying a bag; given a key; allowed to enter."""
    items = more[0]
    if PARTICIPLE not in classes(leaf.text):
        return related(leaf, *more)
    if isinstance(items, tuple) and not isinstance(items, ToDo):
        if isinstance(items[0], Joined) and verb_base(leaf.text) not in _GIVE:
            return None
        if "by" in items:
            return _passive(leaf.text, items)
    return related(leaf, *more)


def _passive(participle: str, items: tuple[Item, ...]) -> Formula | None:
    """signed by Ann → Ann signs it; paid by card, by Friday → paid by."""
    if items[0] != "by" or len(items) != 2 or not isinstance(items[1], Joined):
        return None
    link, agents = link_of(items[1]), [a for a in items[1].items if isinstance(a, NP)]
    if any(map(_is_means, agents)):
        formula = _atoms(participle, items)
        return None if formula is None else retold(formula, lambda relation: f"be {relation}")
    if link is None or link == "mixed":
        return None
    agents = [a._replace(kind="agent") if a.kind == "kind" else a for a in agents]
    atoms = tuple(Atom(agent, verb_base(participle), SELF) for agent in agents)
    return atoms[0] if len(atoms) == 1 else Any(atoms) if link == "or" else All(atoms)


def _is_means(np: NP) -> bool:
    head = np.key.lower().rpartition(" ")[2]
    return head in _TIMES or (np.kind == "kind" and np.det == "bare" and not np.plural)


def located(prep: Leaf, objects: Joined, *tail: tuple[Item, ...]) -> Formula | None:
    formula = _atoms(prep.text, (objects, *(tail[0] if tail else ())))
    return None if formula is None else retold(formula, lambda relation: f"be {relation}")


def classified(*children: object) -> Formula | None:
    """a friendly dog: friendly, dog; a customer who bought it; a member of the club."""
    posts = children[-1] if isinstance(children[-1], Joined) else None
    noun = children[-2] if posts is not None else children[-1]
    assert isinstance(noun, Noun)
    parts, tests = class_of(noun, posts)
    tests = tuple(retold(test, _base_of_be) for test in tests)
    atoms = (*class_atoms(parts, "be"), *tests)
    return None if not atoms else atoms[0] if len(atoms) == 1 else All(atoms)


def classed(noun: Noun) -> Formula:
    """is staff, is management: no article"""
    return Atom(SELF, "be", attribute(noun.key))


def _base_of_be(relation: str) -> str:
    """ "is member of" follows the tense of "be"; other tests after a noun keep their own."""
    return f"be {relation[3:]}" if relation.startswith("is ") else f"{FIXED} {relation}"


def someone_who(_: Leaf, posts: Joined) -> Formula | None:
    """is someone who teaches: teaches"""
    formula = formula_of(posts)
    return None if formula is None else retold(formula, _base_of_be)


def identity(leaf: Leaf) -> Formula:
    return Atom(SELF, "be", NP("letter" if leaf.type == "VAR" else "name", leaf.text))


def kin_of(owner: NP, _: Leaf, noun: Noun) -> Formula:
    """Bob is Ann's manager: Ann's manager is Bob."""
    return Atom(NP("owned", noun.key, owner=owner), "be", SELF)


# Postmodifiers of a noun: conditions on it


def prep_post(prep: Leaf, objects: Joined) -> Formula | None:
    formula = _atoms(prep_relation(prep.text), (objects,))
    return Not(formula) if formula is not None and prep.text == "without" else formula


def part_post(leaf: Leaf, *more: object) -> Formula | None:
    """hired in May; working in London."""
    formula = acted(leaf, *more) if more else attributed(leaf)
    return None if formula is None else retold(formula, present)


def adj_post(leaf: Leaf, *more: object) -> Formula | None:
    formula = related(leaf, *more)
    return None if formula is None else retold(formula, present)
