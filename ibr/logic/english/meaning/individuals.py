"""Noun phrases that name or describe one individual."""

from __future__ import annotations

from typing import Any

from ibr.logic.english.grammar.tree import (
    NP,
    PP,
    Appos,
    Called,
    ObjRel,
    Rel,
    Whose,
)
from ibr.logic.english.meaning.discourse import (
    Ref,
    Refusal,
    describe,
    person_of,
)
from ibr.logic.english.meaning.formulas import (
    Formula,
    Given,
    Then,
    both,
    describe_owned,
)
from ibr.logic.english.meaning.predications import Predications
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred


class Individuals(Predications):
    """Names, descriptions, roles, what somebody has."""

    def _named(self, np: NP, then: Then, subject: bool) -> Formula:
        term = Ind(np.noun)
        term = self.discourse.aliases.get(np.noun, term)
        self._mention(Ref(term, "", False, person_of(term, ""), subject=subject))
        return self._with_posts(np, term, then(term))

    def _with_posts(self, np: NP, term: Ind, said: Formula) -> Formula:
        """What is said of an individual, and what its relative clauses and appositions add."""
        parts = [said]
        for post in np.posts:
            if isinstance(post, Rel):
                parts.append(self.vp(post.vp, term))
            elif isinstance(post, Appos):
                parts.append(self._predicated(post.np, term))
        return both(*parts)

    def _mass(self, np: NP, then: Then) -> Formula:
        kind = self._bare_kind(np)
        term = Ind(describe(kind))
        self._mention(Ref(term, np.noun, False, False, subject=True))
        return then(term)

    def _possessed(self, np: NP, then: Then, subject: bool) -> Formula:
        def owned(owner: Any) -> Formula:
            kind = self._bare_kind(np)
            if np.plural and subject and person_of(None, kind.noun) and not self.conditional:
                return self._universal(
                    np._replace(det="all", owner=None, posts=(*np.posts, PP("of", Given(owner)))),
                    then, subject,
                )  # fmt: skip
            if np.word == "of:a" or (np.plural and np.word.startswith("of:")):
                raise Refusal("one of several: which?")
            if kind.tails:
                raise Refusal("a description inside a description")
            term = self._owned_term(owner, kind)
            self._mention(
                Ref(term, kind.noun, np.plural, person_of(None, kind.noun), subject=subject)
            )
            parts = [self._post(post, term) for post in np.posts if not isinstance(post, PP)]
            return both(then(term), *parts)

        if isinstance(np.owner, Given):
            return owned(np.owner.term)
        return self.np(np.owner, owned, subject=False)

    def _owned_term(self, owner: Any, kind: Kind) -> Any:
        key = describe_owned(Owned(owner, kind))
        return self.discourse.aliases.get(key) or Owned(owner, kind)

    def _definite(self, np: NP, then: Then, subject: bool) -> Formula:
        if np.word == "the" and np.noun == "one" and np.posts:
            raise Refusal('"the one": which?')
        found = self._again(np)
        if found is not None:
            return then(found)
        if np.plural and (np.posts or np.det == "the"):
            if self.asking or subject or not self.conditional:
                rest = list(np.posts)
                if subject or rest:
                    return self._universal(np._replace(det="all"), then, subject)
            return then(self._kind(np))
        for post in np.posts:
            if isinstance(post, Called):
                term = Ind(post.name)
                self._mention(Ref(term, np.noun, False, person_of(term, np.noun), subject=subject))
                return both(then(term), self._is_described(term, np._replace(posts=())))
        kind = self._bare_kind(np)
        key = describe(kind)
        if f"the {key}" in self.discourse.roles or key in self.discourse.roles:
            return self._role(np, key, then, subject)
        rels = [
            p
            for p in np.posts
            if isinstance(p, (Rel, Whose, ObjRel)) and getattr(p, "restrictive", True)
        ]
        if rels:
            return self._relative_description(np, kind, rels, then, subject)
        term = self._known_one(kind) or self.discourse.definite(kind)
        self._mention(Ref(term, kind.noun, False, person_of(term, kind.noun), subject=subject))
        return self._with_posts(np, term, then(term))

    def _relative_description(
        self, np: NP, kind: Kind, rels: list[Any], then: Then, subject: bool
    ) -> Formula:
        """The man who lives next door: one individual, of whom that holds."""
        from ibr.logic.english.meaning.literals import said_tree

        if self.conditional or self.variable:
            raise Refusal("a description with a relative clause inside a rule")
        said = " ".join(getattr(rel, "text", "") or said_tree(rel) for rel in rels)
        key = f"{describe(kind)} {said}"
        term = Ind(key)
        self.discourse.described.setdefault(key, kind)
        self._mention(Ref(term, kind.noun, False, person_of(term, kind.noun), subject=subject))
        if self.asking:
            return then(term)
        return both(then(term), *(self._post(rel, term) for rel in rels))

    def _role(self, np: NP, key: str, then: Then, subject: bool) -> Formula:
        """The head librarian, who is said to be Joyce: whoever is the one."""
        if self.asking and f"the {key}" in self.discourse.aliases:
            term = self.discourse.aliases[f"the {key}"]
            self._mention(Ref(term, np.noun, False, person_of(term, np.noun), subject=subject))
            return then(term)
        var = self._variable()
        self._mention(Ref(var, np.noun, False, person_of(None, np.noun), subject=subject))
        test = ("atom", Pred("role", f"the {key}", var))
        if self.conditional:
            return both(test, then(var))
        self.variable += 1
        found = ("if", test, then(var), "role")
        self.variable -= 1
        return found
