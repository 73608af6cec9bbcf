"""Each call that changes a file fails once, the disk is full from there, or the process is killed.

What is left is the old output or the new one, the message names it, and the same command again
makes it whole. `faulty.py` runs the trials; `faults.c` is loaded beneath Python and its libraries.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import ibr
from ibr.errors import ExitCode

HERE = Path(__file__).parent
COMMANDS = "predict resume shard merge generate pair train averaged export".split()
FAULTS = ("full", "broken", "kill")
QUICK = [
    ("full", "predict", ()),
    ("broken", "resume", ()),
    ("kill", "pair", ()),
    ("kill", "merge", ()),
    ("kill", "train", (33, 40)),  # the names of the first checkpoint and of the latest one
    ("full", "train", (18, 91)),  # the weights of the first checkpoint, the log
    ("full", "export", (10, 11)),  # a graph is opened, and written
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("needs Linux and a C compiler")
    built = tmp_path_factory.mktemp("library") / "faults.so"
    call = [compiler, "-shared", "-fPIC", "-o", built, HERE / "faults.c", "-ldl"]
    subprocess.run(call, check=True)
    return built


def check(
    library: Path, folder: Path, fault: str, command: str, numbers: Sequence[int] = ()
) -> None:
    done = subprocess.run(
        [sys.executable, HERE / "faulty.py", fault, command, folder, *map(str, numbers)],
        env=os.environ | {"LD_PRELOAD": str(library), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    trials: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    if numbers:
        assert [bool(trial["call"]) for trial in trials] == [True] * len(numbers)
    else:
        assert len(trials) > 6
        assert (trials[-1]["call"], trials[-1]["code"]) == ("", 0)
    for trial in trials:
        assert not trial["wrong"], trial
        if trial["call"] not in ("", "kill"):
            assert trial["code"] in (ExitCode.OK, ExitCode.LIMIT), trial
            assert trial["code"] == ExitCode.OK or str(folder / "work") in trial["err"], trial


@pytest.mark.parametrize(("fault", "command", "numbers"), QUICK)
def test_faults(
    library: Path, tmp_path: Path, fault: str, command: str, numbers: tuple[int, ...]
) -> None:
    check(library, tmp_path / "trials", fault, command, numbers)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("command", COMMANDS)
def test_all_faults(library: Path, tmp_path: Path, fault: str, command: str) -> None:
    check(library, tmp_path / "trials", fault, command)


def test_one_module_writes_files() -> None:
    """But for pipes and devices, which cannot be replaced."""
    package = Path(ibr.__file__).parent
    writes = re.compile(
        r"write_text|write_bytes|mkstemp|fsync|os\.(?:replace|rename)\b|\.rename\(|"
        r"open\([^)]*[\"'][rwax]?b?[wax+]b?[\"']"
    )
    found = {
        path.relative_to(package).as_posix(): writes.findall(path.read_text(encoding="utf-8"))
        for path in package.rglob("*.py")
    }
    assert {name for name, calls in found.items() if calls} == {
        "files.py", "data/formats/jsonl.py"
    }  # fmt: skip
