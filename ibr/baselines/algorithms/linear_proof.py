"""Proofs as ProofWriter writes them, in Polish notation: Proof ⇄ tokens, and which step says what.

    # sent3 @int1 & # sent2 @int2 sent1 naf1 ; with int1 : Tom is calm ; int2 : Tom is wise ; …

`#` opens an inference: the rule, the number of its conclusion, its premises (`&` joins two, and
`& a & b c` three). A stated fact is its own proof. `none` is the absence of a proof; followed by
labels it is the chain of rules that failed (our variant `fail_chain`; the authors write `none`).
The sentences after `with` are for the reader: a proof is read without them. Knows no network.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ibr.errors import InputError
from ibr.logic.clause import Literal, Sign
from ibr.logic.solving.chaining import Instances
from ibr.proof import NAF, Proof, Tree
from ibr.theory import Strategy

OPEN: Final = "#"
JOIN: Final = "&"
NONE: Final = "none"
WITH: Final = "with"
BREAK: Final = ";"
IS: Final = ":"
SENTENCE, CONCLUSION, ABSENT = "sent", "@int", "naf"  # followed by a number


class Malformed(InputError):
    """Tokens that are no proof, or cite what is not there."""


@dataclass(frozen=True, slots=True)
class Derived:
    """A proof tree whose occurrences know what they conclude; of NAF, what is not provable."""

    node: int
    literal: Literal
    premises: tuple[Derived, ...] = ()

    def __iter__(self) -> Iterator[Derived]:
        yield self
        for premise in self.premises:
            yield from premise


def derive(instances: Instances, goal: Literal, tree: Tree) -> Derived:
    """What each occurrence of the solver's tree for `goal` concludes. Raises ValueError."""
    found = next(_derivations(instances, goal, tree), None)
    if found is None:
        raise ValueError(f"sentence {tree.node} does not conclude {goal} in this proof")
    return found


def _derivations(instances: Instances, goal: Literal, tree: Tree) -> Iterator[Derived]:
    if tree.node == NAF:
        if goal.sign is Sign.NAF:
            yield Derived(NAF, goal)
        return
    for instance in instances.get(goal, ()):
        if instance.sentence == tree.node and len(instance.body) == len(tree.premises):
            below = [
                next(_derivations(instances, *pair), None)
                for pair in zip(instance.body, tree.premises, strict=True)
            ]
            if None not in below:
                yield Derived(tree.node, goal, tuple(d for d in below if d is not None))


def write_derived(derived: Derived, say: Callable[[Literal], Sequence[str]]) -> list[str]:
    """With every conclusion spelled out, in order of appearance; a fact has none."""
    tokens = write_proof(Proof.of(_tree(derived)))
    spelled: list[str] = []
    numbers = {CONCLUSION: 0, ABSENT: 0}
    for step in derived:
        kind = ABSENT if step.node == NAF else CONCLUSION
        if step.premises or step.node == NAF:
            numbers[kind] += 1
            spelled += [BREAK if spelled else WITH, f"{kind}{numbers[kind]}", IS]
            spelled += say(step.literal)
    return [*tokens, BREAK, *spelled] if spelled else tokens


def _tree(derived: Derived) -> Tree:
    return Tree(derived.node, tuple(map(_tree, derived.premises)))


def write_proof(proof: Proof) -> list[str]:
    """The proof alone; sentences are counted from 1."""
    if proof.root is None or proof.strategy is Strategy.FAIL_PROOF:
        return [NONE, *(f"{SENTENCE}{tree.node + 1}" for tree in proof)]
    numbers = {CONCLUSION: 0, ABSENT: 0}

    def number(kind: str) -> str:
        numbers[kind] += 1
        return f"{kind}{numbers[kind]}"

    def write(tree: Tree) -> list[str]:
        if tree.node == NAF:
            return [number(ABSENT)]
        label = f"{SENTENCE}{tree.node + 1}"
        if not tree.premises:
            return [label]
        tokens = [OPEN, label, number(CONCLUSION)]
        for premise in tree.premises[:-1]:
            tokens += [JOIN, *write(premise)]
        return tokens + write(tree.premises[-1])

    return write(proof.root)


def read_proof(tokens: Sequence[str], sentences: int) -> Proof:
    """Inverse of both writers, for a theory of so many sentences. Raises Malformed."""
    reader = _Reader(tokens, sentences)
    if tokens[:1] == [NONE]:
        return Proof.failure(reader.chain())
    tree = reader.tree()
    reader.end()
    return Proof.of(tree)


class _Reader:
    def __init__(self, tokens: Sequence[str], sentences: int) -> None:
        self._tokens, self._sentences, self._at = tokens, sentences, 0

    def tree(self) -> Tree:
        token = self._take()
        if token == OPEN:
            rule = self._cited(self._take())
            if not self._take().startswith(CONCLUSION):
                raise Malformed(f"token {self._at}: the number of a conclusion was expected")
            return Tree(rule, self._premises())
        if token.startswith(ABSENT):
            return Tree(NAF)
        return Tree(self._cited(token))

    def _premises(self) -> tuple[Tree, ...]:
        premises = []
        while self._tokens[self._at : self._at + 1] == [JOIN]:
            self._at += 1
            premises.append(self.tree())
        return (*premises, self.tree())

    def chain(self) -> list[int]:
        self._at = 1
        rules = []
        while self._at < len(self._tokens) and self._tokens[self._at] != BREAK:
            rules.append(self._cited(self._take()))
        return rules

    def end(self) -> None:
        if self._tokens[self._at : self._at + 1] not in ([], [BREAK]):
            raise Malformed(f"token {self._at + 1}: {self._tokens[self._at]!r} after the proof")

    def _take(self) -> str:
        if self._at >= len(self._tokens):
            raise Malformed("the proof ends too early")
        self._at += 1
        return self._tokens[self._at - 1]

    def _cited(self, token: str) -> int:
        number = token.removeprefix(SENTENCE)
        if number == token or not number.isdigit() or not 1 <= int(number) <= self._sentences:
            raise Malformed(f"token {self._at}: {token!r} is no sentence")
        return int(number) - 1
