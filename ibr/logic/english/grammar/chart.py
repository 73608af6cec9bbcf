"""A chart of phrases with costs: finds all of a grammar's phrases at a place, and keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ibr.logic.budget import spend
from ibr.logic.english.grammar.notation import Found, Rule
from ibr.logic.english.grammar.tree import Co, Costly, Not
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.rulebook_lexicon import Lexicon
from ibr.logic.english.lexis.splitting import Raw
from ibr.logic.english.lexis.usage import Uses

BUDGET = 60_000
MARGIN = 4  # a phrase that costs so much more than the best one of its length is dropped
WIDTH = 14
_LONGEST = 7  # so many in one coordination


class OutOfBudget(Exception):
    """The sentence needs more steps of analysis than it is given."""


class Chart:
    """The tokens of one sentence and what was found of them."""

    def __init__(
        self,
        rules: Mapping[str, Sequence[Rule]],
        tokens: Sequence[Raw],
        lexicon: Lexicon,
        budget: int = BUDGET,
    ) -> None:
        self.rules, self.tokens, self.n, self.left = rules, tokens, len(tokens), budget
        self.uses: list[Uses] = [lexicon.uses(t, i == 0) for i, t in enumerate(tokens)]
        self.words = ["" if token.name else token.low for token in tokens]  # a name is no word
        self.kept: dict[Any, list[Any]] = {}
        self.furthest = 0

    def word(self, i: int) -> str:
        """In lower case; empty past the end, and for a name."""
        self.furthest = max(self.furthest, min(i, self.n))
        return self.words[i] if 0 <= i < self.n else ""

    def uses_at(self, i: int) -> Uses:
        return self.uses[i] if 0 <= i < self.n else {}

    def text(self, i: int, end: int) -> str:
        """The words from one place to another."""
        return " ".join(t.text if t.name else t.low for t in self.tokens[i:end])

    def find(self, phrase: str, i: int, features: tuple[Any, ...] = ()) -> list[Found]:
        """Every phrase of a kind at a place: its end, its tree and its cost, cheapest first."""
        key = phrase, i, features
        if key not in self.kept:
            self.kept[key] = []  # a phrase does not begin with itself
            self.kept[key] = _best(self._found(phrase, i, features))
        return self.kept[key]

    def _found(self, phrase: str, i: int, features: tuple[Any, ...]) -> Iterator[Found]:
        start = (*(self.words[k] if 0 <= k < self.n else "" for k in (i - 1, i)), i, *features)
        for rule in self.rules[phrase]:
            if any(
                f not in (None, given) for f, given in zip(rule.features, features, strict=True)
            ):
                continue
            states = [(i, start, rule.cost)]
            for part in rule.parts:
                states = [
                    (end, (*values, value), cost + more)
                    for at, values, cost in states
                    for end, value, more in part(self, at, values)
                ]
                self._spend(len(states))
                if not states:
                    break
            for end, values, cost in states:
                tree = rule.make(self, end, values)
                if isinstance(tree, Costly):
                    yield end, tree.tree, cost + tree.cost
                elif tree is not None:
                    yield end, tree, cost

    def _spend(self, steps: int) -> None:
        spend(1 + steps)
        self.left -= 1 + steps
        if self.left < 0:
            raise OutOfBudget

    def several(
        self, phrase: str, i: int, features: tuple[Any, ...], cost_of: int
    ) -> Iterator[Found]:
        """One, or several with and, or; "a or b and c" gives both groupings."""
        opened = self.word(i) if self.word(i) in _OPENS else ""
        if opened:
            for end, (trees, ops), cost in self._chain(phrase, i + 1, features, cost_of):
                if ops and opened == "neither":
                    yield from ((end, tree, cost) for tree in _neither(trees, ops))
                elif len(set(ops)) == 1:
                    yield end, Co(ops[0].lstrip(","), trees), cost - (cost_of == 0)
        for end, (trees, ops), cost in self._chain(phrase, i, features, cost_of):
            cost += _link_cost(ops, cost_of)
            for tree in _grouped(trees, tuple(op.lstrip(",") for op in ops)):
                yield end, tree, cost

    def _chain(
        self, phrase: str, i: int, features: tuple[Any, ...], cost_of: int, depth: int = 1
    ) -> list[Found]:
        """Phrases one after another, with the words between them."""
        key = "chain", phrase, i, features, depth
        if key not in self.kept:
            self.kept[key] = _best(self._linked(phrase, i, features, cost_of, depth))
        return self.kept[key]

    def _linked(
        self, phrase: str, i: int, features: tuple[Any, ...], cost_of: int, depth: int
    ) -> Iterator[Found]:
        for end, tree, cost in self.find(phrase, i, features):
            yield end, ((tree,), ()), cost
            op, after = self._link(end, cost_of)
            if not op or depth == _LONGEST:
                continue
            denied = phrase == "complement" and isinstance(tree, Not) and self.word(end) == "and"
            for last, (trees, ops), more in self._chain(
                phrase, after, features, cost_of, depth + 1
            ):
                self._spend(1)
                if denied and not any(isinstance(other, Not) for other in trees):
                    continue  # is not tall and thin
                known = ops[0].lstrip(",") if op == "," and ops else op
                if known != ",":
                    yield last, ((tree, *trees), (known, *ops)), cost + more

    def _link(self, i: int, cost_of: int) -> tuple[str, int]:
        k = i + 1 if self.word(i) == "," else i
        op = _OPS.get(self.word(k), "")
        if k > i and cost_of > 2 and self.word(k) in ("so", "yet"):
            op = "and"
        if op and (cost_of or self.word(k) != "but"):  # no noun phrases with "but"
            after = k + 2 if self.word(k + 1) in ("also", "then") else k + 1
            return ("," if k > i else "") + op, after
        return (",", k) if k > i and k < self.n and not op else ("", i)


_OPENS = ("both", "either", "neither", "not only")
_OPS = {word: op for op in ("and", "or", "nor") for word in LISTS[f"links-{op}"]}


def _link_cost(ops: tuple[str, ...], cost_of: int) -> int:
    """Clauses are set off by commas, words are not."""
    marked = sum(op.startswith(",") for op in ops)
    if cost_of >= 3:
        return cost_of * len(ops) - 2 * marked
    return cost_of * len(ops) + (1 if marked and len(ops) == 1 else 0)


def _grouped(items: tuple[Any, ...], ops: tuple[str, ...]) -> Iterator[Any]:
    """(a and b) or c; a and (b or c)"""
    if len(set(ops)) < 2:
        yield Co(ops[0], items) if ops else items[0]
        return
    for outer, inner in (("or", "and"), ("and", "or")):
        groups = [[items[0]]]
        for op, tree in zip(ops, items[1:], strict=True):
            if op == inner:
                groups[-1].append(tree)
            else:
                groups.append([tree])
        yield Co(outer, tuple(g[0] if len(g) == 1 else Co(inner, tuple(g)) for g in groups))


def _neither(items: tuple[Any, ...], ops: tuple[str, ...]) -> Iterator[Any]:
    """neither a nor b; neither a nor b, but c"""
    k = next((k for k, op in enumerate(ops) if op.lstrip(",") == "and"), len(ops))
    denied = Co("nor", items[: k + 1])
    if k == len(ops):
        yield denied
    elif k == len(ops) - 1 > 0:
        yield Co("and", (denied, items[-1]))


def _best(found: Iterable[Found]) -> list[Found]:
    """The cheapest of each length."""
    costs: dict[tuple[int, Any], int] = {}
    least: dict[int, int] = {}
    for end, tree, cost in found:
        costs[end, tree] = min(cost, costs.get((end, tree), cost))
        least[end] = min(cost, least.get(end, cost))
    ranked = sorted(
        ((end, tree, cost) for (end, tree), cost in costs.items() if cost <= least[end] + MARGIN),
        key=lambda f: (f[2], f[0]),
    )
    count: dict[int, int] = {}
    kept = []
    for one in ranked:
        count[one[0]] = count.get(one[0], 0) + 1
        if count[one[0]] <= WIDTH:
            kept.append(one)
    return kept
