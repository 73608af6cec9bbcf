"""`ibr serve` as people start it: several processes, and signals at any moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from served import QUICK, heeds_hang_up, started, until

from ibr.errors import ExitCode

pytestmark = pytest.mark.e2e

LATER = [pytest.param(n / 10, marks=pytest.mark.slow) for n in range(1, 30)]


def children_of(process: int) -> list[str]:
    try:
        return Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return []


def test_several_processes_serve_one_port_and_one_that_ends_is_replaced() -> None:
    with started("--workers", "2", "--reasoner", "solver") as (process, server, _):
        first = children_of(process.pid)
        assert len(first) == 2
        assert {server.prove(QUICK).status for _ in range(10)} == {200}
        time.sleep(5.5)  # one that ends sooner after its start is a failure
        os.kill(int(first[0]), signal.SIGKILL)
        until(lambda: len({*children_of(process.pid)} - {first[0]}) == 2)
        assert {server.prove(QUICK).status for _ in range(10)} == {200}
        process.send_signal(signal.SIGHUP)
        assert process.wait(60) == 0


def test_processes_that_cannot_start_end_with_their_code() -> None:
    command = [sys.executable, "-m", "ibr", "serve", "--port", "0", "--workers", "2"]
    done = subprocess.run(
        [*command, "--reasoner", "nobody"], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, "nobody" in done.stderr) == (ExitCode.NOT_FOUND, True)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=["TERM", "HUP"])
@pytest.mark.parametrize("moment", [0.0, *LATER])
def test_a_signal_that_comes_while_processes_start_ends_them(number: int, moment: float) -> None:
    """Since the first of them was forked."""
    command = [sys.executable, "-m", "ibr", "serve", "--port", "0", "--workers", "2"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, preexec_fn=heeds_hang_up)
    try:
        until(lambda: bool(children_of(process.pid)), 60)
        time.sleep(moment)
        found = children_of(process.pid)
        process.send_signal(number)
        assert process.wait(60) == 0
        until(lambda: not any(Path(f"/proc/{child}").exists() for child in found))
        assert process.stderr
        assert b"Traceback" not in process.stderr.read()
    finally:
        process.kill()
        process.communicate()


LOSING = """
import sys, time
from ibr.serving.forking import run_processes

def run(started):
    started()
    try:
        time.sleep(60)
    except SystemExit:
        time.sleep(60)  # as in a callback of a library, whose errors are lost

run_processes(2, run, lambda: print("started", flush=True))
"""


def test_a_signal_that_a_process_lost_is_repeated() -> None:
    command = [sys.executable, "-c", LOSING]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "started\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
