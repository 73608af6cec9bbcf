"""`python -m benchmarks serving throughput|overload|soak|attack`: `ibr serve` under load.

Each starts its own server, prints one line of JSON and exits with code 10 if a limit is exceeded.
On a machine with few cores the client needs its share: close other programs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.attack import attack
from benchmarks.load import (
    Process,
    Response,
    bodies,
    closed_loop,
    in_new_words,
    open_loop,
    post,
    quantile,
    server,
)
from benchmarks.recording import record
from ibr.asking.prover import Prover, load
from ibr.asking.rulebook import Rulebook
from ibr.errors import ExitCode
from ibr.serving.limits import ServerLimits

RATIO: Final = 0.7  # least ratio of served to in-process throughput
REFUSED: Final = 0.050  # seconds until a full queue refuses
GROWTH: Final = 50e6  # bytes during overload
SLOPE: Final = 1024.0  # bytes a request
RECOVERED: Final = 2.0  # seconds after the load
PARTS: Final = 50  # of a long run; memory is measured after each


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks serving", description=__doc__)
    parser.add_argument("part", choices=["throughput", "overload", "soak", "attack"])
    parser.add_argument("--reasoner", default="verified")
    parser.add_argument("--questions", type=int, default=4, help="of each request")
    parser.add_argument("--seconds", type=float, default=30.0, help="of load")
    parser.add_argument("--requests", type=int, default=20_000, help="of soak")
    parser.add_argument("--times", type=float, default=4.0, help="overload: of the capacity")
    parser.add_argument("--workers", type=int, default=1, help="attack: processes of the server")
    parser.add_argument("--memory", type=int, help="attack: bytes of address space of each")
    parser.add_argument("--record", type=Path, help="a page: its block `json PART` is replaced")
    options = parser.parse_args(arguments)
    parts = {"throughput": throughput, "overload": overload, "soak": soak, "attack": attack}
    found = parts[options.part](options)
    print(json.dumps(found))
    if options.record:
        record(options.record, options.part, found)
    if not all(found["passed"].values()):
        sys.exit(ExitCode.UNPROVED)


def throughput(options: argparse.Namespace) -> dict[str, Any]:
    """Questions a second: in this process in batches like the server's, then served, by wrk."""
    if shutil.which("wrk") is None:
        sys.exit("wrk is not installed: scripts/install-wrk")
    asked = bodies(200, options.questions)
    alone = in_process(load(options.reasoner), asked, options.seconds)
    with server("--reasoner", options.reasoner) as running:
        every = [post(body) for body in asked]  # asked once, as in this process
        asyncio.run(closed_loop(running.port, every, ServerLimits().max_batch))
        served, failed = wrk(running, asked, options.seconds)
    served *= options.questions
    return {
        "in_process": round(alone, 2),
        "served": round(served, 2),
        "ratio": round(served / alone, 3),
        "failed": failed,
        "passed": {"ratio": served / alone >= RATIO, "failed": failed == 0},
    }


def in_process(prover: Prover, asked: Sequence[bytes], seconds: float) -> float:
    """Questions a second, with the same parsing and output as in the server."""
    limits, parsed = ServerLimits(), [json.loads(body) for body in asked]
    prover.max_steps = limits.max_steps
    done, batch, started = 0, limits.max_batch, 0.0
    for number in range(10**9):
        if number == len(parsed) // batch:  # all were asked once
            done, started = 0, time.perf_counter()
        some = [parsed[(number * batch + k) % len(parsed)] for k in range(batch)]
        pairs = [(Rulebook.parse(each["rules"]), each["questions"]) for each in some]
        found = prover.prove_many(pairs)
        json.dumps([proved.to_json() for each in found for proved in each])
        done += sum(map(len, found))
        if started and time.perf_counter() - started > seconds:
            break
    return done / (time.perf_counter() - started)


_SCRIPT: Final = """\
local bodies = {}
for line in io.lines(os.getenv("BODIES")) do bodies[#bodies + 1] = line end
local n = 0
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
request = function()
  n = n + 1
  return wrk.format(nil, "/v1/prove", nil, bodies[(n - 1) % #bodies + 1])
end
"""


def wrk(running: Process, asked: Sequence[bytes], seconds: float) -> tuple[float, int]:
    """Requests a second, and how many were not answered with 200."""
    with tempfile.TemporaryDirectory() as folder:
        script, texts = Path(folder, "post.lua"), Path(folder, "bodies.jsonl")
        script.write_text(_SCRIPT, encoding="utf-8")
        texts.write_bytes(b"\n".join(asked) + b"\n")
        address = f"http://127.0.0.1:{running.port}/"
        flags = ["-t1", "-c32", f"-d{round(seconds)}s", "--timeout", "60s", "-s", str(script)]
        done = subprocess.run(
            ["wrk", *flags, address], env={"BODIES": str(texts)}, capture_output=True, text=True
        )
    rate = re.search(r"Requests/sec:\s+([\d.]+)", done.stdout)
    bad = re.search(r"Non-2xx or 3xx responses: (\d+)", done.stdout)
    if rate is None:
        raise RuntimeError(done.stdout + done.stderr)
    return float(rate[1]), int(bad[1]) if bad else 0


def overload(options: argparse.Namespace) -> dict[str, Any]:
    """Load beyond the capacity: accepted requests are served in time, others are refused at once,
    and memory does not grow.
    """
    requests = [post(body) for body in bodies(200, options.questions)]
    with server("--reasoner", options.reasoner) as running:
        return asyncio.run(_overload(running, requests, options))


async def _overload(
    running: Process, requests: Sequence[bytes], options: argparse.Namespace
) -> dict[str, Any]:
    port, limits = running.port, ServerLimits()
    await closed_loop(port, requests, limits.max_batch)
    unloaded = _seconds(await closed_loop(port, requests, 1))
    started = time.perf_counter()
    answered = _seconds(await closed_loop(port, requests, 2 * limits.max_batch))
    capacity = len(answered) / (time.perf_counter() - started)  # without refusals
    before = running.resident
    rate = options.times * capacity
    done = await open_loop(port, lambda n: requests[n % len(requests)], rate, options.seconds)
    ended = time.perf_counter()
    while (await closed_loop(port, requests[:1], 1))[0].seconds > 2 * quantile(unloaded, 0.5):
        pass
    recovered = time.perf_counter() - ended
    accepted, refused = _seconds(done, 200), _seconds(done, 503)
    bound = 2 * quantile(unloaded, 0.99) + (limits.max_queue + limits.max_batch) / capacity
    growth = running.resident - before
    return {
        "capacity": round(capacity, 2),
        "rate": round(rate, 2),
        "statuses": dict(Counter(asked.status for asked in done)),
        "unloaded_p99": round(quantile(unloaded, 0.99), 4),
        "accepted_p50": round(quantile(accepted, 0.5), 4),
        "accepted_p99": round(quantile(accepted, 0.99), 4),
        "bound": round(bound, 4),
        "refused_p50": round(quantile(refused, 0.5), 4),
        "refused_p99": round(quantile(refused, 0.99), 4),
        "resident_growth": growth,
        "recovered": round(recovered, 2),
        "passed": {
            "accepted": quantile(accepted, 0.99) <= bound,
            "refused": quantile(refused, 0.99) < REFUSED,
            "nothing_else": {asked.status for asked in done} <= {200, 503},
            "growth": growth < GROWTH,
            "recovered": recovered <= RECOVERED,
        },
    }


def _seconds(done: Sequence[Response], status: int = 200) -> list[float]:
    return [asked.seconds for asked in done if asked.status == status]


def soak(options: argparse.Namespace) -> dict[str, Any]:
    """Many rulebooks with different words in one process: memory must not grow."""
    part = max(1, options.requests // PARTS)
    rng, sizes, files = random.Random(1), list[int](), list[int]()
    with server("--reasoner", options.reasoner) as running:
        for number in range(0, options.requests, part):
            some = bodies(part, 1, seed=number + 1)
            requests = [post(in_new_words(body, rng)) for body in some]
            done = asyncio.run(closed_loop(running.port, requests, 4))
            statuses = Counter(asked.status for asked in done)
            assert statuses.keys() <= {200, 422}, statuses  # some are contradictory in new words
            sizes.append(running.resident)
            files.append(running.files)
            print(f"{number + part:,}: {sizes[-1] / 1e6:.1f} MB", file=sys.stderr)
    slope = _slope(sizes[len(sizes) // 2 :]) / part  # the first half fills the caches
    return {
        "requests": options.requests,
        "resident_megabytes": [round(size / 1e6, 1) for size in sizes],
        "slope_bytes_per_request": round(slope, 1),
        "open_files": [min(files), max(files)],
        "passed": {"slope": slope < SLOPE, "open_files": max(files) - min(files) <= 2},
    }


def _slope(values: Sequence[float]) -> float:
    """Slope of the least-squares line."""
    middle, mean = (len(values) - 1) / 2, sum(values) / len(values)
    above = sum((place - middle) * (value - mean) for place, value in enumerate(values))
    below = sum((place - middle) ** 2 for place in range(len(values)))
    return above / below if below else 0.0
