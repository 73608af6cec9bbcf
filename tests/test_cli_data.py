"""`predict`, `evaluate`, `generate`, `stats` and checking runs: the contracts of files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from shell import Result, Run, write_lines

from ibr.errors import ExitCode

FIELDS = [
    "id",
    "answer",
    "strategy",
    "nodes",
    "edges",
    "depth",
    "unreadable",
    "reasoner",
    "source",
    "checked",
    "confidence",
]
PROBLEMS = [
    {"id": "b", "sentences": ["Bob is big.", "Big people are kind."], "question": "Bob is kind."},
    {"id": "a", "context": "Bob is big. Big people are kind.", "question": "Bob is not kind."},
    {
        "id": "ü",
        "sentences": ["Bob is big.", "Blah!"],
        "kinds": ["fact", "rule"],
        "question": "Bob is red.",
        "label": "ignored",
    },
]


def predict(run: Run, source: object, out: object, *more: object, stdin: str = "") -> Result:
    return run("predict", "--reasoner", "solver", "--in", source, "--out", out, *more, stdin=stdin)


def test_predict_keeps_its_contract(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    done = predict(run, write_lines(tmp_path / "in.jsonl", PROBLEMS), out)
    assert (done.code, done.out) == (ExitCode.OK, "")
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert all(list(line) == FIELDS for line in lines)
    proof = {"nodes": [0, 1], "edges": [[0, 1]], "strategy": "proof", "depth": 1}
    solved = {"reasoner": "solver", "source": "solver", "checked": None, "confidence": None}
    assert lines == [
        {"id": "b", "answer": True, **proof, "unreadable": [], **solved},
        {"id": "a", "answer": False, **proof, "unreadable": [], **solved},
        {
            "id": "ü",
            "answer": False,
            "strategy": "fail-proof",
            "nodes": [],
            "edges": [],
            "depth": 0,
            "unreadable": [1],
            **solved,
        },
    ]


def test_predict_from_stdin_to_stdout(run: Run, tmp_path: Path) -> None:
    text = "\n".join(json.dumps(problem) for problem in PROBLEMS) + "\n\n"
    done = predict(run, "-", "-", stdin=text)
    assert [line["id"] for line in done.lines] == ["b", "a", "ü"]
    assert not done.err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "x"', "not JSON"),
        ("[1]", "object"),
        ({"sentences": [], "question": "Bob is red."}, "id: is missing"),
        ({"id": 3, "sentences": [], "question": "Bob is red."}, "id: expected a text"),
        ({"id": "x", "question": "Bob is red."}, "sentences: give either"),
        ({"id": "x", "sentences": [], "context": "A.", "question": "B."}, "sentences: give either"),
        ({"id": "x", "sentences": ["Bob is red.", ""], "question": "B."}, "sentences[1]"),
        ({"id": "x", "sentences": "Bob is red.", "question": "B."}, "sentences: expected a list"),
        ({"id": "x", "sentences": [], "question": ""}, "question"),
        ({"id": "x", "sentences": ["Bob is red."], "kinds": [], "question": "B."}, "kinds"),
        ({"id": "x", "sentences": ["A."], "kinds": ["law"], "question": "B."}, "kinds[0]"),
    ],
)
def test_a_bad_line_is_named_and_can_be_skipped(
    run: Run, tmp_path: Path, line: Any, message: str
) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    text = line if isinstance(line, str) else json.dumps(line)
    source.write_text(f"{json.dumps(PROBLEMS[0])}\n{text}\n{json.dumps(PROBLEMS[1])}\n")
    out.write_text("old\n")
    done = predict(run, source, out)
    assert done.code == ExitCode.DATA
    assert f"{source}:2: " in done.err
    assert message in done.err
    assert out.read_text() == "old\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "out.jsonl"]
    done = predict(run, source, out, "--skip-bad")
    assert done.code == ExitCode.OK
    assert "skipped 1" in done.err
    assert [json.loads(x)["id"] for x in out.read_text().splitlines()] == ["b", "a"]


def test_a_file_of_which_nothing_can_be_used(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text("nonsense\n")
    assert predict(run, tmp_path / "in.jsonl", "-").code == ExitCode.DATA
    assert predict(run, tmp_path / "in.jsonl", "-", "--skip-bad").code == ExitCode.OK
    (tmp_path / "in.jsonl").write_text("")
    assert predict(run, tmp_path / "in.jsonl", "-") == Result(0, "", "")


def test_predict_without_input_or_reasoner(run: Run, tmp_path: Path) -> None:
    assert predict(run, tmp_path / "none.jsonl", "-").code == ExitCode.DATA
    done = run("predict", "--reasoner", "oracle", "--in", "-", "--out", "-")
    assert (done.code, "known: solver" in done.err) == (ExitCode.NOT_FOUND, True)


def test_output_goes_through_a_link_and_to_a_device(run: Run, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "in.jsonl", PROBLEMS)
    (tmp_path / "real.jsonl").write_text("old")
    (tmp_path / "link.jsonl").symlink_to("real.jsonl")
    assert predict(run, source, tmp_path / "link.jsonl").code == ExitCode.OK
    assert (tmp_path / "link.jsonl").is_symlink()
    assert len((tmp_path / "real.jsonl").read_text().splitlines()) == 3
    assert predict(run, source, "/dev/null").code == ExitCode.OK


@pytest.fixture
def data(run: Run, tmp_path: Path) -> Path:
    done = run("generate", "--out", tmp_path / "du2", "--depth", 2, "--count", 6, "--seed", 5)
    assert (done.code, done.out) == (ExitCode.OK, "")
    return tmp_path / "du2"


def test_generate_is_the_same_for_the_same_seed(run: Run, data: Path, tmp_path: Path) -> None:
    again, other = tmp_path / "again", tmp_path / "other"
    run("generate", "--out", again, "--depth", 2, "--count", 6, "--seed", 5)
    run("generate", "--out", other, "--depth", 2, "--count", 6, "--seed", 6)
    names = ["dev.jsonl", "meta-dev.jsonl"]
    assert sorted(path.name for path in data.iterdir()) == names
    assert all((again / name).read_bytes() == (data / name).read_bytes() for name in names)
    assert all((other / name).read_bytes() != (data / name).read_bytes() for name in names)


def test_generate_refuses_the_impossible(run: Run, tmp_path: Path) -> None:
    for options in (["--depth", 99], ["--depth", 5, "--rules", 2], ["--preset", "none"]):
        done = run("generate", "--out", tmp_path / "x", *options)
        assert done.code == ExitCode.USAGE
        assert not (tmp_path / "x").exists()


def test_evaluate_the_solver(run: Run, data: Path) -> None:
    report = run("evaluate", "--reasoner", "solver", "--data", data, "--json").json
    names = ("qa", "node", "edge", "pa", "pa_min", "fa", "strategy", "depth", "length")
    assert {report["all"][name] for name in names} == {100.0}
    assert report["all"]["count"] == sum(row["count"] for row in report["by_depth"].values())
    assert report["all"]["count"] == sum(row["count"] for row in report["by_group"].values())
    shown = run("evaluate", "--reasoner", "solver", "--data", data)
    assert "PAmin" in shown.out
    assert "proof only, all" in shown.out
    assert "\x1b" not in shown.out
    assert not shown.err


def test_evaluate_only_some(run: Run, data: Path) -> None:
    done = run("evaluate", "--reasoner", "solver", "--data", data, "--limit", 3, "--json")
    assert done.json["all"]["count"] == 3


def test_evaluate_what_was_predicted(run: Run, data: Path, tmp_path: Path) -> None:
    """Predictions of the solver score as the solver; answers alone have no proof figures."""
    out = tmp_path / "p.jsonl"
    assert predict(run, data, out).code == ExitCode.OK
    report = run("evaluate", "--predictions", out, "--data", data, "--json").json
    assert report["all"]["pa"] == report["all"]["fa"] == report["all"]["depth"] == 100.0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    write_lines(out, [{"id": line["id"], "answer": not line["answer"]} for line in lines])
    report = run("evaluate", "--predictions", out, "--data", data, "--json").json
    assert (report["all"]["qa"], report["all"]["pa"], report["all"]["strategy"]) == (
        0.0,
        None,
        None,
    )
    assert "n/a" in run("evaluate", "--predictions", out, "--data", data).out


def test_evaluate_says_who_proved_and_how_good_the_confidence_is(
    run: Run, data: Path, tmp_path: Path
) -> None:
    out = tmp_path / "p.jsonl"
    predict(run, data, out)
    assert "proofs:" not in run("evaluate", "--predictions", out, "--data", data).out
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    for line in lines:
        line |= {"source": "model+checked", "checked": "valid", "confidence": 0.9}
    lines[0] |= {"source": "model", "checked": "unreadable"}
    lines[1] |= {"source": "solver"}
    lines[2] |= {"source": "model", "checked": "invalid"}
    write_lines(out, lines)
    shown = run("evaluate", "--predictions", out, "--data", data).out
    count = len(lines)
    share = f"{100 / count:.1f} % (1)"
    assert f"proofs: model+checked {100 * (count - 3) / count:.1f} % ({count - 3})" in shown
    assert f"not checked {share}" in shown
    assert f", solver {share}" in shown
    assert f"model, found invalid {share}" in shown
    assert f"ECE 10.00 % ({count} answers)" in shown  # all right, and 0.9 sure
    assert "fail-proof, all" in shown


def test_evaluate_needs_a_prediction_for_each_question(
    run: Run, data: Path, tmp_path: Path
) -> None:
    out = write_lines(tmp_path / "p.jsonl", [{"id": "RelNeg-1", "answer": True}])
    done = run("evaluate", "--predictions", out, "--data", data)
    assert (done.code, "has no prediction" in done.err) == (ExitCode.DATA, True)
    for options in ([], ["--reasoner", "solver", "--predictions", out]):
        assert run("evaluate", "--data", data, *options).code == ExitCode.USAGE


def test_theories_with_cyclic_negation_are_left_out_and_counted(run: Run, tmp_path: Path) -> None:
    cycle = "If Bob is not red then Bob is big. If Bob is not big then Bob is red."
    question = {"id": "AttNeg-D0-1-1", "text": "Bob is big.", "label": True}
    record = {"id": "AttNeg-D0-1", "context": cycle, "questions": [question]}
    fine = {
        "id": "AttNeg-D0-2",
        "context": "Bob is big.",
        "questions": [{**question, "id": "AttNeg-D0-2-1"}],
    }
    path = write_lines(tmp_path / "dev.jsonl", [record, fine])
    report = run("evaluate", "--reasoner", "solver", "--data", path, "--json").json
    assert (report["not_stratified"], report["all"]["count"]) == (1, 1)
    done = predict(run, path, "-")
    assert (done.code, "AttNeg-D0-1-1" in done.err) == (ExitCode.CANNOT_SAY, True)


def test_numbers_that_a_scrambled_text_hides_can_be_hidden(run: Run, tmp_path: Path) -> None:
    """Two rules fail alike: gold is the one that the file numbers first."""
    line = {
        "id": "q1",
        "sentences": ["Bob is calm.", "Red people are big.", "Green people are big."],
        "numbers": [0, 2, 1],
        "kinds": ["fact", "rule", "rule"],
        "question": "Bob is big.",
        "answer": False,
        "proofs": None,
    }
    path = tmp_path / "data.jsonl"
    path.write_text(json.dumps(line) + "\n")
    asked = ["evaluate", "--reasoner", "solver", "--data", str(path), "--json"]
    for options, right in (([], 100.0), (["--text-order"], 0.0)):
        done = run(*asked, *options)
        assert (done.code, json.loads(done.out)["all"]["pa"]) == (0, right)
    for option in (["--oracle", "child"], ["--logic", "file"]):
        assert run(*asked, "--text-order", *option).code == ExitCode.USAGE


def test_check_a_whole_run(run: Run, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "p.jsonl"
    predict(run, data, out)
    done = run("check", "--in", data, "--predictions", out, "--fail-if-unproved")
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert (done.code, done.out) == (ExitCode.OK, f"{len(lines)} valid\n")
    lines[0] |= {"answer": not lines[0]["answer"]}
    lines[1] |= {"nodes": None, "edges": None}
    write_lines(out, lines)
    done = run("check", "--in", data, "--predictions", out, "--json")
    assert [line["status"] for line in done.lines[:3]] == ["invalid", None, "valid"]
    assert run("check", "--in", data, "--predictions", out, "--fail-if-unproved").code == 10
    assert run("check", "--in", data).code == ExitCode.USAGE


def test_our_own_jsonl_goes_the_same_ways(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    assert run("generate", "--out", path, "--depth", 1, "--count", 3).code == ExitCode.OK
    report = run("evaluate", "--reasoner", "solver", "--data", path, "--json").json
    assert report["all"]["fa"] == 100.0
    assert len(predict(run, path, "-").lines) == report["all"]["count"]


def test_stats_stand_beside_the_published_figures(run: Run, data: Path) -> None:
    found = run("stats", data, "--json").json
    assert found["theories"] == 6
    assert found["figures"]["rules"]["value"] > 1
    assert {"name", "measured", "published", "difference", "within"} == set(found["published"][0])
    shown = run("stats", data).out
    assert "DU5 dev" in shown
    assert "6 theories" in shown
