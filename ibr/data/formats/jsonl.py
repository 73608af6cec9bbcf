"""Lines of JSON in and out: streaming, with the place of every error, and files that appear whole.

Knows nothing about theories: `example` and `rule_reasoning` say what a line means.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final, TypeVar

ENCODING: Final = "utf-8-sig"  # some of the published files open with a byte order mark
KEPT: Final = 20  # bad lines are all counted, and this many are remembered

T = TypeVar("T")
D = TypeVar("D")


class DataError(ValueError):
    """A line that cannot be used: which file, line and field, and why."""

    def __init__(self, file: str | Path, line: int | None, field: str, reason: str) -> None:
        place = str(file) if line is None else f"{file}:{line}"
        super().__init__(f"{place}: {field}: {reason}" if field else f"{place}: {reason}")
        self.file, self.line, self.field, self.reason = str(file), line, field, reason


class FieldError(ValueError):
    """What is wrong with one field of a record; the reader of the file adds the place."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field, self.reason = field, reason


@dataclass
class BadLines:
    """What was skipped: hand one to a reader and it counts bad lines instead of raising."""

    count: int = 0
    first: list[DataError] = field(default_factory=list)

    def add(self, error: DataError) -> None:
        self.count += 1
        if len(self.first) < KEPT:
            self.first.append(error)


@contextmanager
def at_line(file: Path, line: int, bad: BadLines | None) -> Iterator[None]:
    """Give errors of the block their place; count them in `bad`, or raise if there is none."""
    try:
        yield
    except (DataError, FieldError) as error:
        if isinstance(error, FieldError):
            error = DataError(file, line, error.field, error.reason)
        if bad is None:
            raise error from None
        bad.add(error)


@contextmanager
def inside(place: str) -> Iterator[None]:
    """Name the part of the record that the block reads: `questions[3]`, `rules.rule2`."""
    try:
        yield
    except FieldError as error:
        raise FieldError(f"{place}.{error.field}", error.reason) from None
    except DataError:
        raise
    except ValueError as error:
        raise FieldError(place, str(error)) from None


def take(record: Mapping[str, Any], key: str, convert: Callable[[Any], T], default: D) -> T | D:
    """`convert(record[key])`, or `default` where the key is missing or null."""
    value = record.get(key)
    if value is None:
        return default
    with inside(key):
        return convert(value)


def need(record: Mapping[str, Any], key: str, convert: Callable[[Any], T]) -> T:
    """`convert(record[key])`; the key must be there."""
    if record.get(key) is None:
        raise FieldError(key, "is missing")
    value = take(record, key, convert, None)
    assert value is not None
    return value


def as_text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"expected a text, found {value!r}")
    return value


def as_bool(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, found {value!r}")
    return value


def as_int(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"expected a whole number, found {value!r}")
    return value


def as_share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"expected a number from 0 to 1, found {value!r}")
    return float(value)


def as_list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"expected a list, found {value!r:.60}")
    return value


def as_object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"expected an object, found {value!r:.60}")
    return value


def number_lines(path: Path) -> Iterator[tuple[int, str]]:
    """(line number from 1, text) of every line that is not blank."""
    try:
        with path.open(encoding=ENCODING) as stream:
            for number, line in enumerate(stream, start=1):
                if line.strip():
                    yield number, line
    except UnicodeDecodeError as error:
        raise DataError(path, None, "", f"not a text file in UTF-8 ({error.reason})") from None


def parse_line(text: str, file: str | Path, line: int) -> dict[str, Any]:
    """One line → one JSON object, or a DataError that says at which column it breaks."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise DataError(file, line, "", f"not JSON: {error.msg} at column {error.colno}") from None
    if not isinstance(value, dict):
        raise DataError(file, line, "", f"expected a JSON object, found {type(value).__name__}")
    return value


def dump_line(value: Any) -> str:
    """The compact form of the published files, without the line break."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@contextmanager
def atomic_writer(path: Path) -> Iterator[IO[str]]:
    """A text file that appears at `path` complete, or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(name, 0o666 & ~_umask())  # mkstemp makes private files; data files are not
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def write_lines(path: Path, values: Iterable[Any]) -> int:
    """Write one line each and say how many."""
    count = 0
    with atomic_writer(path) as stream:
        for value in values:
            stream.write(dump_line(value) + "\n")
            count += 1
    return count


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
