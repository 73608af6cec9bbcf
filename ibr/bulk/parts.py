"""The parts of a long work on a file: what was asked, how far it is, and parts made one again.

Knows lines and units (`ibr.batching`), not what is in them. How a part is made, and made to survive
a kill, is `ibr.work`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from itertools import count, islice
from pathlib import Path
from typing import Any, Final

from ibr import __version__
from ibr.batching import UNIT, Shard
from ibr.errors import IbrError, UsageError
from ibr.files import STANDARD, writing

_FORMAT: Final = 1


class PartError(IbrError):
    """A part or a manifest that does not fit; the message says what to do."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path}: {why}")


@dataclass(frozen=True)
class Job:
    """All that the bytes of an output depend on. Names of files and folders are not among it."""

    input: str  # sha256
    reasoner: str
    model: str | None  # sha256
    options: dict[str, Any]
    unit: int = UNIT
    version: str = __version__

    def changes(self, other: Job) -> str:
        """What differs, for a person: `the input, --beams (8, not 4)`; empty if nothing does."""
        told = [
            f"{label} ({mine}, not {theirs})"
            for label, mine, theirs in (
                ("the reasoner", self.reasoner, other.reasoner),
                ("the version of ibr", self.version, other.version),
                ("the size of a unit", self.unit, other.unit),
                *_changed_options(self.options, other.options),
            )
            if mine != theirs
        ]
        if self.model != other.model:
            told.insert(0, "the model's files")
        if self.input != other.input:
            told.insert(0, "the input")
        return ", ".join(told)


def _changed_options(
    mine: dict[str, Any], theirs: dict[str, Any]
) -> Iterator[tuple[str, Any, Any]]:
    for name in sorted({*mine, *theirs}):
        yield f"--{name.replace('_', '-')}", mine.get(name), theirs.get(name)


@dataclass(frozen=True)
class Manifest:
    """A job, which shard of it, and how far it is."""

    job: Job
    shard: Shard
    units: Sequence[int] = ()  # lines of each unit that is done; 0 if all was left out
    bytes: int = 0  # of these lines
    sha256: str = hashlib.sha256().hexdigest()  # of these lines
    complete: bool = False
    format: int = _FORMAT

    @property
    def lines(self) -> int:
        return sum(self.units)

    @classmethod
    def load(cls, path: Path) -> Manifest:
        """Raises PartError if it is not one."""
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            job, shard = Job(**record.pop("job")), Shard(**record.pop("shard"))
            manifest = cls(job, shard, **record)
            counts = [manifest.bytes, manifest.format, shard.number, shard.count, *manifest.units]
            if not all(isinstance(number, int) for number in counts):
                raise TypeError
        except (ValueError, KeyError, TypeError, AttributeError):
            raise PartError(path, "not a manifest of `ibr predict`, or damaged") from None
        if manifest.format != _FORMAT:
            raise PartError(path, f"a manifest of format {manifest.format}, not {_FORMAT}")
        return manifest

    def save(self, path: Path) -> None:
        """In place of the old one, at once."""
        new = path.with_name(f"{path.name}.new")
        with new.open("w", encoding="utf-8") as stream:
            record = vars(self) | {"job": vars(self.job), "shard": asdict(self.shard)}
            stream.write(json.dumps(record, separators=(",", ":")) + "\n")
            stream.flush()
            os.fsync(stream.fileno())
        new.replace(path)


class Places:
    """The files of an output, side by side."""

    def __init__(self, out: str | Path) -> None:
        self.out = Path(out).resolve()  # through a symbolic link, so that the link survives
        self.part, self.state, self.manifest = (
            self.out.with_name(self.out.name + end)
            for end in (".part", ".part.json", ".manifest.json")
        )

    @property
    def again(self) -> str:
        return f"delete {self.part.name} and {self.state.name} to start again"


def digest(path: Path) -> str:
    """The sha256 of a file, or of all that is in a folder."""
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file())
        names = (f"{file.relative_to(path).as_posix()} {digest(file)}\n" for file in files)
        return hashlib.sha256("".join(names).encode()).hexdigest()
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def merge(out: str, parts: Sequence[Path]) -> int:
    """Writes the lines of all shards in the order of the input; says how many lines there are.

    Raises PartError unless all parts are whole, of one job, and every shard is there once.
    """
    if out != STANDARD and Path(out).resolve() in [part.resolve() for part in parts]:
        raise UsageError(f"{out}: is one of the parts; give the merged file another name")
    manifests = [_finished(part) for part in parts]
    _check_same(parts, manifests)
    by_number = dict(zip((m.shard.number for m in manifests), range(len(parts)), strict=True))
    order = [by_number[number] for number in sorted(by_number)]
    with ExitStack() as stack:
        target = stack.enter_context(writing(out))
        streams = [stack.enter_context(part.open(encoding="utf-8")) for part in parts]
        for k in count():
            place = order[k % len(order)]
            if k // len(order) == len(manifests[place].units):
                break
            target.writelines(islice(streams[place], manifests[place].units[k // len(order)]))
    return sum(manifest.lines for manifest in manifests)


def _finished(part: Path) -> Manifest:
    places = Places(part)
    if not places.manifest.exists():
        begun = "its run is not finished: repeat it with --resume" if places.state.exists() else ""
        raise PartError(part, begun or f"no {places.manifest.name} is beside it, as --shard makes")
    manifest = Manifest.load(places.manifest)
    if manifest.sha256 != digest(part):
        raise PartError(part, f"not as {places.manifest.name} says: make this part again")
    return manifest


def _check_same(parts: Sequence[Path], manifests: Sequence[Manifest]) -> None:
    first = manifests[0]
    found: dict[int, Path] = {}
    for part, manifest in zip(parts, manifests, strict=True):
        changes = manifest.job.changes(first.job)
        if manifest.shard.count != first.shard.count:
            changes = changes or f"--shard ({manifest.shard}, not of {first.shard.count})"
        if changes:
            raise PartError(part, f"does not belong to {parts[0]}: it differs in {changes}")
        if manifest.shard.number in found:
            other = found[manifest.shard.number]
            raise PartError(part, f"is shard {manifest.shard}, and so is {other}")
        found[manifest.shard.number] = part
    missing = [str(n) for n in range(1, first.shard.count + 1) if n not in found]
    if missing:
        raise UsageError(f"of {first.shard.count} shards these are missing: {', '.join(missing)}")
    sizes = [len(m.units) for m in sorted(manifests, key=lambda m: m.shard.number)]
    if sorted(sizes, reverse=True) != sizes or sizes[0] - sizes[-1] > 1:
        raise PartError(parts[0], f"the parts have {sizes} units: make them again")
