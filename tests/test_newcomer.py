"""What a new user does, done on a fresh clone: see `benchmarks.newcomer`."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest
from sessions import ROOT

pytestmark = pytest.mark.e2e


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a clone: nothing to clone from")
@pytest.mark.skipif(
    shutil.which("chromium") is None,
    reason="no Chromium: scripts/install-browser installs what is needed",
)
def test_a_newcomer_sees_a_proof_of_their_own() -> None:
    """With what is committed; pip needs its index."""
    pytest.importorskip("playwright.sync_api", reason="playwright comes with ibr[dev]")
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.newcomer"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert all(found["passed"].values()), found
    assert found["forbidden_calls"] == []
