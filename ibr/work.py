"""Work that survives a kill: an output grows beside its place, and moves there when it is whole.

While a run works, OUT.part has its lines, and the manifest OUT.part.json says how many of them
count. At the end OUT.part becomes OUT; the manifest of a shard becomes OUT.manifest.json, by which
`ibr.parts` merges, any other is deleted.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Final

from ibr.batching import Shard
from ibr.errors import UsageError
from ibr.parts import Job, Manifest, PartError, Places, digest

SAVE_EVERY: Final = 2.0  # seconds of work that a kill may cost
_CHUNK: Final = 1 << 20


class Work:
    """An output in the making: units are added in order, each survives a kill soon after."""

    def __init__(self, places: Places, manifest: Manifest, stream: IO[bytes]) -> None:
        self._places, self._manifest, self._stream = places, manifest, stream
        self._units, self._bytes = list(manifest.units), manifest.bytes
        self._hash = hashlib.sha256()
        for start in range(0, self._bytes, _CHUNK):
            self._hash.update(stream.read(min(_CHUNK, self._bytes - start)))
        if self._hash.hexdigest() != manifest.sha256:
            raise PartError(places.part, f"not as {places.state.name} says; {places.again}")
        stream.seek(manifest.bytes)
        stream.truncate()
        self._saved = time.monotonic()

    @property
    def done(self) -> int:
        """Units that are behind us."""
        return len(self._units)

    @property
    def lines(self) -> int:
        return sum(self._units)

    def add(self, lines: Sequence[str]) -> None:
        data = "".join(f"{line}\n" for line in lines).encode()
        self._stream.write(data)
        self._hash.update(data)
        self._units.append(len(lines))
        self._bytes += len(data)
        if time.monotonic() - self._saved >= SAVE_EVERY:
            self.save()

    def save(self, complete: bool = False) -> None:
        self._stream.flush()
        os.fsync(self._stream.fileno())
        manifest = replace(
            self._manifest,
            units=self._units,
            bytes=self._bytes,
            sha256=self._hash.hexdigest(),
            complete=complete,
        )
        manifest.save(self._places.state)
        self._saved = time.monotonic()


@contextmanager
def working(places: Places, job: Job, shard: Shard | None, resume: bool) -> Iterator[Work | None]:
    """The work to go on with, or None if all is done. Leaving without an error finishes it.

    Raises PartError if what is there is of another job, UsageError if it should not be touched.
    """
    begun = _begun(places, Manifest(job, shard or Shard()), resume)
    if begun.complete:
        _publish(places, keep=shard is not None)
        yield None
        return
    places.out.parent.mkdir(parents=True, exist_ok=True)
    if not places.state.exists():
        begun.save(places.state)
    with _locked(places.part) as stream:
        work = Work(places, Manifest.load(places.state), stream)
        try:
            yield work
        except BaseException:
            work.save()
            raise
        work.save(complete=True)
        _publish(places, keep=shard is not None)


def _begun(places: Places, wanted: Manifest, resume: bool) -> Manifest:
    """How far an earlier run came; `wanted` itself, with nothing done, if there was none."""
    if resume and not places.state.exists() and places.manifest.exists() and places.out.exists():
        finished = Manifest.load(places.manifest)
        same = (finished.job, finished.shard) == (wanted.job, wanted.shard)
        if same and finished.sha256 == digest(places.out):
            return finished
    if not places.state.exists():
        if places.part.exists():
            raise PartError(places.part, f"is in the way: no {places.state.name} belongs to it")
        return wanted
    if not resume:
        raise UsageError(
            f"{places.state}: an earlier run was not finished: add --resume to go on with it, or "
            f"{places.again}"
        )
    begun = Manifest.load(places.state)
    changes = wanted.job.changes(begun.job)
    if begun.shard != wanted.shard:
        changes = ", ".join(filter(None, [changes, f"--shard ({wanted.shard}, not {begun.shard})"]))
    if changes:
        raise PartError(
            places.state,
            f"that run cannot go on, as this has changed: {changes}; change it back, or "
            f"{places.again}",
        )
    return begun


def _publish(places: Places, keep: bool) -> None:
    """What is complete takes its place; a kill in between is made good by the next call."""
    if not places.state.exists():
        return
    made = places.part if places.part.exists() else places.out
    if Manifest.load(places.state).sha256 != digest(made):
        raise PartError(made, f"not as {places.state.name} says; {places.again}")
    made.replace(places.out)
    if keep:
        places.state.replace(places.manifest)
    else:
        places.state.unlink()


@contextmanager
def _locked(path: Path) -> Iterator[IO[bytes]]:
    """The file, for this process alone until it ends, however it does."""
    import fcntl

    with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PartError(path, "another process is writing it") from None
        yield stream
