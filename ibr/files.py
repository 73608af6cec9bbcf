"""The one place that writes files: each appears whole or not at all, and an error names its path.

A file or a folder is written beside its place, synced and renamed. Two files grow in place and
are cut to what counts when work goes on: the part of an unfinished run (`ibr.bulk.parts`) and the
log of a training. Libraries write only inside a `new_folder`.
"""

import glob
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from ibr.errors import IbrError

try:
    import fcntl
except ImportError:  # not on Windows: there nothing is locked
    fcntl = None  # type: ignore[assignment]

TEMP: Final = ".tmp"  # after the name of a folder that is not finished
PART: Final = ".part"  # after the name of such a file, which begins with a point


class InUse(IbrError):
    """Another process writes there."""


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Name `path` in errors that name nothing, or what is written in its stead."""
    whole = Path(path).absolute()
    instead = f"{whole}{TEMP}", str(whole.with_name(f".{whole.name}."))
    try:
        yield
    except OSError as error:
        if error.filename is None or os.path.abspath(error.filename).startswith(instead):
            error.filename, error.filename2 = str(path), None
        raise


@contextmanager
def new_file(path: Path) -> Iterator[IO[str]]:
    """A text file that replaces `path` when it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with naming(path):
        handle, name = _beside(path)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
                yield stream
                flush(stream)
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(name, 0o666 & ~mask)  # mkstemp makes private files; data files are not
            rename(Path(name), path)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise


def _beside(path: Path) -> tuple[int, str]:
    """A new file for what becomes `path`. Removes those of processes that were killed."""
    for old in path.parent.glob(f".{glob.escape(path.name)}.*{PART}"):
        with suppress(InUse), locked(old, ""):
            old.unlink()
    while True:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=PART)
        if fcntl:
            fcntl.flock(handle, fcntl.LOCK_EX)
        if os.path.exists(name):  # else another process removed it before it was locked
            return handle, name
        os.close(handle)


def write_file(path: Path, text: str) -> None:
    """Whole or not at all; inside a `new_folder`, which is so itself, in place."""
    if path.parent.name.endswith(TEMP):
        path.write_text(text, encoding="utf-8", newline="\n")
        return
    with new_file(path) as stream:
        stream.write(text)


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A folder to write into; it gets its name when everything in it is on the disk."""
    temp = folder.with_name(folder.name + TEMP)
    with naming(folder):
        shutil.rmtree(temp, ignore_errors=True)
        try:
            temp.mkdir(parents=True)
            yield temp
            for path in (*temp.rglob("*"), temp):
                sync(path)
            rename(temp, folder)
        except BaseException:
            shutil.rmtree(temp, ignore_errors=True)
            raise


def discard(folder: Path) -> None:
    """Remove a folder, renamed first: one that has its name is whole."""
    if folder.exists():
        temp = folder.with_name(folder.name + TEMP)
        with naming(folder):
            shutil.rmtree(temp, ignore_errors=True)
            os.replace(folder, temp)
            shutil.rmtree(temp, ignore_errors=True)  # what stays has no name that counts


@contextmanager
def locked(path: Path, busy: str) -> Iterator[IO[bytes]]:
    """The file, made if it is not there, for this process alone. Raises InUse with `busy`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with naming(path), open(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b") as stream:
        try:
            if fcntl:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InUse(busy) from None
        yield stream


def append(path: Path, text: str) -> None:
    with naming(path), path.open("a", encoding="utf-8") as stream:
        stream.write(text)


def flush(stream: IO[str] | IO[bytes]) -> None:
    """To the disk."""
    stream.flush()
    os.fsync(stream.fileno())


def rename(old: Path, new: Path) -> None:
    with naming(new):
        os.replace(old, new)
        sync(new.parent)


def sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
