"""The command `ibr`: its verbs, and how any failure becomes one line and an exit code.

Each verb is a function of the module that `VERBS` names, loaded when it is called; it imports
what it needs when it runs, so that `ibr --help` is quick.
"""

import atexit
import errno
import gc
import os
import platform
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any, Final, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from ibr import __version__
from ibr.cli.options import with_options
from ibr.cli.output import note, show
from ibr.errors import ExitCode, IbrError
from ibr.files import STDOUT, naming

DEBUG = "--debug"
_NO_RESOURCE: Final = {
    errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO, errno.EMFILE
}  # fmt: skip
VERBS: Final = {
    **dict.fromkeys(("read", "prove", "solve", "explain"), "rulebooks"),
    **dict.fromkeys(("check", "predict", "merge", "evaluate"), "predict"),
    **dict.fromkeys(("generate", "stats"), "datasets"),
    **dict.fromkeys(("train", "plot", "export", "reproduce", "bench"), "train"),
    **dict.fromkeys(("serve", "doctor"), "serve"),
}  # and their modules, in the order of the help


class _Group(TyperGroup):
    """With the name of what the help cannot be written to."""

    def format_help(self, *about: Any) -> None:
        with naming(STDOUT):
            super().format_help(*about)


class _Command(TyperCommand):
    """As `_Group`."""

    def format_help(self, *about: Any) -> None:
        with naming(STDOUT):
            super().format_help(*about)


def _version(wanted: bool) -> None:
    if wanted:
        show(f"ibr {__version__} (Python {platform.python_version()})")
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
        "5 out of memory or time, 6 some answers are missing (predict), "
        "10 unproved (with --fail-if-unproved), 130 interrupted, 141 closed pipe.",
        cls=_Group,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    called = [verb for verb in VERBS if verb in arguments[:1]]
    for verb in called or VERBS:
        module = import_module(f"ibr.cli.{VERBS[verb]}")
        app.command(verb, cls=_Command)(with_options(verb, getattr(module, verb)))
    return app


def main() -> NoReturn:
    for name, mode in {"stdin": "r", "stdout": "w", "stderr": "w"}.items():
        if getattr(sys, name) is None:  # closed: the next file that is opened would get its number
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
    debug = DEBUG in sys.argv
    arguments = [argument for argument in sys.argv[1:] if argument != DEBUG]
    atexit.register(gc.freeze)  # a process that ends need not look for garbage: 0.1 s
    try:
        _run(arguments)
    except BrokenPipeError:  # nobody reads on: end as a program does that the signal ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(ExitCode.CLOSED_PIPE)
    except KeyboardInterrupt:
        sys.exit(ExitCode.INTERRUPTED)
    except Exception as error:
        if debug:
            traceback.print_exc()
        note(_message(error))
        sys.exit(_exit_code(error))
    sys.exit(ExitCode.OK)


def _run(arguments: Sequence[str]) -> None:
    """The command, with its output written. Raises BrokenPipeError, which click would hide."""
    try:
        code = _app(arguments)(args=arguments, prog_name="ibr", standalone_mode=False)
        _flush()
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):
            raise end.__context__ from None
        raise
    except Exception as error:
        if not hasattr(error, "format_message"):  # those of click, which typer may bring along
            raise
        if said := error.format_message():  # nothing if the help was printed instead
            place = getattr(error, "ctx", None)
            note(f"{said.rstrip('.')}; see '{place.command_path if place else 'ibr'} --help'")
        code = error.exit_code  # type: ignore[attr-defined]
    sys.exit(code)


def _flush() -> None:
    try:
        with naming(STDOUT):
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # not again at the end
        raise


def _exit_code(error: Exception) -> ExitCode:
    if isinstance(error, IbrError):
        return error.exit_code
    if isinstance(error, MemoryError | RecursionError | TimeoutError):
        return ExitCode.LIMIT
    if isinstance(error, OSError):
        return ExitCode.LIMIT if error.errno in _NO_RESOURCE else ExitCode.DATA
    return ExitCode.INTERNAL


def _message(error: Exception) -> str:
    code = _exit_code(error)
    if code is ExitCode.INTERNAL:
        return f"internal error: {type(error).__name__}: {error} (run with {DEBUG} and report it)"
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error) or type(error).__name__
