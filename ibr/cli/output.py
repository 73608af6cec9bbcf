"""Output of commands: results on stdout, notes and progress on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from ibr.drawing.text import escaped
from ibr.files import STDOUT, naming

if TYPE_CHECKING:
    from rich.table import Table

    from ibr.data.formats.sources import Reader

T = TypeVar("T")
PIPED_WIDTH = 140  # columns of a table in a file


def emit_json(value: Any) -> None:
    """One line of JSON, plain ASCII, so that no locale can break it."""
    _print(json.dumps(value))


def show(shown: str | Table) -> None:
    """Lines or a table on stdout; control characters of a text are escaped."""
    if isinstance(shown, str):
        _print(escaped(shown))
    else:
        from rich.console import Console

        width = None if sys.stdout.isatty() else PIPED_WIDTH
        with naming(STDOUT):
            Console(highlight=False, markup=False, width=width).print(shown)


def _print(text: str) -> None:
    with naming(STDOUT):
        print(text)


def note(text: str) -> None:
    """A line on stderr, never part of the result: if nobody can read it, that is no error."""
    with suppress(OSError):
        print(f"ibr: {escaped(text)}", file=sys.stderr)


def note_oddities(reader: Reader) -> None:
    """Note the unusual values that a reader found, and how much was left out."""
    for line in reader.met.lines():
        note(line)
    if reader.bad is not None and reader.bad.count:
        note(f"skipped {reader.bad.count} that cannot be used, the first: {reader.bad.first[0]}")


def progress(
    items: Iterable[T], label: str, count: Callable[[], int | None] = lambda: None
) -> Iterable[T]:
    """The same items; if stderr is a terminal, with a progress bar (`count` returns the total)."""
    if not sys.stderr.isatty():
        return items
    from rich.console import Console
    from rich.progress import track

    return track(items, label, count(), console=Console(stderr=True), transient=True)
