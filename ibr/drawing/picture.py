"""What a picture of a proof shows, before anyone decides where: items, links, answer and badge.

Every format draws a `Picture`, so all of them show the same. A link goes from a premise to the
rule that uses it, and from the last rule (or the fact) to the question. Keys are plain words that
are safe as names in every format; sentences are numbered from 1, as people count.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from ibr.drawing.text import plain
from ibr.prediction import Prediction
from ibr.proof import NAF, Graph, Proof, ProofError
from ibr.theory import Kind, Problem, Strategy, Theory


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

    @property
    def trusted(self) -> bool:
        return self in (Badge.VALID, Badge.SOLVER)


NAF_TEXT: Final = "nothing shows otherwise"
UNPROVED: Final = "unproved"
_MEANING: Final = {
    (Strategy.PROOF, True): "proved",
    (Strategy.PROOF, False): "its negation is proved",
    (Strategy.FAIL_PROOF, False): "not provable",
    (Strategy.FAIL_PROOF, True): "the contrary is not provable",
}


def meaning(strategy: Strategy, answer: bool) -> str:
    """Why the answer is what it is. A fail-proof answers "true" to negative statements only."""
    return _MEANING[strategy, answer]


def nothing_shows(answer: bool) -> str:
    """What an empty fail-proof says."""
    if answer:
        return "Nothing in these sentences shows the contrary."
    return "Nothing in these sentences shows it."


@dataclass(frozen=True, slots=True)
class Item:
    """`node` is the JSON name of the node: "13", "NAF", "FAIL" or "question"."""

    role: Role
    text: str
    number: int | None = None

    @property
    def key(self) -> str:
        return self.role.value if self.number is None else f"s{self.number}"

    @property
    def node(self) -> str:
        if self.number is not None:
            return str(self.number - 1)
        return "question" if self.role is Role.QUESTION else self.role.upper()

    @property
    def tag(self) -> str:
        """The small print over the text: "[14] rule"."""
        if self.number is not None:
            return f"[{self.number}] {self.role}"
        return self.role.upper() if self.role in (Role.NAF, Role.FAIL) else self.role.value

    @property
    def caption(self) -> str:
        """Tag and text in one line: "[14] Birds can fly."."""
        if self.number is not None:
            return f"[{self.number}] {self.text}"
        name = "Question" if self.role is Role.QUESTION else self.tag
        return f"{name}: {self.text}"


@dataclass(frozen=True, slots=True)
class Link:
    source: str  # keys of items
    target: str


@dataclass(frozen=True, slots=True)
class Picture:
    """`items[0]` is the question. Links are in the order of the items, every one once."""

    answer: bool
    strategy: Strategy
    badge: Badge
    items: tuple[Item, ...]
    links: tuple[Link, ...]

    @property
    def question(self) -> Item:
        return self.items[0]

    @property
    def verdict(self) -> str:
        """`True: proved`, and "unproved" where no check stands behind it."""
        why = meaning(self.strategy, self.answer) if self.badge.trusted else UNPROVED
        return f"{self.answer}: {why}"

    @classmethod
    def of_proof(
        cls, theory: Theory, question: str, answer: bool, proof: Proof, badge: Badge
    ) -> Picture:
        """The graph of a proof, under the question that its root answers."""
        tops = () if proof.root is None else (proof.root.node,)
        items, links = _parts(theory, question, proof.graph, tops)
        return _finished(cls(answer, proof.strategy, badge, items, links))

    @classmethod
    def of_prediction(cls, problem: Problem, prediction: Prediction, badge: Badge) -> Picture:
        """Any graph, even one that proves nothing. ValueError if the system gave none."""
        graph = prediction.graph
        if graph is None:
            raise ValueError(f"{prediction.id}: {prediction.reasoner} gave no proof to draw")
        likely = Strategy.PROOF if graph.nodes else Strategy.FAIL_PROOF
        strategy = prediction.strategy or likely
        items, links = _parts(problem.theory, problem.question.text, graph, _tops(graph))
        return _finished(cls(prediction.answer, strategy, badge, items, links))


def _parts(
    theory: Theory, question: str, graph: Graph, tops: Collection[int]
) -> tuple[tuple[Item, ...], tuple[Link, ...]]:
    items = {node: _item(theory, graph, node) for node in _in_order(graph.nodes)}
    asked = Item(Role.QUESTION, plain(question))
    links = [Link(items[top].key, asked.key) for top in _in_order(tops)]
    for rule, item in items.items():
        links += [Link(items[p].key, item.key) for p in _in_order(graph.premises(rule))]
    return (asked, *items.values()), tuple(links)


def _item(theory: Theory, graph: Graph, node: int) -> Item:
    if node == NAF:
        return Item(Role.NAF, NAF_TEXT)
    if node >= len(theory):
        raise ProofError(f"{node} is not a node: the theory has only {len(theory)} sentences")
    sentence = theory[node]
    is_rule = sentence.kind is Kind.RULE or (
        sentence.kind is not Kind.FACT and bool(graph.premises(node))
    )
    return Item(Role.RULE if is_rule else Role.FACT, plain(sentence.text), node + 1)


def _finished(picture: Picture) -> Picture:
    """A fail-proof says where it ends: under the rules that rest on nothing."""
    if picture.strategy is Strategy.PROOF:
        return picture
    used = {link.target for link in picture.links}
    tops = {link.source for link in picture.links if link.target == picture.question.key}
    sentences = [item for item in picture.items if item.number is not None]
    last = [item for item in sentences if item.key not in used] or [
        item
        for item in sentences
        if item.key in tops  # they run in a circle
    ]
    cited = " and ".join(f"[{item.number}]" for item in last)
    text = nothing_shows(picture.answer)
    if last:
        text = f"nothing shows what {cited} need{'s' if len(last) == 1 else ''}"
    end = Item(Role.FAIL, text)
    links = [Link(end.key, item.key) for item in last or [picture.question]]
    return replace(picture, items=(*picture.items, end), links=(*picture.links, *links))


def _tops(graph: Graph) -> list[int]:
    """What the question rests on: rules (if none, facts) that nothing else rests on.

    Of a circle that nothing else rests on, its first sentence.
    """
    above: dict[int, set[int]] = {node: set() for node in graph.nodes}
    for premise, rule in graph.edges:
        above[premise].add(rule)
    reach = {node: _reachable(node, above) for node in graph.nodes}
    tops = [
        node
        for node in _in_order(graph.nodes)
        if all(node in reach[other] for other in reach[node])  # all that it leads to leads back
        and node == min(reach[node], default=node)
    ]
    return [node for node in tops if graph.premises(node)] or tops


def _reachable(start: int, above: dict[int, set[int]]) -> set[int]:
    found: set[int] = set()
    stack = [start]
    while stack:
        for node in above[stack.pop()] - found:
            found.add(node)
            stack.append(node)
    return found


def _in_order(nodes: Iterable[int]) -> list[int]:
    """Sentences as they stand in the theory, NAF last."""
    return sorted(nodes, key=lambda node: (node == NAF, node))
