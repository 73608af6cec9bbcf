"""What rules say in the words of others: conclusions that follow from their own."""

from __future__ import annotations

from collections.abc import Iterator

from ibr.logic.clause import Literal
from ibr.logic.english.lexis.forms import verb_participle
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.discourse import (
    Refusal,
)
from ibr.logic.english.meaning.literals import literal
from ibr.logic.english.meaning.terms import Ind, Owned, Pred, Rule, bound
from ibr.logic.english.sentence import clause_of, constant_of
from ibr.logic.english.wording.implied import implied, witness_of
from ibr.logic.english.wording.meeting import described, entails

LOSING = LISTS["losing"]


def weaker(rule: Rule, wanted: list[Pred], can_may: bool, itself: bool = False) -> Iterator[Rule]:
    """The same rule with conclusions that others ask for and that follow from its own."""
    own = _literal(rule.head)
    if rule.binding:
        return
    wide = _had(rule)
    if wide is not None:
        yield from weaker(wide, wanted, can_may, itself=True)
    if not itself and not rule.negative:
        for pred, denied in implied(rule.head):
            yield from weaker(Rule(pred, denied, rule.body), wanted, can_may, itself=True)
    for want in wanted:
        if rule.negative:
            met = entails(want, rule.head, can_may)
        else:
            met = entails(rule.head, want, can_may)
        if met is None:
            continue
        binding = dict(met.binding)
        if met.witness is not None:
            if rule.negative or rule.body or itself:
                continue
            witness = witness_of(rule.head, met.witness[1])
            if witness is None:
                continue
            binding[met.witness[0]] = witness
            if isinstance(witness, Ind):
                for pred in described(met.witness[1], witness):
                    yield Rule(pred, False)
        made = Rule(want, rule.negative, (*rule.body, *met.extra), tuple(binding.items()))
        try:
            clause = clause_of(made)
            names = {k: constant_of(bound(v, binding)) for k, v in binding.items()}
            same = own and own.bind(names).atom == clause.head.atom
        except Refusal:
            continue
        if clause.head.atom in [c.atom for c in clause.body] or (
            same and not met.extra and not itself
        ):
            continue
        yield made


def _had(rule: Rule) -> Rule | None:
    """Leo's pass is valid: he has a valid pass"""
    head = rule.head
    term = head.obj if head.form == "verb" and head.subj is None else head.subj
    if (
        rule.negative
        or head.form not in ("adj", "verb")
        or head.mode
        or head.tense
        or any(prep != "until" for prep, _ in head.tails)
    ):
        return None
    if not isinstance(term, Owned) or head.lemma in LOSING or (head.form == "verb" and head.subj):
        return None
    word = head.lemma if head.form == "adj" else verb_participle(head.lemma)
    kind = term.kind._replace(mods=(*term.kind.mods, word))
    return Rule(Pred("verb", "have", term.owner, kind), False, rule.body)


def under(rule: Rule, supposed: list[Pred], can_may: bool) -> Iterator[Rule]:
    """The rule for one of whom some of its conditions are given."""
    if not supposed:
        return
    for condition in rule.body:
        if condition.negative:
            continue
        for given in supposed:
            met = entails(given, bound(condition.pred, dict(rule.binding)), can_may)
            if met is None or met.witness or met.extra:
                continue
            binding = {**dict(rule.binding), **met.binding}
            body = tuple(
                other for other in rule.body
                if other.negative
                or not any(_given(g, bound(other.pred, binding), can_may) for g in supposed)
            )  # fmt: skip
            yield Rule(rule.head, rule.negative, body, tuple(binding.items()))


def _given(given: Pred, pred: Pred, can_may: bool) -> bool:
    met = entails(given, pred, can_may)
    return met is not None and not met.binding and not met.extra and not met.witness


def _literal(pred: Pred) -> Literal | None:
    try:
        return literal(pred)
    except Refusal:
        return None
