"""Individuals without a name that are there: groups, kinds that something is stated of, and the
one that a denied "all" leaves ("Some dogs do not bark": the dog in question)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ibr.logic.english.meaning.normal import described
from ibr.logic.english.meaning.terms import Ind, Kind, Rule, bound, variables


def unnamed(
    groups: Sequence[Any], of_kind: Mapping[str, Kind], said: list[list[Rule]], refuted: list[Rule]
) -> Iterator[Rule]:
    """What is known of them: of what kind they are, or what a refuted rule says."""
    some: dict[Any, Kind] = {
        group: of_kind[group.key]
        for group in groups
        if isinstance(group, Ind) and group.key in of_kind
    }
    facts = (r.head.who for rules in said for r in rules if not (r.body or r.negative))
    some |= {kind: kind for kind in facts if isinstance(kind, Kind) and not kind.mass}  # the lamps
    for one, kind in some.items():
        yield from map(Rule, described(kind, one))
    for k, rule in enumerate(refuted):
        yield from _counterexample(rule, f" {k}" if k else "")


def _counterexample(rule: Rule, number: str) -> Iterator[Rule]:
    kind = next((c.pred.lemma for c in rule.body if c.pred.form == "noun"), "one")
    of = {name: Ind(f"{kind} in question{number}") for name in variables(rule.head)}
    if len(of) == 1 and not any(c.negative for c in rule.body):
        for said in (
            rule._replace(negative=not rule.negative),
            *(Rule(c.pred) for c in rule.body),
        ):
            yield Rule(bound(said.head, of), said.negative)
