"""The logic of sentences: literals, clauses, and the Program of a whole theory.

Nouns only: reading English is `language`, reasoning is `solver`. The form is RuleTaker's own,
`("circuit" "has" "switch" "~")`, so constants and relations are plain strings:

* a constant is its key, e.g. "Anne", "bald eagle", "kind": a capital marks a proper name, anything
  else is written with "the"; `Name` also keeps how it was written ("a badge", "an ostrich").
* a variable is a string that starts with "?", e.g. "?x".
* the relation of attributes and classes is "is"; any other is a third-person verb phrase, "likes",
  "runs through", "may enter", "is on". A verb without an object has the object "".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import product
from typing import NamedTuple

from ibr.choices import Assumption
from ibr.logic.lazy import lazy


class Sign(StrEnum):
    POSITIVE = "+"
    NEGATIVE = "-"  # explicitly not: facts, conclusions, questions, conditions in an open world
    NAF = "~"  # not provable: conditions of rules in a closed world

    __hash__ = str.__hash__  # Enum's own is Python code, and every Literal hashes its sign


class Name(str):
    """A constant that equals its key and keeps its wording: `Name("badge", "a badge")`."""

    surface: str
    __slots__ = ("surface",)

    def __new__(cls, key: str, surface: str = "") -> Name:
        name = super().__new__(cls, key)
        name.surface = surface or (key if key[:1].isupper() else f"the {key}")
        return name

    def __reduce__(self) -> tuple[type[Name], tuple[str, str]]:
        return Name, (str(self), self.surface)


def is_variable(term: str) -> bool:
    return term.startswith("?")


class Literal(NamedTuple):
    """`Literal("Anne", "likes", "cat")`, `Literal("?x", "is", "kind", Sign.NAF)`."""

    subject: str
    relation: str
    object: str
    sign: Sign = Sign.POSITIVE

    @property
    def positive(self) -> bool:
        return self.sign == Sign.POSITIVE

    @property
    def is_naf(self) -> bool:
        """As a condition, it holds if what is `stated` is not provable, and not if it is."""
        return self.sign == Sign.NAF

    @property
    def stated(self) -> Literal:
        """The same without `~`."""
        return self.atom if self.is_naf else self

    @property
    def atom(self) -> Literal:
        """The same without negation."""
        return self._replace(sign=Sign.POSITIVE)

    @property
    def negation(self) -> Literal:
        """P ↔ not P, both as statements that can be proved (a `~` condition gives P)."""
        return self._replace(sign=Sign.NEGATIVE if self.positive else Sign.POSITIVE)

    @property
    def variables(self) -> frozenset[str]:
        return frozenset(t for t in (self.subject, self.object) if is_variable(t))

    @property
    def entities(self) -> frozenset[str]:
        """The constants that variables range over: subjects, and objects of verbs."""
        terms = (self.subject,) if self.relation == "is" else (self.subject, self.object)
        return frozenset(t for t in terms if t and not is_variable(t))

    def bind(self, binding: Mapping[str, str]) -> Literal:
        return Literal(
            binding.get(self.subject, self.subject),
            self.relation,
            binding.get(self.object, self.object),
            self.sign,
        )


class Clause(NamedTuple):
    """`head` holds if every literal of `body` does; a fact has no body and no variable."""

    head: Literal
    body: tuple[Literal, ...] = ()

    @property
    def is_fact(self) -> bool:
        return not self.body and not self.head.variables

    @property
    def variables(self) -> frozenset[str]:
        return self.head.variables.union(*(literal.variables for literal in self.body))

    @property
    def entities(self) -> frozenset[str]:
        return self.head.entities.union(*(literal.entities for literal in self.body))

    def bind(self, binding: Mapping[str, str]) -> Clause:
        return Clause(self.head.bind(binding), tuple(lit.bind(binding) for lit in self.body))


def groundings(variables: Iterable[str], domain: Sequence[str]) -> Iterator[dict[str, str]]:
    """Each way to bind the variables to entities of the domain."""
    names = sorted(variables)
    return (dict(zip(names, chosen, strict=True)) for chosen in product(domain, repeat=len(names)))


def may_match(one: Literal, other: Literal) -> bool:
    """Whether the two could be the same, but for their signs, once their variables are bound."""
    pairs = zip(one[:3], other[:3], strict=True)
    return all(a == b or is_variable(a) or is_variable(b) for a, b in pairs)


def check_clause(clause: Clause) -> None:
    """Signs where they belong: `~` in bodies only. Raises ValueError."""
    if clause.head.is_naf:
        raise ValueError(f"{clause.head}: a conclusion cannot be negation as failure")


@dataclass(frozen=True)
class Program:
    """The clauses of a theory: `clauses[i]` are those of sentence i.

    One sentence may have several (ParaRules; "or" in a condition); a remark or an unreadable one
    has none, and the latter is listed in `unreadable`; `unread_words` has the content words of
    each of these, as far as they are known. A sentence that is `loosely_read` may state more than
    its clauses: "very kind" may be kind. `numbers` as in Theory: ties go to the lowest.
    """

    clauses: tuple[tuple[Clause, ...], ...]
    numbers: tuple[int, ...] = ()
    unreadable: tuple[int, ...] = field(default=())
    unread_words: tuple[frozenset[str], ...] = field(default=(), compare=False)
    loosely_read: frozenset[int] = field(default=frozenset(), compare=False)

    def __post_init__(self) -> None:
        if not self.numbers:
            object.__setattr__(self, "numbers", tuple(range(len(self.clauses))))
        if len(self.numbers) != len(self.clauses):
            raise ValueError(f"{len(self.numbers)} numbers for {len(self.clauses)} sentences")
        for clauses in self.clauses:
            for clause in clauses:
                check_clause(clause)

    def __iter__(self) -> Iterator[tuple[int, Clause]]:
        """(sentence index, clause) pairs in sentence order."""
        return ((i, clause) for i, clauses in enumerate(self.clauses) for clause in clauses)

    @lazy
    def entities(self) -> frozenset[str]:
        return entities_of(clause for _, clause in self)

    def concluded(self, domain: Sequence[str]) -> set[Literal]:
        """Every positive atom that some rule concludes, for any entities of the domain."""
        heads = {clause.head for _, clause in self if clause.body and clause.head.positive}
        return {head.bind(way) for head in heads for way in groundings(head.variables, domain)}

    @lazy
    def opened(self) -> Program:
        """The same for an open world: "not" in a condition has to be shown."""
        clauses = tuple(tuple(map(_opened, of_sentence)) for of_sentence in self.clauses)
        return replace(self, clauses=clauses)

    def in_world(self, world: Assumption) -> Program:
        return self.opened if world is Assumption.OPEN else self


def _opened(clause: Clause) -> Clause:
    body = (lit._replace(sign=Sign.NEGATIVE) if lit.is_naf else lit for lit in clause.body)
    return Clause(clause.head, tuple(body))


def entities_of(clauses: Iterable[Clause]) -> frozenset[str]:
    return frozenset().union(*(clause.entities for clause in clauses))
