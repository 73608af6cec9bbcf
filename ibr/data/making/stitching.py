"""New theories from the sentences of ParaRules, in new combinations.

Facts about a few entities are combined with rules, most of which use what others conclude, since
few theories of the file have deep proofs. The solver labels the result like any theory.
"""

import random
from collections.abc import Iterable, Sequence
from typing import Final

from ibr.data.formats.pararules import Paraphrased, Row, renumbered
from ibr.errors import InputError
from ibr.theory import Kind

_ENTITIES: Final = (1, 2, 2, 3, 4)
_RULES: Final = range(3, 12)
_CONTINUING: Final = 0.7  # of the rules, which conclude something new of an entity, if any do


class Pool:
    """The sentences of many theories, each once."""

    def __init__(self, theories: Iterable[Paraphrased]) -> None:
        rows = {row.text: row for theory in theories for row in theory.rows}.values()
        self._rules = [row for row in rows if row.kind is Kind.RULE]
        self._facts: dict[str, list[Row]] = {}
        for row in rows:
            if row.kind is Kind.FACT:
                self._facts.setdefault(row.clauses[0].head.subject, []).append(row)
        if not self._rules or not self._facts:
            raise InputError("no sentences to combine: facts and rules are needed")

    def stitch(self, number: int, rng: random.Random) -> Paraphrased:
        entities = rng.sample(sorted(self._facts), min(rng.choice(_ENTITIES), len(self._facts)))
        facts = [rng.choice(self._facts[entity]) for entity in entities]
        rules = self._linked(facts, min(rng.choice(_RULES), len(self._rules)), rng)
        rng.shuffle(rules)  # so that a rule's number does not depend on its depth
        return Paraphrased(f"Stitched{number}", tuple(renumbered([*facts, *rules])))

    def _linked(self, facts: Sequence[Row], count: int, rng: random.Random) -> list[Row]:
        known = [{clause.head.object for clause in row.clauses} for row in facts]
        latest: list[set[str]] = [set() for _ in facts]  # concluded by the last rules
        chosen: list[Row] = []
        while len(chosen) < count:
            left = [row for row in self._rules if row not in chosen]
            about = rng.randrange(len(facts))
            new = [row for row in left if _is_new(row, known[about])]
            deep = [row for row in new if _needs(row) & latest[about]]
            if new and rng.random() < _CONTINUING:
                row = rng.choice(deep or new)
                concluded = _concluded(row)
                latest[about] = {concluded} if row in deep else latest[about] | {concluded}
            else:
                row = rng.choice(left)
            chosen.append(row)
            for attributes in known:  # with all that the rules conclude
                while more := {_concluded(rule) for rule in chosen if _is_new(rule, attributes)}:
                    attributes |= more
        return chosen


def _needs(rule: Row) -> set[str]:
    return {literal.object for literal in rule.clauses[0].body}


def _concluded(rule: Row) -> str:
    return rule.clauses[0].head.object


def _is_new(rule: Row, known: set[str]) -> bool:
    return _needs(rule) <= known and _concluded(rule) not in known
