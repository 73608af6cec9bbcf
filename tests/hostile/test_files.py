"""Hostile files and models: each is answered or refused with a message, never by an accident."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import torch
from served import until
from shell import Run, write_lines
from tiny import data_file, examples, model_config, run_config
from torch.overrides import TorchFunctionMode

import ibr
from ibr.asking.caches import forget_readings
from ibr.baselines.system import SystemConfig
from ibr.data.formats import jsonl
from ibr.data.formats.jsonl import DataError, read_text
from ibr.errors import ModelUnusable
from ibr.files import InUse, locked
from ibr.logic.english.meaning.terms import Ind
from ibr.logic.english.wording import identity, look_alikes
from ibr.logic.english.wording.identity import may_be_one
from ibr.logic.english.wording.nearness import near
from ibr.logic.surface.segment import segment
from ibr.model.config import CompactConfig, ConfigError, IBRConfig
from ibr.model.ibr import IBR
from ibr.training.checkpoint import LOCK, Checkpoint, load_latest, publish, save_step
from ibr.training.systems import new_model, read_model, with_system
from ibr.training.trainer import train

PROBLEM = {"id": "1", "sentences": ["Anne is kind."], "question": "Anne is kind."}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "tiny"
    publish(IBR(model_config()), folder)
    return folder


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no file without an end here")
@pytest.mark.parametrize(
    "call",
    [("read", "/dev/zero"), ("predict", "--reasoner", "solver", "--in", "/dev/zero", "--out", "-")],
    ids=["rulebook", "questions"],
)
def test_a_file_without_an_end_is_refused(run: Run, call: tuple[str, ...]) -> None:
    """A line is read as far as its bound; many lines: the next test."""
    done = run(*call)
    assert (done.code, "/dev/zero: a line of more than" in done.err) == (3, True)


def test_the_size_of_a_rulebook_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rules.txt"
    path.write_text("Bob is big.\n" * 9)
    monkeypatch.setattr(jsonl, "MAX_TEXT", 100)
    with pytest.raises(DataError, match="a rulebook of more than 100 characters"):
        read_text(str(path))


@pytest.mark.parametrize(
    "document",
    [
        "\n".join(["Anne is kind. bob is"] * 40_000),
        "\n".join(["- Anne is kind:"] * 20_000),
        "\n".join([*["- may enter:"] * 20_000, "- Anne is kind."]),
        "Dr. " * 40_000,
    ],
    ids=["wrapped lines", "list items", "items of verbs", "abbreviations"],
)
def test_long_documents_take_linear_time(document: str) -> None:
    began = time.process_time()
    assert segment(document)
    assert time.process_time() - began < 5


@pytest.mark.parametrize("text", ["x" * 100_000, "x " * 20_000, "the x " * 9_000, "X" * 100_000])
def test_a_long_word_and_a_long_sentence_take_linear_time(
    run: Run, tmp_path: Path, text: str
) -> None:
    rules = tmp_path / "rules.txt"
    rules.write_text(f"Bob is big.\n{text}\n")
    began = time.process_time()
    assert run("solve", rules, "Bob is big.").code == 0
    assert time.process_time() - began < 5


def test_a_link_that_leads_to_itself_is_replaced(run: Run, tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    source = write_lines(tmp_path / "in.jsonl", [PROBLEM])
    for options in ([], ["--resume"]):
        found = run("predict", "--reasoner", "solver", "--in", source, "--out", loop, *options)
        assert found.code in (0, 3), found.err


@pytest.mark.parametrize("size", [250, pytest.param(5_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "line",
    ["Anne is kind. bob is\n", "- Anne{} is kind:\n", "Bob{} is big.\n", "Xyzzy plugh of {}.\n"],
)
def test_reading_takes_linear_time(run: Run, tmp_path: Path, line: str, size: int) -> None:
    """Of all that `ibr read` does: twice as many lines take twice as long, with some room."""
    taken = []
    for count in (size, 2 * size):
        rules = tmp_path / "rules.txt"
        rules.write_text("".join(line.replace("{}", f"x{n}") for n in range(count)))
        forget_readings()
        began = time.process_time()
        assert run("read", rules, "--json").code == 0
        taken.append(time.process_time() - began)
    assert taken[1] < 3 * taken[0] + 1


@pytest.mark.parametrize("count", [300, pytest.param(4_000, marks=pytest.mark.slow)])
def test_answering_takes_time_that_grows_with_names_not_with_pairs(run: Run, count: int) -> None:
    """One name in a hundred has a like one, which is found."""
    everyone = [Ind(f"Q{n} Smith{n}") for n in range(10 * count)]
    everyone += [Ind(f"Smith{n}") for n in range(0, 10 * count, 100)]
    began = time.process_time()
    assert len([*may_be_one(everyone, [])]) == 2 * count // 10
    assert time.process_time() - began < count / 300
    names = ["".join(chr(97 + int(digit)) for digit in str(n)) for n in range(count)]
    rules = "".join(f"N{name} is a visitor.\n" for name in names) + "Every visitor may enter.\n"
    assert run("solve", "-", "Na may enter.", "--json", stdin=rules).json["verdict"] == "yes"
    assert time.process_time() - began < 5 + count / 60


def test_who_may_be_one_is_decided_once_for_all_questions() -> None:
    forget_readings()
    asking = ibr.load("solver").ask("Ann Weber is tall. Dr Weber is kind. Bob has a dog.")
    asking.prove(["Ann Weber is kind.", "Dr Weber is tall.", "Bob is kind."])
    assert identity.pairs_in.cache_info().misses == 1
    assert identity.pairs_in.cache_info().hits >= 2


def test_what_is_said_of_one_is_compared_with_what_is_wanted_of_that_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """180 sentences about 60 people took 2 s, twice as many 6 s."""
    compared = list[Any]()

    def noted(*pair: Any) -> Iterator[Any]:
        compared.append(pair)
        return near(*pair)

    monkeypatch.setattr(look_alikes, "near", noted)
    said = "{0} is an employee. {0} has a badge. {0} is not late unless {1} is late."
    counts = []
    for count in (6, 12):
        names = ["N" + chr(97 + n) for n in range(count)]
        rules = " ".join(said.format(*pair) for pair in pairwise(names))
        compared.clear()
        ibr.load("solver").prove(rules, "Na is late.")
        counts.append(len(compared))
    assert 0 < counts[1] < 3 * counts[0]


@pytest.mark.parametrize("value", [0, -1, "many", None, 10**9, 10**30, [], float("nan")], ids=repr)
@pytest.mark.parametrize("field", ["codes", "width", "local_layers", "words", "channels", "heads"])
def test_foreign_config(run: Run, tmp_path: Path, model: Path, field: str, value: object) -> None:
    folder = shutil.copytree(model, tmp_path / "model")
    config = json.loads((folder / "config.json").read_text())
    config["compact"][field] = value
    (folder / "config.json").write_text(json.dumps(config))
    rules = tmp_path / "rules.txt"
    rules.write_text("Anne is kind.")
    found = run("prove", rules, "Anne is kind.", "--reasoner", folder)
    assert found.code == 4, found.err
    assert field in found.err


@pytest.mark.parametrize("value", [-(10**9), 10**9, 10**30, 1.5e300, "many", None, []], ids=repr)
@pytest.mark.parametrize("kind", [IBRConfig, CompactConfig])
def test_every_field_of_a_config_is_bounded(model: Path, kind: type[Any], value: Any) -> None:
    """The one that is wrong is named. `null` is a value where a part may be missing."""
    config = json.loads((model / "config.json").read_text())
    for field in fields(kind):
        if value is None and field.name in ("compact", "encoder", "pretrained"):
            continue
        wrong = {field.name: value}
        if kind is CompactConfig:
            wrong = {"compact": config["compact"] | wrong}
        with pytest.raises(ConfigError, match=field.name):
            IBRConfig.from_json(config | wrong)


def test_every_number_of_a_rivals_config_is_bounded() -> None:
    good = with_system(model_config(), "prover").to_json()
    for field in fields(SystemConfig):
        if not isinstance(good[field.name], (dict, bool, str, type(None))):
            for value in (-(10**9), 10**9, float("nan"), "many", None, []):
                with pytest.raises(ConfigError, match=field.name):
                    SystemConfig.from_json(good | {field.name: value})


@pytest.mark.parametrize("system", ["prover", "evr"])
def test_a_rivals_sizes_are_compared_with_its_weights_first(tmp_path: Path, system: str) -> None:
    folder, seen = tmp_path / "model", []
    publish(new_model(with_system(model_config(), system)), folder)
    good = json.loads((folder / "config.json").read_text())
    larger = ({"compact": good["compact"] | {"codes": 100_000}}, {"hidden": 16_384}, {"system": []})
    for wrong in larger:
        (folder / "config.json").write_text(json.dumps(good | wrong))
        with pytest.raises(ModelUnusable), Allocated(seen):
            read_model(folder)
    assert max(seen) < 100_000  # numbers in one tensor


class Allocated(TorchFunctionMode):
    """Notes the sizes of all tensors that are made and take memory."""

    def __init__(self, seen: list[int]) -> None:
        super().__init__()
        self.seen = seen

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        found = func(*args, **(kwargs or {}))
        if isinstance(found, torch.Tensor) and not found.is_meta:
            self.seen.append(found.numel())
        return found


@pytest.mark.parametrize(("field", "value"), [("codes", 100_000), ("positions", 99), ("words", 99)])
def test_sizes_are_compared_with_the_weights_first(
    tmp_path: Path, model: Path, field: str, value: int
) -> None:
    folder = shutil.copytree(model, tmp_path / "model")
    config = json.loads((folder / "config.json").read_text())
    config["compact"][field] = value
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "vocabulary.json").unlink()  # read later
    with pytest.raises(ModelUnusable, match="do not fit config"):
        IBR.read(folder)


UNSEEN = "\x1b\x7f\x9b\xad\u061c\u200b\u200f\u2028\u202e\u2060\u2066\ufeff\U000e0041"


@pytest.mark.parametrize("verb", ["read", "prove", "solve", "explain"])
def test_control_characters_are_shown_escaped(run: Run, tmp_path: Path, verb: str) -> None:
    """Also those that turn the direction of writing, and those of no width: two names look alike"""
    rules = tmp_path / "rules.txt"
    names = "".join(f"Bob{each}by is kind.\n" for each in UNSEEN)
    rules.write_text(f"Anne is kind.\nBob {UNSEEN}nearly {UNSEEN}liked of it is, so.\n{names}")
    question = [] if verb == "read" else [f"Anne is {UNSEEN}kind."]
    found = run(verb, rules, *question)
    assert not set(UNSEEN) & set(found.out + found.err)
    assert "\\x1b" in found.out + found.err


@pytest.mark.parametrize("verb", ["predict", "evaluate", "stats", "check"])
def test_control_characters_of_data_are_shown_escaped(run: Run, tmp_path: Path, verb: str) -> None:
    hostile = {"id": "a\x1b[2J", "sentences": ["Bob \x1b[2Jis, so."], "question": "Why \x1b[2J?"}
    problems = write_lines(tmp_path / "in\x9b.jsonl", [hostile, hostile | {"sentences": 3}])
    calls = {
        "predict": ["--reasoner", "solver", "--in", problems, "--out", "-"],
        "evaluate": ["--reasoner", "solver", "--data", problems],
        "stats": [problems],
        "check": ["--in", problems, "--predictions", problems],
    }
    found = run(verb, *calls[verb])
    assert found.code
    assert not set("\x1b\x9b") & set(found.out + found.err)
    assert "\\x9b" in found.err


@pytest.mark.parametrize("verb", ["evaluate", "stats", "check", "generate"])
def test_control_characters_of_names_are_shown_escaped(run: Run, tmp_path: Path, verb: str) -> None:
    """Names of files and of groups, in what is reported of them; `[/red]` would end a style."""
    made = [each.to_json() for each in examples()]
    for place, record in enumerate(made):
        record["source"]["name"] = f"Att\x1b[2J[/red]{place % 2}-D1-1"
    data, out = write_lines(tmp_path / "in\x1b[2J\x9b.jsonl", made), tmp_path / "out\x1b.jsonl"
    run("predict", "--reasoner", "solver", "--in", data, "--out", out)
    calls = {
        "evaluate": ["--reasoner", "solver", "--data", data],
        "stats": [data],
        "check": ["--in", data, "--predictions", out],
        "generate": ["--depth", "1", "--count", "1", "--out", tmp_path / "made\x1b.jsonl"],
    }
    found = run(verb, *calls[verb])
    assert found.code == 0, found.err
    assert not set("\x1b\x9b") & set(found.out + found.err)
    assert "\\x1b" in found.out + found.err or verb == "check"


@pytest.mark.parametrize(
    "call", [[UNSEEN], [f"--{UNSEEN}"], ["solve", "a", "b", "--world", UNSEEN]]
)
def test_usage_errors_are_one_line_that_is_shown_escaped(run: Run, call: list[str]) -> None:
    found = run(*call)
    assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
    assert not set(UNSEEN) & set(found.err)
    assert "\\u202e" in found.err


@pytest.mark.parametrize(
    "call",
    ["solve a b --all-proofs", "evaluate --reasoner solver --data a --limit", "train --threads"],
)
def test_a_huge_number_is_a_usage_error(run: Run, call: str) -> None:
    """islice and torch end in errors of their own."""
    found = run(*call.split(), "9" * 20)
    assert (found.code, "less than or equal to" in found.err) == (2, True), found.err


@pytest.mark.parametrize("verb", ["read", "prove", "solve", "predict", "stats"])
def test_closed_pipe_is_quiet(tmp_path: Path, verb: str) -> None:
    rules = tmp_path / "rules.txt"
    rules.write_text("Anne is kind.\n" * 3000)
    source = write_lines(tmp_path / "in.jsonl", [PROBLEM])
    calls = {
        "prove": [rules, "Anne is kind."],
        "solve": [rules, "Anne is kind.", "--json"],
        "read": [rules],
        "predict": ["--reasoner", "solver", "--in", source, "--out", "-"],
        "stats": [data_file(tmp_path, examples())],
    }
    command = [sys.executable, "-m", "ibr", verb, *map(str, calls[verb])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert (process.stderr.read(), process.wait()) == (b"", 141)


CALLS = ["read {rules}", "solve {rules} Anne --dot", "predict --reasoner solver --in {in} --out -"]


@pytest.mark.parametrize("call", [*CALLS, "doctor", "--help", "--version", "read -h"])
def test_full_standard_output_is_named(tmp_path: Path, call: str) -> None:
    ended = in_shell(tmp_path, f"{call} >/dev/full")
    assert (ended.returncode, ended.stderr) == (
        5, "ibr: standard output: No space left on device\n"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("call", "code"),
    [
        *((f"{call} >&-", 0) for call in CALLS),
        ("check {rules} Anne <&-", 3),
        ("read nothing 2>&-", 3),
        ("read nothing 2>/dev/full", 3),
        ("--nothing 2>/dev/full", 2),
    ],
)
def test_closed_standard_files_are_as_empty(tmp_path: Path, call: str, code: int) -> None:
    """Nothing else is opened in their place, and no note goes to another."""
    ended = in_shell(tmp_path, call)
    assert (ended.returncode, ended.stdout, "internal" in ended.stderr) == (code, "", False)


def in_shell(folder: Path, call: str) -> subprocess.CompletedProcess[str]:
    """`ibr` with a rulebook and a file of problems."""
    (folder / "rules.txt").write_text("Anne is kind.")
    places = {"rules": "rules.txt", "in": write_lines(folder / "in.jsonl", [PROBLEM])}
    line = f"{sys.executable} -m ibr {call.format(**places)}"
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.run(
        line, shell=True, capture_output=True, text=True, cwd=folder, env=environment
    )


@pytest.mark.parametrize(
    "number", [errno.ENOSPC, errno.EFBIG, errno.EROFS], ids=errno.errorcode.get
)
@pytest.mark.parametrize("resume", [[], ["--resume"]], ids=["whole", "in parts"])
def test_failed_write_names_the_path(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, resume: list[str]
) -> None:
    problems, out = write_lines(tmp_path / "in.jsonl", [PROBLEM]), tmp_path / "out.jsonl"

    def fail(handle: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fail)
    found = run("predict", "--reasoner", "solver", "--in", problems, "--out", out, *resume)
    assert found.code == 5
    assert str(out) in found.err
    assert not out.exists()


@pytest.mark.parametrize(
    "call",
    [
        ["predict", "--reasoner", "solver", "--in", "in.jsonl", "--out", "/"],
        ["merge", "out.jsonl", "/"],
        ["solve", "/", "Anne is kind."],
        ["prove", "rules.txt", "Anne is kind.", "--svg", "/"],
    ],
    ids=lambda call: call[0],
)
def test_the_root_is_a_folder_like_others(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path / "in.jsonl", [PROBLEM])
    (tmp_path / "rules.txt").write_text("Anne is kind.")
    found = run(*call)
    assert (found.code, found.err[:7]) == (3, "ibr: /:"), found.err


def test_output_must_not_be_the_input(run: Run, tmp_path: Path) -> None:
    problems = write_lines(tmp_path / "in.jsonl", [PROBLEM])
    before = problems.read_text()
    found = run("predict", "--reasoner", "solver", "--in", problems, "--out", problems)
    assert (found.code, problems.read_text()) == (2, before)


@pytest.mark.parametrize("name", ["model.safetensors", "optimiser.safetensors", "state.json"])
def test_flipped_bit_of_a_checkpoint_is_refused(tmp_path: Path, name: str) -> None:
    checkpoint = Checkpoint(IBR(model_config()), {"x": torch.ones(4)}, {"step": 1})
    save_step(tmp_path, 1, checkpoint)
    load_latest(tmp_path)
    path = tmp_path / "step-1" / name
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(data)
    with pytest.raises(ModelUnusable, match="damaged") as found:
        load_latest(tmp_path)
    assert found.value.exit_code == 4


def test_only_one_process_trains_in_a_folder(tmp_path: Path) -> None:
    with locked(tmp_path / LOCK, ""), pytest.raises(InUse, match="another process"):
        train(run_config(), tmp_path)


def is_locked(path: Path) -> bool:
    return path.exists() and f":{path.stat().st_ino} " in Path("/proc/locks").read_text()


def test_of_three_that_resume_one_goes_on_and_the_others_say_why(tmp_path: Path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    many = [{"id": f"{n}", "sentences": [f"A{n} is b."], "question": "C is b."} for n in range(999)]
    write_lines(source, many)
    command = [sys.executable, "-m", "ibr", "predict", "--reasoner", "solver", "--resume"]
    command += ["--in", str(source), "--out", str(out)]
    first = subprocess.Popen(command)
    try:
        until(lambda: is_locked(out.with_name("out.jsonl.part")), 60)
        first.send_signal(signal.SIGSTOP)
        for _ in range(2):
            other = subprocess.run(command, capture_output=True, text=True)
            assert (other.returncode, "another process is writing it" in other.stderr) == (3, True)
        first.send_signal(signal.SIGCONT)
        assert first.wait(60) == 0
    finally:
        first.kill()
        first.wait()
    assert len(out.read_text().splitlines()) == 999


def test_a_file_that_is_renamed_before_it_is_locked_is_not_taken_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the complete output of another process, which must not be cut."""
    path, flock = tmp_path / "out.part", fcntl.flock

    def late(handle: int, how: int) -> None:
        path.rename(tmp_path / "out")
        flock(handle, how)

    monkeypatch.setattr(fcntl, "flock", late)
    with pytest.raises(InUse, match="busy"), locked(path, "busy"):
        pass
