"""A chart of phrases with costs: each rule is a method, its results are kept by place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

from ibr.logic.budget import spend
from ibr.logic.english.lexis.rulebook_lexicon import Lexicon, Uses
from ibr.logic.english.lexis.splitting import Raw

Found = tuple[int, Any, int]  # end, tree, cost
BUDGET = 12_000
_STEPS = 3  # of work: what a step of the chart takes
MARGIN = 4  # a phrase that costs so much more than the best one of its length is dropped
WIDTH = 14


class OutOfBudget(Exception):
    """The sentence needs more steps of analysis than it is given."""


def rule(method: Callable[..., Iterator[Found]]) -> Callable[..., list[Found]]:
    """Keep what a method finds at a place; each call is one step of the budget."""

    @wraps(method)
    def kept(self: Chart, i: int, *features: Any) -> list[Found]:
        key = method.__name__, i, features
        if key not in self.kept:
            self.kept[key] = []  # a phrase does not begin with itself
            self.spend()
            self.kept[key] = _best(method(self, i, *features))
        return self.kept[key]

    return kept


def _best(found: Iterator[Found]) -> list[Found]:
    costs: dict[tuple[int, Any], int] = {}
    for end, tree, cost in found:
        if cost < costs.get((end, tree), 99):
            costs[end, tree] = cost
    least: dict[int, int] = {}
    for (end, _), cost in costs.items():
        least[end] = min(cost, least.get(end, 99))
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


class Chart:
    """The tokens of one sentence and what was found of them."""

    def __init__(self, tokens: Sequence[Raw], lexicon: Lexicon, budget: int = BUDGET) -> None:
        self.tokens, self.n = tokens, len(tokens)
        self.words = [token.low for token in tokens]
        self.uses: list[Uses] = [lexicon.uses(t, i == 0) for i, t in enumerate(tokens)]
        self.kept: dict[Any, list[Found]] = {}
        self.left = budget
        self.furthest = 0

    def spend(self) -> None:
        spend(_STEPS)
        self.left -= 1
        if self.left < 0:
            raise OutOfBudget

    def word(self, i: int) -> str:
        """In lower case; empty past the end."""
        if 0 <= i < self.n:
            self.furthest = max(self.furthest, i)
            return self.words[i]
        return ""

    if TYPE_CHECKING:  # the rules of the other parts of the grammar

        def __getattr__(self, name: str) -> Any: ...

    def use(self, i: int, cls: str) -> Any:
        """The base form and the cost of a word as one of a class; None if it cannot be one."""
        return self.uses[i].get(cls) if 0 <= i < self.n else None

    def is_in(self, i: int, words: Any) -> bool:
        return i < self.n and not self.tokens[i].name and self.word(i) in words

    def said(self, i: int, end: int) -> str:
        """The words from one place to another."""
        return " ".join(token.text for token in self.tokens[i:end])

    def comma(self, i: int) -> int:
        """The place after a comma, if there is one."""
        return i + 1 if self.word(i) == "," else i

    def sequence(
        self, i: int, item: Callable[[int], list[Found]], but: bool = True, cost_of: int = 0
    ) -> Iterator[Found]:
        """One item, or several with and, or; "a or b and c" gives both groupings."""
        from ibr.logic.english.grammar.tree import Co

        for end, items, ops, cost in self._items(i, item, 0, but):
            cost += self._coordinated(end, ops, cost_of)
            ops = tuple(op.lstrip(",") for op in ops)
            if len(items) == 1:
                yield end, items[0], cost
            elif len(set(ops)) == 1:
                yield end, Co(ops[0], items), cost
            else:
                for tree in _grouped(items, ops):
                    yield end, tree, cost

    def _coordinated(self, end: int, ops: tuple[str, ...], cost_of: int) -> int:
        """Clauses are set off by commas, words are not."""
        marked = sum(op.startswith(",") for op in ops)
        if cost_of >= 3:
            return cost_of * len(ops) - 2 * marked
        return cost_of * len(ops) + (1 if marked and len(ops) == 1 else 0)

    def _items(
        self, i: int, item: Callable[[int], list[Found]], depth: int, but: bool
    ) -> Iterator[tuple[int, tuple[Any, ...], tuple[str, ...], int]]:
        for end, tree, cost in item(i):
            self.spend()
            yield end, (tree,), (), cost
            if depth > 6:
                continue
            if not but and self.word(self.comma(end)) == "but":
                continue
            for op, after in self._links(end):
                for last, trees, ops, more in self._items(after, item, depth + 1, but):
                    self.spend()
                    known = ops[0].lstrip(",") if op == "," and ops else op
                    if known == ",":
                        continue
                    yield last, (tree, *trees), (known, *ops), cost + more

    def _links(self, i: int) -> Iterator[tuple[str, int]]:
        word = self.word(i)
        if word == ",":
            after = self.word(i + 1)
            if after in _OPS:
                yield f",{_OPS[after]}", self._also(i + 2)
            elif after:
                yield ",", i + 1
        elif word in _OPS:
            yield _OPS[word], self._also(i + 1)

    def _also(self, i: int) -> int:
        return i + 1 if self.word(i) in ("also", "then") else i


_OPS = {
    "and": "and", "or": "or", "but": "and", "as well as": "and", "and also": "and",
    "but also": "and", "and/or": "or", "nor": "nor", "and then": "and",
}  # fmt: skip


def _grouped(items: tuple[Any, ...], ops: tuple[str, ...]) -> Iterator[Any]:
    """(a and b) or c; a and (b or c)"""
    from ibr.logic.english.grammar.tree import Co

    for outer, inner in (("or", "and"), ("and", "or")):
        groups, group = [], [items[0]]
        for op, tree in zip(ops, items[1:], strict=True):
            if op == inner:
                group.append(tree)
            else:
                groups.append(group)
                group = [tree]
        groups.append(group)
        yield Co(outer, tuple(g[0] if len(g) == 1 else Co(inner, tuple(g)) for g in groups))
