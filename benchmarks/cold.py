"""`python -m benchmarks cold`: what a command costs in a fresh process.

Reports the minimum of several runs, since other processes can only add: wall-clock seconds, CPU
seconds (user and system), and peak resident memory. `--imports` lists the modules that took longest
to load. Bytecode is kept, as in an installed package: else compilation would be measured too.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.symbolic import ROOT

TEMPLATES: Final = (
    "Anne is kind.\nBob is big.\nKind people are nice.\nIf someone is nice then they are round.\n"
)
_SHOWN: Final = 25
_NO_BYTECODE: Final = "PYTHONDONTWRITEBYTECODE"


class Cost(NamedTuple):
    """Ordered by CPU seconds first: these do not depend on other processes."""

    core: float
    wall: float
    megabytes: float

    def __str__(self) -> str:
        return f"{self.wall:6.2f} s   core {self.core:5.2f} s   {self.megabytes:5.0f} MB resident"


def commands(folder: Path) -> Mapping[str, list[str]]:
    """By name; the first is the cost of Python itself."""
    rules = folder / "rules.txt"
    rules.write_text(TEMPLATES, encoding="utf-8")
    ibr = [sys.executable, "-m", "ibr"]
    access = str(ROOT / "examples" / "access.txt")
    return {
        "python -c pass": [sys.executable, "-c", "pass"],
        "numpy and onnxruntime": [sys.executable, "-c", "import numpy, onnxruntime"],
        "ibr --help": [*ibr, "--help"],
        "ibr prove, templates": [*ibr, "prove", str(rules), "Anne is round."],
        "ibr prove, ordinary": [*ibr, "prove", access, "May Dana enter the server room?"],
        "ibr solve, ordinary": [*ibr, "solve", access, "May Dana enter the server room?"],
    }


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != _NO_BYTECODE}


def cost(command: Sequence[str]) -> Cost:
    """The cost of one run; raises CalledProcessError if it fails."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=ROOT, env=_environment())
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Cost(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024)


def report(runs: int) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        for name, command in commands(Path(folder)).items():
            cost(command)  # writes the bytecode
            found = [cost(command) for _ in range(runs)]
            least = Cost(*(min(column) for column in zip(*found, strict=True)))
            yield f"{name:24}{least}"


def imports(shown: int = _SHOWN) -> Iterator[str]:
    """Import time of each module of `ibr prove`, in microseconds, largest first."""
    with tempfile.TemporaryDirectory() as folder:
        python, *rest = commands(Path(folder))["ibr prove, ordinary"]
        done = subprocess.run(
            [python, "-X", "importtime", *rest],
            capture_output=True,
            text=True,
            cwd=ROOT,
            env=_environment(),
            check=True,
        )
    rows = [line.removeprefix("import time:").split("|") for line in done.stderr.splitlines()]
    own = [(int(row[0]), row[2].strip()) for row in rows if row[0].strip().isdigit()]
    yield f"{len(own)} modules, {sum(time for time, _ in own) / 1e6:.2f} s"
    yield from (f"{time:>9,} µs  {name}" for time, name in sorted(own, reverse=True)[:shown])


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks cold", description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--imports", action="store_true")
    options = parser.parse_args(arguments)
    for line in imports() if options.imports else report(options.runs):
        print(line, flush=True)
