"""`python -m benchmarks.newcomer`: the steps of a new user on a fresh clone, timed.

Clones the last commit and runs `make demo` with an empty pip cache; then, without network access
from Python, the demo again, another rulebook on the command line, and the same on the page of
`ibr serve`, in Chromium. Prints one line of JSON; exits with code 10 if a step failed. Needs git,
the network for pip, Chromium and playwright.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from benchmarks.recording import record
from benchmarks.symbolic import ROOT
from ibr.errors import ExitCode

RULES: Final = """\
Nadia is an apprentice.
Nadia has passed the safety course.
Every apprentice is a member.
Members who have passed the safety course may use the lathe unless they are banned.
"""
QUESTION: Final = "May Nadia use the lathe?"

# A call to another machine is recorded and fails, even if the error is caught.
GUARD: Final = """\
import os, sys

LOCAL = {"127.0.0.1", "::1", "localhost", "0.0.0.0", "::", "", None, b"localhost"}


def watch(event, given):
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        address = given[1]
        host = address[0] if isinstance(address, tuple) else None  # else a file of this machine
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = given[0]
    else:
        return
    if host not in LOCAL:
        with open(os.environ["FORBIDDEN"], "a") as log:
            log.write(f"{sys.argv} {event} {host}\\n")
        raise OSError(101, f"forbidden: {event} {host}")


sys.addaudithook(watch)
"""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.newcomer", description=__doc__)
    parser.add_argument("--picture", type=Path, help="where to save a screenshot of the page (PNG)")
    parser.add_argument("--record", type=Path, help="a page: its block `json newcomer` is replaced")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="newcomer-") as folder:
        found = trial(Path(folder), options.picture)
    print(json.dumps(found))
    if options.record:
        record(options.record, "newcomer", found)
    if not all(found["passed"].values()):
        sys.exit(ExitCode.UNPROVED)


def trial(folder: Path, picture: Path | None) -> dict[str, Any]:
    clone, forbidden = folder / "ibr", folder / "forbidden"
    seconds: dict[str, float] = {}

    def timed(name: str, do: Callable[[], Any]) -> Any:
        started = time.perf_counter()
        try:
            return do()
        finally:
            seconds[name] = round(time.perf_counter() - started, 1)

    free = _environment(folder)
    alone = free | {"PYTHONPATH": str(_guard(folder)), "FORBIDDEN": str(forbidden)}
    assert not (folder / "pip-cache").exists()
    timed("git clone", lambda: _run(["git", "clone", "-q", str(ROOT), str(clone)], folder, free))
    first = timed("make demo, with installation", lambda: _run(["make", "demo"], clone, free))
    again = timed("make demo, alone", lambda: _run(["make", "demo"], clone, alone))
    (clone / "workshop.txt").write_text(RULES, encoding="utf-8")
    prove = [".venv/bin/ibr", "prove", "workshop.txt", QUESTION]
    printed = timed("ibr prove", lambda: _run(prove, clone, alone))
    started = time.perf_counter()
    with _serving(clone, alone) as address:
        seconds["ibr serve"] = round(time.perf_counter() - started, 1)
        shown = timed("proof on screen", lambda: _on_screen(address, picture))
    asked = forbidden.read_text().splitlines() if forbidden.exists() else []
    return {
        "seconds": seconds,
        "page": shown,
        "forbidden_calls": asked,
        "passed": {
            "demo": "checked: valid" in again and first.endswith(again),
            "guard": _guard_works(alone, forbidden, asked),
            "own_rulebook": "Yes (" in printed and "checked: valid" in printed,
            "page": shown["answer"] == "Yes" and shown["boxes"] >= 4 and not shown["errors"],
            "network": not asked,
        },
    }


def _environment(folder: Path) -> dict[str, str]:
    """The environment of a shell without settings of this project."""
    mine = ("VIRTUAL_ENV", "PYTHONPATH", "PIP_CACHE_DIR", "PIP_NO_CACHE_DIR")
    outer = {
        name: value
        for name, value in os.environ.items()
        if name not in mine and not name.startswith(("MAKE", "IBR_"))
    }
    parts = outer["PATH"].split(os.pathsep)
    path = os.pathsep.join(part for part in parts if part != str(Path(sys.executable).parent))
    return outer | {"PATH": path, "PIP_CACHE_DIR": str(folder / "pip-cache"), "NO_COLOR": "1"}


def _guard(folder: Path) -> Path:
    made = folder / "guard"
    made.mkdir()
    (made / "sitecustomize.py").write_text(GUARD, encoding="utf-8")
    return made


def _guard_works(alone: Mapping[str, str], forbidden: Path, asked: Sequence[str]) -> bool:
    """Whether the guard records a forbidden call."""
    call = "import socket; socket.create_connection(('192.0.2.1', 80), 1)"
    done = subprocess.run([sys.executable, "-c", call], env=dict(alone), capture_output=True)
    lines = forbidden.read_text().splitlines() if forbidden.exists() else []
    return done.returncode != 0 and b"forbidden" in done.stderr and len(lines) > len(asked)


def _run(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> str:
    done = subprocess.run(
        command, cwd=folder, env=dict(environment), capture_output=True, text=True, timeout=3600
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


@contextmanager
def _serving(clone: Path, environment: Mapping[str, str]) -> Iterator[str]:
    command = [".venv/bin/ibr", "serve", "--port", "0"]
    server = subprocess.Popen(
        command, cwd=clone, env=dict(environment), stderr=subprocess.PIPE, text=True
    )
    assert server.stderr is not None
    try:
        line = server.stderr.readline()
        if "serving on" not in line:
            raise RuntimeError(line + server.stderr.read())
        yield line.split()[-1]
    finally:
        server.terminate()
        server.wait()


def _on_screen(address: str, picture: Path | None) -> dict[str, Any]:
    """Type the rules and the question, press Prove, and wait for the whole proof."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("chromium is not installed: scripts/install-browser")
    errors: list[str] = []
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(300_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address)
        page.locator("#examples button").nth(5).wait_for()
        page.fill("#rules", RULES)
        page.locator("#reading-state", has_text="2 facts and 2 rules").wait_for()
        page.fill("#question", QUESTION)
        page.click("#prove")
        page.locator("#canvas .graph.done").wait_for()
        found = {
            "answer": page.locator("#verdict .answer").inner_text(),
            "badge": page.locator("#verdict .badge").inner_text(),
            "boxes": page.locator("#canvas .node:not(.away)").count(),
            "errors": errors,
        }
        if picture:
            page.screenshot(path=picture)
        browser.close()
    return found


if __name__ == "__main__":
    main()
