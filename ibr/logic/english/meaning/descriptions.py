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
    Whose,
)
from ibr.logic.english.lexis import closed
from ibr.logic.english.meaning.discourse import (
    Refusal,
    describe,
)
from ibr.logic.english.meaning.formulas import (
    ANYONE,
    ORDINALS,
    Formula,
    Given,
    adverbed,
    both,
    compound,
    describe_owned,
    gap_filled,
    kept_in,
)
from ibr.logic.english.meaning.references import References
from ibr.logic.english.meaning.terms import Kind, Owned, Pred, Var


class Descriptions(References):
    """Descriptions as kinds and as conditions."""

    def _bare_kind(self, np: NP) -> Kind:
        """The description without clauses."""
        tails: list[tuple[str, Any]] = []
        for post in np.posts:
            if isinstance(post, PP):
                if isinstance(post.np, Co):
                    raise Refusal("several in one description")
                tails.append((post.prep, self._tail_term(post.np)))
        mods = tuple(adverbed(m) for m in np.mods if m.kind in ("adj", "vn", "vg"))
        return Kind(compound(np), mods, tuple(tails), np.det == "mass", np.plural)

    def _tail_term(self, np: NP) -> Any:
        found: list[Any] = []
        made = self.np(np, kept_in(found))
        if made != ("and",) or len(found) != 1:
            raise Refusal("a description that is a rule of its own")
        return found[0]

    def _kind(self, np: NP) -> Kind:
        if any(not isinstance(p, PP) for p in np.posts):
            raise Refusal("a clause about one that is not known")
        kind = self._bare_kind(np)
        if np.det in ("nobody", "someone"):
            kind = kind._replace(noun="something" if np.word.endswith("thing") else "someone")
        if np.det == "num" and not np.word.startswith(("several", "a few", "some")):
            kind = kind._replace(mods=(np.word, *kind.mods))
        return kind

    def _restrictions(self, np: NP, term: Any) -> Formula:
        """What a noun phrase says of its individual."""
        self.depth += 1
        found = self._restricted(np, term)
        self.depth -= 1
        return found

    def _restricted(self, np: NP, term: Any) -> Formula:
        parts: list[Formula] = []
        noun = compound(np)
        of = tuple(p for p in np.posts if isinstance(p, PP) and p.prep == "of" and noun)
        privative = [m for m in np.mods if m.kind != "noun" and m.text in closed.PRIVATIVE]
        if privative:
            noun = " ".join((*(m.text for m in np.mods if m.kind in ("adj", "vn", "vg")), noun))
        if noun and (noun not in ANYONE or of):
            parts.append(self._classed(noun, of, term))
        if not privative:
            parts += [self._modified(m, term) for m in np.mods if m.kind in ("adj", "vn", "vg")]
        parts += [self._post(p, term) for p in np.posts if p not in of]
        return both(*parts) if parts else ("and",)

    def _classed(self, noun: str, of: tuple[PP, ...], term: Any) -> Formula:
        if (
            noun == "member"
            and len(of) == 1
            and isinstance(of[0].np, NP)
            and of[0].np.det in ("mass", "bare")
            and not of[0].np.mods
        ):
            return ("atom", Pred("noun", of[0].np.noun, term))  # a member of staff
        return self._tails(of, lambda tails: ("atom", Pred("noun", noun, term, tails=tails)))

    def _modified(self, mod: Mod, term: Any) -> Formula:
        if mod.text in ORDINALS and isinstance(term, Var):
            self._ordinals[term] = mod.text
            return ("and",)
        denied = "not" in mod.advs
        advs = tuple(a for a in mod.advs if a not in closed.IDLE and a != "not")
        if mod.kind == "vn":
            pred = Pred("verb", mod.lemma, None, term, advs=advs)
        else:
            pred = Pred("adj", mod.text, term, advs=advs)
        return ("not", ("atom", pred)) if denied else ("atom", pred)

    def _post(self, post: Any, term: Any) -> Formula:
        if isinstance(post, Rel):
            return self.vp(post.vp, term)
        if isinstance(post, Co):
            return (post.op, *(self._post(item, term) for item in post.items))
        if isinstance(post, ObjRel):
            return self.np(
                post.subj, lambda s: self.vp(gap_filled(post.vp, term), s), subject=False
            )
        if isinstance(post, Whose):
            owned = post.np._replace(owner=Given(term))
            return self._possessed(owned, lambda t: self.vp(post.vp, t), subject=False)
        if isinstance(post, PP):
            return self._place(post.prep, post.np, term, "", "", (), ())
        if isinstance(post, Appos):
            return self._predicated(post.np, term)
        if isinstance(post, Called):
            return ("atom", Pred("role", post.name, term))
        raise Refusal("what follows the noun is not known here")

    def _predicated(self, np: Any, term: Any) -> Formula:
        """is a member, is the chairman"""
        if isinstance(np, Co):
            return (np.op, *(self._predicated(item, term) for item in np.items))
        if np.det in ("a", "bare", "mass", "num", "some", "another", "no"):
            if np.noun == "one" and not np.mods:
                raise Refusal('"one": one of what?')
            found = self._restrictions(np, term)
            return ("not", found) if np.det == "no" else found
        if np.det == "name":
            return ("atom", Pred("role", np.noun, term))
        if np.det in ("the", "poss", "this"):
            return self._is_described(term, np)
        raise Refusal("it says that somebody is several others")

    def _is_described(self, term: Any, np: NP) -> Formula:
        """Magnus is the chairman: he is the one, and he is a chairman."""
        if np.det == "poss":
            owner: list[Any] = []
            found = self.np(np.owner, kept_in(owner), subject=False)
            if found != ("and",) or not owner:
                raise Refusal("whose?")
            kind = self._bare_kind(np)
            role = describe_owned(Owned(owner[0], kind))
            related = Pred("noun", kind.noun, term, tails=(("of", owner[0]),), mods=kind.mods)
            if isinstance(owner[0], Var):
                return ("atom", related)
            return both(("atom", Pred("role", role, term)), ("atom", related))
        kind = self._bare_kind(np)
        role = describe(kind)
        atoms: list[Formula] = [("atom", Pred("role", f"the {role}", term))]
        if not self.denied:
            atoms.append(self._restrictions(np._replace(det="a"), term))
        return both(*atoms)

    def _member(self, np: Any, term: Any) -> Formula:
        """That somebody is one of those: a kind, a name, a role."""
        if isinstance(np, Co):
            return ("or", *(self._member(item, term) for item in np.items))
        if np.det == "name":
            return ("atom", Pred("role", np.noun, term))
        if np.det in ("the", "poss", "this") and not np.plural:
            self.denied += 1
            found = self._is_described(term, np)
            self.denied -= 1
            return found
        if np.det in (
            "a",
            "bare",
            "mass",
            "those",
            "every",
            "all",
            "someone",
            "the",
            "num",
            "everyone",
        ):
            return self._restrictions(np, term)
        raise Refusal("of whom is it an exception?")
