"""What a picture of a proof shows, without its layout: items, links, verdict and badge.

Every format draws a `Picture`, so all of them show the same. A link goes from a premise to the
rule that uses it, and from the last rule (or the fact) to the question. Keys are plain words that
are safe as names in every format; sentences are numbered from 1, as people count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from ibr.drawing.text import plain
from ibr.logic.checking.verifier import Check
from ibr.logic.clause import Literal
from ibr.logic.surface.phrases import listing, phrase
from ibr.prediction import Verdict
from ibr.proof import NAF, Graph, Proof, ProofError, naf_last
from ibr.theory import Kind, Problem, Strategy, Theory

NOTHING = "nothing in these sentences shows it"


@dataclass(frozen=True, slots=True)
class Captions:
    """`rules` is what each rule concludes, by sentence index; `end` is where a fail-proof ends."""

    rules: Mapping[int, str] = field(default_factory=dict)
    naf: str = "nothing shows otherwise"
    end: str = NOTHING

    @classmethod
    def of(cls, check: Check) -> Captions:
        if check.lacks:
            last = check.lacks[-1].missing
            shows = "it can be shown that" if last.is_naf else "nothing shows that"
            rules = {lack.rule: f"would show that {phrase(lack.goal)}" for lack in check.lacks}
            return cls(rules, end=f"{shows} {phrase(last.stated, 'anything')}")
        concluded: defaultdict[int, list[str]] = defaultdict(list)
        for step in check.steps:
            if step.premises:
                concluded[step.node].append(phrase(step.conclusion))
        premises = (premise for step in check.steps for premise in step.premises)
        absent = dict.fromkeys(nothing_shows(p.literal) for p in premises if p.source == NAF)
        rules = {node: listing(phrases) for node, phrases in concluded.items()}
        return cls(rules, listing([*absent])) if absent else cls(rules)


def nothing_shows(absent: Literal) -> str:
    """`nothing shows that Dana is suspended`."""
    return f"nothing shows that {phrase(absent.atom)}"


class Role(StrEnum):
    QUESTION = "question"
    FACT = "fact"
    RULE = "rule"
    NAF = "naf"
    FAIL = "fail"  # where a fail-proof ends


class Badge(StrEnum):
    """How far the proof can be trusted; the value is what people read."""

    VALID = "checked and valid"
    SOLVER = "solver's proof, checked"
    UNCHECKED = "not checked"
    INVALID = "checked: not valid"


@dataclass(frozen=True, slots=True)
class PictureItem:
    """A fact or rule has a number, the other roles have none."""

    role: Role
    text: str
    number: int | None = None
    detail: str = ""  # small beneath: the sentence of a rule whose text is what it concluded

    @property
    def key(self) -> str:
        return self.role.value if self.number is None else f"s{self.number}"

    @property
    def node(self) -> str:
        """The JSON name of the node: "13", "NAF", "FAIL" or "question"."""
        if self.number is not None:
            return str(self.number - 1)
        return self.role.value if self.role is Role.QUESTION else self.role.upper()

    @property
    def tag(self) -> str:
        """The small print over the text: "[14] rule"."""
        return self.node if self.number is None else f"[{self.number}] {self.role}"

    @property
    def caption(self) -> str:
        """Number or role, and text, in one line: "[14] Arthur can fly"."""
        if self.number is not None:
            return f"[{self.number}] {self.text}"
        return f"{'Question' if self.role is Role.QUESTION else self.node}: {self.text}"


class Link(NamedTuple):
    source: str  # keys of items
    target: str


@dataclass(frozen=True, slots=True)
class Picture:
    """`items[0]` is the question. Links are in the order of the items, every one once."""

    verdict: Verdict
    strategy: Strategy
    badge: Badge
    items: tuple[PictureItem, ...]
    links: tuple[Link, ...]

    @property
    def question(self) -> PictureItem:
        return self.items[0]

    @property
    def headline(self) -> str:
        return f"{self.verdict.heading} ({self.badge})"

    @classmethod
    def of_proof(
        cls, asked: Problem, verdict: Verdict, proof: Proof | None, badge: Badge, captions: Captions
    ) -> Picture:
        """The graph of a proof, if there is one, under the question that its root answers."""
        question = PictureItem(Role.QUESTION, plain(asked.question.text))
        if proof is None:
            return cls(verdict, Strategy.PROOF, badge, (question,), ())
        graph = proof.graph
        items = {node: _item(asked.theory, graph, node, captions) for node in naf_last(graph.nodes)}
        links = [] if proof.root is None else [Link(items[proof.root.node].key, question.key)]
        for rule, item in items.items():
            links += [Link(items[p].key, item.key) for p in naf_last(graph.premises(rule))]
        shown = [question, *items.values()]
        if proof.strategy is Strategy.FAIL_PROOF:  # it ends under the rule that has no premise
            end, used = PictureItem(Role.FAIL, plain(captions.end)), {link.target for link in links}
            last = [item for item in shown[1:] if item.key not in used] or [question]
            links += [Link(end.key, item.key) for item in last]
            shown.append(end)
        return cls(verdict, proof.strategy, badge, tuple(shown), tuple(links))


def _item(theory: Theory, graph: Graph, node: int, captions: Captions) -> PictureItem:
    if node == NAF:
        return PictureItem(Role.NAF, plain(captions.naf))
    if node >= len(theory):
        raise ProofError(f"{node} is not a node: the theory has only {len(theory)} sentences")
    sentence, number = theory[node], node + 1
    concluded = captions.rules.get(node, "")
    if concluded:
        return PictureItem(Role.RULE, plain(concluded), number, plain(sentence.text))
    is_rule = sentence.kind is Kind.RULE or (
        sentence.kind is not Kind.FACT and bool(graph.premises(node))
    )
    return PictureItem(Role.RULE if is_rule else Role.FACT, plain(sentence.text), number)
