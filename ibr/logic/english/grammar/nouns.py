"""Meaning of noun phrases: the actions of english.lark that make an NP or a Noun.

A noun phrase keeps its words (`key`), what it says as a class (`parts`, see `terms`), and the
conditions that follow it (`tests`).
"""

from __future__ import annotations

from ibr.logic.english.grammar.forest import Leaf, Priced
from ibr.logic.english.grammar.lists import formula_of, retold
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
    Noun,
    Unclear,
)
from ibr.logic.english.grammar.terms import DUMMY, parts_of
from ibr.logic.english.lexis.lexicon import (
    ADJECTIVE,
    GERUND,
    PARTICIPLE,
    classes,
    is_adjective,
    singular,
)
from ibr.logic.words import NUMBERS, words

# Before a relation of the noun itself: "a member of the club" is a member of it.
KIN = "{}"
PLACES = words(
    """above across along around at behind below beneath beside between beyond by from in inside
    near off on onto opposite out outside over past through throughout under underneath up upon
    within during after before since until down against"""
)


def words_(*children: Leaf | tuple[str, ...]) -> tuple[str, ...]:
    """mods: words before a noun, without the commas and "and" between them."""
    found: tuple[str, ...] = ()
    for child in children:
        if not isinstance(child, Leaf):
            found = (*found, *child)
        elif child.type not in ("COMMA", "AND"):
            found = (*found, child.text)
    return found


def words_and(mods: tuple[str, ...], _: Leaf, *words: Leaf) -> tuple[str, ...] | None:
    """kind and very honest people"""
    both = (mods[-1], words[-1].text)
    if not all({ADJECTIVE, PARTICIPLE} & classes(word) for word in both):
        return None
    return (*mods, " ".join(word.text for word in words))


def graded(adverb: Leaf, word: Leaf) -> tuple[str, ...]:
    return (f"{adverb.text} {word.text}",)


def noun(*children: Leaf | tuple[str, ...]) -> Noun | None:
    head = children[-1]
    mods = children[0] if len(children) == 2 else ()
    assert isinstance(head, Leaf)
    plural = head.type == "NS"
    if not plural or _is_number(mods):
        text = head.text
    elif head.text.islower():
        text = singular(head.text)
    else:
        text = head.text.removesuffix("s")
    if mods and mods[-1] in DUMMY:
        return None  # a person both green and big
    found = Noun(tuple(mods), text, plural)
    return None if any(map(_is_late, found.mods, found.mods[1:])) else found


def _is_late(before: str, word: str) -> bool:
    """ "the bulb bought Ann", "driver caught speeding": a participle after a noun is a verb."""
    late = PARTICIPLE in classes(word) and ADJECTIVE not in classes(word)
    return late and not is_adjective(before)


def _is_number(mods: Leaf | tuple[str, ...]) -> bool:
    """two keys: the number belongs to the name, which stays as it is."""
    return bool(mods) and (mods[0] in NUMBERS or (mods[0].isdigit()))


def det(*children: Leaf) -> str:
    """The word that tells how a noun phrase refers; "all the" is "all"."""
    return children[0].text


def name(leaf: Leaf) -> NP:
    return NP("name", leaf.text)


def name_who(leaf: Leaf, *rest: object) -> NP | None:
    said = formula_of(rest[2])
    return NP("name", leaf.text, tests=(said,)) if said is not None else None


def name_as(leaf: Leaf, _: Leaf, __: str, noun: Noun, *rest: object) -> NP:
    """Tom, a member of the club,"""
    parts, tests = class_of(noun, rest[0] if isinstance(rest[0], Joined) else None)
    return NP("name", leaf.text, tests=(*class_atoms(parts, "is"), *tests))


def letter(leaf: Leaf) -> NP:
    return NP("letter", leaf.text)


def pronoun(leaf: Leaf) -> NP:
    return NP("pronoun", leaf.text)


def other(leaf: Leaf) -> NP:
    return NP("other", leaf.text)


def class_of(noun: Noun, posts: Joined | None) -> tuple[tuple[str, ...], tuple[Formula, ...]]:
    """What a noun with its posts says: its parts, and the tests after it.

    "members of the club": no part, one test "is member of".
    """
    parts = parts_of(noun)
    test = formula_of(posts) if posts is not None else None
    if test is None:
        return parts, ()
    if parts and _is_kin(test):
        term = parts[-1].removeprefix("a ")
        return parts[:-1], (retold(test, lambda relation: relation.replace(KIN, term)),)
    return parts, test.items if isinstance(test, All) else (test,)


def _is_kin(formula: Formula) -> bool:
    match formula:
        case Atom():
            return KIN in formula.relation
        case All(items) | Any(items):
            return any(_is_kin(item) for item in items)
    return False


def described(
    determiner: str | Leaf, noun: Noun, posts: Joined | None = None
) -> NP | Priced | None:
    if _is_number(noun.mods):
        return None
    said = determiner if isinstance(determiner, str) else determiner.text
    parts, tests = class_of(noun, posts)
    np = NP("kind", noun.key, said, parts, noun.plural, tests)
    # "The dog bought …" is a sentence, "the dog bought …" with more to come hardly one.
    return Priced(np, 3 if noun.plural else 6) if tests and said == "the" else np


def bare(noun: Noun, posts: Joined | None = None) -> NP | Priced | None:
    if posts is not None and not noun.plural and GERUND in classes(noun.head):
        reason = f'"{noun.key}" with a condition is no thing: say who does it'
        return NP("kind", noun.key, "mass", tests=(Unclear(reason),))
    return described("bare" if noun.plural else "mass", noun, posts)


def anyone(word: Leaf, posts: Joined | Leaf | None = None) -> NP | None:
    if isinstance(posts, Leaf):  # anything red
        red = Atom(SELF, "is", NP("attribute", posts.text))
        return NP("anyone", word.text, word.text, tests=(red,))
    test = formula_of(posts) if posts is not None else None
    if posts is not None and (test is None or _is_kin(test)):
        return None
    return NP("anyone", word.text, word.text, tests=() if test is None else (test,))


def whoever(word: Leaf, said: Joined) -> NP | None:
    test = formula_of(said)
    return None if test is None else NP("anyone", word.text, "anyone", tests=(test,))


def thing(*children: object) -> NP | Priced | None:
    """An object: the constant of its kind."""
    found = children[-1]
    assert isinstance(found, Noun)
    determiner = children[0] if len(children) == 2 else "bare"
    assert isinstance(determiner, str)
    if determiner == "bare" and found.head[:1].isupper():
        return None
    np = NP("kind", found.key, determiner, parts_of(found), found.plural)
    if determiner == "bare" and found.mods and PARTICIPLE in classes(found.mods[0]):
        return Priced(np, 2)  # "has lost luggage": has lost
    return np


def thing_who(determiner: str | Leaf, noun: Noun, *rest: object) -> NP | None:
    """The atlas, which is a reference book."""
    said = formula_of(rest[2])
    article = determiner if isinstance(determiner, str) else determiner.text
    return None if said is None else NP("thing", noun.key, article, tests=(said,))


def thing_that(*children: object) -> NP:
    """A badge that is valid: which one of its kind, the logic here cannot say."""
    *_, found, _, _ = children
    assert isinstance(found, Noun)
    reason = f'"{found.key} that …" as an object: say it in a sentence or condition of its own'
    return NP("kind", found.key, "that", tests=(Unclear(reason),))


def owned(owner: NP, _: Leaf, noun: Noun) -> NP:
    return NP("owned", noun.key, plural=noun.plural, owner=owner)


def who(_: Leaf, said: Joined) -> Formula | None:
    return formula_of(said)


def whose(_: Leaf, noun: Noun, said: Joined) -> Formula | None:
    formula = formula_of(said)
    owner = NP("owned", noun.key, plural=noun.plural, owner=SELF)
    return None if formula is None else About(owner, formula)


def both(items: Joined, item: object) -> Joined:
    return Joined((*items.items, item), (*items.links, "and"))


def follow(plains: Joined, rels: Joined) -> Joined | None:
    """working in the lab, who are new"""
    plain, rel = formula_of(plains), formula_of(rels)
    return None if plain is None or rel is None else Joined((plain, rel), ("and",))


def except_post(_: Leaf, kinds: Joined) -> Formula | None:
    if not all(isinstance(kind, NP) and kind.parts for kind in kinds.items):
        return None
    if any(isinstance(kind, NP) and kind.det == "the" for kind in kinds.items):
        return Unclear("an exception for one thing: say what kind of thing it is")
    tests = tuple(Not(is_a(kind)) for kind in kinds.items)
    return tests[0] if len(tests) == 1 else All(tests)


def prep_relation(prep: str) -> str:
    """with → has; in → is in; of → the noun's own relation."""
    if prep in ("with", "without"):
        return "has"
    return f"is {prep}" if prep in PLACES else f"is {KIN} {prep}"


def is_a(kind: object) -> Formula:
    """SELF is all that the noun phrase says."""
    assert isinstance(kind, NP)
    tests = (*class_atoms(kind.parts, "is"), *kind.tests)
    return tests[0] if len(tests) == 1 else All(tests)


def class_atoms(parts: tuple[str, ...], relation: str) -> tuple[Atom, ...]:
    """One atom for each part; what a noun heads is said with an article."""
    said = ((part.removeprefix("a "), "a" if part.startswith("a ") else "") for part in parts)
    return tuple(Atom(SELF, relation, NP("attribute", key, article)) for key, article in said)
