"""One sentence of a rulebook, and a question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ibr.logic.clause import Clause
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.splitting import Raw
from ibr.logic.english.meaning.formulas import Formula
from ibr.logic.english.meaning.interpret import Meaning
from ibr.logic.english.meaning.literals import Refusal, Unsayable, clause_of
from ibr.logic.english.meaning.reference.discourse import (
    Choices,
    Chosen,
    Discourse,
    NeedVariable,
    Ref,
)
from ibr.logic.english.meaning.terms import Ind, Kind, Pred, Rule
from ibr.logic.english.membership import Members

MOST = 12  # readings of one tree
_QUANTIFIERS = LISTS["nobody"] | LISTS["everyone"] | LISTS["someone"]


@dataclass
class Sentence:
    """One sentence and what became of it."""

    text: str
    template: tuple[Clause, ...] = ()
    trees: list[Any] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    others: list[list[Rule]] = field(default_factory=list)  # other readings
    reason: str = ""
    remark: bool = False
    open: list[Pred] = field(default_factory=list)  # holds of some, perhaps
    cases: list[list[Rule]] = field(default_factory=list)  # of which one holds, at least
    exempt: list[Rule] = field(default_factory=list)  # of whom it does not hold
    refs: list[Ref] = field(default_factory=list)
    covered: dict[Any, Any] = field(default_factory=dict, compare=False)  # `wording.coverage`


@dataclass
class Asked:
    """A question in its rulebook: what it asks, and what it supposes."""

    pred: Pred
    negative: bool
    supposed: list[Pred]
    others: list[Asked] = field(default_factory=list)  # other readings
    also: list[Asked] = field(default_factory=list)  # what it asks as well: of both Tom and Ann

    @property
    def all(self) -> tuple[Asked, ...]:
        return (self, *self.also)


def interpretations(tree: Any, discourse: Discourse) -> Iterator[tuple[Formula, Meaning]]:
    """The sentence under each choice that its phrases leave, the usual one first. Raises Refusal.

    A choice that has no reading is left out, unless it may be meant all the same (`Unsayable`).
    """
    formula, meaning = interpret(tree, discourse)
    yield formula, meaning
    pending = list(_others(meaning))
    for tried, chosen in enumerate(pending):
        if tried == MOST:
            raise Unsayable("it can be read in too many ways")
        try:
            formula, meaning = interpret(tree, discourse, chosen=chosen)
        except Unsayable:
            raise
        except Refusal:
            continue
        yield formula, meaning
        pending += _others(meaning)


def _others(meaning: Meaning) -> Iterator[Chosen]:
    """Its choices with another one at one of the places where none was given."""
    pairs = meaning.choices.items()
    free = {place: len(some) for place, some in pairs if place not in meaning.chosen}
    for k, (place, n) in enumerate(free.items()):
        first = dict.fromkeys([*free][:k], 0)
        yield from (meaning.chosen | first | {place: other} for other in range(1, n))


def interpret(
    tree: Any, discourse: Discourse, asking: bool = False, chosen: Chosen | None = None
) -> tuple[Formula, Meaning]:
    """Again with a variable for each indefinite that is spoken of later. Raises Refusal."""
    forced, choices = frozenset[int](), Choices()
    for _ in range(6):
        meaning = Meaning(discourse, forced, asking, chosen, choices)
        try:
            return meaning.sentence(tree), meaning
        except NeedVariable as need:
            forced, choices = forced | {need.at}, meaning.choices
    raise Refusal("who is meant?")


def same_as(rules: list[Rule]) -> frozenset[Any]:
    """What two readings share if they say the same."""
    return frozenset(_named_apart(clause_of(rule)) for rule in rules)


def _named_apart(clause: Clause) -> Any:
    names: dict[str, str] = {}
    for lit in (clause.head, *clause.body):
        for term in (lit.subject, lit.object):
            if term.startswith("?"):
                names.setdefault(term, f"?{len(names)}")
    made = clause.bind(names)
    return made.head, frozenset(made.body)


def states_of(sentences: Sequence[Sentence]) -> dict[str, set[Any]]:
    """It is cold; the path is icy: of whom, and of which kinds, that is stated alone."""
    found: dict[str, set[Any]] = {}
    sure = [(s.text, rule) for s in sentences if not s.others for rule in s.rules]
    for text, rule in sure:
        head, named = rule.head, "it" not in text.lower().split()
        plain = head == Pred("adj", head.lemma, head.subj) and not rule.body
        if plain and head.lemma in LISTS["weather-adj"] and (named or head.subj == Ind("it")):
            said = (r.head for _, r in sure if r.head.subj == head.subj and not r.body)
            nouns = (pred.lemma for pred in said if pred.form == "noun")
            found.setdefault(head.lemma, set()).update((head.subj, *nouns))
    return found


def odd_name(raw: Sequence[Raw], sentences: Sequence[Sentence]) -> str:
    """Our dog is called Nobody. Nobody sleeps on the sofa."""
    odd = [w.text for w in raw if w.low in _QUANTIFIERS]
    texts = "\n".join(sentence.text for sentence in sentences) if odd else ""
    named = (w for w in odd if re.search(rf"[a-z,] {w.capitalize()}\b", texts))
    return next((f'"{word}" is a name here, too' for word in named), "")


def doubt_members(sentences: Sequence[Sentence], described: Mapping[str, Kind]) -> None:
    """A second reading for each rule of a kind that may not mean one who is described so."""
    said, text = [s.rules for s in sentences], "\n".join(s.text for s in sentences)
    members = Members(said, described, text)
    for sentence in sentences:
        other = members.other_reading(sentence.rules)
        sentence.others += [other] if other else []


def making(rules: list[Rule]) -> Iterator[Rule]:
    """Mice are eaten by owls: of the two ways to say it, one that makes a witness is enough."""
    passive = {r.head.lemma for r in rules if isinstance(r.head.subj, Kind)}
    return (r for r in rules if not (isinstance(r.head.obj, Kind) and r.head.lemma in passive))
