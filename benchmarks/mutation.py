"""Damaged copies of small inputs: bytes, words and JSON values that are changed at random."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from typing import Any, Final

LONGEST: Final = 4_000  # bytes of a mutation, so that many fit into a run
PIECES: Final[tuple[bytes, ...]] = (
    b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\x1b[2J", b"\r", b"\n", b"\n\n", b"\t", b'"', b"'",
    b"\\", b"\\ud800", b"\\u0000", b"[", b"]", b"{", b"}", b"(" * 200, b"[" * 2000, b"->", b"<-",
    b":", b",", b".", b"?", b";", b"NaN", b"Infinity", b"-1", b"0.5", b"1e999", b"9" * 5000,
    b"18446744073709551616", b"null", b"true", b'""', b"[]", b"{}", b"NAF", b"FAIL", b"END",
    b"triple1", b"rule9", b"step-1", b"../", b"%00", b"# ", b"- ", b"1. ", b"(a) ", b" not ",
    b" no ", b" if ", b" then ", b" unless ", b" and ", b" or ", b" who ", b" someone ", b" X ",
    b" every ",    b" at least 3 ", b" he ", b" than ", b"'s ", b" a ", b" is ", b"e\xcc\x81" * 40,
    "\u202e\u2028\u00a0\ufeff".encode(), "Straße İ ǅ 漢字 😀".encode(), b"word " * 300,
)  # fmt: skip
VALUES: Final[tuple[Any, ...]] = (
    None, True, False, 0, -1, 1, 0.5, 2**31, 2**64, -(10**30), 1e308, "", " ", "x", "\ud800",
    "\x00", "NAF", "0", "Bob is big.", "is" * 500, [], {}, [[]], [None], [0, 0], {"": {}},
    ["NAF", "NAF"],
    float("nan"), float("inf"), [1] * 300, {"id": "a"},
)  # fmt: skip


def mutations(
    seeds: Sequence[bytes], count: int, seed: int, structured: bool = False
) -> list[bytes]:
    """`count` damaged copies; the same for the same seed. `structured`: lines may be JSON."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        data = rng.choice(seeds)
        for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
            if structured and rng.random() < 0.6:
                data = _in_json(rng, data, seeds)
            else:
                data = rng.choice(_CHANGES)(rng, data, seeds)[:LONGEST]
        found.append(data)
    return found


def _cut(rng: random.Random, size: int) -> tuple[int, int]:
    start = rng.randrange(size + 1)
    return start, min(size, start + rng.choice((1, 1, 2, 5, 20, 200)))


def _flip(rng: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    changed = bytearray(data or b" ")
    changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _delete(rng: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    start, end = _cut(rng, len(data))
    return data[:start] + data[end:]


def _repeat(rng: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    start, end = _cut(rng, len(data))
    return data[:end] + data[start:end] * rng.choice((1, 1, 3, 30)) + data[end:]


def _insert(rng: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + rng.choice(PIECES) + data[place:]


def _splice(rng: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    other = rng.choice(seeds)
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def _truncate(rng: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _swap_words(rng: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    words = data.split(b" ")
    one, two = rng.randrange(len(words)), rng.randrange(len(words))
    words[one], words[two] = words[two], words[one]
    return b" ".join(words)


def _other_word(rng: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """A word, or what follows it, becomes that of another seed."""
    words, others = data.split(b" "), rng.choice(seeds).split(b" ")
    place, other = rng.randrange(len(words)), rng.randrange(len(others))
    after = words[place + 1 :] if rng.random() < 0.7 else others[other + 1 :]
    return b" ".join([*words[:place], others[other], *after])


def _in_json(rng: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """One value of one line (or of the last paragraph, as in a request) becomes another."""
    separator = b"\n\n" if b"\n\n" in data else b"\n"
    lines = [data] if data.lstrip()[:1] == b"{" and b"\n{" not in data else data.split(separator)
    place = rng.randrange(len(lines))
    try:
        value = json.loads(lines[place])
    except (ValueError, RecursionError):
        return _insert(rng, data, seeds)[:LONGEST]
    changed = json.dumps(_changed(rng, value), ensure_ascii=rng.random() < 0.5)
    lines[place] = changed.encode(errors="surrogatepass")
    return separator.join(lines)


def _changed(rng: random.Random, value: Any) -> Any:
    if isinstance(value, dict | list) and value and rng.random() < 0.85:
        key = rng.choice(list(value) if isinstance(value, dict) else range(len(value)))
        draw = rng.random()
        if draw < 0.1:
            del value[key]
        elif draw < 0.2 and isinstance(value, dict):
            value[str(rng.choice(VALUES))] = value.pop(key)
        elif draw < 0.3 and isinstance(value, list):
            value.insert(key, rng.choice(value))
        else:
            value[key] = _changed(rng, value[key])
        return value
    if isinstance(value, str) and rng.random() < 0.5:
        text = _insert(rng, value.encode(errors="replace"), [b""])
        return text.decode(errors="replace")
    return rng.choice(VALUES)


_CHANGES: Final[tuple[Callable[[random.Random, bytes, Sequence[bytes]], bytes], ...]] = (
    _flip, _delete, _repeat, _insert, _splice, _truncate, _swap_words, _other_word,
)  # fmt: skip
