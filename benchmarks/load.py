"""A server in its own process and clients that load it, for `benchmarks.serving`.

The client is plain asyncio with one connection per request, so that it needs little CPU time.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from ibr.data.making.generator import Recipe, generate
from ibr.inputs.model_words import default_words

_WORD: Final = re.compile(r"[A-Za-z]{2,}")


class Response(NamedTuple):
    status: int  # 0: the connection failed
    seconds: float


@dataclass(frozen=True)
class Process:
    """A running `ibr serve`."""

    pid: int
    port: int

    @property
    def _pids(self) -> list[int]:
        """It and the processes below it."""
        found = [self.pid]
        for pid in found:
            text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
            found += map(int, text.split())
        return found

    @property
    def resident(self) -> int:
        """Resident bytes of all of them, from /proc; what they share is counted again."""
        size = 0
        for pid in self._pids:
            text = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
            found = re.search(r"VmRSS:\s+(\d+) kB", text)
            assert found
            size += int(found[1]) * 1024
        return size

    @property
    def files(self) -> int:
        return sum(len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in self._pids)


@contextmanager
def server(*options: str, memory: int | None = None) -> Iterator[Process]:
    """`memory`: bytes of address space that it may have, as by `ulimit -v`."""
    command = [sys.executable, "-m", "ibr", "serve", "--port", "0", *options]

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory) if memory else (-1, -1))

    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=limited)
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        port = re.search(r":(\d+)/$", line)
        if port is None:
            raise RuntimeError(line + process.stderr.read())
        log = process.stderr  # a pipe that nobody reads would stop the server
        threading.Thread(target=lambda: sys.stderr.writelines(log), daemon=True).start()
        yield Process(process.pid, int(port[1]))
    finally:
        process.terminate()
        process.wait()


def bodies(count: int, questions: int, seed: int = 7) -> list[bytes]:
    """`count` different requests: theories like RuleTaker's, each with questions."""
    found = []
    for theory in generate(Recipe(3, max_proofs=1, all_proofs=False), seed, count):
        asked = [example.problem.question.text for example in theory[:questions]]
        rules = "\n".join(sentence.text for sentence in theory[0].theory)
        found.append(json.dumps({"rules": rules, "questions": asked}).encode())
    return found


def in_new_words(body: bytes, rng: random.Random) -> bytes:
    """The same request with new random words, so that no cache helps."""
    made: dict[str, str] = {}
    known = default_words().known

    def new(match: re.Match[str]) -> str:
        word = match.group()
        low = word.lower()
        if low in known.ids or low in known.silent:
            return word
        ending = "s" if low.endswith("s") and not low.endswith("ss") else ""
        other = made.setdefault(low.removesuffix(ending), _word(rng)) + ending
        return other.capitalize() if word[0].isupper() else other

    asked = json.loads(body)
    asked["rules"] = _WORD.sub(new, asked["rules"])
    asked["questions"] = [_WORD.sub(new, question) for question in asked["questions"]]
    return json.dumps(asked).encode()


def _word(rng: random.Random) -> str:
    parts = [rng.choice("bdfgklmnprtvz") + rng.choice("aeiou") for _ in range(rng.randint(2, 4))]
    return "".join(parts) + rng.choice(["n", "k", "b", "rd"])


def post(body: bytes) -> bytes:
    head = (
        "POST /v1/prove HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


async def ask(port: int, request: bytes, address: str = "127.0.0.1") -> Response:
    """Send one request on its own connection, from an address, and read the whole response."""
    started = time.perf_counter()
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    except OSError:
        return Response(0, time.perf_counter() - started)
    try:
        writer.write(request.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
        await writer.drain()
        answer = await reader.read(-1)
        return Response(int(answer.split(b" ", 2)[1]), time.perf_counter() - started)
    except (OSError, IndexError):
        return Response(0, time.perf_counter() - started)
    finally:
        writer.close()


async def closed_loop(port: int, requests: Sequence[bytes], clients: int) -> list[Response]:
    """`clients` clients, each of which sends its next request after its last response."""
    left, done = iter(requests), list[Response]()

    async def client() -> None:
        for request in left:
            done.append(await ask(port, request))

    await asyncio.gather(*(client() for _ in range(clients)))
    return done


async def open_loop(
    port: int, request: Callable[[int], bytes], rate: float, seconds: float
) -> list[Response]:
    """`rate` requests a second, whether earlier ones are answered or not."""
    tasks, started = list[asyncio.Task[Response]](), time.perf_counter()
    for number in range(round(rate * seconds)):
        await asyncio.sleep(max(0.0, started + number / rate - time.perf_counter()))
        tasks.append(asyncio.create_task(ask(port, request(number))))
    return list(await asyncio.gather(*tasks))


def quantile(values: Sequence[float], share: float) -> float:
    """The quantile `share` of the values, not interpolated."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))] if ranked else float("nan")
