"""What follows a verb: objects, places, manner, clauses."""

from __future__ import annotations

from collections.abc import Iterator

from ibr.logic.english.grammar.chart import Found, rule
from ibr.logic.english.grammar.moods import (
    added,
    modal,
    negated,
    takes,
    timed,
    with_place,
)
from ibr.logic.english.grammar.noun_phrases import Nouns
from ibr.logic.english.grammar.tree import NP, PP, Co, Not, V
from ibr.logic.english.lexis import closed
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.surface.words import words

_DITRANSITIVE = LISTS["ditransitive"]
_HAVING = words("have own hold possess need want lack be get receive")
_BECOME = words("get become turn grow go remain")
_LINKING = LISTS["linking"]
_SAYING = LISTS["saying"]
_WANTING = LISTS["wanting"]
_NEG = closed.NEGATIVE
_TIMES = LISTS["times"]


class Frames(Nouns):
    """Needs `base`, `clause` and `adjectival` of the other parts of the grammar."""

    def _adverbs(
        self, i: int, deny: bool = True
    ) -> Iterator[tuple[int, tuple[str, ...], int, int]]:
        """Past adverbs before a verb: those that matter, how many deny, and a cost."""
        for k, advs, negs, cost in self._more_adverbs(i, (), 0, 3):
            if deny or not negs:
                yield k, advs, negs, cost

    def _more_adverbs(
        self, i: int, advs: tuple[str, ...], negs: int, left: int
    ) -> Iterator[tuple[int, tuple[str, ...], int, int]]:
        yield i, advs, negs, 0
        if not left or i >= self.n:
            return
        word = self.word(i)
        if word in _NEG:
            if self.word(i + 1) in closed.SCOPAL or self.word(i + 1) in ("necessarily", "only"):
                return
            yield from self._more_adverbs(i + 1, advs, negs + 1, left - 1)
        elif word in closed.IDLE:
            yield from self._more_adverbs(i + 1, advs, negs, left - 1)
        elif self.use(i, "ADV") and not self.tokens[i].name and word not in closed.PREPOSITIONS:
            odd = self.use(i, "ADV")[1] + (0 if word.endswith("ly") else 1)
            for k, more, count, cost in self._more_adverbs(i + 1, (*advs, word), negs, left - 1):
                yield k, more, count, cost + odd

    @rule
    def body(self, i: int, lemma: str, form: str = "verb") -> Iterator[Found]:
        """What follows a verb: objects, places, manner."""
        start = V(form, lemma)
        if lemma not in ("have", "do") or form == "passive":
            yield from self._tails(i, start, 0, 4)
        if form == "passive":
            yield from self._after_participle(i, start)
            return
        yield from self._objects(i, start)
        yield from self._clauses_after(i, start)
        if lemma in _LINKING:
            yield from self._states(i, start)
        if lemma == "become":
            yield from self._becoming(i, start)
        if lemma == "count" and self.is_in(i, ("as",)):
            for end, np, cost in self.np1(i + 1, "have"):
                if isinstance(np, NP) and np.det in ("a", "bare", "mass"):
                    yield end, V("noun", "be", obj=np), cost

    def _after_participle(self, i: int, start: V) -> Iterator[Found]:
        """given a key, needed to enter, seen to smoke"""
        lemma = start.lemma
        if lemma in _DITRANSITIVE or lemma in ("elect", "appoint", "make"):
            for end, np, cost in self.np(i, "have"):
                yield from self._tails(end, start._replace(obj=np), cost, 3)
        if self.is_in(i, ("to",)) and lemma in ("need", "require"):
            for end, tree, cost in self.base(i + 1):
                yield end, V("needed", lemma, obj=tree), cost
        elif self.is_in(i, ("to",)) and lemma != "use":
            for end, tree, cost in self.base(i + 1):
                yield end, modal(tree, f"be {lemma} to"), cost + 1

    def _objects(self, i: int, start: V) -> Iterator[Found]:
        lemma = start.lemma
        for end, np, cost in self.np(i, "have" if lemma in _HAVING else "obj"):
            yield from self._tails(end, start._replace(obj=np), cost, 4)
            if lemma in _DITRANSITIVE and takes(np):
                for end2, second, more in self.np(end, "obj"):
                    made = start._replace(obj=second, tails=(PP("to", np),))
                    yield from self._tails(end2, made, cost + more, 3)
            if self.is_in(end, ("to",)) and lemma != "have":
                for end2, _, more in self.base(end + 1):
                    yield (
                        end2,
                        start._replace(obj=np, advs=(self.said(end, end2),)),
                        cost + more + 2,
                    )

    def _clauses_after(self, i: int, start: V) -> Iterator[Found]:
        """wants to leave, needs to leave; believes that Lea is rich"""
        lemma = start.lemma
        if self.is_in(i, ("to",)) and lemma in _WANTING:
            mode = {"need": "must", "use": "used to"}.get(lemma, f"{lemma} to")
            for end, tree, cost in self.base(i + 1):
                yield end, modal(tree, mode), cost
        if lemma in _SAYING:
            k = i + 1 if self.is_in(i, ("that",)) else i
            for end, _, cost in self.clause(k):
                if k > i or end > k + 2:
                    made = start._replace(advs=(f"that {self.said(k, end)}",))
                    yield end, made, cost + (0 if k > i else 2)

    def _states(self, i: int, start: V) -> Iterator[Found]:
        """gets wet, stays closed, feels tired"""
        for end, tree, cost in self.adjectival(i):
            if isinstance(tree, V) and start.lemma in _BECOME and not tree.advs:
                yield end, tree, cost
            elif isinstance(tree, V):
                yield end, start._replace(advs=(*tree.advs, tree.lemma), tails=tree.tails), cost
        use = self.use(i, "VN")
        if use:
            made = start._replace(advs=(self.word(i),))
            if start.lemma in _BECOME:
                made = V("passive", use[0], text=self.word(i))
            yield from self._tails(i + 1, made, use[1] + 1, 3)

    def _becoming(self, i: int, start: V) -> Iterator[Found]:
        for end, np, cost in self.np1(i, "obj"):
            yield end, start._replace(obj=np), cost
        for end, bar, cost in self.bar(i):
            if bar.number == "sg":
                np = NP("a", bar.noun, False, bar.mods, at=i)
                yield end, start._replace(obj=np), cost + 1

    def _tails(self, i: int, tree: V, cost: int, left: int) -> Iterator[Found]:
        self.spend()
        yield i, tree, cost
        if not left or i >= self.n or self.tokens[i].name:
            return
        word = self.word(i)
        only = word == "only" and self.is_in(i + 1, closed.PREPOSITIONS)
        k = i + 1 if only else i
        prep = self.word(k)
        if self.is_in(k, closed.PREPOSITIONS):
            if prep == "as" and tree.lemma == "count":
                return
            if prep == "than" and any(pp.prep == "than" for pp in tree.tails):
                return
            if prep == "than" and tree.form != "adj" and "more" not in tree.advs:
                return
            for end, np, more in self.np(k + 1, "pp"):
                pp = PP(f"only {prep}" if only else prep, np)
                extra = int((prep == "of" and tree.form != "adj") or tree.lemma in _HAVING)
                yield from self._tails(end, with_place(tree, pp), cost + more + extra, left - 1)
                yield from self._other_places(end, tree, pp, cost + more + extra)
            yield from self._gerund(k, tree, cost, left)
            if prep == "as" and self.use(k + 1, "ADJ"):
                made = tree._replace(advs=(*tree.advs, f"as {self.word(k + 1)}"))
                yield from self._tails(k + 2, made, cost + 1, left - 1)
            if self.is_in(k, closed.PARTICLES):
                made = tree._replace(advs=(*tree.advs, prep))
                yield from self._tails(i + 1, made, cost + 2, left - 1)
        elif word in closed.IDLE:
            yield from self._tails(i + 1, tree, cost, left)
        elif (
            word == "no longer"
            or word in closed.NEGATIVE
            or (word in ("so", "more") and i + 1 == self.n)
        ):
            return
        elif self.use(i, "ADV") and (word not in closed.CLOSED or word in closed.PLACES):
            extra = self.use(i, "ADV")[1]
            made = tree._replace(advs=(*tree.advs, word))
            yield from self._tails(i + 1, made, cost + extra, left - 1)
        elif word in ("a little", "a bit", "a lot", "next door", "at all", "so far"):
            yield from self._tails(i + 1, tree._replace(advs=(*tree.advs, word)), cost, left - 1)
        elif word in ("every", "each", "last", "next", "this"):
            yield from self._time(i, tree, cost, left)
        elif word in ("each other", "one another"):
            yield i + 1, tree._replace(advs=(*tree.advs, word)), cost

    def _time(self, i: int, tree: V, cost: int, left: int) -> Iterator[Found]:
        if self.word(i + 1) in _TIMES:
            text = f"{self.word(i)} {self.word(i + 1)}"
            made = tree._replace(advs=(*tree.advs, text))
            yield from self._tails(i + 2, made, cost, left - 1)

    def _gerund(self, k: int, tree: V, cost: int, left: int) -> Iterator[Found]:
        """from flying drones, without asking Ann"""
        use = self.use(k + 1, "VG")
        if not use:
            return
        for end, _, more in self.body(k + 2, use[0]):
            pp = PP(self.word(k), NP("mass", self.said(k + 1, end), at=k, word="gerund"))
            yield end, with_place(tree, pp), cost + more + 1

    def _other_places(self, i: int, tree: V, pp: PP, cost: int) -> Iterator[Found]:
        """at night or at weekends"""
        op = self.word(i)
        if op not in ("and", "or", "but not") or not self.is_in(i + 1, closed.PREPOSITIONS):
            return
        for end, np, more in self.np(i + 2, "pp"):
            other = with_place(tree, PP(self.word(i + 1), np))
            first = with_place(tree, pp)
            if op == "but not":
                yield end, Co("and", (first, Not(other))), cost + more
            else:
                yield end, Co(op, (first, other)), cost + more

    @rule
    def reduced(self, i: int) -> Iterator[Found]:
        """bought in the shop, working in the lab, not wearing a hat"""
        for k, advs, negs, _ in self._adverbs(i):
            use = self.use(k, "VN")
            if use:
                for end, tree, cost in self.body(k + 1, use[0], "passive"):
                    if end > k + 1:
                        tree = timed(added(tree, advs), "any")
                        yield end, negated(tree, negs), cost + use[1]
            use = self.use(k, "VG")
            if use:
                for end, tree, cost in self.body(k + 1, use[0]):
                    yield end, negated(added(tree, advs), negs), cost + use[1]
