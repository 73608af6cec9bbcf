"""`ibr stats`: what a dataset is made of, beside the published figures."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ibr.commands.options import Json, Mappings, SkipBad
from ibr.commands.output import console, emit_json, note_oddities, progress
from ibr.commands.tables import figure_table


def command(
    data: Annotated[Path, typer.Argument(help="RuleTaker directory or file, or our own JSONL.")],
    split: Annotated[str | None, typer.Option(help="train, dev or test; else all.")] = None,
    mappings: Mappings = None,
    skip_bad: SkipBad = False,
    json: Json = False,
) -> None:
    """Count what theories and questions are like; RuleTaker's DU5 stands beside it."""
    from ibr.data.jsonl import BadLines
    from ibr.data.published import DU5_DEV
    from ibr.data.statistics import compare, describe
    from ibr.sources import Reader

    reader = Reader(split, mappings, BadLines() if skip_bad else None)
    found = describe(progress(reader.examples(data), "questions"))
    rows = compare(found, DU5_DEV)
    if json:
        emit_json(asdict(found) | {"published": [asdict(row) for row in rows]})
    else:
        print(f"{data}: {found.theories:,} theories, {found.questions:,} questions")
        console().print(figure_table(found, rows))
    note_oddities(reader)
