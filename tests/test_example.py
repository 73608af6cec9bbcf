"""Examples and our own JSONL: nothing is lost, errors name the place, files appear whole."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny import random_examples

from ibr.data.formats.example import Example, by_theory, read_jsonl, write_jsonl
from ibr.data.formats.jsonl import KEPT, BadLines, DataError, write_lines
from ibr.logic.clause import Clause, Literal, Name, Program
from ibr.proof import Proof, Tree
from ibr.theory import FineStrategy, Kind, Problem, Question, Strategy, Theory


@given(st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_a_line_is_read_back_whole(rng: random.Random) -> None:
    for example in random_examples(rng):
        line = json.loads(json.dumps(example.to_json()))
        assert Example.from_json(line) == example


def test_a_bare_example_is_read_back() -> None:
    theory = Theory.of(["Bob is kind."])
    example = Example(Problem("q", theory, Question("Is Bob kind?")), True)
    assert Example.from_json(example.to_json()) == example
    assert set(example.to_json()) == {"id", "sentences", "kinds", "numbers", "question", "answer"}


def test_wordings_of_names_survive() -> None:
    fact = Clause(Literal("Bob", "has", Name("badge", "his badge")))
    theory = Theory.of(["Bob has his badge."])
    example = Example(
        Problem("q", theory, Question("Bob has a badge.")), True, program=Program(((fact,),))
    )
    again = Example.from_json(json.loads(json.dumps(example.to_json())))
    assert again.program is not None
    assert again.program.clauses[0][0].head.object.surface == "his badge"  # type: ignore[attr-defined]


def test_unreadable_sentences_survive() -> None:
    theory = Theory.of(["Bob is kind.", "Hm.", "Notes"], [Kind.FACT, Kind.UNKNOWN, Kind.REMARK])
    program = Program(((Clause(Literal("Bob", "is", "kind")),), (), ()), unreadable=(1,))
    example = Example(Problem("q", theory, Question("Bob is kind.")), True, program=program)
    assert Example.from_json(example.to_json()).program == program


def test_files_stream_and_share_the_theory(tmp_path: Path) -> None:
    rng = random.Random(1)
    examples = random_examples(rng, "T-1") + random_examples(rng, "T-2")
    path = tmp_path / "deep" / "examples.jsonl"
    assert write_jsonl(path, iter(examples)) == len(examples)
    read = list(read_jsonl(path))
    assert read == examples
    groups = list(by_theory(read))
    assert [group[0].theory_id for group in groups] == ["T-1", "T-2"]
    for group in groups:
        assert len({id(example.theory) for example in group}) == 1
        assert len({id(example.program) for example in group}) == 1


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        ({"answer": "yes"}, "answer", "expected true or false"),
        ({"answer": None}, "answer", "missing"),
        ({"sentences": []}, "question", ""),
        ({"sentences": "Bob is kind."}, "sentences", "expected a list"),
        ({"kinds": ["fact"]}, "kinds", "1 kinds for"),
        ({"kinds": ["fib"]}, "kinds", "fib"),
        ({"strategy": "luck"}, "strategy", "luck"),
        ({"proofs": [{"strategy": "proof", "tree": [99, 0]}]}, "proofs", "99"),
        ({"proofs": [{"strategy": "proof", "tree": "naf"}]}, "proofs", "naf"),
        ({"literal": ["Bob", "is", "kind"]}, "literal", "subject, relation"),
        ({"program": [[]]}, "program", "for 1 sentences"),
        ({"depth": 1.5}, "depth", "whole number"),
        ({"numbers": [0, 0, 0]}, "numbers", ""),
    ],
)
def test_a_bad_field_is_named_with_file_and_line(
    tmp_path: Path, change: dict[str, object], field: str, reason: str
) -> None:
    good = random_examples(random.Random(3))[0].to_json()
    line = {**good, **change}
    if "sentences" in change and not change["sentences"]:
        line.pop("question")
        line.update(kinds=[], numbers=[])
    path = tmp_path / "bad.jsonl"
    path.write_text(json.dumps(good) + "\n\n" + json.dumps(line) + "\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        list(read_jsonl(path))
    error = caught.value
    assert (error.file, error.line) == (str(path), 3)
    assert error.field.startswith(field)
    assert reason in error.reason
    assert f"{path}:3: {error.field}" in str(error)


def test_bad_lines_are_counted_on_request(tmp_path: Path) -> None:
    good = random_examples(random.Random(3))[0].to_json()
    path = tmp_path / "bad.jsonl"
    bad_lines = ["{", "[]", '{"id": 3}', "{}"] * KEPT
    last = json.dumps(good | {"id": "another"})
    path.write_text("\n".join([json.dumps(good), *bad_lines, last]), encoding="utf-8")
    bad = BadLines()
    assert len(list(read_jsonl(path, bad))) == 2
    assert bad.count == len(bad_lines)
    assert len(bad.first) == KEPT
    assert "column" in bad.first[0].reason


def test_a_byte_order_mark_is_no_error(tmp_path: Path) -> None:
    example = random_examples(random.Random(5))[0]
    path = tmp_path / "marked.jsonl"
    path.write_text(json.dumps(example.to_json()), encoding="utf-8-sig")
    assert list(read_jsonl(path)) == [example]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(ZeroDivisionError):
        write_lines(path, (1 // n for n in (1, 0)))
    assert path.read_text(encoding="utf-8") == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["kept.jsonl"]


def test_proofs_point_into_the_theory() -> None:
    problem = Problem("q", Theory.of(["Bob is kind."]), Question("Bob is kind."))
    with pytest.raises(ValueError, match="sentence 1 of 1"):
        Example(problem, True, proofs=(Proof.of(Tree(1)),))


def test_strategy_comes_from_the_fine_one_or_the_proofs() -> None:
    problem = Problem("q-1", Theory.of(["Bob is kind."]), Question("Bob is kind."))
    assert Example(problem, True).strategy is None
    assert Example(problem, True, proofs=(Proof.of(Tree(0)),)).strategy is Strategy.PROOF
    rconc = Example(problem, False, fine_strategy=FineStrategy.RCONC)
    assert rconc.strategy is Strategy.FAIL_PROOF
    assert rconc.theory_id == "q"
