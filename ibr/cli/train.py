"""`ibr train` and `ibr export`: a new model, and one as a folder that runs without torch."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ibr.cli.options import Device, given
from ibr.cli.output import note, note_oddities, progress
from ibr.errors import IbrError

if TYPE_CHECKING:
    from ibr.evaluation.calibration import Fitted
    from ibr.model.ibr import IBR
    from ibr.training.loop import Evaluated, Learned, Trainer


def train(
    out: Annotated[Path, typer.Option(help="The run folder: checkpoints, metrics, config.")],
    preset: Annotated[
        str, typer.Option(help="quick (half an hour), small (hours) or paper (roberta-large).")
    ] = "quick",
    system: Annotated[
        str, typer.Option(help="ibr, or a system that it is compared with: docs/baselines.md.")
    ] = "ibr",
    data: Annotated[
        list[str] | None,
        typer.Option(
            help="RuleTaker folder or file, our JSONL, ParaRules tsv, or generate:depth=3; with "
            "options, PATH:split=train,limit=70000,weight=2. Repeat to mix; +PART adds to the "
            "preset's own."
        ),
    ] = None,
    dev: Annotated[
        str | None,
        typer.Option(help="Held-out data, as --data; default: generated; paper: the dev split."),
    ] = None,
    start: Annotated[
        str | None, typer.Option(help="A run folder or model folder to begin with.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the run in --out.")] = False,
    max_minutes: Annotated[
        float | None, typer.Option(min=0.0, help="End in time; the learning rate falls with it.")
    ] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="End after so many steps.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of weights and data.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Of torch; default 2.")] = None,
    device: Device = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="KEY=VALUE of the config, e.g. answer_loss=false; repeat."),
    ] = None,
) -> None:
    """Train a model; `ibr evaluate --reasoner OUT` measures it, `ibr predict` uses it."""
    from ibr.data.making.shape import GenerateError
    from ibr.model.config import ConfigError
    from ibr.training import presets, trainer

    values = given(
        start=start, max_minutes=max_minutes, steps=steps, seed=seed, threads=threads, device=device
    )
    changes = [*(f"{key}={value}" for key, value in values.items()), *(settings or ())]
    try:
        if resume:
            config = trainer.saved_config(out)
        else:
            config = presets.with_model_of(presets.preset(preset), system)
            config = presets.with_data(config, data or (), dev)
        trainer.train(presets.with_settings(config, changes), out, resume, _report)
    except (ConfigError, GenerateError) as error:
        raise typer.BadParameter(str(error)) from error
    note(f"trained: {out}")


def _report(trainer: Trainer, event: Learned | Evaluated) -> None:
    """Print evaluations, and on a terminal a progress line."""
    from ibr.training.loop import Evaluated

    is_terminal = sys.stderr.isatty()
    if not isinstance(event, Evaluated) and event.step == 1:
        count = sum(parameter.numel() for parameter in trainer.model.parameters())
        print(f"{count:,} parameters", file=sys.stderr)
    if isinstance(event, Evaluated):
        scores = "  ".join(f"{name} {value:.1f}" for name, value in event.scores.items())
        mean = f", mean of {event.averaged} checkpoints" if event.averaged > 1 else ""
        line = f"step {event.step}, {trainer.seen:,} questions{mean}: dev {scores}\n"
    elif is_terminal:
        loss, speed = event.loss["total"], trainer.seen / trainer.seconds
        line = f"step {event.step}  loss {loss:.3f}  {speed:.0f} examples/s  "
        if trainer.seconds_to_go is not None:
            line += f"{trainer.seconds_to_go / 60:.1f} minutes left"
    else:
        return
    print("\r\033[K" * is_terminal + line, end="", file=sys.stderr, flush=True)


def export(
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
    from ibr.data.formats.jsonl import read_text
    from ibr.model import onnx_export
    from ibr.model.config import ConfigError
    from ibr.training.checkpoint import load_model

    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise IbrError(f"{out}: exists already; give a new folder")
    text = None if card is None else read_text(str(card))
    model = load_model(run).eval()
    if turns is not None:
        model = _turning(model, turns)
    fitted = None if held_out is None else _calibrate(model, held_out)
    try:
        onnx_export.export(model, out, text)
    except ConfigError as error:
        raise IbrError(f"{run}: {error}") from error
    note(f"exported: {out}")
    if fitted is not None:
        print(fitted)


def _turning(model: IBR, turns: int) -> IBR:
    """The same weights in another number of rounds."""
    from ibr.model.ibr import IBR

    if model.config.compact is None:
        raise IbrError("--turns: only the compact encoder has rounds")
    compact = replace(model.config.compact, theory_turns=turns)
    turning = IBR(replace(model.config, compact=compact), words=model.words)
    turning.load_state_dict(model.state_dict())
    return turning.eval()


def _calibrate(model: IBR, data: Path) -> Fitted:
    """Fits fail_length_bonus and temperature, and gives them to the model."""
    from ibr.data.formats.sources import Reader
    from ibr.evaluation.calibration import fit_fail_length_bonus, fit_reasoner
    from ibr.model.trained import ModelReasoner

    reader = Reader(kinds=False)
    examples = list(progress(reader.examples(data), "held-out questions"))
    if not examples:
        raise IbrError(f"{data}: no questions to fit the confidence to")
    model.config = replace(model.config, temperature=1.0, fail_length_bonus=0.0)
    bonus = fit_fail_length_bonus(ModelReasoner(model, trace=True), progress(examples, "failing"))
    model.config = replace(model.config, fail_length_bonus=bonus)
    fitted = fit_reasoner(ModelReasoner(model, beams=1), progress(examples, "answered"))
    model.config = replace(model.config, temperature=fitted.temperature)
    note_oddities(reader)
    return fitted
