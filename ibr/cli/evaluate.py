"""`ibr evaluate`: a reasoner against labelled data, by depth and by group."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ibr.choices import Assumption, GoldDecision, LogicFrom
from ibr.cli.options import (
    Beams,
    Device,
    Json,
    LogicChoice,
    Mappings,
    SkipBad,
    Split,
    World,
    given,
)
from ibr.cli.output import emit_json, note_oddities, progress

if TYPE_CHECKING:
    from ibr.data.formats.example import Example
    from ibr.data.formats.jsonl import BadLines
    from ibr.logic.solver_reasoner import Solvers
    from ibr.reasoner import Reasoner
    from ibr.theory import Problem


TextOrder = Annotated[
    bool,
    typer.Option(
        "--text-order",
        help="Hide the numbers that a file gives its sentences: of failures that tie, the file's "
        "own is the one whose rule has the lowest, which a scrambled text hides.",
    ),
]


def evaluate(
    data: Annotated[Path, typer.Option(help="RuleTaker directory or file, or our own JSONL.")],
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
    json: Json = False,
) -> None:
    """Score answers and proofs: QA, node, edge, PA, PAmin, FA, strategy; n/a: not claimed."""
    from ibr.cli.tables import EvaluationNotes, show
    from ibr.data.formats.jsonl import BadLines
    from ibr.data.formats.sources import FileLogic, Reader, RefusedProblems
    from ibr.evaluation import gold, metrics
    from ibr.evaluation import oracle as oracles
    from ibr.evaluation.answers import AnswerReport
    from ibr.logic.solver_reasoner import Solvers
    from ibr.reasoner import prove_all

    if text_order and (oracle is not None or logic is LogicFrom.FILE):
        raise typer.BadParameter("--text-order hides what --oracle and --logic file look up")
    source, bad = FileLogic(logic, world), BadLines() if skip_bad else None
    reader = Reader(split, mappings, bad, kinds=False)
    solvers, refused = Solvers(source.read), RefusedProblems(str(data), bad, labelled=True)
    wrap = None if oracle is None else oracles.oracle(oracle, source.proofs_of)
    options = given(beams=beams, device=device, wrap=wrap)
    system = _system(reasoner, predictions, solvers, bad, world, options)
    examples = islice(source.watch(reader.examples(data)), limit)
    problem = _as_shown if text_order else attrgetter("problem")
    answered = prove_all(system, progress(examples, "questions"), problem, refused)
    answers = AnswerReport(world)
    accepted_of = partial(gold.accepted, solvers=solvers)
    report = metrics.evaluate(answers.watch(answered), accepted_of)
    counts = source.from_file, source.without_proofs, refused.not_stratified
    notes = EvaluationNotes(system.name, str(data), *counts, bad.count if bad else 0)
    if json:
        # With a third answer, QA and the calibration of true and false say nothing.
        proofs = {} if answers.three_way else report.to_json()
        emit_json(notes._asdict() | proofs | answers.to_json())
    else:
        show(report, notes, answers)
    note_oddities(reader)


def _as_shown(example: Example) -> Problem:
    return replace(example.problem, theory=example.theory.as_shown)


def _system(
    name: str | None,
    predictions: str | None,
    solvers: Solvers,
    bad: BadLines | None,
    world: Assumption,
    options: dict[str, Any],
) -> Reasoner:
    from ibr.asking.reasoners import get_reasoner
    from ibr.data.formats.sources import read_predictions

    if name is not None and predictions is None:
        return get_reasoner(name, solvers, world, **options)
    if predictions is not None and name is None and not options:
        return read_predictions(predictions, bad)
    raise typer.BadParameter(
        "give either --reasoner or --predictions (--beams, --device and --oracle are for a model)"
    )
