"""What follows "be", and what follows a noun: actions of english.lark.

"eligible for a refund", "signed by Ann", "a friendly dog" are atoms with the relation "be …"; the
auxiliary gives them their tense (`verbs`). After a noun they are conditions on it.
"""

from __future__ import annotations

from ibr.logic.english.grammar.complements import (
    GIVE,
    NAME,
    Item,
    ToDo,
    atoms_of,
    attribute,
    phrase,
)
from ibr.logic.english.grammar.forest import Leaf
from ibr.logic.english.grammar.lists import formula_of, link_of, retold
from ibr.logic.english.grammar.meaning import (
    NP,
    SELF,
    All,
    Any,
    Atom,
    Formula,
    Joined,
    Not,
    Noun,
    Unclear,
)
from ibr.logic.english.grammar.nouns import PLACES, class_atoms, class_of, prep_relation
from ibr.logic.english.grammar.verbs import FIXED, present
from ibr.logic.english.lexis.lexicon import PARTICIPLE, classes, is_comparative, verb_base
from ibr.logic.wording import third_person
from ibr.logic.words import words

# Verbs that English does not use in the progressive.
_STATIVE = words(
    """contain own have include belong need require possess weigh consist concern cost involve know
    like lack prefer resemble want deserve exceed hold"""
)
# After "by": when or how, not who.
_TIMES = words(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may
    june july august september october november december noon midnight today tomorrow deadline
    date time end morning evening night day week month year default law mistake accident"""
)


def attributed(leaf: Leaf) -> Formula:
    if is_comparative(leaf.text):
        return Unclear(f'"{leaf.text}" compares with something that it does not name')
    return Atom(SELF, "be", attribute(leaf.text))


def related(leaf: Leaf, *more: object) -> Formula | None:
    """eligible for a refund; able to vote; older than Bob."""
    if is_comparative(leaf.text) and "than" not in more[0]:  # type: ignore[operator]
        return attributed(leaf)
    if "by" in more[0] and PARTICIPLE in classes(leaf.text):  # type: ignore[operator]
        return None
    formula = phrase(leaf.text, more)
    if formula is None:
        return None
    alone = not isinstance(more[-1], ToDo)
    if alone and isinstance(formula, Atom) and formula.object is None:
        return Atom(SELF, "be", attribute(formula.relation))
    return retold(formula, lambda relation: f"be {relation}")


def acted(leaf: Leaf, *more: object) -> Formula | None:
    """signed by Ann; assigned to a project; carrying a bag; given a key; allowed to enter."""
    items = more[0]
    if PARTICIPLE not in classes(leaf.text):
        return related(leaf, *more)
    if isinstance(items, tuple) and not isinstance(items, ToDo):
        if isinstance(items[0], Joined) and verb_base(leaf.text) not in GIVE | NAME:
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
        formula = atoms_of(participle, items)
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
    formula = atoms_of(prep.text, (objects, *(tail[0] if tail else ())))
    return None if formula is None else retold(formula, lambda relation: f"be {relation}")


def classified(*children: object) -> Formula | None:
    """a friendly dog: friendly, dog; a customer who bought it; a member of the club."""
    posts = children[-1] if isinstance(children[-1], Joined) else None
    noun = children[-2] if posts is not None else children[-1]
    assert isinstance(noun, Noun)
    if any(PARTICIPLE in classes(word) and verb_base(word) in NAME for word in noun.mods[:1]):
        return None  # are called pollywogs
    parts, tests = class_of(noun, posts)
    if any(isinstance(test, Atom) and _is_place(test) for test in tests):
        return Unclear("what follows its noun may belong to the noun or to the whole")
    tests = tuple(retold(test, _base_of_be) for test in tests)
    atoms = (*class_atoms(parts, "be"), *tests)
    return None if not atoms else atoms[0] if len(atoms) == 1 else All(atoms)


def _is_place(test: Atom) -> bool:
    """a student at the institute: is it where the student is, or whose student?"""
    verb, _, place = test.relation.partition(" ")
    return verb == "is" and place in PLACES and test.object is not None


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


def prep_post(prep: Leaf, objects: Joined) -> Formula | None:
    if prep.text in ("since", "until"):
        return None
    formula = atoms_of(prep_relation(prep.text), (objects,))
    return Not(formula) if formula is not None and prep.text == "without" else formula


def part_post(leaf: Leaf, *more: object) -> Formula | None:
    """hired in May; working in London."""
    base = verb_base(leaf.text)
    if base in _STATIVE and leaf.text.endswith("ing"):  # anything containing milk: it contains milk
        return phrase(third_person(base), more)
    gift = more and not isinstance(more[0], ToDo) and isinstance(more[0][0], Joined)  # type: ignore[index]
    if gift and PARTICIPLE in classes(leaf.text):
        return None  # the dog bought a badge: a sentence
    formula = acted(leaf, *more) if more else attributed(leaf)
    return None if formula is None else retold(formula, present)


def adj_post(leaf: Leaf, items: tuple[Item, ...]) -> Formula | None:
    """eligible for a refund"""
    if not any(isinstance(item, Joined) for item in items):
        return None
    formula = related(leaf, items)
    return None if formula is None else retold(formula, present)


def more_class(items: Joined, _: Leaf, noun: Noun) -> Joined | None:
    """a doctor and father"""
    formula = classified(noun)
    return None if formula is None else Joined((*items.items, formula), (*items.links, "and"))
