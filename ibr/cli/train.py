"""Models and what is measured of them: `ibr train`, `plot`, `export`, `reproduce`, `bench`."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ibr.choices import EngineName
from ibr.cli.options import given
from ibr.cli.output import note, note_oddities, progress
from ibr.errors import IbrError

if TYPE_CHECKING:
    from ibr.evaluation.calibration import Fitted
    from ibr.model.ibr import IBR
    from ibr.training.loop import Evaluated, Learned, Trainer


def train(
    out: Path,
    preset: str | None = None,
    config: Path | None = None,
    encoder: str | None = None,
    system: str = "ibr",
    data: list[str] | None = None,
    dev: str | None = None,
    start: str | None = None,
    resume: bool = False,
    max_minutes: float | None = None,
    steps: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    device: str | None = None,
    log_to: list[str] | None = None,
    settings: list[str] | None = None,
) -> None:
    """Train a model; `ibr evaluate --reasoner OUT` measures it, `ibr predict` uses it."""
    from ibr.data.making.shape import GenerateError
    from ibr.model.config import ConfigError
    from ibr.training import presets, trainer
    from ibr.training.stream import Stream

    values = given(
        start=start, max_minutes=max_minutes, steps=steps, seed=seed, threads=threads, device=device
    )
    changes = [*(f"{key}={value}" for key, value in values.items()), *(settings or ())]
    try:
        if resume:
            chosen = trainer.saved_config(out)
        else:
            chosen = presets.chosen(preset, config, encoder, values)
            chosen = presets.with_data(presets.with_model_of(chosen, system), data or (), dev)
        if encoder is not None:
            chosen = presets.with_encoder(chosen, encoder)
        chosen = presets.with_settings(chosen, changes)
        for line in Stream(chosen).report().lines():
            note(line)
        trainer.train(chosen, out, resume, _report, log_to or ())
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
        speed = trainer.seen / trainer.seconds
        line = f"step {event.step}  loss {event.loss['total']:.3f}  {speed:.0f} examples/s  "
        if trainer.seconds_to_go is not None:
            line += f"{trainer.seconds_to_go / 60:.1f} minutes left"
    else:
        return
    print("\r\033[K" * is_terminal + line, end="", file=sys.stderr, flush=True)


def plot(runs: list[Path], out: Path = Path("curves.svg"), metrics: str = "qa,pa,fa") -> None:
    """Draw learning curves over the questions seen; needs the extra `report`."""
    from ibr.reproduce.charts import draw_curves

    draw_curves(runs, _names(metrics) or (), out)
    note(f"drawn: {out}")


def export(
    run: Path,
    out: Path,
    held_out: Path | None = None,
    turns: int | None = None,
    card: Path | None = None,
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
        model = onnx_export.with_turns(model, turns)
    fitted = None if held_out is None else _calibrate(model, held_out)
    try:
        onnx_export.export(model, out, text)
    except ConfigError as error:
        raise IbrError(f"{run}: {error}") from error
    note(f"exported: {out}")
    if fitted is not None:
        print(fitted)


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


def reproduce(
    table: str,
    out: Path = Path("reproduced"),
    minutes: float | None = None,
    steps: int | None = None,
    systems: str | None = None,
    seeds: int = 1,
    dry_run: bool = False,
    preset: str = "quick",
    encoder: str | None = None,
    data: str | None = None,
    birds: str | None = None,
    pararules: str | None = None,
    test: str | None = None,
    samples: int = 70_000,
    questions: int = 1200,
    equal_examples: bool = False,
    threads: int = 2,
    settings: list[str] | None = None,
    engine: EngineName = EngineName.LOCAL,
    workers: int | None = None,
    address: str | None = None,
) -> None:
    """Train, measure and print a table of the paper beside the published one; resumes."""
    from ibr.bulk.engines import get_engine
    from ibr.model.config import ConfigError
    from ibr.reproduce import execution, paper_tables, plan, report_page

    if table == "list":
        return print("\n".join(f"{one.name:11} {one.title}" for one in paper_tables.tables()))
    try:
        options = plan.PlanOptions(
            30.0 if minutes is None and data is None else minutes, steps, seeds, _names(systems),
            preset, data, birds, pararules, test, samples, questions, equal_examples, threads,
            encoder, tuple(settings or ()),
        )  # fmt: skip
        run_on = get_engine(engine, workers, address, cpus=threads)
        results = execution.ResultFolder(out, note, run_on)
        wanted = paper_tables.table(table)
        if dry_run:
            print("\n".join(results.describe(results.plan(wanted, options, dry=True))))
        else:
            print(report_page.reproduce(wanted, options, results))
    except ConfigError as error:
        raise typer.BadParameter(str(error)) from error


def bench(
    what: str,
    out: Path = Path("latency"),
    systems: str | None = None,
    model: list[str] | None = None,
    mode: str = "forced",
    per_depth: int = 20,
    failing: int = 0,
    rounds: int = 2,
    threads: int = 1,
    cpu_time: bool = False,
    page: Path | None = None,
) -> None:
    """Time the systems on the same questions, by depth; ratios to IBR."""
    from ibr.reproduce import latency

    if what != "latency":
        raise typer.BadParameter(f"no benchmark {what!r}: use latency")
    pairs = [given_model.partition("=") for given_model in model or ()]
    models = {name: Path(run) for name, separator, run in pairs if separator}
    if len(models) != len(pairs):
        raise typer.BadParameter("--model: write SYSTEM=RUN, each system once")
    latency_bench = latency.Bench(
        systems=_names(systems) or latency.Bench.systems,
        modes=_names(mode) or (),
        per_depth=per_depth,
        failing=failing,
        rounds=rounds,
        threads=threads,
        clock="cpu" if cpu_time else "seconds",
    )
    print(latency.run_bench(latency_bench, out, models, note, page))


def _names(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(filter(None, text.split(",")))
