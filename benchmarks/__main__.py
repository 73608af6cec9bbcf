"""`python -m benchmarks [symbolic|neural]`: speed measurements, one line each.

Other programs have options of their own: `audit`, `cluster`, `cold`, `english`, `fit_kinds` (makes
the file that `kinds` measures), `fuzz`, `individuals`, `invented`, `kinds`, `metamorphic`, `roles`,
`serving`, `warm`, `word_salad`; see for example `python -m benchmarks audit --help`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from benchmarks.symbolic import DATA

SLICE = DATA / "depth-5-dev-slice"

PROGRAMS = (
    "audit", "cluster", "cold", "english", "fit_kinds", "fuzz", "individuals", "invented", "kinds",
    "metamorphic", "roles", "serving", "warm", "word_salad",
)  # fmt: skip


def main() -> None:
    if sys.argv[1:2] and sys.argv[1] in PROGRAMS:
        import_module(f"benchmarks.{sys.argv[1]}").main(sys.argv[2:])
        return
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("part", nargs="?", choices=["symbolic", "neural"], help="default: both")
    parser.add_argument(
        "--theories", type=int, default=5_000, help="how many DU5 theories to generate"
    )
    parser.add_argument("--run", type=Path, help="folder of a trained model, for its decoding")
    parser.add_argument("--data", type=Path, default=SLICE, help="questions that are decoded")
    for line in report(parser.parse_args()):
        print(line, flush=True)


def report(options: argparse.Namespace) -> Iterator[str]:
    if options.part != "neural":
        from benchmarks import symbolic

        yield from symbolic.report(options.theories)
    if options.part != "symbolic":
        from benchmarks import neural  # needs torch

        yield from neural.report(options.run, options.data)


if __name__ == "__main__":
    main()
