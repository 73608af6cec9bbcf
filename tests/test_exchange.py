"""Lines and files as other programs exchange them."""

from __future__ import annotations

import json
import os
import stat
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibr.data.formats.exchange import prediction_of, problem_of
from ibr.data.formats.jsonl import (
    BadLines,
    DataError,
    FieldError,
    read_records,
    read_text,
    writing,
)
from ibr.errors import IbrError
from ibr.prediction import Prediction
from ibr.proof import NAF, Graph
from ibr.theory import Kind, Problem, Question, Strategy, Theory

TEXTS = st.text(min_size=1).filter(str.strip)
NODES = st.frozensets(st.integers(NAF, 12))


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    nodes = draw(NODES)
    pairs = [(p, r) for p in nodes for r in nodes if r != NAF]
    return Graph(nodes, frozenset(draw(st.lists(st.sampled_from(pairs))) if pairs else []))


PREDICTIONS = st.builds(
    Prediction,
    id=TEXTS,
    answer=st.booleans(),
    reasoner=TEXTS,
    strategy=st.sampled_from([None, *Strategy]),
    graph=st.none() | graphs(),
    depth=st.none() | st.integers(0, 9),
    unreadable=st.lists(st.integers(0, 30)).map(tuple),
)


@given(PREDICTIONS)
def test_a_prediction_survives_its_line(prediction: Prediction) -> None:
    line = json.dumps(prediction.to_json())
    ((number, back),) = read_records([line], "x", prediction_of)
    assert (number, back) == (1, prediction)


@given(st.lists(st.tuples(TEXTS, st.sampled_from(Kind))), TEXTS, TEXTS)
def test_a_problem_survives_its_line(
    sentences: list[tuple[str, Kind]], question: str, id: str
) -> None:
    texts, kinds = [text for text, _ in sentences], [kind for _, kind in sentences]
    record = {"id": id, "sentences": texts, "kinds": kinds, "question": question}
    numbers = list(reversed(range(len(texts))))
    problem = problem_of(json.loads(json.dumps(record)))
    assert problem == Problem(id, Theory.of(texts, kinds), Question(question))
    numbered = problem_of(record | {"numbers": numbers})
    assert numbered.theory == replace(problem.theory, numbers=tuple(numbers))


FIELDS = [
    *("id", "sentences", "context", "question", "kinds", "numbers"),
    *("answer", "strategy", "nodes", "edges", "depth", "unreadable"),
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.just("NAF"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


@given(
    st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(FIELDS, JSON),
    )
)
def test_any_object_is_read_or_refused_by_field(record: dict[str, object]) -> None:
    for convert in (problem_of, prediction_of):
        with suppress(FieldError):
            convert(record)


def test_a_context_is_split_into_sentences() -> None:
    problem = problem_of({"id": "x", "context": "Bob is big. Bob is red.", "question": "Q."})
    assert [sentence.text for sentence in problem.theory] == ["Bob is big.", "Bob is red."]


def test_bad_lines_are_counted_where_someone_counts() -> None:
    lines = ["nonsense\n", "\n", json.dumps({"id": "a", "answer": True}), "{}"]
    bad = BadLines()
    assert [number for number, _ in read_records(lines, "f", prediction_of, bad)] == [3]
    assert bad.count == 2
    assert [error.line for error in bad.first] == [1, 4]
    with pytest.raises(DataError, match="f:1: not JSON"):
        list(read_records(lines, "f", prediction_of))


def test_an_output_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    with suppress(ZeroDivisionError), writing(str(target)) as stream:
        stream.write(str(1 / 0))
    assert list(tmp_path.iterdir()) == []
    with writing(str(target)) as stream:
        stream.write("whole")
        assert not target.exists()
    assert read_text(str(target)) == "whole"
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~umask


def test_a_byte_order_mark_is_dropped_and_other_encodings_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffBob.".encode())
    assert read_text(str(path)) == "Bob."
    path.write_bytes("Bob.\né".encode("latin-1"))
    with pytest.raises(IbrError, match=r"a\.txt:2: not UTF-8 at character 1 "):
        read_text(str(path))
