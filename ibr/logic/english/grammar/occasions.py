"""Times that sentences name: Sundays, school days, night; what holds then, or only then."""

from __future__ import annotations

from typing import Any

from ibr.logic.english.grammar.tree import (
    NP,
    Clause,
    Co,
    Cond,
    Not,
    There,
    V,
    mapped,
)  # fmt: skip
from ibr.logic.english.lexis.lists import LISTS

_TIMES = LISTS["times"] | LISTS["noun-phrases-times"] | {"holiday", "midnight", "noon"}


def time_of(np: Any) -> str:
    """Saturday, of Saturdays; night; bank holiday, of a bank holiday and of bank holidays"""
    if not isinstance(np, NP) or np.posts or np.det not in ("name", "mass", "bare", "a"):
        return ""
    day = np.noun.removesuffix("s")
    if day in LISTS["weekdays"] or (np.det == "mass" and day in LISTS["noun-phrases-times"]):
        return "" if np.mods else day
    return " ".join((*(m.text for m in np.mods), np.noun)) if np.det in ("a", "bare") else ""


def day(at: int, vp: Any) -> Clause | None:
    """today is Sunday, today is a holiday"""
    inner = vp.body if isinstance(vp, Not) else vp
    if not isinstance(inner, V) or inner.form not in ("noun", "adj"):
        return None
    if inner.form == "noun" and inner.obj.det == "name":
        vp = mapped(vp, lambda v: v._replace(form="adj", lemma=v.obj.noun, obj=None))
    return Clause(NP("it", word="it", at=at), vp)


def occasion(np: Any, at: int) -> Clause | None:
    """On school days, at night: it is a school day, it is night."""
    if not isinstance(np, NP):
        return None  # on Fridays and Sundays
    if np.det == "the" and np.noun in LISTS["noun-phrases-times"]:
        np = np._replace(det="mass")  # in the morning
    time = time_of(np).rpartition(" ")[2]
    known = time.endswith("day") or time in _TIMES
    if not time or not known:
        return None
    named = np.det in ("name", "mass") or time in LISTS["weekdays"]
    is_one = V("adj", time) if named else V("noun", "be", obj=np._replace(det="a", plural=False))
    return Clause(NP("it", word="it", at=at), is_one)


def only_then(tree: Clause) -> tuple[Any, ...]:
    """It rings only on school days: if it is one, and only if."""
    only = [t for t in tree.vp.tails if t.prep.startswith("only ")]
    times = {t: occasion(t.np, t.np.at) if isinstance(t.np, NP) else None for t in only}
    stuff = not tree.vp.mode and tree.subj.det in ("bare", "mass")  # is sold at all?
    if len(times) != 1 or None in times.values() or tree.vp.tense or stuff:
        return ()
    ((tail, time),) = times.items()
    rest = tuple(t for t in tree.vp.tails if t != tail)
    main = tree._replace(vp=tree.vp._replace(tails=rest))
    if main.vp.mode:
        return (Cond("only if", time, main),)
    if tail.prep != "only on":  # what it sells in summer, it sells
        return (Cond("only if", time, main), Cond("if", time, main))
    told = tree._replace(vp=tree.vp._replace(tails=(*rest, tail._replace(prep="on"))))
    return (Cond("only if", time, main), told)


def excluding(main: Any, time: Clause) -> Any:
    """Dogs are not allowed in the park except in winter: in winter they are."""
    plain = isinstance(main, Clause)
    if plain and isinstance(main.vp, Not):
        then = Cond("if", time, main._replace(vp=main.vp.body))
        return Co("and", (Cond("unless", time, main), then))
    return Cond("unless", time, main) if plain or isinstance(main, There) else None
