"""The `proofs` strings of RuleTaker's meta files ⇄ proofs (grammar: `proof_string.lark`).

    [(((triple1 NAF) -> rule1) OR (triple4))]
    [@1: The bell is ringing.[CWA. Example of deepest failure = (rule4 <- FAIL)]]

A string names the components of a file (`triple1`, `rule4`); a `Proof` points at sentences. The
text is parsed to `Proved` or `Failed`, which keep the names, and `Names` translates both ways.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from ibr.proof import NAF, Proof, Tree
from ibr.theory import Kind, Strategy, Theory

NAF_NAME: Final = "NAF"

# What a person calls the terminals of the grammar.
_SPOKEN: Final = {
    "TRIPLE": "a triple",
    "RULE": "a rule",
    "NAF": "NAF",
    "DEPTH": "a depth",
    "SENTENCE": "a sentence",
    "_CWA": '"[CWA. Example of deepest failure ="',
    "LSQB": '"["',
    "RSQB": '"]"',
    "LPAR": '"("',
    "RPAR": '")"',
    "COLON": '":"',
    "OR": '"OR"',
    "FAIL": '"FAIL"',
    "$END": "the end",
}


class ProofStringError(ValueError):
    """A string outside the grammar, or one that names a component the theory does not have."""


@dataclass(frozen=True, slots=True)
class Named:
    """One occurrence of a component and what it rests on: `Named("rule1", (Named("triple2"),))`."""

    name: str
    premises: tuple[Named, ...] = ()

    def __str__(self) -> str:
        if not self.premises:
            return self.name
        return f"(({' '.join(map(str, self.premises))}) -> {self.name})"


@dataclass(frozen=True, slots=True)
class Proved:
    """Every listed proof of one statement."""

    alternatives: tuple[Named, ...]

    def __str__(self) -> str:
        return f"[({' OR '.join(map(str, self.alternatives))})]"


@dataclass(frozen=True, slots=True)
class Failed:
    """The deepest failure to prove `sentence` (always the positive form)."""

    depth: int
    sentence: str
    rules: tuple[str, ...]

    def __str__(self) -> str:
        chain = " <- ".join([*self.rules, "FAIL"])
        return f"[@{self.depth}: {self.sentence}[CWA. Example of deepest failure = ({chain})]]"


class _Build(Transformer[Token, Any]):
    """Grammar rules → nouns, while parsing."""

    def leaf(self, items: list[Token]) -> Named:
        return Named(str(items[0]))

    def applied(self, items: list[Any]) -> Named:
        *premises, rule = items
        return Named(str(rule), tuple(premises))

    def proved(self, items: list[Named]) -> Proved:
        return Proved(tuple(items))

    def failed(self, items: list[Token]) -> Failed:
        depth, sentence, *rules = items
        return Failed(int(depth), str(sentence).strip(), tuple(map(str, rules)))


@cache
def _parser() -> Lark:
    return Lark.open("proof_string.lark", rel_to=__file__, parser="lalr", transformer=_Build())


@lru_cache(maxsize=4096)  # a question and its negation carry the same string
def parse(text: str) -> Proved | Failed:
    """`str(parse(text)) == text` for every string in the published spacing."""
    try:
        result: Any = _parser().parse(text)
    except UnexpectedInput as error:
        raise ProofStringError(_complaint(text, error)) from None
    assert isinstance(result, Proved | Failed)
    return result


def _complaint(text: str, error: UnexpectedInput) -> str:
    expected: Iterable[str] = ()
    found = "the end"
    if isinstance(error, UnexpectedCharacters):
        expected, found = error.allowed or (), repr(text[error.pos_in_stream :][:12])
    elif isinstance(error, UnexpectedToken):
        expected = error.accepts or error.expected
        found = "the end" if error.token.type == "$END" else repr(str(error.token))
    column = len(text) + 1 if found == "the end" else error.column
    spoken = sorted({_SPOKEN.get(name, _literal(name)) for name in expected})
    return f"column {column}: expected {' or '.join(spoken)}, found {found}, in {text!r}"


def _literal(terminal: str) -> str:
    """What an unnamed terminal of the grammar looks like: __ANON_0 → "->"."""
    for definition in _parser().terminals:
        if definition.name == terminal:
            return f'"{definition.pattern.value}"'
    return terminal


@dataclass(frozen=True)
class Names:
    """What a file calls the sentences of one theory.

    `components[i]` are the names that sentence i holds: one in synthetic data (`triple3`), one or
    more in ParaRules.
    """

    components: tuple[tuple[str, ...], ...]

    @classmethod
    def of_theory(cls, theory: Theory) -> Names:
        """Number facts and rules apart, each in the order of the theory's own numbers."""
        names: dict[int, str] = {}
        for kind, word in ((Kind.FACT, "triple"), (Kind.RULE, "rule")):
            members = [i for i, sentence in enumerate(theory) if sentence.kind is kind]
            members.sort(key=theory.numbers.__getitem__)
            names.update((i, f"{word}{n}") for n, i in enumerate(members, start=1))
        return cls(tuple((names[i],) if i in names else () for i in range(len(theory))))

    @property
    def index(self) -> Mapping[str, int]:
        found = {name: i for i, names in enumerate(self.components) for name in names}
        return {**found, NAF_NAME: NAF}

    def to_proofs(self, said: Proved | Failed) -> tuple[Proof, ...]:
        """Names → sentence indices. Several proofs for `OR`, one for a failure."""
        index = self.index

        def place(name: str) -> int:
            if name not in index:
                raise ProofStringError(f"{name} is not a sentence of this theory")
            return index[name]

        def tree(named: Named) -> Tree:
            return Tree(place(named.name), tuple(map(tree, named.premises)))

        if isinstance(said, Failed):
            return (Proof.failure([place(rule) for rule in said.rules]),)
        return tuple(Proof.of(tree(alternative)) for alternative in said.alternatives)

    def of_proofs(self, proofs: Sequence[Proof], sentence: str) -> Proved | Failed:
        """Sentence indices → names; `sentence` is the positive statement a failure is about."""
        if not proofs:
            raise ProofStringError("no proof to write")
        if proofs[0].strategy is Strategy.FAIL_PROOF:
            rules = tuple(self._name(tree.node) for tree in proofs[0])
            return Failed(len(rules), sentence, rules)
        return Proved(tuple(self._named(p.root) for p in proofs if p.root is not None))

    def _named(self, tree: Tree) -> Named:
        return Named(self._name(tree.node), tuple(map(self._named, tree.premises)))

    def _name(self, node: int) -> str:
        if node == NAF:
            return NAF_NAME
        names = self.components[node]
        if len(names) != 1:
            raise ProofStringError(
                f"sentence {node} holds {len(names)} components: a proofs string needs exactly one"
            )
        return names[0]
