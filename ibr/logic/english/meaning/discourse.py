"""Who is who in a rulebook: descriptions, roles, and what pronouns point to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ibr.logic.english.lexis import closed
from ibr.logic.english.lexis.forms import is_listed, plural
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.people import is_person
from ibr.logic.english.meaning.literals import describe
from ibr.logic.english.meaning.terms import Ind, Kind
from ibr.logic.surface.words import GIVEN_NAMES

_ANIMALS, _TITLES = LISTS["animals"], LISTS["person-titles"]


class NeedVariable(Exception):
    """An indefinite noun phrase is spoken of again: it must be a variable or a witness."""

    def __init__(self, at: int) -> None:
        self.at = at


class Ref(NamedTuple):
    """Something that was mentioned. `at`: of a noun phrase that is no individual yet."""

    term: Any
    noun: str
    plural: bool = False
    person: bool | None = None
    at: int = -1
    subject: bool = False
    depth: int = 0
    is_owner: bool = False  # the Tom of Tom's landlord


@dataclass
class Discourse:
    """What the sentences so far (and the whole rulebook's descriptions) speak of."""

    names: frozenset[str] = frozenset()  # those that stand without a title, or with one only
    described: dict[str, Kind] = field(default_factory=dict)  # key of an Ind -> its description
    roles: set[str] = field(default_factory=set)  # descriptions that somebody is stated to be
    members: dict[str, list[Ind]] = field(default_factory=dict)  # noun -> who is one, by facts
    before: list[Ref] = field(default_factory=list)  # mentioned in the sentence before
    witnesses: dict[Kind, list[Any]] = field(default_factory=dict)  # what somebody has, or saw
    owned: dict[Any, None] = field(default_factory=dict)  # what was named by its owner
    masses: frozenset[str] = frozenset()  # nouns that stand without an article: butter
    vague: frozenset[str] = frozenset()  # goods, where nothing else is stated to be any
    kinds: set[str] = field(default_factory=set)  # nouns of rules about every one
    last_vp: Any = None  # what was stated last: So does Ann
    shortened: int = 0  # how often a description stood for a fuller one
    weather: frozenset[str] = frozenset()  # "If it is cold, …" opens a sentence
    classes: frozenset[str] = frozenset()  # nouns that somebody is stated to be: an owl
    groups: dict[Ind, Any] = field(default_factory=dict)  # the nets -> its noun phrase
    aliases: dict[str, Any] = field(default_factory=dict)  # description -> who it is, in questions

    def titled(self, name: str) -> str:
        """Intern, of Intern Rita, unless Rita is elsewhere Nurse Rita"""
        title, _, rest = name.partition(" ")
        known = rest in self.names and rest.lower() not in LISTS["things"]
        known = known and is_person(title.lower()) and is_listed(title.lower())
        return title.lower() if known else ""

    def definite(self, kind: Kind, asking: bool = False) -> Any:
        """The individual that a description fits: the same one, or the only one it can be.

        Of a plural ("the nets") it is the group, which is itself of the kind: what is stated of
        every net is stated of the nets.
        """
        if kind.plural and not kind.noun[:1].isupper():
            first, _, last = kind.noun.rpartition(" ")
            key = describe(kind._replace(noun=f"{first} {plural(last)}".strip()))
        else:
            key = describe(kind)
        if key in self.described:
            return Ind(key)
        known = self._known(kind, asking)
        if known is not None:
            return known
        said, noun = set(key.split()), head(kind.noun)
        fuller = [
            other for other, description in self.described.items()
            if head(description.noun) == noun and said < set(other.split())
            and not closed.PRIVATIVE & set(other.split())
        ]  # fmt: skip
        if len(fuller) == 1:
            self.shortened += 1
            return Ind(fuller[0])
        self.described[key] = kind
        return Ind(key)

    def _known(self, kind: Kind, asking: bool) -> Any:
        """The parrot, after "Nina has a parrot"; the dog, after "Rex is a dog"."""
        if kind.tails:
            return None
        had = [
            one for other, some in self.witnesses.items() for one in some
            if other.noun == kind.noun and {*kind.mods} <= {*other.mods}
        ]  # fmt: skip
        if asking:  # Did Ted bury the bone? His bone
            named = (t for t in self.owned if t.kind.noun == kind.noun)
            had += [t for t in named if {*kind.mods} <= {*t.kind.mods} and t not in had]
        found = [*had, *(() if kind.mods else self.members.get(kind.noun, ()))]
        return found[0] if len(found) == 1 else None


def head(noun: str) -> str:
    return noun.rpartition(" ")[2]


def person_of(term: Any, noun: str) -> bool | None:
    """True, False, or None where nobody knows."""
    if isinstance(term, Ind) and term.is_name:
        first = term.key.partition(" ")[0].rstrip(".").lower()
        return True if first in GIVEN_NAMES or first in _TITLES else None
    return is_person(noun) if noun and head(noun) not in _ANIMALS else None
