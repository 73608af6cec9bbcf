"""What the grammar finds: phrases and sentences, before anybody asks whom they speak of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ibr.logic.english.lexis.lists import LISTS

COLLECTIVE = LISTS["noun-phrases-collective"]


class Mod(NamedTuple):
    """A word before a noun. `kind`: adj, vn (broken), vg (talking), noun (guide dog), name."""

    kind: str
    text: str
    lemma: str
    advs: tuple[str, ...] = ()


class NP(NamedTuple):
    """`det`: name the this a every no some num bare mass pro someone everyone nobody those var."""

    det: str
    noun: str = ""
    plural: bool = False
    mods: tuple[Mod, ...] = ()
    posts: tuple[Any, ...] = ()
    owner: Any = None
    excepts: tuple[Any, ...] = ()
    at: int = 0
    word: str = ""  # the pronoun, the determiner as written

    @property
    def number(self) -> str:
        """What a verb must agree with: sg, pl or any."""
        loose = self.noun in COLLECTIVE or self.det == "no" or self.word[:2] == "of"
        loose = loose or (self.det, self.word) == ("poss", "all")  # each of her friends
        if self.word.endswith(" of them") if self.det == "pro" else loose:
            return "any"
        return "pl" if self.plural else "sg"


class Co(NamedTuple):
    """`op`: and, or, nor, only."""

    op: str
    items: tuple[Any, ...]

    @property
    def det(self) -> str:
        return "several"

    @property
    def number(self) -> str:
        dets = {getattr(item, "det", "") for item in self.items}  # every boy and every girl is
        return "pl" if self.op == "and" and not dets <= {"every", "no"} else "any"


class PP(NamedTuple):
    prep: str
    np: Any


class Rel(NamedTuple):
    """who VP"""

    vp: Any
    restrictive: bool = True
    text: str = ""


class ObjRel(NamedTuple):
    """that Tom likes, that Tom looks at: `vp` lacks its object, or what follows `prep`."""

    subj: Any
    vp: Any
    prep: str = ""


class Whose(NamedTuple):
    np: NP  # without its owner
    vp: Any


class Called(NamedTuple):
    name: str


class SuchAs(NamedTuple):
    np: Any
    word: str = ""


class Appos(NamedTuple):
    np: Any


class Not(NamedTuple):
    body: Any


class V(NamedTuple):
    """A predicate. `form`: verb, passive, adj, noun, prep, adv, there."""

    form: str
    lemma: str
    mode: str = ""
    tense: str = ""
    obj: Any = None
    told: Any = None  # knows that …
    tails: tuple[PP, ...] = ()
    advs: tuple[str, ...] = ()
    text: str = ""


class Clause(NamedTuple):
    subj: Any
    vp: Any


class There(NamedTuple):
    np: Any
    tails: tuple[PP, ...] = ()
    tense: str = ""
    mode: str = ""


class Cond(NamedTuple):
    """`kind`: if, unless, only if, iff, but not if."""

    kind: str
    cond: Any
    main: Any


class Except(NamedTuple):
    """A clause with a trailing ", except NP"."""

    main: Any
    np: Any
    word: str = "except"


def mapped(tree: Any, change: Callable[[V], Any]) -> Any:
    """A verb phrase with each verb in it changed."""
    if isinstance(tree, Co):
        return Co(tree.op, tuple(mapped(item, change) for item in tree.items))
    return Not(mapped(tree.body, change)) if isinstance(tree, Not) else change(tree)


def named_in(tree: Any) -> Iterator[str]:
    """Tom, the manager: who has a name or a description in a phrase."""
    if isinstance(tree, NP) and tree.det in ("name", "the") and not (tree.plural or tree.posts):
        words = " ".join((*(m.text for m in tree.mods), tree.noun))
        yield words if tree.det == "name" else f"the {words}"
    for part in tree if isinstance(tree, tuple) else ():
        yield from named_in(part)


class Costly(NamedTuple):
    """A tree that costs more than its parts."""

    tree: Any
    cost: int
