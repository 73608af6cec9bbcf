"""Noun phrases that name or describe one individual."""

from __future__ import annotations

from typing import Any

from ibr.logic.english.grammar.tree import NP, PP, Appos, Called, Co, ObjRel, Rel, There, Whose
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.people import is_person
from ibr.logic.english.meaning.formulas import ORDINALS, Formula, Given, Then, atom, both
from ibr.logic.english.meaning.literals import Refusal, Unsayable, describe
from ibr.logic.english.meaning.reference.descriptions import Descriptions, owned_by
from ibr.logic.english.meaning.reference.discourse import person_of
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred, Var

_IN = ("in", "on", "at", "under", "inside", "near")


class Individuals(Descriptions):
    """Names, descriptions, roles, what somebody has."""

    def named(self, np: NP, then: Then, subject: bool) -> Formula:
        term = self.who(np)
        term = self.discourse.aliases.get(term.key, term)
        self.mention(term, subject=subject)
        return both(then(term), *self._asides(np, term))

    def who(self, np: NP) -> Ind:
        """Rita, who is an intern by her name: Intern Rita"""
        title = self.discourse.titled(np.noun)
        who = Ind(np.noun.partition(" ")[2] if title else np.noun)
        if title and not self.asking:
            self.titles[atom("noun", title, who)] = None
        return who

    def _asides(self, np: NP, term: Any) -> list[Formula]:
        """What relative clauses and appositions add."""
        said = [p for p in np.posts if isinstance(p, (Rel, Whose, Appos))]
        if said and self.conditional and np.det == "name":
            raise Refusal("it is stated inside a condition: say it by itself")
        return [self.post(post, term) for post in said]

    def said_of(self, np: NP, then: Then, subject: bool) -> Formula:
        """They; each of them, none of them"""
        term, part = self.pronoun(np, subject), np.word.removesuffix(" of them")
        group = self.discourse.groups.get(term)
        if isinstance(group, NP) and group.det in ("a", "bare", "all", "every"):
            if self.asking or not (subject or self.owning):
                raise Refusal(f'"{np.word}": which one is meant?')
            return self.universal(group, then, subject=True)  # a lizard is an animal; it has a tail
        if part == "a" and isinstance(group, Co) and not self.conditional:
            return self.np(group._replace(op="or"), then, subject)  # one of them holds it
        alone = part in ("both", "neither")
        part = {"both": "all", "neither": "no"}.get(part, part)
        two = not alone or not isinstance(group, Co) or len(group.items) == 2
        if part not in (np.word, "all", "no") or (part != np.word and group is None) or not two:
            raise Refusal(f'"{np.word}": which of them?')
        if group is None or not (subject or isinstance(group, Co)) or self.asking:
            return then(term)
        each = (lambda one: ("not", then(one))) if part == "no" else then
        return self.np(group, each, subject)

    def mention_all(self, np: Co, subject: bool) -> None:
        """Tom and Ann, of whom the next sentence may say "they" or "each of them"."""
        if all(isinstance(item, NP) and item.det == "name" for item in np.items):
            group = Ind(" and ".join(item.noun for item in np.items))
            self.discourse.groups[group] = np
            self.mention(group, "", True, subject)

    def there(self, tree: There) -> Formula:
        np = tree.np
        if isinstance(np, Co):
            return self.joined(np, lambda one: self.there(tree._replace(np=one)))
        clauses = tuple(p for p in np.posts if not isinstance(p, PP))
        if self.asking and [*map(type, clauses)] == [Rel] and not tree.tails and not tree.tense:
            self.whether = "there"  # is there a cup that is not clean?
            plain = np._replace(posts=tuple(p for p in np.posts if isinstance(p, PP)))
            return self.typical(plain, lambda one: self.post(clauses[0], one))
        if np.word == "any":  # are there any kittens?
            np = np._replace(det="bare" if np.plural else "a")
        if np.det in ("no", "nobody"):
            return ("not", self._existing(tree, self.kind(np)))
        if np.det not in ("a", "bare", "mass", "some", "num", "someone"):
            raise Refusal("there is … which one?")
        if np.at in self.forced and self.conditional and tree.tails:
            first, *rest = tree.tails  # whenever there are weeds in the bed, Ilse pulls them out
            place = Pred("prep", first.prep, tense=tree.tense, mode=tree.mode)
            return self.np(np, lambda t: self.placed(place._replace(subj=t), first.np, tuple(rest)))
        kind = self.kind(np)
        self.mention(kind, kind.noun, np.plural, at=np.at)
        return self._existing(tree, kind)

    def _existing(self, tree: There, kind: Kind) -> Formula:
        said = Pred("prep", "", kind, tense=tree.tense, mode=tree.mode)
        if tree.tails:
            first, *rest = tree.tails
            return self.placed(said._replace(lemma=first.prep), first.np, tuple(rest))
        if kind.tails and kind.tails[-1][0] in _IN:
            prep, place = kind.tails[-1]
            shorter = kind._replace(tails=kind.tails[:-1])
            return ("atom", said._replace(lemma=prep, subj=shorter, obj=place))
        return ("atom", said._replace(form="there", lemma="be"))

    def stuff(self, np: NP, then: Then, generic: bool) -> Formula:
        """Glass is collected."""
        kind = self.bare_kind(np)
        term = Ind(describe(kind))
        self.discourse.described.setdefault(term.key, kind)
        self.mention(term, np.noun, subject=True, person=False)
        if not generic or self.asking or self.conditional or self.ruled:
            return then(term)
        return both(then(term), self._anyone(np, then))  # what is glass is collected

    def possessed(self, np: NP, then: Then, subject: bool) -> Formula:
        if np.noun == "one" and not np.mods:  # Ann's car is faster than Ida's
            spoken_of = [ref for ref in self.scope if isinstance(ref.term, Owned) and ref.noun]
            if not spoken_of:
                raise Refusal("it leaves out what is owned")
            np = np._replace(noun=spoken_of[-1].noun, plural=spoken_of[-1].plural)

        def owned(owner: Any) -> Formula:
            kind = self.bare_kind(np)
            each_one = np.plural or isinstance(owner, Var)  # an employee's boss: any one of hers
            is_all = np.word in ("all", "both")
            whole = Owned(owner, kind._replace(mods=(np.word, *kind.mods))) if is_all else None
            many = np.plural and not (self.nobody or self.denied or (np.word and not is_all))
            many = many or (each_one and bool(person_of(None, kind.noun)))
            if many and subject and not self.conditional:
                all_of = (*np.posts, PP("of", Given(owner)))
                np_all = np._replace(det="all", owner=None, posts=all_of)
                before, group, known = [*self.scope], Owned(owner, kind), isinstance(owner, Ind)
                each = self.universal(np_all, then, subject)
                if not isinstance(owner, Ind | Owned) or self.asking:
                    return each
                self.scope = before
                said = [then(group), *([then(whole)] if whole else [])] if known else []
                self.mention(group, kind.noun, True, subject)  # Tom's nets are old. They are wet.
                self.discourse.groups[group] = np._replace(owner=Given(owner))
                return both(*said, each)
            if np.word == "of:a" or (np.plural and np.word.startswith("of:")):
                raise Refusal("one of several: which?")
            if kind.tails:
                raise Refusal("a description inside a description")
            needed = self.conditional or self.denied or self.asking
            if whole and needed and np.plural and not subject:
                return then(whole)
            term = self.discourse.possession(owner, kind)
            self.mention(term, kind.noun, np.plural, subject)
            stated = (then(whole),) if whole and not (self.denied or self.asking) else ()
            return both(then(term), *stated, *(self.post(p, term) for p in np.posts))

        if isinstance(np.owner, Given):
            return owned(np.owner.term)
        of_any = subject and np.owner.det == "a"
        if of_any and is_person(np.noun) and not (np.plural or self.conditional):
            posts = (
                PP("of", np.owner),
                *np.posts,
            )  # a dog's owner: anyone who is the owner of a dog
            return self.universal(np._replace(det="every", owner=None, posts=posts), then, subject)
        self.owning += 1
        found = self.np(np.owner, owned, of_any)
        self.owning -= 1
        return found

    def definite(self, np: NP, then: Then, subject: bool) -> Formula:
        if np.noun == "one" and np.posts:
            raise Refusal('"the one": which?')
        if self.denied and np.word in ("all", "both") and not subject:
            raise Unsayable('"not … all": some of them, perhaps')
        found = self.again(np)
        if found is not None:
            return then(found)
        if np.word == "alone":
            raise Refusal(f'"the {np.mods[0].text}": which one?')
        if np.plural and self.asking and subject and np.word in ("all", "both", "of"):
            return self.universal(np._replace(det="all"), then, subject)
        if np.plural:
            return self._plural(np, then, subject)
        for post in np.posts:
            if isinstance(post, Called):
                return self._called(np._replace(posts=()), post.name, then, subject)
        owned = owned_by(np)
        if owned.owner:
            return self.possessed(owned, then, subject)
        if subject and any(
            isinstance(p, PP) and p.prep == "of" and p.np.det == "a" for p in np.posts
        ):
            return self.universal(np._replace(det="every"), then, subject)  # the owner of a dog
        kind = self.bare_kind(np)
        key = describe(kind)
        if f"the {key}" in self.discourse.roles:
            return self._role(np, f"the {key}", then, subject)
        rels = [
            p for p in np.posts
            if isinstance(p, (Rel, Whose, ObjRel, Co)) and getattr(p, "restrictive", True)
        ]  # fmt: skip
        if rels:
            return self._which(np, kind, rels, then, subject)
        of_each = self.supposed or (self.variable and np.noun in LISTS["counterparts"])
        if of_each and key not in self.discourse.described:
            raise Refusal(f'"the {key}": which one, of each of them?')
        term = self.discourse.definite(kind, self.asking)
        self.mention(term, kind.noun, subject=subject)
        stated = not (self.asking or self.conditional or self.variable) and subject
        role = is_person(np.noun)  # the person on duty
        held = stated and any(isinstance(p, PP) and (role or p.prep == "with") for p in np.posts)
        each = (self._anyone(np, then),) if held else ()
        return both(then(term), *self._asides(np, term), *each)

    def _anyone(self, np: NP, then: Then) -> Formula:
        """Who fits the description is the one."""
        var = self.new_variable()
        self.variable += 1
        found = ("if", self.as_condition(lambda: self.restrictions(np, var)), then(var))
        self.variable -= 1
        return found

    def _plural(self, np: NP, then: Then, subject: bool) -> Formula:
        """The nets: in a statement each of them, in a condition or a question the group."""
        if not all(isinstance(p, PP) for p in np.posts):
            if subject or self.asking or not self.conditional:
                return self.universal(np._replace(det="all"), then, subject)
            return then(self.kind(np))
        kind = self.kind(np._replace(excepts=()))
        stated = not self.conditional and not self.asking
        if stated and not subject and not np.posts and (self.denied or self.free):
            return then(kind)
        group = self.discourse.definite(kind)
        self.discourse.groups[group] = np
        is_name = kind.noun[:1].isupper()
        each = stated and (subject or np.posts or np.excepts) and not is_name
        if np.excepts and not each:
            raise Refusal("an exception to some of a kind")
        self.mention(group, kind.noun, True, subject and not each)
        return self.universal(np._replace(det="all"), then, subject) if each else then(group)

    def kind_of_one(self, np: NP) -> NP:
        """A red kayak, and a green one: a green kayak"""
        if np.noun != "one" or any(m.text in ORDINALS for m in np.mods):
            return np
        named = bool(np.mods) or np.det == "another"
        for refs in (self.scope, self.discourse.before) if named else ():
            known = [r for r in refs if r.noun]
            things = {r.noun for r in known if not r.person} or {r.noun for r in known}
            if len(things) == 1:
                return np._replace(noun=things.pop())
            if things:
                break
        raise Refusal('"one": one of what?')

    def _called(self, np: NP, name: str, then: Then, subject: bool) -> Formula:
        """the dog called Rex"""
        self.mention(Ind(name), np.noun, subject=subject)
        if self.asking:
            return then(Ind(name))
        return both(then(Ind(name)), self.is_described(Ind(name), np))

    def _which(self, np: NP, kind: Kind, rels: list[Any], then: Then, subject: bool) -> Formula:
        """The man who lives next door: one individual, of whom that holds."""
        if self.conditional or self.variable:
            raise Refusal("a description with a relative clause inside a rule")
        said = (getattr(r, "text", "") or f"that {_spelled(r)}" for r in rels)
        key = " ".join((describe(kind), *said))
        term = Ind(key)
        if not self.asking:
            self.discourse.described.setdefault(key, kind)
        self.mention(term, kind.noun, subject=subject)
        if self.asking:
            if key not in self.discourse.described:
                raise Refusal(f'"the {key}": which one?')
            return then(term)
        return both(then(term), *(self.post(r, term) for r in rels), self._anyone(np, then))

    def _role(self, np: NP, role: str, then: Then, subject: bool) -> Formula:
        """The head librarian, who is stated to be Joyce: anyone who is the one."""
        if role in self.discourse.aliases and (self.asking or self.owning):
            term = self.discourse.aliases[role]
            self.mention(term, np.noun, subject=subject)
            return (
                then(term) if self.asking else ("if", atom("role", role, term), then(term), "role")
            )
        var = self.new_variable()
        self.mention(var, np.noun, subject=subject)
        test = atom("role", role, var)
        if self.conditional:
            return both(test, then(var))
        self.variable += 1
        found = ("if", test, both(then(var), *self._asides(np, var)), "role")
        self.variable -= 1
        return found


def _spelled(tree: Any) -> str:
    """Words for the inside of a description, the same for the same tree."""
    if isinstance(tree, str):
        return tree if tree not in ("verb", "prep", "name", "the", "a") else ""
    return " ".join(filter(None, map(_spelled, tree))) if isinstance(tree, tuple) else ""
