"""Sentences to formulas: clauses, conditions, definitions, identities, exceptions."""

from __future__ import annotations

from typing import Any

from ibr.logic.english.grammar.clause_builders import time_of
from ibr.logic.english.grammar.tree import (
    NP,
    PP,
    Clause,
    Co,
    Cond,
    Except,
    Not,
    ObjRel,
    Rel,
    There,
    V,
    Whose,
    mapped,
)  # fmt: skip
from ibr.logic.english.grammar.verb_builders import negated
from ibr.logic.english.lexis.knowledge import KINDS
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.people import is_person
from ibr.logic.english.meaning.discourse import person_of
from ibr.logic.english.meaning.formulas import (
    TIMES,
    Formula,
    atom,
    both,
    collective,
    first_place,
    happened,
    in_active,
    lifted,
    may_be_a_guess,
    moved,
    now_of,
    owns,
    passing,
    shares,
)  # fmt: skip
from ibr.logic.english.meaning.literals import Refusal, Unsayable
from ibr.logic.english.meaning.quantified import Quantified
from ibr.logic.english.meaning.terms import Ind, Pred, Var

_EACH_OTHER = {"each other", "one another"}


class Meaning(Quantified):
    """Interprets one sentence. `forced`: places of indefinites that are spoken of again."""

    def sentence(self, tree: Any) -> Formula:
        if isinstance(tree, Co):
            return self._linked(tree)
        if isinstance(tree, Not):
            self.denied += 1
            found = ("not", self.sentence(tree.body))
            self.denied -= 1
            return found
        if isinstance(tree, Cond):
            return self._conditional(tree)
        if isinstance(tree, Except):
            return self._excepting(tree)
        return self.there(tree) if isinstance(tree, There) else self._clause(tree)

    def _linked(self, tree: Co) -> Formula:
        """Clauses; what holds under a condition goes on under it: …, and the sender is informed."""
        first, *others = tree.items
        found = [self.sentence(first)]
        for item in others if tree.op == "apart" else ():  # bats are no birds although they fly
            said = self.sentence(item)
            again = found[0][0] == "if" and shares(said, found[0][1])
            again = again and getattr(item, "kind", "") != "otherwise"
            found.append(("if", found[0][1], said) if again else said)
        if tree.op == "apart":
            return both(*found)
        ruled = found[0][0] == "if" and tree.op == "and"
        self.linked += 1
        for item in others:
            said = self.sentence(item)
            plain = isinstance(item, Clause) and isinstance(item.subj, NP) and not item.subj.posts
            described = plain and item.subj.det == "the"
            if ruled and _same_noun(first, item):
                raise Unsayable("is the second an exception to the first?")  # swans, but the swan
            if ruled and ((described and said[0] == "atom") or shares(said, found[0][1])):
                said = ("if", found[0][1], said)
            found.append(said)
        self.linked -= 1
        return (tree.op, *found)

    def _otherwise(self, tree: Cond) -> Cond:
        """If the sign is green, …; otherwise …: if it is not"""
        last = self.last_condition
        if not isinstance(last, Cond) or not isinstance(last.cond, Clause):
            raise Refusal('"otherwise": than what?')
        denied = negated(last.cond.vp, last.kind not in ("unless", "but not if"))
        main, before = tree.main, getattr(last.main, "subj", None)
        thing = (
            isinstance(before, NP) and before.det in ("the", "poss") and not is_person(before.noun)
        )
        if thing and getattr(getattr(main, "subj", None), "word", "") == "it":
            main = main._replace(subj=before)  # …, the lift is free; otherwise it is not
        self.scope = [ref for ref in self.scope if not isinstance(ref.term, Var)]
        return Cond("if", last.cond._replace(vp=denied), moved(main))

    def _conditional(self, tree: Cond) -> Formula:
        if tree.kind == "otherwise":
            tree = self._otherwise(tree)
        self.last_condition = tree
        told = isinstance(tree.main, Clause) and getattr(tree.main.vp, "tense", "") == "past"
        if tree.kind == "when" and told:
            raise Refusal('"when" tells of one time: say what holds by itself')
        leading = first_place(tree.cond) < first_place(tree.main) and not self._points_on(tree)
        named = getattr(getattr(tree.cond, "subj", None), "det", "") in ("name", "var")
        if isinstance(tree.main, There) and not leading and named:
            raise Refusal("it may be there in any case")  # soup on the stove if Ned is hungry
        denied = tree.kind in ("unless", "but not if", "only if")
        if leading:
            condition = self._condition(tree.cond, denied)
            self.ruled += 1
            main = self.sentence(tree.main)
            self.ruled -= 1
        else:
            self.under += 1
            main = self.sentence(tree.main)
            self.under -= 1
            condition = self._condition(tree.cond, denied)
        if tree.kind == "only if":
            return ("only", main, condition)
        if tree.kind == "iff":
            only = ("only", main, self._condition(tree.cond, True))
            return ("and", ("if", condition, main), only)
        if tree.kind == "unless" and main[0] == "not" and main[1][0] == "atom":
            return ("only", main[1], condition, "unless")
        if tree.kind == "unless" and main[0] == "if" and main[2][0] == "not":
            return ("if", main[1], ("only", main[2][1], condition, "unless"))
        if tree.kind in ("unless", "but not if"):
            given, condition = lifted(condition, main)
            condition = both(given, ("except", condition))
        elif tree.kind == "as long" and condition[0] == "not":
            condition = ("except", condition[1])
        if not leading and main[0] == "if" and len(main) == 3:
            return ("if", main[1], ("if", condition, main[2]))  # in the order of the words
        return ("if", condition, main)

    def _points_on(self, tree: Cond) -> bool:
        """Unless they are ill, members must come."""
        subjects = [getattr(part, "subj", None) for part in (tree.cond, tree.main)]
        nps = [np for np in subjects if isinstance(np, NP)]
        points = len(nps) == 2 and nps[0].det == "pro" and nps[1].det not in ("pro", "it")
        return points and nps[0].plural == nps[1].plural and not self.discourse.before

    def _condition(self, tree: Any, denied: bool) -> Formula:
        self.lacking += denied
        found = self.as_condition(lambda: self.sentence(tree))
        self.lacking -= denied
        return found

    def _excepting(self, tree: Except) -> Formula:
        """Dogs are not allowed in the shop, except guide dogs."""
        main = tree.main
        subj = main.subj if isinstance(main, Clause) else None
        if not isinstance(subj, NP) or subj.det in ("name", "pro") or subj.excepts:
            raise Refusal(f'"{tree.word}": of whom is it an exception?')
        return self.sentence(Clause(subj._replace(excepts=(tree.np,)), main.vp))

    def _clause(self, tree: Clause) -> Formula:
        """Also what holds now of what holds on Sundays, where today is stated to be one."""
        stated = not (self.asking or self.conditional or self.ruled or self.under)
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
        if isinstance(subj, Co) and subj.op == "only":
            return self._only(subj.items[0], vp)
        group = self._group(subj) if collective(vp) else None
        if group is not None:
            return self._of_each_other(group, vp)
        found = self._definition(subj, vp) or self._identity(subj, vp)
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
        generic, self.stressed = not happened(vp) and self._is_of_all(subj, vp), isinstance(vp, Not)
        found = self.np(subj, lambda term: self.said(vp, term), subject=True, generic=generic)
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
            found.append(self._clause(Clause(who, vp._replace(obj=of, advs=rest))))
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
        return habit and plain and said and subj.noun in KINDS.keys() & self.discourse.classes

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
        if isinstance(last, V) and last.mode.endswith(" to"):
            raise Refusal("did what: wanted it, or did it?")
        if owns(last) and not isinstance(vp, Not):
            raise Refusal("so does another: with the same one, or with an own one?")
        return Not(last) if isinstance(vp, Not) else last

    def _definition(self, subj: Any, vp: Any) -> Formula | None:
        """A senior member is a member who has served on the committee: both ways."""
        if not isinstance(subj, NP) or subj.det != "a" or subj.posts or self.conditional:
            return None
        if not isinstance(vp, V) or vp.form != "noun" or vp.mode or vp.tense:
            return None
        np = vp.obj
        if not isinstance(np, NP) or np.det not in ("a", "every"):
            return None
        if not any(isinstance(p, (Rel, ObjRel, Whose)) for p in np.posts):
            return None
        var = self.new_variable()
        self.mention(var, subj.noun, subject=True)
        self.variable += 1
        defined = self.restrictions(subj, var)
        defining = self.as_condition(lambda: self.restrictions(np, var))
        self.variable -= 1
        return ("and", ("if", defined, defining), ("if", defining, defined))

    def _identity(self, subj: Any, vp: Any) -> Formula | None:
        """The owner of the shop is Ms Lopez. Ida's dog is called Bruno."""
        inner = vp.body if isinstance(vp, Not) else vp
        if not isinstance(inner, V) or inner.form != "noun" or inner.mode:
            return None
        obj = inner.obj
        if not isinstance(subj, NP) or not isinstance(obj, NP) or obj.det != "name":
            return None
        if subj.det in ("the", "poss") and not subj.plural:
            who = self.who(obj)
            found = self.is_described(who, subj)
            person = person_of(who, "") or person_of(None, subj.noun) or None
            self.mention(who, subj.noun, subject=True, person=person)
            return ("not", found) if isinstance(vp, Not) else found
        if subj.det == "name":
            one, two = self.who(subj), self.who(obj)
            self.mention(one, subject=True)
            found, other = atom("role", one.key, two), atom("role", two.key, one)
            return ("not", found) if isinstance(vp, Not) else ("and", found, other)
        return None

    def _only(self, np: Any, vp: Any) -> Formula:
        """Only members may vote: who is none may not; and who may is one."""
        vp = self._filled(vp)
        if isinstance(vp, Not):
            raise Refusal('"only … not": say of whom it holds')
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


def _each(np: Any) -> tuple[Any, ...]:
    return np.items if isinstance(np, Co) else (np,)


def _is_one(np: Any) -> bool:
    """Tom, the keeper, his daughter"""
    return isinstance(np, NP) and np.det in ("name", "the", "poss") and not np.plural


def _same_noun(one: Any, other: Any) -> bool:
    """Swans are white, but the swan on the lake is black."""
    nps = [np for np in (getattr(c, "subj", None) for c in (one, other)) if isinstance(np, NP)]
    return len(nps) == 2 and nps[1].det == "the" and nps[0].noun == nps[1].noun
