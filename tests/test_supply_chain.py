"""The lock with hashes, and the lists that `make audit` makes of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import urllib.request
from importlib.metadata import distributions
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from sessions import ROOT

LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")


@pytest.fixture
def supply_chain(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import supply_chain

    return supply_chain


def _name(requirement: str) -> str:
    return re.split(r"[<>=!~; \[]", requirement)[0].lower().replace("_", "-")


def test_every_dependency_of_demo_and_page_is_locked_with_hashes() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["serve"], "hatchling"]
    locked = re.findall(r"^([\w.-]+)==\S+.*\\\n {4}--hash=sha256:[0-9a-f]{64}", LOCK, re.MULTILINE)
    assert {_name(requirement) for requirement in wanted} <= set(locked)
    assert len(locked) == len(re.findall(r"^[\w.-]+==", LOCK, re.MULTILINE))


def test_the_lock_has_the_versions_of_the_constraints() -> None:
    pinned = dict(
        line.lower().replace("_", "-").split("==")
        for line in (ROOT / "constraints.txt").read_text().split()
    )
    locked = dict(re.findall(r"^([\w.-]+)==([\w.]+)", LOCK, re.MULTILINE))
    differ = {n for n, v in locked.items() if pinned.get(n.replace("_", "-"), v) != v}
    assert differ == set()


def test_every_wheel_of_a_compiled_package_is_locked() -> None:
    """One hash for each Python and platform, so that another wheel of the version installs too."""
    blocks = re.findall(r"^([\w.-]+)==.*((?:\n {4}--hash=\S+.*)+)", LOCK, re.MULTILINE)
    counts = {name: hashes.count("--hash=") for name, hashes in blocks}
    assert len(counts) == len(re.findall(r"^[\w.-]+==", LOCK, re.MULTILINE))
    here = {found.name.lower().replace("_", "-"): found for found in distributions()}
    compiled = {
        name
        for name in counts.keys() & here.keys()  # those of the build alone are not compiled
        if "Root-Is-Purelib: false" in (here[name].read_text("WHEEL") or "")
    }
    assert compiled >= {"httptools", "numpy", "onnxruntime", "pydantic-core"}
    assert {name for name in compiled if counts[name] < 8} == set()


def test_licences_are_listed_one_line_a_package(supply_chain: ModuleType) -> None:
    sbom: dict[str, Any] = {
        "components": [
            {"name": "b", "version": "2", "licenses": [{"license": {"id": "MIT"}}]},
            {"name": "A", "version": "1", "licenses": [{"expression": "BSD-3-Clause"}]},
            {"name": "c", "version": "3"},
        ]
    }
    assert supply_chain.licences(sbom) == ["A 1: BSD-3-Clause", "b 2: MIT", "c 3: unknown"]


def test_an_audit_without_a_database_is_not_a_clean_one(supply_chain: ModuleType) -> None:
    skipped = {"name": "a", "skip_reason": "not found"}
    clean = {"name": "b", "version": "1", "vulns": []}
    hit = {"name": "c", "version": "2", "vulns": [{"id": "GHSA-x"}]}
    assert supply_chain.advisories({}) is None
    assert supply_chain.advisories({"dependencies": [skipped]}) is None
    assert supply_chain.advisories({"dependencies": [skipped, clean]}) == ([], ["a"])
    assert supply_chain.advisories({"dependencies": [clean, hit]}) == (["c 2: GHSA-x"], [])


def test_the_source_distribution_has_what_its_readers_need(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", tmp_path]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (made,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(made) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    needed = {"SECURITY.md", "LICENSE", "README.md", "Dockerfile", "requirements.lock"}
    needed |= {
        "docs/deploying.md",
        "scripts/supply_chain.py",
        "tests/hostile/corpus/http/prove.http",
    }
    assert needed - names == set()
    assert not [name for name in names if ".venv" in name or "__pycache__" in name]


def _on_index(name: str, version: str) -> dict[str, str]:
    """The wheels of a version and their sums, by the index that pip is set to use."""
    from pip._internal.models.index import PyPI

    told = subprocess.run(
        [sys.executable, "-m", "pip", "config", "get", "global.index-url"],
        capture_output=True, text=True,
    )  # fmt: skip
    index = os.environ.get("PIP_INDEX_URL") or told.stdout.strip() or PyPI.simple_url
    try:
        with urllib.request.urlopen(f"{index.rstrip('/')}/{name}/", timeout=60) as page:
            text = page.read().decode()
    except OSError as error:
        pytest.skip(f"the index cannot be reached: {error}")
    wheel = rf"{'[-_.]'.join(map(re.escape, name.split('-')))}-{re.escape(version)}-"
    links = re.findall(rf'/({wheel}[^"/#]*\.whl)#sha256=([0-9a-f]{{64}})', text, re.IGNORECASE)
    return dict(links)


@pytest.mark.slow
def test_every_wheel_of_the_index_is_locked() -> None:
    """Whatever platform and Python `make demo` runs on, and whichever wheel is left there."""
    missing, seen = [], 0
    blocks = re.findall(r"^([\w.-]+)==([\w.]+).*((?:\n {4}--hash=\S+.*)+)", LOCK, re.MULTILINE)
    for name, version, hashes in blocks:
        wheels = _on_index(name, version)
        assert wheels, f"no wheel of {name} {version}"
        seen += len(wheels)
        missing += [wheel for wheel, found in wheels.items() if found not in hashes]
    assert missing == []
    assert seen > 300


@pytest.mark.slow
@pytest.mark.parametrize(
    ("platform", "python"),
    [("win_amd64", "3.12"), ("macosx_11_0_arm64", "3.13"), ("manylinux2014_aarch64", "3.11")],
)
def test_the_wheel_of_another_platform_installs_by_the_lock(
    tmp_path: Path, platform: str, python: str
) -> None:
    """In an index of its own it is the only one: pip takes it, and its sum is among the hashes."""
    (block,) = re.findall(r"^httptools==.*(?:\n {4}--hash=\S+.*)+", LOCK, re.MULTILINE)
    (tmp_path / "lock").write_text(block)
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    pip += ["--only-binary", ":all:", "--platform", platform, "--python-version", python]
    _on_index("httptools", "0")  # or skip
    subprocess.run([*pip, "httptools==" + block[11:].split()[0], "-d", tmp_path], check=True)
    (only,) = tmp_path.glob("*.whl")
    lock = ["--require-hashes", "-r", tmp_path / "lock", "-d", tmp_path / "found"]
    environment = {k: v for k, v in os.environ.items() if k != "PIP_FIND_LINKS"}
    environment |= {"PIP_CONFIG_FILE": os.devnull}
    subprocess.run(
        [*pip, "--no-index", "--find-links", tmp_path, *lock], check=True, env=environment
    )
    assert [path.name for path in (tmp_path / "found").iterdir()] == [only.name]
