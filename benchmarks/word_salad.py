"""`python -m benchmarks word_salad`: how long the reader takes a sentence, at best and at worst.

Random word sequences of 3 to 40 words and nested coordinations, none of them an English that anyone
would write; and the sentences of `tests/english` for the median. Prints percentiles in milliseconds
and the slowest text.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from ibr.asking.rulebook import Rulebook
from ibr.logic.surface.segment import segment

FOLDER: Final = Path(__file__).resolve().parent.parent / "tests" / "english"
WORDS: Final = (
    "the a an no every all some only not nobody everyone who which that and or but if unless "
    "except is are has have may must can does do was been being by of in to with for Tom Ann it he "
    "they their dog dogs member members card red old suspended likes like owner shop Mrs such as "
    "both neither nor each one other than without because when then, there"
).split()
CONDITIONS: Final = (
    "late", "not insured", "in the house", "a member", "suspended by the owner", "old and tired",
    "either red or blue", "neither old nor red", "without a card", "known to Tom or to Ann",
)  # fmt: skip


def salads(count: int, rng: random.Random) -> Iterator[str]:
    for _ in range(count):
        words = rng.choices(WORDS, k=rng.randint(3, 40))
        yield " ".join(words).capitalize() + "."


def nested(count: int, rng: random.Random) -> Iterator[str]:
    """A member who is … and … or … may enter unless they are …"""
    for _ in range(count):
        first = _joined(rng.choices(CONDITIONS, k=rng.randint(2, 9)), rng)
        second = _joined(rng.choices(CONDITIONS, k=rng.randint(1, 6)), rng)
        yield f"Members and guests who are {first} may enter unless they are {second}."


def _joined(parts: list[str], rng: random.Random) -> str:
    text = parts[0]
    for part in parts[1:]:
        text += rng.choice((", ", " and ", " or ", " but not ", " and who are ")) + part
    return text


def timed(texts: Iterable[str]) -> list[tuple[float, str]]:
    """(milliseconds, text), the slowest last; each text is a rulebook of its own."""
    found = []
    for text in texts:
        start = time.perf_counter()
        Rulebook.parse(text)
        found.append((1000 * (time.perf_counter() - start), text))
    return sorted(found)


def ordinary() -> Iterator[str]:
    for path in sorted(FOLDER.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            item = json.loads(line)
            text = item.get("rules") or item["sentence"]
            yield from (part.text for part in segment(text))


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks word_salad", description=__doc__)
    parser.add_argument(
        "--count", type=int, default=5_000, help="of random texts, half of each kind"
    )
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(argv)
    rng = random.Random(given.seed)
    Rulebook.parse("Tom is a member.")  # word lists are loaded once
    for name, texts in (
        ("ordinary", ordinary()),
        ("salads", salads(given.count // 2, rng)),
        ("nested", nested(given.count - given.count // 2, rng)),
    ):
        found = timed(texts)
        at = [found[int(share * (len(found) - 1))][0] for share in (0.5, 0.95, 1)]
        print(
            f"{name}: {len(found)} texts, median {at[0]:.1f} ms, p95 {at[1]:.1f}, worst {at[2]:.1f}"
        )
        print(f"  {found[-1][1]}")
