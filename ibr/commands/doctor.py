"""`ibr doctor`: is this installation well?"""

from __future__ import annotations

import typer

from ibr.commands.options import Json
from ibr.commands.output import emit_json
from ibr.errors import ExitCode


def command(json: Json = False) -> None:
    """Show versions, check the model's files, prove something; exit code 4 if anything is amiss."""
    from ibr.doctor import examine

    is_well = True
    for finding in examine():
        is_well &= finding.well
        if json:
            emit_json(finding.to_json())
        else:
            print(f"{'  ' if finding.well else '! '}{finding.name:<13} {finding.value}", flush=True)
    if not is_well:
        raise typer.Exit(ExitCode.NOT_FOUND)
