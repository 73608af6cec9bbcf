"""`ibr serve` and `ibr doctor`: the page and the HTTP API; a check of the installation."""

import inspect
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import typer

from ibr.cli.output import emit_json, show
from ibr.errors import ExitCode, ReasonerUnusable, UsageError
from ibr.serving.limits import ENVIRONMENT, ServerLimits


def _with_limits(function: Callable[..., None]) -> Callable[..., None]:
    """The same with an option for every limit, in place of `**limits`."""
    own = list(inspect.signature(function).parameters.values())[:-1]
    for each in fields(ServerLimits):
        option = typer.Option(
            each.default,
            help=each.metadata["help"],
            envvar=f"{ENVIRONMENT}{each.name.upper()}",
            min=each.metadata["least"],
            rich_help_panel="Limits",
        )
        kind, named = type(each.default), inspect.Parameter.KEYWORD_ONLY
        own.append(inspect.Parameter(each.name, named, default=option, annotation=kind))
    vars(function)["__signature__"] = inspect.Signature(own)
    return function


@_with_limits
def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    reasoner: str = "verified",
    cors: list[str] | None = None,
    workers: int = 1,
    allowed_host: list[str] | None = None,
    trusted_proxy: list[str] | None = None,
    **limits: Any,
) -> None:
    """Serve the page and the API; SIGTERM finishes what was begun and ends with 0."""
    try:
        from ibr.serving.running import Settings
        from ibr.serving.running import serve as run_server
    except ModuleNotFoundError as error:
        raise ReasonerUnusable("serve", f"needs {error.name}: pip install 'ibr[serve]'") from error
    try:
        kept = ServerLimits(**limits)
    except ValueError as error:
        raise UsageError(str(error)) from error
    lists = cors or [], workers, allowed_host or [], trusted_proxy or []
    run_server(Settings(host, port, reasoner, *lists), kept)


def doctor(json: bool = False) -> None:
    """Show versions, check the model's files, prove something; exit code 4 if anything is amiss."""
    from ibr.asking.installation import examine

    is_well = True
    for finding in examine():
        is_well &= finding.well
        if json:
            emit_json(finding._asdict())
        else:
            show(f"{'  ' if finding.well else '! '}{finding.name:<13} {finding.value}")
    if not is_well:
        raise typer.Exit(ExitCode.NOT_FOUND)
