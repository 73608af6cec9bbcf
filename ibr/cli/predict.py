"""`ibr predict` and `merge`: problems in, predictions out, one line each, and shards as one. `ibr
evaluate`: scores against labelled data. `ibr check`: are these graphs proofs?"""

from itertools import islice
from pathlib import Path
from typing import Any

import typer

from ibr.choices import Assumption, EngineName, GoldDecision, LogicFrom
from ibr.cli.options import given
from ibr.cli.output import emit_json, note, note_oddities
from ibr.errors import ExitCode, UsageError
from ibr.files import is_remote, path_of

_EITHER = "give either --reasoner or --predictions (--beams, --device and --oracle are for a model)"


def predict(
    reasoner: str,
    problems: str,
    out: str,
    logic: LogicFrom = LogicFrom.AUTO,
    mappings: Path | None = None,
    beams: int | None = None,
    device: str | None = None,
    trace: bool = False,
    world: Assumption = Assumption.CLOSED,
    skip_bad: bool = False,
    batch: int = 64,
    shard: str | None = None,
    resume: bool = False,
    engine: EngineName = EngineName.LOCAL,
    workers: int | None = None,
    address: str | None = None,
) -> None:
    """Answer every question of a file, in its order; the output appears whole or not at all."""
    from ibr.bulk import parts
    from ibr.bulk.engines import get_engine
    from ibr.cli.jobs import AnswerJob, model_of
    from ibr.data.formats.jsonl import BadLines
    from ibr.data.formats.sources import Reader

    _check_apart(problems, out)
    part = None if shard is None else parts.Shard.parse(shard)
    options = given(beams=beams, device=device, trace=trace or None)
    job = AnswerJob(problems, reasoner, logic, world, options, skip_bad, batch)
    reader = Reader(mappings=mappings, bad=BadLines() if skip_bad else None, kinds=False)
    output: parts.Output = parts.plain(out)
    if part or resume:
        _check_files(problems, out)
        settings: dict[str, Any] = {"logic": logic.value, "beams": beams, "device": device}
        settings |= {"mappings": mappings and parts.digest(mappings)}
        settings |= {"trace": trace, "skip_bad": skip_bad}
        settings |= {"world": world.value} if world is Assumption.OPEN else {}
        key = parts.OutputKey(parts.digest(path_of(problems)), *model_of(reasoner), settings)
        output = parts.working(parts.Places(out), key, part, resume)
    run_on = get_engine(engine, workers, address, gpus=int((device or "").startswith("cuda")))
    if not job.answer_all(reader, part or parts.Shard(), run_on, output).note_run(reader):
        raise typer.Exit(ExitCode.CANNOT_SAY)


def _check_apart(problems: str, out: str) -> None:
    """Raise UsageError if the output would replace the input."""
    given, made = path_of(problems), path_of(out)
    if is_remote(given) or is_remote(made):
        same = given == made
    else:
        same = given.is_file() and made.is_file() and given.samefile(made)
    if same:
        raise UsageError(f"--out {out}: is the input; give the output another name")


def _check_files(problems: str, out: str) -> None:
    """Raise UsageError for streams: the input is read more than once, the output in part."""
    given, made = path_of(problems), path_of(out)
    folder = given.is_dir() and not is_remote(given)
    wrong = [f"--in {problems}"] * (not folder and _is_stream(given))
    wrong += [f"--out {out}"] * (is_remote(made) or _is_stream(made))
    if wrong:
        raise UsageError(f"{', '.join(wrong)}: --shard and --resume need files, --out a local one")


def _is_stream(path: Path) -> bool:
    return str(path) == "-" or (path.exists() and not path.is_file())


def merge(out: str, parts: list[Path]) -> None:
    """Put the parts of `predict --shard` together, in the order of the input."""
    from ibr.bulk.merging import merge

    lines = merge(out, parts)
    note(f"{lines:,} predictions of {len(parts)} parts")


def evaluate(
    data: Path,
    reasoner: str | None = None,
    predictions: str | None = None,
    split: str | None = None,
    limit: int | None = None,
    logic: LogicFrom = LogicFrom.AUTO,
    mappings: Path | None = None,
    beams: int | None = None,
    device: str | None = None,
    oracle: GoldDecision | None = None,
    text_order: bool = False,
    world: Assumption = Assumption.CLOSED,
    skip_bad: bool = False,
    engine: EngineName = EngineName.LOCAL,
    workers: int | None = None,
    address: str | None = None,
    json: bool = False,
) -> None:
    """Score answers and proofs: QA, node, edge, PA, PAmin, FA, strategy; n/a: not claimed."""
    from ibr.asking.reasoners import SystemName
    from ibr.bulk.engines import get_engine
    from ibr.cli.jobs import ScoreJob
    from ibr.cli.tables import EvaluationNotes, show
    from ibr.data.formats.jsonl import BadLines
    from ibr.data.formats.sources import Reader, read_predictions
    from ibr.evaluation.answers import AnswerReport

    if text_order and (oracle is not None or logic is LogicFrom.FILE):
        raise typer.BadParameter("--text-order hides what --oracle and --logic file look up")
    options = given(beams=beams, device=device)
    if (reasoner is None) == (predictions is None) or (predictions and (options or oracle)):
        raise typer.BadParameter(_EITHER)
    bad = BadLines() if skip_bad else None
    recorded = None if predictions is None else read_predictions(predictions, bad)
    name = recorded.name if recorded else SystemName.parse(reasoner or "").label
    questions = reasoner, logic, world, options, skip_bad
    job = ScoreJob(str(data), *questions, recorded, oracle, text_order)
    reader, answers = Reader(split, mappings, bad, kinds=False), AnswerReport(world)
    run_on = get_engine(engine, workers, address, gpus=int((device or "").startswith("cuda")))
    report, total = job.score_all(islice(reader.examples(data), limit), run_on, answers)
    if bad is not None:
        bad.extend(total.refused)
    total.counts["bad"] = bad.count if bad else 0
    counts = (total.counts[kind] for kind in EvaluationNotes._fields[2:])
    notes = EvaluationNotes(name, str(data), *counts)
    if json:
        # With a third answer, QA and the calibration of true and false say nothing.
        proofs = {} if answers.three_way else report.to_json()
        emit_json(notes._asdict() | proofs | answers.to_json())
    else:
        show(report, notes, answers)
    note_oddities(reader)


def check(
    rules: str | None = None,
    question: str | None = None,
    proof: str = "-",
    problems: str | None = None,
    predictions: str | None = None,
    logic: LogicFrom = LogicFrom.AUTO,
    mappings: Path | None = None,
    world: Assumption = Assumption.CLOSED,
    skip_bad: bool = False,
    fail_if_unproved: bool = False,
    json: bool = False,
) -> None:
    """Check a proof, {"nodes": [...], "edges": [[premise, rule], ...]}; sentences count from 0."""
    from ibr.cli import jobs
    from ibr.data.formats.sources import FileLogic

    if problems and predictions and rules is None:
        source = FileLogic(logic, world)
        proved = jobs.check_run(problems, predictions, source, mappings, skip_bad, json)
    elif rules and question and not (problems or predictions):
        proved = jobs.check_one(rules, question, proof, world, json)
    else:
        raise typer.BadParameter("give RULES.txt QUESTION [PROOF.json], or --in and --predictions")
    if fail_if_unproved and not proved:
        raise typer.Exit(ExitCode.UNPROVED)
