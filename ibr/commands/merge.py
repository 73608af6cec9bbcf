"""`ibr merge`: the parts that `ibr predict --shard` made, as one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ibr.commands.output import note


def command(
    out: Annotated[str, typer.Argument(metavar="OUT", help="The whole; - is stdout.")],
    parts: Annotated[list[Path], typer.Argument(metavar="PART...", help="Every shard's output.")],
) -> None:
    """Put the parts of `predict --shard` together, in the order of the input."""
    from ibr.parts import merge

    lines = merge(out, parts)
    note(f"{lines:,} predictions of {len(parts)} parts")
