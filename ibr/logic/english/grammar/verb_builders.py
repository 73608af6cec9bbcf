"""What the rules of english.txt make of verb phrases and sentences."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from ibr.logic.english.grammar.noun_builders import ends_open
from ibr.logic.english.grammar.tree import (
    NP,
    PP,
    Co,
    Costly,
    Not,
    ObjRel,
    Rel,
    There,
    V,
    mapped,
)  # fmt: skip
from ibr.logic.english.lexis.forms import verb_base
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.people import is_person

_MODES = {"cannot": "can", "could": "can"}


class Advs(NamedTuple):
    """Adverbs before a verb: those that matter, and how many deny."""

    words: tuple[str, ...] = ()
    denials: int = 0


class Aux(NamedTuple):
    """An auxiliary. `kind`: be, have, do, modal."""

    kind: str
    tense: str = ""
    mode: str = ""
    denies: int = 0
    word: str = ""


class Choice(NamedTuple):
    """at night or at weekends"""

    op: str
    first: PP
    other: PP


def words(*parts: str) -> str:
    return " ".join(parts)


def timed(tree: Any, tense: str) -> Any:
    return mapped(tree, lambda v: v._replace(tense=v.tense or tense)) if tense else tree


def modal(tree: Any, mode: str) -> Any:
    return mapped(tree, lambda v: v._replace(mode=f"{mode} {v.mode}".strip()))


def negated(tree: Any, count: int = 1) -> Any:
    if not count % 2:
        return tree
    return tree.body if isinstance(tree, Not) else Not(tree)


def signed(advs: Advs, tree: Any) -> Any:
    """no longer works"""
    if advs.words and not isinstance(tree, There):
        tree = mapped(tree, lambda v: v._replace(advs=(*advs.words, *v.advs)))
    return negated(tree, advs.denials)


def inflected(aux: Aux, tree: Any) -> Any:
    tree = negated(timed(tree, aux.tense), aux.denies)
    mode = "may" if aux.mode == "must" and isinstance(tree, Not) else aux.mode
    return modal(tree, mode) if mode else tree


def stranded(aux: Aux, not_: str) -> Any:
    """but the toaster is not; Mei has"""
    return negated(V("ellipsis", aux.word, tense=aux.tense), bool(not_) + aux.denies)


def auxiliary(kind: str, word: str, tense: str = "") -> Aux:
    if kind != "modal":
        return Aux(kind, tense, word=word)
    return Aux(kind, "", _MODES.get(word, word), int(word == "cannot"), word)


def adverb(word: str, advs: Advs) -> Any:
    if len(advs.words) > 2:
        return None
    return Costly(
        advs._replace(words=(word, *advs.words)),
        int(not word.endswith("ly") or word in LISTS["adverbs"]),
    )


def denied(advs: Advs) -> int:
    return advs.denials + 1


def shared(tree: Any) -> Any:
    """has damaged or lost a bike: the bike is of both"""
    if isinstance(tree, Co) and all(isinstance(v, V) and v.form == "verb" for v in tree.items):
        *before, last = tree.items
        if last.obj is not None and not any(v.obj or v.tails or v.advs for v in before):
            return Co(tree.op, (*(v._replace(obj=last.obj) for v in before), last))
    return None


def unshared(tree: Any) -> Any:
    return Costly(_resumed(tree), int(shared(tree) is not None))


def _resumed(tree: Any) -> Any:
    """was a member last year and still is"""
    items = list(tree.items) if isinstance(tree, Co) else []
    for k, (before, item) in enumerate(pairwise(items), start=1):
        last, verb = (v.body if isinstance(v, Not) else v for v in (before, item))
        if isinstance(verb, V) and verb.form == "ellipsis" and isinstance(last, V):
            again = last._replace(tense=verb.tense, advs=())
            items[k] = Not(again) if isinstance(item, Not) else again
    return Co(tree.op, tuple(items)) if items else tree


def verb(
    lemma: str, tails: tuple[Any, ...], obj: Any = None, form: str = "verb", text: str = ""
) -> Any:
    made = tailed(V(form, lemma, obj=obj or None, text=text), tails)
    lacks = form == "verb" and not obj and tails and lemma in LISTS["transitive"]
    return made._replace(cost=made.cost + 3) if made and lacks else made  # things made of iron


def held_to_be(np: NP, advs: tuple[str, ...] = ()) -> V | None:
    """are called mammals; but not: is called a liar by Ann"""
    by = any(isinstance(post, PP) and post.prep == "by" for post in np.posts)
    return None if by else V("noun", "be", obj=np, advs=advs)


def banned(tails: tuple[Any, ...]) -> Any:
    """is forbidden in the pool: is not allowed there"""
    made = verb("allow", tails, "", "passive", "allowed")
    return made and made._replace(tree=Not(made.tree))


def somewhere(np: Any, vp: Any) -> Co:
    """where the printer stands: in it, on it or at it"""
    return Co("or", tuple(ObjRel(np, vp, prep) for prep in ("in", "on", "at")))


def longer_adjective(vp: Any, text: str) -> Rel | None:
    """people allergic to nuts"""
    return Rel(vp) if " " in text else None


def unaccompanied(tree: Any) -> Costly:
    """A word that is as often a noun is less likely a verb with nothing after it: store water"""
    alone = isinstance(tree, V) and tree == V("verb", tree.lemma)
    return Costly(tree, 3 * (alone and tree.lemma in LISTS["nouns"]))


def only_of(lemma: str, np: Any, tails: tuple[Any, ...]) -> Any:
    """eats only plants"""
    kinds = isinstance(np, NP) and np.det in ("bare", "mass")
    return tailed(V("verb", lemma, obj=np, advs=("only",)), tails) if kinds else None


def focused(tree: Any) -> Any:
    """may only be opened by the guard: only by him"""
    if not isinstance(tree, V) or not tree.tails:
        return None
    *before, last = tree.tails
    return tree._replace(tails=(*before, last._replace(prep=f"only {last.prep}")))


def exclusive(tree: Any) -> Any:
    """only eats plants: eats only plants; only gave Emil the pen: only him, or only that?"""
    if not isinstance(tree, V) or (tree.obj and tree.tails):
        return None
    return only_of(tree.lemma, tree.obj, tree.advs) if tree.obj else focused(tree)


def phrasal(lemma: str, particle: str, np: Any, tails: tuple[Any, ...]) -> Any:
    """bring back the towel, turn off the lamp"""
    known = particle in ("out", "away", "back", "apart")
    if not known and f"{lemma} {particle}" not in LISTS["phrasal"]:
        return None
    return tailed(V("verb", lemma, obj=np, advs=(particle,)), tails)


def to_whom(lemma: str, np: Any, obj: Any, tails: tuple[Any, ...]) -> Any:
    """gave Mia a present"""
    known = isinstance(np, NP) and (is_person(np.noun) or np.noun in LISTS["humans"])
    person = isinstance(np, NP) and (np.det in ("name", "pro", "someone") or known)
    made = tailed(V("verb", lemma, obj=obj, tails=(PP("to", np),)), tails)
    group = isinstance(np, NP) and np.det in ("the", "poss") and obj.det not in ("mass", "bare")
    return made if person else (made and group and made._replace(cost=made.cost + 1)) or None


def thinks(lemma: str, text: str) -> V | None:
    """thinks Lea is rich"""
    return V("verb", lemma, advs=(f"that {text}",)) if text.count(" ") > 1 else None


def state(lemma: str, tree: Any, *before: str) -> Any:
    """gets wet, feels tired, comes back late"""
    if not isinstance(tree, V):
        return None
    if lemma in LISTS["becoming"] and not tree.advs:
        return tree
    return V("verb", lemma, advs=(*before, *tree.advs, tree.lemma), tails=tree.tails)


def broken(lemma: str, word: str, base: str, tails: tuple[Any, ...]) -> Any:
    """gets broken, stays closed"""
    passive = V("passive", base, text=word)
    return tailed(passive if lemma in LISTS["becoming"] else V("verb", lemma, advs=(word,)), tails)


def tailed(v: V, tails: tuple[Any, ...]) -> Any:
    """A predicate with the places and adverbs after it."""
    if len(tails) > 4:
        return None
    cost, tree, opened = 0, v, 0
    for k, tail in enumerate(tails):
        cost += opened if tail else 0  # given to all who come | in after the bell
        if isinstance(tail, Choice):
            return Costly(_chosen(tree, tail), cost) if k == len(tails) - 1 else None
        if isinstance(tail, str):
            tree = tree._replace(advs=(*tree.advs, tail)) if tail else tree
            continue
        if not _fits(tree, tail) or _parted(tail, tails[k + 1 :]):
            return None
        is_gerund = isinstance(tail.np, NP) and tail.np.word == "gerund"
        late = tail.prep == "of" and (v.form != "adj" or bool(tree.tails))
        cost += (late or v.lemma in LISTS["placeless"]) and not is_gerund
        cost += isinstance(v.obj, NP) and ends_open(v.obj)  # anything that is locked in the case
        opened |= is_gerund or (isinstance(tail.np, NP) and ends_open(tail.np))
        tree = tree._replace(tails=(*tree.tails, tail))
    return Costly(tree, cost)


def _fits(v: V, tail: PP) -> bool:
    if tail.prep == "than":
        compared = v.form == "adj" or "more" in v.advs
        return compared and not any(pp.prep == "than" for pp in v.tails)
    is_kind = v.lemma == "count" or (v.form == "passive" and v.lemma in LISTS["as"])
    return not (tail.prep == "as" and is_kind)


def _parted(tail: PP, later: tuple[Any, ...]) -> bool:
    """bought a lamp for his aunt and a rug for himself: the rug is none of the aunt's company"""
    last = tail.np.items[-1] if isinstance(tail.np, Co) else None
    posts = (*later, *getattr(last, "posts", ()))
    return bool(last) and any(isinstance(p, PP) and p.prep == tail.prep for p in posts)


def _chosen(v: V, tail: Choice) -> Co:
    one, other = (v._replace(tails=(*v.tails, pp)) for pp in (tail.first, tail.other))
    return Co("and", (one, Not(other))) if tail.op == "but not" else Co(tail.op, (one, other))


def made_so(lemma: str, np: Any, adjective: str) -> Any:
    """paints the door green; but not: gets ice | cream"""
    made = V("verb", lemma, obj=np, advs=(adjective,))
    return Costly(made, 3) if np.det in ("mass", "bare") and not np.plural else made


def going_on(tree: Any, lemma: str) -> Any:
    """is barking; but who is getting tired is not tired yet"""
    becoming = lemma in LISTS["becoming"] and getattr(tree, "form", "") in ("adj", "passive")
    if becoming and not tree.lemma.endswith("er"):  # the days are getting shorter
        return tree._replace(advs=("increasingly", *tree.advs))
    return tree._replace(text="now") if isinstance(tree, V) else tree


def doing(base: str, text: str) -> str:
    """enters the water: entering the water"""
    forms = (f"{base.removesuffix('e')}ing", f"{base}{base[-1]}ing")
    said = next((form for form in forms if verb_base(form) == base), forms[0])
    return " ".join((said, *text.split()[1:]))


def reduced(advs: Advs, tree: Any) -> Any:
    """bought in the shop"""
    bare = isinstance(tree, V) and not (tree.tails or tree.advs or tree.obj or tree.mode)
    return None if bare else signed(advs, timed(tree, "any"))
