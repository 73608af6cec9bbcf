"""Sentences and questions: clauses, conditions, exceptions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ibr.logic.english.grammar.chart import Found, rule
from ibr.logic.english.grammar.modifiers import number_of
from ibr.logic.english.grammar.moods import added, modal, negated, timed
from ibr.logic.english.grammar.tree import NP, PP, Clause, Co, Cond, Except, Not, There, V
from ibr.logic.english.grammar.verb_phrases import Verbs
from ibr.logic.english.lexis import closed
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.surface.words import words

_WEATHER = words("rain snow hail storm thunder drizzle freeze pour")
_WEATHER_ADJ = LISTS["weather-adj"]
_OPENERS = LISTS["openers"]
_FALSE = re.compile(
    r"it is (?:(not) )?(?:(true|the case|a fact|correct)|(false|untrue|incorrect|wrong))(?: that)? "
)


class Grammar(Verbs):
    """The whole grammar: `statement` and `question` are its starts."""

    def refused(self) -> str:
        """Why a sentence must not be read, though it might: it hedges, or it measures."""
        if self.words and self.words[0].endswith("ly") and self.word(1) == ",":
            return f'"{self.words[0]}" comments on the sentence: leave it out'
        for i, word in enumerate(self.words):
            if word in closed.HEDGES and not self.tokens[i].name:
                return f'"{word}" leaves open when it holds'
            if (self.use(i, "NUM") or word in closed.COUNTS) and self.word(
                i - 1
            ) in closed.MEASURING:
                return f'"{self.word(i - 1)} {word}" measures, which needs arithmetic'
            if word in closed.POINTING:
                return f'"{word}" points to another sentence or to the reader'
        return ""

    def is_order(self) -> bool:
        """Submit the form. Please wait. Do not run."""
        uses = self.uses[0] if self.uses else {}
        plain = "V" in uses and not uses.keys() & {"NS", "NAME", "MASS", "ADJ"}
        return plain or self.word(0) in ("please", "do", "never")

    def statement(self) -> list[Found]:
        found: list[Found] = []
        for start in self._starts():
            found += [f for f in self.sentence(start) if f[0] == self.n]
        return found

    def _starts(self) -> list[int]:
        starts = [0]
        i = 0
        while self.word(i) in _OPENERS and i + 1 < self.n:
            i = self.comma(i + 1)
            starts.append(i)
        return starts

    @rule
    def sentence(self, i: int) -> Iterator[Found]:
        k = i
        kind = self._opens(i)
        if kind:
            for end, cond, cost in self.clauses(i + 1):
                k = self.comma(end)
                if self.is_in(k, ("then",)):
                    k += 1
                elif k == end and not self._starts_clause(k):
                    continue
                for end2, main, more in self.main(k):
                    yield end2, Cond(kind, cond, main), cost + more + (0 if k > end else 1)
        for end, first, cost in self.main(i):
            yield end, first, cost
            if (
                isinstance(first, Cond)
                and self.word(end) == ","
                and self.is_in(end + 1, ("and", "but"))
            ):
                for end2, other, more in self.main(end + 2):
                    if isinstance(other, Cond):
                        yield end2, Co("and", (first, other)), cost + more

    def _starts_clause(self, k: int) -> bool:
        return k < self.n

    def _opens(self, i: int) -> str:
        if i >= self.n or self.tokens[i].name:
            return ""
        word = self.word(i)
        return next((kind for kind, words_ in _KINDS if word in words_), "")

    @rule
    def main(self, i: int) -> Iterator[Found]:
        """Clauses, and the conditions and exceptions after them."""
        for end, tree, cost in self.clauses(i):
            yield from self._trailing(end, tree, cost, 2)

    def _trailing(self, i: int, tree: Any, cost: int, left: int) -> Iterator[Found]:
        yield i, tree, cost
        if not left or i >= self.n:
            return
        k = self.comma(i)
        if self.is_in(k, ("but", "and")) and self._opens(k + 1) in ("only if", "unless"):
            k += 1
        kind = self._opens(k)
        if kind:
            for end, cond, more in self.clauses(k + 1):
                yield from self._trailing(end, Cond(kind, cond, tree), cost + more, left - 1)
            yield from self._short_condition(k + 1, kind, tree, cost)
        word = self.word(k)
        if word in closed.EXCEPT or (word in ("but not",) and k < self.n):
            for end, np, more in self.np(k + 1, "subj"):
                made = Except(tree, np, word)
                yield from self._trailing(end, made, cost + more, left - 1)

    def _short_condition(self, i: int, kind: str, tree: Any, cost: int) -> Iterator[Found]:
        """unless accompanied by an adult, if registered"""
        for end, vp, more in [*self.reduced(i), *self.adjectival(i)]:
            if end == self.n:
                subj = tree.subj if isinstance(tree, Clause) else None
                if isinstance(subj, NP):
                    pro = NP("pro", word="they" if subj.plural else "it", plural=subj.plural, at=-1)
                    yield end, Cond(kind, Clause(pro, vp), tree), cost + more + 1

    @rule
    def clauses(self, i: int) -> Iterator[Found]:
        yield from self.sequence(i, self._linked, cost_of=3)
        if self.is_in(i, ("either", "both")):
            for end, tree, cost in self.sequence(i + 1, self._linked, cost_of=3):
                if isinstance(tree, Co):
                    yield end, tree, cost

    def _linked(self, i: int) -> list[Found]:
        found = self.clause(i)
        extra: list[Found] = []
        for end, tree, cost in found:
            k = self.comma(end)
            if self.is_in(k, ("while", "whereas")):
                for end2, other, more in self.clause(k + 1):
                    extra.append((end2, Co("and", (tree, other)), cost + more))
            if self.word(end) == ";":
                for end2, other, more in self.clause(end + 1):
                    extra.append((end2, Co("and", (tree, other)), cost + more))
        return [*found, *extra]

    @rule
    def clause(self, i: int) -> Iterator[Found]:
        word = self.word(i)
        if self.is_in(i, ("there",)):
            yield from self._there(i + 1)
        if word == "it":
            yield from self._said_of(i)
            yield from self._weather(i)
        if self.is_in(i, ("only",)):
            for end, np, cost in self.np(i + 1, "subj"):
                for end2, vp, more in self.vp(end, number_of(np)):
                    yield end2, Clause(Co("only", (np,)), vp), cost + more
        if self.is_in(i, ("not",)) and self.word(i + 1) in ("every", "all", "each"):
            for end, tree, cost in self.clause(i + 1):
                yield end, Not(tree), cost
        if self.is_in(i, ("that",)) and False:
            return
        for end, np, cost in self.np(i, "subj"):
            if isinstance(np, NP) and np.word in ("him", "them", "her") and np.det == "pro":
                continue
            k = self.comma(end) if not isinstance(np, NP) or np.excepts else end
            for end2, vp, more in self.vp(k, number_of(np)):
                yield end2, Clause(np, vp), cost + more
            if self.word(end) in ("too", "as well") and end + 1 == self.n:
                yield end + 1, Clause(np, V("ellipsis", "is")), cost - 2
        if self.is_in(i, ("so",)) and self.word(i + 1) in (*closed.BE, "has", "have", "does", "do"):
            for end, np, cost in self.np(i + 2, "subj"):
                yield end, Clause(np, V("ellipsis", self.word(i + 1))), cost + 1

    def _said_of(self, i: int) -> Iterator[Found]:
        """it is not true that …"""
        rest = " ".join(self.words[i : i + 7]) + " "
        match = _FALSE.match(rest)
        if match:
            k = i + len(match.group().split())
            denied = bool(match.group(1)) != bool(match.group(3))
            for end, tree, cost in self.clause(k):
                yield end, Not(tree) if denied else tree, cost - 2

    def _weather(self, i: int) -> Iterator[Found]:
        subj = NP("it", word="it", at=i)
        for end, vp, cost in self.vp(i + 1, "sg"):
            inner = vp.body if isinstance(vp, Not) else vp
            if isinstance(inner, V) and (
                (inner.form == "verb" and inner.lemma in _WEATHER)
                or (inner.form == "adj" and inner.lemma in _WEATHER_ADJ and not inner.tails)
            ):
                yield end, Clause(subj, vp), cost - (1 if inner.form == "verb" else 0)

    def _there(self, i: int) -> Iterator[Found]:
        word = self.word(i)
        mode = ""
        if word in closed.MODALS:
            k = i + 1
            negs = 1 if word == "cannot" else 0
            if self.is_in(k, ("not",)):
                negs, k = 1, k + 1
            if not self.is_in(k, ("be",)):
                return
            mode, i = ("can" if word == "cannot" else word), k
            yield from self._existing(i + 1, "", mode, negs)
        elif word in closed.BE:
            tense = "past" if word in ("was", "were") else ""
            negs = 1 if self.is_in(i + 1, ("not", "no longer")) else 0
            yield from self._existing(i + 1 + negs, tense, mode, negs)
        elif word in ("has", "have") and self.is_in(i + 1, ("been",)):
            yield from self._existing(i + 2, "perf", mode, 0)

    def _existing(self, i: int, tense: str, mode: str, negs: int) -> Iterator[Found]:
        for end, np, cost in self.np(i, "obj"):
            for end2, tree, more in self._tails(end, V("there", "be"), cost, 3):
                made = There(np, tree.tails, tense, mode)
                yield end2, Not(made) if negs else made, more

    def question(self) -> list[Found]:
        """Is Tom late?"""
        return [f for f in self._asked(0) if f[0] == self.n]

    def _asked(self, i: int) -> Iterator[Found]:
        word = self.word(i)
        if word in closed.BE:
            tense = "past" if word in ("was", "were") else ""
            if self.is_in(i + 1, ("there",)):
                yield from self._existing(i + 2, tense, "", 0)
            if self.is_in(i + 1, ("it",)):
                yield from self._asked_it(i, tense)
            yield from self._subject(i + 1, lambda k: self._be(k, tense), _BE_NUMBER[word])
        elif word in ("has", "have", "had"):
            yield from self._subject(i + 1, self._perfect, "any")
        elif word in ("does", "do", "did"):
            past = "past" if word == "did" else ""
            yield from self._subject(i + 1, lambda k: self._did(k, past), "any")
        elif word in closed.MODALS:
            yield from self._subject(i + 1, lambda k: self._may(k, word), "any")

    def _asked_it(self, i: int, tense: str) -> Iterator[Found]:
        if self.is_in(i + 2, ("true", "false")) and self.is_in(i + 3, ("that",)):
            for end, tree, cost in self.clause(i + 4):
                yield end, tree if self.word(i + 2) == "true" else Not(tree), cost
        subj = NP("it", word="it", at=i + 1)
        for end, vp, cost in self._be(i + 2, tense):
            inner = vp.body if isinstance(vp, Not) else vp
            if isinstance(inner, V) and (
                inner.lemma in _WEATHER or (inner.form == "adj" and inner.lemma in _WEATHER_ADJ)
            ):
                yield end, Clause(subj, vp), cost - 2

    def _subject(self, i: int, rest: Any, number: str) -> Iterator[Found]:
        for end, np, cost in self.np(i, "subj"):
            if number != "any" and number_of(np) not in (number, "any"):
                continue
            for end2, vp, more in rest(end):
                yield end2, Clause(np, vp), cost + more

    def _perfect(self, k: int) -> Iterator[Found]:
        yield from self._have(k, "")

    def _did(self, k: int, tense: str) -> Iterator[Found]:
        for at, advs, negs, odd in self._adverbs(k):
            for end, tree, cost in self.base(at):
                yield end, negated(timed(added(tree, advs), tense), negs), cost + odd

    def _may(self, k: int, word: str) -> Iterator[Found]:
        for at, advs, negs, odd in self._adverbs(k):
            for end, tree, cost in self.base(at):
                cost += odd
                count = negs + (word == "cannot")
                mode = "can" if word in ("cannot", "could") else word
                if count % 2 and mode == "must":
                    mode = "may"
                yield end, negated(modal(added(tree, advs), mode), count), cost


_BE_NUMBER = {"is": "sg", "are": "pl", "was": "sg", "were": "pl", "am": "sg"}
_KINDS = (
    ("iff", closed.IFF),
    ("only if", closed.ONLY_IF),
    ("but not if", closed.BUT_NOT_IF),
    ("unless", closed.UNLESS),
    ("as long", closed.AS_LONG),
    ("when", {"when", "once", "as soon as"}),
    ("if", closed.IF),
)
__all__ = ["PP", "Grammar"]
