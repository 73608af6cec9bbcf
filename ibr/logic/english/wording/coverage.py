"""Sentences that have all the words of what is wanted, and whose reading does not tell why not.

That nothing shows a statement is a claim about the whole rulebook. A sentence that was read stands
in its way if it has all its words and its reading does not say why it is something else: stated of
others, or with another verb or mode, or only hoped, or a condition.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ibr.logic.english.lexis.forms import family, noun_of
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.terms import Ind, Kind, Pred, Rule, Var, walk
from ibr.logic.english.sentence import Sentence
from ibr.logic.english.wording.meeting import entails

_AROUND = (
    "in inside within into on onto at to through",
    "at by near beside opposite around outside behind alongside next_to close_to in_front_of",
    "above over on on_top_of",
    "below under beneath underneath",
)  # prepositions that people blur
_SETS = [{word.replace("_", " ") for word in some.split()} for some in _AROUND]
_EMPTY = LISTS["closed"] | {"be", "have", "do", "get", "made", "typical"}
_KEPT = 16  # readings of the rulebook
_UNSETTLED = (LISTS["saying"] | LISTS["not-yet"] | {"wonder"}) - LISTS["factive"]
Everyone = list[tuple[Any, set[str]]]


class Covered:
    """One sentence: its words, and where its reading has them.

    `everyone`: those of whom something may be wanted, each with the words for it.
    """

    def __init__(self, sentence: Sentence, said: list[Rule], everyone: Everyone) -> None:
        denied = {r.head for r in said if r.negative and r.head.lemma == "doubt"}  # nobody doubts
        self.preds = [p for rule in said for p in rule.preds if p not in denied]
        self.preds += sentence.open if " not known whether " in sentence.text else ()
        self.terms = {t for pred in self.preds for term in pred.terms for t in walk(term)}
        self.denied = [r.head for r in said if r.negative and not r.body]
        self.concluded = {pred for r in said if r.body for pred in r.preds}
        self.generic = any(isinstance(t, Var) for t in self.terms)
        read = (
            w for rule in sentence.rules for pred in rule.preds for w in words_in(pred, whole=True)
        )
        first, *rest = words_of(sentence.text) or [""]
        name = any(isinstance(t, Ind) and t.key.startswith(first) for t in self.terms)
        self.cleft = first == "What"  # what he lost was his key: he lost it
        self.words = {first if name else first.lower(), *rest, *read}
        self.has: dict[str, bool] = {}
        self.everyone = everyone
        self.found: dict[Pred, tuple[dict[str, Any], ...]] = {}

    @classmethod
    def of(cls, sentence: Sentence, said: list[Rule], everyone: Everyone) -> Covered:
        """Kept with the sentence: most of what is wanted is so by every question."""
        key = tuple(said), tuple(sentence.rules), tuple(term for term, _ in everyone)
        if key not in sentence.covered:
            if len(sentence.covered) >= _KEPT:
                sentence.covered.clear()
            sentence.covered[key] = cls(sentence, said, everyone)
        found: Covered = sentence.covered[key]
        return found

    def bindings(self, want: Pred, keys: set[str]) -> tuple[dict[str, Any], ...]:
        """Those of whom it may say what is wanted. `keys` are its words."""
        if want not in self.found:
            self.found[want] = tuple(self._bindings(want, keys))
        return self.found[want]

    def _bindings(self, want: Pred, keys: set[str]) -> Iterator[dict[str, Any]]:
        who = want.who
        if not keys or not self._has(keys):
            return
        if not isinstance(who, Var):
            wide = self.generic and len(keys) > 1
            if (wide or self._mentions(who)) and not self._explains(want, keys):
                yield {}
        elif want.form != "role":
            others = [(one, words) for one, words in self.everyone if one not in want.terms]
            for one in (one for one, words in others if words and self._has(words)):
                subj, obj = (None, one) if want.passive else (one, want.obj)
                if not self._explains(want._replace(subj=subj, obj=obj), keys):
                    yield {who.name: one}

    def _mentions(self, term: Any) -> bool:
        words = term_words(term)
        return (bool(words) or isinstance(term, Kind)) and self._has(words)

    def _has(self, keys: set[str]) -> bool:
        for key in keys - self.has.keys():
            self.has[key] = _all_in({key}, self.words)
        return all(self.has[key] for key in keys)

    def _explains(self, want: Pred, keys: set[str]) -> bool:
        if any(no_more(pred, want) and pred.terms == want.terms for pred in self.denied):
            return True
        return not self.cleft and any(self._tells_apart(pred, want, keys) for pred in self.preds)

    def _tells_apart(self, pred: Pred, want: Pred, keys: set[str]) -> bool:
        """It is stated of others; or something else is stated that has the same words."""
        if want.form == "prep" and (want.lemma, want.obj) in pred.tails and pred.subj != want.who:
            return False  # painted the picture of the barn in the kitchen
        if _head(pred) == _head(want):
            said = dict(pred.tails)
            pairs = [(pred.subj, want.subj), (pred.obj, want.obj)]
            pairs += [(said.get(prep), term) for prep, term in want.tails]
            if all(self._differ(one, other) for one, other in pairs):
                return True
            at = {term: prep for prep, term in pred.tails}
            if any(elsewhere(at[term], prep) for prep, term in want.tails if term in at):
                return True
        then = pred._replace(tense=want.tense) if pred in self.concluded else pred
        if entails(then, want) is not None:  # of another time: `near` has the conditions of it
            return True
        inside = {w for t in pred.terms if t is not pred.who for w in term_words(t)}
        if pred.lemma in _UNSETTLED or any(a.startswith("whether ") for a in pred.advs):
            return _all_in(keys, {*inside, *words_of(*pred.advs)})
        if {*words_of(pred.lemma, *pred.mods), *inside} & LISTS["privative"]:
            return not want.tense
        accompanied = want.lemma == "have" and any(prep == "with" for prep, _ in pred.tails)
        if accompanied or not self._known(want.who):
            return False  # saw the man with the telescope
        if len(keys) == 1 and want.who in {t for term in pred.terms for t in walk(term)}:
            return _all_in(keys, words_in(pred, whole=True))  # `near` compares them
        same = family(pred.lemma, want.lemma)
        if pred.mode != want.mode:
            return same
        other = pred.form == "verb" and pred.lemma not in _EMPTY and not same
        return other and _all_in(keys, inside)  # chases cats: is no cat

    def _differ(self, said: Any, want: Any) -> bool:
        """The same, or another one that the sentence has as such."""
        if want is None or isinstance(want, Var) or isinstance(said, Var) or said == want:
            return True
        return said is not None and self._known(want)

    def _known(self, term: Any) -> bool:
        """It is not mentioned, or it is one of those of whom the reading speaks."""
        if term in self.terms or not self._mentions(term):
            return True
        if isinstance(term, Kind):  # paid leave, and it speaks of annual leave
            kinds = (t for t in self.terms if isinstance(t, Kind) and t.noun == term.noun)
            return any(k.mods and term.mods and not {*k.mods} & {*term.mods} for k in kinds)
        if not isinstance(term, Ind):
            return False
        own, noun = {*term.key.split()}, noun_of(term.key)  # the key to the box: another one
        longer = (t.key for t in self.terms if isinstance(t, Ind) and own < {*t.key.split()})
        return any(noun_of(key) != noun for key in longer)


def no_more(stated: Pred, wanted: Pred) -> bool:
    """Has not stung anybody: does not sting, perhaps. But who is not seriously hurt may be hurt."""
    more = isinstance(stated.obj, Kind) and (stated.obj.mods or stated.obj.tails)
    then = wanted.tense and not stated.tense  # no longer banned: was banned
    if stated.advs or stated.mods or stated.tails or more or then:
        return False
    return stated[:2] == wanted[:2] and stated.passive == wanted.passive


def elsewhere(one: str, other: str) -> bool:
    """Next to the castle is not on it."""
    known = all(any(prep in some for some in _SETS) for prep in (one, other))
    return known and not any({one, other} <= some for some in _SETS)


def _head(pred: Pred) -> Any:
    if pred.form == "noun":
        return frozenset((*pred.lemma.split(), *pred.mods)), pred.mode, pred.tense
    return pred.form, pred.lemma, pred.passive, pred.mode, pred.tense, frozenset(pred.advs)


def _all_in(keys: set[str], words: set[str]) -> bool:
    """Each has one of its family there; a name is no noun."""
    return all(any(_same(word, key) for word in words) for key in keys)


def _same(word: str, key: str) -> bool:
    return word == key or (word[:1].isupper() == key[:1].isupper() and family(word, key))


def words_of(*texts: str) -> list[str]:
    """Lower-case but for names, without marks."""
    said = " ".join(texts).replace("’", "'").replace("'s", "").split()
    return [word for word in (word.strip(".,;:!?()\"'*") for word in said) if word]


def words_in(pred: Pred, whole: bool = False) -> set[str]:
    """The content words of a predication; without `whole`, not those of whom it is stated."""
    terms = (term for term in pred.terms if whole or term is not pred.who)
    found = {*words_of(pred.lemma, *pred.mods, *pred.advs)} - _EMPTY
    return found.union(*map(term_words, terms))


def term_words(term: Any) -> set[str]:
    parts = [part for part in walk(term) if isinstance(part, (Kind, Ind))]
    return {*words_of(*(p.words if isinstance(p, Kind) else p.key for p in parts))} - _EMPTY
