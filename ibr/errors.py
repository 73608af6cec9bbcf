"""What can go wrong for a user, and the exit code that scripts see. Knows no command, no logic.

The table is published in `docs/cli.md`. A message says what is wrong, where, and how to mend it.
"""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path


class ExitCode(IntEnum):
    OK = 0  # the answer is on stdout, whatever its truth value
    INTERNAL = 1  # a bug
    USAGE = 2
    DATA = 3  # a file, line, sentence or proof that cannot be used
    NOT_FOUND = 4  # no such reasoner or model
    LIMIT = 5  # out of memory or time
    UNPROVED = 10  # only with --fail-if-unproved
    INTERRUPTED = 130


class IbrError(Exception):
    """An error that is the input's, not the program's: shown without a traceback."""

    exit_code = ExitCode.DATA


class ReasonerNotFound(IbrError):
    exit_code = ExitCode.NOT_FOUND

    def __init__(self, name: str, known: list[str]) -> None:
        super().__init__(f"no reasoner is called {name!r}; known: {', '.join(known)}")


class ReasonerUnusable(IbrError):
    """It is there, but cannot be loaded."""

    exit_code = ExitCode.NOT_FOUND

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{name}: {why}")


class ModelUnusable(IbrError):
    """A folder that holds no usable model; the message names the file and what to do."""

    exit_code = ExitCode.NOT_FOUND

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path = path


class UsageError(IbrError):
    """Options that do not go together."""

    exit_code = ExitCode.USAGE
