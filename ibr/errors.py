"""The errors that a user can meet, each with the exit code of a command. Knows no command.

The table is published in `docs/cli.md`. A message says what is wrong, where, and how to mend it.
"""

from enum import IntEnum
from pathlib import Path
from typing import Any


class ExitCode(IntEnum):
    OK = 0  # the answer is on stdout, whatever its truth value
    INTERNAL = 1  # a bug
    USAGE = 2
    DATA = 3  # a file, line, sentence or proof that cannot be used
    NOT_FOUND = 4  # no such reasoner or model
    LIMIT = 5  # out of memory or time
    CANNOT_SAY = 6  # only of `predict`: all is written, but some lines have no answer
    UNPROVED = 10  # only with --fail-if-unproved
    INTERRUPTED = 130
    CLOSED_PIPE = 141  # as a shell reports SIGPIPE


class IbrError(Exception):
    """An error of the input, not of the program: shown without a traceback."""

    exit_code = ExitCode.DATA

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled without `__init__`, which may build the message from other arguments."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[IbrError], args: tuple[Any, ...], state: dict[str, Any]) -> IbrError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class InputError(IbrError, ValueError):
    """A value that cannot be used: the base of the errors that the nouns and the formats raise."""


class LimitError(IbrError):
    """An exact computation that would take too long."""

    exit_code = ExitCode.LIMIT


class ReasonerNotFound(IbrError):
    exit_code = ExitCode.NOT_FOUND

    def __init__(self, name: str, known: list[str]) -> None:
        super().__init__(f"no reasoner is called {name!r}; known: {', '.join(known)}")


class ReasonerUnusable(IbrError):
    """A reasoner that exists but cannot be loaded."""

    exit_code = ExitCode.NOT_FOUND

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{name}: {why}")


class ModelUnusable(IbrError):
    """A folder that holds no usable model; the message names the file and what to do."""

    exit_code = ExitCode.NOT_FOUND

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path, self.why = path, why


class WrongType(IbrError, TypeError):
    """An argument of a type that cannot be used."""

    exit_code = ExitCode.USAGE

    def __init__(self, name: str, wanted: str, value: object) -> None:
        super().__init__(f"{name} must be {wanted}, not {type(value).__name__}")


class UsageError(IbrError):
    """Options that do not go together."""

    exit_code = ExitCode.USAGE
