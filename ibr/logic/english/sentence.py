"""One sentence of a rulebook, and a question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from ibr.logic.clause import Clause
from ibr.logic.english.grammar.tree import Except
from ibr.logic.english.lexis.forms import family, verb_base
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
_QUANTIFIERS = LISTS["nobody"] | LISTS["everyone"] | LISTS["someone"] | LISTS["every"] | {"no"}


_RULING = rf"(?:\w+ )?(?:{'|'.join(sorted(LISTS['rulings']))})s?\b"
_POINTING = re.compile(rf"\b[Tt]h(?:is|at) {_RULING}")
_ENDING = re.compile(rf"\b[Tt]h(?:is|at|e|ese) {_RULING} (?:is|are|was|were|has|have|no|will)\b")


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
    refuted: list[Rule] = field(default_factory=list)  # does not hold of some one
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
    some: str = ""  # it asks for one: any, or if there is one
    able: bool = False  # it asks of an ability, not of a permission
    now: bool = False  # is smoking: of one who smokes that is open

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


def other_aspect(sentence: Sentence, question: Asked) -> bool:
    """He smokes, is a smoker: is he smoking? He was writing a book: did he write it?

    Cats chase mice. But not: if it rains, he smokes.
    """
    asked = question.pred
    going_on = re.findall(r"\b(was |were |been )?(?:not )?(\w+ing)\b", sentence.text)
    past = [was for was, word in going_on if verb_base(word) == asked.lemma]
    if past or not question.now:
        done = asked.tense and asked.obj and asked.lemma not in LISTS["lasting"]
        return bool(done and any(past) and not question.now)
    rules = (r for r in sentence.rules if all(c.pred.form == "noun" for c in r.body))
    return any(family(r.head.lemma, asked.lemma) and not r.negative for r in rules)


def read_exemptions(sentences: Sequence[Sentence]) -> None:
    """Guide dogs are exempt from this rule: the sentence before it is read with this exception."""
    for i, sentence in enumerate(sentences):
        excepts = [tree for tree, _ in sentence.trees if isinstance(tree, Except) and not tree.main]
        if not excepts:
            continue
        (_, np, what), *_ = excepts
        sentence.trees = [pair for pair in sentence.trees if pair[0] not in excepts]
        keys = {word for word in what.split() if word not in LISTS["closed"]}
        before = [s for s in sentences[:i] if any(_is_general(tree) for tree, _ in s.trees)][-1:]
        if keys:
            back = LISTS["taking-back"]
            before = [s for s in sentences if _speaks_of(s, keys) and not _words(s) & back]
        sentence.remark = not keys and bool(before)
        for other in before:
            other.template = ()
            other.trees = [(Except(tree, np, "exempt"), cost) for tree, cost in other.trees]


def _speaks_of(sentence: Sentence, keys: set[str]) -> bool:
    return all(any(family(key, word) for word in _words(sentence)) for key in keys)


def _is_general(tree: Any) -> bool:
    det = getattr(getattr(getattr(tree, "main", None) or tree, "subj", None), "det", "name")
    return det not in ("name", "pro")


def doubt_taken_back(sentences: Sequence[Sentence]) -> None:
    """Members may, however; the ban is over: may take back what the sentence before says."""
    for before, sentence in pairwise(sentences):
        words = _words(sentence)
        over = words & {"longer", "void"} or LISTS["ending"] & {*map(verb_base, words)}
        if _POINTING.search(sentence.text) and before.rules and not sentence.remark:
            sentence.rules, sentence.others = [], []
            sentence.reason = "it speaks of the sentence before it"
        unread = sentence.reason and words & LISTS["taking-back"]
        if before.rules and (unread or (over and _ENDING.search(sentence.text))):
            before.others.append([])


def _words(sentence: Sentence) -> set[str]:
    return {*re.findall(r"\w+", sentence.text.lower())}


def making(rules: list[Rule]) -> Iterator[Rule]:
    """Mice are eaten by owls: of the two ways to say it, one that makes a witness is enough."""
    passive = {r.head.lemma for r in rules if isinstance(r.head.subj, Kind)}
    return (r for r in rules if not (isinstance(r.head.obj, Kind) and r.head.lemma in passive))
