"""`ibr serve`: the page and the HTTP API, on this machine unless told otherwise."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from typing import Annotated, Any

import typer

from ibr.errors import ReasonerUnusable, UsageError
from ibr.serving.limits import ENVIRONMENT, Limits


def _serve(
    host: Annotated[
        str, typer.Option(help="Address; 0.0.0.0 is every one.", envvar="IBR_HOST")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="0 is any that is free.", envvar="IBR_PORT")
    ] = 8000,
    reasoner: Annotated[
        str, typer.Option(help="Who answers, as for prove.", envvar="IBR_REASONER")
    ] = "verified",
    cors: Annotated[
        list[str] | None,
        typer.Option(metavar="ORIGIN", help="Lets pages of this origin use the API; repeat."),
    ] = None,
    **limits: Any,
) -> None:
    """Serve the page and the API; SIGTERM finishes what was begun and ends with 0."""
    try:
        from ibr.serving.running import serve
    except ModuleNotFoundError as error:
        raise ReasonerUnusable("serve", f"needs {error.name}: pip install 'ibr[serve]'") from error
    try:
        kept = Limits(**limits)
    except ValueError as error:
        raise UsageError(str(error)) from error
    serve(host, port, reasoner, kept, cors or [])


def _with_limits(function: Callable[..., None]) -> Callable[..., None]:
    """The same with an option for every limit, in place of `**limits`."""
    own = list(inspect.signature(function, eval_str=True).parameters.values())[:-1]
    for each in fields(Limits):
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


command = _with_limits(_serve)
