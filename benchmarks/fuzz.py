"""`python -m benchmarks fuzz`: damaged copies of a corpus through everything that reads input.

Every copy must be answered, or refused by an error that names its place, within five seconds of
processor time. Prints one line for each input, then what went wrong; the exit code is then 10.
"""

from __future__ import annotations

import argparse
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NoReturn

from benchmarks.fuzz_inputs import CORPUS, INPUTS, Read, seeds_of
from benchmarks.mutation import mutations
from ibr.data.formats.jsonl import DataError
from ibr.errors import ExitCode, IbrError

SECONDS: Final = 5.0  # of processor time, which a busy machine does not change
_SHOWN: Final = 10
_SEEDS: Final = {  # folders of the corpus, where it is not the input's own
    "problems": ("problems", "examples", "reported"),
    "model": ("rulebook",),
    "checkpoint": ("config",),
    "folder": ("config", "sums"),
}
_TEXTS: Final = {"rulebook", "question", "pararules", "notation", "model", "checkpoint"}


class Hang(BaseException):
    """A reader took longer than SECONDS."""


@dataclass
class Fuzzed:
    """What became of the mutations of one input."""

    name: str
    outcomes: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    faults: list[tuple[bytes, str]] = field(default_factory=list)

    def __str__(self) -> str:
        found = ", ".join(f"{count:,} {what}" for what, count in self.outcomes.most_common())
        total, measured = (
            self.outcomes.total(),
            f"{self.slowest:.2f} s; peak {peak_megabytes():.0f} MB",
        )
        faults = f"{len(self.faults)} faults"
        return f"{self.name}: {total:,} mutations, {faults}; {found}; slowest {measured}"


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@contextmanager
def _time_limit() -> Iterator[None]:
    def stop(*_: Any) -> NoReturn:
        raise Hang

    before = signal.signal(signal.SIGPROF, stop)
    try:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def fuzz(name: str, count: int, seed: int = 0) -> Fuzzed:
    make, _ = INPUTS[name]
    seeds = [seed for corpus in _SEEDS.get(name, (name,)) for seed in seeds_of(corpus)]
    found = Fuzzed(name)
    with tempfile.TemporaryDirectory() as folder:
        read = make(Path(folder))
        for data in mutations(seeds, count, seed, structured=name not in _TEXTS):
            began = time.process_time()
            found.outcomes[_outcome(read, data, found.faults)] += 1
            found.slowest = max(found.slowest, time.process_time() - began)
    return found


def _outcome(read: Read, data: bytes, faults: list[tuple[bytes, str]]) -> str:
    try:
        with _time_limit():
            read(data)
    except DataError as error:
        if error.line is None and not error.field and data.lstrip()[:1] != b"[":  # no document
            faults.append((data, f"no line: {error}"))
        return "refused with file and line" if error.line else "refused with file and field"
    except IbrError as error:
        if error.exit_code is ExitCode.INTERNAL or not str(error):
            faults.append((data, f"{type(error).__name__}: {error}"))
        return f"refused ({type(error).__name__})"
    except Hang:
        faults.append((data, f"more than {SECONDS:g} s"))
        return "hanging"
    except Exception as error:
        faults.append((data, f"{type(error).__name__}: {error}"))
        return "failed"
    return "answered"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks fuzz", description=__doc__)
    parser.add_argument("inputs", nargs="*", help=f"of {', '.join(INPUTS)}; default: all")
    parser.add_argument("--share", type=float, default=1.0, help="of the mutations")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="folder for the copies that went wrong")
    options = parser.parse_args(arguments)
    print(f"corpus: {sum(path.is_file() for path in CORPUS.rglob('*'))} files", flush=True)
    failed = False
    for name in options.inputs or INPUTS:
        found = fuzz(name, round(INPUTS[name][1] * options.share), options.seed)
        print(found, flush=True)
        for number, (data, why) in enumerate(found.faults[:_SHOWN]):
            print(f"  {why[:300]}: {data[:200]!r}", flush=True)
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{name}-{number}").write_bytes(data)
        failed = failed or bool(found.faults)
    sys.exit(ExitCode.UNPROVED if failed else 0)


if __name__ == "__main__":
    main()
