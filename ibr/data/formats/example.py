"""An Example: one labelled question, and its line in our own JSONL.

A line holds what `ibr predict` reads (`id`, `sentences`, `kinds`, `question`) and the labels. The
formats of others are `rule_reasoning` and `pararules`; nothing here solves anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

from ibr.data import codec, jsonl
from ibr.data.jsonl import (
    BadLines,
    FieldError,
    as_bool,
    as_int,
    as_list,
    as_object,
    as_text,
    need,
    take,
)
from ibr.logic.clause import Literal, Program
from ibr.proof import Proof
from ibr.theory import FineStrategy, Kind, Problem, Question, Sentence, Strategy, Theory

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Source:
    """The record that the questions of one theory share, besides the theory itself.

    `all_proofs` is a file's own list of everything provable; `components` are the file's names of
    what each sentence holds; `extra` are fields that we do not know, kept to be written back.
    """

    id: str
    max_depth: int | None = None
    all_proofs: str | None = None
    components: tuple[tuple[str, ...], ...] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def to_json(self) -> dict[str, Any]:
        line = {f.name: getattr(self, f.name) for f in fields(self)}
        return {key: value for key, value in line.items() if value not in (None, {})}

    @classmethod
    def from_json(cls, value: Any) -> Source:
        line = as_object(value)
        return cls(
            id=need(line, "id", as_text),
            max_depth=take(line, "max_depth", as_int, None),
            all_proofs=take(line, "all_proofs", str, None),
            components=take(line, "components", _all(_all(as_text)), None),
            extra=take(line, "extra", as_object, {}),
        )


@dataclass(frozen=True, slots=True)
class Example:
    """A problem and what is known of its solution; `None` means that nobody says.

    `depth`, `length` and `fine_strategy` are RuleTaker's QDep, QLen and strategy, whatever their
    value. `proofs` are the accepted ones (for a fail-proof, the one chain). `program` and `literal`
    are the logic that the file itself gives for the theory and for the question.
    """

    problem: Problem
    answer: bool
    depth: int | None = None
    length: int | None = None
    fine_strategy: FineStrategy | None = None
    proofs: tuple[Proof, ...] | None = None
    program: Program | None = None
    literal: Literal | None = None
    source: Source | None = None
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        size = len(self.theory)
        if self.program is not None and len(self.program.said) != size:
            raise ValueError(f"a program of {len(self.program.said)} for {size} sentences")
        for proof in self.proofs or ():
            for tree in proof:
                if tree.node >= size:
                    raise ValueError(f"a proof names sentence {tree.node} of {size}")

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
        line: dict[str, Any] = {
            "id": self.id,
            "sentences": [sentence.text for sentence in self.theory],
            "kinds": [sentence.kind for sentence in self.theory],
            "numbers": list(self.theory.numbers),
            "question": self.question,
            "answer": self.answer,
            "depth": self.depth,
            "length": self.length,
            "strategy": self.fine_strategy,
            "proofs": _each(self.proofs, codec.proof_to_json),
            "literal": self.literal and codec.literal_to_json(self.literal),
            "program": self.program and codec.program_to_json(self.program),
            "source": self.source and self.source.to_json(),
            "extra": dict(self.extra),
        }
        return {key: value for key, value in line.items() if value not in (None, {})}

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> Example:
        """Inverse of `to_json`. Raises FieldError."""
        theory = _theory_from_json(line)
        try:
            return cls(
                problem=Problem(
                    need(line, "id", as_text), theory, Question(need(line, "question", as_text))
                ),
                answer=need(line, "answer", as_bool),
                depth=take(line, "depth", as_int, None),
                length=take(line, "length", as_int, None),
                fine_strategy=take(line, "strategy", FineStrategy, None),
                proofs=take(line, "proofs", _all(codec.proof_from_json), None),
                program=take(
                    line, "program", partial(codec.program_from_json, theory.numbers), None
                ),
                literal=take(line, "literal", codec.literal_from_json, None),
                source=take(line, "source", Source.from_json, None),
                extra=take(line, "extra", as_object, {}),
            )
        except FieldError:
            raise
        except ValueError as error:
            raise FieldError("proofs", str(error)) from None


def read_jsonl(path: Path, bad: BadLines | None = None) -> Iterator[Example]:
    """Our own lines, one at a time; questions in a row about one theory share its objects."""
    last: Example | None = None
    for number, text in jsonl.number_lines(path):
        example: Example | None = None
        with jsonl.at_line(path, number, bad):
            example = Example.from_json(jsonl.parse_line(text, path, number))
        if example is not None:
            last = _share(example, last)
            yield last


def write_jsonl(path: Path, examples: Iterable[Example]) -> int:
    """Write one line each, all or nothing, and say how many."""
    return jsonl.write_lines(path, (example.to_json() for example in examples))


def by_theory(examples: Iterable[Example]) -> Iterator[list[Example]]:
    """Runs of examples that ask about one theory, in file order."""
    for _, run in groupby(examples, key=lambda example: (example.theory_id, example.theory)):
        yield list(run)


def _share(example: Example, last: Example | None) -> Example:
    """The same with `last`'s theory, program and source objects where they are equal."""
    if last is None or example.theory != last.theory:
        return example
    return replace(
        example,
        problem=replace(example.problem, theory=last.theory),
        program=last.program if example.program == last.program else example.program,
        source=last.source if example.source == last.source else example.source,
    )


def _theory_from_json(line: Mapping[str, Any]) -> Theory:
    texts = need(line, "sentences", _all(as_text))
    kinds = take(line, "kinds", _all(Kind), tuple(Kind.UNKNOWN for _ in texts))
    numbers = take(line, "numbers", _all(as_int), ())
    if len(kinds) != len(texts):
        raise FieldError("kinds", f"{len(kinds)} for {len(texts)} sentences: one each is needed")
    try:
        return Theory(tuple(map(Sentence, texts, kinds)), numbers)
    except ValueError as error:
        raise FieldError("numbers", str(error)) from None


def _all(convert: Callable[[Any], T]) -> Callable[[Any], tuple[T, ...]]:
    return lambda values: tuple(convert(value) for value in as_list(values))


def _each(values: Iterable[T] | None, convert: Callable[[T], Any]) -> list[Any] | None:
    return None if values is None else [convert(value) for value in values]
