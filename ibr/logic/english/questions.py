"""Questions in their rulebook: the one predication that each asks about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ibr.logic.english.chains import carried, unowned
from ibr.logic.english.given import rule_of
from ibr.logic.english.grammar.chart import OutOfBudget
from ibr.logic.english.grammar.sentences import Grammar
from ibr.logic.english.grammar.tree import Clause, Co, Not, V
from ibr.logic.english.lexis import splitting as tokens
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.rulebook_lexicon import Lexicon
from ibr.logic.english.meaning.formulas import Formula, collective, owns
from ibr.logic.english.meaning.horn import one_class
from ibr.logic.english.meaning.literals import Refusal, literal
from ibr.logic.english.meaning.normal import normal
from ibr.logic.english.meaning.terms import Owned, Pred, Rule, bound, variables
from ibr.logic.english.membership import differs, sized
from ibr.logic.english.sentence import Asked, interpret
from ibr.logic.english.wording.measures import compared
from ibr.logic.english.wording.rewording import Rewording
from ibr.logic.surface import templates

_OPEN_WORDS = ("who ", "whom ", "whose ", "what ", "which ", "where ", "why ", "how ")
_ONE_FACT = "a question asks about exactly one fact"


class Questions(Rewording):
    """Questions, read with the words and individuals of the rulebook."""

    names: frozenset[str]  # words of names
    spoken_of: frozenset[str]  # whole names
    own_described: dict[str, Any]  # without what other questions describe
    lexicon: Lexicon

    def closed(self, asked: Asked | None) -> list[list[Rule]]:
        """Also what possessions, comparisons and places say of others."""
        own = enumerate(sentence.rules for sentence in self.sentences)
        more = {i: [*some, *(other for r in some for other in unowned(r))] for i, some in own}
        said = super(Questions, self.with_rules(more)).closed(asked)
        wanted = [asked.pred] if asked else []
        wanted += [c.pred for rules in said for rule in rules for c in rule.body]
        for rules in said if wanted else ():
            for rule in [r for r in rules if not (r.binding and r.body)]:
                fact = bound(rule.head, dict(rule.binding))
                found = compared(fact, wanted, True) if rule.negative else carried(fact, wanted)
                new = (r._replace(body=rule.body + r.body) for r in found)
                rules += [r for r in new if r not in rules]
        return said

    def ask(self, text: str) -> Asked:
        """Raises Refusal."""
        if text.lower().lstrip().startswith(_OPEN_WORDS):
            raise Refusal("it asks for more than yes or no")
        if " the only " in text:
            raise Refusal('"the only" excludes the others: ask of them')
        if " old enough to " in text:
            raise Refusal("it asks whether an age will do: ask whether it is allowed")
        words, is_question = tokens.split(text), text.rstrip().endswith("?")
        names = self.names | tokens.names_in([words])
        raws = tokens.separated(tokens.tokenize(words, names), self.spoken_of)
        grammar = Grammar(raws, self.lexicon)
        try:
            found = grammar.question() if is_question else grammar.statement()
        except (OutOfBudget, RecursionError):
            raise Refusal("it is too long or too tangled") from None
        template = None if is_question else templates.parse(text.strip())
        if template and (not found or all(s.template for s in self.sentences)):
            rule = rule_of(template.clauses[0], self.discourse)
            if not rule.body:
                return Asked(rule.head, rule.negative, [])
        if not found:
            raise Refusal("not a question form that is known here")
        same = [one for one in found if self._has_attribute(one[1])]
        try:
            asked = self._only_reading(sorted(same or found, key=lambda f: f[2]))
        except Refusal:
            if not template or len(template.clauses) > 1 or not template.clauses[0].is_fact:
                raise
            rule = rule_of(template.clauses[0], self.discourse)  # word for word
            return Asked(rule.head, rule.negative, [])
        for part in (part for one in (asked, *asked.others) for part in one.all):
            part.able = "able to" in text
        return asked

    def _has_attribute(self, tree: Any) -> bool:
        """Is Arthur flying? Where the rules have "flying" as an attribute, it is one here too."""
        verb: Any = getattr(tree, "vp", None)
        preds = (pred for s in self.sentences for rule in s.rules for pred in rule.preds)
        return (
            getattr(verb, "form", "") == "adj"
            and verb.lemma.endswith("ing")
            and any((p.form, p.lemma) == ("adj", verb.lemma) for p in preds)
        )

    def _only_reading(self, found: list[Any]) -> Asked:
        """The cheapest, and of these the one that speaks of those of whom the rulebook speaks."""
        known, before, reason = self.own_described, self.discourse.described, ""
        ranked: dict[tuple[int, int], dict[Any, tuple[Asked, Any]]] = {}
        for _, tree, cost in found:
            if ranked and cost > min(ranked)[0]:
                break
            self.discourse.described, self.discourse.shortened = dict(known), 0
            try:
                one = self._asked(tree)
                key = tuple((literal(part.pred), part.negative) for part in one.all)
            except Refusal as refusal:
                reason = reason or str(refusal)
                continue
            strange = len(self.discourse.described.keys() - known)
            same = ranked.setdefault((cost + 2 * self.discourse.shortened, strange), {})
            same.setdefault(key, (one, self.discourse.described))
        self.discourse.described = before
        if not ranked:
            raise Refusal(reason)
        (asked, more), *others = ranked[min(ranked)].values()
        self.discourse.described = before | more
        for other, known in others:
            asked.others.append(other)
            self.discourse.described |= known
        return asked

    def _asked(self, tree: Any) -> Asked:
        """Of several it asks in turn: of both Tom and Ann, whether they sing and dance."""
        subj = tree.subj if isinstance(tree, Clause) else None
        if isinstance(subj, Co) and subj.op == "and" and _is_joint(tree.vp):
            raise Refusal("each by itself, or both together?")
        if isinstance(subj, Co) and subj.op == "and" and not (collective(tree.vp) or owns(tree.vp)):
            clauses = (tree._replace(subj=each) for each in subj.items)
            found = [part for clause in clauses for part in self._asked(clause).all]
        else:
            formula, meaning = interpret(tree, self.discourse, asking=True)
            found = [self._one_fact(part, meaning.supposed) for part in _parts(formula)]
            free = any(part.pred.mode in ("may", "can") for part in found)
            if found[1:] and (free or meaning.whether):
                raise Refusal(_ONE_FACT)  # both at once, or each by itself?
            found = [replace(part, some=meaning.whether) for part in found]
        return replace(found[0], also=found[1:], now=_is_now(tree))

    def _one_fact(self, formula: Formula, supposed: list[Pred]) -> Asked:
        negative = False
        while formula[0] == "not":
            negative, formula = not negative, formula[1]
        if formula[0] in ("and", "&"):
            roles = [f[1] for f in formula[1:] if f[0] == "atom" and f[1].form == "role"]
            whole = one_class(formula, placed=True) or next(iter(roles), None)
            formula = ("atom", whole) if whole else formula
        if formula[0] != "atom" or any(variables(formula[1])):
            raise Refusal(_ONE_FACT)
        asked = formula[1]
        known = sized([s.rules for s in self.sentences], self.own_described) if asked.mods else ()
        kinds = [kind for who, mod, kind in known if who == asked.subj and mod in asked.mods]
        if kinds and all(differs(kind, asked.lemma) for kind in kinds):
            raise Refusal(f'"{asked.mods[0]}": as one of which kind?')
        rules = [rule for sentence in self.sentences for rule in sentence.rules]
        about = [(r.head.mode, bool(r.body)) for r in rules if r.head.lemma == asked.lemma]
        if asked.mode == "will" and ("", True) in about and ("will", False) not in about:
            asked = asked._replace(mode="")  # what rules conclude has no "will"
        if asked.mode == "must" and any(adverb.startswith("to ") for adverb in asked.advs):
            raise Refusal("it asks what an aim needs: ask what must be done")
        noun = asked.subj.kind.noun if isinstance(asked.subj, Owned) else ""
        if noun and (asked.form, asked.lemma) == ("noun", noun):
            raise Refusal("it asks whose it is, and names it by its owner")
        return Asked(normal(asked), negative, supposed)


def _is_joint(vp: Any) -> bool:
    """Are Tom and Ann married? To each other?"""
    verb = vp.body if isinstance(vp, Not) else vp
    return isinstance(verb, V) and verb.lemma in LISTS["jointly"] and not (verb.obj or verb.tails)


def _is_now(tree: Any) -> bool:
    """Is Tom smoking? But not: is he wearing a hat, has he smoked"""
    vp = getattr(tree, "vp", None)
    verb = vp.body if isinstance(vp, Not) else vp
    return isinstance(verb, V) and verb.text == "now" and verb.lemma not in LISTS["lasting"]


def _parts(formula: Formula) -> Iterator[Formula]:
    """What the author has joined by "and"."""
    if formula[0] == "&" or (formula[0] == "and" and any(p[0] == "not" for p in formula[1:])):
        for part in formula[1:]:
            yield from _parts(part)
    else:
        yield formula
