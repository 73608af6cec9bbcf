"""The API keeps its own description: schemathesis, all checks, against a real server."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from provers import model
from served import serving

pytestmark = pytest.mark.e2e

PROGRAM = Path(sys.executable).with_name("schemathesis")


@pytest.mark.parametrize(
    ("phases", "examples"),
    [
        ("examples,fuzzing", 12),
        pytest.param("examples,coverage,fuzzing,stateful", 500, marks=pytest.mark.slow),
    ],
    ids=["some", "many"],
)
def test_no_check_of_schemathesis_fails(phases: str, examples: int, tmp_path: Path) -> None:
    """An untrained model has all the parts of a trained one, and takes what cannot be read."""
    with serving(model()) as server:
        address = f"http://127.0.0.1:{server.port}/openapi.json"
        options = [f"--phases={phases}", f"--max-examples={examples}", "--no-color", "--seed=1"]
        done = subprocess.run(
            [str(PROGRAM), "run", address, "--checks=all", *options],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout
        assert server.metric('ibr_requests_total{path="/v1/prove",status="200"}') > 0
        text = server.get("/metrics").body.decode()
        assert 'status="5' not in text
