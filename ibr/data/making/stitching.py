"""New theories from old sentences: the paraphrases of ParaRules in ever new company.

The file has some hundred ways to say a rule, in theories that rarely reason deeply. Here facts
about a few entities are joined by rules of which most go on where others end. What is stitched
says what its sentences say: the solver labels it like any theory.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Final

from ibr.data.pararules import Paraphrased, Row, renumbered
from ibr.theory import Kind

_ENTITIES: Final = (1, 2, 2, 3, 4)
_RULES: Final = range(3, 12)
_GOES_ON: Final = 0.7  # of the rules, which say something new of someone, if there are such


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
            raise ValueError("nothing to stitch: facts and rules are needed")

    def stitch(self, number: int, rng: random.Random) -> Paraphrased:
        entities = rng.sample(sorted(self._facts), min(rng.choice(_ENTITIES), len(self._facts)))
        facts = [rng.choice(self._facts[entity]) for entity in entities]
        rules = self._linked(facts, min(rng.choice(_RULES), len(self._rules)), rng)
        rng.shuffle(rules)  # a number says nothing of how deep a rule is
        return Paraphrased(f"Stitched{number}", tuple(renumbered([*facts, *rules])))

    def _linked(self, facts: Sequence[Row], count: int, rng: random.Random) -> list[Row]:
        known = [{clause.head.object for clause in row.clauses} for row in facts]
        latest: list[set[str]] = [set() for _ in facts]  # what only rules say
        chosen: list[Row] = []
        while len(chosen) < count:
            left = [row for row in self._rules if row not in chosen]
            about = rng.randrange(len(facts))
            new = [row for row in left if _says_new(row, known[about])]
            deep = [row for row in new if _needs(row) & latest[about]]
            if new and rng.random() < _GOES_ON:
                row = rng.choice(deep or new)
                said = row.clauses[0].head.object
                latest[about] = {said} if row in deep else latest[about] | {said}
            else:
                row = rng.choice(left)
            chosen.append(row)
            for attributes in known:
                _close(attributes, chosen)
        return chosen


def _needs(rule: Row) -> set[str]:
    return {literal.object for literal in rule.clauses[0].body}


def _says_new(rule: Row, known: set[str]) -> bool:
    return _needs(rule) <= known and rule.clauses[0].head.object not in known


def _close(known: set[str], rules: Sequence[Row]) -> None:
    """Add all that the rules say of one who has these attributes."""
    while new := {row.clauses[0].head.object for row in rules if _says_new(row, known)}:
        known |= new
