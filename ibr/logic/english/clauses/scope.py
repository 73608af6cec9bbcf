"""Who a noun phrase is: constants, variables, and what "they", "it" and "the N" refer to.

One Scope lives for one sentence, and is asked in the order of the words.
"""

from __future__ import annotations

from typing import NamedTuple

from ibr.logic.clause import Name, is_variable
from ibr.logic.english.grammar.meaning import NP
from ibr.logic.english.grammar.terms import DUMMY
from ibr.logic.english.lexis.lexicon import plural as plural_of
from ibr.logic.english.lexis.people import is_person, is_person_name
from ibr.logic.words import NUMBERS, words


class Refusal(Exception):
    """The sentence is understood well enough to say why it has no logic here."""


class Referent(NamedTuple):
    term: str
    words: frozenset[str]  # of the noun that introduced it
    head: str
    subject: bool
    plural: bool
    place: bool = False  # after "in", "at" …: no person
    owned: bool = False  # Ann's badge: no term of its own


UNIVERSAL = words("every each all everyone everybody everything")
NEGATIVE = words("no nobody nothing no-one") | {"no one"}
_OPEN = words("a an any every each all no bare")
_ANAPHORIC = frozenset({"the", "this", "that", "these", "those", "such a", "such an"})
_MINE = words("my our your")
_PERSONAL = words("he she him her his himself herself") | {"he or she", "his or her", "him or her"}
_PLACES = words("in at from on near inside outside into onto through behind under")
_WHOEVER = words("someone somebody anyone anybody everyone everybody one whoever these those all")
_REFLEXIVE = words("himself herself itself themselves")


class Scope:
    def __init__(self) -> None:
        self.referents: list[Referent] = []
        self._fresh = iter("?x ?y ?z ?u ?v ?w".split())
        self._letters: dict[str, str] = {}

    def fresh(self) -> str:
        try:
            return next(self._fresh)
        except StopIteration:
            raise Refusal("it speaks of more than six different things") from None

    def letter(self, key: str) -> str:
        if key not in self._letters:
            self._letters[key] = self.fresh()
        return self._letters[key]

    def introduce(self, np: NP) -> str:
        """A new variable for "an employee", "anyone", "members"."""
        head = np.key.rpartition(" ")[2]
        noun = frozenset(np.key.split()) | (DUMMY if not np.parts else frozenset())
        for known in self.referents:
            if is_variable(known.term) and np.parts and known.head == head:
                raise Refusal(f'it speaks of "{np.key}" twice, and they may be two')
        variable = self.fresh()
        self.referents.append(Referent(variable, noun, head, True, np.plural))
        return variable

    def note(self, term: str, np: NP, relation: str | None = None) -> str:
        """Remember a constant, so that a pronoun can find it; `relation` if it is an object."""
        head = np.key.rpartition(" ")[2]
        place = relation is not None and relation.rpartition(" ")[2] in _PLACES
        noun = frozenset(np.key.split())
        self.referents.append(Referent(term, noun, head, relation is None, np.plural, place))
        return term

    def note_owned(self, owner: str, np: NP) -> None:
        """Ann's badge: a pronoun may mean it, and then it must not mean Ann."""
        term = f"{owner}'s {np.key}".lower()
        noun, head = frozenset(np.key.split()), np.key.rpartition(" ")[2]
        self.referents.append(Referent(term, noun, head, True, np.plural, owned=True))

    def definite(self, np: NP) -> str | None:
        """The variable that "the employee" speaks of, if one was introduced."""
        if np.det not in _ANAPHORIC or np.tests:
            return None
        said = frozenset(np.key.split())
        head = np.key.rpartition(" ")[2]
        same_head = [r for r in self.referents if is_variable(r.term) and head in r.words]
        found = {r.term for r in same_head if said <= r.words}
        if len(found) == 1:
            return found.pop()
        if len(found) > 1 or same_head:
            raise Refusal(f'it is not clear whom "{np.det} {np.key}" means')
        return None

    def pronoun(self, word: str, but: str | None = None) -> str:
        """they, it, his: the variable; without one, the only subject that it can be."""
        if word in _REFLEXIVE and but is not None:
            return but
        fitting = [r for r in self.referents if r.term != but and _fits(word, r)]
        variables = {r.term for r in fitting if is_variable(r.term) and not r.owned}
        if len(variables) == 1:
            return variables.pop()
        terms = {r.term for r in fitting}
        if word in ("it", "its") and len(terms) > 1:
            terms = {term for term in terms if not term[:1].isupper()}
        owned = {r.term for r in fitting if r.owned}
        if variables or len(terms) != 1 or terms <= owned:
            raise Refusal(f'it is not clear whom "{word}" means')
        return terms.pop()


def _fits(word: str, referent: Referent) -> bool:
    named = referent.term[:1].isupper() and not is_variable(referent.term)
    if named and not referent.subject:
        named = not referent.place and is_person_name(referent.term)
    person = named or is_person(referent.head) or referent.head in _WHOEVER
    if word in _PERSONAL:
        return person
    if word in ("it", "its", "itself"):
        return not (is_person(referent.head) or referent.plural)
    return person or referent.plural or is_variable(referent.term)


def constant(np: NP) -> Name:
    """A name, or a thing as the constant of its kind, with its wording."""
    if np.kind == "name":
        return Name(np.key, np.key)
    return Name(np.key, surface(np))


def surface(np: NP) -> str:
    if np.det in ("a", "an", "any") and not np.plural:
        return with_article(np.key)
    if np.det in ("bare", "mass"):
        return as_many(np)
    return f"the {as_many(np)}"


def as_many(np: NP) -> str:
    """The key in its number: "unused days"."""
    before, _, head = np.key.rpartition(" ")
    if not np.plural or before.partition(" ")[0] in NUMBERS:
        return np.key
    return f"{before} {plural_of(head)}".strip()


def with_article(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def is_open(np: NP) -> bool:
    """Introduces a variable as a subject: an employee, anyone, all guests."""
    if np.kind in ("anyone", "other"):
        return True
    generic = np.det == "mass" or (np.det == "the" and np.plural)
    if np.tests and generic and np.kind == "kind":
        return True  # equipment that is old; the guests who have a ticket
    return np.kind == "kind" and np.det in _OPEN


def is_universal(np: NP) -> bool:
    """every application, all dogs, any player who …: as an object, each of them"""
    return np.det in UNIVERSAL or (np.det == "any" and bool(np.tests))
