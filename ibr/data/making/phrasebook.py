"""Writes generated theories as people do: with the sentences of ParaRules as patterns.

A pattern is a paraphrase with places for attributes, in their order, and for a name. A rule's last
attribute is its conclusion; a fact sentence states all of its attributes of one entity. The solver
labels the filled patterns like any theory. About half of the sentences combine parts of several
patterns, so that only the order of the attributes shows their roles; and words without meaning
are sometimes replaced by others, so that sentences cannot be learned by heart.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Final

from ibr.data.formats.pararules import Paraphrased, Row, renumbered
from ibr.data.making.generator import Recipe, make_theory
from ibr.data.making.questions import SolvableTheory
from ibr.data.making.shape import Count, GenerateError, Shape
from ibr.data.making.vocabulary import WORDS, read_words, vocabulary
from ibr.errors import InputError
from ibr.logic.clause import Clause
from ibr.logic.surface.templates import write_clause
from ibr.theory import Kind

_PLACE: Final = re.compile(r"\{(\d+|name)\}|[A-Za-z]+")
_NUMBER: Final = re.compile(r"\{\d+\}")
_WORD: Final = re.compile(r"[A-Za-z]+")
_PLAIN: Final = (0.0, 0.0, 0.2, 0.5)  # of the sentences, which use templates
_CROSSED: Final = 0.35  # of the sentences, which begin like one pattern and end like another
_PATCHED: Final = 0.2  # of the sentences, which use another pattern at every place
_SWAPPED: Final = 0.3  # of the words without meaning
_SWAPPED_COMMON: Final = 0.08  # of the common ones
_FILLERS: Final = 12  # replacements in one theory: each occurs several times
_KNOWN: Final = 0.7  # of the theories, which have RuleTaker's own attributes

# The generator's own lists: a model may know other words by name.
_KEPT, _COMMON = (
    frozenset(word for _, word in read_words(WORDS / "phrasebook" / f"{name}.txt"))
    for name in ("kept", "common")
)


@dataclass(frozen=True)
class Pattern:
    """`{name}` is the entity of a fact; `{0}`, `{1}` … are attributes."""

    text: str
    places: int

    @classmethod
    def of(cls, row: Row) -> Pattern | None:
        """None if the sentence does not show where each of its attributes is."""
        names = {clause.head.subject.lower() for clause in row.clauses if clause.is_fact}
        last = [clause.head.object for clause in row.clauses if not clause.is_fact]
        attributes = {lit.object for clause in row.clauses for lit in (clause.head, *clause.body)}
        order: dict[str, int] = {}

        def place(match: re.Match[str]) -> str:
            word = match.group().lower()
            if word in names:
                return "{name}"
            known = word in attributes
            return f"{{{order.setdefault(word, len(order))}}}" if known else match.group()

        text = _WORD.sub(place, row.text)
        if set(order) != attributes or (last and list(order)[-1:] != last) or "{name}{" in text:
            return None
        return cls(text, len(order))

    @classmethod
    def joined(cls, pieces: Sequence[str]) -> Pattern:
        """Places between the pieces of text."""
        text = "".join(f"{piece}{{{k}}}" for k, piece in enumerate(pieces[:-1]))
        return cls(text + pieces[-1], len(pieces) - 1)

    @property
    def is_simple(self) -> bool:
        """Whether it has each place once."""
        return len(self.pieces) == self.places + 1

    @cached_property
    def pieces(self) -> list[str]:
        """The text before each place, and after the last."""
        return _NUMBER.split(self.text)

    def crossed(self, other: Pattern, first: int, places: int) -> Pattern:
        """Begins like this one, up to its `first` places, and continues as the other ends."""
        return Pattern.joined([*self.pieces[:first], *other.pieces[first - places - 1 :]])

    def fill(self, words: Sequence[str], name: str, swap: Swap) -> str:
        def filled(match: re.Match[str]) -> str:
            key = match.group(1)
            if key is None:
                return swap(match.group())
            return name if key == "name" else words[int(key)]

        text = _PLACE.sub(filled, self.text)
        return text[0].upper() + text[1:]


@dataclass(frozen=True, slots=True)
class Swap:
    """Replaces a word without meaning by another one, with a small probability."""

    fillers: Sequence[str]
    attributes: Set[str]  # of the theory: a sentence that has one by chance is not used
    rng: random.Random

    def __call__(self, word: str) -> str:
        lower = word.lower()
        if lower in _KEPT or not self.fillers:
            return word
        chance = _SWAPPED_COMMON if lower in _COMMON else _SWAPPED
        return self.rng.choice(self.fillers) if self.rng.random() < chance else word


class Phrasebook:
    """The patterns of many theories, by kind and number of places."""

    def __init__(self, theories: Iterable[Paraphrased]) -> None:
        rows = {row.text: row for theory in theories for row in theory.rows}.values()
        patterns: dict[tuple[Kind, int], dict[Pattern, None]] = {}
        for row in rows:
            pattern = Pattern.of(row)
            if pattern is not None:
                patterns.setdefault((row.kind, pattern.places), {})[pattern] = None
        if {kind for kind, _ in patterns} != {Kind.FACT, Kind.RULE}:
            raise InputError("no patterns to write with: facts and rules are needed")
        self._patterns = {key: list(some) for key, some in patterns.items()}
        texts = (pattern.text for some in patterns.values() for pattern in some)
        words = {word for text in texts for word in re.findall(r"\b[a-z]+\b", text)}
        self._fillers = sorted(words - _COMMON - _KEPT - {"name"})
        every = vocabulary("open")
        self._more = sorted({*every.adjectives, *every.classes} - _COMMON - _KEPT)

    def write(self, number: int, depth: int, rng: random.Random) -> Paraphrased:
        """A generated theory, at most `depth` deep, written with these patterns."""
        known = rng.random() < _KNOWN
        made = self._theory(number, rng.randint(0, depth), "ruletaker" if known else "open", rng)
        attributes = {lit.object for _, c in made.program for lit in (c.head, *c.body)}
        fillers = rng.sample(self._fillers, min(_FILLERS, len(self._fillers)))
        if known:  # beside RuleTaker's attributes, any other adjective is without meaning
            fillers += rng.sample(self._more, len(fillers))
        swap = Swap(fillers, attributes, rng)
        plain = rng.choice(_PLAIN)
        rows = [
            row
            for clauses in _sentences(made, self._max_places(Kind.FACT), rng)
            for row in self._rows(clauses, rng.random() < plain, swap)
        ]
        rng.shuffle(rows)
        rows.sort(key=lambda row: row.kind is Kind.RULE)
        return Paraphrased(f"Resaid{number}", tuple(renumbered(rows)))

    def _theory(self, number: int, depth: int, words: str, rng: random.Random) -> SolvableTheory:
        shape = Shape(
            "Resaid",
            depth,
            rules=Count.exactly(max(2, depth + rng.choice((0, 1, 3, 6)))),
            entities=Count.exactly(rng.randint(1, 4)),
            facts=Count.between(2, 16),
            adjectives=depth + rng.randint(4, 8),
            conditions=tuple(rng.random() for _ in range(self._max_places(Kind.RULE) - 1)),
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

    def _max_places(self, kind: Kind) -> int:
        return max(places for k, places in self._patterns if k is kind)

    def _rows(self, clauses: Sequence[Clause], plain: bool, swap: Swap) -> Iterator[Row]:
        """One row for all clauses by a pattern, or one for each by a template."""
        first = clauses[0]
        kind = Kind.FACT if first.is_fact else Kind.RULE
        if kind is Kind.FACT:
            words = [clause.head.object for clause in clauses]
        else:
            words = [*(lit.object for lit in first.body), first.head.object]
        pattern = None if plain else self._pattern(kind, len(words), swap.rng)
        if pattern is not None:
            text = pattern.fill(words, str(first.head.subject), swap)
            if swap.attributes & set(map(str.lower, _WORD.findall(text))) <= set(words):
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
            begins = self._simple(kind, first + (kind is Kind.RULE))  # without its conclusion
            ends = self._simple(kind, places - first + 1)  # without its beginning
            if begins and ends:
                crossed = rng.choice(begins).crossed(rng.choice(ends), first, places)
                if kind is Kind.RULE or "{name}" in crossed.text:
                    return crossed
        return rng.choice(whole) if whole else None

    def _patched(self, kind: Kind, places: int, rng: random.Random) -> Pattern | None:
        """The begin of one, the end of another, and text of further ones between the places."""
        between = self._simple(kind, 2)
        if not between and places > 1:
            return None
        begin, end = (rng.choice(self._simple(kind, 1)).pieces for _ in range(2))
        inner = [rng.choice(rng.choice(between).pieces[1:-1]) for _ in range(places - 1)]
        pattern = Pattern.joined([begin[0], *inner, end[-1]])
        return pattern if kind is Kind.RULE or "{name}" in pattern.text else None

    def _simple(self, kind: Kind, least: int) -> list[Pattern]:
        """Simple patterns of so many places or more."""
        keys = [key for key in self._patterns if key[0] is kind and key[1] >= least]
        return [pattern for key in keys for pattern in self._patterns[key] if pattern.is_simple]


def _sentences(made: SolvableTheory, most: int, rng: random.Random) -> Iterator[Sequence[Clause]]:
    """The clauses of each sentence: one rule, or up to `most` facts about one entity."""
    clauses = [clause for _, clause in made.program]
    facts = sorted((c for c in clauses if c.is_fact), key=lambda c: c.head.subject)
    for _, about in groupby(facts, key=lambda c: c.head.subject):
        left = list(about)
        rng.shuffle(left)
        while left:
            count = min(len(left), rng.choice((1, most, most)))
            yield left[:count]
            del left[:count]
    yield from ([clause] for clause in clauses if not clause.is_fact)
