"""How commands speak: results on stdout, everything else on stderr and only where it helps."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from rich.console import Console

    from ibr.sources import Reader

T = TypeVar("T")
PIPED_WIDTH = 140  # a file has no width of its own, and a table must not be cut


def emit_json(value: Any) -> None:
    """One line of JSON, plain ASCII, so that no locale can break it."""
    print(json.dumps(value))


def note(text: str) -> None:
    """A remark for the person at the terminal or the log: never part of the result."""
    print(f"ibr: {text}", file=sys.stderr)


def note_oddities(reader: Reader) -> None:
    """What the reader of a file met: unusual values, and how much was left out."""
    for line in reader.met.lines():
        note(line)
    if reader.bad is not None and reader.bad.count:
        note(f"skipped {reader.bad.count} that cannot be used, the first: {reader.bad.first[0]}")


def console() -> Console:
    """Where tables go; rich itself honours NO_COLOR and drops colour when piped."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else PIPED_WIDTH)


def _unknown() -> int | None:
    return None


def progress(
    items: Iterable[T], label: str, count: Callable[[], int | None] = _unknown
) -> Iterator[T]:
    """The same items; on stderr a counter, or a bar if `count` knows, if someone is looking."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        ProgressColumn,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    total = count()
    columns: list[ProgressColumn] = [SpinnerColumn(), TextColumn("{task.description}")]
    if total is None:
        columns += TextColumn("{task.completed}"), TimeElapsedColumn()
    else:
        done = TextColumn("{task.completed}/{task.total}")
        columns += BarColumn(), done, TimeElapsedColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as p:
        task = p.add_task(label, total=total)
        for item in items:
            yield item
            p.advance(task)
