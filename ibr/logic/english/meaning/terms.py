"""What sentences speak of and what they say of it: terms, predications, rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple


class Var(NamedTuple):
    name: str


class Ind(NamedTuple):
    """An individual: a name, or a description that fits one ("corner shop")."""

    key: str

    @property
    def is_name(self) -> bool:
        return self.key[:1].isupper()


class Kind(NamedTuple):
    """Some one of a kind: a badge, an unpaid fine. `mass`: milk, probation."""

    noun: str
    mods: tuple[str, ...] = ()
    tails: tuple[tuple[str, Any], ...] = ()
    mass: bool = False
    plural: bool = False

    @property
    def words(self) -> str:
        return " ".join((*self.mods, self.noun))


class Owned(NamedTuple):
    """Tom's mother; the badge that is Dana's because she has one"""

    owner: Any
    kind: Kind


class Pred(NamedTuple):
    """A predication. `form`: adj noun prep adv verb role there; `subj` None: by nobody named.

    For nouns `mods` are adjectives that are not stated apart; `advs` say how or when.
    """

    form: str
    lemma: str
    subj: Any = None
    obj: Any = None
    tails: tuple[tuple[str, Any], ...] = ()
    advs: tuple[str, ...] = ()
    mode: str = ""
    tense: str = ""
    mods: tuple[str, ...] = ()

    @property
    def terms(self) -> tuple[Any, ...]:
        return (self.subj, self.obj, *(term for _, term in self.tails))

    @property
    def who(self) -> Any:
        """Of whom it is stated: the subject; of "is banned" the one who is."""
        return self.obj if self.form == "verb" and self.subj is None else self.subj

    @property
    def passive(self) -> bool:
        return self.form == "verb" and self.subj is None


class Cnd(NamedTuple):
    """One condition: holds (`negative` False), or is not shown. `exception`: an unless.

    `only`: of a sentence that says "only", which says nothing of those of whom nothing is known.
    `denied`: its opposite must be proved.
    """

    pred: Pred
    negative: bool = False
    exception: bool = False
    only: bool = False
    denied: bool = False


class Rule(NamedTuple):
    """`binding`: what its variables stand for, where it is stated for one case only."""

    head: Pred
    negative: bool = False
    body: tuple[Cnd, ...] = ()
    binding: tuple[tuple[str, Any], ...] = ()

    @property
    def preds(self) -> tuple[Pred, ...]:
        return (self.head, *(condition.pred for condition in self.body))


def parts(whole: Any) -> tuple[Any, ...]:
    """What a term, a predication or a rule is made of."""
    if isinstance(whole, Owned):
        return whole
    if isinstance(whole, Kind):
        return tuple(term for _, term in whole.tails)
    if isinstance(whole, Pred):
        return whole.terms
    return whole.preds if isinstance(whole, Rule) else ()


def walk(whole: Any) -> Iterator[Any]:
    """A term and all inside it."""
    yield whole
    for part in parts(whole):
        yield from walk(part)


def variables(whole: Any) -> Iterator[str]:
    return (part.name for part in walk(whole) if isinstance(part, Var))


def individuals(whole: Any) -> Iterator[Any]:
    """Those that it speaks of, a description before those inside it."""
    for part in walk(whole):
        if isinstance(part, Ind) or (isinstance(part, Owned) and not list(variables(part))):
            yield part


def changed(whole: Any, change: Callable[[Any], Any]) -> Any:
    """A term or a predication with each term inside it changed."""

    def tails() -> tuple[tuple[str, Any], ...]:
        return tuple((prep, changed(term, change)) for prep, term in whole.tails)

    if isinstance(whole, Pred):
        subj, obj = changed(whole.subj, change), changed(whole.obj, change)
        return whole._replace(subj=subj, obj=obj, tails=tails())
    new = change(whole)
    if new is not whole:
        return new
    if isinstance(whole, Owned):
        return Owned(changed(whole.owner, change), changed(whole.kind, change))
    return whole._replace(tails=tails()) if isinstance(whole, Kind) and whole.tails else whole


def bound(whole: Any, binding: dict[str, Any]) -> Any:
    """With its variables replaced, and those in what replaces them."""

    def value(term: Any) -> Any:
        if isinstance(term, Var) and binding.get(term.name, term) != term:
            return bound(binding[term.name], binding)
        return term

    return changed(whole, value) if binding else whole


def apart(pred: Pred, mark: str) -> Pred:
    """With other names for its variables."""
    made: Pred = bound(pred, {name: Var(f"?{mark}{name[1:]}") for name in variables(pred)})
    return made
