"""`ibr evaluate`: a reasoner against labelled data, by depth and by group."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ibr.choices import LogicFrom, Oracle
from ibr.commands.options import Beams, Json, LogicChoice, Mappings, SkipBad
from ibr.commands.output import emit_json, note_oddities, progress
from ibr.commands.tables import Facts, show

if TYPE_CHECKING:
    from ibr.data.example import Example
    from ibr.data.jsonl import BadLines
    from ibr.reasoner import Reasoner, Solvers
    from ibr.sources import FileLogic
    from ibr.theory import Problem


def command(
    data: Annotated[Path, typer.Option(help="RuleTaker directory or file, or our own JSONL.")],
    reasoner: Annotated[
        str | None,
        typer.Option(help="Who answers: solver, ibr, verified, or the folder of a model."),
    ] = None,
    predictions: Annotated[
        str | None, typer.Option(help="Or score these lines of `ibr predict`; - is stdin.")
    ] = None,
    split: Annotated[str | None, typer.Option(help="train, dev or test; else all.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="The first N questions only.")] = None,
    logic: LogicChoice = LogicFrom.AUTO,
    mappings: Mappings = None,
    beams: Beams = None,
    oracle: Annotated[
        Oracle | None,
        typer.Option(help="Give a model one of each step's decisions: an ablation."),
    ] = None,
    text_order: Annotated[
        bool,
        typer.Option(
            "--text-order",
            help="Hide the numbers that a file gives its sentences: of failures that tie, the "
            "file's own is the one whose rule has the lowest, which a scrambled text hides.",
        ),
    ] = False,
    skip_bad: SkipBad = False,
    json: Json = False,
) -> None:
    """Score answers and proofs: QA, node, edge, PA, PAmin, FA, strategy; n/a: not claimed."""
    from ibr.data.jsonl import BadLines
    from ibr.evaluate import evaluate
    from ibr.gold import accepted
    from ibr.reasoner import Solvers, prove_all
    from ibr.sources import FileLogic, Reader, RefusedData

    if text_order and (oracle is not None or logic is LogicFrom.FILE):
        raise typer.BadParameter("--text-order hides what --oracle and --logic file look up")
    source, bad = FileLogic(logic), BadLines() if skip_bad else None
    reader = Reader(split, mappings, bad, kinds=False)
    solvers, refused = Solvers(source.read), RefusedData(str(data), bad)
    system = _system(reasoner, predictions, solvers, bad, _options(beams, oracle, source))
    examples = islice(source.watch(reader.examples(data)), limit)
    problem = _as_shown if text_order else _as_filed
    answered = prove_all(system, progress(examples, "questions"), problem, refused)
    report = evaluate(answered, lambda example: accepted(example, solvers))
    facts = Facts(
        reasoner=system.name,
        data=str(data),
        file_logic=source.from_file,
        solver_proofs=source.without_proofs,
        not_stratified=refused.not_stratified,
        bad=bad.count if bad else 0,
    )
    if json:
        emit_json(facts._asdict() | report.to_json())
    else:
        show(report, facts)
    note_oddities(reader)


def _as_filed(example: Example) -> Problem:
    return example.problem


def _as_shown(example: Example) -> Problem:
    return replace(example.problem, theory=example.theory.as_shown)


def _options(beams: int | None, choice: Oracle | None, source: FileLogic) -> dict[str, Any]:
    """What only models have."""
    options: dict[str, Any] = {} if beams is None else {"beams": beams}
    if choice is not None:
        from ibr.model.oracle import oracle

        options["wrap"] = oracle(choice, source.proofs_of)
    return options


def _system(
    name: str | None,
    predictions: str | None,
    solvers: Solvers,
    bad: BadLines | None,
    options: dict[str, Any],
) -> Reasoner:
    from ibr.reasoner import get_reasoner
    from ibr.sources import read_predictions

    if name is not None and predictions is None:
        return get_reasoner(name, solvers, **options)
    if predictions is not None and name is None and not options:
        return read_predictions(predictions, bad)
    raise typer.BadParameter(
        "give either --reasoner or --predictions (--beams and --oracle are for a model)"
    )
