"""Rules that would give what is wanted if their conditions were read as loosely as people do.

The condition of a rule is near to a stated fact if they differ in tense, in passive or active, in
a kind for one of that kind, or in one for whom a pronoun may stand. Such conditions are dropped;
the others are kept, and so is that each one is of the kind that it is taken for.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from ibr.logic.budget import spend
from ibr.logic.english.lexis.forms import family, noun_of
from ibr.logic.english.meaning.normal import described
from ibr.logic.english.meaning.terms import (
    Cnd,
    Ind,
    Kind,
    Owned,
    Pred,
    Rule,
    Var,
    changed,
    variables,
)
from ibr.logic.english.wording.coverage import words_in
from ibr.logic.english.wording.meeting import is_a, noun_in

Found = tuple[dict[str, Any], tuple[Cnd, ...]]
_MOST = 3  # conditions


def facts_of(rules: list[Rule]) -> list[Pred]:
    """What is stated of individuals, or of all of a kind."""
    found: dict[Pred, None] = {}
    for rule in rules:
        kinds: dict[Any, Kind] = {}
        for pred in (c.pred for c in rule.body if c.pred.form == "noun" and not c.negative):
            kinds[pred.subj] = Kind(pred.lemma, pred.mods, plural=True)
        if not rule.negative and len(kinds) == len(rule.body) and not rule.head.mode:
            found[changed(rule.head, partial(_kind_of, kinds))] = None
    return [*found]


def _kind_of(kinds: dict[Any, Kind], term: Any) -> Any:
    return kinds.get(term, term)


def loosely(rule: Rule, want: Pred, facts: list[Pred]) -> Iterator[Found]:
    """Those for whom, and the conditions under which, `rule` would give what is wanted."""
    conditions = [c for c in rule.body if c.pred.form != "noun" and not c.negative]
    kinds = [c for c in rule.body if c.pred.form == "noun" and not c.negative]
    head, shape = rule.head, (want.form, want.lemma, want.mode)
    if rule.negative or not rule.body or len(conditions) > _MOST or {*head.advs} - {*want.advs}:
        return
    asked = (head.form, head.lemma, head.mode) == shape and want.tails[len(head.tails) :] == ()
    start = _same(head, want, {}, ()) if asked else None
    found: list[tuple[tuple[Pred, ...], Found]] = [((), start)] if start else []
    for condition in conditions if start else ():  # one after the other: each binds the next
        near = [fact for fact in facts if _alike(fact, condition.pred, want)]
        spend(len(facts) + len(near) * len(found))
        pairs = ((chosen, f, _same(condition.pred, f, *so)) for chosen, so in found for f in near)
        found = [((*chosen, f), state) for chosen, f, state in pairs if state]
    for chosen, (binding, extra) in found:
        if not (conditions or extra) or any(
            isinstance(binding.get(v.name), Kind) for v in binding.values() if isinstance(v, Var)
        ):
            continue
        then = (f for f, c in zip(chosen, conditions, strict=True) if f.tense != c.pred.tense)
        named = {t for fact in then for t in fact.terms[1:] if _name(t)}
        classed = {f.subj for f in facts if f.form == "noun"}
        left = [c for c in rule.body if c.negative]
        for c in kinds:
            one = binding.get(c.pred.subj.name) if isinstance(c.pred.subj, Var) else c.pred.subj
            if one not in named - classed and not is_a(noun_of(noun_in(one) or "?"), c.pred.lemma):
                left.append(c)
        owner = [t.owner for t in want.terms if isinstance(t, Owned)]
        if not owner or {*owner} & {*binding.values(), *rule.head.terms}:
            yield binding, (*left, *extra)


def _alike(fact: Pred, condition: Pred, want: Pred) -> bool:
    """The same is stated, at no other time than is asked for: ran dry, runs dry."""
    at = {*fact.advs} - {*want.advs}
    if at - {*condition.advs} or {*condition.advs} - {*fact.advs} or fact.form != "verb":
        return False
    if condition.lemma == fact.lemma and condition.form == "verb":
        blurred = not condition.tense and not fact.passive  # was frozen: a state that is past
        return not condition.mode and (blurred or condition.tense == fact.tense)
    words = words_in(condition, whole=True)
    settled = condition.mode or any(variables(condition)) or len(words) < 2
    return not settled and all(any(family(w, k) for w in words_in(fact, True)) for k in words)


def _same(one: Pred, other: Pred, binding: dict[str, Any], extra: tuple[Cnd, ...]) -> Found | None:
    """`one`, of a rule, may be `other`, whatever their tense; who does it need not be named."""
    if one.lemma != other.lemma:
        return (binding, extra) if not any(variables(one)) else None
    said = dict(other.tails)
    pairs = [(one.subj, other.subj), *((term, said.get(prep)) for prep, term in one.tails)]
    pairs = [(term, t) for term, t in pairs if t is not None or term is not one.subj]
    binding, more = {**binding}, [*extra]
    for term, its in (*pairs, (one.obj, other.obj)):
        term = binding.get(term.name, term) if isinstance(term, Var) else term
        if isinstance(term, Var) and its is not None:
            binding[term.name] = its
        elif not _may_be(term, its, more):
            return None
    return binding, tuple(more)


def _may_be(term: Any, its: Any, more: list[Cnd]) -> bool:
    if term == its or (term is not None and isinstance(its, Var)):
        return True
    if isinstance(term, Ind) and isinstance(its, Kind):
        term, its = its, term
    if isinstance(term, Kind) and isinstance(its, Ind):
        if not is_a(noun_of(its.key), term.noun):  # a cup, the cup that Nkechi broke
            more += map(Cnd, described(term, its))
        return not _name(its) or term.plural
    if isinstance(term, Kind) and isinstance(its, Kind):
        return term[1:3] == its[1:3] and is_a(its.noun, term.noun)
    if not isinstance(its, Owned) or not isinstance(term, Kind | Ind) or _name(term):
        return False
    return family(noun_of(noun_in(term)), noun_in(its))  # the parents, Zainab's parents


def _name(term: Any) -> bool:
    return isinstance(term, Ind) and term.is_name
