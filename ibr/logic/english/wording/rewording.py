"""What a whole rulebook says, each sentence in the words of the others too.

A rule is compared with each predication that is wanted: a condition of a rule, or the question. If
its conclusion entails what is wanted, or something that follows from it does (`wordings`), or a
description in it, the rule is added in those words. What does not depend on the question is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Self

from ibr.logic.budget import spend
from ibr.logic.english.lexis.forms import is_listed
from ibr.logic.english.lexis.knowledge import sex_of, switch
from ibr.logic.english.lexis.people import is_person
from ibr.logic.english.meaning.literals import Refusal, clause_of, noun_phrase
from ibr.logic.english.meaning.normal import described, normal
from ibr.logic.english.meaning.reference.discourse import Discourse
from ibr.logic.english.meaning.terms import (
    Cnd,
    Ind,
    Kind,
    Owned,
    Pred,
    Rule,
    Var,
    apart,
    bound,
    changed,
    individuals,
    variables,
)  # fmt: skip
from ibr.logic.english.sentence import Asked, Sentence
from ibr.logic.english.wording.following import LOSING, witness_of, wordings
from ibr.logic.english.wording.meeting import Met, entails
from ibr.logic.lazy import lazy

Said = list[list[Rule]]
_TURNS = 3  # a witness may be wanted by what is stated of another


class Rewording:
    """What each sentence says in the words of the others and of the question."""

    sentences: list[Sentence]
    discourse: Discourse

    @lazy
    def _kept(self) -> dict[Any, _Closure]:
        """By the rules of the sentences: their readings change."""
        return {}

    def with_rules(self, rules: Mapping[int, list[Rule]]) -> Self:
        """With these rules of some sentences. The book itself stays: others may be reading it."""
        assert self._kept is not None  # so that all share it
        made = copy(self)
        pairs = enumerate(self.sentences)
        made.sentences = [replace(s, rules=rules[i]) if i in rules else s for i, s in pairs]
        return made

    def closed(self, asked: Asked | None) -> Said:
        switch(sentence.text for sentence in self.sentences)
        rules = tuple((*sentence.rules, *sentence.exempt) for sentence in self.sentences)
        able = any("able to" in sentence.text for sentence in self.sentences)
        kept = self._kept.get(rules) or self._extended(_Closure.of(rules, able))
        self._kept[rules] = kept
        said = [[*some] for some in kept.said]
        found = replace(kept, said=said, wanted=[*kept.wanted], tried={**kept.tried})
        if asked:
            found.can_may = kept.can_may and not asked.able
            found.wanted += [asked.pred, *(examples_of(asked) if asked.supposed else ())]
            self._extended(found)
            supposed = [*map(normal, asked.supposed), *self._given_by_question(found.said, asked)]
            for some in found.said if supposed else ():
                some += [new for rule in some for new in _under(rule, supposed, found.can_may)]
        return found.said

    def _extended(self, found: _Closure) -> _Closure:
        """With each rule and description in the words of what is wanted, until nothing is new."""
        for _ in range(_TURNS):
            before = sum(map(len, found.said))
            found.look_around()
            described: set[Any] = set()
            for rules in found.said:
                made = [new for rule in rules for new in found.reworded(rule)]
                for term in dict.fromkeys(t for rule in rules for t in individuals(rule)):
                    if term not in described:  # a fact of the first sentence that speaks of it
                        described.add(term)
                        made += found.stated(term, map(Rule, self._description(term)))
                rules += [new for new in dict.fromkeys(made) if new not in rules]
            if sum(map(len, found.said)) == before:
                break
        return found

    def _description(self, term: Any) -> Iterator[Pred]:
        """The dog is a dog; Tom's dog is a dog of his, and he has it."""
        if isinstance(term, Owned):
            yield from described(term.kind, term)
            of = (("of", term.owner),)
            yield Pred("noun", term.kind.noun, term, None, of, mods=term.kind.mods)
            if not self._gone(term):
                yield Pred("verb", "have", term.owner, term.kind)
                yield Pred("verb", "have", term.owner, term)
            yield Pred("role", noun_phrase(term), term)
        elif term.key in self.discourse.described:
            yield from described(self.discourse.described[term.key], term)
            yield Pred("role", f"the {term.key}", term)
        elif term.is_name:
            yield Pred("role", term.key, term)
            title, _, name = term.key.partition(" ")
            numbered = any(map(str.isdigit, name)) or (len(name) == 1 and name.isupper())
            if name and (numbered or is_person(title.lower())) and is_listed(title.lower()):
                yield Pred("noun", title.lower(), term)  # Judge Hill, Room 12, Disk A

    def _gone(self, term: Owned) -> bool:
        """Felix has lost his badge; his fine has been waived."""
        heads = (rule.head for sentence in self.sentences for rule in sentence.rules)
        return any(head.lemma in LOSING and term in head.terms for head in heads)

    def _given_by_question(self, said: Said, asked: Asked) -> list[Pred]:
        """Descriptions of those of whom only the question speaks."""
        known = {t for rules in said for rule in rules for t in individuals(rule)}
        new = (term for term in individuals(asked.pred) if term not in known)
        return [pred for term in new for pred in self._description(term)]


@dataclass
class _Closure:
    """The rules so far, and with how many of those wanted each was compared."""

    said: Said
    wanted: list[Pred]
    tried: dict[Any, int]
    can_may: bool  # the rulebook uses one of them only
    broader: dict[str, set[str]]
    people: tuple[Any, ...] = ()

    @classmethod
    def of(cls, rules: tuple[tuple[Rule, ...], ...], able: bool) -> _Closure:
        said = [[*some] for some in rules]
        modes = {pred.mode for some in said for rule in some for pred in rule.preds}
        for some in said:
            named = {c.pred.lemma for rule in some for c in rule.body if c.pred.form == "role"}
            some += [Rule(Pred("role", name, Ind(name))) for name in named if name[:1].isupper()]
        return cls(said, [], {}, not (able or {"can", "may"} <= modes), _broader(said))

    def look_around(self) -> None:
        """What is wanted now, and who is spoken of: for new ones all is compared again."""
        every = [rule for rules in self.said for rule in rules]
        denies = any(rule.negative for rule in every)
        wanted = dict.fromkeys(self.wanted)
        for rule in every:
            wanted |= dict.fromkeys(apart(c.pred, "w") for c in rule.body)
            if denies and rule.body and not rule.binding:
                wanted[apart(rule.head, "w")] = None  # what is denied may be what it concludes
        self.wanted = [*wanted]
        asked = (t for t in map(_asked_of, self.wanted) if t)
        people = tuple(dict.fromkeys([*(t for r in every for t in individuals(r)), *asked]))
        if people != self.people:
            self.people, self.tried = people, {}

    def reworded(self, rule: Rule) -> Iterator[Rule]:
        """The same rule with conclusions that others ask for and that follow from its own."""
        new = self._untried(rule)
        if rule.binding or not new:
            return
        yield from self._in_words(rule, new, own=True)
        yield from self._of_broader_kinds(rule, new)
        for other in wordings(rule):
            yield from self._in_words(other, new)
        yield from _of_kind(rule, new)

    def stated(self, term: Any, rules: Iterator[Rule]) -> Iterator[Rule]:
        """What a description says, where it is wanted."""
        new = self._untried(term)
        for rule in rules if new else ():
            more = rule.head.form == "verb" or sex_of(rule.head.lemma)
            for one in (rule, *(wordings(rule) if more else ())):
                yield from self._in_words(one, new)

    def _untried(self, key: Any) -> list[Pred]:
        first, self.tried[key] = self.tried.get(key, 0), len(self.wanted)
        return self.wanted[first:]

    def _in_words(self, rule: Rule, wanted: list[Pred], own: bool = False) -> Iterator[Rule]:
        """In the words of each that is wanted. `own`: the rule is stated as it stands."""
        spend(1 + len(wanted) // 50)
        for want in wanted:
            one, other = (want, rule.head) if rule.negative else (rule.head, want)
            met = entails(one, other, self.can_may)
            if met is not None and met.witness is None:
                yield from _made(rule, want, met, own)
            elif met is not None and own and not rule.negative:
                yield from self._witnessed(rule, want, met)

    def _witnessed(self, rule: Rule, want: Pred, met: Met) -> Iterator[Rule]:
        """A conclusion about some one of a kind: the witness of each of whom it is stated."""
        assert met.witness is not None
        name, kind = met.witness
        free = list(dict.fromkeys(variables(rule.head)))
        cases = [{free[0]: one} for one in self.people] if free else [{}]
        for case in cases if len(free) < 2 else ():
            witness = witness_of(bound(rule.head, case), bound(kind, case))
            if witness is None:
                continue
            for pred in described(kind, witness):
                yield Rule(pred, False, rule.body, tuple(case.items()))
            binding = {**met.binding, **case, name: witness}
            yield from _made(rule, want, met._replace(binding=binding))

    def _of_broader_kinds(self, rule: Rule, wanted: list[Pred]) -> Iterator[Rule]:
        """Keeps a parrot, and a parrot is a pet: keeps a pet, if that one is a pet."""
        kind, one = rule.head.obj, Var("?one")
        if rule.negative or not isinstance(kind, Kind) or kind.noun not in self.broader:
            return
        for want in wanted:
            if isinstance(want.obj, Kind) and want.obj.noun in self.broader[kind.noun]:
                met = entails(rule.head, want._replace(obj=one), self.can_may)
                if met is not None and met.witness is not None:
                    extra = (*met.extra, *map(Cnd, described(want.obj, one)))
                    yield from self._witnessed(rule, want, met._replace(extra=extra))


def examples_of(asked: Asked) -> list[Pred]:
    """What holds of one of those of whom a question is asked: first what is asked."""
    one, preds = _asked_of(asked.pred), (asked.pred, *map(normal, asked.supposed))
    return [changed(pred, lambda term: Var("?some") if term == one else term) for pred in preds]


def _asked_of(wanted: Pred) -> Any:
    """The one of a kind of whom a question about all of them is asked."""
    is_typical = isinstance(wanted.who, Ind) and wanted.who.key.startswith("typical ")
    return wanted.who if is_typical else None


def _broader(said: Said) -> dict[str, set[str]]:
    """Kinds by the kinds that rules of one condition make them: parrot, pet."""
    found: dict[str, set[str]] = {}
    for rule in (rule for rules in said for rule in rules if len(rule.body) == 1):
        (one,), head = rule.body, rule.head
        nouns = one.pred.form == head.form == "noun" and not one.pred.mods and not one.pred.tails
        if nouns and one.pred.subj == head.subj and not (one.negative or rule.negative):
            found.setdefault(one.pred.lemma, set()).add(head.lemma)
    for _ in found:
        for kinds in found.values():
            kinds |= {more for kind in kinds for more in found.get(kind, ())}
    return found


def _made(rule: Rule, want: Pred, met: Met, own: bool = False) -> Iterator[Rule]:
    made = Rule(want, rule.negative, (*rule.body, *met.extra), tuple(met.binding.items()))
    try:
        clause = clause_of(made)
        stated = own and clause_of(Rule(rule.head, rule.negative, (), made.binding)).head
    except Refusal:
        return
    same = stated == clause.head and not met.extra
    if not same and clause.head.atom not in [c.atom for c in clause.body]:
        yield made


def _of_kind(rule: Rule, wanted: list[Pred]) -> Iterator[Rule]:
    """No train is coming: it is denied that a train is. Bees visit it: it is visited by bees."""
    who = rule.head.subj
    for want in wanted if isinstance(who, Var) else ():
        if isinstance(want.subj, Kind) and all(not c.negative for c in rule.body):
            given = {*described(want.subj, who)}
            one: Pred = bound(rule.head, {who.name: want.subj})
            met = entails(want, one) if rule.negative else entails(one, want)
            if met is None or met.extra or met.witness or (rule.negative and met.binding):
                continue
            if {c.pred for c in rule.body} <= given:
                yield Rule(want, rule.negative, (), tuple(met.binding.items()))


def _under(rule: Rule, supposed: list[Pred], can_may: bool) -> Iterator[Rule]:
    """The rule for one of whom some of its conditions are given."""
    start = dict(rule.binding)
    for condition in rule.body:
        for given in supposed:
            met = entails(given, bound(condition.pred, start), can_may)
            if met is None or met.witness or met.extra:
                continue
            binding = {**start, **met.binding}
            if condition.negative:  # that it holds is known by the description
                yield Rule(condition.pred, False, (), tuple(binding.items()))
                continue
            body = tuple(
                other for other in rule.body if other.negative
                or all(entails(g, bound(other.pred, binding), can_may) != Met({}) for g in supposed)
            )  # fmt: skip
            yield Rule(rule.head, rule.negative, body, tuple(binding.items()))
