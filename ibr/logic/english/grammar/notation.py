"""The notation of english.txt: one alternative a line, `phrase(features) : parts -> tree ; cost`.

A part is a word or one of several ("is|are", <list> of lists.txt), a class of words (N), a phrase
with its features (np(subj)), several phrases with and, or (np1++0), a test of a feature
([num sg|any], ! for none of them), or the end of the sentence ($). & looks ahead, ! looks ahead for
the opposite, ? may be missing, `x:` names a part; else its name is its word. A name or a feature
stands for its value; any other word, and what is in quotes, for itself. `at`, `word`, `before` and
`text` are the place, its word, the word before, and all words of the phrase. The tree is an
expression of the functions of the modules of builders, or else the value of the last part; None is
no tree.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ibr.logic.english.grammar import (
    choice_builders,
    clause_builders,
    noun_builders,
    occasions,
    subject_builders,
    tree,
    verb_builders,
)  # fmt: skip
from ibr.logic.english.grammar.tree import Costly
from ibr.logic.english.lexis.lists import LISTS

if TYPE_CHECKING:
    from ibr.logic.english.grammar.chart import Chart

Found = tuple[int, Any, int]  # end, tree, cost
Values = tuple[Any, ...]
Part = Callable[["Chart", int, Values], Iterable[Found]]
Make = Callable[[Any, int, Values], Any]  # of the chart, the end and the values


class Rule(NamedTuple):
    """`features`: None where any value fits."""

    features: tuple[str | None, ...]
    parts: tuple[Part, ...]
    make: Callable[[Chart, int, Values], Any]
    cost: int


_BUILDERS = vars(tree) | vars(noun_builders) | vars(verb_builders) | vars(clause_builders)
_BUILDERS |= vars(choice_builders) | vars(occasions) | vars(subject_builders)
_LINE = re.compile(
    r"(\w+)(?:\(([^)]*)\))?\s*:((?:[^;\"]|\"[^\"]*\")*?)(?:->([^;]*))?(?:;\s*(-?\d+))?"
)
_PART = re.compile(
    r"""\s*(?P<look>[&!])?(?:(?P<name>\w+):)?
    (?: "(?P<words>[^"]*)" | (?P<list><[\w-]+>) | \[(?P<test>[\w.]+)\s+(?P<no>!)?(?P<set>[^]]*)\]
    | (?P<end>\$) | (?P<cls>[A-Z]+)\b
    | (?P<phrase>[a-z]\w*)(?:\((?P<args>[^)]*)\))?(?P<several>\+\+\d)? )(?P<maybe>\?)?\s*""",
    re.VERBOSE,
)


def read(path: Path) -> dict[str, list[Rule]]:
    """The rules of a file, by phrase."""
    rules: dict[str, list[Rule]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        text = line.partition("#")[0].strip()
        if text:
            match = _LINE.fullmatch(text)
            assert match, line
            rules.setdefault(match[1], []).append(_rule(*match.groups()[1:]))
    return rules


def _rule(features: str | None, parts: str, result: str | None, cost: str | None) -> Rule:
    given = (features or "").split()
    names = {"before": 0, "word": 1, "at": 2}
    names |= {f: 3 + k for k, f in enumerate(given) if not f.startswith("'")}
    made: list[Part] = []
    last = 0
    for match in _PART.finditer(parts.strip()):
        word = match["name"] or match["phrase"] or match["cls"]
        made.append(_part(match, names))
        if not match["look"] and not match["test"]:
            last = 2 + len(given) + len(made)
            names |= {word: last} if word else {}
    assert "".join(m[0] for m in _PART.finditer(parts.strip())) == parts.strip(), parts
    made_of = _expression(ast.parse(result.strip(), mode="eval").body, names) if result else None
    make = made_of or (lambda c, end, v: v[last])
    constants = tuple(f.strip("'") if f.startswith("'") else None for f in given)
    return Rule(constants, tuple(made), make, int(cost or 0))


def words_of(text: str) -> frozenset[str]:
    """The words of "a|b|<list>"."""
    found: set[str] = set()
    for word in text.split("|"):
        found |= LISTS[word[1:-1]] if word.startswith("<") else {word}
    return frozenset(found)


def _part(match: re.Match[str], names: Mapping[str, int]) -> Part:
    if match["test"]:
        return _test(_value(match["test"], names), words_of(match["set"]), bool(match["no"]))
    if match["phrase"]:
        args = tuple(_value(arg, names) for arg in (match["args"] or "").split())
        cat, several = match["phrase"], match["several"]
        if several:
            link = int(several[2:])
            return lambda c, i, v: c.several(cat, i, tuple(arg(v) for arg in args), link)
        return lambda c, i, v: c.find(cat, i, tuple(arg(v) for arg in args))
    one = _terminal(match)
    if match["look"]:
        wanted = match["look"] == "&"
        return lambda c, i, v: ((i, "", 0),) if bool(one(c, i, v)) == wanted else ()
    if match["maybe"]:
        return lambda c, i, v: one(c, i, v) or ((i, "", 0),)
    return one


def _terminal(match: re.Match[str]) -> Part:
    if match["end"]:
        return lambda c, i, v: ((i, "", 0),) if i == c.n else ()
    if match["cls"]:
        cls = match["cls"]
        return lambda c, i, v: ((i + 1, *c.uses[i][cls]),) if cls in c.uses_at(i) else ()
    wanted = words_of(match["words"] if match["words"] is not None else match["list"])
    return lambda c, i, v: ((i + 1, c.words[i], 0),) if c.word(i) in wanted else ()


def _test(value: Callable[[Values], Any], wanted: frozenset[str], no: bool) -> Part:
    return lambda c, i, v: ((i, "", 0),) if (value(v) in wanted) != no else ()


def _value(text: str, names: Mapping[str, int]) -> Callable[[Values], Any]:
    made = _expression(ast.parse(text, mode="eval").body, names)
    return lambda v: made(None, 0, v)


def _expression(node: ast.expr, names: Mapping[str, int]) -> Make:
    """What an expression makes of the values of a rule."""
    match node:
        case ast.Name(id="text"):
            return lambda c, end, v: c.text(v[2], end)
        case ast.Name(id=name) if name in names:
            k = names[name]
            return lambda c, end, v: v[k]
        case ast.Name(id=name):
            return lambda c, end, v: name
        case ast.Constant(value=value):
            return lambda c, end, v: value
        case ast.Attribute(value=ast.Name(id=name), attr=field):
            k = names[name]
            return lambda c, end, v: getattr(v[k], field)
        case ast.Tuple(elts=elements):
            parts = [_expression(element, names) for element in elements]
            return lambda c, end, v: tuple([part(c, end, v) for part in parts])
        case ast.Call(func=ast.Name(id=name), args=given, keywords=keywords):
            build = _BUILDERS[name]
            args = [_expression(arg, names) for arg in given]
            keys = {key.arg or "": _expression(key.value, names) for key in keywords}
            inner = [isinstance(arg, ast.Call) for arg in (*given, *(k.value for k in keywords))]
            if any(inner):
                build = _of_trees(build, inner)
            return lambda c, end, v: build(
                *[arg(c, end, v) for arg in args],
                **{key: arg(c, end, v) for key, arg in keys.items()},
            )
    raise ValueError(ast.unparse(node))


def _of_trees(build: Callable[..., Any], inner: list[bool]) -> Callable[..., Any]:
    """Some values are themselves made: where one is no tree, neither is the whole; costs add up."""

    def made(*args: Any, **keys: Any) -> Any:
        values = [*args, *keys.values()]
        if any(value is None for value, is_made in zip(values, inner, strict=True) if is_made):
            return None
        cost = sum(value.cost for value in values if isinstance(value, Costly))
        values = [value.tree if isinstance(value, Costly) else value for value in values]
        keys = dict(zip(keys, values[len(args) :], strict=True))
        found = build(*values[: len(args)], **keys)
        if isinstance(found, Costly):
            return found._replace(cost=found.cost + cost)
        return Costly(found, cost) if cost and found is not None else found

    return made
