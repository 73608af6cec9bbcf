"""Words → every distinct meaning with its cost, by lark's Earley parser. Knows no English.

The parse forest is evaluated bottom up: a node's value is the set of its meanings, each with the
cost of its cheapest tree, so trees that mean the same are one reading. An action that answers None
rejects its tree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from lark.common import LexerConf, ParserConf
from lark.exceptions import UnexpectedEOF, UnexpectedToken
from lark.grammar import NonTerminal, Rule, Terminal
from lark.parsers.earley import Parser

from ibr.logic.english.lexis.tokens import Word

GRAMMAR: Final = Path(__file__).parent / "english.lark"
MOST = 24  # distinct meanings kept per node, cheapest first


class Stuck(Exception):
    """The grammar cannot go on at word `at`; None: at the end."""

    def __init__(self, at: int | None) -> None:
        super().__init__(at)
        self.at = at


class Priced(NamedTuple):
    """What an action answers where the meaning itself is less likely than others."""

    value: Hashable
    cost: int


class Leaf(NamedTuple):
    """A word as one of its classes."""

    type: str
    text: str


Meanings = dict[Hashable, int]
Action = Callable[[str, tuple[Any, ...]], Hashable]


class _Place(NamedTuple):
    """A word of the sequence, for lark: where it is, and the classes that it may be of."""

    at: int
    types: frozenset[str]


class _Places(NamedTuple):
    """What lark takes for a lexer: the words are classified already."""

    words: Sequence[Word]

    def lex(self, expected: object) -> Iterator[_Place]:
        return (_Place(at, word.types) for at, word in enumerate(self.words))


def rules_of(grammar: str) -> Iterator[Rule]:
    """`name: A b -> alias | C`, and no more of lark's language, whose own reader takes 0.1 s."""
    text = re.sub(r"//.*|^%declare.*", "", grammar, flags=re.MULTILINE)
    _, *parts = re.split(r"^(\w+):", text, flags=re.MULTILINE)
    for name, body in zip(parts[::2], parts[1::2], strict=True):
        for order, choice in enumerate(body.split("|")):
            symbols, _, alias = choice.partition("->")
            made = [Terminal(s) if s.isupper() else NonTerminal(s) for s in symbols.split()]
            yield Rule(NonTerminal(name), made, order, alias.strip() or None)


@cache
def _parser() -> Parser:
    rules = list(rules_of(GRAMMAR.read_text(encoding="utf-8")))
    parser = Parser(
        LexerConf([], re),
        ParserConf(rules, {}, ["start", "question"]),
        lambda terminal, place: terminal.name in place.types,
        resolve_ambiguity=False,
        tree_class=None,
    )
    # lark predicts every rule below a symbol each time it meets it; one level at a time finds the
    # same items in half the time.
    parser.predictions = {}
    for rule in rules:
        parser.predictions.setdefault(rule.origin, []).append(rule)
    return parser


def meanings(words: Sequence[Word], start: str, act: Action, costs: dict[str, int]) -> Meanings:
    """Every meaning of the whole sequence as a `start`; Stuck if the grammar has none."""
    try:
        root: Any = _parser().parse(_Places(words), start)  # type: ignore[no-untyped-call]
    except UnexpectedToken as error:
        raise Stuck(error.token.at) from None
    except UnexpectedEOF:
        raise Stuck(None) from None
    return _Evaluator(words, act, costs).symbol(root)


class _Evaluator:
    def __init__(self, words: Sequence[Word], act: Action, costs: dict[str, int]) -> None:
        self.words, self.act, self.costs = words, act, costs
        self.symbols: dict[int, Meanings] = {}
        self.prefixes: dict[int, dict[tuple[Any, ...], int]] = {}

    def symbol(self, node: Any) -> Meanings:
        """All meanings of a completed symbol."""
        known = self.symbols.get(id(node))
        if known is not None:
            return known
        found: Meanings = {}
        self.symbols[id(node)] = found
        for packed in node.children:
            origin = packed.rule.origin.name
            name = packed.rule.alias or origin
            price = self.costs.get(f"{origin}.{name}", 0)
            for children, cost in self.sequence(packed).items():
                value, total = self.act(name, children), cost + price
                if isinstance(value, Priced):
                    total += value.cost
                    value = value.value
                if value is not None:
                    found[value] = min(total, found.get(value, total))
        if len(found) > MOST:
            found = dict(sorted(found.items(), key=lambda item: item[1])[:MOST])
            self.symbols[id(node)] = found
        return found

    def sequence(self, packed: Any) -> dict[tuple[Any, ...], int]:
        """The children of one derivation, left to right, in every combination."""
        lefts = self.prefix(packed.left) if packed.left is not None else {(): 0}
        position = len(next(iter(lefts), ()))
        rights: Meanings
        if not lefts or packed.right is None:
            return lefts if packed.right is None else {}
        if hasattr(packed.right, "token"):
            type_ = packed.rule.expansion[position].name
            word = self.words[packed.right.token.at]
            rights = {Leaf(type_, word.said_as(type_)): word.cost(type_)}
        else:
            rights = self.symbol(packed.right)
        found: dict[tuple[Any, ...], int] = {}
        for left, left_cost in lefts.items():
            for right, right_cost in rights.items():
                key, cost = (*left, right), left_cost + right_cost
                found[key] = min(cost, found.get(key, cost))
        return found

    def prefix(self, node: Any) -> dict[tuple[Any, ...], int]:
        known = self.prefixes.get(id(node))
        if known is None:
            known = self.prefixes[id(node)] = {}
            for packed in node.children:
                for children, cost in self.sequence(packed).items():
                    known[children] = min(cost, known.get(children, cost))
        return known
