"""Commands as the documentation shows them: found in its code blocks, run by a shell, compared.

A block `sh` is commands. A block `console` has "$ " before each and what it prints below. A block
"text NAME" is a file. `<!-- not run by tests: why -->` stands before what takes too long.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
_SKIP = re.compile(r"<!-- not run by tests: (\w.+) -->")
_LOOKS = re.compile(r"(?:\$ |ibr |make |pip |python |docker )")
_SECONDS = 120


@dataclass(frozen=True)
class Block:
    line: int
    info: str  # "sh", "console", "text workshop.txt"; "" if it is only indented
    text: str
    why_not_run: str

    @property
    def kind(self) -> str:
        return self.info.partition(" ")[0]

    @property
    def looks_like_commands(self) -> bool:
        return any(_LOOKS.match(line) for line in self.text.splitlines())

    def commands(self) -> Iterator[tuple[str, list[str] | None]]:
        """Each with the lines that it prints; None where these are not shown."""
        if self.kind == "sh":
            yield from ((line, None) for line in self.text.splitlines() if line.strip())
        elif self.kind == "console":
            for part in re.split(r"^\$ ", self.text, flags=re.MULTILINE)[1:]:
                command, *shown = part.splitlines()
                yield command, shown


def blocks(page: Path) -> list[Block]:
    found, before = [], None
    for token in MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8")):
        if token.type in ("fence", "code_block"):
            skip = _SKIP.match(before.content) if before and before.type == "html_block" else None
            line = token.map[0] + 1 if token.map else 0
            why = skip.group(1) if skip else ""
            found.append(Block(line, token.info.strip(), token.content, why))
        before = token
    return found


def checkout(folder: Path) -> Path:
    """What a newcomer has after the first `make`, with this very installation as its `.venv`."""
    files = "Makefile README.md pyproject.toml constraints.txt requirements.lock mkdocs.yml"
    for name in (*files.split(), "CITATION.cff"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "docs", folder / "docs")  # the site must be inside the project
    for name in ("examples", "scripts", "ibr", "benchmarks", "tests"):
        (folder / name).symlink_to(ROOT / name)
    (folder / ".venv").mkdir()
    for part in ("bin", "lib", "pyvenv.cfg"):
        (folder / ".venv" / part).symlink_to(Path(sys.prefix) / part)
    for stamp in (".base", ".installed"):
        (folder / ".venv" / stamp).touch()
    return folder


def run(command: str, folder: Path, seconds: float = _SECONDS) -> str:
    """What it prints; that it ends well is asserted."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=_environment(),
        capture_output=True,
        text=True,
        timeout=seconds,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def serves(command: str, folder: Path) -> None:
    """It starts, is well, shows the page, and ends in order when it is told to."""
    server = subprocess.Popen(
        ["bash", "-c", f"exec {command}"],
        cwd=folder,
        env=_environment() | {"IBR_PORT": "0"},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert server.stderr
        told = next((line for line in server.stderr if "serving on" in line), "")
        address = told.split()[-1]
        assert _get(f"{address}healthz")
        assert b"<title>" in _get(address)
    finally:
        os.killpg(server.pid, signal.SIGTERM)  # its own session: make and what make started
        code = server.wait(_SECONDS)
    assert code in (0, -signal.SIGTERM)  # make does not wait


def _get(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=_SECONDS) as answer:
        return bytes(answer.read())


def _environment() -> dict[str, str]:
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    outer = {name: value for name, value in os.environ.items() if "MAKE" not in name}
    return outer | {"PATH": path, "NO_COLOR": "1", "COLUMNS": "200"}
