"""Examples and our own JSONL: nothing is lost, errors say where, files appear whole."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibr.data.example import Example, Source, by_theory, read_jsonl, write_jsonl
from ibr.data.jsonl import KEPT, BadLines, DataError, write_lines
from ibr.logic.clause import Clause, Literal, Name, Program, Sign
from ibr.proof import NAF, Proof, Tree
from ibr.theory import FineStrategy, Kind, Problem, Question, Sentence, Strategy, Theory

PEOPLE = ("Anne", "Bob", "cat", "light bulb")
TRAITS = ("kind", "big", Name("bird", "a bird"))


def random_literal(rng: random.Random, variable: bool, signs: tuple[Sign, ...]) -> Literal:
    subject = "?x" if variable else rng.choice(PEOPLE)
    said = rng.choice([("is", rng.choice(TRAITS)), ("likes", rng.choice(PEOPLE))])
    return Literal(subject, *said, rng.choice(signs))


def random_clause(rng: random.Random, kind: Kind) -> Clause:
    heads = (Sign.POSITIVE, Sign.NEGATIVE)
    if kind is Kind.FACT:
        return Clause(random_literal(rng, False, heads))
    variable = rng.random() < 0.7
    conditions = (Sign.POSITIVE, Sign.NAF)
    body = [random_literal(rng, variable, conditions) for _ in range(rng.randint(1, 3))]
    return Clause(random_literal(rng, variable, heads), tuple(body))


def random_tree(rng: random.Random, facts: list[int], rules: list[int], depth: int) -> Tree:
    if depth == 0 or not rules or rng.random() < 0.3:
        return Tree(rng.choice([*facts, NAF]))
    size = rng.randint(1, 3)
    premises = tuple(random_tree(rng, facts, rules, depth - 1) for _ in range(size))
    return Tree(rng.choice(rules), premises)


def random_examples(rng: random.Random, name: str = "AttNeg-D2-7") -> list[Example]:
    """A theory as a RuleTaker file may hold it, with labels that need not be true."""
    from ibr.logic.templates import write_clause, write_literal

    kinds = [Kind.FACT] * rng.randint(1, 4) + [Kind.RULE] * rng.randint(1, 4)
    clauses = [random_clause(rng, kind) for kind in kinds]
    order = rng.sample(range(len(kinds)), len(kinds))
    sentences = tuple(Sentence(write_clause(clauses[i]), kinds[i]) for i in order)
    theory = Theory(sentences, tuple(order))
    program = Program(tuple((clauses[i],) for i in order), theory.numbers)
    facts = [i for i, s in enumerate(theory) if s.kind is Kind.FACT]
    rules = [i for i, s in enumerate(theory) if s.kind is Kind.RULE]
    source = Source(name, max_depth=rng.randint(0, 5))
    examples = []
    for k in range(1, rng.randint(2, 6)):
        literal = random_literal(rng, False, (Sign.POSITIVE, Sign.NEGATIVE))
        fine = rng.choice(list(FineStrategy))
        if fine.strategy is Strategy.PROOF:
            size = rng.randint(1, 3)
            proofs = tuple(Proof.of(random_tree(rng, facts, rules, 3)) for _ in range(size))
        else:
            proofs = (Proof.failure(rng.sample(rules, rng.randint(0, len(rules)))),)
        examples.append(
            Example(
                Problem(f"{name}-{k}", theory, Question(write_literal(literal))),
                answer=rng.random() < 0.5,
                depth=rng.choice([0, 3, 7, 99]),
                length=rng.choice([None, 1, 12]),
                fine_strategy=fine,
                proofs=proofs,
                program=program,
                literal=literal,
                source=source,
            )
        )
    return examples


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
    assert again.program.said[0][0].head.object.surface == "his badge"  # type: ignore[attr-defined]


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
        ({"kinds": ["fact"]}, "kinds", "1 for"),
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
    path.write_text("\n".join([json.dumps(good), *bad_lines, json.dumps(good)]), encoding="utf-8")
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
