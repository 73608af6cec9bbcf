"""What sentences speak of and what they say of it: terms, predications, rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple


class Var(NamedTuple):
    name: str


class Ind(NamedTuple):
    """An individual: a name, or a description that fits one ("corner shop")."""

    key: str


class Kind(NamedTuple):
    """Some one of a kind: a badge, an unpaid fine. `mass`: milk, probation."""

    noun: str
    mods: tuple[str, ...] = ()
    tails: tuple[tuple[str, Any], ...] = ()
    mass: bool = False
    plural: bool = False

    @property
    def bare(self) -> Kind:
        """What is compared: one or several is the same here."""
        return self._replace(mass=False, plural=False)


class Owned(NamedTuple):
    """Tom's mother"""

    owner: Any
    kind: Kind


Term = Var | Ind | Kind | Owned


class Pred(NamedTuple):
    """A predication. `form`: adj noun prep adv verb role there; `subj` None: by nobody named.

    For nouns `mods` are adjectives that are not said apart; `advs` say how or when.
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
    def terms(self) -> Iterator[Any]:
        yield self.subj
        yield self.obj
        for _, term in self.tails:
            yield term

    def exchanged(self, old: Any, new: Any) -> Pred:
        return self.mapped(lambda term: new if term == old else term)

    def mapped(self, change: Callable[[Any], Any]) -> Pred:
        return self._replace(
            subj=change(self.subj),
            obj=change(self.obj),
            tails=tuple((prep, change(term)) for prep, term in self.tails),
        )


class Cnd(NamedTuple):
    """One condition: holds (`negative` False), or is not shown. `exception`: an unless."""

    pred: Pred
    negative: bool = False
    exception: bool = False


class Rule(NamedTuple):
    """`binding`: what its variables stand for, where it is said for one case only."""

    head: Pred
    negative: bool
    body: tuple[Cnd, ...] = ()
    binding: tuple[tuple[str, Any], ...] = ()


def variables(term: Any) -> Iterator[str]:
    """Of a term, a predication or a rule."""
    if isinstance(term, Var):
        yield term.name
    elif isinstance(term, Owned):
        yield from variables(term.owner)
        yield from variables(term.kind)
    elif isinstance(term, Kind):
        for _, other in term.tails:
            yield from variables(other)
    elif isinstance(term, Pred):
        for other in term.terms:
            yield from variables(other)
    elif isinstance(term, Rule):
        yield from variables(term.head)
        for condition in term.body:
            yield from variables(condition.pred)


def bound(term: Any, binding: dict[str, Any]) -> Any:
    """A term with its variables replaced."""
    if isinstance(term, Var):
        found = binding.get(term.name, term)
        return found if found == term else bound(found, binding)
    if isinstance(term, Owned):
        return Owned(bound(term.owner, binding), bound(term.kind, binding))
    if isinstance(term, Kind):
        return term._replace(tails=tuple((p, bound(t, binding)) for p, t in term.tails))
    if isinstance(term, Pred):
        return term.mapped(lambda t: bound(t, binding))
    return term
