"""Damaged copies of the corpus through every reader: answered, or refused with their place."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.fuzz import SECONDS, fuzz
from benchmarks.fuzz_inputs import ANSWERED, INPUTS, LOADED, PARSED

ROOT = Path(__file__).parents[2]
FEW = {PARSED: 100, ANSWERED: 10, LOADED: 10}


@pytest.mark.parametrize("name", INPUTS)
def test_damaged_input(name: str) -> None:
    found = fuzz(name, FEW[INPUTS[name][1]], seed=1)
    assert found.faults == []
    assert found.outcomes.total() == FEW[INPUTS[name][1]]
    assert found.slowest < SECONDS


@pytest.mark.slow
@pytest.mark.parametrize("inputs", [["folder"], [name for name in INPUTS if name != "folder"]])
def test_all_damaged_input(inputs: list[str]) -> None:
    """In one process each; a model folder within 2 s and 500 MB, all others 5 s and 1 GB."""
    call = [sys.executable, "-m", "benchmarks", "fuzz", *inputs]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(call, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [line.split("; ") for line in done.stdout.splitlines()[1:]]
    assert len(lines) == len(inputs)
    seconds, megabytes = (2, 500) if inputs == ["folder"] else (SECONDS, 1000)
    for *_, slowest, peak in lines:
        assert float(slowest.split()[1]) < seconds, done.stdout
        assert float(peak.split()[1]) < megabytes, done.stdout
