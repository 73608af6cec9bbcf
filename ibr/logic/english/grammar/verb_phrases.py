"""Verb phrases: auxiliaries, tenses, modes."""

from __future__ import annotations

from collections.abc import Iterator

from ibr.logic.english.grammar.chart import Found, rule
from ibr.logic.english.grammar.complements import Complements
from ibr.logic.english.grammar.moods import (
    added,
    modal,
    negated,
    sharing,
    timed,
)
from ibr.logic.english.grammar.tree import Co, Not, V
from ibr.logic.english.lexis import closed


class Verbs(Complements):
    """Finite verb phrases, and those after auxiliaries."""

    @rule
    def vp(self, i: int, number: str) -> Iterator[Found]:
        """Finite, one or several."""
        yield from sharing(self.sequence(i, lambda k: self.vp1(k, number), cost_of=2))
        if self.is_in(i, ("both", "either")):
            for end, tree, cost in self.sequence(i + 1, lambda k: self.vp1(k, number), cost_of=2):
                if isinstance(tree, Co):
                    yield end, tree, cost
        if self.is_in(i, ("neither",)):
            for end, tree, cost in self.sequence(i + 1, lambda k: self.vp1(k, number), cost_of=2):
                if isinstance(tree, Co):
                    yield end, Not(Co("or", tree.items)), cost

    @rule
    def vp1(self, i: int, number: str) -> Iterator[Found]:
        for k, advs, negs, odd in self._adverbs(i):
            for end, tree, cost in self._finite(k, number):
                yield end, negated(added(tree, advs), negs), cost + odd

    def _finite(self, i: int, number: str) -> Iterator[Found]:
        word = self.word(i)
        if self.tokens[i].name if i < self.n else True:
            return
        if word == "'s":
            for end, tree, cost in self._be(i + 1, ""):
                yield end, tree, cost + 2
        elif word in closed.BE and number in (closed.BE[word], "any"):
            tense = "past" if word in ("was", "were") else ""
            yield from self._be(i + 1, tense)
            yield from self._stranded(i, tense)
        elif word in ("has", "have", "had"):
            if word != "had" and number not in ("any", "sg" if word == "has" else "pl"):
                return
            yield from self._have(i + 1, "past" if word == "had" else "")
            yield from self._stranded(i, "")
        elif word in ("does", "do", "did"):
            if word != "did" and number not in ("any", "sg" if word == "does" else "pl"):
                return
            for k, advs, negs, odd in self._adverbs(i + 1):
                for end, tree, cost in self.base(k):
                    if negs or advs:
                        tree = timed(tree, "past" if word == "did" else "")
                        yield end, negated(added(tree, advs), negs), cost + odd
            yield from self._stranded(i, "")
            if number != "pl" or word != "does":
                yield from self.body(i + 1, "do")
        elif word in closed.MODALS:
            yield from self._modal(i, word)
        elif word == "need not":
            for end, tree, cost in self.base(i + 1):
                yield end, Not(modal(tree, "must")), cost
        else:
            yield from self._plain(i, number)

    def _plain(self, i: int, number: str) -> Iterator[Found]:
        for cls, other, tense in (("VZ", "pl", ""), ("V", "sg", ""), ("VD", "", "past")):
            use = self.use(i, cls)
            if use and number != other:
                extra = 1 if cls == "VD" and self.use(i, "V") else 0
                for end, tree, cost in self.body(i + 1, use[0]):
                    yield end, timed(tree, tense), cost + use[1] + extra

    def _stranded(self, i: int, tense: str) -> Iterator[Found]:
        """but the toaster is not; Mei has"""
        k = i + 1
        negs = int(self.word(i) == "cannot")
        if self.word(k) in ("not", "never"):
            negs, k = 1, k + 1
        if self.word(k) in ("too", "as well", "so"):
            k += 1
        if k == self.n or self.word(k) in (",", "and", "but"):
            yield k, negated(V("ellipsis", self.word(i), tense=tense), negs), 3

    def _modal(self, i: int, word: str) -> Iterator[Found]:
        for k, advs, negs, odd in self._adverbs(i + 1):
            for end, tree, cost in self.base(k):
                cost += odd
                count = negs + (word == "cannot")
                mode = "can" if word in ("cannot", "could") else word
                if count % 2 and mode == "must":
                    mode = "may"
                if word == "might":
                    mode = "might"
                yield end, negated(modal(added(tree, advs), mode), count), cost
        yield from self._stranded(i, "")

    def _have(self, i: int, tense: str) -> Iterator[Found]:
        if self.is_in(i, ("to",)):
            for end, tree, cost in self.base(i + 1):
                yield end, timed(modal(tree, "must"), tense), cost
        if self.is_in(i, ("got",)):
            yield from self.body(i + 1, "have")
        for k, advs, negs, odd in self._adverbs(i):
            for end, tree, cost in self.participles(k):
                yield end, negated(added(tree, advs), negs), cost + odd
        odd = 1 if self.use(i, "VN") else 0  # has passed calculus
        yield from ((e, timed(t, tense), c + odd) for e, t, c in self.body(i, "have"))

    @rule
    def participles(self, i: int) -> Iterator[Found]:
        """After have."""
        yield from sharing(self.sequence(i, self.participle, cost_of=1))

    @rule
    def participle(self, i: int) -> Iterator[Found]:
        if self.is_in(i, ("been",)):
            for end, tree, cost in self._be(i + 1, "perf"):
                yield end, tree, cost
            return
        for k, advs, _, odd in self._adverbs(i, False):
            use = self.use(k, "VN")
            if self.is_in(k, ("had", "done")):
                use = ({"had": "have", "done": "do"}[self.word(k)], 0)
            if use:
                for end, tree, cost in self.body(k + 1, use[0]):
                    yield end, timed(added(tree, advs), "perf"), cost + use[1] + odd

    @rule
    def base(self, i: int) -> Iterator[Found]:
        """After a modal or "to"."""
        yield from sharing(self.sequence(i, self._base, cost_of=1))
        if self.is_in(i, ("either", "both")):
            yield from sharing(self.sequence(i + 1, self._base, cost_of=1))

    def _base(self, i: int) -> list[Found]:
        found: list[Found] = []
        for k, advs, negs, odd in self._adverbs(i, False):
            rest: list[Found] = []
            if self.is_in(k, ("be",)):
                rest = list(self._be(k + 1, ""))
            elif self.is_in(k, ("have",)):
                rest = list(self._have(k + 1, ""))
            elif self.is_in(k, ("do",)):
                rest = self.body(k + 1, "do")
            else:
                use = self.use(k, "V")
                if use:
                    rest = [(e, t, c + use[1]) for e, t, c in self.body(k + 1, use[0])]
            found += [(e, negated(added(t, advs), negs), c + odd) for e, t, c in rest]
        return found
