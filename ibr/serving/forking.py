"""Several server processes behind one port: the kernel divides connections among them.

They share nothing. One that ends is started again; one that cannot start ends them all.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Final

from ibr.errors import ExitCode, IbrError

_LEAST: Final = 5.0  # seconds that a process must have run to be started again
_AGAIN: Final = 1.0  # seconds until the signal is repeated to those that have not ended
_ENDING: Final = (signal.SIGTERM, signal.SIGINT)
_PDEATHSIG: Final = 1  # of prctl: the signal to a process whose parent ended

Run = Callable[[Callable[[], None]], None]  # calls its argument when it accepts requests


class ProcessFailed(IbrError):
    """A server process ended soon after it was started; its own message came before."""

    def __init__(self, code: int) -> None:
        super().__init__(f"a server process ended when it had hardly begun, with exit code {code}")
        self.exit_code = ExitCode(code) if code in [*ExitCode] else ExitCode.INTERNAL


def run_processes(count: int, run: Run, on_start: Callable[[], None]) -> None:
    """Runs `run` in so many processes until SIGTERM or SIGINT, which is passed on to them.

    Nothing that has threads may be loaded before: the processes are forked.
    """
    children: dict[int, float] = {}  # and when they were started
    ending: list[int] = []
    failed: ProcessFailed | None = None

    def send(number: int) -> None:
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, number)

    def pass_on(number: int, frame: FrameType | None = None) -> None:
        ending.append(number)
        send(number)
        signal.setitimer(signal.ITIMER_REAL, _AGAIN, _AGAIN)  # one that starts may lose a signal

    handlers = dict.fromkeys(_ENDING, pass_on) | {signal.SIGALRM: lambda *_: send(signal.SIGTERM)}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    for place in range(count):
        if not ending:
            children[_fork(run, _nothing if place else on_start)] = time.monotonic()
    while children:
        child, status = os.wait()
        started = children.pop(child)
        if ending:
            continue
        code = os.waitstatus_to_exitcode(status)
        if time.monotonic() - started < _LEAST:
            failed = ProcessFailed(code)
            pass_on(signal.SIGTERM)
        else:
            print(f"ibr: process {child} ended ({code}) and is started again", file=sys.stderr)
            children[_fork(run, _nothing)] = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, 0)
    for number, handler in before.items():
        signal.signal(number, handler)
    if failed:
        raise failed
    if signal.SIGINT in ending:
        raise KeyboardInterrupt


def _fork(run: Run, on_start: Callable[[], None]) -> int:
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)  # until the child has handlers of its own
    parent = os.getpid()
    if child := os.fork():
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
        return child
    code: int = ExitCode.INTERNAL
    try:
        signal.signal(signal.SIGTERM, end_at_once)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
        os.setpgid(0, 0)  # ^C reaches it once, through its parent
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_PDEATHSIG, signal.SIGTERM)
        if os.getppid() == parent:  # else it ended before
            run(on_start)
        code = ExitCode.OK
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else ExitCode.OK
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    except IbrError as error:
        print(f"ibr: {error}", file=sys.stderr)
        code = error.exit_code
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def end_at_once(number: int, frame: FrameType | None) -> None:
    """No exception: a library that is being imported would turn it into its own, or lose it."""
    os._exit(ExitCode.OK)


def _nothing() -> None:
    pass
