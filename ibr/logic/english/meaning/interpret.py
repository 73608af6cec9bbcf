"""Sentences to formulas: clauses, conditions, definitions, identities, exceptions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ibr.logic.english.grammar.tree import (
    NP,
    Clause,
    Co,
    Cond,
    Except,
    Not,
    Rel,
    There,
    V,
)
from ibr.logic.english.meaning.discourse import (
    Ref,
    Refusal,
    person_of,
)
from ibr.logic.english.meaning.formulas import (
    Formula,
    both,
    collective,
    first_place,
    happened,
    lifted,
    moded,
    shares,
)
from ibr.logic.english.meaning.quantified import Quantified
from ibr.logic.english.meaning.terms import Ind, Kind, Pred


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
        if isinstance(tree, There):
            return self._there(tree)
        return self._clause(tree)

    def _joined(self, tree: Co, each: Callable[[Any], Formula]) -> Formula:
        if tree.op == "nor":
            return ("and", *(("not", each(item)) for item in tree.items))
        op = "&" if tree.op == "and" else tree.op
        return (op, *(each(item) for item in tree.items))

    def _linked(self, tree: Co) -> Formula:
        """Clauses; what holds under a condition goes on under it: …, and the sender is told."""
        first, *others = tree.items
        found = [self.sentence(first)]
        self.linked += 1
        for item in others:
            said = self.sentence(item)
            described = isinstance(item, Clause) and getattr(item.subj, "det", "") == "the"
            if (
                found[0][0] == "if"
                and tree.op == "and"
                and ((described and said[0] == "atom") or shares(said, found[0][1]))
            ):
                said = ("if", found[0][1], said)
            found.append(said)
        self.linked -= 1
        return ("and" if tree.op == "and" else tree.op, *found)

    def _conditional(self, tree: Cond) -> Formula:
        leading = first_place(tree.cond) < first_place(tree.main)
        if leading:
            condition = self._condition(tree.cond)
            self.ruled += 1
            main = self.sentence(tree.main)
            self.ruled -= 1
        else:
            main = self.sentence(tree.main)
            condition = self._condition(tree.cond)
        if tree.kind == "when" and isinstance(tree.main, Clause) and happened(tree.main.vp):
            raise Refusal('"when" tells of one time: say what holds by itself')
        if tree.kind in ("if", "when", "as long", "unless", "but not if"):
            return self._ruled(tree.kind, condition, main, leading)
        if tree.kind == "only if":
            return ("only", main, condition)
        return ("and", ("if", condition, main), ("only", main, condition))

    def _ruled(self, kind: str, condition: Formula, main: Formula, leading: bool) -> Formula:
        given: Formula = ("and",)
        if kind == "as long" and condition[0] == "not":
            condition = ("except", condition[1])
        elif kind in ("unless", "but not if"):
            given, condition = lifted(condition, main)
            condition = ("except", condition)
        test = both(given, condition)
        if not leading and main[0] == "if" and len(main) == 3:
            return ("if", main[1], ("if", test, main[2]))  # in the order of the words
        return ("if", test, main)

    def _condition(self, tree: Any) -> Formula:
        self.conditional += 1
        found = self.sentence(tree)
        self.conditional -= 1
        return found

    def _excepting(self, tree: Except) -> Formula:
        """Dogs are not allowed in the shop, except guide dogs."""
        main = tree.main
        if not isinstance(main, Clause) or not isinstance(main.subj, NP):
            raise Refusal(f'"{tree.word}": of whom is it an exception?')
        if main.subj.det in ("name", "pro") or main.subj.excepts:
            raise Refusal(f'"{tree.word}": of whom is it an exception?')
        return self.sentence(Clause(main.subj._replace(excepts=(tree.np,)), main.vp))

    def _there(self, tree: There) -> Formula:
        def said(term: Any) -> Formula:
            return self._placed(tree, term)

        if isinstance(tree.np, Co):
            return self._joined(tree.np, lambda np: self._there(tree._replace(np=np)))
        np = tree.np
        if np.det in ("no", "nobody"):
            return ("not", said(self._kind(np)))
        if np.det in ("a", "bare", "mass", "some", "num", "someone"):
            return said(self._indefinite(np, said=None))
        raise Refusal("there is … which one?")

    def _placed(self, tree: There, term: Any) -> Formula:
        if not tree.tails:
            if isinstance(term, Kind) and term.tails:
                prep, place = term.tails[-1]
                shorter = term._replace(tails=term.tails[:-1])
                if prep in ("in", "on", "at", "under", "inside", "near"):
                    return ("atom", Pred("prep", prep, shorter, place, tense=tree.tense))
            return ("atom", Pred("there", "be", term, tense=tree.tense, mode=tree.mode))
        first = tree.tails[0]
        return self._tails(
            tree.tails[1:],
            lambda more: self.np(
                first.np,
                lambda place: (
                    "atom",
                    Pred("prep", first.prep, term, place, more, tense=tree.tense, mode=tree.mode),
                ),
            ),
        )

    def _clause(self, tree: Clause) -> Formula:
        subj, vp = tree.subj, tree.vp
        if isinstance(subj, Co) and subj.op == "only":
            return self._only(subj.items[0], vp)
        if isinstance(subj, Co) and subj.op == "and" and collective(vp):
            raise Refusal("it speaks of a group: say of each what is meant")
        definition = self._definition(subj, vp)
        if definition:
            return definition
        identity = self._identity(subj, vp)
        if identity:
            return identity
        vp = self._filled(vp)
        if isinstance(vp, V) and vp.form == "needed":
            return self._needed(subj, vp)
        generic = not happened(vp)
        found = self.np(subj, lambda term: self._said(vp, term), subject=True, generic=generic)
        self.last_vp = vp
        return found

    def _said(self, vp: Any, term: Any) -> Formula:
        kept, self.current = self.current, [term]
        found = self.vp(vp, term)
        self.current = kept
        return found

    def _needed(self, subj: Any, vp: V) -> Formula:
        """A badge is needed to enter the lab: who has none may not."""
        if self.conditional or self.asking or not isinstance(subj, NP):
            raise Refusal("it says what is needed: say who must have it")
        var = self._variable()
        self.variable += 1
        test = self._as_condition(lambda: self._place("with", subj, var, "", "", (), ()))
        said = self.vp(moded(vp.obj, "may"), var)
        self.variable -= 1
        return ("only", said, test)

    def _filled(self, vp: Any) -> Any:
        """but the toaster is not: what was said before, denied"""
        denied = isinstance(vp, Not)
        inner = vp.body if isinstance(vp, Not) else vp
        if not isinstance(inner, V) or inner.form != "ellipsis":
            return vp
        if self.last_vp is None:
            raise Refusal("it seems to end too early")
        last = self.last_vp.body if isinstance(self.last_vp, Not) else self.last_vp
        return Not(last) if denied else last

    def _definition(self, subj: Any, vp: Any) -> Formula | None:
        """A senior member is a member who has served on the committee: both ways."""
        if not isinstance(subj, NP) or subj.det != "a" or subj.posts or self.conditional:
            return None
        if not isinstance(vp, V) or vp.form != "noun" or vp.mode or vp.tense:
            return None
        np = vp.obj
        if (
            not isinstance(np, NP)
            or np.det not in ("a", "every")
            or not any(isinstance(p, Rel) for p in np.posts)
        ):
            return None
        var = self._variable()
        self.scope.append(Ref(var, subj.noun, False, person_of(var, subj.noun), subject=True))
        self.variable += 1
        defined = self._restrictions(subj, var)
        defining = self._as_condition(lambda: self._restrictions(np, var))
        self.variable -= 1
        return ("and", ("if", defined, defining), ("if", defining, defined))

    def _identity(self, subj: Any, vp: Any) -> Formula | None:
        """The owner of the shop is Ms Lopez. Ida's dog is called Bruno."""
        denied = isinstance(vp, Not)
        inner = vp.body if isinstance(vp, Not) else vp
        if not isinstance(inner, V) or inner.form != "noun" or not isinstance(inner.obj, NP):
            return None
        if not isinstance(subj, NP) or inner.mode or (self.conditional and inner.obj.det != "name"):
            return None
        obj = inner.obj
        if obj.det == "name" and subj.det in ("the", "poss") and not subj.plural:
            found = self._is_described(Ind(obj.noun), subj)
            self._mention(
                Ref(Ind(obj.noun), subj.noun, False, person_of(None, subj.noun), subject=True)
            )
            return ("not", found) if denied else found
        if obj.det == "name" and subj.det == "name":
            self._mention(Ref(Ind(subj.noun), "", False, None, subject=True))
            atom = ("atom", Pred("role", subj.noun, Ind(obj.noun)))
            other = ("atom", Pred("role", obj.noun, Ind(subj.noun)))
            return ("not", atom) if denied else ("and", atom, other)
        return None

    def _only(self, np: Any, vp: Any) -> Formula:
        """Only members may vote: who is none may not; and who may is one."""
        vp = self._filled(vp)
        raise_or = list(np.items) if isinstance(np, Co) else [np]
        var = self._variable()
        self.unrestricted.add(var.name)
        self.variable += 1
        self.conditional += 1
        tests = [self._member(item, var) for item in raise_or]
        self.conditional -= 1
        self.scope.append(Ref(var, getattr(np, "noun", ""), True, True, subject=True))
        said = self.vp(vp, var)
        self.variable -= 1
        test = tests[0] if len(tests) == 1 else ("or", *tests)
        only: Formula = ("only", said, test)
        if isinstance(np, NP) and np.det == "name" and not self.conditional:
            return ("and", only, self.vp(vp, Ind(np.noun)))
        return only
