"""`ibr train`: a model of one's own, from a preset."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ibr.commands.output import note

if TYPE_CHECKING:
    from ibr.training.loop import Judged, Learned, Trainer


def command(
    out: Annotated[Path, typer.Option(help="The run folder: checkpoints, metrics, config.")],
    preset: Annotated[
        str, typer.Option(help="quick (half an hour), small (hours) or paper (roberta-large).")
    ] = "quick",
    data: Annotated[
        list[str] | None,
        typer.Option(
            help="RuleTaker folder or file, our JSONL, ParaRules tsv, or generate:depth=3; with "
            "options, PATH:split=train,limit=70000,weight=2. Repeat to mix; +PART adds to the "
            "preset's own."
        ),
    ] = None,
    start: Annotated[
        str | None, typer.Option(help="A run folder or model folder to begin with.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in --out.")] = False,
    max_minutes: Annotated[
        float | None, typer.Option(min=0.0, help="Stop in time; the schedule fits itself to it.")
    ] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="Or so many steps.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of weights and data.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Of torch; default 2.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="KEY=VALUE of the config, e.g. answer_loss=false; repeat."),
    ] = None,
) -> None:
    """Train a model; `ibr evaluate --reasoner OUT` measures it, `ibr predict` uses it."""
    from ibr.data.generate import GenerateError
    from ibr.model.config import ConfigError
    from ibr.train import saved_config, train
    from ibr.training import presets

    values = {
        "start": start,
        "max_minutes": max_minutes,
        "steps": steps,
        "seed": seed,
        "threads": threads,
    }
    given = [f"{key}={value}" for key, value in values.items() if value is not None]
    try:
        if resume:
            config = presets.with_settings(saved_config(out), [*given, *(settings or ())])
        else:
            config = presets.with_data(presets.preset(preset), data or ())
            config = presets.with_settings(config, [*given, *(settings or ())])
        train(config, out, resume, _report)
    except (ConfigError, GenerateError) as error:
        raise typer.BadParameter(str(error)) from error
    note(f"trained: {out}")


def _report(trainer: Trainer, event: Learned | Judged) -> None:
    """A line that is drawn over, if someone is looking; judgements always."""
    from ibr.training.loop import Judged

    looking = sys.stderr.isatty()
    if isinstance(event, Judged):
        scores = "  ".join(f"{name} {value:.1f}" for name, value in event.scores.items())
        print("\r\033[K" * looking + f"step {event.step}: dev {scores}", file=sys.stderr)
    elif looking:
        left = trainer.seconds_to_go
        print(
            f"\r\033[Kstep {event.step}  loss {event.loss['total']:.3f}  "
            f"{trainer.seen / trainer.seconds:.0f} examples/s  "
            f"{'' if left is None else f'{left / 60:.1f} minutes left'}",
            end="",
            file=sys.stderr,
            flush=True,
        )
