"""Whom a sentence speaks of: variables, pronouns, and descriptions that point back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ibr.logic.english.grammar.tree import NP, Rel
from ibr.logic.english.lexis.knowledge import is_animal
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.formulas import ANYONE, ORDINALS, Formula, Then, adjectives, compound
from ibr.logic.english.meaning.literals import Refusal, noun_phrase
from ibr.logic.english.meaning.reference.discourse import (
    OTHERS,
    Choices,
    Chosen,
    Discourse,
    NeedVariable,
    Ref,
    head,
    is_inside,
    is_name,
    is_time,
    person_of,
    unembedded,
)  # fmt: skip
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred, Var

_HE, _THEY = LISTS["he"], ("they", "them", "their")
_MOST = 3  # that a pronoun may point to
_SPEAKERS = (Ind("I"), Ind("We"))


class References:
    """Whom a sentence speaks of, and whom its pronouns and descriptions point to."""

    if TYPE_CHECKING:  # what the other parts of the interpretation do

        def __getattr__(self, name: str) -> Any: ...

    def __init__(
        self,
        discourse: Discourse,
        forced: frozenset[int],
        asking: bool = False,
        chosen: Chosen | None = None,
        choices: Choices | None = None,
    ) -> None:
        self.discourse, self.forced, self.asking = discourse, forced, asking
        self.chosen, self.choices = chosen or {}, choices or {}  # which is taken; of how many
        self.scope: list[Ref] = []
        self.count = 0
        self.titles: dict[Formula, None] = {}  # what names say of who has them
        self.opaque = False  # something was stated, or thought
        self.unrestricted: set[str] = set()  # variables of everyone, nobody
        self.linked = 0  # in a clause that goes on with "and" or "but"
        self.ruled = 0  # under a condition that came before
        self.under = 0  # under a condition that follows
        self.shared: Var | None = None  # of several kinds, of each of which the same is stated
        self.ordinals: dict[Any, str] = {}  # variable -> first, second
        self.last_vp: Any = discourse.last_vp
        self.last_condition: Any = discourse.last_condition
        self.supposed, self.whether = list[Pred](), ""  # `whether`: any, or if there is one
        self.conditional = 0  # inside a condition
        self.lacking = 0  # inside one that is denied: unless a teacher is present
        self.variable = 0  # some variable is universal here
        self.denied = 0
        self.nobody = 0  # of nobody at all
        self.stressed = False  # all … do not: perhaps not all
        self.owning = 0  # of the owner of something
        self.current: list[Any] = []  # the subjects of the clause that is being read
        self.barred: frozenset[str] = frozenset()  # who is named later in it
        self.alone = False  # Ann is her boss: not her own
        self.depth = 0  # inside the description of somebody
        self.free = 0  # of a permission: any one will do

    def new_variable(self) -> Var:
        self.count += 1
        return Var(f"?{'xyzuvwrst'[self.count - 1] if self.count < 10 else f'x{self.count}'}")

    def mention(
        self,
        term: Any,
        noun: str = "",
        plural: bool = False,
        subject: bool = False,
        person: bool | None = None,
        at: int = -1,
    ) -> None:
        person = person_of(term, noun) if person is None else person
        self.scope.append(
            Ref(term, noun, plural, person, at, subject, self.depth, bool(self.owning))
        )

    def choose(self, place: Any, options: Mapping[Any, Any]) -> Any:
        """One of the readings of a phrase, the usual one first."""
        known = self.choices.setdefault(place, [])
        known += (one for one in options if one not in known)
        at = min(self.chosen.get(place, 0), len(known) - 1)
        return options.get(known[at], next(iter(options.values())))

    def either(self, place: Any, holds: bool) -> bool:
        """Whether to take the first of two readings, where a phrase has two."""
        return bool(self.choose(place, {True: True, False: False})) if holds else True

    def as_condition(self, make: Callable[[], Formula]) -> Formula:
        self.conditional += 1
        found = make()
        self.conditional -= 1
        return found

    def pronoun(self, np: NP, subject: bool = False) -> Any:
        """Who is meant: the only one of this sentence that fits, else of the one before."""
        word = np.word
        if self.opaque:
            raise Refusal(f'"{word}" may be somebody of whom somebody else speaks')
        if word.endswith(("self", "selves")) and not subject and len(self.current) == 1:
            return self.current[0]
        found = self._pointed_at(np, subject)
        if not found and self.conditional and word in _THEY and not self.scope:
            raise Refusal(f'"{word}": who is meant?')  # provided that they have paid, members …
        if not found:
            found = self._fitting(self.discourse.before, word)
            found = _unowned(found) if np.noun == "owner" else found
            found.sort(key=lambda ref: ref.is_owner)
            if not found and word in _HE:  # the knight … he: a noun that no list has
                found = [r for r in (*self.scope, *self.discourse.before) if _may_be_he(r)]
        if subject:
            found = [r for r in unembedded(found, word) if noun_phrase(r.term) not in self.barred]
        if not found:
            raise Refusal(f'"{word}": who is meant?')
        last = {ref.term: ref for ref in found}
        if len(last) > (1 if self.asking else _MOST):
            raise Refusal(f'"{word}": which of the two is meant?')
        options: dict[Any, Ref] = {}
        for one in last.values():
            label = one.term if isinstance(one.term, Ind) else one.noun
            options[(label, len(options)) if label in options else label] = one
        ref = self.choose(np.at, options)
        if len(options) == 1 and word in OTHERS and is_name(ref.term):
            self.discourse.spoken[ref.term] = word
        if ref not in self.scope and np.at >= 0:  # for "it" and "she" again
            self.scope.append(ref._replace(subject=subject, is_owner=np.noun == "owner"))
        if not isinstance(ref.term, Kind) or ref.term.mass:
            return ref.term
        if ref.at >= 0 and ref in self.scope:
            raise NeedVariable(ref.at)
        raise Refusal(f'"{word}": which one is meant?')

    def weather(self, np: NP, then: Then) -> Formula:
        """It is cold: unless another thing may be meant."""
        is_open = np.word in LISTS["weather-adj"] - self.discourse.weather
        free = is_open and not (self.conditional or self.asking)
        if free and _fitting(self.discourse.before, "it"):
            raise Refusal('"it" may be what was spoken of before')
        known = self.discourse.states.get(np.word, set()) | {Kind("something")}
        if self.conditional and known.intersection(
            one for ref in self.scope for one in (ref.term, ref.noun)
        ):
            raise Refusal('"it" is what is stated to be so')
        return then(Ind("it"))

    def _fitting(self, refs: list[Ref], word: str) -> list[Ref]:
        """Those that a pronoun may point to; she is no man, and no Mr."""
        others, known = OTHERS.get(word, frozenset()), self.discourse.not_meant(word)
        named = ((r, {head(r.noun), noun_phrase(r.term).split()[0].lower()}) for r in refs)
        return _fitting([r for r, low in named if r.term not in known and not low & others], word)

    def _pointed_at(self, np: NP, subject: bool) -> list[Ref]:
        """Those of this sentence that a pronoun can be."""
        if np.at < 0:  # "unless ill": the subject
            return [r for r in self.scope if r.subject][-1:]
        word, refs, owns = np.word, self.scope, np.noun == "owner"
        if not subject and (self.alone or not owns) and not word.endswith(("self", "selves")):
            refs = [r for r in refs if r.term not in self.current]
        found = self._fitting(refs, word)
        here = [r for r in refs if r.term in self.current] if owns else []
        mine = here if self.depth and len(here) == 1 else [r for r in here if _may_own(r, word)]
        least = min((r.depth for r in mine or found), default=0)
        whole = [noun_phrase(r.term) for r in mine if not isinstance(r.term, Var)]
        found = [r for r in dict.fromkeys((*mine, *found)) if r.depth == least]
        found = [r for r in _unowned(found) if r in mine or not is_inside(r.term, whole)]
        rules = [r for r in mine or found if isinstance(r.term, Var) or self._is_new(r)]
        several = len({r.term for r in found}) > 1
        if several and (mine or not subject) and len({r.term for r in rules}) == 1:
            return rules  # a bird that has lost its way
        return self._parallel(found) if several and subject else found

    def _is_new(self, ref: Ref) -> bool:
        """A rucksack, of everyone who left one; but not ice"""
        return bool(self.variable) and ref.at >= 0 and not ref.term.mass

    def _parallel(self, found: list[Ref]) -> list[Ref]:
        """A subject goes on with the subject, unless another person may be meant."""
        subjects = [r for r in found if r.subject]
        others = [r for r in found if not r.subject]
        rivals = any(r.person is True or is_name(r.term) for r in others)
        variables = any(isinstance(r.term, Var) for r in others)
        several = len({r.term for r in subjects}) > 1
        if several or not subjects or (self.conditional and variables):
            return found
        rule = isinstance(subjects[-1].term, Var) and (self.linked or not rivals)
        return subjects[-1:] if rule else [subjects[-1], *found]

    def again(self, np: NP) -> Any:
        """The customer, that employee, the second thing: somebody of this sentence."""
        nouns = compound(np)
        if nouns == "one" and np.det == "this":
            raise Refusal("this one: which?")
        fitting = [
            ref for ref in self.scope
            if ref.noun and nouns in (ref.noun, head(ref.noun))
            and (isinstance(ref.term, Var | Owned) or ref.at >= 0)
            and ref.plural == (np.plural or (ref.subject and ref.plural and not np.mods))
        ]  # fmt: skip
        if nouns in ANYONE and not fitting and np.det == "this":
            spoken_of = [r for r in self.scope if isinstance(r.term, Var) or r.at >= 0]
            fitting = [r for r in spoken_of if r.person is True]  # bit someone: that person
            fitting = fitting or [r for r in spoken_of if r.person is None]
        if np.word == "alone":
            fitting = [r for r in self.scope if isinstance(r.term, Var) or r.at >= 0]
        wanted = adjectives(np)
        ordinals = [m for m in wanted if m in ORDINALS]
        if ordinals and fitting:
            at = slice(0, 1) if ordinals[0] == "first" else slice(1, 2)
            named = [r for r in fitting if self.ordinals.get(r.term) == ordinals[0]]
            fitting = named or fitting[at]
        elif wanted:
            return None
        if not all(isinstance(p, Rel) and not p.restrictive for p in np.posts) or not fitting:
            return None
        if len({r.term for r in fitting}) > 1:
            raise Refusal(f'"the {nouns}": which of the two?')
        if fitting[-1].at >= 0:
            raise NeedVariable(fitting[-1].at)
        return fitting[-1].term


def _may_be_he(ref: Ref) -> bool:
    known = LISTS["things"] | LISTS["animals"] | LISTS["people-things"] | LISTS["times"]
    return ref.subject and not ref.plural and ref.noun != "" and head(ref.noun) not in known


def _unowned(refs: list[Ref]) -> list[Ref]:
    """Without things that are there by their owner, who is there, too."""
    terms = {r.term for r in refs}
    return [r for r in refs if r.person is True or getattr(r.term, "owner", None) not in terms]


def _may_own(ref: Ref, word: str) -> bool:
    return ref.person is not True if word == "its" else word == "their" or ref.person is not False


def _fitting(refs: list[Ref], word: str) -> list[Ref]:
    """The first group that is not empty, of those that a pronoun may point to."""
    refs = [r for r in refs if r.term not in _SPEAKERS]
    if word in ("it", "its", "itself"):
        refs = [r for r in refs if not r.plural and not is_time(r)]
        unknown = [r for r in refs if r.person is None]
        things = [r for r in refs if r.person is False]
        animals = (r for r in unknown if things and is_animal(head(r.noun)))
        things += [*(r for r in unknown if isinstance(r.term, Var)), *animals]
        classed = (r for r in unknown if things and is_name(r.term) and r.noun)  # a book
        things += [r for r in classed if not r.term.key.endswith(r.noun)]  # but: the CE mark
        stuff = [r for r in things if isinstance(r.term, Kind) and r.term.mass]
        if any(r.person is False and r not in stuff for r in things):
            things = [r for r in things if r.noun not in LISTS["humans"]]  # a child has a toy
        found = things or [r for r in unknown if not is_name(r.term)] or unknown
        return found or [r for r in refs if r.noun and head(r.noun) not in LISTS["persons"]]
    if word in _HE:
        one = [r for r in refs if not r.plural]
        known = [r for r in one if r.person is True]
        if known and all(is_name(r.term) for r in known):  # another name may be a person, too
            known = [r for r in one if r.person is not False and is_name(r.term)]
        return (
            known
            or [r for r in one if r.person is None]
            or [r for r in refs if r.person is True and isinstance(r.term, Var)]
            or [r for r in refs if r.subject and isinstance(r.term, Var)]
            or [r for r in one if r.subject and head(noun_phrase(r.term)) not in LISTS["things"]]
        )
    subjects = [r for r in refs if r.subject and (r.plural or isinstance(r.term, Var))]
    rivals = [r for r in refs if r.plural and is_name(r.term)]
    if len({r.term for r in rivals}) > 1:
        return rivals  # Tom and Ann met Bob and Kim
    if subjects:
        return subjects[-1:] if len({r.term for r in subjects}) == 1 else subjects
    many = [r for r in refs if r.plural and r.at < 0] or [r for r in refs if r.plural]
    return many or [r for r in refs if r.person is not False]
