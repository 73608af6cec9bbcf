"""Standard error that never makes the server wait: what a full pipe has no room for is dropped."""

from __future__ import annotations

import io
import os
import select
from contextlib import redirect_stderr, suppress
from typing import Any, Final

_STDERR: Final = 2
_ROOM: Final = select.PIPE_BUF  # bytes for which there is room in a pipe that can be written to


class _Dropping(io.RawIOBase):
    name = "<stderr>"

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return _STDERR

    def isatty(self) -> bool:
        return os.isatty(_STDERR)

    def write(self, data: bytes) -> int:  # type: ignore[override]
        for start in range(0, len(data), _ROOM):
            with suppress(OSError):  # nobody can read it
                if select.select([], [_STDERR], [], 0)[1]:
                    os.write(_STDERR, data[start : start + _ROOM])
        return len(data)


def dropping_stderr() -> redirect_stderr[io.TextIOWrapper]:
    """A context in which all that writes to `sys.stderr` does so, logging included."""
    options: dict[str, Any] = {"errors": "backslashreplace", "write_through": True}
    return redirect_stderr(io.TextIOWrapper(_Dropping(), encoding="utf-8", **options))
