"""What stands before and after a noun."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ibr.logic.english.grammar.chart import Chart, Found, rule
from ibr.logic.english.grammar.tree import (
    NP,
    PP,
    Called,
    Co,
    Mod,
    ObjRel,
    Rel,
    SuchAs,
    Whose,
)
from ibr.logic.english.lexis import closed
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.surface.words import words

_MOD_WORDS = words("past first last second third opposite only own inside outside")


COLLECTIVE = LISTS["noun-phrases-collective"]


class Bar(NamedTuple):
    """A noun with what stands before it. `number`: sg, pl, mass."""

    mods: tuple[Mod, ...]
    noun: str
    number: str


class Modifiers(Chart):
    """Needs `np`, `vp`, `reduced` and `adjectival` of the other parts of the grammar."""

    @rule
    def bar(self, i: int) -> Iterator[Found]:
        yield from self._bar(i, (), 0)

    def _bar(self, i: int, mods: tuple[Mod, ...], cost: int) -> Iterator[Found]:
        self.spend()
        if i >= self.n or len(mods) > 5:
            return
        for cls, number in (("N", "sg"), ("NS", "pl"), ("MASS", "mass")):
            use = self.use(i, cls)
            if use:
                yield i + 1, Bar(mods, use[0], number), cost + use[1]
        if self.word(i + 1) in ("'s", "'"):
            return
        for mod, more, k in self._mods(i):
            if mods and mod.text in ("last", "next", "every"):
                continue
            if mod.kind != "noun" and mod.kind != "name" and any(m.kind == "noun" for m in mods):
                more += 2
            yield from self._bar(k, (*mods, mod), cost + more)
            if mod.kind in ("adj", "vn", "vg"):
                after = self.word(k)
                skip = k + 1 if after in (",", "and", "but") else 0
                if after == "," and self.word(k + 1) in ("and", "but"):
                    skip += 1
                if skip and any(m.kind in ("adj", "vn", "vg") for m, _, _ in self._mods(skip)):
                    yield from self._bar(skip, (*mods, mod), cost + more + (after != ","))

    def _mods(self, i: int) -> Iterator[tuple[Mod, int, int]]:
        token = self.tokens[i] if i < self.n else None
        if token is None or (self.word(i) in closed.CLOSED and self.word(i) not in _MOD_WORDS):
            return
        adj = self.use(i, "ADJ")
        text = token.text if token.name else token.low
        if adj and not token.name:
            odd = 2 if self.use(i, "NMOD") == (text, 0) else 0
            yield Mod("adj", text, adj[0]), adj[1] + odd, i + 1
        elif adj:
            yield Mod("adj", adj[0], adj[0]), 0, i + 1
        for cls, kind in (("VN", "vn"), ("VG", "vg")):
            use = self.use(i, cls)
            if use:
                yield Mod(kind, text, use[0]), use[1] + (1 if adj and kind == "vg" else 0), i + 1
        noun = self.use(i, "NMOD")
        if noun and not (adj and noun[1] > 1):
            yield Mod("name" if token.name else "noun", text, noun[0]), noun[1], i + 1
        if self.use(i, "NUM") and "-" in text:
            yield Mod("adj", text, text), 0, i + 1
        adverb = self.use(i, "ADV")
        if (adverb or self.word(i) in ("not",)) and i + 1 < self.n and not adj:
            for mod, cost, k in self._mods(i + 1):
                if mod.kind in ("adj", "vn"):
                    yield mod._replace(advs=(text, *mod.advs)), cost, k

    @rule
    def posts(self, i: int, role: str, plural: bool) -> Iterator[Found]:
        """What follows a noun; none is always possible."""
        yield i, (), 0
        for end, post, cost in self._post(i, role, plural):
            yield end, (post,), cost
            for end2, posts, more in self.posts(end, role, plural):
                if (
                    posts
                    and len(posts) < 3
                    and (
                        not isinstance(post, Rel)
                        or self.word(end) in ("who", "whose", "that", "which")
                    )
                ):
                    yield end2, (post, *posts), cost + more

    def _post(self, i: int, role: str, plural: bool) -> Iterator[Found]:
        number = "pl" if plural else "sg"
        word = self.word(i)
        k = self.comma(i)
        if self.is_in(k, closed.WHO) and (k == i or self.word(k) != "that"):
            for end, rel, cost in self._relative(k, number, closed=k > i):
                odd = 1 if role == "pp" else 0
                yield end, rel, cost + odd
                yield from self._more_clauses(end, rel, cost + odd, number)
        if self.is_in(k, ("whose",)):
            for end, rel, cost in self._whose(k + 1):
                yield self._close(end, k > i), rel, cost
        if self.is_in(i, ("whom",)):
            yield from self._gap(i + 1)
        if self.is_in(i, closed.PREPOSITIONS) and word != "than":
            cost = 0 if word == "of" or role in ("subj", "have") else 1
            for end, np, more in self.np(i + 1, "pp"):
                yield end, PP(word, np), cost + more
        if role == "subj" and self.use(i, "NAME") and not plural and self.tokens[i].name:
            yield i + 1, Called(self.use(i, "NAME")[0]), 1
        if self.is_in(i, ("called", "named")) and self.use(i + 1, "NAME"):
            yield i + 2, Called(self.use(i + 1, "NAME")[0]), 0
        if self.is_in(k, ("such as", "including")):
            for end, np, cost in self.np(k + 1, "subj"):
                yield self._close(end, k > i), SuchAs(np), cost
        if role in ("subj", "have", "obj", "pp"):
            extra = 1 if role == "subj" else 2
            for end, vp, cost in self.reduced(i):
                yield end, Rel(vp), cost + extra
        if self.is_in(i, ("allowed",)) or (role == "subj" and self.use(i, "ADJ")):
            for end, vp, cost in self.adjectival(i):
                if end > i + 1:
                    yield end, Rel(vp), cost + 1

    def _whose(self, i: int) -> Iterator[Found]:
        for end, bar, cost in self.bar(i):
            bar_number = "pl" if bar.number == "pl" else "sg"
            np = NP("poss", bar.noun, bar.number == "pl", bar.mods, at=i)
            for end2, vp, more in self.vp(end, bar_number):
                yield end2, Whose(np, vp), cost + more

    def _more_clauses(self, i: int, first: Any, cost: int, number: str) -> Iterator[Found]:
        """who is unconscious or whose pulse is weak"""
        op = self.word(i)
        if op not in ("and", "or"):
            return
        if self.is_in(i + 1, ("whose",)):
            for end, rel, more in self._whose(i + 2):
                yield end, Co(op, (first, rel)), cost + more
        elif self.is_in(i + 1, ("who", "which", "that")):
            for end, rel, more in self._relative(i + 1, number, closed=False):
                yield end, Co(op, (first, rel)), cost + more

    def _close(self, end: int, opened: bool) -> int:
        return self.comma(end) if opened else end

    def _relative(self, k: int, number: str, closed: bool) -> Iterator[Found]:
        for end, vp, cost in self.vp(k + 1, number):
            text = " ".join(token.text for token in self.tokens[k:end])
            yield self._close(end, closed), Rel(vp, not closed, text), cost
        if not closed:
            yield from self._gap(k + 1)

    def _gap(self, i: int) -> Iterator[Found]:
        """that Tom likes, whom a member invited, who she works with"""
        for end, subj, cost in self.np1(i, "obj"):
            for end2, vp, more in self.vp(end, number_of(subj)):
                yield end2, ObjRel(subj, vp), cost + more + 1


def number_of(np: Any) -> str:
    """What a verb must agree with: sg, pl or any."""
    if isinstance(np, Co):
        return "pl" if np.op == "and" else "any"
    if np.det == "pro":
        return "pl" if np.plural else "sg"
    if np.noun in COLLECTIVE or np.det == "no" or np.word == "of":
        return "any"
    return "pl" if np.plural else "sg"


def of_all(end: int, tree: Any, cost: int) -> Iterator[Found]:
    """Members and guests who have a card: the clause may be of all of them."""
    if isinstance(tree, Co) and all(isinstance(i, NP) and i.det == "bare" for i in tree.items):
        *before, last = tree.items
        if last.posts and not any(i.posts for i in before):
            yield end, Co(tree.op, (*(i._replace(posts=last.posts) for i in before), last)), cost


def ends_open(np: NP) -> bool:
    """What follows "and" goes on inside it: who have a card and a badge"""
    return bool(np.excepts) or _has_clause(np) or any(isinstance(p, SuchAs) for p in np.posts)


def _has_clause(np: NP) -> bool:
    return any(isinstance(post, (Rel, ObjRel, Whose)) for post in np.posts)
