"""Text files and lines of JSON: streamed, written whole or not at all, each error with its place.

Knows nothing about theories: `exchange`, `example` and `rule_reasoning` define what a line means.
"""

import io
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final, Self, TypeVar

from ibr.errors import InputError
from ibr.files import STDOUT, naming, new_file, path_of, resolved

STANDARD: Final = "-"  # the path that stands for stdin or stdout
ENCODING: Final = "utf-8-sig"  # some of the published files start with a byte order mark
KEPT: Final = 20  # bad lines are all counted, and this many are kept
MAX_TEXT: Final = 2**24  # characters of a line, and of a rulebook: some files have no end
_EXPECTED: Final[Mapping[Callable[[Any], Any], str]] = {
    bool: "true or false", int: "a whole number", list: "a list", dict: "an object"
}  # fmt: skip

_KEEP: Final = "surrogateescape"

T = TypeVar("T")
D = TypeVar("D")


class DataError(InputError):
    """A line that cannot be used: file, line, field and reason."""

    def __init__(self, file: str | Path, line: int | None, field: str, reason: str) -> None:
        place = str(file) if line is None else f"{file}:{line}"
        super().__init__(f"{place}: {field}: {reason}" if field else f"{place}: {reason}")
        self.file, self.line, self.field, self.reason = str(file), line, field, reason


class FieldError(InputError):
    """What is wrong with one field of a record; the reader of the file adds the place."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field, self.reason = field, reason


@dataclass
class BadLines:
    """Lines that were skipped. A reader that is given one counts bad lines instead of raising."""

    count: int = 0
    first: list[DataError] = field(default_factory=list)

    def add(self, error: DataError) -> None:
        self.count += 1
        if len(self.first) < KEPT:
            self.first.append(error)

    def extend(self, more: Self) -> None:
        self.count += more.count
        self.first += more.first[: KEPT - len(self.first)]


@contextmanager
def at_line(file: str | Path, line: int | None, bad: BadLines | None) -> Iterator[None]:
    """Add file and line to errors of the block; count them in `bad`, or raise without it."""
    try:
        yield
    except (InputError, RecursionError) as error:
        if isinstance(error, FieldError):
            error = DataError(file, line, error.field, error.reason)
        elif not isinstance(error, DataError):
            deep = isinstance(error, RecursionError)
            error = DataError(file, line, "", "nested too deeply" if deep else str(error))
        if bad is None:
            raise error from None
        bad.add(error)


@contextmanager
def inside(place: str) -> Iterator[None]:
    """Prefix errors of the block with a part of the record: `questions[3]`, `rules.rule2`."""
    try:
        yield
    except FieldError as error:
        separator = "" if error.field.startswith("[") else "."
        raise FieldError(f"{place}{separator}{error.field}", error.reason) from None
    except DataError:
        raise
    except ValueError as error:
        raise FieldError(place, str(error)) from None


def converted(value: Any, convert: Callable[[Any], T]) -> T:
    """A value of a JSON type (bool, int, list, dict) is only checked; other functions convert."""
    expected = _EXPECTED.get(convert)
    if expected is None:
        return convert(value)
    if type(value) is not convert:
        raise InputError(f"expected {expected}, found {value!r:.60}")
    checked: T = value
    return checked


def take(record: Mapping[str, Any], key: str, convert: Callable[[Any], T], default: D) -> T | D:
    """The converted `record[key]`, or `default` where the key is missing or null."""
    value = record.get(key)
    if value is None:
        return default
    with inside(key):
        return converted(value, convert)


def need(record: Mapping[str, Any], key: str, convert: Callable[[Any], T]) -> T:
    """The converted `record[key]`; the key must be there."""
    value = take(record, key, convert, None)
    if value is None:
        raise FieldError(key, "is missing")
    return value


def as_text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"expected a text, found {value!r:.60}")
    return check_unicode(value)


def list_of(convert: Callable[[Any], T]) -> Callable[[Any], tuple[T, ...]]:
    """A converter of lists; an error names the index of the element."""

    def element(index: int, value: Any) -> T:
        with inside(f"[{index}]"):
            return converted(value, convert)

    return lambda values: tuple(element(i, v) for i, v in enumerate(converted(values, list)))


class _Text(io.TextIOWrapper):
    """With bounded lines, of what need not be UTF-8 (`reading`)."""

    def __init__(self, stream: IO[bytes], path: str | Path) -> None:
        super().__init__(stream, encoding=ENCODING, errors=_KEEP)
        self._path = path

    def __next__(self) -> str:  # type: ignore[override]  # as of all text streams
        line = self.readline(MAX_TEXT + 1)
        if not line:
            raise StopIteration
        _check_size(len(line), "a line", self._path)
        return line


def _check_size(size: int, what: str, path: str | Path) -> None:
    if size > MAX_TEXT:
        raise DataError(path, None, "", f"{what} of more than {MAX_TEXT:,} characters")


@contextmanager
def reading(path: str | Path) -> Iterator[IO[str]]:
    """Text of a file or of stdin (`-`), UTF-8, without a byte order mark.

    What is not UTF-8 is kept as halves of surrogate pairs: `check_unicode` refuses them.
    """
    if path == STANDARD:
        # Not sys.stdin, whose encoding depends on the locale; detached, so that it stays open.
        stream = _Text(sys.stdin.buffer, path)
        try:
            yield stream
        finally:
            stream.detach()
    else:
        with naming(path), path_of(path).open("rb") as file, _Text(file, path) as text:
            yield text


def check_unicode(text: str) -> str:
    """The text. Raises InputError for half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        place = f"character {error.start + 1}"
        why = f"not UTF-8 at {place} (or half of a surrogate pair); save the file as UTF-8"
        raise InputError(why) from None
    return text


def read_text(path: str) -> str:
    lines: list[str] = []
    size = 0
    with reading(path) as stream:
        for line in stream:
            size += len(line)
            _check_size(size, "a rulebook", path)
            lines.append(line)
    for number, line in enumerate(lines, start=1):
        with at_line(path, number, None):
            check_unicode(line)
    return "".join(lines)


def number_lines(path: Path) -> Iterator[tuple[int, str]]:
    """(line number from 1, text) of every line that is not blank."""
    with reading(path) as stream:
        yield from ((n, line) for n, line in enumerate(stream, start=1) if line.strip())


def parse_line(text: str, file: str | Path, line: int) -> dict[str, Any]:
    """One line → one JSON object, or a DataError with the column at which parsing fails."""
    with at_line(file, line, None):
        check_unicode(text)
    value = parse_json(text, file, line)
    if not isinstance(value, dict):
        raise DataError(file, line, "", f"expected a JSON object, found {type(value).__name__}")
    return value


def parse_json(text: str, file: str | Path, line: int | None) -> Any:
    """A line, or a whole file without `line`. Raises DataError."""
    with at_line(file, line, None):
        try:
            return json.loads(text, object_pairs_hook=unique_keys)
        except json.JSONDecodeError as error:
            reason = f"not JSON: {error.msg} at column {error.colno}"
            raise DataError(file, line or error.lineno, "", reason) from None
        except FieldError:
            raise
        except ValueError:  # Python converts no integer of more digits
            raise InputError("a number has too many digits") from None


def unique_keys(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; which of two values is meant by one key, nobody can know."""
    record = dict(pairs)
    if len(record) < len(pairs):
        ((key, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise FieldError(f"{key:.60}", "is given twice")
    return record


def read_records(
    lines: Iterable[str],
    file: str | Path,
    convert: Callable[[dict[str, Any]], T],
    bad: BadLines | None = None,
) -> Iterator[tuple[int, T]]:
    """(line number, record) of each line that is not blank; bad ones are counted or raise.

    An `id` names one record of a file: another record with it is bad.
    """
    known: dict[str, int] = {}
    for number, text in enumerate(lines, start=1):
        if text.strip():
            with at_line(file, number, bad):
                record = parse_line(text, file, number)
                found, name = convert(record), record.get("id")
                if isinstance(name, str) and known.setdefault(name, number) != number:
                    raise FieldError("id", f"{name!r:.60} is that of line {known[name]}, too")
                yield number, found


@contextmanager
def writing(path: str) -> Iterator[IO[str]]:
    """Text of a file or of stdout (`-`); after an error the old file is unchanged."""
    target = resolved(path)
    if path == STANDARD:
        with naming(STDOUT):
            yield sys.stdout
            sys.stdout.flush()
    elif target.exists() and not target.is_file():  # a pipe or /dev/null cannot be replaced
        with naming(path), target.open("w", encoding="utf-8") as stream:
            yield stream
    else:
        with new_file(target) as atomic:
            yield atomic


def without_nulls(record: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if value is not None}


def dump_line(value: Any) -> str:
    """The compact form of the published files, without the line break."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def write_lines(path: Path, values: Iterable[Any]) -> int:
    """Write one line for each value; return how many."""
    count = 0
    with new_file(path) as stream:
        for value in values:
            stream.write(dump_line(value) + "\n")
            count += 1
    return count
