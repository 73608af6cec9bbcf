"""Clients that mean harm, for `python -m benchmarks serving attack`: against 127.0.0.1 only.

`python -m benchmarks.attackers PORT SECONDS` runs them all in one process, each kind from loopback
addresses of its own, and prints how often each was answered with which status.
"""

from __future__ import annotations

import asyncio
import json
import random
import socket
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from benchmarks.load import post

NOUNS: Final = "dog cat man woman park house river hat coat garden".split()
VERBS: Final = "sees likes visits chases needs".split()
ADJECTIVES: Final = "old kind red big".split()
_SILENT: Final = 600  # connections that send nothing
_SLOW: Final = 100  # that send a byte now and then
_PIECE: Final = 65_536
_PAUSE: Final = 1.0  # seconds until a client that was closed comes back
Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def names(count: int) -> list[str]:
    return [f"N{chr(65 + n // 26)}{chr(97 + n % 26)}" for n in range(count)]


def tangled(seed: int, characters: int = 19_700) -> str:
    """Sentences that have very many analyses."""
    rng = random.Random(seed)

    def thing() -> str:
        return f"the {rng.choice(ADJECTIVES)} {rng.choice(NOUNS)}"

    def part() -> str:
        both = f"{thing()} and {thing()} or {thing()}"
        return f"{thing()} that {rng.choice(VERBS)} {both} in {thing()} with {thing()}"

    found = ""
    while len(found) < characters:
        conditions = " and ".join(part() for _ in range(3))
        found += f"If {conditions} {rng.choice(VERBS)} {thing()}, then {thing()} is kind.\n"
    return found[:characters]


def cubes(count: int = 100) -> str:
    """Six rules over X, Y and Z: a million groundings of each."""
    verbs = ("likes", "sees", "needs", "eats", "chases", "visits")
    rules = [f"If X is big and Y is big and Z is big then X {verb} Y." for verb in verbs]
    return "\n".join([*(f"{name} is big." for name in names(count)), *rules])


def circle(count: int = 150) -> str:
    """Everybody comes to like everybody."""
    people = names(count)
    facts = [f"{a} likes {b}." for a, b in zip(people, people[1:] + people[:1], strict=True)]
    return "\n".join([*facts, "If X likes Y and Y likes Z then X likes Z."])


def large(seed: int, sentences: int = 190) -> str:
    """As much as is accepted, all of it ordinary."""
    rng = random.Random(seed)
    rules = [
        f"Every {rng.choice(NOUNS)} that {rng.choice(VERBS)} the {rng.choice(NOUNS)} is w{n}en."
        for n in range(sentences)
    ]
    return "\n".join(["The dog sees the cat.", *rules])


def heavy(number: int) -> bytes:
    """One request of each kind in turn; no two texts are the same."""
    rules, asked = (
        lambda: (tangled(number), ["The man is kind."]),
        lambda: (cubes(100 - number % 7), ["NAa likes NAc."]),
        lambda: (circle(150 - number % 7), ["NAa likes NAc."]),
        lambda: (large(number), [f"The dog is w{n}en." for n in range(64)]),
    )[number % 4]()
    return post(json.dumps({"rules": rules, "questions": asked}).encode())


class Attack:
    """Until a time; every kind of client connects from its own loopback addresses."""

    def __init__(self, port: int, seconds: float, share: float = 1.0) -> None:
        self._port, self._until, self._share = port, time.monotonic() + seconds, share
        self.seen = Counter[str]()

    async def run(self) -> dict[str, int]:
        kinds: list[Awaitable[None]] = [self._heavy(n) for n in range(8)]
        kinds += [self._silent(n) for n in range(round(_SILENT * self._share))]
        kinds += [self._slow(n) for n in range(round(_SLOW * self._share))]
        kinds += [self._headers(), self._pipelined(), self._unread()]
        await asyncio.gather(*kinds)
        return dict(sorted(self.seen.items()))

    async def _repeated(
        self, kind: str, address: str, act: Callable[[Stream], Awaitable[str]]
    ) -> None:
        """Connect, act, and again; note how each ended."""
        while time.monotonic() < self._until:
            ending = "refused"
            with suppress(OSError, asyncio.IncompleteReadError):
                stream = await self._connect(address)
                try:
                    async with asyncio.timeout(max(0.1, self._until - time.monotonic())):
                        ending = await act(stream)
                except (TimeoutError, OSError):
                    ending = "closed"
                finally:
                    stream[1].transport.abort()
            self.seen[f"{kind}: {ending}"] += 1
            await asyncio.sleep(_PAUSE)

    async def _connect(self, address: str) -> Stream:
        made = socket.socket()
        made.setblocking(False)
        made.bind((address, 0))
        await asyncio.get_running_loop().sock_connect(made, ("127.0.0.1", self._port))
        return await asyncio.open_connection(sock=made)

    async def _heavy(self, client: int) -> None:
        number = client

        async def act(stream: Stream) -> str:
            nonlocal number
            number += 9
            stream[1].write(heavy(number))
            return await _status(stream)

        await self._repeated("heavy", f"127.0.2.{1 + client % 4}", act)

    async def _silent(self, number: int) -> None:
        async def act(stream: Stream) -> str:
            await stream[0].read(1)
            return "closed"

        await self._repeated("silent", f"127.0.3.{1 + number % 8}", act)

    async def _slow(self, number: int) -> None:
        """A byte a second, of headers or of a body."""
        body = post(b" " * 1000)
        text = body if number % 2 else body[: body.index(b"\r\n\r\n")] + b"\r\nX: " + b"y" * 1000

        async def act(stream: Stream) -> str:
            sent = text.find(b"\r\n\r\n") + 4 if number % 2 else 1
            stream[1].write(text[:sent])
            for byte in text[sent:]:
                stream[1].write(bytes([byte]))
                with suppress(TimeoutError):
                    async with asyncio.timeout(1.0):
                        return await _status(stream)
            return "all sent"

        await self._repeated("slow", f"127.0.4.{1 + number % 4}", act)

    async def _headers(self) -> None:
        """400 MB of headers, in one and in many."""

        async def act(stream: Stream) -> str:
            stream[1].write(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
            line = b"y" * _PIECE if time.monotonic() % 2 < 1 else b"y: z\r\nx" * (_PIECE // 7)
            for _ in range(400_000_000 // _PIECE):
                stream[1].write(line)
                await stream[1].drain()
            return "all sent"

        await self._repeated("headers", "127.0.5.1", act)

    async def _pipelined(self) -> None:
        """610,000 requests before the first answer is read."""

        async def act(stream: Stream) -> str:
            stream[1].write(heavy(3))
            for _ in range(610):
                stream[1].write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 1000)
                await stream[1].drain()
            return "all sent"

        await self._repeated("pipelined", "127.0.6.1", act)

    async def _unread(self) -> None:
        """Large answers that nobody reads."""
        request = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"

        async def act(stream: Stream) -> str:
            stream[1].transport.pause_reading()  # type: ignore[attr-defined]
            for _ in range(10_000):
                stream[1].write(request)
                await stream[1].drain()
                await asyncio.sleep(0.002)
            return "all sent"

        await self._repeated("unread", "127.0.7.1", act)


async def _status(stream: Stream) -> str:
    answer = await stream[0].readline()
    return answer.split(b" ")[1].decode() if answer else "closed"


if __name__ == "__main__":
    print(json.dumps(asyncio.run(Attack(int(sys.argv[1]), float(sys.argv[2])).run())))
