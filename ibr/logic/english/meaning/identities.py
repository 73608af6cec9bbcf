"""Who is who ("The owner is Ms Lopez"), and what a word means ("A pup is a dog that is young")."""

from __future__ import annotations

from typing import Any

from ibr.logic.english.grammar.tree import NP, Not, ObjRel, Rel, V, Whose
from ibr.logic.english.meaning.formulas import Formula, atom
from ibr.logic.english.meaning.literals import Refusal
from ibr.logic.english.meaning.quantified import Quantified
from ibr.logic.english.meaning.reference.discourse import person_of


class Identities(Quantified):
    def definition(self, subj: Any, vp: Any) -> Formula | None:
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

    def identity(self, subj: Any, vp: Any) -> Formula | None:
        """The owner of the shop is Ms Lopez. Ida's dog is called Bruno."""
        inner = vp.body if isinstance(vp, Not) else vp
        if not isinstance(inner, V) or inner.form != "noun" or inner.mode:
            return None
        obj = inner.obj
        if not isinstance(subj, NP) or not isinstance(obj, NP) or obj.det != "name":
            return None
        if subj.det in ("the", "poss") and not subj.plural:
            who = self.who(obj)
            if subj.owner is not None and obj.noun == getattr(subj.owner, "noun", ""):
                raise Refusal(f'"{obj.noun}": two have this name')  # Tom's father is called Tom
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
