"""The worker: jobs that arrive together form batches; a batch without clients is cancelled."""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

from ibr.serving.limits import ServerLimits
from ibr.serving.work.queued import QueuedJob, QueueFull, Steps, Work
from ibr.serving.work.worker import Worker

WEIGHT = 10


@asynccontextmanager
async def working(
    work: Work, queue: int = 64, batch: int = 4, wait: float = 0.0, max_wait: float = math.inf
) -> AsyncIterator[Worker]:
    limits = ServerLimits(
        max_queue=queue, max_batch=batch, batch_wait_ms=1000 * wait, max_wait_s=max_wait
    )
    worker = Worker(work, limits, WEIGHT)
    worker.start()
    yield worker
    worker.close(10)
    assert not worker.alive


class Recorder:
    """Notes its batches; each takes until the gate is open."""

    def __init__(self) -> None:
        self.batches: list[list[Any]] = []
        self.is_open = False

    def __call__(self, jobs: Sequence[QueuedJob]) -> Steps:
        self.batches.append([job.request for job in jobs])
        while not self.is_open:
            time.sleep(0.001)
            yield
        return [job.request for job in jobs]


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not holds():
            await asyncio.sleep(0.001)


def run(test: Any) -> None:
    asyncio.run(test())


def test_jobs_of_one_group_go_together_in_order_of_arrival() -> None:
    async def test() -> None:
        work = Recorder()
        async with working(work) as worker:
            first = QueuedJob("a", "first")
            worker.submit(first)
            await until(lambda: work.batches == [["first"]])
            jobs = [QueuedJob("ab"[n % 2], n) for n in range(8)] + [
                QueuedJob(None, "alone"),
                QueuedJob(None, "too"),
            ]
            for job in jobs:
                worker.submit(job)
            assert (worker.waiting, worker.running) == (10, 1)
            work.is_open = True
            assert [await job.done for job in jobs] == [*range(8), "alone", "too"]
            assert work.batches[1:] == [[0, 2, 4, 6], [1, 3, 5, 7], ["alone"], ["too"]]

    run(test)


def test_prepared_jobs_keep_their_order_and_heavy_ones_come_after_light_ones() -> None:
    """`prepare` finds out what is heavy; a heavy job is begun anew and is done alone."""
    prepared: list[Any] = []

    def prepare(job: QueuedJob) -> Steps:
        yield
        prepared.append(job.request)
        if job.request == "heavy" and job.heavy:
            return ["done alone"]
        job.heavy = job.request == "heavy"
        return []

    async def test() -> None:
        work = Recorder()
        limits = ServerLimits(max_batch=4, batch_wait_ms=0)
        worker = Worker(work, limits, WEIGHT, prepare)
        jobs = [QueuedJob("a", n, client="x") for n in ("heavy", *range(6))]
        for job in jobs:
            worker.submit(job)
        work.is_open = True
        worker.start()
        assert [await job.done for job in jobs] == ["done alone", *range(6)]
        assert prepared == ["heavy", *range(6), "heavy"]
        assert work.batches == [[0, 1, 2, 3], [4, 5]]
        worker.close(10)

    run(test)


def test_one_client_does_not_keep_others_out() -> None:
    async def test() -> None:
        work = Recorder()
        async with working(work, queue=4, batch=1) as worker:
            flood = [QueuedJob("a", n, client="x") for n in range(5)]
            worker.submit(flood[0])
            await until(lambda: bool(work.batches))
            for job in flood[1:]:
                worker.submit(job)
            assert worker.refuses("x")
            assert not worker.refuses("y")
            other = QueuedJob("a", "other", client="y")
            worker.submit(other)
            with pytest.raises(QueueFull):  # its newest gave its place
                await flood[4].done
            work.is_open = True
            assert await other.done == "other"
            assert [await job.done for job in flood[:4]] == [0, 1, 2, 3]
            assert work.batches.index(["other"]) < 3  # it did not wait for all of the other's

    run(test)


def test_a_batch_is_no_heavier_than_allowed_but_one_job_may_be() -> None:
    async def test() -> None:
        work = Recorder()
        async with working(work) as worker:
            worker.submit(QueuedJob("a", "first"))
            await until(lambda: bool(work.batches))
            jobs = [QueuedJob("a", n, weight) for n, weight in enumerate([6, 4, 1, 99, 1])]
            for job in jobs:
                worker.submit(job)
            work.is_open = True
            await jobs[-1].done
            assert work.batches[1:] == [[0, 1], [2], [3], [4]]

    run(test)


def test_the_first_waits_a_little_for_others() -> None:
    async def test() -> None:
        work = Recorder()
        work.is_open = True
        async with working(work, wait=0.5) as worker:
            first, second = QueuedJob("a", 1), QueuedJob("a", 2)
            worker.submit(first)
            await asyncio.sleep(0.05)
            worker.submit(second)
            assert [await first.done, await second.done] == [1, 2]
            assert work.batches == [[1, 2]]
            started = time.monotonic()
            jobs = [QueuedJob("a", n) for n in range(4)]
            for job in jobs:
                worker.submit(job)
            await jobs[-1].done
            assert time.monotonic() - started < 0.4  # a full batch does not wait

    run(test)


def test_a_full_queue_refuses_at_once() -> None:
    async def test() -> None:
        work = Recorder()
        async with working(work, queue=2) as worker:
            worker.submit(QueuedJob("a", "running"))
            await until(lambda: bool(work.batches))
            waiting = [QueuedJob("a", 1), QueuedJob("a", 2)]
            for job in waiting:
                worker.submit(job)
            with pytest.raises(QueueFull):
                worker.submit(QueuedJob("a", 3))
            worker.cancel(waiting[0])
            worker.submit(QueuedJob("a", 4))  # in the place of the cancelled one
            work.is_open = True

    run(test)


@pytest.mark.parametrize(
    ("weight", "max_wait", "taken"),
    [
        (1, 0.001, 8),  # two batches of four are always taken, however slow it was
        (5, 0.001, 4),  # the same by weight: two batches of ten
        (1, 1000.0, 20),
    ],
)
def test_a_slow_worker_takes_on_less(weight: int, max_wait: float, taken: int) -> None:
    async def test() -> None:
        work = Recorder()
        async with working(work, queue=19, max_wait=max_wait) as worker:
            slow = QueuedJob("a", "slow")
            worker.submit(slow)
            await until(lambda: bool(work.batches))
            await asyncio.sleep(0.05)
            work.is_open = True
            await slow.done
            await until(lambda: worker.expected == 0.0)
            work.is_open = False
            jobs = [QueuedJob("a", n, weight) for n in range(20)]
            worker.submit(jobs[0])
            await until(lambda: worker.running == 1)
            for job in jobs[1:taken]:
                assert not worker.refuses()
                worker.submit(job)
            assert worker.expected > 0.04 * weight * taken
            assert worker.refuses()
            with pytest.raises(QueueFull):
                worker.submit(QueuedJob("a", "one more"))
            work.is_open = True
            assert [await job.done for job in jobs[:taken]] == list(range(taken))
            assert not worker.refuses()

    run(test)


def test_what_was_accepted_is_finished_when_it_closes() -> None:
    async def test() -> None:
        work = Recorder()
        jobs = [QueuedJob("ab"[n % 2], n) for n in range(6)]
        async with working(work) as worker:
            for job in jobs:
                worker.submit(job)
            work.is_open = True
        assert [await job.done for job in jobs] == list(range(6))
        with pytest.raises(QueueFull):
            worker.submit(QueuedJob("a", 7))

    run(test)


def test_a_failure_reaches_its_job_and_the_worker_goes_on() -> None:
    async def test() -> None:
        def work(jobs: Sequence[QueuedJob]) -> Steps:
            yield
            if jobs[0].request == "all":
                raise RuntimeError("a bug")
            return [ValueError("no") if job.request == "bad" else "fine" for job in jobs]

        async with working(work) as worker:
            for asked, error in (("bad", ValueError), ("all", RuntimeError)):
                job = QueuedJob(None, asked)
                worker.submit(job)
                with pytest.raises(error):
                    await job.done
            job = QueuedJob(None, "good")
            worker.submit(job)
            assert await job.done == "fine"

    run(test)


def test_a_batch_is_cancelled_when_its_last_client_has_left() -> None:
    async def test() -> None:
        work = Recorder()
        async with working(work, wait=0.2) as worker:
            pair = [QueuedJob("a", 1), QueuedJob("a", 2)]
            for job in pair:
                worker.submit(job)
            await until(lambda: work.batches == [[1, 2]])
            worker.cancel(pair[0])
            await asyncio.sleep(0.05)
            assert worker.running == 1  # the other still waits
            worker.cancel(pair[1])
            await until(lambda: worker.running == 0)
            last = QueuedJob("b", 3)
            worker.submit(last)
            await until(lambda: work.batches[-1] == [3])
            work.is_open = True
            assert await last.done == 3

    run(test)


def test_a_cancelled_batch_takes_no_further_step() -> None:
    steps, closed = [], []

    def work(jobs: Sequence[QueuedJob]) -> Steps:
        try:
            for number in range(1000):
                steps.append(number)
                time.sleep(0.01)
                yield
        finally:
            closed.append(len(steps))
        return [None for _ in jobs]

    async def test() -> None:
        async with working(work) as worker:
            job = QueuedJob(None, "long")
            worker.submit(job)
            await until(lambda: len(steps) > 2)
            worker.cancel(job)
            before = len(steps)
            await until(lambda: bool(closed))
            assert closed[0] <= before + 1  # the step that was under way is finished

    run(test)


def test_cancelling_at_any_moment_changes_no_other_result() -> None:
    """Before, during or after the work."""

    async def test() -> None:
        rng = random.Random(0)

        def work(jobs: Sequence[QueuedJob]) -> Steps:
            end = time.perf_counter() + rng.random() * 0.002
            while time.perf_counter() < end:
                yield
            return [job.request for job in jobs]

        async with working(work, queue=1000) as worker:
            kept = []
            for number in range(600):
                job = QueuedJob(rng.choice("ab"), number)
                worker.submit(job)
                if rng.random() < 0.7:
                    asyncio.get_running_loop().call_later(rng.random() * 0.01, worker.cancel, job)
                else:
                    kept.append((number, job))
                await asyncio.sleep(rng.random() * 0.002)
            for number, job in kept:
                assert await asyncio.wait_for(job.done, 10) == number
            await until(lambda: worker.waiting == worker.running == 0)
            assert worker.alive

    run(test)
