"""`ibr evaluate`: a reasoner against labelled data, by depth and by group."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ibr.choices import Assumption, EngineName, GoldDecision, LogicFrom
from ibr.cli.options import (
    Address,
    Beams,
    Device,
    EngineChoice,
    Json,
    LogicChoice,
    Mappings,
    SkipBad,
    Split,
    Workers,
    World,
    given,
)
from ibr.cli.output import emit_json, note_oddities, progress
from ibr.files import path_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ibr.bulk.engines import Engine
    from ibr.cli.jobs import BlockNotes, ScoreJob
    from ibr.data.formats.example import Example
    from ibr.evaluation.answers import AnswerReport
    from ibr.evaluation.metrics import Report

_COUNTED = ("file_logic", "solver_proofs", "not_stratified", "bad")  # as in EvaluationNotes
_EITHER = "give either --reasoner or --predictions (--beams, --device and --oracle are for a model)"
Data = Annotated[
    Path,
    typer.Option(
        parser=path_of, metavar="PATH", help="RuleTaker directory or file, or our own JSONL."
    ),
]
TextOrder = Annotated[
    bool,
    typer.Option(
        "--text-order",
        help="Hide the numbers that a file gives its sentences: of failures that tie, the file's "
        "own is the one whose rule has the lowest, which a scrambled text hides.",
    ),
]


def evaluate(
    data: Data,
    reasoner: Annotated[
        str | None,
        typer.Option(help="Which system: solver, ibr, verified, or a model's folder."),
    ] = None,
    predictions: Annotated[
        str | None, typer.Option(help="Or score these lines of `ibr predict`; - is stdin.")
    ] = None,
    split: Split = None,
    limit: Annotated[int | None, typer.Option(min=1, help="The first N questions only.")] = None,
    logic: LogicChoice = LogicFrom.AUTO,
    mappings: Mappings = None,
    beams: Beams = None,
    device: Device = None,
    oracle: Annotated[
        GoldDecision | None,
        typer.Option(help="Give a model one of each step's decisions: an ablation."),
    ] = None,
    text_order: TextOrder = False,
    world: World = Assumption.CLOSED,
    skip_bad: SkipBad = False,
    engine: EngineChoice = EngineName.LOCAL,
    workers: Workers = None,
    address: Address = None,
    json: Json = False,
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
    report, total = _score(job, islice(reader.examples(data), limit), run_on, answers)
    if bad is not None:
        bad.extend(total.refused)
    total.counts["bad"] = bad.count if bad else 0
    notes = EvaluationNotes(name, str(data), *(total.counts[kind] for kind in _COUNTED))
    if json:
        # With a third answer, QA and the calibration of true and false say nothing.
        proofs = {} if answers.three_way else report.to_json()
        emit_json(notes._asdict() | proofs | answers.to_json())
    else:
        show(report, notes, answers)
    note_oddities(reader)


def _score(
    job: ScoreJob, examples: Iterable[Example], engine: Engine, answers: AnswerReport
) -> tuple[Report, BlockNotes]:
    from ibr.cli.jobs import BlockNotes, units
    from ibr.data.formats.example import Reported
    from ibr.evaluation.metrics import Report

    report, total = Report(), BlockNotes()
    with engine(job) as run:
        for unit, (scored, notes) in run(units(progress(examples, "questions"))):
            total.add(notes)
            for place, prediction, marks in scored:
                example = unit[place]
                report.add(example, marks, prediction)
                if isinstance(example, Reported):
                    answers.add(example, prediction)
    return report, total
