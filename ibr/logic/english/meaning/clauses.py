"""Clauses: who is stated to be or to do what, and of how many of a kind it is meant."""

from __future__ import annotations

from functools import partial
from typing import Any

from ibr.logic.english.grammar.occasions import only_then, time_of
from ibr.logic.english.grammar.tree import (
    NP,
    PP,
    Called,
    Clause,
    Co,
    Not,
    V,
    mapped,
    named_in,
)  # fmt: skip
from ibr.logic.english.lexis.knowledge import KINDS
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.formulas import (
    TIMES,
    Formula,
    Then,
    atom,
    both,
    collective,
    happened,
    in_active,
    may_be_a_guess,
    now_of,
    owns,
    passing,
)  # fmt: skip
from ibr.logic.english.meaning.identities import Identities
from ibr.logic.english.meaning.literals import Refusal
from ibr.logic.english.meaning.reference.discourse import Ref
from ibr.logic.english.meaning.terms import Ind, Pred

_KINDS = ("bare", "all", "every", "a")
_EACH_OTHER = {"each other", "one another"}


class Clauses(Identities):
    """A subject and a verb phrase."""

    kind_said = ""  # what "it" is stated to be: the cake, unless it is a fruit cake

    def _fitting(self, refs: list[Ref], word: str) -> list[Ref]:
        found = super()._fitting(refs, word)
        return [ref for ref in found if self.kind_said and ref.noun == self.kind_said] or found

    def clause(self, tree: Clause) -> Formula:
        """Also what holds now of what holds on Sundays, where today is stated to be one."""
        stated = not (self.asking or self.conditional or self.ruled or self.under)
        if stated and not isinstance(tree.vp, Not | Co):
            apart = only_then(tree)
            if apart:
                return both(*map(self.sentence, apart))
        now = now_of(tree.vp, self.discourse.now) if stated and self.discourse.now else None
        if now is None:
            return self._voiced(tree)
        before = [*self.scope]
        also = self._voiced(tree._replace(vp=now[1]))
        self.scope = before
        time, it = time_of(now[0]), Ind("it")
        held = atom("adj", time, it)
        if time not in TIMES:
            held = self.as_condition(lambda: self.restrictions(now[0], it))
        return both(self._voiced(tree), ("if", held, also))

    def _voiced(self, tree: Clause) -> Formula:
        active = None if self.conditional else in_active(tree, self.asking)
        if active is None:
            return self._predicated(tree)
        if self.asking or not (tree.subj.plural or tree.subj.det == "mass"):
            return self._predicated(active)
        before = [*self.scope]
        also = self._predicated(active)
        self.scope = before
        return both(self._predicated(tree), also)

    def _predicated(self, tree: Clause) -> Formula:
        subj, vp = tree.subj, tree.vp
        state = vp.body if isinstance(vp, Not) else vp
        is_it = isinstance(subj, NP) and (subj.det, subj.word) == ("pro", "it")
        if is_it and isinstance(state, V) and state.lemma in self.discourse.weather:
            raise Refusal('"it" is the weather')
        if is_it and _is_of_time(state):
            raise Refusal('"it" is a time')
        if isinstance(subj, Co) and subj.op == "only":
            return self._only(subj.items[0], vp)
        items = subj.items if isinstance(subj, Co) else ()
        names = [p.name for i in items for p in getattr(i, "posts", ()) if isinstance(p, Called)]
        if len({*names}) < len(names):
            raise Refusal(f'"{names[0]}": two have this name')  # the poet Hans and the painter Hans
        group = self._group(subj) if collective(vp) else None
        if group is not None:
            return self._of_each_other(group, vp)
        found = self.definition(subj, vp) or self.identity(subj, vp)
        if found:
            return found
        vp = self._filled(vp)
        if not self.either("kind", self._may_be_a_kind(subj, vp)):
            subj = subj._replace(det="every")
        if isinstance(vp, V) and vp.form == "needed":
            return self._needed(subj, vp)
        if not (self.asking or self.conditional or self.either("guess", may_be_a_guess(subj, vp))):
            return ("nothing",)
        kinds = isinstance(subj, NP) and subj.det in ("bare", "all") and not subj.posts
        if kinds and isinstance(state, V) and state.lemma in LISTS["of-kinds"]:
            raise Refusal(f'"{state.lemma}" may hold of the kind, and not of each')
        if isinstance(state, V) and _together(subj, state) and not self.asking:
            raise Refusal("it speaks of a group: say of each what is meant")
        one_each = isinstance(vp, V) and vp.form == "passive" and any(map(_is_each, vp.tails))
        one_each = one_each and not subj.posts
        generic = not (happened(vp) or one_each)  # a slip is given to every child: each gets one
        generic, self.stressed = generic and self._is_of_all(subj, vp), isinstance(vp, Not)
        self.barred = frozenset(named_in(vp))  # she has not the manager's key: another "she"
        points = getattr(subj, "det", "") == "pro" and getattr(state, "form", "") == "noun"
        self.kind_said = getattr(state.obj, "noun", "") if points else ""
        found = self.np(subj, lambda term: self.said(vp, term), subject=True, generic=generic)
        self.kind_said = ""
        if self._is_of_some(subj, vp) and found[0] == "if":
            found = both(found, self.said(vp, self.kind(subj)))
        self.last_vp = vp
        return found

    def _of_each_other(self, subj: Co, vp: Any) -> Formula:
        """Ana and Luz are sisters, they like each other: each of the other"""
        several = isinstance(vp, V) and vp.form == "noun" and vp.obj.plural
        mutual = _EACH_OTHER & {*vp.advs} if isinstance(vp, V) and vp.form == "verb" else set()
        if not (several or (mutual and vp.obj is None)) or len(subj.items) != 2:
            raise Refusal("it speaks of a group: say of each what is meant")
        self.mention_all(subj, True)
        found = []
        for who, other in (subj.items, subj.items[::-1]):
            of = other
            if several:
                of = vp.obj._replace(det="a", plural=False, posts=(PP("of", other),))
            rest = tuple(adv for adv in vp.advs if adv not in mutual)
            found.append(self.clause(Clause(who, vp._replace(obj=of, advs=rest))))
        return ("&", *found)

    def _group(self, subj: Any) -> Co | None:
        """Ana and Luz, also as "they"."""
        if isinstance(subj, NP) and subj.det == "pro" and subj.plural:
            subj = self.discourse.groups.get(self.pronoun(subj, True))
        return subj if isinstance(subj, Co) and subj.op == "and" else None

    def _is_of_all(self, subj: Any, vp: Any) -> bool:
        """A dog is in the garden, wolves have been seen: each of them, or some?"""
        indefinite = isinstance(subj, NP) and subj.det in ("a", "bare")
        indefinite = indefinite and all(isinstance(p, PP) and p.prep == "of" for p in subj.posts)
        free = not (self.conditional or self.ruled or self.under or self.asking)
        return self.either("all", indefinite and free and passing(vp, subj.det == "a"))

    def _is_of_some(self, subj: Any, vp: Any) -> bool:
        """Bees visit the bluebell: some do, too"""
        plain = isinstance(subj, NP) and subj.det == "bare" and not (subj.posts or subj.excepts)
        does = isinstance(vp, V) and vp.form == "verb" and not (vp.mode or vp.tense or vp.advs)
        one = does and getattr(vp.obj, "det", "") in ("name", "the") and not vp.obj.plural
        return plain and one and not (self.asking or self.conditional or self.ruled or self.under)

    def _may_be_a_kind(self, subj: Any, vp: Any) -> bool:
        """The owl hunts at night, where somebody is stated to be an owl: that one, or all?"""
        habit = isinstance(vp, V) and vp.form == "verb" and not vp.tense + vp.mode + vp.text
        plain = isinstance(subj, NP) and subj.det == "the" and not (subj.mods or subj.posts)
        said = not (self.conditional or self.ruled or self.asking)
        return (
            habit and plain and said and subj.noun in self.discourse.classes and subj.noun in KINDS
        )

    def _needed(self, subj: Any, vp: V) -> Formula:
        """A badge is needed to enter the lab: who has none may not."""
        if self.conditional or self.asking or not isinstance(subj, NP):
            raise Refusal("it says what is needed: say who must have it")
        var = self.new_variable()
        self.variable += 1
        test = self.as_condition(lambda: self.placed(Pred("prep", "with", var), subj))
        said = self.vp(mapped(vp.obj, lambda v: v._replace(mode="may")), var)
        self.variable -= 1
        return ("only", said, test)

    def _filled(self, vp: Any) -> Any:
        """but the toaster is not: what was stated before, denied"""
        inner = vp.body if isinstance(vp, Not) else vp
        if not isinstance(inner, V) or inner.form != "ellipsis":
            return vp
        if self.last_vp is None:
            raise Refusal("it seems to end too early")
        last = self.last_vp.body if isinstance(self.last_vp, Not) else self.last_vp
        aims = isinstance(last, V) and any(adv.startswith("to ") for adv in last.advs)
        if aims or (isinstance(last, V) and last.mode.endswith(" to")):
            raise Refusal("did what: wanted it, or did it?")
        if owns(last) and not isinstance(vp, Not):
            raise Refusal("so does another: with the same one, or with an own one?")
        lacks = getattr(getattr(last, "obj", None), "det", "") == "no"  # has no car; nor does Jo
        if lacks and not isinstance(vp, Not):
            raise Refusal("has one, or has none, too?")
        return Not(last) if isinstance(vp, Not) and not lacks else last

    def _only(self, np: Any, vp: Any) -> Formula:
        """Only members may vote: who is none may not; and who may is one."""
        vp = self._filled(vp)
        if isinstance(vp, Not):
            raise Refusal('"only … not": say of whom it holds')
        if any(one.det in ("num", "some", "lots") or one.word == "of" for one in _each(np)):
            raise Refusal('"only" some of them: of which ones does it hold?')
        many = getattr(getattr(vp, "obj", None), "det", "") in ("a", "bare", "every", "all")
        if many and np.det == "the" and np.noun in LISTS["of-what"] and not np.posts:
            raise Refusal(f'"the {np.noun}": of which?')  # only the owner may delete a file
        granted, before = None, [*self.scope]
        if all(map(_is_one, _each(np))) and not (self.conditional or self.asking):
            granted = self.np(np, lambda term: self.vp(vp, term))
        self.scope = before
        var = self.new_variable()
        self.unrestricted.add(var.name)
        self.variable += 1
        test = self.as_condition(lambda: self.member(np, var))
        self.mention(var, getattr(np, "noun", ""), True, True, True)
        said = self.vp(vp, var)
        self.variable -= 1
        only: Formula = ("only", said, test)
        return only if granted is None else ("and", only, granted)

    def several(self, np: Co, then: Then, subject: bool, generic: bool) -> Formula:
        items = np.items
        each = partial(self.np, subject=subject, generic=generic)
        dets = {i.det if isinstance(i, NP) else "" for i in items}
        plain = not self.conditional and not self.asking
        if isinstance(items[0], NP) and items[0].det == "no":
            if np.op == "and" and self.conditional and not items[0].plural:
                raise Refusal('"no … and …": neither, or not both?')
            none = (i._replace(det="no") if i.det in ("bare", "mass", "a") else i for i in items)
            return ("and", *(each(i, then) for i in none))
        if np.op == "nor":
            return ("and", *(each(i, lambda t: ("not", then(t))) for i in items))
        if np.op == "but not":
            first, self.denied = each(items[0], then), self.denied + 1
            rest, self.denied = self.np(items[1], then), self.denied - 1
            return ("&", first, ("not", rest))
        if np.op in ("or", "xor") and subject and plain and dets <= {*_KINDS}:
            return ("and", *(each(i, then) for i in items))
        simple = dets <= {"a", "bare", "mass", "num"} and not any(i.posts for i in items)
        stated = not (subject or self.conditional or self.denied or self.nobody)
        if np.op in ("or", "xor") and stated and (simple or (self.free and plain)):
            return ("and" if self.free else np.op, *(each(i, then) for i in items))
        shared = self.new_variable() if subject and dets <= {*_KINDS} else None
        found = []
        for item in items:  # members and guests: of each it is stated, so they share a variable
            self.shared = shared
            found.append(each(item, then))
        self.shared = None
        if np.op == "and" and plain:
            self.mention_all(np, subject)
        return ("&" if np.op == "and" else np.op, *found)


def _is_of_time(state: Any) -> bool:
    """It is the middle of winter, the first day of May."""
    posts = getattr(getattr(state, "obj", None), "posts", ())
    return any(isinstance(post, PP) and post.prep == "of" and time_of(post.np) for post in posts)


def _together(subj: Any, v: V) -> bool:
    """The students filled the hall; the cup and the saucer cost ten euros"""
    if v.lemma in ("cost", "weigh") and isinstance(subj, Co) and subj.op == "and":
        return "each" not in v.advs
    if not isinstance(subj, NP) or not subj.plural or subj.word in (*LISTS["every"], "of"):
        return False
    if not subj.noun.islower():
        return False  # the Falcons are a team
    obj: Any = v.obj if isinstance(v.obj, NP) and not v.obj.plural else None
    if v.form == "noun" and obj and subj.det in ("bare", "the", "these", "poss"):
        return obj.word in ("the", "a", "an")  # foxes are a problem; but not: a kind of animal
    ate = v.tense and getattr(v.obj, "det", "") == "num" and v.obj.noun not in LISTS["units"]
    known = subj.det in ("the", "these", "poss", "num")
    return known and (ate or v.lemma in LISTS["of-groups"])


def _each(np: Any) -> tuple[Any, ...]:
    return np.items if isinstance(np, Co) else (np,)


def _is_each(tail: Any) -> bool:
    return tail.prep == "to" and getattr(tail.np, "det", "") in ("all", "every", "everyone", "name")


def _is_one(np: Any) -> bool:
    """Tom, the keeper, his daughter"""
    return isinstance(np, NP) and np.det in ("name", "the", "poss") and not np.plural
