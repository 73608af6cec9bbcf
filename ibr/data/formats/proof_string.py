"""The strings of RuleTaker's meta files ⇄ proofs (grammar: `proof_string.lark`), literals, clauses.

    [(((triple1 NAF) -> rule1) OR (triple4))]
    [@1: The bell is ringing.[CWA. Example of deepest failure = (rule4 <- FAIL)]]

A `proofs` string names the components of a file (`triple1`, `rule4`), a `Proof` points at
sentences: `Names` translates both ways.

    ("circuit" "has" "switch" "~")
    ((("someone" "is" "a bird" "+") ("someone" "is" "hurt" "~")) -> ("someone" "is" "ok" "+"))

The one variable of a `representation` is written "someone" or "something" and read as "?x"; an
article belongs to the wording, not to the key ("a bird" is `Name("bird", "a bird")`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, Final

from lark import Lark, Token
from lark import Tree as ParseTree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from ibr.errors import InputError
from ibr.logic.clause import Clause, Literal, Name, Sign, check_clause, is_variable
from ibr.proof import NAF, Proof, Tree
from ibr.theory import Kind, Strategy, Theory

NAF_NAME: Final = "NAF"


class ProofStringError(InputError):
    """A string outside the grammar, or one that names a component the theory does not have."""


@dataclass(frozen=True)
class Names:
    """The names that a file gives to the sentences of one theory.

    `components[i]` are the names of sentence i: one in synthetic data (`triple3`), one or more in
    ParaRules.
    """

    components: tuple[tuple[str, ...], ...]

    @classmethod
    def of_theory(cls, theory: Theory) -> Names:
        """Number facts and rules separately, each in the order of the theory's own numbers."""
        names: dict[int, str] = {}
        for kind, word in ((Kind.FACT, "triple"), (Kind.RULE, "rule")):
            members = [i for i, sentence in enumerate(theory) if sentence.kind is kind]
            members.sort(key=theory.numbers.__getitem__)
            names.update((i, f"{word}{n}") for n, i in enumerate(members, start=1))
        return cls(tuple((names[i],) if i in names else () for i in range(len(theory))))

    @cached_property
    def index(self) -> Mapping[str, int]:
        found = {name: i for i, names in enumerate(self.components) for name in names}
        return {**found, NAF_NAME: NAF}

    def parse(self, text: str) -> tuple[Proof, ...]:
        """The proofs of a string: several for `OR`, one for a failure."""
        parsed = parse_tree(text)
        if parsed.data == "failed":
            _depth, _sentence, *rules = parsed.children
            return (Proof.failure([self._node(rule) for rule in rules]),)
        return tuple(Proof.of(self._tree(tree)) for tree in parsed.children)

    def _tree(self, parsed: Any) -> Tree:
        *premises, name = parsed.children
        below = tuple(map(self._tree, premises))
        return Tree(self._node(name), below)

    def _node(self, name: Any) -> int:
        if name not in self.index:
            raise ProofStringError(f"{name} is not a sentence of this theory")
        return self.index[name]

    def write(self, proofs: Sequence[Proof], sentence: str) -> str:
        """The string of proofs; `sentence` is the positive statement a failure is about."""
        if not proofs:
            raise ProofStringError("no proof to write")
        if proofs[0].strategy is Strategy.FAIL_PROOF:
            rules = [self._name(tree.node) for tree in proofs[0]]
            chain = " <- ".join([*rules, "FAIL"])
            return f"[@{len(rules)}: {sentence}[CWA. Example of deepest failure = ({chain})]]"
        return f"[({' OR '.join(self._written(proof.root) for proof in proofs if proof.root)})]"

    def _written(self, tree: Tree) -> str:
        name = self._name(tree.node)
        premises = " ".join(map(self._written, tree.premises))
        return f"(({premises}) -> {name})" if premises else name

    def _name(self, node: int) -> str:
        if node == NAF:
            return NAF_NAME
        names = self.components[node]
        if len(names) != 1:
            raise ProofStringError(
                f"sentence {node} holds {len(names)} components: a proofs string needs exactly one"
            )
        return names[0]


@cache
def _parser() -> Lark:
    return Lark.open("proof_string.lark", rel_to=__file__, parser="lalr")


@lru_cache(maxsize=4096)  # a question and its negation carry the same string
def parse_tree(text: str) -> ParseTree[Token]:
    """The string by its grammar. Raises ProofStringError."""
    try:
        return _parser().parse(text)
    except UnexpectedInput as error:
        raise ProofStringError(_message(text, error)) from None


def _message(text: str, error: UnexpectedInput) -> str:
    expected: Iterable[str] = ()
    found, column = "the end", len(text) + 1
    if isinstance(error, UnexpectedCharacters):
        expected = error.allowed or ()
        found, column = repr(text[error.pos_in_stream :][:12]), error.column
    elif isinstance(error, UnexpectedToken):
        expected = error.accepts or error.expected
        if error.token.type != "$END":
            found, column = repr(str(error.token)), error.column
    names = sorted({_terminal_in_words(name) for name in expected})
    return f"column {column}: expected {' or '.join(names)}, found {found}, in {text!r}"


def _terminal_in_words(name: str) -> str:
    """TRIPLE → a triple, LPAR → "(", __ANON_0 → "->"."""
    if name in ("$END", "<END-OF-FILE>"):
        return "the end"
    pattern = _parser().get_terminal(name).pattern
    return f'"{pattern.value}"' if pattern.type == "str" else f"a {name.lower()}"


VARIABLE: Final = "?x"
VARIABLE_WORDS: Final = ("someone", "something")
_ARTICLE: Final = re.compile(r"(an?|the)\s+(?=\S)")
_LITERAL: Final = re.compile(r'\(\s*"([^"]*)"\s*"([^"]*)"\s*"([^"]*)"\s*"([-+~])"\s*\)')
_ANY: Final = r'\s*\(\s*(?:"[^"]*"\s*){3}"[-+~]"\s*\)'  # blanks only before: one way to match
_FACTS: Final = re.compile(rf"(?:{_ANY})+\s*")
_RULE: Final = re.compile(rf"\s*\(\s*\(((?:{_ANY})*)\s*\)\s*->({_ANY})\s*\)\s*")


class LogicStringError(InputError):
    """A representation outside the grammar, or logic that the notation cannot express."""


@lru_cache(maxsize=65536)  # few statements, many files
def parse_facts(text: str) -> tuple[Clause, ...]:
    """One or more literals side by side, as in a fact row of ParaRules."""
    if not _FACTS.fullmatch(text):
        raise LogicStringError(f"cannot read the representation {text!r}: expected literals")
    return tuple(_checked(Clause(literal), text) for literal in _literals(text))


@lru_cache(maxsize=65536)
def parse_rule(text: str) -> Clause:
    match = _RULE.fullmatch(text)
    if not match:
        raise LogicStringError(f"cannot read the representation {text!r}: expected a rule")
    return _checked(Clause(_literals(match[2])[0], _literals(match[1])), text)


def parse_literal(text: str) -> Literal:
    facts = parse_facts(text)
    if len(facts) != 1:
        raise LogicStringError(f"cannot read the representation {text!r}: it has several literals")
    return facts[0].head


def _literals(text: str) -> tuple[Literal, ...]:
    return tuple(
        Literal(_term(subject), relation, _term(obj), Sign(sign))
        for subject, relation, obj, sign in _LITERAL.findall(text)
    )


def _term(written: str) -> str:
    if written in VARIABLE_WORDS:
        return VARIABLE
    article = _ARTICLE.match(written)
    return Name(written[article.end() :], written) if article else written


def _checked(clause: Clause, text: str) -> Clause:
    try:
        check_clause(clause)
    except ValueError as error:
        raise LogicStringError(f"{error}, in {text!r}") from None
    if wrong := [literal for literal in clause.body if literal.sign == Sign.NEGATIVE]:
        raise LogicStringError(f"{wrong[0]}: a negated condition is written ~, in {text!r}")
    return clause


def write_literal(literal: Literal, variable: str = "someone") -> str:
    subject, object_ = (_written(term, variable) for term in (literal.subject, literal.object))
    terms = subject, literal.relation, object_, literal.sign.value
    for term in terms:
        if '"' in term:
            raise LogicStringError(f'{term!r} cannot be written: it holds a "')
    return "(" + " ".join(f'"{term}"' for term in terms) + ")"


def write_clause(clause: Clause, variable: str = "someone") -> str:
    """A rule as `((...) -> ...)`, a fact as its literal; one variable at most."""
    if len(clause.variables) > 1:
        raise LogicStringError(f"{clause}: the notation has words for one variable only")
    head = write_literal(clause.head, variable)
    if clause.is_fact:
        return head
    return f"(({' '.join(write_literal(lit, variable) for lit in clause.body)}) -> {head})"


def _written(term: str, variable: str) -> str:
    if is_variable(term):
        return variable
    surface = getattr(term, "surface", "")
    return surface if surface in (f"a {term}", f"an {term}") else str(term)
