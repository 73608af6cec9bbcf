"""The JSON lines of `ibr predict`: problems in, predictions out. Knows no reasoner and no file.

In:  {"id", "sentences": [...] or "context": "...", "question", optional "kinds": ["fact", "rule"]}
Out: {"id", "answer", "strategy", "nodes", "edges", "depth", "unreadable", "reasoner",
      "source", "checked", "confidence"}

Other fields are left alone. Parsing is checking: what comes out of here is well-formed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from ibr.data.jsonl import (
    BadLines,
    FieldError,
    as_bool,
    as_int,
    as_list,
    as_share,
    as_text,
    at_line,
    inside,
    need,
    parse_line,
    take,
)
from ibr.logic.language import theory_from_text
from ibr.prediction import Prediction, Source, Status
from ibr.proof import Graph, node_from_json
from ibr.theory import Kind, Problem, Question, Strategy, Theory

T = TypeVar("T")
Record = Mapping[str, Any]


def read_records(
    stream: Iterable[str], file: str, convert: Callable[[Record], T], bad: BadLines | None = None
) -> Iterator[tuple[int, T]]:
    """(line number, record) of each line that is not blank; bad ones are counted or raise."""
    for number, text in enumerate(stream, start=1):
        if text.strip():
            with at_line(Path(file), number, bad):
                yield number, convert(parse_line(text, file, number))


def problem_of(record: Record) -> Problem:
    """Raises FieldError. Nodes of the answer count the sentences that this finds, from 0."""
    given = [name for name in ("sentences", "context") if record.get(name) is not None]
    if len(given) != 1:
        raise FieldError("sentences", 'give either "sentences" (a list) or "context" (a text)')
    if given == ["context"]:
        theory = theory_from_text(need(record, "context", as_text))
    else:
        theory = Theory.of(_each(record, "sentences", as_text))
    theory = _with_numbers(record, _with_kinds(record, theory))
    return Problem(need(record, "id", as_text), theory, Question(need(record, "question", as_text)))


def _each(record: Record, key: str, convert: Callable[[Any], T]) -> list[T]:
    found: list[T] = []
    for index, value in enumerate(need(record, key, as_list)):
        with inside(f"{key}[{index}]"):
            found.append(convert(value))
    return found


def _any_of(record: Record, key: str, convert: Callable[[Any], T]) -> list[T]:
    return [] if record.get(key) is None else _each(record, key, convert)


def _with_kinds(record: Record, theory: Theory) -> Theory:
    if record.get("kinds") is None:
        return theory
    kinds = _each(record, "kinds", Kind)
    if len(kinds) != len(theory):
        raise FieldError("kinds", f"{len(kinds)} kinds for {len(theory)} sentences")
    return Theory.of([sentence.text for sentence in theory], kinds)


def _with_numbers(record: Record, theory: Theory) -> Theory:
    """Our own JSONL carries the numbers that break ties between failures; others need none."""
    if record.get("numbers") is None:
        return theory
    with inside("numbers"):
        return Theory(theory.sentences, tuple(_each(record, "numbers", as_int)))


def prediction_of(record: Record) -> Prediction:
    """A line of `ibr predict`, or of any system that writes such; id and answer are due."""
    return Prediction(
        id=need(record, "id", as_text),
        answer=need(record, "answer", as_bool),
        reasoner=take(record, "reasoner", as_text, "unnamed"),
        strategy=take(record, "strategy", Strategy, None),
        graph=None if record.get("nodes") is None else graph_of(record),
        depth=take(record, "depth", as_int, None),
        unreadable=tuple(_any_of(record, "unreadable", as_int)),
        source=take(record, "source", Source, None),
        checked=take(record, "checked", Status, None),
        confidence=take(record, "confidence", as_share, None),
    )


def graph_of(record: Record) -> Graph:
    """`{"nodes": [0, 3, "NAF"], "edges": [[0, 3], ["NAF", 3]]}` as a graph."""
    nodes = _each(record, "nodes", node_from_json)
    edges = _any_of(record, "edges", _edge)
    with inside("edges"):
        return Graph.of(nodes, edges)


def _edge(value: Any) -> list[int]:
    pair = [node_from_json(node) for node in as_list(value)]
    if len(pair) != 2:
        raise ValueError(f"expected a [premise, rule] pair, found {value!r}")
    return pair
