"""Noun phrases: determiners, names, pronouns, possession."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ibr.logic.english.grammar.chart import Found, rule
from ibr.logic.english.grammar.modifiers import COLLECTIVE, Bar, Modifiers, ends_open, of_all
from ibr.logic.english.grammar.tree import (
    NP,
    Appos,
    Co,
    Mod,
    ObjRel,
    Rel,
    Whose,
)
from ibr.logic.english.lexis import closed
from ibr.logic.english.lexis.lists import LISTS

_DETS = {
    "the": "the", "a": "a", "an": "a", "every": "every", "each": "every", "any": "any",
    "all": "all", "no": "no", "this": "this", "that": "this", "these": "these", "those": "these",
    "some": "some", "such a": "this", "such an": "this", "such": "this", "another": "another",
    "the same": "this", "several": "num", "a few": "num", "many": "some",
    "either": "any", "both": "all", "not any": "no",
    "one": "a", "one or more": "a", "at least one": "a", "a couple of": "num", "a number of": "num",
}  # fmt: skip
_NUMBERS = LISTS["numbers"]
_OF = {
    "one of": "a", "each of": "all", "all of": "all", "none of": "no", "some of": "some",
    "any of": "all", "both of": "all", "every one of": "all", "neither of": "no", "many of": "some",
    "most of": "some", "either of": "all",
}  # fmt: skip
_TIMES = LISTS["noun-phrases-times"]
VARIABLES = frozenset("XYZUVW")
_UNIVERSAL = ("everyone", "nobody", "every", "all", "no", "bare", "those", "the", "any")


class Nouns(Modifiers):
    """Determiners, names, pronouns, possession, exceptions, several."""

    @rule
    def np(self, i: int, role: str) -> Iterator[Found]:
        """One or several; `role`: subj, obj (of a verb), have (of a verb that takes no place)."""
        for end, tree, cost in self.sequence(i, lambda k: self.np1(k, role), but=False):
            before = tree.items[:-1] if isinstance(tree, Co) else ()
            odd = sum(isinstance(i, NP) and ends_open(i) for i in before)
            yield end, tree, cost + odd
            yield from of_all(end, tree, cost)
        if self.is_in(i, ("both", "either")):
            for end, tree, cost in self.sequence(i + 1, lambda k: self.np1(k, role)):
                if isinstance(tree, Co) and len(tree.items) > 1:
                    yield end, tree, cost - 1
        if self.is_in(i, ("neither",)):
            for end, tree, cost in self.sequence(i + 1, lambda k: self.np1(k, role)):
                if isinstance(tree, Co) and tree.op in ("nor", "or"):
                    yield end, Co("nor", tree.items), cost
        yield from self._spread(i, role)
        for end, tree, cost in self.np1(i, role):
            if self.is_in(end, ("but",)) and self.is_in(end + 1, ("no",)):
                for end2, other, more in self.np1(end + 1, role):
                    yield end2, Co("and", (tree, other)), cost + more

    def _spread(self, i: int, role: str) -> Iterator[Found]:
        """vaccinated cats and dogs: one determiner, and the adjectives of the first or of both."""
        det, k = self._determiner(i)
        if det is None:
            return
        for end, bar, cost in self.bar(k):
            if self.word(end) not in ("and", "or") or (not bar.mods and det == "bare"):
                continue
            for end2, bar2, cost2 in self.bar(end + 1):
                if bar2.number != bar.number or (self.use(end + 1, "NAME") and not bar2.mods):
                    continue
                for first, cost3 in self._determined(det, bar, i):
                    second = first._replace(noun=bar2.noun, mods=bar2.mods, at=end + 1)
                    shared = second._replace(mods=(*bar.mods, *bar2.mods))
                    extra = cost + cost2 + cost3 + (0 if bar.mods and det == "bare" else 1)
                    op = self.word(end)
                    for end3, posts, cost4 in self.posts(end2, role, second.plural):
                        total = extra + cost4
                        one = first._replace(posts=posts)
                        if (
                            bar.mods
                            and not bar2.mods
                            and not all(m.kind == "noun" for m in bar.mods)
                        ):
                            two = shared._replace(posts=posts)
                            yield end3, Co(op, (one, two)), total
                        if det != "bare":
                            two = second._replace(posts=posts)
                            yield end3, Co(op, (one, two)), total
                            if posts:
                                yield end3, Co(op, (first, two)), total

    @rule
    def np1(self, i: int, role: str) -> Iterator[Found]:
        for end, tree, cost in self._core(i, role):
            yield from self._owning(end, tree, cost, role)
        if self.word(i) in closed.POSSESSIVE and not self.tokens[i].name:
            owner = NP("pro", "owner", word=self.word(i), at=i)
            for end, tree, cost in self._owned(i + 1, owner, role):
                yield from self._owning(end, tree, cost, role)

    def _owning(self, end: int, tree: Any, cost: int, role: str) -> Iterator[Found]:
        """Tom, Tom's mother, Tom's mother's car; and those whom it excepts."""
        yield from self._excepting(end, tree, cost)
        clause = isinstance(tree, NP) and any(
            isinstance(p, (Rel, ObjRel, Whose)) for p in tree.posts
        )
        if self.word(end) in ("'s", "'") and not isinstance(tree, Co) and not clause:
            for end2, owned, more in self._owned(end + 1, tree, role):
                yield from self._owning(end2, owned, cost + more, role)

    def _owned(self, i: int, owner: Any, role: str) -> Iterator[Found]:
        if self.is_in(i, ("own",)):
            i += 1
        for end, bar, cost in self.bar(i):
            for end2, posts, more in self.posts(end, role, bar.number == "pl"):
                yield (
                    end2,
                    NP("poss", bar.noun, bar.number == "pl", bar.mods, posts, owner, at=i),
                    cost + more,
                )

    def _excepting(self, end: int, tree: Any, cost: int) -> Iterator[Found]:
        yield end, tree, cost
        if not isinstance(tree, NP) or tree.det not in _UNIVERSAL:
            return
        if tree.det == "the" and not tree.plural:
            return
        k = self.comma(end)
        word = self.word(k)
        if not (word == "but not" and tree.det != "nobody") and not (
            word in closed.EXCEPT
            or (word == "but" and tree.det in ("everyone", "nobody", "all", "every", "no", "any"))
        ):
            return
        for end2, other, more in self.np(k + 1, "subj"):
            after = self.comma(end2) if k > end else end2
            yield after, tree._replace(excepts=(other,)), cost + more

    def _core(self, i: int, role: str) -> Iterator[Found]:
        word = self.word(i)
        if not word:
            return
        if self.use(i, "NAME"):
            yield from self._named(i, self.use(i, "NAME"))
        if self.tokens[i].name:
            if self.use(i, "NS") or self.use(i, "ADJ"):
                yield from self._nominal(i, role)
            return
        text = self.tokens[i].text
        if text in VARIABLES and len(text) == 1:
            yield i + 1, NP("var", text, at=i), 0
        elif len(text) == 1 and text.isupper() and text not in ("A", "I"):
            yield i + 1, NP("name", text, at=i), 0
        if word in _NUMBERS and not self.use(i + 1, "NS"):
            yield i + 1, NP("mass", word, at=i), 2
        if word in closed.PRONOUNS:
            yield (
                i + 1,
                NP("pro", word=word, plural=word in ("they", "them", "themselves"), at=i),
                0,
            )
        if word in closed.SOMEONE and (word != "one" or self.word(i + 1) in ("who", "that")):
            yield from self._body(i, NP("someone", word=word, at=i), role)
        if word in closed.EVERYONE or word in closed.NOBODY:
            det = "everyone" if word in closed.EVERYONE else "nobody"
            yield from self._body(i, NP(det, word=word, at=i), role)
        if word in closed.WHOEVER:
            for end, vp, cost in self.vp(i + 1, "sg"):
                yield end, NP("everyone", posts=(Rel(vp),), word=word, at=i), cost
        if word in ("those", "only those", "all those", "anybody", "all"):
            for end, posts, cost in self.posts(i + 1, role, True):
                if posts:
                    yield end, NP("those", plural=True, posts=posts, word=word, at=i), cost
        if word in _OF:
            yield from self._part(i, role)
        yield from self._nominal(i, role)

    def _body(self, i: int, np: NP, role: str) -> Iterator[Found]:
        k = i + 1
        if self.is_in(k, ("else",)):
            np, k = np._replace(word="else"), k + 1
        for end, posts, cost in self.posts(k, "subj", False):
            yield end, np._replace(posts=posts), cost
        use = self.use(k, "ADJ")
        if use and self.word(k) not in closed.PREPOSITIONS:
            mod = Mod("adj", self.tokens[k].low, use[0])
            for end, posts, cost in self.posts(k + 1, "subj", False):
                yield end, np._replace(mods=(mod,), posts=posts), cost + 1

    def _named(self, i: int, use: tuple[str, int]) -> Iterator[Found]:
        name, cost = use
        yield i + 1, NP("name", name, at=i), cost
        if self.word(i + 1) == ",":
            for end, post, more in self._aside(i + 2):
                yield end, NP("name", name, posts=(post,), at=i), cost + more

    def _aside(self, i: int) -> Iterator[Found]:
        """Tom, who is a member, …; Tom, a member, …"""
        if self.is_in(i, ("who", "which")):
            for end, vp, cost in self.vp(i + 1, "any"):
                if end == self.n or self.word(end) == ",":
                    yield min(end + 1, self.n), Rel(vp, False), cost
        if self.is_in(i, ("a", "an", "the")):
            for end, np, cost in self.np1(i, "subj"):
                if self.word(end) == ",":
                    yield end + 1, Appos(np), cost

    def _part(self, i: int, role: str) -> Iterator[Found]:
        """one of the teachers, each of the teachers"""
        det = _OF[self.word(i)]
        for end, np, cost in self.np1(i + 1, role):
            if isinstance(np, NP) and np.plural and np.det in ("the", "poss", "these", "bare"):
                if np.det == "poss":
                    yield end, np._replace(plural=True, word=f"of:{det}", at=i), cost
                else:
                    yield end, np._replace(det=det, plural=det != "a", word="of", at=i), cost
            elif isinstance(np, NP) and np.det == "pro" and np.plural:
                yield end, np._replace(word=f"{det} of them", at=i), cost + 3

    def _determiner(self, i: int) -> tuple[str | None, int]:
        word = self.word(i)
        if self.n <= i or self.tokens[i].name:
            return "bare", i
        if word == "not" and self.word(i + 1) in ("every", "all", "each"):
            return "not all", i + 2
        if word in _NUMBERS or (self.use(i, "NUM") and "%" not in word):
            return "num", i + 1
        if word not in _DETS:
            return "bare", i
        after = self.word(i + 1)
        if word == "all" and after in ("the", "these", "those"):
            return "all", i + 2
        if word == "all" and after in closed.POSSESSIVE:
            return None, i
        if word == "the" and (after in _NUMBERS):
            return "the", i + 2
        if word in ("another", "any", "every") and after == "other":
            return "another", i + 2
        return _DETS[word], i + 1

    def _nominal(self, i: int, role: str) -> Iterator[Found]:
        det, k = self._determiner(i)
        if det is None:
            return
        for end, bar, cost in self.bar(k):
            for np, more in self._determined(det, bar, i):
                for end2, posts, most in self.posts(end, role, np.plural):
                    yield end2, np._replace(posts=posts), cost + more + most

    def _determined(self, det: str, bar: Bar, i: int) -> Iterator[tuple[NP, int]]:
        """The noun phrases that a determiner and a noun make, if they agree."""
        mods, noun, number = bar
        np = NP(det, noun, number == "pl", mods, at=i, word=self.word(i))
        many = number == "pl" or noun in COLLECTIVE
        if det in ("a", "every", "another") and number == "sg":
            yield np, 0
        elif det == "the" and noun in COLLECTIVE and number == "pl":
            yield np._replace(plural=noun in ("children", "men", "women", "people")), 0
        elif det in ("the", "no", "some"):
            if number != "mass":
                yield np, 0
            elif det != "the":
                yield np, 1
        elif det == "any":
            yield np._replace(det="every" if number == "sg" else "all"), 0
        elif det in ("all", "not all"):
            if many or number == "mass":
                yield np._replace(plural=True), 0
            elif det == "not all":
                yield np, 0
        elif det == "this" and number == "sg":
            yield np, 0
        elif det == "these" and many:
            yield np._replace(det="the"), 1
        elif det == "num" and number == "pl":
            yield np, 0
        elif det == "bare":
            if number == "pl":
                yield np, 0
            elif number == "mass":
                yield np._replace(det="mass", plural=False), 1 + (i == 0)
            elif number == "sg" and mods and mods[0].text in ("last", "next") and noun in _TIMES:
                yield np._replace(det="mass"), 0
            elif number == "sg" and i > 0 and self.word(i - 1) not in ("is", "are", "a", "the"):
                yield np._replace(det="mass"), 4
