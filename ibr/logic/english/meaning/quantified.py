"""Noun phrases applied to what is stated of them: every, no, some, several."""

from __future__ import annotations

from functools import partial
from typing import Any

from ibr.logic.english.grammar.tree import NP, PP, Called, Co, ObjRel, Rel, SuchAs, Whose
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.people import is_person
from ibr.logic.english.meaning.formulas import (
    ANYONE,
    ORDINALS,
    Formula,
    Given,
    Then,
    both,
    compound,
    preds_of,
    replaced,
    subject_of,
    with_preds,
)  # fmt: skip
from ibr.logic.english.meaning.literals import Refusal, Unsayable
from ibr.logic.english.meaning.predications import Predications
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred, Var

_READERS = {"name": "named", "pro": "said_of", "poss": "possessed", "the": "definite"}
_READERS |= {"this": "definite", "these": "definite", "no": "_none", "nobody": "_none"}
_ANY = ("any", "anyone", "anybody", "anything", "whoever", "whatever")
_UNIVERSAL = ("every", "all", "any", "everyone", "those")
_EACH = ("all", "every", "each", "both", "of", "everyone", "everybody", "everything")
_INDEFINITE = ("a", "another", "some", "num", "lots", "mass", "bare")
_ONE = ("of", "one", "one or more", "at least one")


class Quantified(Predications):
    """Every, no, some, several."""

    def np(self, np: Any, then: Then, subject: bool = False, generic: bool = True) -> Formula:
        """Apply what is stated to whom it is stated of."""
        if isinstance(np, Co):
            return self.several(np, then, subject, generic)
        det = np.det
        if det == "given":
            return then(np.term)
        if np.noun == "one" and (np.mods or det == "another") and np.word != "alone":
            np = self.kind_of_one(np)
        if det == "var" and self.asking and np.noun == "you":
            return then(Ind("typical person"))
        if det == "var":
            self.unrestricted.add(f"?{np.noun.lower()}")
            self.variable += 1
            said = then(Var(f"?{np.noun.lower()}"))
            self.variable -= 1
            return said
        if det == "it":
            return self.weather(np, then)
        if det in _READERS:
            found: Formula = getattr(self, _READERS[det])(np, then, subject)
            return found
        many = np.word == "most" or (det == "lots" and subject)
        if many and (self.conditional or self.asking):
            raise Refusal(f'"{np.word}": how many are needed?')
        if det == "not all":
            det = "all" if np.noun else "everyone"
            return ("not", self.universal(np._replace(det=det), then, subject))
        if det in _UNIVERSAL or self._is_generic(np, subject, generic):
            return self.universal(np, then, subject)
        if det == "someone":
            return self._someone(np, then, subject)
        if det not in _INDEFINITE:
            raise Refusal(f'"{np.word}": which ones?')
        if subject and det == "mass":
            described = (np.mods or np.posts) and not (self.conditional or self.asking)
            return self.universal(np, then, subject) if described else self.stuff(np, then, generic)
        if det == "some" and self.denied and not subject:
            raise Unsayable('"not … some": there may be others')
        found = self.some(np, then, subject)
        part = det in ("some", "num", "lots") or np.word in _ONE  # of any one it may not be so
        if self.conditional or not (subject and part) or found[0] != "not":
            return found
        if det == "some" and not self.asking:  # some do not: not all do
            return ("not", self.universal(np._replace(det="all"), lambda t: then(t)[1], subject))
        return ("nothing",) if self.asking else ("open", then(self.new_variable()))

    def _is_generic(self, np: NP, subject: bool, generic: bool) -> bool:
        """Dogs bark; a dog barks: each of them"""
        if not subject:  # the club bans members who cheat
            clause = np.det == "bare" and np.plural and not all(isinstance(p, PP) for p in np.posts)
            return clause and not (self.conditional or self.asking or self.denied)
        if np.det == "bare":
            clause = any(isinstance(p, (Rel, ObjRel, Whose)) for p in np.posts)
            return generic or clause or bool(self.conditional) or self.asking
        free = not (self.conditional or self.ruled)
        known = not self.asking or compound(np) in self.discourse.kinds
        return np.det == "a" and np.word not in _ONE and generic and free and known

    def universal(self, np: NP, then: Then, subject: bool) -> Formula:
        if any(isinstance(p, SuchAs) for p in np.posts):
            return self._such_as(np, then, subject)
        if self.asking:
            self.whether = "any" if "any" in (np.word, np.det) else ""
            return self.typical(np, then)
        odd = next((m.text for m in np.mods if m.text in ORDINALS), "")
        if odd == "other" or (odd and np.det == "every"):
            raise Refusal(f'"{odd}": which ones?')
        if self.conditional and np.det in ("everyone", "all", "every") and np.word not in _ANY:
            raise Refusal("a condition on all of them cannot be checked one by one")
        self.discourse.kinds.add(compound(np))
        said_of = np.det in ("a", "bare", "all", "every") and compound(np) not in ANYONE
        if said_of and subject and not (self.conditional or self.ruled or self.under or np.excepts):
            self.discourse.groups[Ind(f"each {compound(np)}")] = np
        var, self.shared = self.shared or self.new_variable(), None
        person = True if np.word in LISTS["interpret-persons"] or np.noun == "people" else None
        self.mention(var, compound(np), np.plural or np.det == "those", subject, person)
        self.variable += 1
        asides = [p for p in np.posts if isinstance(p, Rel) and not p.restrictive]
        np = np._replace(posts=tuple(p for p in np.posts if p not in asides))
        restriction = self.as_condition(lambda: self.restrictions(np, var))
        if restriction == ("and",):
            self.unrestricted.add(var.name)
        excepted = self.as_condition(lambda: [self.member(_plain(e), var) for e in np.excepts])
        said = then(var)
        if all(pred.tense == "past" for pred in preds_of(said)):  # those who were in the tent
            restriction = with_preds(restriction, _at_any_time)
        for rel in asides:  # members, who get a card, must sign: they get one and they must
            said = ("and", said, self.vp(rel.vp, var))
        self.variable -= 1
        test = both(restriction, *(("except", e) for e in excepted))
        if self.conditional:
            return both(test, said)
        if np.word == "else" and said[0] == "not":  # nobody of whom it is not shown
            test = both(test, ("except", said[1]))
        stressed = subject and self.stressed and np.word in _EACH and not excepted
        if not self.either("not all", stressed and said[0] == "not"):
            return ("not", ("if", test, said[1]))  # all … not: not all
        found: Formula = ("if", test, said)
        within = [e for e, one in zip(excepted, np.excepts, strict=True) if _within(one, np)]
        if within and restriction != ("and",):  # birds, but not ostriches: those cannot
            found = ("and", found, *(("exempt", e, said) for e in within))
        if excepted and said[0] == "not":
            granted = excepted[0] if within else both(restriction, excepted[0])
            return both(found, ("if", granted, said[1]))
        return found

    def _such_as(self, np: NP, then: Then, subject: bool) -> Formula:
        """Pets such as cats are welcome: cats are pets, and they are welcome"""
        inner, word = next(p for p in np.posts if isinstance(p, SuchAs))
        parts: list[Formula] = []
        if word == "including":  # all staff, including trainees: all of them
            parts.append(self.universal(np._replace(posts=()), then, subject))
        for item in inner.items if isinstance(inner, Co) else (inner,):
            one = item.det in ("mass", "name")
            kinds = item if one else item._replace(det="all", plural=True)
            parts.append(self.np(kinds, then, subject=True))
            if not self.conditional and not self.asking:
                is_one = partial(self.restrictions, np._replace(posts=()))
                parts.append(self.np(kinds, is_one, subject=True))
        return both(*parts)

    def typical(self, np: NP, then: Then) -> Formula:
        """Are all glorps animals? Asked of one of whom only that is known."""
        if self.supposed or np.excepts:
            raise Refusal("a question about all of several kinds")
        noun = compound(np) or "person"
        term = Ind(f"typical {noun}")
        self.asking = False
        restriction = self.as_condition(lambda: self.restrictions(np, term))
        self.asking = True
        atoms = restriction[1:] if restriction[0] == "and" else (restriction,)
        if any(a[0] != "atom" for a in atoms):
            raise Refusal("a question about all of them, with a condition that is denied")
        self.supposed = [a[1] for a in atoms]
        self.mention(term, noun, np.plural, subject=True)
        return then(term)

    def _none(self, np: NP, then: Then, subject: bool) -> Formula:
        if subject and self.asking:
            return ("not", self.typical(np, then))
        if subject and not self.conditional:
            det = "everyone" if np.det == "nobody" else "all"
            inner = np._replace(det=det, word="no" if np.word == "of" else np.word)
            self.nobody += 1
            found = self.universal(inner, lambda term: _not_both(then(term)), subject)
            self.nobody -= 1
            return found
        if np.excepts or any(not isinstance(p, PP) for p in np.posts):
            raise Refusal('"no …" with more than a noun, inside a condition or as an object')
        return ("not", then(self.kind(np)))

    def _someone(self, np: NP, then: Then, subject: bool) -> Formula:
        kind = Kind("something" if np.word.endswith("thing") else "someone")
        if self.asking:
            if subject and not np.posts:
                raise Refusal("it asks whether anyone at all: ask of one")
            return then(kind)
        described, is_any = bool(np.posts or np.mods), np.word in _ANY
        placed = any(isinstance(p, PP) and p.prep in LISTS["where"] for p in np.posts)
        if described and not self.conditional and not is_any and (placed or not subject):
            raise Refusal("which one it is cannot be said")  # somebody in the choir is ill
        if subject and not self.conditional and (is_any or described):
            return self.universal(np._replace(det="everyone"), then, subject)
        if described and not self.conditional:  # cannot touch anything that is locked
            return self._any_one(np, "", then, subject)
        person = kind.noun == "someone"
        pointed_at = (self.conditional or self.under) and np.at in self.forced
        if pointed_at or (self.conditional and (subject or described)):
            var = self.new_variable()
            self.mention(var, subject=subject, person=person)
            return both(self.restrictions(np, var), then(var))
        self.mention(kind, subject=subject, person=person, at=np.at)
        return then(kind)

    def some(self, np: NP, then: Then, subject: bool) -> Formula:
        """An indefinite: a variable in conditions, else some one of its kind."""
        np = self.kind_of_one(np)
        nouns = {ref.noun for ref in self.scope if isinstance(ref.term, Var)}
        other = np.det == "another" and (compound(np) in nouns or is_person(np.noun))
        ordinal = np.word == "one" or other or any(m.text in ORDINALS for m in np.mods)
        spoken_of = np.at in self.forced or (
            self.conditional and ((subject and not self.lacking) or ordinal)
        )
        if not spoken_of and all(isinstance(p, PP) for p in np.posts):
            kind = self.kind(np)
            self.mention(kind, kind.noun, np.plural, subject, at=np.at)
            several = np.det in ("some", "num")  # some do: that says nothing of any one
            return then(kind._replace(plural=False) if several else kind)
        noun = compound(np)
        for post in np.posts:
            if isinstance(post, Called):
                self.mention(Ind(post.name), noun, subject=subject)
                rest = np._replace(posts=tuple(p for p in np.posts if p != post))
                said = then(Ind(post.name))
                if said[0] == "atom" and said[1].lemma == "have":  # a sister of his
                    rest = rest._replace(posts=(*rest.posts, PP("of", Given(said[1].subj))))
                return both(said, self.restrictions(rest, Ind(post.name)))
        wide = self.denied or (self.variable and (np.at in self.forced or self.free))
        if self.conditional or wide:
            return self._any_one(np, noun, then, subject)
        return self._witness(np, then, subject)

    def _any_one(self, np: NP, noun: str, then: Then, subject: bool) -> Formula:
        """A variable: of a condition, or of a rule about each one that there is."""
        var = self.new_variable()
        self.mention(var, noun, np.plural, subject)
        for mod in np.mods:
            if mod.text in ORDINALS:
                self.ordinals[var] = mod.text
        if np.word == "one":
            self.ordinals[var] = "first"
        if self.conditional:
            return both(self.restrictions(np, var), then(var))
        return ("if", self.as_condition(lambda: self.restrictions(np, var)), then(var), "wide")

    def _witness(self, np: NP, then: Then, subject: bool) -> Formula:
        """Dana has a badge that is blue: Dana's badge is blue"""
        kind = self.bare_kind(np)
        nobody = Owned(Ind("somebody"), kind)  # only what is stated shows whose
        same = any(isinstance(r.term, Var) and r.noun == kind.noun for r in self.scope)
        if same and self.variable:
            raise Unsayable("any one of them, or some one?")
        found = then(nobody)
        owner = subject_of(found)
        if owner in (None, nobody):
            raise Unsayable("which one it is cannot be said")
        witness = Owned(owner, kind)
        self.mention(witness, kind.noun, np.plural, subject)
        return both(replaced(found, nobody, witness), self.restrictions(np, witness))


def _plain(np: Any) -> Any:
    """fish, which are fine: fish"""
    posts = tuple(p for p in getattr(np, "posts", ()) if not isinstance(p, Rel) or p.restrictive)
    return np._replace(posts=posts) if isinstance(np, NP) else np


def _not_both(said: Formula) -> Formula:
    """No plonk is both round and heavy: one that is round is not heavy."""
    if said[0] != "&":
        return ("not", said)
    others = ((part, [p for p in said[1:] if p is not part]) for part in said[1:])
    return ("and", *(("if", both(*rest), ("not", part)) for part, rest in others))


def _at_any_time(pred: Pred) -> Pred:
    return pred._replace(tense=pred.tense or "any") if pred.form in ("noun", "prep") else pred


def _within(np: Any, whole: NP) -> bool:
    """Who is excepted is one of the rest: a name, a description, or a kind of the kind."""
    if not isinstance(np, NP):
        return False
    plain = np.det in ("bare", "a", "mass") and not np.posts and not np.mods
    plain = plain and not is_person(np.noun)  # not every student is a tenant
    only_noun = whole.det != "everyone" and not whole.posts and not whole.mods
    return np.det in ("name", "the", "poss") or (plain and only_noun)
