"""Outputs of long runs: in shards, and written so that a kill loses little.

A file is divided into units: runs of consecutive questions about one theory, at most `UNIT` of
them, so that no batch holds two theories and the output is the same however the file was divided.
During a run OUT.part has the lines, and the manifest OUT.part.json the number of those that count.
At the end OUT.part becomes OUT, and the manifest of a shard OUT.manifest.json, for merging.
"""

import hashlib
import json
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any, Final, Self, TypeVar

from ibr import __version__
from ibr.data.formats.jsonl import writing
from ibr.errors import IbrError, InputError, UsageError
from ibr.files import flush, locked, naming, rename, resolved, sha256, write_file

T = TypeVar("T")
UNIT: Final = 64  # questions; part of the manifest's format
_FORMAT: Final = 1
_MOST: Final = 999_999  # shards
SAVE_EVERY: Final = 2.0  # seconds of work that a kill may lose
_CHUNK: Final = 1 << 20


class PartError(IbrError):
    """A part or a manifest that does not fit; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Shard:
    """Unit k (from 0) belongs to shard k mod `count` + 1."""

    number: int = 1  # from 1
    count: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.count <= _MOST:
            raise InputError(f"there is no shard {self}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """`2/7`. Raises UsageError."""
        try:
            number, count = map(int, text.split("/"))
            return cls(number, count)
        except ValueError:
            why = f"give i/n with i from 1 to n, as 2/7; n is at most {_MOST:,}"
            raise UsageError(f"--shard {text}: {why}") from None

    def of(self, units: Iterable[T]) -> Iterator[T]:
        return (unit for k, unit in enumerate(units) if k % self.count == self.number - 1)

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"


@dataclass(frozen=True)
class OutputKey:
    """All that the bytes of an output depend on, but no names of files."""

    input: str  # sha256
    reasoner: str
    model: str | None  # sha256
    options: dict[str, Any]
    unit: int = UNIT
    version: str = __version__

    def changes(self, other: Self) -> list[str]:
        """What differs: `the input`, `--beams (8, not 4)`."""
        pairs = [
            ("the reasoner", self.reasoner, other.reasoner),
            ("the version of ibr", self.version, other.version),
            ("the size of a unit", self.unit, other.unit),
        ]
        for name in sorted({*self.options, *other.options}):
            option = f"--{name.replace('_', '-')}"
            pairs.append((option, self.options.get(name), other.options.get(name)))
        found = ["the input"] if self.input != other.input else []
        found += ["the model's files"] if self.model != other.model else []
        return found + [f"{label} ({mine}, not {old})" for label, mine, old in pairs if mine != old]


@dataclass
class Manifest:
    """A job, its shard, and how much of it is done."""

    job: OutputKey
    shard: Shard
    units: list[int] = field(default_factory=list)  # lines of each one done; 0 if all was left out
    bytes: int = 0  # of these lines
    sha256: str = hashlib.sha256().hexdigest()  # of these lines
    complete: bool = False
    format: int = _FORMAT

    @classmethod
    def load(cls, path: Path) -> Self:
        """Raises PartError if it is not one."""
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            job, shard = OutputKey(**record.pop("job")), Shard(**record.pop("shard"))
            manifest = cls(job, shard, **record)
            counts = [manifest.bytes, manifest.format, shard.number, shard.count, *manifest.units]
            whole = all(type(number) is int and number >= 0 for number in counts)
            if not whole or type(job.options) is not dict:
                raise TypeError
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise PartError(f"{path}: not a manifest of `ibr predict`, or damaged") from None
        if manifest.format != _FORMAT:
            raise PartError(f"{path}: a manifest of format {manifest.format}, not {_FORMAT}")
        return manifest

    def save(self, path: Path) -> None:
        write_file(path, json.dumps(asdict(self), separators=(",", ":")) + "\n")


class Places:
    """The files of an output, side by side."""

    def __init__(self, out: str | Path) -> None:
        self.out = resolved(out)
        self.part = self.out.parent / f"{self.out.name}.part"
        self.state = self.out.parent / f"{self.out.name}.part.json"
        self.manifest = self.out.parent / f"{self.out.name}.manifest.json"
        self.again = f"delete {self.part.name} and {self.state.name} to start again"


def digest(path: Path) -> str:
    """The sha256 of a file, or of all that is in a folder."""
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file())
        names = (f"{file.relative_to(path).as_posix()} {digest(file)}\n" for file in files)
        return hashlib.sha256("".join(names).encode()).hexdigest()
    return sha256(path)


class Lines:
    """An output without a manifest."""

    def __init__(self, stream: IO[str]) -> None:
        self.done: list[int] = []
        self._stream = stream

    def add(self, lines: Sequence[str]) -> None:
        self._stream.writelines(f"{line}\n" for line in lines)


@contextmanager
def plain(out: str) -> Iterator[Lines]:
    with writing(out) as stream:
        yield Lines(stream)


class Work:
    """An unfinished output: units are added in order and saved every few seconds."""

    def __init__(self, places: Places, stream: IO[bytes]) -> None:
        self.manifest = Manifest.load(places.state)
        self._places, self._stream, self._hash = places, stream, hashlib.sha256()
        for start in range(0, self.manifest.bytes, _CHUNK):
            self._hash.update(stream.read(min(_CHUNK, self.manifest.bytes - start)))
        if self._hash.hexdigest() != self.manifest.sha256:
            raise PartError(f"{places.part}: does not match {places.state.name}; {places.again}")
        stream.seek(self.manifest.bytes)
        stream.truncate()
        self.done = list(self.manifest.units)  # lines of each unit that was there at the start
        self._saved = time.monotonic()

    def add(self, lines: Sequence[str]) -> None:
        data = "".join(f"{line}\n" for line in lines).encode()
        self._stream.write(data)
        self._hash.update(data)
        self.manifest.units.append(len(lines))
        self.manifest.bytes += len(data)
        if time.monotonic() - self._saved >= SAVE_EVERY:
            self.save()

    def save(self) -> None:
        flush(self._stream)
        self.manifest.sha256 = self._hash.hexdigest()
        self.manifest.save(self._places.state)
        self._saved = time.monotonic()


Output = AbstractContextManager[Lines | Work | None]


@contextmanager
def working(
    places: Places, job: OutputKey, shard: Shard | None, resume: bool
) -> Iterator[Work | None]:
    """The work to continue, or None if all is done; it is finished on leaving without an error.

    Raises PartError if the files are of another job, UsageError if they must not be touched.
    """
    begun = _begun(places, Manifest(job, shard or Shard()), resume)
    if begun.complete:
        _publish(places, keep=shard is not None)
        yield None
        return
    if not places.state.exists():
        begun.save(places.state)
    busy = f"{places.part}: another process is writing it"
    with naming(places.out), locked(places.part, busy) as stream:
        work = Work(places, stream)
        try:
            yield work
        except OSError:  # after a write that failed, nobody knows what was written
            raise
        except BaseException:
            work.save()
            raise
        work.manifest.complete = True
        work.save()
        _publish(places, keep=shard is not None)


def _begun(places: Places, wanted: Manifest, resume: bool) -> Manifest:
    """The manifest of an earlier run; `wanted`, with nothing done, if there was none."""
    if not places.state.exists():
        if resume and places.manifest.exists() and places.out.exists():
            finished = Manifest.load(places.manifest)
            same = (finished.job, finished.shard) == (wanted.job, wanted.shard)
            if same and finished.sha256 == digest(places.out):
                return finished
        if places.part.exists():
            raise PartError(f"{places.part}: is in the way: no {places.state.name} belongs to it")
        return wanted
    if not resume:
        why = "an earlier run was not finished: add --resume to go on with it"
        raise UsageError(f"{places.state}: {why}, or {places.again}")
    begun = Manifest.load(places.state)
    changes = wanted.job.changes(begun.job)
    if begun.shard != wanted.shard:
        changes.append(f"--shard ({wanted.shard}, not {begun.shard})")
    if changes:
        why = f"that run cannot go on, as this has changed: {', '.join(changes)}; change it back"
        raise PartError(f"{places.state}: {why}, or {places.again}")
    return begun


def _publish(places: Places, keep: bool) -> None:
    """Move complete files to their places; after a kill in between, the next call goes on."""
    if not places.state.exists():
        return
    made = places.part if places.part.exists() else places.out
    if Manifest.load(places.state).sha256 != digest(made):
        raise PartError(f"{made}: does not match {places.state.name}; {places.again}")
    rename(made, places.out)
    if keep:
        rename(places.state, places.manifest)
    else:
        places.state.unlink()
