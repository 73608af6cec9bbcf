"""The API keeps its own description: schemathesis, all checks, against a real server."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from provers import model
from served import serving

pytestmark = pytest.mark.e2e

PROGRAM = Path(sys.executable).with_name("schemathesis")
HOOKS = """
import schemathesis

def whole(value):  # to JSON Schema 2.0 is an integer, and it cannot say otherwise; it is refused
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [*map(whole, value)]
    return {k: whole(v) for k, v in value.items()} if isinstance(value, dict) else value

@schemathesis.hook
def map_body(context, body):
    return whole(body)
"""


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
        (tmp_path / "hooks.py").write_text(HOOKS)
        options = [f"--phases={phases}", f"--max-examples={examples}", "--no-color", "--seed=1"]
        done = subprocess.run(
            [str(PROGRAM), "run", address, "--checks=all", *options],
            cwd=tmp_path,
            env=os.environ | {"SCHEMATHESIS_HOOKS": "hooks"},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout
        assert server.metric('ibr_requests_total{path="/v1/prove",status="200"}') > 0
        text = server.get("/metrics").body.decode()
        assert 'status="5' not in text
