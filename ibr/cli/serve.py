"""`ibr serve` and `ibr doctor`: the page and the HTTP API; a check of the installation."""

import inspect
from collections.abc import Callable
from dataclasses import fields
from typing import Annotated, Any

import typer

from ibr.cli.options import Json
from ibr.cli.output import emit_json
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
    function.__annotations__ = {p.name: p.annotation for p in own}
    return function


@_with_limits
def serve(
    host: Annotated[
        str, typer.Option(help="Address; 0.0.0.0 is every one.", envvar="IBR_HOST")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="0 is any that is free.", envvar="IBR_PORT")
    ] = 8000,
    reasoner: Annotated[
        str, typer.Option(help="Which system, as for prove.", envvar="IBR_REASONER")
    ] = "verified",
    cors: Annotated[
        list[str] | None,
        typer.Option(metavar="ORIGIN", help="Lets pages of this origin use the API; repeat."),
    ] = None,
    workers: Annotated[
        int, typer.Option(min=1, help="Processes behind the port.", envvar="IBR_WORKERS")
    ] = 1,
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A name of this server, beside localhost and --host; repeat. * is any.",
            envvar="IBR_ALLOWED_HOSTS",
        ),
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="A proxy whose X-Forwarded-For names the client; repeat.",
            envvar="IBR_TRUSTED_PROXIES",
        ),
    ] = None,
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


def doctor(json: Json = False) -> None:
    """Show versions, check the model's files, prove something; exit code 4 if anything is amiss."""
    from ibr.asking.installation import examine

    is_well = True
    for finding in examine():
        is_well &= finding.well
        if json:
            emit_json(finding._asdict())
        else:
            print(f"{'  ' if finding.well else '! '}{finding.name:<13} {finding.value}", flush=True)
    if not is_well:
        raise typer.Exit(ExitCode.NOT_FOUND)
