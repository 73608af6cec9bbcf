"""`python -m benchmarks.meetings [--show KIND] [--concept WORD]`: wordings that should meet.

Every fact of a concept in `tests/english/meetings.txt` beside every rule that needs it. A fact that
settles the condition must not be answered by `not shown` or `no`, one that does not by `yes`.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

import ibr

FILE: Final = Path(__file__).resolve().parent.parent / "tests" / "english" / "meetings.txt"


class Pair(NamedTuple):
    """A fact and a rule; `settles` says whether the fact meets the rule's condition."""

    concept: str
    fact: str
    rule: str
    question: str
    settles: bool

    def kind_of(self, verdict: str) -> str:
        """right, undecided or wrong."""
        if verdict in ("cannot say", "contradictory"):
            return "undecided"
        return "right" if (verdict == "yes") is self.settles else "wrong"


def pairs(path: Path = FILE) -> Iterator[Pair]:
    text = "\n".join(line for line in path.read_text("utf-8").split("\n") if line[:1] != "#")
    for part in text.split("\n[")[1:]:
        concept, *lines = part.strip().split("\n")
        said = {mark: [line[2:] for line in lines if line[:1] == mark] for mark in "=+-?"}
        for mark, rule in product("+-", said["?"]):
            for fact in said[mark]:
                yield Pair(concept.rstrip("]"), fact, rule, said["="][0], mark == "+")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", choices=("right", "undecided", "wrong"), default="")
    parser.add_argument("--concept", default="", help="only those with this word")
    given = parser.parse_args()
    prover, counts = ibr.load("solver"), Counter[tuple[str, str]]()
    for pair in (pair for pair in pairs() if given.concept in pair.concept):
        result = prover.prove(f"{pair.fact} {pair.rule}", pair.question)
        kind, side = pair.kind_of(str(result.verdict)), "+" if pair.settles else "-"
        counts[side, kind] += 1
        if kind == given.show:
            print(f"{side} {pair.fact} | {pair.rule} -> {result.verdict} {result.reason or ''}")
    for (side, kind), number in sorted(counts.items()):
        total = sum(n for (s, _), n in counts.items() if s == side)
        print(f"{side} {kind}: {number} of {total} ({100 * number / total:.1f} %)")


if __name__ == "__main__":
    main()
