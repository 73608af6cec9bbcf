"""Input at the edges: an answer, `cannot say`, or an error that names its place; never a crash."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from served import serving
from shell import Run, write_lines
from tiny import random_examples

import ibr
from ibr.data.formats.jsonl import FieldError, unique_keys
from ibr.data.formats.record_in import ReadReport, read_record
from ibr.prediction import Verdict

CIRCLE = ["Erin is cold.", "If someone is not cold then they are cold."]  # no circle over Erin
STRANGER = "Dave is nice."


def problem(name: str, question: str, sentences: list[str]) -> dict[str, Any]:
    return {"id": name, "sentences": sentences, "question": question}


@pytest.mark.parametrize("reasoner", ["verified", "ibr", "solver"])
def test_a_name_that_only_the_question_has_may_close_a_circle(reasoner: str) -> None:
    asking = ibr.load(reasoner).ask(" ".join(CIRCLE))
    known, unknown = asking.prove(["Erin is cold.", STRANGER])
    assert (known.verdict, unknown.verdict) == (Verdict.YES, Verdict.CANNOT_SAY)
    assert unknown.reason is not None
    assert unknown.reason.startswith('negation in a circle: [2] concludes "Dave is cold"')
    assert unknown.to_svg()
    assert (unknown.why, unknown.to_json()["obstacle"]["kind"]) == (None, "circle")


@pytest.mark.parametrize("count", [40, pytest.param(4_000, marks=pytest.mark.slow)])
def test_a_stranger_is_no_internal_error_in_any_theory(count: int) -> None:
    """Of random theories, one in 400 had a circle over the stranger alone."""
    rng, prover = random.Random(16), ibr.load("solver")
    verdicts = Counter[Verdict]()
    for _ in range(count):
        theory = random_examples(rng)[0].theory
        asking = prover.ask("\n".join(sentence.text for sentence in theory))
        verdicts.update(each.verdict for each in asking.prove([STRANGER, "Dave likes Anne."]))
    assert verdicts.total() == 2 * count
    assert verdicts[Verdict.CANNOT_SAY] or count < 400


def test_the_server_cannot_say_of_such_a_name() -> None:
    with serving(ibr.load()) as server:
        found = server.prove(STRANGER, rules=" ".join(CIRCLE), trace=True, pictures=True)
        assert (found.status, found.json["results"][0]["verdict"]) == (200, "cannot say")
        events = dict(server.events(STRANGER, rules=" ".join(CIRCLE)))
        assert events["result"]["verdict"] == "cannot say"


@pytest.mark.parametrize(("count", "verdict"), [(9, Verdict.YES), (10, Verdict.NO)])
def test_exceptions_of_exceptions_may_be_many(count: int, verdict: Verdict) -> None:
    """Nine of them were an internal error."""
    rules = "\n".join(f"Bob is a{n} unless Bob is a{n + 1}." for n in range(count))
    assert ibr.load("solver").prove(rules, "Bob is a0.").verdict is verdict


def test_a_verb_of_one_letter_is_no_internal_error() -> None:
    found = ibr.load("solver").prove("Bob is big. If Bob is big then the cat s Bob.", "Bob is big.")
    assert found.verdict in (Verdict.YES, Verdict.CANNOT_SAY)


@pytest.mark.parametrize("verb", ["ed", "ing", "s"])
def test_a_verb_that_is_only_an_ending_is_no_internal_error(verb: str) -> None:
    rules = f"Bob is big. All rough people {verb}."
    found = ibr.load("solver").prove(rules, "Bob is big.")
    assert found.verdict in (Verdict.YES, Verdict.CANNOT_SAY)


@pytest.mark.parametrize("reasoner", ["verified", "solver"])
def test_predict_goes_on_after_such_a_name(run: Run, tmp_path: Path, reasoner: str) -> None:
    problems = [problem("a", STRANGER, CIRCLE), problem("b", "Erin is cold.", CIRCLE)]
    source = write_lines(tmp_path / "in.jsonl", problems)
    done = run("predict", "--reasoner", reasoner, "--in", source, "--out", "-", "--skip-bad")
    assert done.code == 0
    assert done.lines[-1]["id"] == "b"
    if reasoner == "solver":
        assert f"{source}:1: question a: sentences: negation in a circle" in done.err


@pytest.mark.parametrize(
    ("rules", "proof", "side", "code"),
    [
        ("Lee is a visitor. No visitor may enter the lab.", [0, 1], "negation", 10),
        ("Lee is a visitor. Every visitor may enter the lab.", [0, 1], "statement", 0),
        ("Lee is a visitor. Every guest may enter the lab.", [1], "neither", 10),
        ("Lee is a visitor. Every guest may enter the lab.", [0, 1], None, 10),
    ],
)
def test_only_a_proof_of_the_statement_passes(
    run: Run, tmp_path: Path, rules: str, proof: list[int], side: str | None, code: int
) -> None:
    (tmp_path / "rules.txt").write_text(rules)
    text = json.dumps({"nodes": proof, "edges": [proof] if len(proof) > 1 else []})
    call = ["check", tmp_path / "rules.txt", "Lee may enter the lab."]
    assert run(*call, "--fail-if-unproved", stdin=text).code == code
    done = run(*call, "--json", stdin=text)
    assert (done.json["status"], done.json["shows"]) == ("valid" if side else "invalid", side)
    assert (str(side) in run(*call, stdin=text).out) == (side in ("negation", "neither"))


def test_a_question_that_cannot_be_read_has_its_line(run: Run, tmp_path: Path) -> None:
    bob = ["Bob is big."]
    problems = [
        problem("a", "Bob is big.", bob),
        problem("b", "Why oh why?", bob),
        problem("c", STRANGER, CIRCLE),
        problem("d", "Bob is red.", bob),
    ]
    source, out = write_lines(tmp_path / "in.jsonl", problems), tmp_path / "out.jsonl"
    call = ["predict", "--reasoner", "solver", "--in", source, "--out"]
    done = run(*call, out)
    assert (done.code, out.exists()) == (6, True)
    assert f"cannot say for 2 questions, the first: {source}:2: question b: " in done.err
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(line["id"], line["answer"]) for line in lines] == [
        ("a", True), ("b", None), ("c", None), ("d", False)
    ]  # fmt: skip
    assert [line.get("verdict") for line in lines] == [None, "cannot say", "cannot say", None]
    assert lines[1]["why"].startswith("question: cannot read")
    assert lines[2]["why"].startswith("sentences: negation in a circle")
    for number in (1, 2):
        part = tmp_path / f"part{number}"
        assert run(*call, part, "--shard", f"{number}/2").code in (0, 6)
    assert run("merge", tmp_path / "all", tmp_path / "part1", tmp_path / "part2").code == 0
    assert (tmp_path / "all").read_text() == out.read_text()
    checked = run("check", "--in", source, "--predictions", out, "--skip-bad", "--json")
    assert [line["id"] for line in checked.lines] == ["a", "d"]
    assert "question b: answer: " in checked.err


@pytest.mark.parametrize("count", [501, pytest.param(80_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("reasoner", ["ibr", "verified"])
def test_more_sentences_than_a_model_takes_have_their_line(
    run: Run, tmp_path: Path, reasoner: str, count: int
) -> None:
    many = [f"Bob is big{number}." for number in range(count)]
    problems = [problem("a", "Bob is big7.", many), problem("b", "Bob is big.", ["Bob is big."])]
    source = write_lines(tmp_path / "in.jsonl", problems)
    done = run("predict", "--reasoner", reasoner, "--in", source, "--out", "-")
    assert done.code == 6
    assert [line["answer"] for line in done.lines] == [None, True]
    why = f"sentences: {count:,}; a model takes at most 500: use the solver"
    assert done.lines[0]["why"] == why
    assert f"{source}:1: question a: {why}" in done.err


def test_a_rulebook_that_is_too_large_for_the_model_is_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in ("ibr.asking.prover", "ibr.decoding.proving"):
        monkeypatch.setattr(f"{module}.MAX_SENTENCES", 2)
    rules = "Bob is big. Anne is big. All big people rest."
    assert ibr.load().prove(rules, "Does Bob rest?").verdict is Verdict.YES
    (*_, last) = ibr.load().steps(rules, "Does Bob rest?")
    assert isinstance(last, ibr.Result)
    with pytest.raises(ibr.IbrError, match="sentences: 3; a model takes at most 2"):
        ibr.load("ibr").prove(rules, "Does Bob rest?")


BAD_LINES = {
    '{"id": "x", "sentences": [], "question": "Bob is big.", "n": ' + "1" * 5000 + "}": "digits",
    '{"id": "x", "sentences": ' + "[" * 100_000 + "]" * 100_000 + "}": "nested too deeply",
    '{"id": "a", "sentences": [], "question": "Bob is big."}': "id: 'a' is that of line 1",
    '{"id": "x", "sentences": [], "id": "y", "question": "Bob is big."}': "id: is given twice",
    '{"id": "x", "sentences": [[]], "question": "Bob is big."}': "sentences[0]: expected a text",
    '{"id": "x", "sentences": [], "question": null}': "question: is missing",
}


@pytest.mark.parametrize(("line", "message"), BAD_LINES.items(), ids=range(len(BAD_LINES)))
def test_a_hostile_line_is_named_and_skipped(
    run: Run, tmp_path: Path, line: str, message: str
) -> None:
    source = tmp_path / "in.jsonl"
    first, last = (problem(name, "Bob is big.", ["Bob is big."]) for name in "ab")
    source.write_text(f"{json.dumps(first)}\n{line}\n{json.dumps(last)}\n")
    call = ["predict", "--reasoner", "solver", "--in", source, "--out", "-"]
    done = run(*call)
    assert (done.code, f"{source}:2: " in done.err, message in done.err) == (3, True, True)
    done = run(*call, "--skip-bad")
    assert (done.code, [line["id"] for line in done.lines]) == (0, ["a", "b"])


def test_a_key_that_is_given_twice_is_found_in_linear_time() -> None:
    """In the server, all others would wait for it."""
    keys = [(f"k{number}", 0) for number in range(50_000)]
    began = time.process_time()
    with pytest.raises(FieldError, match="k49999"):
        unique_keys([*keys, keys[-1]])
    assert time.process_time() - began < 1


def test_a_theory_of_many_components_is_read_in_linear_time() -> None:
    texts = [f"Bob is b{k}." for k in range(8_000)]
    logic = (f'("Bob" "is" "b{k}" "+")' for k in range(len(texts)))
    made = enumerate(zip(texts, logic, strict=True), start=1)
    triples = {f"triple{k}": {"text": text, "representation": read} for k, (text, read) in made}
    record = RECORD | {"context": " ".join(reversed(texts))}
    began = time.process_time()
    (example,) = read_record(record, {"triples": triples}, (), ReadReport())
    assert time.process_time() - began < 2
    assert example.theory.numbers == tuple(reversed(range(len(texts))))


def test_a_list_in_the_first_line_is_named_and_skipped(run: Run, tmp_path: Path) -> None:
    """A whole file of it is another format, under another name."""
    source = tmp_path / "in.jsonl"
    for first in ("[1]", "[" * 100_000):
        source.write_text(f"{first}\n{json.dumps(problem('a', 'Bob is big.', ['Bob is big.']))}\n")
        done = run("predict", "--reasoner", "solver", "--in", source, "--out", "-", "--skip-bad")
        assert (done.code, [line["id"] for line in done.lines]) == (0, ["a"])


QUESTIONS = [{"id": "T-1-1", "text": "Bob is big.", "label": True, "meta": {"Qid": "Q1"}}]
RECORD = {"id": "T-1", "context": "Bob is big.", "questions": QUESTIONS}
FACT = {"text": "Bob is big.", "representation": '("Bob" "is" "big" "+")'}
ASKED = {"question": "Bob is big.", "answer": True, "representation": '("Bob" "is" "big" "+")'}


@pytest.mark.parametrize(
    ("record", "meta", "place"),
    [
        ({}, {"triples": {"triple1": FACT | {"representation": []}}}, "triple1.representation"),
        ({}, {"triples": {"triple1": None}}, "triples.triple1"),
        ({}, {"rules": {"rule1": FACT | {"representation": {}}}}, "rule1.representation"),
        ({}, {"questions": {"Q1": ASKED | {"representation": []}}}, "meta file.representation"),
        ({}, {"questions": {"Q1": ASKED | {"representation": '("someone" "is" "big" "+")'}}},
         "meta file.representation"),
        ({}, {"questions": {"Q1": ASKED | {"question": None}}}, "Q1"),
        ({}, {"questions": {"Q1": ASKED | {"proofs": []}}}, "proofs"),
        ({"questions": [None]}, {}, "questions[0]"),
        ({"questions": QUESTIONS * 2}, {}, "questions: two of them have the same id"),
        ({"questions": [QUESTIONS[0] | {"text": 3}]}, {}, "questions[0].text"),
    ],
)  # fmt: skip
def test_a_wrong_type_in_a_ruletaker_file_is_named_and_skipped(
    run: Run, tmp_path: Path, record: Any, meta: Any, place: str
) -> None:
    source = tmp_path / "dev.jsonl"
    fine = RECORD | {"id": "T-2", "questions": [QUESTIONS[0] | {"id": "T-2-1"}]}
    write_lines(source, [RECORD | record, fine])
    whole = {"id": "T-1", "triples": {"triple1": FACT}, "rules": {}, "questions": {"Q1": ASKED}}
    write_lines(tmp_path / "meta-dev.jsonl", [whole | meta])
    call = ["predict", "--reasoner", "solver", "--in", source, "--out", "-"]
    done = run(*call)
    assert (done.code, f"{source}:1: " in done.err, place in done.err) == (3, True, True), done.err
    done = run(*call, "--skip-bad")
    assert (done.code, [line["id"] for line in done.lines]) == (0, ["T-2-1"])


def test_the_server_takes_utf_8_alone_and_no_key_twice() -> None:
    body = {"rules": "Bob is big.", "question": "Bob is big.", "nodes": [0], "edges": []}
    twice = b'{"rules": "Bob is big.", "rules": ""}'
    kind = {"Content-Type": "application/json"}
    with serving(ibr.load("solver")) as server:
        assert server.post("/v1/check", body).json["shows"] == "statement"
        for node in (0.0, 0.5, True, -1, "0", None, [0]):
            refused = server.post("/v1/check", body | {"nodes": [node]})
            assert (refused.status, refused.fault["field"]) == (422, "nodes[0]"), node
            refused = server.post("/v1/check", body | {"edges": [[0, node]]})
            assert (refused.status, refused.fault["field"]) == (422, "edges[0][1]"), node
        refused = server.prove("Bob is big.", beams=2.0)
        assert (refused.status, refused.fault["field"]) == (422, "options.beams")
        for encoding in ("utf-16", "utf-16-le", "utf-32"):
            sent = json.dumps({"rules": "Bob is big."}).encode(encoding)
            assert server.send("POST", "/v1/read", sent, kind).status == 422
        refused = server.send("POST", "/v1/read", twice, kind)
        assert (refused.status, refused.fault["field"]) == (422, "rules")
