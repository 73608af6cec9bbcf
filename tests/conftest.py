"""Shared fixtures. Real files live outside the repository: tests that need them skip without."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings
from shell import Run, runner

settings.register_profile("ibr", deadline=None)  # a slow machine is not a failure
settings.load_profile("ibr")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real RuleTaker files: $IBR_DATA, or `shared/data` beside the checkout."""
    folder = Path(os.environ.get("IBR_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"real data not found at {folder}: set IBR_DATA to run this test")
    return folder


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Call the command in this process: `run("solve", path, question, stdin="...")`."""
    return runner(monkeypatch, capsys)
