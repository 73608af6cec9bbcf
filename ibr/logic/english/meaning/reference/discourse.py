"""Who is who in a rulebook: descriptions, roles, and what pronouns point to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ibr.logic.english.lexis.forms import is_listed, plural
from ibr.logic.english.lexis.knowledge import is_animal
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.people import is_person
from ibr.logic.english.meaning.literals import describe, noun_phrase
from ibr.logic.english.meaning.normal import changes_kind
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred, Rule
from ibr.logic.surface.words import GIVEN_NAMES

Aliases = dict[str, Any]  # by description
Choices = dict[Any, list[Any]]  # the readings of a phrase, by its place in the sentence
Chosen = dict[Any, int]  # which of them is taken
OTHERS = dict.fromkeys(("he", "him", "his", "himself"), LISTS["feminine"])
OTHERS |= dict.fromkeys(("she", "her", "herself"), LISTS["masculine"])


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
    places: frozenset[str] = frozenset()  # names of places
    spoken: dict[Any, str] = field(default_factory=dict)  # name -> the pronoun it was called by
    vague: frozenset[str] = frozenset()  # goods, where nothing else is stated to be any
    kinds: set[str] = field(default_factory=set)  # nouns of rules about every one
    last_vp: Any = None  # what was stated last: So does Ann
    things: tuple[Any, ...] = ()  # objects of the sentence before: Kim has one, too
    last_condition: Any = None  # of the sentence before: Otherwise …
    shortened: int = 0  # how often a description stood for a fuller one
    weather: frozenset[str] = frozenset()  # "If it is cold, …" opens a sentence
    states: dict[str, set[Any]] = field(default_factory=dict)  # cold -> those stated to be so
    now: frozenset[str] = frozenset()  # Sunday, night: where that is stated
    classes: frozenset[str] = frozenset()  # nouns that somebody is stated to be: an owl
    groups: dict[Any, Any] = field(default_factory=dict)  # the nets -> its noun phrase
    aliases: dict[str, Any] = field(default_factory=dict)  # description -> who it is, in questions

    def titled(self, name: str) -> str:
        """Intern, of Intern Rita, unless Rita is elsewhere Nurse Rita"""
        title, _, rest = name.partition(" ")
        known = rest in self.names and rest.lower() not in LISTS["things"]
        known = known and is_person(title.lower()) and is_listed(title.lower())
        return title.lower() if known else ""

    def not_meant(self, word: str) -> set[Any]:
        """Those to whom a pronoun cannot point: of "he", a woman, or one who was called "she"."""
        others = OTHERS.get(word, frozenset())
        known = {one for noun in others for one in self.members.get(noun, ())}
        known |= {Ind(name) for name in self.places if word in LISTS["he"]}
        said = self.spoken.items() if others else ()
        return known | {one for one, other in said if OTHERS[other] is not others}

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
            and not LISTS["privative"] & set(other.split())
        ]  # fmt: skip
        if len(fuller) == 1:
            self.shortened += 1
            return Ind(fuller[0])
        self.described[key] = kind
        return Ind(key)

    def possession(self, owner: Any, kind: Kind) -> Any:
        """Ann's kayak: the green one, if that is the only one that she is stated to have."""
        named = noun_phrase(Owned(owner, kind))
        if named in self.aliases:
            return self.aliases[named]
        made = [
            one for other, some in self.witnesses.items() for one in some
            if other.noun == kind.noun and ("of", owner) in other.tails
        ]  # fmt: skip
        if len(made) == 1:
            return made[0]  # we have a map of the harbour: the harbour's map
        had = {w for some in self.witnesses.values() for w in some if isinstance(w, Owned)}
        fitting = [w for w in had if w.owner == owner and head(w.kind.noun) == head(kind.noun)]
        only = fitting[0].kind if len(fitting) == 1 else kind
        fits = only.noun == kind.noun and {*kind.mods} <= {*only.mods} and not kind.tails
        return fitting[0] if fitting and fits and only != kind else Owned(owner, kind)

    def _known(self, kind: Kind, asking: bool) -> Any:
        """The parrot, after "Nina has a parrot"; the dog, after "Rex is a dog"."""
        had = [
            one for other, some in self.witnesses.items() for one in some
            if other.noun == kind.noun and {*kind.mods} <= {*other.mods}
            and {*kind.tails} <= {*other.tails}
        ]  # fmt: skip
        if kind.tails:
            return had[0] if len(had) == 1 else None
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
        return True if first in GIVEN_NAMES or first in LISTS["person-titles"] else None
    return is_person(noun) if noun and not is_animal(head(noun)) else None


def is_time(ref: Ref) -> bool:
    """The night of "at night" """
    return isinstance(ref.term, Kind) and ref.term.mass and ref.noun in LISTS["noun-phrases-times"]


def is_name(term: Any) -> bool:
    return isinstance(term, Ind) and term.is_name


def is_inside(term: Any, whole: list[str]) -> bool:
    """The yard, of the tree in the yard"""
    return any(noun_phrase(term) in one for one in whole)


def unembedded(refs: list[Ref], word: str) -> list[Ref]:
    """Without the pond of "the bench beside the pond" for "it": the bench is meant."""
    whole = [noun_phrase(r.term) for r in refs if r.subject and isinstance(r.term, Ind | Owned)]
    whole = whole if word == "it" else []
    return [r for r in refs if r.subject or not is_inside(r.term, whole)]


def named(rules: Sequence[Rule]) -> tuple[set[str], Aliases]:
    """All descriptions of somebody who has another, and who that is."""
    facts = [r.head for r in rules if not (r.body or r.negative or r.head.mode)]  # used to be
    roles = [f for f in facts if f.form == "role" and isinstance(f.subj, Ind | Owned)]
    aliases: Aliases = {}
    for role in roles:
        known = noun_phrase(role.subj)
        if role.lemma != known and known not in aliases:
            aliases.setdefault(role.lemma, role.subj)
    return {role.lemma for role in roles}, aliases | _possessions(facts, aliases)


def _possessions(facts: Sequence[Pred], aliases: Aliases) -> Aliases:
    """Dina's cat is Miso, if she has one cat, or nobody else has one that "the cat" could be."""
    had = [f for f in facts if f.form == "verb" and f.lemma in ("have", "own")]
    found: dict[str, set[Any]] = defaultdict(set)
    for owner, thing in ((fact.subj, fact.obj) for fact in had):
        if isinstance(thing, Kind) and not thing.plural:
            alone = [f.obj for f in had].count(thing) == 1
            one = aliases.get(f"the {thing.words}") if alone else None
            found[noun_phrase(Owned(owner, thing))].add(one or thing)
        nouns = (f.lemma for f in facts if f.form == "noun" and f.subj == thing and not f.tails)
        for noun in nouns:
            found[noun_phrase(Owned(owner, Kind(noun)))].add(thing)
    for fact in (f for f in facts if f.form == "noun" and [prep for prep, _ in f.tails] == ["of"]):
        ((_, owner),) = fact.tails
        if not changes_kind(fact.mods, fact.lemma):  # the likely winner
            found[noun_phrase(Owned(owner, Kind(fact.lemma)))].add(fact.subj)
    for fact in (f for f in facts if f.form == "noun" and not (f.tails or f.mods or f.tense)):
        one, noun = fact.subj, fact.lemma
        owned = isinstance(one, Owned) and isinstance(one.owner, Ind) and not is_person(noun)
        if owned and one.kind.noun != noun:  # her pet is a cat
            found[noun_phrase(Owned(one.owner, Kind(noun)))].add(one)
    only = ((key, *things) for key, things in found.items() if len(things) == 1)
    return {key: t for key, t in only if isinstance(t, Owned) or (isinstance(t, Ind) and t.is_name)}
