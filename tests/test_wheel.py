"""The wheel: small, whole, and enough for the README's first example without a network."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest
from sessions import ROOT

pytestmark = pytest.mark.e2e

MEGABYTES = 30
INSIDE = [
    "ibr/cli/options.toml",
    "ibr/drawing/styles.json",
    "ibr/inputs/kinds.json",
    "ibr/inputs/vocabulary.json",
    "ibr/py.typed",
    "ibr/logic/english/grammar/english.lark",
    "ibr/logic/english/lexis/word_relations.txt",
    "ibr/logic/english/lexis/word_relations.LICENSE",
    "ibr/data/formats/proof_string.lark",
    "ibr/examples/access.txt",
    "ibr/models/small/config.json",
    "ibr/models/small/manifest.json",
    "ibr/models/small/encode.onnx",
    "ibr/models/small/parents.onnx",
    "ibr/models/small/children.onnx",
    "ibr/models/small/model.safetensors",
    "ibr/models/small/model_card.md",
    "ibr/models/small/vocabulary.json",
    "ibr/models/small/kinds.json",
]
# What a process that has no network can do: anything but name or reach another machine.
OFFLINE = """
import socket, sys

def refuse(*arguments, **options):
    raise OSError("the network was asked for")

socket.getaddrinfo = socket.create_connection = socket.socket.connect = refuse
sys.argv[0] = "ibr"
from ibr.cli import main
main()
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder), cwd=ROOT)
    (made,) = folder.glob("*.whl")
    return made


@pytest.mark.slow
def test_it_is_small_and_has_what_is_needed(wheel: Path) -> None:
    assert wheel.stat().st_size <= MEGABYTES * 1e6
    names = set(ZipFile(wheel).namelist())
    assert [name for name in INSIDE if name not in names] == []
    page = {path.name for path in (ROOT / "ibr" / "serving" / "page").rglob("*") if path.is_file()}
    assert page <= {Path(name).name for name in names if name.startswith("ibr/serving/page/")}
    assert not any(name.startswith(("tests/", "docs/", "benchmarks/")) for name in names)


@pytest.mark.slow
def test_an_empty_environment_proves_the_first_example_offline(wheel: Path, tmp_path: Path) -> None:
    """Installed with what the package itself needs and nothing else."""
    python = tmp_path / "venv" / "bin" / "python"
    venv.create(tmp_path / "venv", with_pip=True)
    pins = ["-c", str(ROOT / "constraints.txt")]
    install = [str(python), "-m", "pip", "install", "--quiet", *pins, str(wheel)]
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"the packages that it needs cannot be had here: {done.stderr[-200:]}")
    rules = tmp_path / "access.txt"
    rules.write_text((ROOT / "examples" / "access.txt").read_text(encoding="utf-8"), "utf-8")
    question = "May Dana enter the server room?"
    for verb in ("solve", "prove"):
        told = _run(str(python), "-c", OFFLINE, verb, str(rules), question, cwd=tmp_path)
        assert "Yes (the model's proof; checked: valid)" in told
        assert "checked: valid" in told
    listed = _run(str(python), "-m", "pip", "list", "--format=freeze", cwd=tmp_path)
    installed = {line.partition("==")[0].lower() for line in listed.splitlines()}
    assert not installed & {"torch", "transformers", "fastapi", "uvicorn", "onnx"}


def _run(*command: str, cwd: Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
