"""Changes to verb phrases: tense, mode, denial, adverbs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ibr.logic.english.grammar.chart import Found
from ibr.logic.english.grammar.tree import NP, PP, Co, Not, V
from ibr.logic.english.lexis.people import is_person


def sharing(found: Iterator[Found]) -> Iterator[Found]:
    """has damaged or lost a bike: the bike is of both"""
    for end, tree, cost in found:
        if isinstance(tree, Co) and all(isinstance(v, V) and v.form == "verb" for v in tree.items):
            *first, last = tree.items
            if last.obj is not None and all(
                v.obj is None and not v.tails and not v.advs for v in first
            ):
                shared = (*(v._replace(obj=last.obj) for v in first), last)
                yield end, Co(tree.op, shared), cost
                cost += 1
        yield end, tree, cost


def takes(np: Any) -> bool:
    """Whether somebody can be given something: Mia, her, the guest, each pupil."""
    return isinstance(np, NP) and (np.det in ("name", "pro", "someone") or is_person(np.noun))


def with_place(tree: V, pp: PP) -> V:
    return tree._replace(tails=(*tree.tails, pp))


def _mapped(tree: Any, change: Any) -> Any:
    if isinstance(tree, Co):
        return Co(tree.op, tuple(_mapped(item, change) for item in tree.items))
    if isinstance(tree, Not):
        return Not(_mapped(tree.body, change))
    return change(tree)


def timed(tree: Any, tense: str) -> Any:
    if not tense:
        return tree
    return _mapped(tree, lambda v: v._replace(tense=v.tense or tense))


def modal(tree: Any, mode: str) -> Any:
    return _mapped(tree, lambda v: v._replace(mode=f"{mode} {v.mode}".strip()))


def added(tree: Any, advs: tuple[str, ...]) -> Any:
    if not advs:
        return tree
    return _mapped(tree, lambda v: v._replace(advs=(*advs, *v.advs)))


def negated(tree: Any, count: int) -> Any:
    if not count % 2:
        return tree
    return tree.body if isinstance(tree, Not) else Not(tree)
