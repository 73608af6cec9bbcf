"""One sentence of a rulebook, and a question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ibr.logic.clause import Clause
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.splitting import Raw
from ibr.logic.english.meaning.discourse import Discourse, NeedVariable, Ref
from ibr.logic.english.meaning.formulas import Formula
from ibr.logic.english.meaning.interpret import Meaning
from ibr.logic.english.meaning.literals import Refusal, clause_of
from ibr.logic.english.meaning.terms import Kind, Pred, Rule
from ibr.logic.english.membership import Members

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


@dataclass
class Asked:
    """A question in its rulebook: what it asks, and what it supposes."""

    pred: Pred
    negative: bool
    supposed: list[Pred]


def interpret(
    tree: Any, discourse: Discourse, asking: bool = False, second: bool = False
) -> tuple[Formula, Meaning]:
    """Again with a variable for each indefinite that is spoken of later. Raises Refusal.

    `second`: by the second reading of each phrase that has two.
    """
    forced: frozenset[int] = frozenset()
    for _ in range(6):
        meaning = Meaning(discourse, forced, asking, second)
        try:
            return meaning.sentence(tree), meaning
        except NeedVariable as need:
            forced |= {need.at}
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
