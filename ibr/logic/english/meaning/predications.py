"""Verb phrases as predications of somebody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ibr.logic.english.grammar.tree import NP, PP, Co, Not, V
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.formulas import Filled, Formula, Then, both, with_preds
from ibr.logic.english.meaning.literals import Refusal, Unsayable
from ibr.logic.english.meaning.reference.individuals import Individuals
from ibr.logic.english.meaning.terms import Kind, Pred, Var

_GRANTING = ("may", "can")


class Predications(Individuals):
    """Verb phrases, of a term."""

    def vp(self, vp: Any, term: Any) -> Formula:
        if isinstance(vp, Co):
            modes = {getattr(v, "mode", "") for v in vp.items}
            granted = modes <= {"or": {*_GRANTING}, "xor": {"may"}}.get(vp.op, set())
            if granted and not (self.conditional or self.asking or self.denied or self.nobody):
                vp = vp._replace(op="and")  # may pay in cash or by card: may do either
            colours = [getattr(v, "lemma", "") for v in vp.items]
            if vp.op == "and" and LISTS["colours"].issuperset(
                colours
            ):  # black and white: neither alone
                return self.vp(vp.items[0]._replace(lemma=" and ".join(sorted(colours))), term)
            return self.joined(vp, lambda item: self.vp(item, term))
        if isinstance(vp, Not):
            self.denied += 1
            found = ("not", self.vp(vp.body, term))
            self.denied -= 1
            return found
        v, gap = vp if isinstance(vp, Filled) else (vp, None)
        self.free += v.mode in ("may", "can")
        found = self._verb(v, term, gap)
        self.free -= v.mode in ("may", "can")
        return found

    def said(self, vp: Any, term: Any) -> Formula:
        """Of the subject of a clause, to which its pronouns do not point."""
        kept, self.current = self.current, [term]
        found = self.vp(vp, term)
        self.current = kept
        return found

    def joined(self, tree: Co, each: Callable[[Any], Formula]) -> Formula:
        if tree.op == "nor":
            self.denied += 1
            found = ("and", *(("not", each(item)) for item in tree.items))
            self.denied -= 1
            return found
        return ("&" if tree.op == "and" else tree.op, *map(each, tree.items))

    def _verb(self, v: V, term: Any, gap: Any = None) -> Formula:
        advs = tuple(a for a in v.advs if a not in LISTS["idle"])
        said = Pred(v.form, v.lemma, term, None, (), advs, v.mode, v.tense)
        if v.form == "noun":
            posts = getattr(v.obj, "posts", ())
            rest = tuple(p for p in posts if getattr(p, "prep", "") != "since")
            if v.tense == "perf" and rest != posts:  # has been the treasurer since May
                v = v._replace(tense="", obj=v.obj._replace(posts=rest))
            found = self.predicated(v.obj, term)
            if not v.mode and not v.tense and not advs:
                return found

            def timed(pred: Pred) -> Pred:
                if pred.form == "role" and advs:
                    raise Refusal(f'"{advs[0]}": is it the one, then?')
                return pred._replace(mode=v.mode, tense=v.tense, advs=(*advs, *pred.advs))

            return with_preds(found, timed)
        if v.form == "prep":
            return self.placed(said, v.obj, v.tails)
        if v.form in ("adj", "adv"):
            return self.tails(v.tails, lambda tails: ("atom", said._replace(tails=tails)))
        if v.form == "passive":
            return self._passive(v, said)
        if v.form == "ellipsis":
            raise Refusal("it seems to end too early")
        if v.form == "needed":  # only a whole sentence is read so: `clauses`
            raise Refusal("it says what is needed: say who must have it")
        whoever = self.conditional and isinstance(term, Var) and v.lemma in LISTS["achieving"]
        if whoever and not (v.tense or v.mode or v.text):  # who loses a key: who has lost one, too
            said = said._replace(tense="any")
        return self._active(v, said._replace(form="verb"), gap)

    def placed(self, pred: Pred, np: Any, tails: tuple[PP, ...] = ()) -> Formula:
        """in the shop; with a card: who has one"""
        if pred.lemma.startswith("only ") and not tails:
            prep = pred.lemma.removeprefix("only ")
            said = pred._replace(lemma=prep)
            return self._only_of(prep, np, lambda t: ("atom", said._replace(obj=t)))
        if pred.lemma == "without" or (pred.lemma == "with" and not tails):
            has = pred._replace(form="verb", lemma="have")
            if getattr(np, "word", "") == "any" and pred.lemma == "without":
                found = self.np(np._replace(det="no"), lambda o: ("atom", has._replace(obj=o)))
                return ("lacking", found[1]) if self.conditional else found
            found = self.np(np, lambda o: ("atom", has._replace(obj=o)))
            if pred.lemma == "without":  # of whom nothing is known it says nothing
                return ("lacking" if self.conditional else "not", found)
            return found
        return self.tails(
            tails, lambda more: self.np(np, lambda o: ("atom", pred._replace(obj=o, tails=more)))
        )

    def _passive(self, v: V, said: Pred) -> Formula:
        if sum(t.prep == "by" for t in v.tails) > 1:
            raise Refusal('"by" twice: by whom?')
        if v.obj is not None and v.lemma not in LISTS["ditransitive"]:
            given = said._replace(form="verb", lemma=f"be {v.text or v.lemma}")
            return self.np(v.obj, lambda o: self.tails(
                v.tails, lambda tails: ("atom", given._replace(obj=o, tails=tails))
            ))  # fmt: skip
        agents = (t for t in v.tails if t.prep.removeprefix("only ") == "by" and _can_act(t.np))
        agent = next(agents, None)
        rest = tuple(t for t in v.tails if t is not agent)

        def by(subj: Any) -> Formula:
            if isinstance(subj, Kind) and v.mode in ("may", "can"):
                subj = subj._replace(plural=True)  # by an administrator: by any one
            made = said._replace(form="verb", subj=subj, obj=said.subj)
            if v.obj is None:
                return self.tails(rest, lambda tails: ("atom", made._replace(tails=tails)))
            to = ("to", said.subj)  # was given a horse: it was given to him
            return self.np(v.obj, lambda o: self.tails(
                rest, lambda tails: ("atom", made._replace(obj=o, tails=(to, *tails)))
            ))  # fmt: skip

        if agent is not None and agent.prep != "by":
            return self._only_of("by", agent.np, by)
        return by(None) if agent is None else self.np(agent.np, by)

    def _active(self, v: V, said: Pred, gap: Any) -> Formula:
        self.opaque = self.opaque or any(a.startswith("that ") for a in said.advs)
        only = [t for t in v.tails if t.prep.startswith("only ")]
        lacking = [t for t in v.tails if t.prep == "without" and isinstance(t.np, NP)]
        if only and only[0].prep == "only with":
            main, held = self._apart(v, said, gap, only)
            return ("only", main, held)
        if lacking and (self.denied or self.nobody) and lacking[0].np.word != "gerund":
            main, held = self._apart(v, said, gap, lacking)
            has = Pred("prep", "with", said.subj, tense=said.tense)  # who did it had one
            one = () if v.mode else (self.placed(has, lacking[0].np),)
            return ("if", held, main, "wide", *one)
        instead = [t for t in v.tails if t.prep == "instead of"]
        taken = v.obj is not None and not (self.denied or v.mode)
        if instead and taken:  # ordered soup, and no salad
            rest = v._replace(tails=tuple(t for t in v.tails if t not in instead))
            other = self.vp(Not(rest._replace(obj=instead[0].np)), said.subj)
            return ("&", self._active(rest, said, gap), other)
        if v.lemma == "lack" and v.obj is not None:
            return ("not", self._active(v._replace(lemma="have"), said._replace(lemma="have"), gap))

        if v.told and not (self.denied or self.nobody or self.conditional or self.asking):
            return both(("atom", said), self.sentence(v.told))

        def of(obj: Any) -> Formula:
            made = said._replace(obj=obj)
            return self.tails(v.tails, lambda tails: ("atom", made._replace(tails=tails)))

        stated = not (self.asking or self.conditional or self.denied or self.nobody)
        if "only" in said.advs and v.obj is not None and stated:  # eats only plants: nothing else
            plain = said._replace(advs=tuple(a for a in said.advs if a != "only"))
            none = self._only_of("", v.obj, lambda t: ("atom", plain._replace(obj=t)))
            return both(self.np(v.obj, of), none)
        return of(gap) if v.obj is None else self.np(v.obj, of)

    def _apart(self, v: V, said: Pred, gap: Any, tails: list[PP]) -> tuple[Formula, Formula]:
        """What is stated without some of its places, and what they say, as a condition."""
        rest = v._replace(tails=tuple(t for t in v.tails if t not in tails))
        place = Pred("prep", tails[0].prep.removeprefix("only "), said.subj)
        held = self.as_condition(lambda: self.placed(place, tails[0].np))
        return self._active(rest, said, gap), held

    def tails(self, tails: tuple[PP, ...], then: Callable[[tuple[Any, ...]], Formula]) -> Formula:
        """Each place in turn, then what is stated with all of them."""

        def at(k: int, made: tuple[Any, ...]) -> Formula:
            if k == len(tails):
                return then(made)
            prep = tails[k].prep.removeprefix("only ")
            if prep != tails[k].prep:
                return self._only_of(prep, tails[k].np, lambda t: at(k + 1, (*made, (prep, t))))
            self._check_same(tails[k].np)
            return self.np(tails[k].np, lambda t: at(k + 1, (*made, (tails[k].prep, t))))

        return at(0, ())

    def _only_of(self, prep: str, np: Any, then: Then) -> Formula:
        """Sold only to adults: to nobody who is none."""
        one = isinstance(np, NP) and np.det in ("name", "the", "poss") and not np.plural
        kinds = isinstance(np, NP) and np.det in ("a", "bare", "those", "mass")
        stated = not (self.asking or self.conditional)
        if not (one or kinds) or prep not in ("by", "to", "for", "") or not stated:
            raise Unsayable('"only" excludes the rest: say it in a sentence of its own')
        granted = self.np(np, then) if one else ("and",)
        var = self.new_variable()
        self.unrestricted.add(var.name)
        self.variable += 1
        test = self.as_condition(lambda: self.member(np, var))
        said = then(var)
        self.variable -= 1
        return both(("only", said, test), granted)

    def _check_same(self, np: Any) -> None:
        """Shower before they enter: who showers enters. Raises Unsayable where another one may."""
        who = np.owner if isinstance(np, NP) and np.word == "gerund" else None
        if who and [self.pronoun(who, True)] != self.current:
            raise Unsayable(f'"{who.word}": who is meant?')


def _can_act(np: Any) -> bool:
    if isinstance(np, Co):
        return all(map(_can_act, np.items))
    return np.det != "mass" and getattr(np, "noun", "") not in LISTS["no-agents"]
