"""Rules about a kind that may not mean one whom the rulebook describes with the same words.

A small elephant is no small animal, the seal on the letter is no seal that eats fish, the Queen of
the Night may be a ship, and a rule about swans that are white may not mean one that is black. Such
a rule has two readings: with that one and without.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ibr.logic.english.lexis.forms import verb_participle
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.people import is_person
from ibr.logic.english.meaning.formulas import ANYONE
from ibr.logic.english.meaning.literals import noun_phrase
from ibr.logic.english.meaning.normal import changes_kind
from ibr.logic.english.meaning.reference.discourse import head
from ibr.logic.english.meaning.terms import Cnd, Ind, Kind, Owned, Pred, Rule, Var, individuals
from ibr.logic.english.wording.meeting import is_a

_SIZES = LISTS["sizes"]
_TITLE = re.compile(r"\b[Tt]he (?:[A-Z]\w+ )*([A-Z]\w+)")
Sized = tuple[Any, str, str]  # who, which size, as one of which kind


class Members:
    """Those who are described, of a whole rulebook: `said` are the rules of each sentence."""

    def __init__(
        self, said: Sequence[list[Rule]], described: Mapping[str, Kind], text: str
    ) -> None:
        self.capitals = {word.lower() for word in _TITLE.findall(text)}
        self.sized = [*sized(said, described)]
        self.things = {Ind(key): kind for key, kind in described.items()}
        everyone = dict.fromkeys(t for some in said for rule in some for t in individuals(rule))
        parts = (term for term in everyone if _is_part(term))
        self.things |= {t: t.kind._replace(tails=(("of", t.owner),)) for t in parts}
        self.stated: dict[Any, set[str]] = {}
        self.facts = [r.head for some in said for r in some if not (r.body or r.negative)]
        for pred in self.facts:
            if pred.form == "noun":
                self.stated.setdefault(pred.subj, set()).add(pred.lemma)

    def other_reading(self, rules: list[Rule]) -> list[Rule]:
        """The rules without those who may not be meant; empty if there are none."""
        made = []
        for rule in rules:
            extra = []
            for noun, var, mods in _kinds(rule):
                odd = (*self._doubtful(noun, mods), *self._otherwise(rule.head))
                for one in dict.fromkeys(odd):
                    known = isinstance(one, Ind) and one in self.things
                    name = f"the {one.key}" if known else noun_phrase(one)
                    extra.append(Cnd(Pred("role", name, var), True))
            made.append(self._of_some_one(rule)._replace(body=(*rule.body, *extra)))
        return made if made != rules else []

    def _of_some_one(self, rule: Rule) -> Rule:
        """Who had an umbrella brought it, where somebody had two: brought one of them."""
        who, thing = rule.head.subj, rule.head.obj
        held = [c.pred for c in rule.body if not c.negative and c.pred.form in ("noun", "verb")]
        nouns = [p.lemma for p in held if p.form == "noun" and p.subj == thing]
        verbs = [p.lemma for p in held if (p.subj, p.obj) == (who, thing)]
        if not (isinstance(thing, Var) and nouns and verbs):
            return rule
        had = [f for f in self.facts if f.lemma in verbs and isinstance(f.obj, Kind)]
        had = [f for f in had if is_a(f.obj.noun, nouns[0])]
        several = (f.obj.plural or LISTS["counts"] & {*f.obj.mods} for f in had)
        if len({f.subj for f in had}) == len({f[2:4] for f in had}) and not any(several):
            return rule
        return rule._replace(head=rule.head._replace(obj=Kind(nouns[0])))

    def _otherwise(self, said: Pred) -> Iterator[Any]:
        """Swans are white, and Nero is black: is he meant? Dogs have four legs, and he three."""
        for fact in self.facts:
            pair = {fact.lemma, verb_participle(said.lemma) if said.passive else said.lemma}
            other = (said.form == "adj" or said.passive) and len(pair) == 2 and not fact.tense
            if other and any(pair <= {*group.split("+")} for group in LISTS["exclusive"]):
                yield fact.subj
            one, two = fact.obj, said.obj
            had = fact.lemma == said.lemma == "have" and isinstance(one, Kind)
            if had and isinstance(two, Kind) and one.noun == two.noun:
                counts = {*one.mods} & LISTS["counts"], {*two.mods} & LISTS["counts"]
                if all(counts) and counts[0] != counts[1]:
                    yield fact.subj

    def _doubtful(self, noun: str, mods: set[str]) -> Iterator[Any]:
        for one in dict.fromkeys((*self.stated, *self.things)):
            nouns = self.stated.get(one, set())
            words = (n.split() for n in nouns if n.endswith(f" {noun}") and noun not in nouns)
            if any(changes_kind(before, noun) for *before, _ in words):
                yield one  # Tobi's car is a toy car
            same = noun in nouns or (one in self.things and self.things[one].noun == noun)
            states = {p.lemma for p in self.facts if p.form == "adj" and p.subj == one and same}
            if same and (states & LISTS["privative"] or nouns & LISTS["copies"] - {noun}):
                yield one  # the gun is a toy, the sword is fake
        if mods & _SIZES:
            yield from (who for who, mod, kind in self.sized if mod in mods and differs(kind, noun))
        if noun not in self.capitals | LISTS["homonyms"]:
            return
        for one, kind in self.things.items():
            stated = self.stated.get(one, set())
            if head(kind.noun).lower() != noun or noun in stated:
                continue
            titled = noun in self.capitals and not all(map(is_person, (noun, *stated)))
            if titled or (noun in LISTS["homonyms"] and (kind.tails or kind.noun != noun)):
                yield one


def _is_part(term: Any) -> bool:
    """The bank of the river, the Queen of the Night; but not: Tom's bank"""
    if not isinstance(term, Owned) or not isinstance(term.owner, Ind):
        return False
    return not term.owner.is_name or term.kind.noun[:1].isupper()


def differs(kind: str, noun: str) -> bool:
    """A small elephant is no small animal; but a tall man is a tall person."""
    if noun in ANYONE or noun in ("adult", "player"):
        return head(kind) in LISTS["growing"]
    return head(kind) != noun


def _kinds(rule: Rule) -> Iterator[tuple[str, Var, set[str]]]:
    """The kinds of a rule, their variables, and the sizes that it asks for."""
    for pred in (c.pred for c in rule.body if not c.negative):
        if isinstance(pred.subj, Var) and pred.form in ("noun", "adj") and not pred.tails:
            held = [c.pred for c in rule.body if c.pred.subj == pred.subj and not c.negative]
            sizes = {p.lemma for p in held if p.form == "adj"} & _SIZES
            lone = pred.form == "adj" and not any(p.form == "noun" for p in held)
            if pred.form == "noun" or lone:
                yield "person" if lone else pred.lemma, pred.subj, sizes | {*pred.mods}


def sized(said: Sequence[list[Rule]], described: Mapping[str, Kind]) -> Iterator[Sized]:
    """Jumbo is a small elephant."""
    for key, kind in described.items():
        yield from ((Ind(key), mod, kind.noun) for mod in kind.mods if mod in _SIZES)
    for rules in said:
        heads = [rule.head for rule in rules if not rule.body and not rule.negative]
        for mod in (p for p in heads if p.form == "adj" and p.lemma in _SIZES):
            kinds = (p.lemma for p in heads if p.form == "noun" and p.subj == mod.subj)
            yield from ((mod.subj, mod.lemma, kind) for kind in kinds)
