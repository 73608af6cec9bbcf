"""Sentences to formulas: clauses, conditions, definitions, identities, exceptions."""

from __future__ import annotations

from typing import Any

from ibr.logic.english.grammar.clause_builders import excepting
from ibr.logic.english.grammar.tree import (
    NP,
    Clause,
    Co,
    Cond,
    Except,
    Not,
    There,
)  # fmt: skip
from ibr.logic.english.grammar.verb_builders import negated
from ibr.logic.english.lexis.people import is_person
from ibr.logic.english.meaning.clauses import Clauses
from ibr.logic.english.meaning.formulas import (
    Formula,
    both,
    first_place,
    lifted,
    moved,
    shares,
)  # fmt: skip
from ibr.logic.english.meaning.literals import Refusal, Unsayable
from ibr.logic.english.meaning.terms import Var


class Meaning(Clauses):
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
        return self.there(tree) if isinstance(tree, There) else self.clause(tree)

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
                inner = found[0][2]  # of files that they can read
                if inner[0] == "if" and shares(said, inner[1]):
                    said = ("if", inner[1], said)
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
        if tree.kind == "open":
            return ("open", self.sentence(tree.main))
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
        made = excepting(subj._replace(det="all"), tree.word, tree.np)
        if made is None:
            raise Refusal(f'"{tree.word}": one of what?')
        people = subj.det in ("everyone", "nobody") or is_person(subj.noun)
        if tree.word == "exempt" and is_person(tree.np.noun) is not people:
            raise Refusal("an exception of another kind: who is exempt from what?")
        return self.sentence(Clause(subj._replace(excepts=made.excepts), main.vp))


def _same_noun(one: Any, other: Any) -> bool:
    """Swans are white, but the swan on the lake is black."""
    nps = [np for np in (getattr(c, "subj", None) for c in (one, other)) if isinstance(np, NP)]
    return len(nps) == 2 and nps[1].det == "the" and nps[0].noun == nps[1].noun
