"""`ibr export`: a trained model as a folder that runs without torch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ibr.commands.output import note, note_oddities, progress

if TYPE_CHECKING:
    from ibr.calibrate import Fitted
    from ibr.model.ibr import IBR


def command(
    run: Annotated[Path, typer.Argument(help="Folder of a run, or of a model.")],
    out: Annotated[Path, typer.Option(help="Folder to make; it must not exist, or be empty.")],
    held_out: Annotated[
        Path | None,
        typer.Option(help="Labelled questions, not trained on, that the confidence is fitted to."),
    ] = None,
) -> None:
    """Write config, weights, ONNX graphs and their checksums; OUT is then a reasoner."""
    from ibr.checkpoint import from_pretrained
    from ibr.errors import IbrError
    from ibr.model.config import ConfigError
    from ibr.model.export import export

    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise IbrError(f"{out}: exists already; give a new folder")
    model = from_pretrained(run).eval()
    fitted = None if held_out is None else _calibrate(model, held_out)
    try:
        export(model, out)
    except ConfigError as error:
        raise IbrError(f"{run}: {error}") from error
    note(f"exported: {out}")
    if fitted is not None:
        print(fitted)


def _calibrate(model: IBR, data: Path) -> Fitted:
    """Fits the temperature, and gives it to the model."""
    from dataclasses import replace

    from ibr.calibrate import fit_reasoner
    from ibr.errors import IbrError
    from ibr.model.reasoner import ModelReasoner
    from ibr.sources import Reader

    reader = Reader(kinds=False)
    examples = list(progress(reader.examples(data), "held-out questions"))
    if not examples:
        raise IbrError(f"{data}: no questions to fit the confidence to")
    model.config = replace(model.config, temperature=1.0)
    fitted = fit_reasoner(ModelReasoner(model, beams=1), progress(examples, "answered"))
    model.config = replace(model.config, temperature=fitted.temperature)
    note_oddities(reader)
    return fitted
