"""A subject and what is stated of it, put together: also asked, set off, inverted or clefted."""

from __future__ import annotations

from typing import Any

from ibr.logic.english.grammar.tree import NP, PP, Clause, Co, Not, ObjRel, Rel, V
from ibr.logic.english.grammar.verb_builders import Aux, inflected, negated
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.people import is_person


def predicated(np: Any, vp: Any) -> Clause | None:
    if isinstance(np, NP) and np.noun == "name" and isinstance(vp, V) and vp.form == "noun":
        return _called(np, vp)
    clefted = _uncleft(np, vp) if getattr(np, "word", "").lower() in ("what", "whoever") else None
    if clefted:
        return clefted
    if isinstance(np, NP) and np.det == "pro" and np.word in ("him", "them", "her"):
        return None
    nobody = isinstance(np, NP) and np.det in ("nobody", "no")
    return Clause(np, _lacking(vp) if nobody else vp)


def _lacking(vp: Any) -> Any:
    """Nobody gets tablets without a prescription: without it nobody gets them"""
    np = vp.obj if isinstance(vp, V) and vp.lemma in LISTS["placeless"] - {"have"} else None
    lacking = [p for p in getattr(np, "posts", ())[-1:] if p[0] == "without"]
    if not isinstance(np, NP) or not lacking:
        return vp
    return vp._replace(obj=np._replace(posts=np.posts[:-1]), tails=(*lacking, *vp.tails))


def _uncleft(np: NP, vp: Any) -> Clause | None:
    """What Ben forgot was his passport: he forgot it. The one who sang was Tom: he sang."""
    if not (isinstance(vp, V) and vp.form == "noun" and np.posts) or vp.mode or vp.advs:
        return None
    post, obj = np.posts[0], vp.obj
    if isinstance(post, ObjRel) and isinstance(post.vp, V) and not (post.prep or post.vp.obj):
        return Clause(post.subj, post.vp._replace(obj=obj))
    one = isinstance(post, Rel) and isinstance(obj, NP) and obj.det in ("name", "the")
    return Clause(obj, post.vp) if one else None


def _called(np: NP, vp: V) -> Clause | None:
    """The cat's name is Miso."""
    of = [post.np for post in np.posts if isinstance(post, PP) and post.prep == "of"]
    who = np.owner or next(iter(of), None)
    is_name = isinstance(vp.obj, NP) and vp.obj.det == "name"
    return Clause(who, vp._replace(lemma="call")) if who and is_name else Clause(np, vp)


def set_off(np: Any, vp: Any) -> Clause | None:
    """dogs, cats, and horses, may"""
    return predicated(np, vp) if isinstance(np, Co) or np.excepts else None


def extraposed(vp: Any, rel: Any, at: int, word: str) -> Clause | None:
    """Nobody may use the sauna who is ill: nobody who is ill may"""
    verb = vp.body if isinstance(vp, Not) else vp
    thing = isinstance(verb, V) and isinstance(verb.obj, NP) and verb.obj.noun
    if not thing or verb.obj.posts or verb.tails or is_person(verb.obj.noun):
        return None
    return Clause(NP("nobody", posts=(rel,), word=word, at=at), vp)


def asked(aux: Aux, np: Any, rest: Any) -> Clause | None:
    number = {"is": "sg", "was": "sg", "are": "pl", "were": "pl"}.get(aux.word, "any")
    agrees = "any" in (number, np.number) or number == np.number
    return Clause(np, inflected(aux, rest)) if agrees else None


def denied_too(aux: Aux, np: Any, rest: Any) -> Clause | None:
    """nor does she drink milk"""
    clause = asked(aux, np, rest)
    return clause and clause._replace(vp=negated(clause.vp))
