"""`Answers` in a process of its own: the event loop never waits for the interpreter that works.

A collection of garbage of the work takes up to 0.4 s, in which no other thread can run. A step of
the work is a message over a pipe, and its reply. The process ends when the pipe is closed; signals
are for its parent, which ends when this process does.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any, Final, NamedTuple, NoReturn
from weakref import finalize

from ibr.asking.prover import Prover
from ibr.errors import ExitCode
from ibr.serving.limits import ServerLimits
from ibr.serving.work.queued import QueuedJob, Steps
from ibr.serving.work.responses import Answers, Event, named

_IGNORED: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_Described = tuple[int, Any, bool, bool]  # number, request, is heavy, has events
_THRESHOLDS: Final = 10_000, 20, 1_000_000  # for a full collection `Answers` has its own time


class _Stepped(NamedTuple):
    """`results` if it was the last step. An event has the place of its job in the task."""

    results: Sequence[Any] | None
    events: Sequence[tuple[int, Event]]
    heavy: Sequence[bool]


class AnswersApart:
    """To a `Worker` the same as `Answers`. Nothing that has threads may be loaded before.

    `inherited` is closed in the new process. Raises what `load` raises.
    """

    def __init__(
        self, load: Callable[[], Prover], limits: ServerLimits, inherited: socket.socket
    ) -> None:
        self._pipe, other = Pipe()
        self._tasks, self._over = count(), list[int]()
        self._child = os.fork()
        if not self._child:
            self._pipe.close()
            inherited.close()
            _run(other, lambda: Answers(load(), limits))
        other.close()
        self.name: str = self._call("name")
        signal.signal(signal.SIGCHLD, self._on_change)

    def is_working(self) -> bool:
        return bool(self._call("is_working"))

    def prepare(self, job: QueuedJob) -> Steps:
        return self._steps("prepare", [job])

    def __call__(self, jobs: Sequence[QueuedJob]) -> Steps:
        return self._steps("prove", jobs)

    def close(self) -> None:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.kill(self._child, signal.SIGKILL)
        os.waitpid(self._child, 0)

    def _steps(self, name: str, jobs: Sequence[QueuedJob]) -> Steps:
        task = next(self._tasks)
        over = [self._over.pop() for _ in range(len(self._over))]
        self._call("begin", task, name, [self._described(job) for job in jobs], over)
        results: Sequence[Any] | None = None
        try:
            while True:
                results, events, heavy = self._call("step", task)
                for place, event in events:
                    if send := jobs[place].send:
                        send(event)
                for job, is_heavy in zip(jobs, heavy, strict=True):
                    job.heavy = is_heavy
                if results is not None:
                    return results
                yield
        finally:
            if results is None:
                self._call("end", task)

    def _described(self, job: QueuedJob) -> _Described:
        """Its number, by which the other process knows it until nobody has it here any more."""
        finalize(job, self._over.append, job.number)
        return job.number, job.request, job.heavy, job.send is not None

    def _call(self, *message: Any) -> Any:
        try:
            self._pipe.send(message)
            reply = self._pipe.recv()
        except (EOFError, ConnectionError):
            self._ended()
        if isinstance(reply, Exception):
            raise reply
        return reply

    def _on_change(self, number: int, frame: FrameType | None) -> None:
        if os.waitpid(self._child, os.WNOHANG)[0]:  # else it was stopped, or continued
            self._ended()

    def _ended(self) -> NoReturn:
        """As if it had been this process: a bug of a library, or the system is out of memory."""
        print("ibr: the process that works has ended", file=sys.stderr, flush=True)
        os._exit(ExitCode.INTERNAL)


class _Tasks:
    """The tasks of the process that works; a message is the name of a method."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._prepared: dict[int, QueuedJob] = {}  # wait for a batch
        self._steps: dict[int, tuple[dict[int, QueuedJob], Steps]] = {}
        self._events: list[tuple[int, Event]] = []

    def name(self) -> str:
        return self._answers.name

    def is_working(self) -> bool:
        found = self._answers.is_working()
        gc.collect()
        gc.freeze()
        gc.set_threshold(*_THRESHOLDS)
        return found

    def begin(
        self, task: int, name: str, described: Sequence[_Described], over: Sequence[int]
    ) -> None:
        for number in over:
            self._prepared.pop(number, None)
        jobs = {}
        for place, (number, request, heavy, streams) in enumerate(described):
            job = self._prepared.pop(number, None) or QueuedJob(None, request, heavy=heavy)
            job.send = partial(self._send, place) if streams else None
            jobs[number] = job
        each = [*jobs.values()]
        steps = self._answers.prepare(each[0]) if name == "prepare" else self._answers(each)
        self._steps[task] = jobs, steps

    def step(self, task: int) -> _Stepped:
        jobs, steps = self._steps[task]
        results: Sequence[Any] | None = None
        try:
            next(steps)
        except StopIteration as end:
            results = end.value
            del self._steps[task]
            if not results:
                self._prepared |= {number: job for number, job in jobs.items() if not job.heavy}
        events, self._events = self._events, []
        return _Stepped(results, events, [job.heavy for job in jobs.values()])

    def end(self, task: int) -> None:
        if task in self._steps:  # else its results could not be sent
            _, steps = self._steps.pop(task)
            steps.close()

    def _send(self, place: int, event: Event) -> None:
        self._events.append((place, event))


def _run(pipe: Connection, load: Callable[[], Answers]) -> NoReturn:
    try:
        for number in _IGNORED:
            signal.signal(number, signal.SIG_IGN)
        _reply(pipe, load)
    except (EOFError, ConnectionError, KeyboardInterrupt):
        pass  # the parent has ended
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(ExitCode.OK)


def _reply(pipe: Connection, load: Callable[[], Answers]) -> None:
    try:
        tasks = _Tasks(load())
    except Exception as error:
        pipe.recv()
        pipe.send(error)
        return
    while True:
        name, *arguments = pipe.recv()
        try:
            pipe.send(getattr(tasks, name)(*arguments))
        except ConnectionError:
            raise
        except Exception as error:
            pipe.send(named(error))
