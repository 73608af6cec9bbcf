"""Sentences that have all the words of what is wanted, and whose reading does not tell why not.

That nothing shows a statement is a claim about the whole rulebook. A sentence that was read stands
in its way if it has all its words and its reading does not say why it is something else: stated of
others, or with another verb or mode, or only hoped, or a condition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ibr.logic.english.lexis import closed
from ibr.logic.english.lexis.forms import verb_base
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.normal import CONVERSE
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred, Rule, Var, walk
from ibr.logic.english.sentence import Sentence
from ibr.logic.english.wording.families import alike_names, family, noun_of
from ibr.logic.english.wording.meeting import entails

_EMPTY = ("be", "have", "do", "get", "made", "typical")
_UNSETTLED = (LISTS["saying"] | LISTS["not-yet"] | {"wonder"}) - LISTS["factive"]


def words_of(*texts: str) -> list[str]:
    """Lower-case but for names, without marks."""
    said = " ".join(texts).replace("’", "'").replace("'s", "").split()
    return [word for word in (word.strip(".,;:!?()\"'*") for word in said) if word]


class Covered:
    """One sentence: its words, and where its reading has them."""

    def __init__(self, sentence: Sentence, said: list[Rule]) -> None:
        self.said, own = said, sentence.rules
        self.preds = [pred for rule in said for pred in rule.preds]
        self.terms = {t for pred in self.preds for term in pred.terms for t in walk(term)}
        self.generic = any(isinstance(t, Var) for t in self.terms)
        read = (w for rule in own for pred in rule.preds for w in _words(pred, whole=True))
        first, *rest = words_of(sentence.text) or [""]
        name = any(isinstance(t, Ind) and t.key.startswith(first) for t in self.terms)
        self.words = list(dict.fromkeys([first if name else first.lower(), *rest, *read]))
        self.points = bool(LISTS["possessive"] & {*self.words})

    def bindings(self, want: Pred, everyone: Iterable[Any]) -> Iterator[dict[str, Any]]:
        """Those of whom it may say what is wanted."""
        keys = _words(want)
        if not keys or not self._has(keys):
            return
        who, wide = want.who, self.generic and len(keys) > 1
        if isinstance(who, Var) and want.form == "role":
            return
        if not isinstance(who, Var):
            if (wide or self._mentions(who)) and not self._explains(want, keys):
                yield {}
            return
        for one in everyone:
            if self._mentions(one):
                subj, obj = (None, one) if want.passive else (one, want.obj)
                if not self._explains(want._replace(subj=subj, obj=obj), keys):
                    yield {who.name: one}
        if wide and not self._explains(want, keys):
            yield {}

    def _mentions(self, term: Any) -> bool:
        words = _term_words(term)
        return (bool(words) or isinstance(term, Kind)) and self._has(words)

    def _has(self, keys: Iterable[str]) -> bool:
        return all(any(_same(word, key) for word in self.words) for key in keys)

    def _explains(self, want: Pred, keys: set[str]) -> bool:
        if self._longer(want.who, same=True):
            return False  # the woman; the woman whose son robbed the bank
        return any(self._tells_apart(pred, want, keys) for pred in self.preds)

    def _tells_apart(self, pred: Pred, want: Pred, keys: set[str]) -> bool:
        """It is stated of others; or something else is stated that has the same words."""
        if _head(pred) == _head(want):
            said = dict(pred.tails)
            pairs = [(pred.subj, want.subj), (pred.obj, want.obj)]
            pairs += [(said.get(prep), term) for prep, term in want.tails]
            if all(self._differ(one, other) for one, other in pairs):
                return True
        if entails(pred, want) is not None:
            return True
        inside = {w for t in pred.terms if t is not pred.who for w in _term_words(t)}
        if pred.lemma in _UNSETTLED or any(a.startswith("whether ") for a in pred.advs):
            return _all_in(keys, {*inside, *words_of(*pred.advs)})
        own = {*words_of(pred.lemma, *pred.mods), *inside}
        if own & closed.PRIVATIVE:
            return not want.tense
        accompanied = want.lemma == "have" and any(prep == "with" for prep, _ in pred.tails)
        if accompanied or not self._known(want.who):
            return False  # saw the man with the telescope
        if len(keys) == 1 and want.who in {t for term in pred.terms for t in walk(term)}:
            return _all_in(keys, _words(pred, whole=True))  # `near` compares them
        if pred.mode != want.mode:
            return family(pred.lemma, want.lemma)
        other = pred.form == "verb" and pred.lemma not in _EMPTY
        other = other and not family(pred.lemma, want.lemma)
        thing = want.form in ("noun", "adj") or want.lemma in _EMPTY
        return other and thing and _all_in(keys, inside)  # chases cats: is no cat

    def _differ(self, said: Any, want: Any) -> bool:
        """The same, or another one that the sentence has as such."""
        if want is None or isinstance(want, Var) or isinstance(said, Var) or said == want:
            return True
        if isinstance(said, Owned) and isinstance(want, Owned) and self.points:
            return said.kind.noun != want.kind.noun  # his sister
        names = isinstance(said, Ind) and isinstance(want, Ind) and said.is_name and want.is_name
        if names and not alike_names(said.key, want.key):
            return self._known(want) or want.key in said.key
        return said is not None and self._known(want)

    def _known(self, term: Any) -> bool:
        """It is not mentioned, or it is one of those of whom the reading speaks."""
        if term is None or isinstance(term, Var) or not self._mentions(term):
            return True
        if term in self.terms:
            return True
        if isinstance(term, Kind):
            same = (t for t in self.terms if isinstance(t, Kind) and t.noun == term.noun)
            return any(t.mods and term.mods and not {*t.mods} & {*term.mods} for t in same)
        return self._longer(term, same=False)  # the key to the box: another one

    def _longer(self, term: Any, same: bool) -> bool:
        """A longer description has its words, and is about the same noun, or about another."""
        if not isinstance(term, Ind) or term in self.terms:
            return False
        own, noun = {*term.key.split()}, noun_of(term.key)
        longer = (t.key for t in self.terms if isinstance(t, Ind) and own < {*t.key.split()})
        return any((noun_of(key) == noun) is same for key in longer)


def _head(pred: Pred) -> Any:
    if pred.form == "noun":
        return frozenset((*pred.lemma.split(), *pred.mods)), pred.mode, pred.tense
    return pred.form, pred.lemma, pred.passive, pred.mode, pred.tense, frozenset(pred.advs)


def _all_in(keys: set[str], words: set[str]) -> bool:
    return all(any(_same(word, key) for word in words) for key in keys)


def _same(word: str, key: str) -> bool:
    """Of one family; a name is no noun."""
    if word[:1].isupper() != key[:1].isupper():
        return word == key
    return family(word, key) or CONVERSE.get(verb_base(word)) == key


def _words(pred: Pred, whole: bool = False) -> set[str]:
    """The content words of a predication; without `whole`, not those of whom it is stated."""
    found = words_of(pred.lemma, *pred.mods, *pred.advs)
    for term in pred.terms:
        found += _term_words(term) if whole or term is not pred.who else ()
    return {w for w in found if _counts(w)}


def _term_words(term: Any) -> set[str]:
    kinds = (part.words for part in walk(term) if isinstance(part, Kind))
    keys = (part.key for part in walk(term) if isinstance(part, Ind))
    return {word for word in words_of(*kinds, *keys) if _counts(word)}


def _counts(word: str) -> bool:
    return word not in closed.CLOSED and word not in closed.IDLE and word not in _EMPTY
