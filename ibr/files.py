"""The one place that writes files: each appears whole or not at all, and an error names its path.

A file or a folder is written beside its place, synced and renamed. Two files grow in place and
are cut to what counts when work goes on: the part of an unfinished run (`ibr.bulk.parts`) and the
log of a training. Libraries write only inside a `new_folder`. A file elsewhere (`RemotePath`) is
written here and copied there when it is complete.
"""

import errno
import glob
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final, cast

from ibr.errors import IbrError, UsageError

try:
    import fcntl
except ImportError:  # not on Windows: there nothing is locked
    fcntl = None  # type: ignore[assignment]

STDOUT: Final = "standard output"  # in errors
TEMP: Final = ".tmp"  # after the name of a folder that is not finished
METRICS: Final = "metrics.jsonl"  # the log of a training, in its run folder
PART: Final = ".part"  # after the name of such a file, which begins with a point


class InUse(IbrError):
    """Another process writes there."""


class RemotePath(PurePosixPath):
    """A file or folder of fsspec, `s3://bucket/key`: what readers and writers use of a Path."""

    def __str__(self) -> str:
        return super().__str__().replace(":/", "://", 1)

    def _place(self) -> tuple[Any, str]:
        """The file system, and the path in it."""
        try:
            from fsspec.core import url_to_fs

            system, name = url_to_fs(str(self))
        except (ImportError, ValueError) as error:  # no such protocol, or it needs a package
            hint = "; pip install 'ibr[cluster]'" if "fsspec" in str(error) else ""
            raise UsageError(f"{self}: {error}{hint}") from None
        return system, name

    def _asked(self, what: str, *arguments: Any, **options: Any) -> Any:
        system, name = self._place()
        return getattr(system, what)(name, *arguments, **options)

    def is_file(self) -> bool:
        return bool(self._asked("isfile"))

    def is_dir(self) -> bool:
        return bool(self._asked("isdir"))

    def exists(self) -> bool:
        return bool(self._asked("exists"))

    def unlink(self) -> None:
        self._asked("rm_file")

    def open(self, mode: str = "r", **options: Any) -> IO[Any]:
        try:
            return cast(IO[Any], self._asked("open", mode, **options))
        except FileNotFoundError:  # most file systems of fsspec give no reason
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(self)) from None

    @contextmanager
    def replaced(self) -> Iterator[TextIOWrapper]:
        system, name = self._place()
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder, "made")
            with new_file(made) as stream:
                yield stream
            system.makedirs(os.path.dirname(name), exist_ok=True)
            system.put_file(str(made), name)


def path_of(text: str | Path) -> Path:
    """A local path, or a RemotePath where the text has a protocol."""
    name = str(text).removeprefix("file://")
    return cast(Path, RemotePath(name)) if "://" in name else Path(name)


def resolved(path: str | Path) -> Path:
    """Through symbolic links, so that they are kept; one that leads to itself is not followed."""
    found = path_of(path)
    return found if is_remote(found) else Path(os.path.realpath(found))


def is_remote(path: object) -> bool:
    return isinstance(path, RemotePath)


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Name `path` in errors that name nothing, or what is written in its stead."""
    whole = Path(path).absolute()
    instead = f"{whole}{TEMP}", str(whole.parent / f".{whole.name}.")
    try:
        yield
    except OSError as error:
        if error.filename is None or os.path.abspath(error.filename).startswith(instead):
            error.filename, error.filename2 = str(path), None
        raise


@contextmanager
def new_file(path: Path) -> Iterator[TextIOWrapper]:
    """A text file that replaces `path` when it is complete."""
    if isinstance(path, RemotePath):
        with path.replaced() as stream:
            yield stream
        return
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


def write_file(path: Path, content: str | bytes) -> None:
    """Whole or not at all; inside a `new_folder`, which is so itself, in place."""
    data = content.encode() if isinstance(content, str) else content
    if path.parent.name.endswith(TEMP):
        path.write_bytes(data)
        return
    with new_file(path) as stream:
        stream.buffer.write(data)


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
            is_it = os.path.samestat(os.fstat(stream.fileno()), os.stat(path))
        except (BlockingIOError, FileNotFoundError):
            is_it = False
        if not is_it:  # or it was renamed before it was locked
            raise InUse(busy)
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
