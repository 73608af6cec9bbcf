"""Says generated theories the way people do: with the sentences of ParaRules as patterns.

A pattern is a paraphrase with places for attributes, in their order, and for a name. A rule's last
attribute is what it concludes; a fact sentence says all of its attributes of one entity. Filled
with another theory's words a pattern says what that theory says, so the solver labels it. Words
that carry no meaning are now and then swapped for others, so that nobody learns them by heart.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from ibr.data.generate import GeneratedTheory, GenerateError, Recipe, make_theory
from ibr.data.making.shape import Count, Shape
from ibr.data.pararules import Paraphrased, Row, renumbered
from ibr.logic.clause import Clause
from ibr.logic.templates import write_clause
from ibr.theory import Kind
from ibr.tokens import GRAMMAR, SILENT, WORD_ID

_PLACE: Final = re.compile(r"\{(\d+|name)\}|[A-Za-z]+")
_WORD: Final = re.compile(r"[A-Za-z]+")
_PLAIN: Final = (0.0, 0.0, 0.2, 0.5)  # of the sentences, which are said plainly
_SWAPPED: Final = 0.25  # of the words that mean nothing here
_SWAPPED_COMMON: Final = 0.08  # of the common ones
_FILLERS: Final = 8  # that a theory swaps them for: they come again, and mean nothing again


@dataclass(frozen=True, slots=True)
class Pattern:
    """`{name}` is whom a fact is about; `{0}`, `{1}` … are attributes."""

    text: str
    places: int

    @classmethod
    def of(cls, row: Row) -> Pattern | None:
        """None if the sentence does not show where each of its attributes is."""
        names = {clause.head.subject.lower() for clause in row.clauses if clause.is_fact}
        last = [clause.head.object for clause in row.clauses if not clause.is_fact]
        said = {lit.object for clause in row.clauses for lit in (clause.head, *clause.body)}
        order: dict[str, int] = {}

        def place(match: re.Match[str]) -> str:
            word = match.group().lower()
            if word in names:
                return "{name}"
            return f"{{{order.setdefault(word, len(order))}}}" if word in said else match.group()

        text = _WORD.sub(place, row.text)
        if set(order) != said or (last and list(order)[-1:] != last) or "{name}{" in text:
            return None
        return cls(text, len(order))

    def fill(self, words: Sequence[str], name: str, swap: Swap) -> str:
        def said(match: re.Match[str]) -> str:
            key = match.group(1)
            if key is None:
                return swap(match.group())
            return name if key == "name" else words[int(key)]

        text = _PLACE.sub(said, self.text)
        return text[0].upper() + text[1:]


@dataclass(frozen=True, slots=True)
class Swap:
    """A word, or now and then another one that means as little."""

    fillers: Sequence[str]
    about: Set[str]  # what the theory speaks of: a sentence that says these by chance will not do
    rng: random.Random

    def __call__(self, word: str) -> str:
        lower = word.lower()
        if lower in _KEPT or not self.fillers:
            return word
        chance = _SWAPPED_COMMON if lower in WORD_ID else _SWAPPED
        return self.rng.choice(self.fillers) if self.rng.random() < chance else word


_KEPT: Final = frozenset(GRAMMAR) | SILENT | frozenset("s t d m ll re ve never".split())


class Phrasebook:
    def __init__(self, theories: Iterable[Paraphrased]) -> None:
        rows = list({row.text: row for theory in theories for row in theory.rows}.values())
        self._patterns: dict[tuple[Kind, int], list[Pattern]] = {}
        for row in rows:
            pattern = Pattern.of(row)
            if pattern is not None:
                known = self._patterns.setdefault((row.kind, pattern.places), [])
                if pattern not in known:
                    known.append(pattern)
        if {kind for kind, _ in self._patterns} != {Kind.FACT, Kind.RULE}:
            raise ValueError("nothing to say things with: facts and rules are needed")
        texts = (p.text for patterns in self._patterns.values() for p in patterns)
        words = {word for text in texts for word in re.findall(r"\b[a-z]+\b", text)}
        self._fillers = sorted(words - set(WORD_ID) - _KEPT - {"name"})

    def write(self, number: int, depth: int, rng: random.Random) -> Paraphrased:
        """A theory of its own, `depth` deep at most, said with these patterns."""
        made = self._made(number, rng.randint(0, depth), rng)
        about = {lit.object for _, c in made.program for lit in (c.head, *c.body)}
        swap = Swap(rng.sample(self._fillers, min(_FILLERS, len(self._fillers))), about, rng)
        plain = rng.choice(_PLAIN)
        rows = [
            row
            for clauses in _told_together(made, self._most(Kind.FACT), rng)
            for row in self._said(clauses, rng.random() < plain, swap)
        ]
        rng.shuffle(rows)
        rows.sort(key=lambda row: row.kind is Kind.RULE)
        return Paraphrased(f"Resaid{number}", tuple(renumbered(rows)))

    def _made(self, number: int, depth: int, rng: random.Random) -> GeneratedTheory:
        most = self._most(Kind.RULE) - 1
        rules = max(2, depth + rng.choice((0, 1, 3, 6)))
        shape = Shape(
            "Resaid",
            depth,
            entities=Count.exactly(rng.randint(1, 4)),
            facts=Count.between(2, 16),
            rules=Count.exactly(rules),
            adjectives=depth + rng.randint(4, 8),
            conditions=tuple(rng.random() for _ in range(most)),
            ground=0.0,
            alive=rng.uniform(0.3, 1.0),
            fresh=rng.random(),
            bushy=rng.random(),
            crowded=rng.choice((0.0, 0.3)),
        )
        while True:
            recipe = Recipe(vocabulary=rng.choice(("ruletaker", "open")), own=shape)
            try:
                return make_theory(recipe, rng.getrandbits(32), number)
            except GenerateError:
                continue

    def _most(self, kind: Kind) -> int:
        return max(places for k, places in self._patterns if k is kind)

    def _said(self, clauses: Sequence[Clause], plain: bool, swap: Swap) -> Iterator[Row]:
        first, rng = clauses[0], swap.rng
        said = [clause.head.object for clause in clauses if clause.is_fact]
        kind = Kind.FACT if said else Kind.RULE
        if not said:
            said = [*(lit.object for lit in first.body), first.head.object]
        patterns = self._patterns.get((kind, len(said)), [])
        if patterns and not plain:
            text = rng.choice(patterns).fill(said, str(first.head.subject), swap)
            if swap.about & set(map(str.lower, _WORD.findall(text))) <= set(said):
                yield Row("", text, ("",) * len(clauses), tuple(clauses))
                return
        for clause in clauses:
            yield Row("", write_clause(clause), ("",), (clause,))


def _told_together(
    made: GeneratedTheory, most: int, rng: random.Random
) -> Iterator[Sequence[Clause]]:
    """Rules one by one; what is known of an entity in one sentence, or in a few."""
    clauses = [clause for _, clause in made.program]
    facts = sorted((c for c in clauses if c.is_fact), key=lambda c: c.head.subject)
    for _, about in groupby(facts, key=lambda c: c.head.subject):
        told = list(about)
        rng.shuffle(told)
        while told:
            count = min(len(told), rng.choice((1, most, most)))
            yield told[:count]
            del told[:count]
    yield from ([clause] for clause in clauses if not clause.is_fact)
