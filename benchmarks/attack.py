"""Honest clients beside `benchmarks.attackers`, for `python -m benchmarks serving attack`."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from benchmarks.load import Process, Response, ask, bodies, closed_loop, post, quantile, server

CLIENTS: Final = 4
PAUSE: Final = 0.25  # seconds between two requests of a client
HONEST: Final = 3.0  # seconds, at most, for 99 of 100 requests
HEALTH: Final = 0.100
RESIDENT: Final = 600e6  # bytes of each of `--workers`
BACK: Final = 5.0  # seconds until all is as before
_HEALTHZ: Final = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


def attack(options: argparse.Namespace) -> dict[str, Any]:
    requests = [post(body) for body in bodies(200, options.questions)]
    flags = ("--reasoner", options.reasoner, "--workers", str(options.workers))
    with server(*flags, memory=options.memory) as running:
        return asyncio.run(_attack(running, requests, options))


async def _attack(
    running: Process, requests: Sequence[bytes], options: argparse.Namespace
) -> dict[str, Any]:
    await closed_loop(running.port, requests[:50], CLIENTS)
    before = [one.seconds for one in await closed_loop(running.port, requests, CLIENTS)]
    files, resident = running.files, running.resident
    command = [sys.executable, "-m", "benchmarks.attackers", str(running.port)]
    attackers = subprocess.Popen([*command, str(options.seconds)], stdout=subprocess.PIPE)
    honest, health, sizes = await _beside(attackers, running, requests)
    assert attackers.stdout is not None
    seen = json.loads(attackers.stdout.read())
    await asyncio.sleep(BACK)
    after = await closed_loop(running.port, requests[:100], CLIENTS)
    slower = quantile([one.seconds for one in after], 0.5) / quantile(before, 0.5)
    times = [one.seconds for one in honest]
    asleep = [one.seconds for one in health]
    return {
        "seconds": options.seconds,
        "workers": options.workers,
        "load_average": [round(load, 1) for load in os.getloadavg()],
        "attackers": seen,
        "honest": dict(Counter(str(one.status) for one in honest)),
        "before_p50": round(quantile(before, 0.5), 3),
        "before_p99": round(quantile(before, 0.99), 3),
        "honest_p50": round(quantile(times, 0.5), 3),
        "honest_p99": round(quantile(times, 0.99), 3),
        "honest_max": round(max(times), 3),
        "health": dict(Counter(str(one.status) for one in health)),
        "health_p50": round(quantile(asleep, 0.5), 4),
        "health_p99": round(quantile(asleep, 0.99), 4),
        "health_max": round(max(asleep), 4),
        "resident_before": resident,
        "resident_max": max(sizes),
        "resident_after": running.resident,
        "files_before_after": [files, running.files],
        "p50_after_before": round(slower, 2),
        "passed": {
            "honest": quantile(times, 0.99) <= HONEST and {one.status for one in honest} == {200},
            "health": max(asleep) <= HEALTH and {one.status for one in health} == {200},
            "resident": max(sizes) <= RESIDENT * options.workers,
            "back": slower <= 1.5 and {one.status for one in after} == {200},
            "files": running.files <= files + CLIENTS,
        },
    }


async def _beside(
    attackers: subprocess.Popen[bytes], running: Process, requests: Sequence[bytes]
) -> tuple[list[Response], list[Response], list[int]]:
    """Responses of honest clients and of health checks, and memory, while the attackers run."""
    honest, health, sizes = list[Response](), list[Response](), list[int]()

    async def client(number: int) -> None:
        place = number
        while attackers.poll() is None:
            address = f"127.0.1.{1 + number}"
            honest.append(await ask(running.port, requests[place % len(requests)], address))
            place += CLIENTS
            await asyncio.sleep(PAUSE)

    async def watch() -> None:
        while attackers.poll() is None:
            started = time.perf_counter()
            health.append(await ask(running.port, _HEALTHZ, "127.0.8.1"))
            sizes.append(running.resident)
            await asyncio.sleep(max(0.0, PAUSE - (time.perf_counter() - started)))

    await asyncio.gather(watch(), *(client(number) for number in range(CLIENTS)))
    return honest, health, sizes
