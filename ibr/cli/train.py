"""Models and what is measured of them: `ibr train`, `plot`, `export`, `reproduce`, `bench`."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ibr.choices import EngineName
from ibr.cli.options import Address, Device, EngineChoice, Workers, given
from ibr.cli.output import note, note_oddities, progress
from ibr.errors import IbrError

if TYPE_CHECKING:
    from ibr.evaluation.calibration import Fitted
    from ibr.model.ibr import IBR
    from ibr.training.loop import Evaluated, Learned, Trainer

Encoder = Annotated[
    str | None, typer.Option(help="Hugging Face encoder, by name or folder; sets hidden, too.")
]
Preset = Annotated[
    str | None,
    typer.Option(
        help="quick (half an hour), small (hours), pretrained (a small encoder) or paper "
        "(roberta-large); default: quick, with --encoder pretrained."
    ),
]
DataParts = Annotated[
    list[str] | None,
    typer.Option(
        help="RuleTaker, JSONL, ParaRules tsv, hf:NAME or generate:depth=3; with options, "
        "PATH:split=train,limit=70000,weight=2. Repeat to mix; +PART adds to the preset's own."
    ),
]
EqualExamples = Annotated[bool, typer.Option("--equal-examples", help="IBR's steps for all.")]
RunSettings = Annotated[
    list[str] | None,
    typer.Option("--set", help="KEY=VALUE of the config, SYSTEM:KEY=VALUE of one; repeat."),
]
Threads = Annotated[int, typer.Option(min=1, help="Of torch.")]


def train(
    out: Annotated[Path, typer.Option(help="The run folder: checkpoints, metrics, config.")],
    preset: Preset = None,
    config: Annotated[
        Path | None, typer.Option(help="In place of a preset: a file as train.json of a run.")
    ] = None,
    encoder: Encoder = None,
    system: Annotated[
        str, typer.Option(help="ibr, or a system that it is compared with: docs/baselines.md.")
    ] = "ibr",
    data: DataParts = None,
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
    log_to: Annotated[
        list[str] | None, typer.Option(help="tensorboard or wandb, beside metrics.jsonl; repeat.")
    ] = None,
    settings: RunSettings = None,
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


def plot(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders.")],
    out: Annotated[Path, typer.Option(help="SVG file to write.")] = Path("curves.svg"),
    metrics: Annotated[
        str, typer.Option(help="Of the held-out questions, or losses: total, answer, child, ….")
    ] = "qa,pa,fa",
) -> None:
    """Draw learning curves over the questions seen; needs the extra `report`."""
    from ibr.reproduce.charts import draw_curves

    draw_curves(runs, _names(metrics) or (), out)
    note(f"drawn: {out}")


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
    table: Annotated[str, typer.Argument(help="`list`, or a table or figure of the paper.")],
    out: Annotated[Path, typer.Option(help="Folder of runs, scores and pages.")] = Path(
        "reproduced"
    ),
    minutes: Annotated[
        float | None, typer.Option(min=0.01, help="Of each training; default 30, paper: epochs.")
    ] = None,
    steps: Annotated[
        int | None, typer.Option(min=1, help="Of each training, in place of minutes.")
    ] = None,
    systems: Annotated[
        str | None, typer.Option(help="ibr,prover,…; default: those of the paper's table.")
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="Runs of each kind: mean and spread.")] = 1,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would run, and how long.")
    ] = False,
    preset: Annotated[str, typer.Option(help="As of ibr train.")] = "quick",
    encoder: Encoder = None,
    data: Annotated[str | None, typer.Option(help="RuleTaker's folder; else generated.")] = None,
    birds: Annotated[str | None, typer.Option(help="Birds-Electricity, to test on.")] = None,
    pararules: Annotated[str | None, typer.Option(help="ParaRules' tsv.")] = None,
    test: Annotated[
        str | None, typer.Option(help="DU5 questions to test on beside the generated ones.")
    ] = None,
    samples: Annotated[
        int, typer.Option(min=7, help="Questions of the full training set.")
    ] = 70_000,
    questions: Annotated[int, typer.Option(min=1, help="Of the generated test.")] = 1200,
    equal_examples: EqualExamples = False,
    threads: Threads = 2,
    settings: RunSettings = None,
    engine: EngineChoice = EngineName.LOCAL,
    workers: Workers = None,
    address: Address = None,
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
    what: Annotated[str, typer.Argument(help="latency")],
    out: Annotated[Path, typer.Option(help="Folder of the page.")] = Path("latency"),
    systems: Annotated[str | None, typer.Option(help="ibr,evr,…; default: all.")] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(help="SYSTEM=RUN, a trained model; others have random weights; repeat."),
    ] = None,
    mode: Annotated[
        str, typer.Option(help="forced (follows gold), free (trained models) or forced,free.")
    ] = "forced",
    per_depth: Annotated[int, typer.Option(min=1, help="Provable questions of a depth.")] = 20,
    failing: Annotated[int, typer.Option(min=0, help="Unprovable questions of a depth.")] = 0,
    rounds: Annotated[int, typer.Option(min=1, help="The fastest counts.")] = 2,
    threads: Threads = 1,
    cpu_time: Annotated[
        bool, typer.Option("--cpu-time", help="Time of this process alone: for a busy machine.")
    ] = False,
    page: Annotated[Path | None, typer.Option(help="Another folder for page and charts.")] = None,
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
