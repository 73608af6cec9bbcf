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
    turns: Annotated[
        int | None, typer.Option(min=1, help="Rounds of chaining, if not as many as in training.")
    ] = None,
    card: Annotated[
        Path | None, typer.Option(help="A text about the model, kept as model_card.md.")
    ] = None,
) -> None:
    """Write config, weights, ONNX graphs and their checksums; OUT is then a reasoner."""
    from ibr.checkpoint import from_pretrained
    from ibr.errors import IbrError
    from ibr.files import read_text
    from ibr.model.config import ConfigError
    from ibr.model.export import export

    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise IbrError(f"{out}: exists already; give a new folder")
    text = None if card is None else read_text(str(card))
    model = from_pretrained(run).eval()
    if turns is not None:
        model = _turning(model, turns)
    fitted = None if held_out is None else _calibrate(model, held_out)
    try:
        export(model, out, text)
    except ConfigError as error:
        raise IbrError(f"{run}: {error}") from error
    note(f"exported: {out}")
    if fitted is not None:
        print(fitted)


def _turning(model: IBR, turns: int) -> IBR:
    """The same weights in another number of rounds."""
    from dataclasses import replace

    from ibr.errors import IbrError
    from ibr.model.ibr import IBR

    if model.config.compact is None:
        raise IbrError("--turns: only the compact encoder has rounds")
    compact = replace(model.config.compact, theory_turns=turns)
    turning = IBR(replace(model.config, compact=compact))
    turning.load_state_dict(model.state_dict())
    return turning.eval()


def _calibrate(model: IBR, data: Path) -> Fitted:
    """Fits patience and temperature, and gives them to the model."""
    from dataclasses import replace

    from ibr.calibrate import fit_patience, fit_reasoner
    from ibr.errors import IbrError
    from ibr.model.reasoner import ModelReasoner
    from ibr.sources import Reader

    reader = Reader(kinds=False)
    examples = list(progress(reader.examples(data), "held-out questions"))
    if not examples:
        raise IbrError(f"{data}: no questions to fit the confidence to")
    model.config = replace(model.config, temperature=1.0, patience=0.0)
    patience = fit_patience(ModelReasoner(model, trace=True), progress(examples, "failing"))
    model.config = replace(model.config, patience=patience)
    fitted = fit_reasoner(ModelReasoner(model, beams=1), progress(examples, "answered"))
    model.config = replace(model.config, temperature=fitted.temperature)
    note_oddities(reader)
    return fitted
