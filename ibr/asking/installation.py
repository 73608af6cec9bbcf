"""Checks of this installation: versions, the embedded model, a proof, the cores that it may use."""

import os
import platform
import time
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final, NamedTuple

from ibr import __version__
from ibr.decoding import manifest
from ibr.errors import IbrError
from ibr.files import sha256

NEEDED: Final = ("lark", "lemminflect", "numpy", "onnxruntime", "rich", "typer")
EXTRAS: Final = {
    "serve": ("fastapi", "prometheus_client", "uvicorn"),
    "train": ("torch", "transformers", "safetensors"),
    "verify": ("clingo",),
}
RULES: Final = "Arthur is a bird.\nBirds can fly unless they are wounded.\n"
QUESTION: Final = "Can Arthur fly?"


class Finding(NamedTuple):
    """`well` is False for what must be repaired; an extra that is absent is well."""

    name: str
    value: Any
    well: bool = True


def examine() -> Iterator[Finding]:
    """The last findings load the model."""
    yield Finding("ibr", __version__)
    yield Finding("python", platform.python_version())
    yield Finding("platform", platform.platform())
    for name in NEEDED:
        found = _version(name)
        yield Finding(name, found or "missing: install the package again", found is not None)
    for extra, names in EXTRAS.items():
        have = {name: _version(name) for name in names}
        found = ", ".join(f"{name} {number}" for name, number in have.items() if number)
        yield Finding(f"[{extra}]", found or f"not installed: pip install 'ibr[{extra}]'")
    yield Finding("cores", f"{_usable()} of {os.cpu_count()} may be used; a model uses 1 thread")
    yield from _model()


def _model() -> Iterator[Finding]:
    folder = manifest.EMBEDDED
    try:
        manifest.check(folder)
    except IbrError as error:
        yield Finding("model", str(error), well=False)
        return
    size = sum(path.stat().st_size for path in folder.iterdir())
    yield Finding("model", f"{folder} ({size / 1e6:.1f} MB, every file as it was written)")
    yield Finding("model sha256", sha256(folder / manifest.MANIFEST))
    yield _proof()


def _proof() -> Finding:
    from ibr.asking.prover import load

    started = time.perf_counter()
    try:
        prover = load()
        loaded = time.perf_counter()
        proved = prover.prove(RULES, QUESTION)
    except IbrError as error:
        return Finding("proof", str(error), well=False)
    ended = time.perf_counter()
    seconds = f"loaded in {loaded - started:.2f} s, proved in {ended - loaded:.2f} s"
    return Finding("proof", f'"{QUESTION}" {proved.summary}; {seconds}', proved.proved)


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _usable() -> int:
    """The cores that this process may use, where the system knows."""
    known = getattr(os, "sched_getaffinity", None)
    return len(known(0)) if known else os.cpu_count() or 1
