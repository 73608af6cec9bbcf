"""Says generated theories the way people do: with the sentences of ParaRules as patterns.

A pattern is a paraphrase with places for attributes, in their order, and for a name. A rule's last
attribute is what it concludes; a fact sentence says all of its attributes of one entity. Filled
with another theory's words a pattern says what that theory says, so the solver labels it. Half of
the sentences begin like one pattern and end like another or are patched together from many, where
nothing but their order tells what attributes do; and words that carry no meaning are now and then
swapped for others, so that nobody learns sentences by heart.
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
from ibr.data.vocabulary import vocabulary
from ibr.logic.clause import Clause
from ibr.logic.templates import write_clause
from ibr.theory import Kind
from ibr.tokens import GRAMMAR, SILENT, WORD_ID

_PLACE: Final = re.compile(r"\{(\d+|name)\}|[A-Za-z]+")
_NUMBER: Final = re.compile(r"\{\d+\}")
_WORD: Final = re.compile(r"[A-Za-z]+")
_PLAIN: Final = (0.0, 0.0, 0.2, 0.5)  # of the sentences, which are said plainly
_CROSSED: Final = 0.35  # of the sentences, which begin like one pattern and end like another
_PATCHED: Final = 0.2  # of the sentences, which are like another pattern at every place
_SWAPPED: Final = 0.3  # of the words that mean nothing here
_SWAPPED_COMMON: Final = 0.08  # of the common ones
_FILLERS: Final = 12  # that a theory swaps them for: they come again, and mean nothing again
_KNOWN: Final = 0.7  # of the theories, which are about RuleTaker's own attributes


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

    @property
    def is_simple(self) -> bool:
        """Whether it has each place once."""
        return len(self.pieces) == self.places + 1

    @property
    def pieces(self) -> list[str]:
        """The text before each place, and after the last."""
        return _NUMBER.split(self.text)

    def crossed(self, other: Pattern, first: int, places: int) -> Pattern:
        """Begins like this one, up to its `first` places; goes on as the other ends."""
        texts = [*self.pieces[:first], *other.pieces[first - places - 1 :]]
        said = "".join(f"{text}{{{k}}}" for k, text in enumerate(texts[:-1]))
        return Pattern(said + texts[-1], places)

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
        every = vocabulary("open")
        self._more = sorted({*every.adjectives, *every.classes} - set(WORD_ID))
        self._simple = {
            key: [pattern for pattern in some if pattern.is_simple]
            for key, some in self._patterns.items()
        }

    def write(self, number: int, depth: int, rng: random.Random) -> Paraphrased:
        """A theory of its own, `depth` deep at most, said with these patterns."""
        known = rng.random() < _KNOWN
        made = self._made(number, rng.randint(0, depth), "ruletaker" if known else "open", rng)
        about = {lit.object for _, c in made.program for lit in (c.head, *c.body)}
        fillers = rng.sample(self._fillers, min(_FILLERS, len(self._fillers)))
        if known:  # beside attributes that are known by name, any other word means nothing
            fillers += rng.sample(self._more, len(fillers))
        swap = Swap(fillers, about, rng)
        plain = rng.choice(_PLAIN)
        rows = [
            row
            for clauses in _told_together(made, self._most(Kind.FACT), rng)
            for row in self._said(clauses, rng.random() < plain, swap)
        ]
        rng.shuffle(rows)
        rows.sort(key=lambda row: row.kind is Kind.RULE)
        return Paraphrased(f"Resaid{number}", tuple(renumbered(rows)))

    def _made(self, number: int, depth: int, words: str, rng: random.Random) -> GeneratedTheory:
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
            recipe = Recipe(vocabulary=words, own=shape)
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
        pattern = None if plain else self._pattern(kind, len(said), rng)
        if pattern is not None:
            text = pattern.fill(said, str(first.head.subject), swap)
            if swap.about & set(map(str.lower, _WORD.findall(text))) <= set(said):
                yield Row("", text, ("",) * len(clauses), tuple(clauses))
                return
        for clause in clauses:
            yield Row("", write_clause(clause), ("",), (clause,))

    def _pattern(self, kind: Kind, places: int, rng: random.Random) -> Pattern | None:
        whole = self._patterns.get((kind, places), [])
        way = rng.random()
        if way < _PATCHED and (patched := self._patched(kind, places, rng)):
            return patched
        if places > 1 and (way < _PATCHED + _CROSSED or not whole):
            first = rng.randrange(1, places)
            begins = self._with(kind, first + (kind is Kind.RULE))  # a conclusion is at the end
            ends = self._with(kind, places - first + 1)  # and its beginning is another's
            if begins and ends:
                crossed = rng.choice(begins).crossed(rng.choice(ends), first, places)
                if kind is Kind.RULE or "{name}" in crossed.text:
                    return crossed
        return rng.choice(whole) if whole else None

    def _patched(self, kind: Kind, places: int, rng: random.Random) -> Pattern | None:
        """Begins like one, ends like another, and has a third's words between any two places."""
        between = self._with(kind, 2)
        if not between and places > 1:
            return None
        begin, end = (rng.choice(self._with(kind, 1)).pieces for _ in range(2))
        inner = [rng.choice(rng.choice(between).pieces[1:-1]) for _ in range(places - 1)]
        texts = [begin[0], *inner]
        said = "".join(f"{text}{{{k}}}" for k, text in enumerate(texts)) + end[-1]
        return Pattern(said, places) if kind is Kind.RULE or "{name}" in said else None

    def _with(self, kind: Kind, least: int) -> list[Pattern]:
        """Patterns of so many places or more."""
        keys = [key for key in self._simple if key[0] is kind and key[1] >= least]
        return [pattern for key in keys for pattern in self._simple[key]]


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
