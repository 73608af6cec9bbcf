"""What noun phrases say of their individuals: kinds, properties, clauses, places."""

from __future__ import annotations

from typing import Any

from ibr.logic.english.grammar.tree import (
    NP,
    PP,
    Appos,
    Called,
    Co,
    Mod,
    ObjRel,
    Rel,
    There,
    Whose,
)  # fmt: skip
from ibr.logic.english.lexis.knowledge import KINDS
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.formulas import (
    ANYONE,
    ORDINALS,
    Formula,
    Given,
    adjectives,
    atom,
    both,
    compound,
    gap_filled,
    kept_in,
)  # fmt: skip
from ibr.logic.english.meaning.literals import Refusal, Unsayable, describe, noun_phrase
from ibr.logic.english.meaning.normal import changes_kind
from ibr.logic.english.meaning.reference.references import References
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred, Var

_DESCRIBING = ("adj", "vn", "vg")
_NOUN_TAILS = ("of", "since", "until")
_OWNERS = ("name", "the", "poss", "this", "pro", "var")


class Descriptions(References):
    """Descriptions as kinds and as conditions."""

    def kind(self, np: NP) -> Kind:
        """Some one of the kind. Raises Refusal if a clause says more of it."""
        if any(not isinstance(p, PP) for p in np.posts):
            raise Refusal("a clause about one that is not known")
        kind = self.bare_kind(np)
        if np.det in ("nobody", "someone"):
            return kind._replace(noun="something" if np.word.endswith("thing") else "someone")
        counted = np.det in ("num", "lots") and not np.word.startswith(("several", "a few", "some"))
        if counted or np.det == "another":
            return kind._replace(mods=(np.word, *kind.mods))
        return kind

    def bare_kind(self, np: NP) -> Kind:
        """The description without clauses."""
        if np.excepts:
            raise Refusal("an exception to some of a kind")
        tails = tuple((p.prep, self._inside(p.np)) for p in np.posts if isinstance(p, PP))
        noun = compound(np)
        mass = np.det == "mass" or (np.det == "no" and noun in self.discourse.masses)
        return Kind(noun, adjectives(np), tails, mass, np.plural)

    def _inside(self, np: Any) -> Any:
        """Who or what a noun phrase inside a description stands for."""
        found: list[Any] = []
        made = ("or",) if isinstance(np, Co) else self.np(np, kept_in(found))
        if made != ("and",) or len(found) != 1:
            kind = Refusal if isinstance(np, Co) else Unsayable
            raise kind("a description that is a rule of its own")
        return found[0]

    def restrictions(self, np: NP, term: Any) -> Formula:
        """What a noun phrase says of its individual."""
        self.depth += 1
        found = both(*self._restricted(np, term))
        self.depth -= 1
        return found

    def _restricted(self, np: NP, term: Any) -> list[Formula]:
        noun = compound(np)
        of = tuple(p for p in np.posts if noun and isinstance(p, PP) and _belongs(p))
        mods = [m for m in np.mods if m.kind in _DESCRIBING]
        if changes_kind((m.text for m in mods), noun):
            noun, mods = " ".join((*(m.text for m in mods), noun)), []
        vague = noun in self.discourse.vague and bool(mods or np.posts)
        plain = LISTS["humans"] | LISTS["animals"] | LISTS["things"] | ANYONE
        acting = noun and noun not in plain and not vague
        role = tuple(m.text for m in mods if acting and m.text in LISTS["of-role"] and not m.advs)
        mods = [m for m in mods if m.text not in role]  # a heavy smoker need not be heavy
        parts: list[Formula] = []
        if noun and not vague and (noun not in ANYONE or of):
            said = Pred("noun", noun, term, mods=role)
            kept, self.current, self.alone = (self.current, self.alone), [term], True
            parts.append(self.tails(of, lambda tails: ("atom", said._replace(tails=tails))))
            self.current, self.alone = kept  # both of her parents: nobody is a parent of himself
        parts += [self._modified(m, term) for m in mods]
        return [*parts, *(self.post(p, term) for p in np.posts if p not in of)]

    def _modified(self, mod: Mod, term: Any) -> Formula:
        if mod.text in ORDINALS and isinstance(term, Var):
            self.ordinals[term] = mod.text
            return ("and",)
        advs = tuple(a for a in mod.advs if a not in LISTS["idle"] and a != "not")
        passive = mod.kind == "vn"
        found = (
            atom("verb", mod.lemma, None, term, advs=advs)
            if passive
            else atom("adj", mod.text, term, advs=advs)
        )
        return ("not", found) if "not" in mod.advs else found

    def post(self, post: Any, term: Any) -> Formula:
        """What follows a noun, stated of its individual."""
        if isinstance(post, Rel):
            return self.said(post.vp, term)
        if isinstance(post, Co):
            return (post.op, *(self.post(item, term) for item in post.items))
        if isinstance(post, ObjRel):
            if isinstance(post.vp, There):
                here = PP(post.prep, Given(term))
                return self.there(post.vp._replace(tails=(*post.vp.tails, here)))
            filled = gap_filled(post.vp, term, post.prep)
            own = [ref for ref in self.scope if ref.term == term]  # whom she meets: not herself
            self.scope = [ref for ref in self.scope if ref not in own]
            found = self.np(post.subj, lambda s: self.vp(filled, s), _is_pronoun(post.subj))
            self.scope = [*own, *self.scope]
            return found
        if isinstance(post, Whose):
            owned = post.np._replace(owner=Given(term))
            return self.possessed(owned, lambda t: self.vp(post.vp, t), subject=False)
        if isinstance(post, PP):
            return self.placed(Pred("prep", post.prep, term), post.np)
        if isinstance(post, Appos):
            return self.predicated(post.np, term)
        if isinstance(post, Called):
            return atom("role", post.name, term)
        raise Refusal("what follows the noun is not known here")

    def predicated(self, np: Any, term: Any) -> Formula:
        """is a member, is the chairman (for many years)"""
        lasting = [p for p in getattr(np, "posts", ()) if isinstance(p, PP) and _is_span(p)]
        if lasting and not self.denied:
            np = np._replace(posts=tuple(p for p in np.posts if p not in lasting))
        if isinstance(np, Co):
            return (np.op, *(self.predicated(item, term) for item in np.items))
        if np.det in ("a", "bare", "mass", "num", "some", "another", "no"):
            found = self.restrictions(self.kind_of_one(np), term)
            return ("not", found) if np.det == "no" else found
        if np.det == "name":
            who = self.who(np)
            self.mention(who, subject=True)  # "he" may be either
            return atom("role", who.key, term)
        if np.det in ("the", "poss", "this"):
            return self.is_described(term, np)
        raise Refusal("it says that somebody is several others")

    def is_described(self, term: Any, np: NP) -> Formula:
        """Magnus is the chairman: he is the one, and he is a chairman."""
        np = owned_by(np)
        kind = self.bare_kind(np)
        if np.det == "poss":
            kept, self.alone = self.alone, True
            owner = self._inside(np.owner)
            self.alone = kept
            of = (("of", owner), *kind.tails)
            related = atom("noun", kind.noun, term, tails=of, mods=kind.mods)
            if isinstance(owner, Var | Kind) or self.denied or self.asking:
                return related
            return both(atom("role", noun_phrase(Owned(owner, kind)), term), related)
        role = atom("role", f"the {describe(kind)}", term)
        return role if self.denied else both(role, self.restrictions(np._replace(det="a"), term))

    def member(self, np: Any, term: Any) -> Formula:
        """That somebody is one of those: a kind, a name, a role."""
        if isinstance(np, Co):
            return ("or", *(self.member(item, term) for item in np.items))
        called = next((p.name for p in np.posts if isinstance(p, Called)), "")
        if called:  # except the folder Private
            self.titles[atom("noun", compound(np), Ind(called))] = None
        if np.det == "name" or called:
            return self.predicated(NP("name", called or np.noun, at=np.at), term)
        is_kind = np.det == "the" and compound(np) in KINDS  # except the platypus
        if np.det in ("the", "poss", "this") and not np.plural and not is_kind:
            self.denied += 1
            found = self.is_described(term, np)
            self.denied -= 1
            if np.det == "the":  # and his daughter
                self.mention(self.discourse.definite(self.bare_kind(np)), np.noun)
            return found
        if np.det in ("poss", "this", "no", "nobody", "pro", "some", "var", "it"):
            raise Refusal("of whom is it an exception?")
        return self.restrictions(np, term)


def owned_by(np: NP) -> NP:
    """The roof of the barn: the barn's roof"""
    places = [p for p in np.posts if isinstance(p, PP)]
    first = np.posts[0] if np.posts else None
    if np.plural or len(places) != 1 or not isinstance(first, PP) or first.prep != "of":
        return np
    if getattr(first.np, "det", "") not in _OWNERS:
        return np
    return np._replace(det="poss", owner=first.np, posts=np.posts[1:])


def _is_pronoun(np: Any) -> bool:
    return getattr(np, "det", "") == "pro"


def _belongs(pp: PP) -> bool:
    """A son of Tom, a doctor from Monday on, a spy in the film: not apart from what it follows."""
    noun = getattr(pp.np, "noun", "").lower().removesuffix("s")
    when = noun in LISTS["times"] | LISTS["noun-phrases-times"] | LISTS["unreal"]
    return pp.prep in _NOUN_TAILS or (when and pp.prep in ("from", "by", "in", "on"))


def _is_span(pp: PP) -> bool:
    """for many years"""
    return pp.prep == "for" and isinstance(pp.np, NP) and pp.np.noun in LISTS["times"]
