"""Files as commands name them: `-` is stdin or stdout, and an output appears whole or not at all.

Knows nothing of what is inside.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from ibr.data.jsonl import ENCODING, atomic_writer
from ibr.errors import IbrError

STANDARD = "-"


@contextmanager
def reading(path: str) -> Iterator[TextIO]:
    """Text of a file or of stdin, UTF-8, a byte-order mark dropped."""
    try:
        if path == STANDARD:
            # A wrapper of our own, as stdin's encoding depends on the locale; detached, not closed.
            stream = io.TextIOWrapper(sys.stdin.buffer, encoding=ENCODING)
            try:
                yield stream
            finally:
                stream.detach()
        else:
            with open(path, encoding=ENCODING) as file:
                yield file
    except UnicodeDecodeError as error:
        raise IbrError(f"{path}: not UTF-8 ({error.reason}); save the file as UTF-8") from error


def read_text(path: str) -> str:
    with reading(path) as stream:
        return stream.read()


@contextmanager
def writing(path: str) -> Iterator[TextIO]:
    """Written beside and renamed when complete: on any error an old file stays as it was."""
    target = Path(path).resolve()  # through a symbolic link, so that the link survives
    if path == STANDARD:
        yield sys.stdout
        sys.stdout.flush()
    elif target.exists() and not target.is_file():  # a pipe or /dev/null cannot be replaced
        with open(target, "w", encoding="utf-8") as stream:
            yield stream
    else:
        with atomic_writer(target) as atomic:
            yield atomic  # type: ignore[misc]
