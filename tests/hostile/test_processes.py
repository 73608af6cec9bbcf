"""`ibr serve` as people start it: several processes, and signals at any moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from served import QUICK, heeds_signals, started, until

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


def test_health_is_answered_while_the_process_that_works_does_nothing_else() -> None:
    """It is stopped here; a collection of garbage stops it as well."""
    with started("--reasoner", "solver") as (process, server, _), ThreadPoolExecutor(1) as pool:
        (working,) = map(int, children_of(process.pid))
        os.kill(working, signal.SIGSTOP)
        try:
            waiting = pool.submit(server.prove, QUICK)
            server.wait_for("ibr_running", 1)
            for path in ("/healthz", "/readyz", "/v1/examples"):
                assert server.get(path).status == 200
            assert not waiting.done()
        finally:
            os.kill(working, signal.SIGCONT)
        assert waiting.result().status == 200


def test_the_server_ends_with_the_process_that_works_and_that_with_the_server() -> None:
    with started("--reasoner", "solver") as (process, _, _):
        os.kill(int(children_of(process.pid)[0]), signal.SIGKILL)
        assert process.wait(20) == ExitCode.INTERNAL
        assert process.stderr
        assert "the process that works has ended" in process.stderr.read()
    with started("--reasoner", "solver") as (process, _, _):
        (working,) = children_of(process.pid)
        process.kill()
        until(lambda: not Path(f"/proc/{working}").exists())


def test_a_signal_to_all_its_processes_is_one_to_the_server() -> None:
    """As a service manager sends it."""
    facts = "\n".join(f"N{chr(97 + n)} is a bird." for n in range(26))
    rules = f"{facts}\nIf X is a bird and Y is a bird then X likes Y."
    with started("--reasoner", "solver") as (process, server, _), ThreadPoolExecutor(1) as pool:
        (working,) = map(int, children_of(process.pid))
        os.kill(working, signal.SIGSTOP)
        waiting = pool.submit(server.prove, "Na likes Nb.", rules=rules)
        server.wait_for("ibr_running", 1)
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            os.kill(working, number)
        process.send_signal(signal.SIGTERM)
        os.kill(working, signal.SIGCONT)
        assert waiting.result().status == 200
        assert process.wait(20) == 0
        assert not Path(f"/proc/{working}").exists()


UNREAD = """
import logging, os, sys
from ibr.serving.stderr import dropping_stderr

receiving, sending = os.pipe()
os.dup2(sending, 2)
with dropping_stderr():
    for number in range(1000):
        logging.error("%d: %s", number, "x" * 5000)
found = os.read(receiving, 1 << 20)
assert len(found) > 32_768, len(found)
assert found.startswith(b"ERROR:root:0: xxx")
os.close(receiving)
with dropping_stderr():
    print("nobody reads it", file=sys.stderr)
"""


def test_a_pipe_that_nobody_reads_does_not_stop_the_server() -> None:
    subprocess.run([sys.executable, "-c", UNREAD], check=True, timeout=20)


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
    process = subprocess.Popen(command, stderr=subprocess.PIPE, preexec_fn=heeds_signals)
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
