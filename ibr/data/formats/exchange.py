"""The JSON lines of `ibr predict`: problems in, predictions out. Knows no reasoner and no file.

In:  {"id", "sentences": [...] or "context": "...", "question", optional "kinds": ["fact", "rule"]}
Out: {"id", "answer", "strategy", "nodes", "edges", "depth", "unreadable", "reasoner",
      "source", "checked", "confidence"}, and "verdict" and "why" where there is no answer

Other fields are ignored. Every function raises FieldError for a field that cannot be used.
"""

from collections.abc import Mapping
from typing import Any

from ibr.data.formats.jsonl import FieldError, as_text, converted, inside, list_of, need, take
from ibr.errors import InputError
from ibr.logic.language import theory_from_text
from ibr.prediction import NoAnswer, Prediction, Source, Status, Verdict
from ibr.proof import Graph, node_from_json
from ibr.theory import Kind, Problem, Question, Strategy, Theory

Record = Mapping[str, Any]


def problem_of(record: Record) -> Problem:
    """Nodes of the answer count the sentences that this finds, from 0."""
    if (record.get("sentences") is None) == (record.get("context") is None):
        raise FieldError("sentences", 'give either "sentences" (a list) or "context" (a text)')
    if record.get("context") is not None:
        theory = theory_from_text(need(record, "context", as_text))
    else:
        theory = Theory.of(need(record, "sentences", list_of(as_text)))
    kinds = take(record, "kinds", list_of(Kind), None)
    if kinds is not None:
        with inside("kinds"):
            theory = Theory.of([sentence.text for sentence in theory], kinds)
    # Only our own JSONL has numbers; they break ties between failures.
    numbers = take(record, "numbers", list_of(int), ())
    with inside("numbers"):
        theory = Theory(theory.sentences, numbers)
    return Problem(need(record, "id", as_text), theory, Question(need(record, "question", as_text)))


def prediction_of(record: Record) -> Prediction:
    """A line of `ibr predict`, or of another system; only id and answer are required."""
    if record.get("answer") is None and record.get("verdict") == Verdict.CANNOT_SAY:
        name, system = need(record, "id", as_text), take(record, "reasoner", as_text, "unnamed")
        return NoAnswer(name, False, system, why=take(record, "why", as_text, "cannot say"))
    return Prediction(
        id=need(record, "id", as_text),
        answer=need(record, "answer", bool),
        reasoner=take(record, "reasoner", as_text, "unnamed"),
        strategy=take(record, "strategy", Strategy, None),
        graph=None if record.get("nodes") is None else graph_of(record),
        depth=take(record, "depth", int, None),
        unreadable=take(record, "unreadable", list_of(int), ()),
        source=take(record, "source", Source, None),
        checked=take(record, "checked", Status, None),
        confidence=take(record, "confidence", _share, None),
    )


def _share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InputError(f"expected a number from 0 to 1, found {value!r:.60}")
    return float(value)


def graph_of(record: Record) -> Graph:
    """`{"nodes": [0, 3, "NAF"], "edges": [[0, 3], ["NAF", 3]]}` as a graph."""
    nodes = need(record, "nodes", list_of(node_from_json))
    edges = take(record, "edges", list_of(_edge), ())
    with inside("edges"):
        return Graph.of(nodes, edges)


def _edge(value: Any) -> list[int]:
    pair = [node_from_json(node) for node in converted(value, list)]
    if len(pair) != 2:
        raise InputError(f"expected a [premise, rule] pair, found {value!r}")
    return pair
