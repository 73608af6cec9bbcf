"""`ibr doctor`, and other small habits of a command: completion."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from provers import needs_model
from shell import Run

from ibr.asking import installation as doctor
from ibr.decoding import manifest
from ibr.errors import ExitCode


@needs_model
def test_a_well_installation_proves_something(run: Run) -> None:
    done = run("doctor", "--json")
    found = {line["name"]: line for line in done.lines}
    assert done.code == ExitCode.OK
    assert all(line["well"] for line in done.lines)
    assert {"ibr", "python", "onnxruntime", "model", "cores"} <= found.keys()
    assert len(found["model sha256"]["value"]) == 64
    assert "checked: valid" in found["proof"]["value"]
    assert "Yes (the model's proof; checked: valid)" in run("doctor").out


def test_a_missing_model_is_named_and_it_ends_with_4(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(manifest, "EMBEDDED", tmp_path / "small")
    done = run("doctor")
    assert done.code == ExitCode.NOT_FOUND
    (line,) = [line for line in done.out.splitlines() if line.startswith("! ")]
    assert f"{tmp_path / 'small'}: no such folder" in line


def test_a_missing_library_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "NEEDED", ("no-such-library",))
    monkeypatch.setattr(doctor, "EXTRAS", {"serve": ("no-such-library",)})
    done = run("doctor")
    assert done.code == ExitCode.NOT_FOUND
    assert "! no-such-library" in done.out
    assert "not installed: pip install 'ibr[serve]'" in done.out


def test_the_shell_can_complete() -> None:
    asked = {"_IBR_COMPLETE": "complete_bash", "COMP_WORDS": "ibr ser", "COMP_CWORD": "1"}
    ibr = Path(sys.executable).with_name("ibr")
    done = subprocess.run([ibr], env=os.environ | asked, capture_output=True, text=True)
    assert done.stdout.split() == ["serve"]
