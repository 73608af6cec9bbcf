"""`ibr export`: a trained model as a folder that runs without torch."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ibr.commands.output import note


def command(
    run: Annotated[Path, typer.Argument(help="Folder of a run, or of a model.")],
    out: Annotated[Path, typer.Option(help="Folder to make; it must not exist, or be empty.")],
) -> None:
    """Write config, weights, ONNX graphs and their checksums; OUT is then a reasoner."""
    from ibr.checkpoint import from_pretrained
    from ibr.errors import IbrError
    from ibr.model.config import ConfigError
    from ibr.model.export import export

    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise IbrError(f"{out}: exists already; give a new folder")
    try:
        export(from_pretrained(run).eval(), out)
    except ConfigError as error:
        raise IbrError(f"{run}: {error}") from error
    note(f"exported: {out}")
