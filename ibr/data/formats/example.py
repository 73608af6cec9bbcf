"""An Example: one labelled question, and its line in our own JSONL.

A line holds what `ibr predict` reads (`id`, `sentences`, `kinds`, `question`) and the labels.
Other formats are `rule_reasoning` and `pararules`; nothing here solves anything.

    Tree(4, (Tree(0), Tree(NAF)))    [4, 0, "NAF"]               a leaf is its node
    Literal("Bob", "is", "kind")     ["Bob", "is", "kind", "+"]
    Name("badge", "a badge")         {"badge": "a badge"}        an unusual wording
    Clause(head, body)               [head, condition, ...]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from itertools import count, groupby
from pathlib import Path
from typing import Any

from ibr.data.formats import jsonl
from ibr.data.formats.exchange import problem_of
from ibr.data.formats.jsonl import FieldError, as_text, converted, list_of, need, take
from ibr.errors import InputError
from ibr.logic.clause import Clause, Literal, Name, Program, Sign
from ibr.logic.language import read_question
from ibr.prediction import Verdict
from ibr.proof import NAF, Proof, Tree, node_from_json, node_to_json
from ibr.theory import FineStrategy, Problem, Strategy, Theory


@dataclass(frozen=True, slots=True)
class RecordSource:
    """What a file states about a theory; its questions share it.

    `max_depth` and `all_proofs` (every provable statement with its proofs) are RuleTaker's maxD
    and allProofs.
    """

    id: str
    max_depth: int | None = None
    all_proofs: str | None = None

    @classmethod
    def from_json(cls, value: Any) -> RecordSource:
        line = converted(value, dict)
        return cls(
            id=need(line, "id", as_text),
            max_depth=take(line, "max_depth", int, None),
            all_proofs=take(line, "all_proofs", str, None),
        )


@dataclass(frozen=True, slots=True)
class Example:
    """A problem and what its file states about the solution; None if it states nothing.

    `depth`, `length` and `fine_strategy` are RuleTaker's QDep, QLen and strategy. `proofs` are the
    accepted ones (for a fail-proof, the one chain). `program` and `literal` are the file's own
    logic of the theory and of the question.
    """

    problem: Problem
    answer: bool
    depth: int | None = None
    length: int | None = None
    fine_strategy: FineStrategy | None = None
    proofs: tuple[Proof, ...] | None = None
    program: Program | None = None
    literal: Literal | None = None
    source: RecordSource | None = None

    def __post_init__(self) -> None:
        size = len(self.theory)
        if self.program is not None and len(self.program.clauses) != size:
            raise FieldError("program", f"{len(self.program.clauses)} for {size} sentences")
        for proof in self.proofs or ():
            for tree in proof:
                if tree.node >= size:
                    raise FieldError("proofs", f"a proof names sentence {tree.node} of {size}")

    @property
    def id(self) -> str:
        return self.problem.id

    @property
    def theory(self) -> Theory:
        return self.problem.theory

    @property
    def question(self) -> str:
        return self.problem.question.text

    @property
    def statement(self) -> Literal:
        """What it asks, by its file or else by its text. Raises ReadError."""
        return self.literal or read_question(self.question)

    @property
    def theory_id(self) -> str:
        """The id that questions of one theory share: "AttNeg-D5-537" of "AttNeg-D5-537-1"."""
        return self.source.id if self.source else self.id.rpartition("-")[0] or self.id

    @property
    def strategy(self) -> Strategy | None:
        """The paper's two strategies, from the fine one or else from the proofs."""
        if self.fine_strategy is not None:
            return self.fine_strategy.strategy
        return self.proofs[0].strategy if self.proofs else None

    def to_json(self) -> dict[str, Any]:
        return jsonl.without_nulls(
            {
                "id": self.id,
                "sentences": [sentence.text for sentence in self.theory],
                "kinds": [sentence.kind for sentence in self.theory],
                "numbers": list(self.theory.numbers),
                "question": self.question,
                "answer": self.answer,
                "depth": self.depth,
                "length": self.length,
                "strategy": self.fine_strategy,
                "proofs": self.proofs and list(map(_proof_to_json, self.proofs)),
                "literal": self.literal and _literal_to_json(self.literal),
                "program": self.program and _program_to_json(self.program),
                "source": self.source and jsonl.without_nulls(asdict(self.source)),
            }
        )

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> Example:
        """Inverse of `to_json`. Raises FieldError."""
        problem = problem_of(line)
        program = partial(_program_from_json, problem.theory.numbers)
        return cls(
            problem,
            answer=need(line, "answer", bool),
            depth=take(line, "depth", int, None),
            length=take(line, "length", int, None),
            fine_strategy=take(line, "strategy", FineStrategy, None),
            proofs=take(line, "proofs", list_of(_proof_from_json), None),
            program=take(line, "program", program, None),
            literal=take(line, "literal", _literal_from_json, None),
            source=take(line, "source", RecordSource.from_json, None),
        )


@dataclass(frozen=True, slots=True)
class Reported(Example):
    """`label` is yes, no or not shown, which `answer` counts as the closed world does.

    `has_unknown`: the third answer was to be had. `cited` are the sets of sentences that the
    file's proofs, or its explanation, rest on; () if it has none.
    """

    label: Verdict = Verdict.YES
    has_unknown: bool = False
    cited: tuple[frozenset[int], ...] = ()

    @classmethod
    def of(cls, example: Example, label: Verdict, has_unknown: bool) -> Reported:
        known = {field.name: getattr(example, field.name) for field in fields(Example)}
        if label is Verdict.NOT_SHOWN and example.literal is not None:
            known["answer"] = not example.literal.positive
        proofs = [proof for proof in example.proofs or () if proof.strategy is Strategy.PROOF]
        cited = dict.fromkeys(proof.graph.nodes - {NAF} for proof in proofs)
        return cls(**known, label=label, has_unknown=has_unknown, cited=tuple(cited))


def read_jsonl(path: Path, bad: jsonl.BadLines | None = None) -> Iterator[Example]:
    """Our own lines, one at a time; successive questions about one theory share its objects.

    A line without an id is named by its place.
    """
    last: Example | None = None
    place = count(1)

    def named(line: Mapping[str, Any]) -> Example:
        return Example.from_json({"id": f"line-{next(place)}", **line})

    with jsonl.reading(path) as stream:
        for _, example in jsonl.read_records(stream, path, named, bad):
            if last is not None and example.theory == last.theory:
                example = replace(
                    example,
                    problem=replace(example.problem, theory=last.theory),
                    program=last.program if example.program == last.program else example.program,
                    source=last.source if example.source == last.source else example.source,
                )
            last = example
            yield example


def write_jsonl(path: Path, examples: Iterable[Example]) -> int:
    """Write one line each, all or nothing; return how many."""
    return jsonl.write_lines(path, (example.to_json() for example in examples))


def by_theory(examples: Iterable[Example]) -> Iterator[list[Example]]:
    """Runs of examples about one theory, in file order."""
    for _, run in groupby(examples, key=lambda example: (example.theory_id, example.theory)):
        yield list(run)


def _proof_to_json(proof: Proof) -> dict[str, Any]:
    return {"strategy": proof.strategy, "tree": proof.root and _tree_to_json(proof.root)}


def _proof_from_json(value: Any) -> Proof:
    tree = converted(value, dict).get("tree")
    root = None if tree is None else _tree_from_json(tree)
    return Proof(Strategy(value.get("strategy")), root)


def _tree_to_json(tree: Tree) -> Any:
    node = node_to_json(tree.node)
    return [node, *map(_tree_to_json, tree.premises)] if tree.premises else node


def _tree_from_json(value: Any) -> Tree:
    if not isinstance(value, list):
        return Tree(node_from_json(value))
    if not value:
        raise InputError("an empty list is not a proof step")
    return Tree(node_from_json(value[0]), tuple(map(_tree_from_json, value[1:])))


def _literal_to_json(literal: Literal) -> list[Any]:
    terms = (_term_to_json(term) for term in (literal.subject, literal.relation, literal.object))
    return [*terms, literal.sign]


def _literal_from_json(value: Any) -> Literal:
    parts = converted(value, list)
    if len(parts) != 4:
        raise InputError(f"a literal is [subject, relation, object, sign], found {value!r:.60}")
    subject, relation, obj = map(_term_from_json, parts[:3])
    return Literal(subject, relation, obj, Sign(parts[3]))


def _term_to_json(term: str) -> str | dict[str, str]:
    if isinstance(term, Name) and term.surface != Name(term).surface:
        return {str(term): term.surface}
    return str(term)


def _term_from_json(value: Any) -> str:
    if isinstance(value, str):
        return value
    terms = list(converted(value, dict).items())
    if len(terms) != 1 or not isinstance(terms[0][1], str):
        raise InputError(f"a name is a text or {{key: wording}}, found {value!r:.60}")
    return Name(*terms[0])


def _program_to_json(program: Program) -> list[list[Any] | None]:
    """For each sentence its clauses; null for one that could not be read."""
    return [
        [[_literal_to_json(lit) for lit in (clause.head, *clause.body)] for clause in clauses]
        if index not in program.unreadable
        else None
        for index, clauses in enumerate(program.clauses)
    ]


def _program_from_json(numbers: tuple[int, ...], value: Any) -> Program:
    sentences = converted(value, list)
    clauses = tuple(tuple(map(_clause_from_json, converted(s or [], list))) for s in sentences)
    return Program(clauses, numbers, tuple(i for i, s in enumerate(sentences) if s is None))


def _clause_from_json(value: Any) -> Clause:
    literals = tuple(map(_literal_from_json, converted(value, list)))
    if not literals:
        raise InputError("a clause needs a head")
    return Clause(literals[0], literals[1:])
