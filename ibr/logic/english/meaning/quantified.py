"""Noun phrases applied to what is said of them: every, no, some, several."""

from __future__ import annotations

from functools import partial
from typing import Any

from ibr.logic.english.grammar.tree import (
    NP,
    PP,
    Called,
    Co,
    Rel,
    SuchAs,
)
from ibr.logic.english.meaning.discourse import (
    Ref,
    Refusal,
    person_of,
)
from ibr.logic.english.meaning.formulas import (
    ORDINALS,
    PERSONS,
    Formula,
    Then,
    both,
    compound,
    noun_text,
    replaced,
    subject_of,
)
from ibr.logic.english.meaning.individuals import Individuals
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Var


class Quantified(Individuals):
    """Every, no, some, several."""

    def np(self, np: Any, then: Then, subject: bool = False, generic: bool = True) -> Formula:
        """Apply what is said to whom it is said of."""
        if isinstance(np, Co):
            return self._several(np, then, subject, generic)
        det = np.det
        if det == "given":
            return then(np.term)
        if det == "name":
            return self._named(np, then, subject)
        if det == "var":
            self.unrestricted.add(f"?{np.noun.lower()}")
            return then(Var(f"?{np.noun.lower()}"))
        if det == "it":
            return then(Ind("it"))
        if det == "pro":
            return then(self.pronoun(np, subject))
        if det == "poss":
            return self._possessed(np, then, subject)
        if det in ("the", "this", "these"):
            return self._definite(np, then, subject)
        if det in ("no", "nobody"):
            return self._none(np, then, subject)
        if det == "not all":
            return ("not", self._universal(np._replace(det="all"), then, subject))
        if det in ("every", "all", "everyone", "those") or (
            det == "bare" and subject and (generic or self.conditional or self.asking)
        ):
            return self._universal(np, then, subject)
        if det == "someone":
            return self._someone(np, then, subject)
        if det in ("a", "another", "some", "num", "mass", "bare"):
            if subject and det == "mass":
                return self._mass(np, then)
            if (
                subject
                and not self.conditional
                and not self.ruled
                and det == "a"
                and np.word != "of"
                and generic
                and not self.asking
            ):
                return self._universal(np, then, subject)
            found = self._some(np, then, subject)
            denied = det == "some" and subject and not self.conditional and found[0] == "not"
            return ("nothing",) if denied else found
        raise Refusal(f'"{np.word}": which ones?')

    def _several(self, np: Co, then: Then, subject: bool, generic: bool) -> Formula:
        items = np.items
        first = items[0]
        if isinstance(first, NP) and first.det == "no":
            items = tuple(
                i._replace(det="no") if isinstance(i, NP) and i.det in ("bare", "mass", "a") else i
                for i in items
            )
            return ("and", *(self.np(i, then, subject, generic) for i in items))
        if np.op == "nor":
            return (
                "and",
                *(self.np(i, lambda t: ("not", then(t)), subject, generic) for i in items),
            )
        if (
            np.op == "or"
            and subject
            and not self.conditional
            and not self.asking
            and all(isinstance(i, NP) and i.det in ("bare", "a", "every", "all") for i in items)
        ):
            return ("and", *(self.np(i, then, subject, generic) for i in items))
        if (
            np.op == "or"
            and not subject
            and not self.conditional
            and not self.denied
            and all(
                isinstance(i, NP) and i.det in ("a", "bare", "mass", "num") and not i.posts
                for i in items
            )
        ):
            if self.free:
                return ("and", *(self.np(i, then, subject, generic) for i in items))
            kinds = [noun_text(self._kind(i)) for i in items]
            return then(Kind(" or ".join((kinds[0].partition(" ")[2], *kinds[1:]))))
        shared = self._variable() if _all_kinds(items, subject) else None
        op, found = "&" if np.op == "and" else np.op, []
        for item in items:
            self.shared = shared
            found.append(self.np(item, then, subject, generic))
        self.shared = None
        return (op, *found)

    def _universal(self, np: NP, then: Then, subject: bool) -> Formula:
        if any(isinstance(p, SuchAs) for p in np.posts):
            return self._such_as(np, then, subject)
        if self.asking:
            return self._typical(np, then)
        if (
            self.conditional
            and np.det in ("everyone", "all", "every")
            and np.word not in ("any", "anyone", "whoever", "whatever")
        ) and (np.det != "every" or np.word not in ("any",)):
            raise Refusal("a condition on all of them cannot be checked one by one")
        var, self.shared = self.shared or self._variable(), None
        noun = compound(np)
        person = True if np.word in PERSONS or np.noun == "people" else person_of(var, noun)
        many = np.plural or np.det == "those"
        self._mention(Ref(var, noun, many, person, subject=subject))
        self.variable += 1
        np, aside = _without_asides(np)
        restriction = self._as_condition(lambda: self._restrictions(np, var))
        if restriction == ("and",):
            self.unrestricted.add(var.name)
        self.shared = None
        excepted = list(self._as_condition(lambda: [self._member(e, var) for e in np.excepts]))
        said = then(var)
        for rel in aside:
            said = ("and", said, self.vp(rel.vp, var))
        self.variable -= 1
        if self.conditional:
            return both(restriction, *(("except", e) for e in excepted), said)
        found = ("if", both(restriction, *(("except", e) for e in excepted)), said)
        if excepted and said[0] == "not":
            granted = ("if", both(restriction, excepted[0]), said[1])
            return ("and", found, granted)
        return found

    def _such_as(self, np: NP, then: Then, subject: bool) -> Formula:
        inner = next(p.np for p in np.posts if isinstance(p, SuchAs))
        items = inner.items if isinstance(inner, Co) else (inner,)
        parts: list[Formula] = []
        whole = np._replace(posts=())
        for item in items:
            every = item._replace(det="all", plural=True)
            parts.append(self._universal(every, then, subject))
            if not self.conditional and not self.asking:
                is_one = partial(self._restrictions, whole)
                parts.append(self._universal(every, is_one, subject))
        return both(*parts)

    def _typical(self, np: NP, then: Then) -> Formula:
        """Are all glorps animals? Asked of one of whom only that is known."""
        if self.supposed:
            raise Refusal("a question about all of several kinds")
        noun = compound(np) or "person"
        term = Ind(f"typical {noun}")
        self.asking = False
        self.conditional += 1
        restriction = self._restrictions(np, term)
        self.conditional -= 1
        self.asking = True
        atoms = restriction[1:] if restriction[0] == "and" else (restriction,)
        atoms = tuple(a for a in atoms if a != ("and",))
        if any(a[0] != "atom" for a in atoms):
            raise Refusal("a question about all of them, with a condition that is denied")
        self.supposed = [a[1] for a in atoms]
        if np.excepts:
            raise Refusal("a question with an exception")
        self._mention(Ref(term, noun, np.plural, person_of(None, noun), subject=True))
        return then(term)

    def _none(self, np: NP, then: Then, subject: bool) -> Formula:
        if subject and not self.conditional and not self.asking:
            inner = np._replace(det="everyone" if np.det == "nobody" else "all")
            return self._universal(inner, lambda term: ("not", then(term)), subject)
        if subject and self.asking:
            return ("not", self._typical(np, then))
        if any(not isinstance(p, PP) for p in np.posts) and not np.excepts:
            raise Refusal('"no …" with a relative clause')
        if np.excepts:
            raise Refusal("an exception to nobody, inside a condition or as an object")
        return ("not", then(self._kind(np)))

    def _someone(self, np: NP, then: Then, subject: bool) -> Formula:
        if np.word == "else":
            np = np._replace(word="someone")
        free = np.word in ("anyone", "anybody", "anything") or np.posts or np.mods
        if self.asking:
            if np.posts or not subject:
                return then(Kind("something" if np.word.endswith("thing") else "someone"))
            raise Refusal("it asks whether anyone at all: ask of one")
        if subject and free and not self.conditional:
            return self._universal(np._replace(det="everyone"), then, subject)
        if self.conditional and (subject or np.posts or np.mods or np.at in self.forced):
            var = self._variable()
            person = not np.word.endswith("thing")
            self._mention(Ref(var, "", False, person, subject=subject))
            return both(self._restrictions(np, var), then(var))
        kind = Kind("something" if np.word.endswith("thing") else "someone")
        self._mention(Ref(kind, "", False, kind.noun == "someone", np.at, subject))
        return then(kind)

    def _some(self, np: NP, then: Then, subject: bool) -> Formula:
        """An indefinite: a variable in conditions, else some one of its kind."""
        return (
            then(self._indefinite(np, said=then, subject=subject))
            if self._plain(np, subject)
            else (self._variable_or_witness(np, then, subject))
        )

    def _plain(self, np: NP, subject: bool) -> bool:
        """Nothing more is said of it than its kind."""
        if self.conditional and (np.word == "one" or any(m.text in ORDINALS for m in np.mods)):
            return False
        if np.at in self.forced or (subject and self.conditional):
            return False
        return all(isinstance(p, PP) for p in np.posts)

    def _indefinite(self, np: NP, said: Then | None, subject: bool = False) -> Any:
        kind = self._kind(np)
        self._mention(Ref(kind, kind.noun, np.plural, person_of(None, kind.noun), np.at, subject))
        return kind

    def _variable_or_witness(self, np: NP, then: Then, subject: bool) -> Formula:
        noun = compound(np)
        for post in np.posts:
            if isinstance(post, Called):
                term = Ind(post.name)
                self._mention(Ref(term, noun, False, person_of(term, noun), subject=subject))
                rest = np._replace(posts=tuple(p for p in np.posts if p != post))
                return both(then(term), self._restrictions(rest, term))
        if self.conditional or self.variable:
            var = self._variable()
            self._mention(Ref(var, noun, np.plural, person_of(None, noun), subject=subject))
            for mod in np.mods:
                if mod.text in ORDINALS:
                    self._ordinals[var] = mod.text
            if np.word == "one":
                self._ordinals[var] = "first"
            if self.conditional:
                return both(self._restrictions(np, var), then(var))
            if np.at not in self.forced and not (self.denied or self.free):
                raise Refusal("a thing that each of several has, with a clause of its own")
            restriction = self._as_condition(lambda: self._restrictions(np, var))
            return ("if", restriction, then(var), "wide")
        kind = self._bare_kind(np)
        nobody = Owned(Ind("somebody"), kind)  # a witness: the caller knows whose
        found = then(nobody)
        owner = subject_of(found)
        if owner is None:
            raise Refusal("which one it is cannot be said")
        witness = Owned(owner, kind)
        found = replaced(found, nobody, witness)
        self._mention(
            Ref(witness, kind.noun, np.plural, person_of(None, kind.noun), subject=subject)
        )
        return both(
            found, self._restrictions(np._replace(posts=tuple(p for p in np.posts)), witness)
        )


def _all_kinds(items: tuple[Any, ...], subject: bool) -> bool:
    """Members and guests: of each it is said, so they may share a variable."""
    kinds = ("bare", "all", "every", "a")
    return subject and all(isinstance(i, NP) and i.det in kinds for i in items)


def _without_asides(np: NP) -> tuple[NP, list[Rel]]:
    """Members, who get a card, must sign: they get one and they must."""
    aside = [p for p in np.posts if isinstance(p, Rel) and not p.restrictive]
    return np._replace(posts=tuple(p for p in np.posts if p not in aside)), aside
