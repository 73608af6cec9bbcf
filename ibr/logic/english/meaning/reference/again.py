"""What "one", "hers" and "mine" stand for: a thing of the kind that was spoken of before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ibr.logic.english.grammar.tree import NP, PP, There, V
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.literals import Refusal

_HAVING = LISTS["have-like"] | {"with", "without", "need"}
_INDEFINITE = ("a", "another", "poss", "bare", "num")
Things = tuple[tuple[str, NP], ...]  # each with the verb whose object it is


def things_in(tree: Any) -> Things:
    """Kinds of things that somebody has, does something to, or does without."""
    return tuple((verb, np) for verb, np in _objects(tree, "") if np.noun != "one")


def _objects(tree: Any, verb: str) -> Iterator[tuple[str, NP]]:
    if isinstance(tree, NP) and verb and tree.det in _INDEFINITE:
        yield verb, tree
    if isinstance(tree, V):
        verb = "" if tree.form == "noun" else tree.lemma
    elif isinstance(tree, PP):
        verb = tree.prep if tree.prep in _HAVING else "of"
    else:
        verb = "have" if isinstance(tree, There) else ""
        subj = getattr(tree, "subj", None)
        if isinstance(subj, NP) and subj.det == "poss":  # Ann's dog is old; mine is young
            yield "be", subj
    for part in tree if isinstance(tree, tuple) else ():
        yield from _objects(part, "have" if verb in _HAVING else verb)


def filled_in(tree: Any, before: Things) -> Any:
    """The tree with the nouns that it leaves out. Raises Refusal."""
    ones = [pair for pair in _objects(tree, "") if pair[1].word == "again"]
    return _filled(tree, {np: v for v, np in ones}, things_in(tree), before) if ones else tree


def _filled(tree: Any, ones: dict[NP, str], here: Things, before: Things) -> Any:
    if isinstance(tree, NP) and tree in ones:
        earlier = tuple(pair for pair in here if pair[1].at < tree.at)
        kind = _kind(ones[tree], earlier) or _kind(ones[tree], before)
        if kind is None:
            raise Refusal(f'"{tree.noun}": one of what?')
        posts = () if tree.owner else tuple(p for p in kind.posts if isinstance(p, PP))
        return tree._replace(noun=kind.noun, mods=kind.mods, posts=posts, word=tree.det)
    if not isinstance(tree, tuple):
        return tree
    parts = [_filled(part, ones, here, before) for part in tree]
    return type(tree)(*parts) if hasattr(tree, "_fields") else tuple(parts)


def _kind(verb: str, things: Things) -> NP | None:
    """The only thing of the same verb, else the only thing; "a" before others."""
    for some in ([np for v, np in things if v == verb], [np for _, np in things]):
        for nps in ([np for np in some if np.det in ("a", "another")], some):
            if len({(np.noun, np.mods) for np in nps}) == 1:
                return nps[-1]
            if nps:
                break
    return None
