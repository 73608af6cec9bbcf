"""What the rules of english.txt make of noun phrases; None where parts do not go together."""

from __future__ import annotations

from typing import Any, NamedTuple

from ibr.logic.english.grammar.choice_builders import member_of
from ibr.logic.english.grammar.tree import (
    COLLECTIVE,
    NP,
    PP,
    Appos,
    Co,
    Costly,
    Mod,
    ObjRel,
    Rel,
    SuchAs,
    Whose,
)  # fmt: skip
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.numbers import is_count, number_of
from ibr.logic.english.lexis.people import is_person

_PLURALS = ("children", "deer", "men", "mice", "people", "sheep", "women")


class Bar(NamedTuple):
    """A noun with what stands before it. `number`: sg, pl, mass."""

    mods: tuple[Mod, ...]
    noun: str
    number: str

    @property
    def plural(self) -> bool:
        return self.number == "pl"

    @property
    def num(self) -> str:
        return "pl" if self.plural else "sg"


class Owned(NamedTuple):
    """What follows an owner: 's car in the yard"""

    bar: Bar
    posts: tuple[Any, ...]
    at: int


def first(one: Any, others: tuple[Any, ...]) -> tuple[Any, ...]:
    return (one, *others)


def modified(mod: Mod, bar: Bar) -> Any:
    """One more word before a noun."""
    if len(bar.mods) > 5 or any(m.text in ("last", "next") for m in bar.mods):
        return None
    nouns = ("noun", "name")  # odd: gets the money back, a guide old dog
    if mod.text[:1].isupper() and bar.noun in LISTS["taught"]:
        mod = mod._replace(kind="name")  # a French teacher need not be French
    odd = bar.noun in ("back", "home") or any(m.kind not in nouns for m in bar.mods)
    return Costly(bar._replace(mods=(mod, *bar.mods)), 2 * (odd and mod.kind in nouns))


def two_adjectives(mod: Mod, bar: Bar) -> Any:
    """old and broken chairs; a black and white cat, which is neither a black nor a white one"""
    if bar.mods and {mod.text, bar.mods[0].text} <= LISTS["colours"]:
        text = " and ".join(sorted((mod.text, bar.mods[0].text)))
        return modified(Mod("adj", text, text), bar._replace(mods=bar.mods[1:]))
    plain = ("adj", "vn", "vg")
    kinds = [m.kind in plain for m in (mod, *bar.mods[:1])]
    return modified(mod, bar) if kinds == [True, True] else None


def qualified(word: str, mod: Mod) -> Mod | None:
    """very old"""
    return mod._replace(advs=(word, *mod.advs)) if mod.kind in ("adj", "vn") else None


def noun_mod(text: str, lemma: str) -> Mod:
    return Mod("name" if text[:1].isupper() else "noun", text, lemma)


def determined(det: str, bar: Bar, at: int, word: str, before: str) -> Any:
    """The noun phrase that a determiner and a noun make, if they agree."""
    mods, noun, number = bar
    np = NP(det, noun, number == "pl", mods, at=at, word=word)
    if det == "bare":
        return _bare(np, number, before)
    if det == "the" and noun in COLLECTIVE and number == "pl":
        return np._replace(plural=noun in _PLURALS)
    if det == "the" and word in ("all", "both") and number == "sg":
        return None
    if det == "any":
        return np._replace(det="every" if number == "sg" else "all")
    many = number == "pl" or noun in COLLECTIVE
    if det in ("all", "not all"):
        if number == "mass" and not many:
            return Costly(np._replace(det="every"), 1)  # all fruit contains vitamins
        return np._replace(plural=many) if many or det == "not all" else None
    if det == "these":
        return Costly(np._replace(det="the"), 1) if many else None
    fits = {"every": "sg", "another": "sg", "this": "sg", "num": "pl", "lots": "pl mass", "a": "sg"}
    if det == "num" and (noun.isupper() or word.endswith(" one") or noun == "percent"):
        return np  # 20 MB
    if number not in fits.get(det, "sg pl mass").split():
        return None
    often = det == "every" and noun in LISTS["times"]
    return Costly(np, (number == "mass") * (1 + (det == "the")) + often)  # the back, the well


def _bare(np: NP, number: str, before: str) -> Any:
    if number == "pl" and np.mods:
        given = np.mods[0].kind == "vn" and np.mods[0].lemma in LISTS["ditransitive"]
        given = given and before in ("", "is", "are", "was", "were")  # were given flowers
        doing = np.mods[0].kind == "vg" and before in ("is", "was")  # is dipping pretzels
        most = np.mods[0].text == "most"
        return None if most or doing else Costly(np, 3) if given else np
    if number == "pl":
        return np
    if not np.word and not (np.mods and np.mods[0].kind == "adj"):
        return None  # it begins with a name
    if np.noun == "one":
        return None
    mass = np._replace(det="mass")
    if number == "mass":
        verb = bool(np.mods) and np.mods[0].kind in ("vg", "vn")
        goes_on = verb and before in ("is", "are", "currently")  # is carrying fuel
        return Costly(mass, 1 + (np.at == 0) + verb + goes_on)
    if np.mods and np.mods[0].text in ("last", "next") and np.noun in LISTS["noun-phrases-times"]:
        return mass
    if np.mods and np.mods[0].kind == "vg":
        return None
    return Costly(mass, 4) if np.at > 0 and before not in ("is", "are", "a", "the") else None


def with_posts(np: NP, posts: tuple[Any, ...]) -> NP:
    mods = tuple(post for post in posts if isinstance(post, Mod))  # the dog next door
    return np._replace(posts=tuple(p for p in posts if p not in mods), mods=(*np.mods, *mods))


def those(word: str, posts: tuple[Any, ...], at: int) -> NP | None:
    return NP("those", plural=True, posts=posts, word=word, at=at) if posts else None


def compared(word: str, np: Any, at: int) -> NP | None:
    """the older of the two sisters"""
    several = isinstance(np, NP) and np.plural and word.endswith(("er", "est"))
    return NP("the", word, posts=(PP("of", np),), at=at, word="the") if several else None


def numbered(text: str, at: int) -> NP:
    """locker #4, room five"""
    noun, _, number = text.capitalize().rpartition(" ")
    value = number_of(number) if number.isalpha() else None
    return NP("name", f"{noun} {number if value is None else int(value)}", at=at)


def part(det: str, np: Any, at: int) -> Any:
    """one of the teachers, each of the teachers"""
    if not isinstance(np, NP) or not np.plural:
        return member_of(det, np, at)
    if np.det == "those" and det in ("no", "all", "any"):
        return np._replace(det="nobody" if det == "no" else "those", word="of", at=at)
    if np.det == "poss" and det == "all":
        return np._replace(word="all", at=at)
    if np.det == "poss":
        np = np._replace(det="the", owner=None, posts=(PP("of", np.owner), *np.posts))
    if np.det in ("the", "these", "bare"):
        return np._replace(det=det, plural=det != "a", word="of", at=at)
    return Costly(np._replace(word=f"{det} of them", at=at), 3) if np.det == "pro" else None


def counted(word: str, np: Any, at: int) -> NP | None:
    """two of the goats"""
    made = part("num", np, at)
    return made._replace(word=word) if isinstance(made, NP) else None


def possessed(np: Any, owned: tuple[Owned, ...], word: str = "") -> Any:
    """Tom's mother's car; all his cards"""
    if isinstance(np, Co) or any(isinstance(p, Rel | ObjRel | Whose) for p in np.posts):
        return None
    cost = int(bool(np.posts))  # on Ling's desk: the desk is Ling's
    for bar, posts, at in owned:
        np = NP("poss", bar.noun, bar.number == "pl", bar.mods, posts, np, at=at)
    return Costly(np._replace(word=word), cost)


def place_of(np: Any) -> NP | None:
    """at the baker's, above the chemist's"""
    return NP("poss", "place", owner=np, at=np.at) if is_person(np.noun) else None


def both_owned(np: Any, bar: Bar, op: str, other: Bar, at: int) -> Co | None:
    """Ivo's brother and sister"""
    if isinstance(np, Co) or bar.plural != other.plural or other.mods:
        return None
    both = (
        NP("poss", b.noun, b.plural, b.mods, (), np, at=at + k) for k, b in enumerate((bar, other))
    )
    return Co(op, tuple(both))


def several(tree: Any) -> Any:
    """What follows "and" may go on inside the first: who have a card and a badge."""
    before = tree.items[:-1] if isinstance(tree, Co) else ()
    kind = before[0] if len(before) > 1 and isinstance(before[0], NP) else None
    if kind and kind.plural and all(i.det == "name" for i in tree.items[1:]):
        return None  # my neighbours, Karin and Olaf
    if kind and kind.det == "name" and tree.items[1].det in ("the", "a", "poss"):
        return None  # Dr Roth, the vet and the mayor
    if len(before) > 1 and _may_be_of_all(tree.items):
        return None
    mixed = before and before[0].det in ("bare", "mass") and tree.items[-1].det == "a"  # staff, a
    return Costly(tree, 2 * bool(mixed) + sum(isinstance(i, NP) and ends_open(i) for i in before))


def _may_be_of_all(items: tuple[Any, ...]) -> bool:
    """fresh fish, bread and milk: fresh bread, too?"""
    plain = all(isinstance(i, NP) and i.det in ("bare", "mass") and not i.posts for i in items)
    first, *others = items
    return plain and any(m.kind == "adj" for m in first.mods) and not any(i.mods for i in others)


def ends_open(np: NP) -> bool:
    return bool(np.excepts) or any(isinstance(p, Rel | ObjRel | Whose | SuchAs) for p in np.posts)


def of_all(tree: Any) -> Co | None:
    """Members and guests who have a card: the clause may be of all of them."""
    if not isinstance(tree, Co) or any(i.det != "bare" for i in tree.items):
        return None
    *before, last = tree.items
    if not (last.posts or last.excepts) or any(i.posts or i.excepts for i in before):
        return None
    same = (i._replace(posts=last.posts, excepts=last.excepts) for i in before)
    return Co(tree.op, (*same, last))


def both_modified(np: Any, op: str, bar: Bar, posts: tuple[Any, ...]) -> Any:
    """vaccinated cats and dogs: the dogs, too"""
    if not np.mods or bar.mods or all(m.kind == "noun" for m in np.mods):
        return None
    return _spread(np, op, bar._replace(mods=np.mods), posts, np.plural)


def one_determiner(np: Any, op: str, bar: Bar, posts: tuple[Any, ...]) -> Any:
    """all cats and dogs in the house: those in the house, or only the dogs"""
    return _spread(np, op, bar, posts, False) if np.det not in ("bare", "mass") else None


def last_posts(np: Any, op: str, bar: Bar, posts: tuple[Any, ...]) -> Any:
    if np.det in ("bare", "mass") or not posts:
        return None
    made = _spread(np, op, bar, posts, False)
    return made and Costly(Co(op, (np, made.tree.items[1])), made.cost)


def each_modified(
    det: str, mod: Mod, op: str, bar: Bar, posts: tuple[Any, ...], at: int, word: str
) -> Co | None:
    """rich and famous people: the rich and the famous"""
    if bar.number != "pl" or two_adjectives(mod, bar) is None or det in ("num", "a", "every"):
        return None
    other = determined(det, bar, at, word, "")
    np = other._replace(posts=posts) if isinstance(other, NP) else None
    return Co(op, (np._replace(mods=(mod, *bar.mods[1:])), np)) if np else None


def _spread(np: Any, op: str, bar: Bar, posts: tuple[Any, ...], usual: bool) -> Costly | None:
    if not isinstance(np, NP) or (np.plural) != (bar.number == "pl") or np.det in ("poss", "name"):
        return None
    other = np._replace(noun=bar.noun, mods=bar.mods, posts=posts, at=np.at + 1)
    return Costly(Co(op, (np._replace(posts=posts), other)), 0 if usual else 1)


def as_aside(rel: Any) -> Any:
    """, who is a member,"""
    if isinstance(rel, Rel):
        return None if rel.text.startswith("that") else rel._replace(restrictive=False)
    return rel if isinstance(rel, Whose) else None


def with_number(vp: Any, text: str) -> Rel | None:
    """is a file larger than ten megabytes"""
    return Rel(vp) if any(map(is_count, text.split())) else None


def posts(post: Any, others: tuple[Any, ...]) -> Any:
    if len(others) > 2 or (isinstance(post, PP) and any(isinstance(p, Appos) for p in others)):
        return None  # the wife of the butcher, a Dane,
    near = isinstance(post, PP) and getattr(post.np, "plural", False) and others
    if near and isinstance(others[0], Rel) and not others[0].text:
        return None  # tenants of landlords living in Kiel
    far = isinstance(post, PP) and others and isinstance(others[0], PP) and others[0].prep == "of"
    return Costly((post, *others), int(bool(far)))  # a member of staff of the airport
