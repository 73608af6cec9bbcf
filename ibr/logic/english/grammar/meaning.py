"""What the parts of an English sentence mean before references are resolved. Nouns only.

A Formula is Atom, All, Any, Not, About (a subject and what is said of it) or Unclear. In what is
said of a subject that subject is SELF; an Atom holds noun phrases, not yet constants or variables.
`interpret` turns atoms into Literals and About into Given.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from ibr.logic.clause import Literal


class NP(NamedTuple):
    """A noun phrase. `key` is its name as a constant; `parts` what it says as a class.

    "a full-time employee who is late": det "a", key "full-time employee",
    parts ("full-time", "employee"), tests (SELF is late).
    """

    kind: str  # name, letter, pronoun, kind, anyone, other, owned, attribute, self
    key: str
    det: str = ""
    parts: tuple[str, ...] = ()
    plural: bool = False
    tests: tuple[Formula, ...] = ()
    owner: NP | None = None


SELF = NP("self", "")


class Atom(NamedTuple):
    """`between` are the noun phrases that the relation has swallowed: "gives book to"."""

    subject: NP
    relation: str
    object: NP | None = None
    between: tuple[NP, ...] = ()


class All(NamedTuple):
    items: tuple[Formula, ...]
    listed: bool = False  # from a list of objects: "not A and B" is ambiguous


class Any(NamedTuple):
    items: tuple[Formula, ...]
    loose: bool = False  # joins verb phrases or clauses, so an "and" beside it is ambiguous


class Not(NamedTuple):
    item: Formula


class Several(NamedTuple):
    """Subjects in a list; link is "and", "or" or "nor"."""

    items: tuple[NP, ...]
    link: str


class About(NamedTuple):
    subject: NP | Several
    said: Formula


class Given(NamedTuple):
    """A resolved conclusion: `then` holds of whatever meets `conditions`."""

    conditions: Formula
    then: Formula


class Elided(NamedTuple):
    """ "but the toaster is not": what was said before, of another subject."""

    aux: str
    negative: bool


class Unclear(NamedTuple):
    """Grammatical, but with two meanings: the sentence must be refused for this reason.

    `cost` is what it takes to prefer this tree over one that is clear.
    """

    reason: str
    cost: int = 0


Formula: TypeAlias = Atom | All | Any | Not | About | Given | Elided | Unclear | Literal


class Noun(NamedTuple):
    """A noun with what stands before it: mods ("full-time",), head "employee" (singular)."""

    mods: tuple[str, ...]
    head: str
    plural: bool

    @property
    def key(self) -> str:
        return " ".join((*self.mods, self.head))


class Joined(NamedTuple):
    """A list as written: items, and the words between them ("," "and" "or" …)."""

    items: tuple[object, ...]
    links: tuple[str, ...] = ()


class Under(NamedTuple):
    """A subordinate clause: how is IF, UNLESS, ONLY_IF, IFF or EXCEPT (of the main subject)."""

    how: str
    formula: Formula
    word: str = ""  # when, as long as …


class Rule(NamedTuple):
    """A sentence: its main clause and its subordinate clauses before and after it."""

    main: Formula
    before: tuple[Under, ...] = ()
    after: tuple[Under, ...] = ()
    only: bool = False  # "Only members may enter."
