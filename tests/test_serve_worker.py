"""The worker: what arrives together is answered together, and what nobody awaits is given up."""

from __future__ import annotations

import asyncio
import math
import random
import time
import weakref
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

from ibr.serving.worker import Full, Job, Work, Worker

WEIGHT = 10


@asynccontextmanager
async def working(
    work: Work, queue: int = 64, batch: int = 4, wait: float = 0.0, max_wait: float = math.inf
) -> AsyncIterator[Worker]:
    worker = Worker(work, queue, batch, WEIGHT, wait, max_wait)
    worker.start()
    yield worker
    worker.close(10)
    assert not worker.alive


class Recorder:
    """Notes its batches; each takes until the gate is open."""

    def __init__(self) -> None:
        self.batches: list[list[Any]] = []
        self.is_open = False

    def __call__(self, jobs: Sequence[Job]) -> list[Any]:
        self.batches.append([job.asked for job in jobs])
        while not self.is_open:
            time.sleep(0.001)
        return [job.asked for job in jobs]


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
            first = Job("a", "first")
            worker.submit(first)
            await until(lambda: work.batches == [["first"]])
            jobs = [Job("ab"[n % 2], n) for n in range(8)] + [Job(None, "alone"), Job(None, "too")]
            for job in jobs:
                worker.submit(job)
            assert (worker.waiting, worker.running) == (10, 1)
            work.is_open = True
            assert [await job.done for job in jobs] == [*range(8), "alone", "too"]
            assert work.batches[1:] == [[0, 2, 4, 6], [1, 3, 5, 7], ["alone"], ["too"]]

    run(test)


def test_a_batch_is_no_heavier_than_allowed_but_one_job_may_be() -> None:
    async def test() -> None:
        work = Recorder()
        async with working(work) as worker:
            worker.submit(Job("a", "first"))
            await until(lambda: bool(work.batches))
            jobs = [Job("a", n, weight) for n, weight in enumerate([6, 4, 1, 99, 1])]
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
            first, second = Job("a", 1), Job("a", 2)
            worker.submit(first)
            await asyncio.sleep(0.05)
            worker.submit(second)
            assert [await first.done, await second.done] == [1, 2]
            assert work.batches == [[1, 2]]
            started = time.monotonic()
            jobs = [Job("a", n) for n in range(4)]
            for job in jobs:
                worker.submit(job)
            await jobs[-1].done
            assert time.monotonic() - started < 0.4  # a full batch waits for nobody

    run(test)


def test_a_full_queue_refuses_at_once() -> None:
    async def test() -> None:
        work = Recorder()
        async with working(work, queue=2) as worker:
            worker.submit(Job("a", "running"))
            await until(lambda: bool(work.batches))
            waiting = [Job("a", 1), Job("a", 2)]
            for job in waiting:
                worker.submit(job)
            with pytest.raises(Full):
                worker.submit(Job("a", 3))
            worker.abandon(waiting[0])
            worker.submit(Job("a", 4))  # the place of one who left
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
            slow = Job("a", "slow")
            worker.submit(slow)
            await until(lambda: bool(work.batches))
            await asyncio.sleep(0.05)
            work.is_open = True
            await slow.done
            await until(lambda: worker.expected == 0.0)
            work.is_open = False
            jobs = [Job("a", n, weight) for n in range(20)]
            worker.submit(jobs[0])
            await until(lambda: worker.running == 1)
            for job in jobs[1:taken]:
                assert not worker.is_full
                worker.submit(job)
            assert worker.expected > 0.04 * weight * taken
            assert worker.is_full
            with pytest.raises(Full):
                worker.submit(Job("a", "one more"))
            work.is_open = True
            assert [await job.done for job in jobs[:taken]] == list(range(taken))
            assert not worker.is_full

    run(test)


def test_what_was_accepted_is_finished_when_it_closes() -> None:
    async def test() -> None:
        work = Recorder()
        jobs = [Job("ab"[n % 2], n) for n in range(6)]
        async with working(work) as worker:
            for job in jobs:
                worker.submit(job)
            work.is_open = True
        assert [await job.done for job in jobs] == list(range(6))
        with pytest.raises(Full):
            worker.submit(Job("a", 7))

    run(test)


def test_a_failure_is_told_to_its_job_and_the_worker_lives() -> None:
    async def test() -> None:
        def work(jobs: Sequence[Job]) -> list[Any]:
            if jobs[0].asked == "all":
                raise RuntimeError("a bug")
            return [ValueError("no") if job.asked == "bad" else "fine" for job in jobs]

        async with working(work) as worker:
            for asked, error in (("bad", ValueError), ("all", RuntimeError)):
                job = Job(None, asked)
                worker.submit(job)
                with pytest.raises(error):
                    await job.done
            job = Job(None, "good")
            worker.submit(job)
            assert await job.done == "fine"

    run(test)


def test_a_batch_is_broken_off_when_the_last_who_waited_has_left() -> None:
    async def test() -> None:
        work = Recorder()
        async with working(work, wait=0.2) as worker:
            pair = [Job("a", 1), Job("a", 2)]
            for job in pair:
                worker.submit(job)
            await until(lambda: work.batches == [[1, 2]])
            worker.abandon(pair[0])
            await asyncio.sleep(0.05)
            assert worker.running == 1  # the other still waits
            worker.abandon(pair[1])
            await until(lambda: worker.running == 0)
            last = Job("b", 3)
            worker.submit(last)
            await until(lambda: work.batches[-1] == [3])
            work.is_open = True
            assert await last.done == 3

    run(test)


def test_a_strike_where_nothing_can_be_raised_is_lost_and_nobody_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In the callback of a weak reference Python tells of an exception and goes on."""
    struck = []

    class Thing:
        pass

    def spin(_: object) -> None:
        struck.append("begun")
        end = time.perf_counter() + 10
        while time.perf_counter() < end:
            pass
        struck.append("not struck")

    def work(jobs: Sequence[Job]) -> list[Any]:
        if jobs[0].asked == "spin":
            thing = Thing()
            kept = weakref.ref(thing, spin)
            del thing
            assert kept() is None
        return [job.asked for job in jobs]

    async def test() -> None:
        async with working(work) as worker:
            job = Job(None, "spin")
            worker.submit(job)
            await until(lambda: bool(struck))
            worker.abandon(job)
            after = Job(None, "after")
            worker.submit(after)
            assert await asyncio.wait_for(after.done, 10) == "after"

    run(test)
    assert struck == ["begun"]
    assert "ignored" not in capsys.readouterr().err


def test_leaving_at_any_moment_harms_nobody_else() -> None:
    """The strike may arrive before, during or after the work, or be late for its batch."""

    async def test() -> None:
        rng = random.Random(0)

        def work(jobs: Sequence[Job]) -> list[Any]:
            end = time.perf_counter() + rng.random() * 0.002
            while time.perf_counter() < end:
                pass
            return [job.asked for job in jobs]

        async with working(work, queue=1000) as worker:
            kept = []
            for number in range(600):
                job = Job(rng.choice("ab"), number)
                worker.submit(job)
                if rng.random() < 0.7:
                    asyncio.get_running_loop().call_later(rng.random() * 0.01, worker.abandon, job)
                else:
                    kept.append((number, job))
                await asyncio.sleep(rng.random() * 0.002)
            for number, job in kept:
                assert await asyncio.wait_for(job.done, 10) == number
            await until(lambda: worker.waiting == worker.running == 0)
            assert worker.alive

    run(test)
