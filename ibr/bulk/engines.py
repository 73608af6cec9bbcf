"""Engines: they run the blocks of a long command, here or on the workers of a Ray cluster.

A command is a `Job`, blocks and what it does with the results. A worker starts the job once, which
loads its model, and then works on one block after another. A result depends on its block alone and
results come in the order of the blocks, so every engine gives the same bytes. Files, shards and
resuming are `parts`.
"""

import logging
import os
import sys
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Protocol, TypeVar

from ibr.choices import EngineName
from ibr.errors import LimitError, UsageError

B = TypeVar("B")
R = TypeVar("R")
B_in = TypeVar("B_in", contravariant=True)
R_out = TypeVar("R_out", covariant=True)
Run = Callable[[Iterable[B]], Iterator[tuple[B, R]]]

_QUEUED: Final = 2  # blocks of a worker: the next one is there when it ends one
_HELD: Final = 8  # blocks a worker that are read and not written yet: bounds the memory
_RETRIES: Final = 3  # of a block whose worker died
_STORE: Final = 128 << 20  # bytes of Ray's object store; blocks are far smaller


class Job(Protocol[B_in, R_out]):
    """What every worker does; pickled for workers elsewhere."""

    def start(self) -> Callable[[B_in], R_out]:
        """Load what is needed, once a worker; the function takes one block."""


class Engine(Protocol):
    def __call__(self, job: Job[B, R]) -> AbstractContextManager[Run[B, R]]:
        """With the job started, a function from blocks to (block, result) in the same order."""


def get_engine(
    name: EngineName, workers: int | None, address: str | None, cpus: int = 1, gpus: int = 0
) -> Engine:
    """`cpus` and `gpus` are those of one worker. Raises UsageError."""
    if name is EngineName.RAY:
        return RayEngine(workers, address, cpus, gpus)
    if workers is not None or address is not None:
        raise UsageError("--workers and --address are for --engine ray")
    return run_here


@contextmanager
def run_here(job: Job[B, R]) -> Iterator[Run[B, R]]:
    work = job.start()
    yield lambda blocks: ((block, work(block)) for block in blocks)


@dataclass(frozen=True)
class RayEngine:
    """Actors, each with its job started. One that dies is started anew, with its blocks."""

    workers: int | None = None  # default: as many as there are processors for
    address: str | None = None  # of a cluster; default: one that is started here and ended again
    cpus: int = 1
    gpus: int = 0

    @contextmanager
    def __call__(self, job: Job[B, R]) -> Iterator[Run[B, R]]:
        with _stdout_kept():
            ray, is_ours = self.connect()
        try:
            with _stdout_kept():
                workers = self._workers(ray, job)
                started, _ = ray.wait([worker.run.remote() for worker in workers])
                _result(ray, started[0])
            yield partial(_in_order, ray, workers)
        finally:
            if is_ours:
                with _stdout_kept():
                    ray.shutdown()  # elsewhere, workers end when nothing refers to them

    def _workers(self, ray: Any, job: Job[B, R]) -> list[Any]:
        actor = ray.remote(RayWorker).options(
            num_cpus=self.cpus, num_gpus=self.gpus, max_restarts=-1, max_task_retries=_RETRIES
        )
        return [actor.remote(job) for _ in range(self._count(ray))]

    def connect(self) -> tuple[Any, bool]:
        """Ray, and whether it was connected here and not by the caller."""
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # or it reports to its makers
        try:
            import ray
        except ModuleNotFoundError:
            raise UsageError("--engine ray: needs ray: pip install 'ibr[cluster]'") from None
        if ray.is_initialized():
            return ray, False
        address = self.address or os.environ.get("RAY_ADDRESS")
        here: dict[str, Any] = {"include_dashboard": False, "object_store_memory": _STORE}
        if self.workers is not None:
            here["num_cpus"] = max(self.workers * self.cpus, os.cpu_count() or 1)
        try:
            more = {} if address else here
            ray.init(address or "local", log_to_driver=False, logging_level=logging.ERROR, **more)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise UsageError(f"--engine ray, --address {address}: {error}") from None
        return ray, True

    def _count(self, ray: Any) -> int:
        room = int(ray.cluster_resources().get("CPU", 0)) // self.cpus
        if self.gpus:
            room = min(room, int(ray.cluster_resources().get("GPU", 0)) // self.gpus)
        if not max(self.workers or 1, 1) <= room:
            wanted = f"{self.workers or 1} workers with {self.cpus} CPUs and {self.gpus} GPUs each"
            raise UsageError(f"--engine ray: there is room for {room}, not for {wanted}")
        return self.workers or room


class RayWorker:
    """The actor. Errors of a job are results, so that they arrive as what they are."""

    def __init__(self, job: Job[Any, Any]) -> None:
        self._job = job
        self._work: Callable[[Any], Any] | None = None

    def run(self, *block: Any) -> tuple[Any, Exception | None]:
        """The result of a block; without one, the job is started and no more."""
        try:
            self._work = self._work or self._job.start()
            return (self._work(*block) if block else None), None
        except Exception as error:
            error.add_note(traceback.format_exc())  # for `--debug`: a traceback is not pickled
            return None, error


def _stdout_kept() -> AbstractContextManager[Any]:
    """Ray prints that a worker died to stdout, where results belong: to stderr instead."""
    return redirect_stdout(sys.stderr)


def _in_order(ray: Any, workers: list[Any], blocks: Iterable[B]) -> Iterator[tuple[B, Any]]:
    with _stdout_kept():
        free = deque(workers * _QUEUED)
        running: dict[Any, Any] = {}  # future result → its worker
        held: deque[tuple[B, Any]] = deque()  # blocks and future results, in order
        for block in blocks:
            worker = free.popleft()
            result = worker.run.remote(block)
            running[result] = worker
            held.append((block, result))
            while not free or len(held) >= _HELD * len(workers):
                done, _ = ray.wait(list(running))
                free.extend(running.pop(result) for result in done)
                while held and held[0][1] not in running:
                    block, result = held.popleft()
                    yield block, _result(ray, result)
        while held:
            block, result = held.popleft()
            yield block, _result(ray, result)


def _result(ray: Any, future: Any) -> Any:
    try:
        result, error = ray.get(future)
    except ray.exceptions.RayError as dead:
        why = str(dead).strip().partition("\n")[0]
        raise LimitError(f"a block ended its worker {_RETRIES + 1} times: {why}") from None
    if error is not None:
        raise error
    return result
