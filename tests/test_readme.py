"""Every command of the README, copied and run as a newcomer would."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sessions import ROOT, blocks, checkout, run, serves
from shell import runner

from ibr.decoding import manifest

pytestmark = pytest.mark.e2e

README = ROOT / "README.md"
BLOCKS = blocks(README)
COMMANDS = [pair for block in BLOCKS if not block.why_not_run for pair in block.commands()]
SERVES = re.compile(r"(?:ibr|make) serve\b")
NEEDS_MODEL = re.compile(r"ibr (?:prove|serve)\b|make (?:demo|serve)\b")


def test_a_newcomer_sees_the_two_commands_first() -> None:
    first = [command.partition("#")[0].strip() for command, _ in COMMANDS[:2]]
    assert first == ["make demo", "make serve"]


def test_no_command_hides_in_another_kind_of_block() -> None:
    hidden = [b.line for b in BLOCKS if b.kind not in ("sh", "console") and b.looks_like_commands]
    assert hidden == []
    empty = [b.line for b in BLOCKS if b.kind in ("sh", "console") and not list(b.commands())]
    assert empty == []


@pytest.mark.parametrize(
    ("command", "shown"), COMMANDS, ids=[command[:24] for command, _ in COMMANDS]
)
def test_it_runs(command: str, shown: list[str] | None, tmp_path: Path) -> None:
    if NEEDS_MODEL.match(command) and not (manifest.EMBEDDED / manifest.MANIFEST).is_file():
        pytest.skip("ibr/models/small is not here: export a model to it to run this test")
    folder = checkout(tmp_path)
    if SERVES.match(command):
        serves(command, folder)
    else:
        printed = run(command, folder)
        assert printed.strip()
        assert shown is None or printed.splitlines() == shown


def test_what_is_left_out_is_the_suite_alone() -> None:
    left_out = [command for b in BLOCKS if b.why_not_run for command, _ in b.commands()]
    assert [command.partition("#")[0].strip() for command in left_out] == ["make test"]


@pytest.mark.slow
def test_the_suite_is_run_by_its_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it, but that the tests are only found: they are running already."""
    monkeypatch.setenv("PYTEST_ADDOPTS", "--collect-only -p no:cacheprovider -o addopts=")
    monkeypatch.setenv("MYPY_CACHE_DIR", str(tmp_path / "mypy"))
    printed = run("make test", checkout(tmp_path), seconds=1800)
    assert re.search(r"\b\d{4,} tests collected", printed)


TABLE = re.findall(r"^\| `(ibr [^`]+)`", README.read_text(encoding="utf-8"), re.MULTILINE)
ELSEWHERE = ("ibr serve", "ibr train", "ibr export")  # above; tests/test_train.py, test_export.py
FILLED = {  # what stands for something of one's own
    "RULES.txt": "examples/access.txt",
    '"question"': '"Dana is an employee."',
    " …": ' "Lee may enter the server room."',
    "ibr check": "ibr solve examples/access.txt 'Lee is a visitor.' --json"
    " | ibr check examples/access.txt 'Lee is a visitor.'",
    "--count 1000": "--count 2",
    "stats DATA": "stats DIR",
    "--in F --out G": "--in DIR --out answers.jsonl",
}


@pytest.mark.slow
def test_the_commands_of_the_table_run_one_after_the_other(tmp_path: Path) -> None:
    folder, ran = checkout(tmp_path), 0
    for command in TABLE:
        if command.startswith(ELSEWHERE):
            continue
        for said, meant in FILLED.items():
            command = command.replace(said, meant)
        run(command, folder, seconds=600)
        ran += 1
    assert ran == len(TABLE) - len(ELSEWHERE) >= 9


def test_the_example_is_quoted_from_its_file() -> None:
    (quoted,) = [b for b in BLOCKS if not b.info and "Dana is an engineer." in b.text]
    text = (ROOT / "examples" / "access.txt").read_text(encoding="utf-8")
    assert all(line in text for line in quoted.text.splitlines())


def test_every_verb_of_the_table_is_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And every option that stands there is an option of it."""
    shown = re.findall(r"^\| `ibr (\w+)([^`]*)`", README.read_text(encoding="utf-8"), re.M)
    assert len(shown) >= 10
    monkeypatch.setenv("COLUMNS", "200")
    call = runner(monkeypatch, capsys)
    for verb, rest in shown:
        usage = call(verb, "--help").out
        assert usage
        assert all(option in usage for option in re.findall(r"--[\w-]+", rest)), verb
