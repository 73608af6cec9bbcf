"""What a whole rulebook says, each sentence in the words of the others too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ibr.logic.english.lexis.forms import is_listed
from ibr.logic.english.lexis.people import is_person
from ibr.logic.english.meaning.discourse import (
    Discourse,
)
from ibr.logic.english.meaning.literals import noun_phrase
from ibr.logic.english.meaning.terms import Ind, Owned, Pred, Rule
from ibr.logic.english.sentence import Asked, Sentence, individuals
from ibr.logic.english.wording.meeting import apart, described
from ibr.logic.english.wording.weaker import LOSING, under, weaker


class Rewording:
    """What each sentence says in the words of the others and of the question."""

    sentences: list[Sentence]
    discourse: Discourse

    def closed(self, asked: Asked | None) -> list[list[Rule]]:
        said: list[list[Rule]] = [list(sentence.rules) for sentence in self.sentences]
        modes = {
            p.mode for rules in said for r in rules for p in (r.head, *(c.pred for c in r.body))
        }
        can_may = not {"can", "may"} <= modes
        for rules in said:
            named = {c.pred.lemma for r in rules for c in r.body if c.pred.form == "role"}
            rules += [Rule(Pred("role", n, Ind(n)), False) for n in named if n[:1].isupper()]
        wanted = list(dict.fromkeys(self._wanted(said, asked)))
        self._describe(said, wanted, asked, can_may)
        for _ in range(2):
            before = sum(map(len, said))
            for rules in said:
                rules += [
                    new
                    for rule in list(rules)
                    for new in weaker(rule, wanted, can_may)
                    if new not in rules
                ]
            wanted = list(dict.fromkeys(self._wanted(said, asked)))
            if sum(map(len, said)) == before:
                break
            self._describe(said, wanted, asked, can_may)
        if asked:
            supposed = [*asked.supposed, *self._given_by_question(said, asked)]
            for rules in said:
                rules += [r for rule in list(rules) for r in under(rule, supposed, can_may)]
        return said

    def _wanted(self, said: list[list[Rule]], asked: Asked | None) -> Iterator[Pred]:
        if asked:
            yield asked.pred
        for rules in said:
            for rule in rules:
                for condition in rule.body:
                    yield apart(condition.pred, "w")

    def _describe(
        self, said: list[list[Rule]], wanted: list[Pred], asked: Asked | None, can_may: bool
    ) -> None:
        """The dog is a dog: a fact of the first sentence that speaks of it, where it is wanted."""
        done: set[Any] = set()
        for rules in said:
            terms = dict.fromkeys(
                t
                for rule in rules
                for p in (rule.head, *(c.pred for c in rule.body))
                for t in individuals(p)
            )
            for term in terms:
                if term in done:
                    continue
                done.add(term)
                for pred in self.description(term):
                    for new in weaker(Rule(pred, False), wanted, can_may, itself=True):
                        if new not in rules:
                            rules.append(new)

    def description(self, term: Any) -> Iterator[Pred]:
        if isinstance(term, Owned):
            yield from described(term.kind, term)
            yield Pred(
                "noun", term.kind.noun, term, tails=(("of", term.owner),), mods=term.kind.mods
            )
            if not self._gone(term):
                yield Pred("verb", "have", term.owner, term.kind)
                yield Pred("verb", "have", term.owner, term)
            yield Pred("role", noun_phrase(term), term)
        elif isinstance(term, Ind):
            kind = self.discourse.described.get(term.key)
            if kind is not None:
                yield from described(kind, term)
                yield Pred("role", f"the {term.key}", term)
            elif term.key[:1].isupper():
                yield Pred("role", term.key, term)
                title, _, name = term.key.partition(" ")
                if name and is_person(title.lower()) and is_listed(title.lower()):
                    yield Pred("noun", title.lower(), term)  # Judge Hill

    def _gone(self, term: Owned) -> bool:
        """Felix has lost his badge; his fine has been waived."""
        heads = [r.head for s in self.sentences for r in s.rules]
        return any(h.lemma in LOSING and term in h.terms for h in heads)

    def _given_by_question(self, said: list[list[Rule]], asked: Asked) -> list[Pred]:
        """Descriptions of those of whom only the question speaks."""
        known = {
            t
            for rules in said
            for r in rules
            for p in (r.head, *(c.pred for c in r.body))
            for t in individuals(p)
        }
        return [p for t in individuals(asked.pred) if t not in known for p in self.description(t)]
