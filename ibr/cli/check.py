"""`ibr check`: is this graph a proof? One from a file, or every prediction of a run."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ibr.choices import Assumption, LogicFrom
from ibr.cli.options import FailIfUnproved, Json, LogicChoice, Mappings, SkipBad, World
from ibr.cli.output import emit_json, note_oddities, show
from ibr.errors import ExitCode

if TYPE_CHECKING:
    from ibr.data.formats.sources import FileLogic

_SIDES = {
    "negation": "; it shows the negation",
    "neither": "; it shows that neither the statement nor its negation can be proved",
}


def check(
    rules: Annotated[str | None, typer.Argument(metavar="RULES.txt", show_default=False)] = None,
    question: Annotated[str | None, typer.Argument(metavar="QUESTION", show_default=False)] = None,
    proof: Annotated[
        str, typer.Argument(metavar="PROOF.json", help='{"nodes", "edges"}; - is stdin.')
    ] = "-",
    problems: Annotated[
        str | None, typer.Option("--in", help="Check a whole run instead: its problems ...")
    ] = None,
    predictions: Annotated[str | None, typer.Option(help="... and its predictions.")] = None,
    logic: LogicChoice = LogicFrom.AUTO,
    mappings: Mappings = None,
    world: World = Assumption.CLOSED,
    skip_bad: SkipBad = False,
    fail_if_unproved: FailIfUnproved = False,
    json: Json = False,
) -> None:
    """Check a proof, {"nodes": [...], "edges": [[premise, rule], ...]}; sentences count from 0."""
    if problems and predictions and rules is None:
        from ibr.data.formats.sources import FileLogic

        proved = _check_run(
            problems, predictions, FileLogic(logic, world), mappings, skip_bad, json
        )
    elif rules and question and not (problems or predictions):
        proved = _check_one(rules, question, proof, world, json)
    else:
        raise typer.BadParameter("give RULES.txt QUESTION [PROOF.json], or --in and --predictions")
    if fail_if_unproved and not proved:
        raise typer.Exit(ExitCode.UNPROVED)


def _check_one(rules: str, question: str, proof: str, world: Assumption, json: bool) -> bool:
    from ibr.asking.rulebook import Rulebook
    from ibr.bulk.checks import check_in_words, check_text, check_to_json
    from ibr.data.formats.jsonl import read_text

    book = Rulebook.parse(read_text(rules), world)
    found = check_text(book.program, question, read_text(proof), proof)
    if json:
        emit_json(check_to_json(found))
    else:
        show(check_in_words(found) + _SIDES.get(str(found.side), ""))
    return found.side == "statement"


def _check_run(
    problems: str,
    predictions: str,
    source: FileLogic,
    mappings: Path | None,
    skip_bad: bool,
    json: bool,
) -> bool:
    from ibr.bulk.checks import check_in_words, check_prediction, check_to_json
    from ibr.data.formats.jsonl import BadLines
    from ibr.data.formats.sources import Reader, RefusedProblems, read_predictions
    from ibr.reasoner import prove_all

    bad = BadLines() if skip_bad else None
    reader, recorded = Reader(mappings=mappings, bad=bad), read_predictions(predictions, bad)
    asked = source.watch(reader.problems(problems))
    answered = prove_all(recorded, asked, lambda a: a.problem, RefusedProblems(problems, bad))
    counts: Counter[str] = Counter()
    for asked_at, prediction in answered:
        found = check_prediction(asked_at.problem, prediction, source.read)
        counts[str(found.status) if found else "without a proof"] += 1
        if json:
            emit_json({"id": prediction.id} | check_to_json(found))
        elif found and not found.valid:
            show(f"{prediction.id}: {check_in_words(found)}")
    if not json:
        show(", ".join(f"{count:,} {name}" for name, count in sorted(counts.items())) or "none")
    note_oddities(reader)
    return set(counts) <= {"valid"}
