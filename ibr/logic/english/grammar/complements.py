"""What follows "is": adjectives, nouns, places, participles, permissions."""

from __future__ import annotations

from collections.abc import Iterator

from ibr.logic.english.grammar.chart import Found, rule
from ibr.logic.english.grammar.frames import Frames
from ibr.logic.english.grammar.moods import (
    added,
    modal,
    negated,
    timed,
)
from ibr.logic.english.grammar.tree import NP, Co, Not, V
from ibr.logic.english.lexis import closed
from ibr.logic.english.lexis.lists import LISTS

_DEONTIC = {
    "allowed": ("may", False), "permitted": ("may", False), "entitled": ("may", False),
    "authorised": ("may", False), "authorized": ("may", False),
    "required": ("must", False), "obliged": ("must", False), "forbidden": ("may", True),
    "prohibited": ("may", True), "banned": ("may", True), "barred": ("may", True),
    "able": ("can", False), "unable": ("can", True), "free": ("may", False),
    "going": ("will", False), "obligated": ("must", False), "supposed": ("be supposed to", False),
    "about": ("be about to", False),
}  # fmt: skip
_AS = LISTS["as"]


class Complements(Frames):
    """What follows "is"."""

    def _be(self, i: int, tense: str) -> Iterator[Found]:
        for k, advs, negs, odd in self._adverbs(i):
            for end, tree, cost in self.complements(k):
                yield end, negated(timed(added(tree, advs), tense), negs), cost + odd

    @rule
    def complements(self, i: int) -> Iterator[Found]:
        """After be, one or several."""
        yield from self.sequence(i, self._signed, cost_of=1)
        if self.is_in(i, ("both", "either")):
            for end, tree, cost in self.sequence(i + 1, self._signed, cost_of=1):
                if isinstance(tree, Co):
                    yield end, tree, cost
        if self.is_in(i, ("neither",)):
            for end, tree, cost in self.sequence(i + 1, self._signed, cost_of=1):
                if isinstance(tree, Co):
                    yield end, Not(Co("or", tree.items)), cost
        if self.is_in(i, ("not only",)):
            for end, tree, cost in self.sequence(i + 1, self._signed, cost_of=1):
                if isinstance(tree, Co):
                    yield end, Co("and", tree.items), cost

    def _signed(self, i: int) -> list[Found]:
        """wet but not muddy"""
        found = list(self.complement(i))
        if self.is_in(i, ("not", "never")) and self.word(i + 1) not in closed.SCOPAL:
            found += [(end, Not(tree), cost) for end, tree, cost in self.complement(i + 1)]
        return found

    @rule
    def complement(self, i: int) -> Iterator[Found]:
        word = self.word(i)
        if not word:
            return
        yield from self._deontic(i)
        yield from self.adjectival(i)
        for end, np, cost in self.np1(i, "have"):
            if isinstance(np, NP) and np.det in ("pro", "someone", "everyone", "those", "nobody"):
                continue
            named = 1 if isinstance(np, NP) and np.det == "name" else 0
            for end2, advs, odd in self._after(end):
                yield end2, V("noun", "be", obj=np, advs=advs), cost + odd + named
        if self.is_in(i, closed.PREPOSITIONS) and word != "by":
            for end, np, cost in self.np(i + 1, "pp"):
                yield from self._tails(end, V("prep", word, obj=np), cost, 3)
        if self.is_in(i, closed.PLACES) or self.is_in(i, ("on", "off", "in", "out", "up", "over")):
            yield from self._tails(
                i + 1, V("adv", word), 1 if word in closed.PREPOSITIONS else 0, 3
            )
        if word in ("called", "named", "known as") and self.use(i + 1, "NAME"):
            name = self.use(i + 1, "NAME")[0]
            yield i + 2, V("noun", "call", obj=NP("name", name, at=i + 1)), 0
        if self.is_in(
            i, ("a kind of", "a type of", "a form of", "a sort of", "kinds of", "types of")
        ):
            for end, bar, cost in self.bar(i + 1):
                np = NP("a", bar.noun, False, bar.mods, at=i)
                for end2, posts, more in self.posts(end, "have", False):
                    yield end2, V("noun", "be", obj=np._replace(posts=posts)), cost + more
        use = self.use(i, "VG")
        if use and word != "going":
            for end, tree, cost in self.body(i + 1, use[0]):
                if isinstance(tree, V):
                    tree = tree._replace(text="now")
                yield end, tree, cost + use[1] + (1 if self.use(i, "ADJ") else 0)
        elif word in ("having", "doing"):
            yield from self.body(i + 1, word[:-3] if word == "doing" else "have")
        yield from self._passive(i)

    def _passive(self, i: int) -> Iterator[Found]:
        being = 1 if self.is_in(i, ("being",)) else 0
        for k, advs, _, odd in self._adverbs(i + being, False):
            use = self.use(k, "VN")
            if not use or self.tokens[k].name:
                continue
            word = self.word(k)
            if use[0] in _AS:
                skip = 1 if self.is_in(k + 1, ("as",)) else 0
                for end, np, cost in self.np1(k + 1 + skip, "have"):
                    if isinstance(np, NP) and np.det in ("a", "bare", "mass"):
                        yield end, V("noun", "be", obj=np, advs=advs), cost
                use2 = self.use(k + 1 + skip, "ADJ")
                if use2:
                    yield from self.adjectival(k + 1 + skip)
            for end, tree, cost in self.body(k + 1, use[0], "passive"):
                tree = added(tree, (*advs, "being") if being else advs)
                if isinstance(tree, V):
                    tree = tree._replace(text=word)
                yield end, tree, cost + use[1] + odd

    def _after(self, i: int) -> Iterator[tuple[int, tuple[str, ...], int]]:
        """Adverbs at the end: a member now"""
        for k, advs, _, odd in self._adverbs(i, False):
            yield k, advs, odd

    @rule
    def adjectival(self, i: int) -> Iterator[Found]:
        """ill, very old, allergic to nuts, hard to lift, older than Bob"""
        for k, advs, _, odd in self._adverbs(i, False):
            use = self.use(k, "ADJ")
            if not use or (self.word(k) in closed.PREPOSITIONS and self.word(k) != "past"):
                continue
            if self.is_in(k, ("more", "less", "most")):
                continue
            base = V("adj", use[0], advs=advs)
            cost = use[1] + odd
            yield from self._tails(k + 1, base, cost, 3)
            if self.is_in(k + 1, ("to",)):
                for end, _, more in self.base(k + 2):
                    lemma = " ".join(t.text for t in self.tokens[k:end])
                    yield end, V("adj", lemma, advs=advs), cost + more
            if self.is_in(k + 1, ("that",)):
                continue
        if self.is_in(i, ("more", "less")) and self.use(i + 1, "ADJ"):
            lemma = f"{self.word(i)} {self.word(i + 1)}"
            if self.is_in(i + 2, ("than",)):
                yield from self._tails(i + 2, V("adj", lemma), 0, 3)

    def _deontic(self, i: int) -> Iterator[Found]:
        """allowed to enter, forbidden to enter, prohibited from entering"""
        for k, advs, _, _ in self._adverbs(i, False):
            word = self.word(k)
            if word not in _DEONTIC:
                continue
            mode, denied = _DEONTIC[word]
            if self.is_in(k + 1, ("to",)):
                for end, tree, cost in self.base(k + 2):
                    yield end, negated(modal(added(tree, advs), mode), denied), cost - 1
            if denied and self.is_in(k + 1, ("from",)) and self.use(k + 2, "VG"):
                for end, tree, cost in self.body(k + 3, self.use(k + 2, "VG")[0]):
                    yield end, negated(modal(added(tree, advs), mode), True), cost - 1
