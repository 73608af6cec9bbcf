"""The command `ibr`: its verbs, and how any failure becomes one line and an exit code.

Each verb is a file in `ibr.commands` that is loaded when it is called, and imports what it needs
when it runs, so that `ibr --help` is quick. Nothing here reasons or reads.
"""

from __future__ import annotations

import atexit
import errno
import gc
import platform
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Final, NoReturn

import typer

from ibr import __version__
from ibr.errors import ExitCode, IbrError

DEBUG = "--debug"
VERBS: Final = (
    "read", "prove", "solve", "explain", "check", "predict", "merge", "evaluate", "generate",
    "stats", "train", "export", "serve", "doctor",
)  # fmt: skip


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ibr {__version__} (Python {platform.python_version()})")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show it and exit.")
    ] = False,
    debug: Annotated[
        bool, typer.Option(DEBUG, help="Show a traceback with every error; goes anywhere.")
    ] = False,
) -> None:
    """`--debug` is taken out by `main`; it is declared here to be seen in the help."""


def _app(arguments: Sequence[str]) -> typer.Typer:
    """With the one verb that is called; with all of them if something else comes first."""
    app = typer.Typer(
        help="Answers over plain-English facts and rules, each with a proof that is checked.",
        epilog="Exit codes: 0 ok, 1 internal error, 2 usage, 3 bad input, 4 no such reasoner, "
        "5 out of memory or time, 10 unproved (with --fail-if-unproved), 130 interrupted.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    called = [verb for verb in VERBS if verb in arguments[:1]]
    for verb in called or VERBS:
        app.command(verb)(import_module(f"ibr.commands.{verb}").command)
    return app


def main() -> NoReturn:
    debug = DEBUG in sys.argv
    arguments = [argument for argument in sys.argv[1:] if argument != DEBUG]
    atexit.register(gc.freeze)  # a process that ends need not look for garbage: 0.1 s
    try:
        _app(arguments)(args=arguments, prog_name="ibr")
    except KeyboardInterrupt:
        sys.exit(ExitCode.INTERRUPTED)
    except Exception as error:
        if debug:
            traceback.print_exc()
        print(f"ibr: {_message(error)}", file=sys.stderr)
        sys.exit(_exit_code(error))
    sys.exit(ExitCode.OK)


def _exit_code(error: Exception) -> ExitCode:
    if isinstance(error, IbrError):
        return error.exit_code
    if isinstance(error, MemoryError | RecursionError | TimeoutError):
        return ExitCode.LIMIT
    if isinstance(error, OSError):
        return ExitCode.LIMIT if error.errno in (errno.ENOSPC, errno.EMFILE) else ExitCode.DATA
    return ExitCode.DATA if isinstance(error, _input_errors()) else ExitCode.INTERNAL


def _input_errors() -> tuple[type[ValueError], ...]:
    """What the rooms below raise for input that cannot be used; a bare ValueError is a bug."""
    from ibr.data.jsonl import DataError
    from ibr.logic.reading import ReadError
    from ibr.logic.solver import NotStratified
    from ibr.proof import ProofError

    return DataError, ReadError, NotStratified, ProofError


def _message(error: Exception) -> str:
    code = _exit_code(error)
    if code is ExitCode.INTERNAL:
        return f"internal error: {type(error).__name__}: {error} (run with {DEBUG} and report it)"
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error) or type(error).__name__
