"""`python -m benchmarks [--theories N]`: every measurement, one line each."""

from __future__ import annotations

import argparse

from benchmarks import symbolic


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--theories", type=int, default=5_000, help="how many DU5 theories to generate"
    )
    options = parser.parse_args()
    for line in symbolic.report(options.theories):
        print(line, flush=True)


if __name__ == "__main__":
    main()
