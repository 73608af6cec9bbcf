"""`ibr check`: is this graph a proof? One from a file, or every prediction of a run."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from ibr.choices import LogicFrom
from ibr.commands.options import FailIfUnproved, Json, LogicChoice, Mappings, SkipBad
from ibr.commands.output import emit_json, note_oddities
from ibr.errors import ExitCode


def command(
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
    skip_bad: SkipBad = False,
    fail_if_unproved: FailIfUnproved = False,
    json: Json = False,
) -> None:
    """Check a proof, {"nodes": [...], "edges": [[premise, rule], ...]}; sentences count from 0."""
    if problems and predictions and rules is None:
        valid = _check_run(problems, predictions, logic, mappings, skip_bad, json)
    elif rules and question and not (problems or predictions):
        valid = _check_one(rules, question, proof, json)
    else:
        raise typer.BadParameter("give RULES.txt QUESTION [PROOF.json], or --in and --predictions")
    if fail_if_unproved and not valid:
        raise typer.Exit(ExitCode.UNPROVED)


def _check_one(rules: str, question: str, proof: str, json: bool) -> bool:
    from ibr.checking import check_in_words, check_text, check_to_json
    from ibr.files import read_text
    from ibr.rulebook import Rulebook

    book = Rulebook.parse(read_text(rules))
    found = check_text(book.program, question, read_text(proof), proof)
    if json:
        emit_json(check_to_json(found))
    else:
        print(check_in_words(found))
    return found.valid


def _check_run(
    problems: str,
    predictions: str,
    logic: LogicFrom,
    mappings: Path | None,
    skip_bad: bool,
    json: bool,
) -> bool:
    from ibr.checking import check_all, check_in_words, check_to_json
    from ibr.data.jsonl import BadLines
    from ibr.reasoner import prove_all
    from ibr.sources import FileLogic, Reader, Refused, read_predictions

    source, bad = FileLogic(logic), BadLines() if skip_bad else None
    reader, recorded = Reader(mappings=mappings, bad=bad), read_predictions(predictions, bad)
    asked = reader.problems(problems, source)
    answered = prove_all(recorded, asked, lambda a: a.problem, Refused(problems, bad))
    counts: Counter[str] = Counter()
    for id, found in check_all(((a.problem, p) for a, p in answered), source.read):
        counts[str(found.status) if found else "without a proof"] += 1
        if json:
            emit_json({"id": id} | check_to_json(found))
        elif found and not found.valid:
            print(f"{id}: {check_in_words(found)}")
    if not json:
        print(", ".join(f"{count:,} {name}" for name, count in sorted(counts.items())) or "none")
    note_oddities(reader)
    return set(counts) <= {"valid"}
