"""Verb phrases as predications of somebody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ibr.logic.english.grammar.tree import (
    NP,
    PP,
    Co,
    Not,
    V,
)
from ibr.logic.english.lexis import closed
from ibr.logic.english.meaning.descriptions import Descriptions
from ibr.logic.english.meaning.discourse import (
    Refusal,
)
from ibr.logic.english.meaning.formulas import (
    Filled,
    Formula,
    can_act,
    changed,
    normal,
)
from ibr.logic.english.meaning.terms import Pred


class Predications(Descriptions):
    """Verb phrases, of a term."""

    def vp(self, vp: Any, term: Any) -> Formula:
        if isinstance(vp, Co):
            return self._joined(vp, lambda item: self.vp(item, term))
        if isinstance(vp, Not):
            self.denied += 1
            found = ("not", self.vp(vp.body, term))
            self.denied -= 1
            return found
        v, gap = (vp.v, vp.gap) if isinstance(vp, Filled) else (vp, None)
        self.free += v.mode in ("may", "can")
        found = self._verb(v, term, gap)
        self.free -= v.mode in ("may", "can")
        return found

    def _verb(self, v: V, term: Any, gap: Any = None) -> Formula:
        advs = tuple(a for a in v.advs if a not in closed.IDLE)
        if v.form == "noun":
            return self._noun(v, term, advs)
        if v.form == "prep":
            return self._place(v.lemma, v.obj, term, v.mode, v.tense, v.tails, advs)
        if v.form == "adv":
            return self._tails(
                v.tails,
                lambda t: ("atom", Pred("adv", v.lemma, term, None, t, advs, v.mode, v.tense)),
            )
        if v.form == "adj":
            return self._tails(
                v.tails,
                lambda t: ("atom", Pred("adj", v.lemma, term, None, t, advs, v.mode, v.tense)),
            )
        if v.form == "passive":
            return self._passive(v, term, advs)
        if v.form == "ellipsis":
            raise Refusal("it seems to end too early")
        return self._active(v, term, advs, gap)

    def _noun(self, v: V, term: Any, advs: tuple[str, ...]) -> Formula:
        found = self._predicated(v.obj, term)
        if not v.mode and not v.tense and not advs:
            return found
        return changed(
            found, lambda p: p._replace(mode=v.mode, tense=v.tense, advs=(*advs, *p.advs))
        )

    def _place(
        self,
        prep: str,
        np: Any,
        term: Any,
        mode: str,
        tense: str,
        tails: tuple[PP, ...],
        advs: tuple[str, ...],
    ) -> Formula:
        if prep == "with" and not tails:
            return self.np(
                np, lambda o: ("atom", Pred("verb", "have", term, o, (), advs, mode, tense))
            )
        if prep == "without":
            made = self.np(
                np, lambda o: ("atom", Pred("verb", "have", term, o, (), advs, mode, tense))
            )
            return ("not", made)
        return self._tails(
            tails,
            lambda more: self.np(
                np, lambda o: ("atom", Pred("prep", prep, term, o, more, advs, mode, tense))
            ),
        )

    def _passive(self, v: V, term: Any, advs: tuple[str, ...]) -> Formula:
        if sum(t.prep == "by" for t in v.tails) > 1:
            raise Refusal('"by" twice: by whom?')
        agent = next((t.np for t in v.tails if t.prep == "by" and can_act(t.np)), None)
        rest = tuple(t for t in v.tails if t.np is not agent)
        if v.obj is not None:
            word = v.text or v.lemma
            given = Pred("verb", f"be {word}", term, None, (), advs, v.mode, v.tense)
            return self.np(
                v.obj,
                lambda o: self._tails(v.tails, lambda t: ("atom", given._replace(obj=o, tails=t))),
            )

        def said(by: Any) -> Formula:
            return self._tails(
                rest, lambda t: ("atom", Pred("verb", v.lemma, by, term, t, advs, v.mode, v.tense))
            )

        return said(None) if agent is None else self.np(agent, said)

    def _active(self, v: V, term: Any, advs: tuple[str, ...], gap: Any) -> Formula:
        self.opaque = self.opaque or any(a.startswith("that ") for a in advs)

        def said(obj: Any) -> Formula:
            if gap is not None and obj is None and v.obj is None:
                obj = gap
            return self._tails(
                v.tails,
                lambda t: (
                    "atom",
                    normal(Pred("verb", v.lemma, term, obj, t, advs, v.mode, v.tense)),
                ),
            )

        only = [t for t in v.tails if t.prep.startswith("only ")]
        if only:
            rest = v._replace(tails=tuple(t for t in v.tails if t not in only))
            if only[0].prep != "only with":
                raise Refusal(
                    f'"{only[0].prep}" excludes the rest: say it in a sentence of its own'
                )
            said = self._active(rest, term, advs, gap)
            held = V("prep", "with", obj=only[0].np)
            return ("only", said, self._as_condition(lambda: self._verb(held, term)))
        lacking = [t for t in v.tails if t.prep == "without" and isinstance(t.np, NP)]
        if lacking and self.denied and lacking[0].np.word != "gerund":
            rest = v._replace(tails=tuple(t for t in v.tails if t not in lacking))
            without = V("prep", "without", obj=lacking[0].np)
            held = self._as_condition(lambda: self._verb(without, term))
            return ("if", held, self._active(rest, term, advs, gap), "wide")
        if v.lemma == "lack" and v.obj is not None:
            return ("not", self._verb(v._replace(lemma="have"), term))
        if v.obj is None:
            return said(None)
        return self.np(v.obj, said)

    def _tails(self, tails: tuple[PP, ...], then: Callable[[tuple[Any, ...]], Formula]) -> Formula:
        """Each place in turn, then what is said with all of them."""

        def at(k: int, made: tuple[Any, ...]) -> Formula:
            if k == len(tails):
                return then(made)
            return self.np(tails[k].np, lambda t: at(k + 1, (*made, (tails[k].prep, t))))

        return at(0, ())
