"""Files in shards, in batches, killed and resumed: the same bytes, whatever happened on the way."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from shell import Run, write_lines

from ibr.bulk.parts import UNIT, OutputKey, Shard
from ibr.data.formats.sources import count_questions
from ibr.decoding import manifest
from ibr.errors import UsageError
from ibr.files import locked
from ibr.reasoner import runs
from ibr.theory import Problem, Question, Theory

MODEL = ["--reasoner", "ibr", "--trace"]
SOLVER = ["--reasoner", "solver"]
WAYS = {"solver": SOLVER, "ibr": MODEL, "verified": ["--reasoner", "verified", "--trace"]}
needs_model = pytest.mark.skipif(
    not (manifest.EMBEDDED / manifest.MANIFEST).is_file(),
    reason="ibr/models/small is not here: export a model to it to run this test",
)

# Dies by SIGKILL in the middle of a line, when as many units as given were written.
KILLED_WORKING = """
import os, signal, sys
from ibr.bulk import parts
from ibr.cli import main
parts.SAVE_EVERY = 0
left, add = int(sys.argv.pop(1)), parts.Work.add
def add_or_die(self, lines):
    global left
    if not left:
        self._stream.write(lines[0][:20].encode())
        self._stream.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    left -= 1
    add(self, lines)
parts.Work.add = add_or_die
main()
"""
# Dies when all is written: before the given one of the renames that publish it.
KILLED_PUBLISHING = """
import os, signal, sys
from ibr.cli import main
suffix, replace = sys.argv.pop(1), os.replace
def replace_or_die(old, new):
    if str(new).endswith(suffix):
        os.kill(os.getpid(), signal.SIGKILL)
    return replace(old, new)
os.replace = replace_or_die
main()
"""


def killed(code: str, *arguments: object) -> None:
    line = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some 300, about 20 theories."""
    path = tmp_path_factory.mktemp("questions") / "questions.jsonl"
    line = ["generate", "--depth", "3", "--count", "20", "--seed", "5", "--out", str(path)]
    subprocess.run([sys.executable, "-m", "ibr", *line], check=True, capture_output=True)
    assert count_questions(str(path)) == len(path.read_text().splitlines()) > 250
    return path


def problem(name: str, question: str, *sentences: str) -> dict[str, Any]:
    return {"id": name, "sentences": list(sentences), "question": question}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Six theories with two questions each."""
    return write_lines(
        tmp_path / "small.jsonl",
        [
            problem(f"{name}-{k}", question, f"{name} is big.", "Big people are kind.")
            for name in ("Anne", "Bob", "Charlie", "Dave", "Erin", "Fiona")
            for k, question in enumerate((f"{name} is kind.", f"{name} is not big."))
        ],
    )


def predict(run: Run, questions: Path, out: Path, *options: object) -> None:
    result = run("predict", "--in", questions, "--out", out, *options)
    assert result.code == 0, result.err


@pytest.mark.parametrize(
    "way", ["solver", *(pytest.param(name, marks=needs_model) for name in ("ibr", "verified"))]
)
def test_shards_batches_and_kills_leave_no_trace(
    run: Run, questions: Path, tmp_path: Path, way: str
) -> None:
    whole = tmp_path / "whole.jsonl"
    predict(run, questions, whole, *WAYS[way])
    assert list(tmp_path.iterdir()) == [whole]
    ids = [json.loads(line)["id"] for line in questions.read_text().splitlines()]
    assert [json.loads(line)["id"] for line in whole.read_text().splitlines()] == ids
    for count in (1, 2, 7):
        parts = [tmp_path / f"{count}-{number}" for number in range(1, count + 1)]
        for number, part in enumerate(parts, start=1):
            batch = (64, 16, 7, 1)[number % 4]
            options = [*WAYS[way], "--shard", f"{number}/{count}", "--batch", batch]
            if number == 3:
                killed(KILLED_WORKING, 2, "predict", "--in", questions, "--out", part, *options)
                assert not part.exists()
                options.append("--resume")
            predict(run, questions, part, *options)
        merged = tmp_path / f"merged-{count}"
        assert run("merge", merged, *reversed(parts)).code == 0
        assert merged.read_bytes() == whole.read_bytes()


@needs_model
def test_what_is_said_of_a_theory_does_not_depend_on_its_neighbours(
    run: Run, questions: Path, tmp_path: Path
) -> None:
    lines = questions.read_text().splitlines(keepends=True)
    sentences = [json.loads(line)["sentences"] for line in lines]
    mine = [k for k, known in enumerate(sentences) if known == sentences[150]]
    alone, whole = tmp_path / "alone", tmp_path / "whole"
    write_lines(tmp_path / "in", [json.loads(lines[k]) for k in mine])
    predict(run, tmp_path / "in", alone, *MODEL)
    some = "".join(lines[mine[0] - 40 : mine[-1] + 40])
    (tmp_path / "some").write_text(some)
    predict(run, tmp_path / "some", whole, *MODEL)
    assert alone.read_text() in whole.read_text()


def test_a_unit_is_a_run_about_one_theory() -> None:
    a, b = Theory.of(["Bob is big."]), Theory.of(["Bob is red."])
    asked = [Problem(str(k), t, Question("Bob is big.")) for k, t in enumerate([a, a, b, a])]
    asked += [Problem(str(k), b, Question("Bob is big.")) for k in range(4, 4 + 2 * UNIT + 1)]
    found = list(runs(asked, lambda p: p, UNIT))
    assert [len(unit) for unit in found] == [2, 1, 1, UNIT, UNIT, 1]
    assert [item for unit in found for item in unit] == asked
    shards = [list(Shard(number, 4).of(found)) for number in range(1, 5)]
    assert shards == [[found[0], found[4]], [found[1], found[5]], [found[2]], [found[3]]]
    assert list(runs([], lambda p: p, UNIT)) == []


def test_a_killed_run_goes_on_where_it_was(run: Run, small: Path, tmp_path: Path) -> None:
    whole, out = tmp_path / "whole", tmp_path / "out"
    predict(run, small, whole, *SOLVER)
    line = ["predict", "--in", small, "--out", out, *SOLVER]
    killed(KILLED_WORKING, 4, *line, "--resume")
    part, state = tmp_path / "out.part", tmp_path / "out.part.json"
    assert not out.exists()
    assert json.loads(state.read_text())["units"] == [2, 2, 2, 2]
    assert len(part.read_text().splitlines()) == 9  # half a line among them
    result = run(*line, "--resume")
    assert result.code == 0
    assert "going on after 8 lines" in result.err
    assert out.read_bytes() == whole.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"small.jsonl", "whole", "out"}


def test_an_error_keeps_what_was_done(run: Run, small: Path, tmp_path: Path) -> None:
    """Ctrl-C, a full disk, a bad line: the same as a kill, but nothing is lost."""
    broken = [*map(json.loads, small.read_text().splitlines())]
    broken[7]["question"] = None
    write_lines(small, broken)
    line = ["predict", "--in", small, "--out", tmp_path / "out", *SOLVER, "--resume"]
    result = run(*line)
    assert result.code == 3
    assert f"{small}:8: question: is missing" in result.err
    assert json.loads((tmp_path / "out.part.json").read_text())["units"] == [2, 2, 2]
    assert "--skip-bad (True, not False)" in run(*line, "--skip-bad").err


@pytest.mark.parametrize("shard", [["--shard", "1/1"], []])
@pytest.mark.parametrize("before", ["out", "out.part.json", "out.manifest.json"])
def test_a_kill_at_the_very_end_is_made_good(
    run: Run, small: Path, tmp_path: Path, before: str, shard: list[str]
) -> None:
    if before == "out.manifest.json" and not shard:
        return
    whole, out = tmp_path / "whole", tmp_path / "out"
    predict(run, small, whole, *SOLVER)
    line = ["predict", "--in", small, "--out", out, *SOLVER, *shard, "--resume"]
    killed(KILLED_PUBLISHING, before, *line)
    assert run(*line).code == 0
    assert out.read_bytes() == whole.read_bytes()
    assert (tmp_path / "out.manifest.json").exists() == bool(shard)
    assert not list(tmp_path.glob("out.part*"))
    if shard:
        assert "there already" in run(*line).err


@needs_model
def test_a_run_goes_on_only_with_what_it_began_with(run: Run, small: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    line = ["predict", "--in", small, "--out", out, *SOLVER]
    killed(KILLED_WORKING, 2, *line, "--shard", "1/2")
    left = {path.name: path.read_bytes() for path in tmp_path.glob("out*")}
    for options, code, message in (
        ([], 0, ""),  # a plain run has no use for it
        (["--shard", "1/2"], 2, "add --resume"),
        (["--shard", "2/2", "--resume"], 3, "--shard (2/2, not 1/2)"),
        (["--shard", "1/2", "--resume", "--skip-bad"], 3, "--skip-bad (True, not False)"),
        (["--shard", "1/2", "--resume", "--reasoner", "ibr"], 3, "the model's files, the reasoner"),
    ):
        result = run(*line, *options)
        assert (result.code, message in result.err) == (code, True), result.err
        out.unlink(missing_ok=True)
        assert left == {path.name: path.read_bytes() for path in tmp_path.glob("out*")}
    text = small.read_text()
    small.write_text(text + text.splitlines()[0] + "\n")
    assert (
        "this has changed: the input; change it back"
        in run(*line, "--shard", "1/2", "--resume").err
    )
    small.write_text(text)
    with locked(tmp_path / "out.part", ""):
        assert "another process" in run(*line, "--shard", "1/2", "--resume").err
    (tmp_path / "out.part").write_text("something else")
    assert "does not match out.part.json" in run(*line, "--shard", "1/2", "--resume").err
    (tmp_path / "out.part.json").write_text('{"job": 5}')
    assert "not a manifest" in run(*line, "--shard", "1/2", "--resume").err
    (tmp_path / "out.part.json").unlink()
    assert "in the way" in run(*line, "--shard", "1/2", "--resume").err


def test_merge_takes_every_shard_once_and_whole(run: Run, small: Path, tmp_path: Path) -> None:
    a, b, out = tmp_path / "a", tmp_path / "b", tmp_path / "merged"
    predict(run, small, a, *SOLVER, "--shard", "1/2")
    predict(run, small, b, *SOLVER, "--shard", "2/2")
    twin, other, third = tmp_path / "twin", tmp_path / "other", tmp_path / "third"
    predict(run, small, twin, *SOLVER, "--shard", "2/2")
    predict(run, small, other, *SOLVER, "--shard", "2/2", "--logic", "text")
    predict(run, small, third, *SOLVER, "--shard", "2/3")
    plain = tmp_path / "plain"
    predict(run, small, plain, *SOLVER)
    for parts, code, message in (
        ([a], 2, "of 2 shards these are missing: 2"),
        ([a, b, twin], 3, f"is shard 2/2, and so is {b}"),
        ([a, other], 3, "differs in --logic (text, not auto)"),
        ([a, third], 3, "differs in --shard (2/3, not of 2)"),
        ([a, plain], 3, "no plain.manifest.json is beside it"),
        ([], 2, "PART"),
    ):
        result = run("merge", out, *parts)
        assert (result.code, message in result.err) == (code, True), result.err
        assert not out.exists()
    assert run("merge", a, a, b).code == 2
    assert run("merge", "-", b, a).out == plain.read_text()
    b.write_text(b.read_text()[:-1])
    assert "does not match b.manifest.json" in run("merge", out, a, b).err
    killed(KILLED_WORKING, 1, "predict", "--in", small, "--out", out, *SOLVER, "--shard", "1/2")
    assert "its run is not finished" in run("merge", plain, out, twin).err


def test_what_is_left_out_is_left_out_of_every_shard(run: Run, small: Path, tmp_path: Path) -> None:
    records: list[Any] = [*map(json.loads, small.read_text().splitlines())]
    for k in (2, 3, 8):  # all questions of Bob, one of Erin
        records[k]["question"] = "Perhaps it will rain, or else it might not."
    records[5] = {"id": "no question"}
    write_lines(small, records)
    whole, merged = tmp_path / "whole", tmp_path / "merged"
    predict(run, small, whole, *SOLVER, "--skip-bad")
    parts = [tmp_path / str(number) for number in range(1, 9)]  # more shards than theories
    for number, part in enumerate(parts, start=1):
        predict(run, small, part, *SOLVER, "--skip-bad", "--shard", f"{number}/8")
    assert run("merge", merged, *parts).code == 0
    assert merged.read_text() == whole.read_text()
    assert len(whole.read_text().splitlines()) == 8


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--in", "-", "--out", "x", "--shard", "1/2"], "--in -: --shard and --resume need files"),
        (["--in", "x", "--out", "-", "--resume"], "--out -: "),
        (["--in", "x", "--out", "/dev/null", "--resume"], "--out /dev/null: "),
        (["--in", "x", "--out", "y", "--shard", "0/2"], "--shard 0/2: give i/n"),
        (["--in", "x", "--out", "y", "--shard", "3/2"], "--shard 3/2: give i/n"),
        (["--in", "x", "--out", "y", "--shard", "2"], "--shard 2: give i/n"),
        (["--in", "x", "--out", "y", "--batch", "65"], "--batch"),
    ],
)
def test_what_cannot_be_asked(run: Run, options: list[str], message: str) -> None:
    result = run("predict", *SOLVER, *options)
    assert (result.code, message in result.err) == (2, True), result.err


def test_a_change_is_named() -> None:
    job = OutputKey("1", "ibr", "2", {"beams": 8})
    assert job.changes(job) == []
    other = OutputKey("3", "ibr", "4", {"beams": None}, version="0")
    changes = ", ".join(job.changes(other))
    assert changes.startswith("the input, the model's files, the version of ibr (")
    assert changes.endswith("--beams (8, not None)")
    with pytest.raises(UsageError):
        Shard.parse("one of two")
