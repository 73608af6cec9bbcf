"""`ibr predict`: problems in, predictions out, one line each."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ibr.choices import LogicFrom
from ibr.commands.options import Beams, LogicChoice, Mappings, SkipBad
from ibr.commands.output import note, note_oddities, progress


def command(
    reasoner: Annotated[str, typer.Option(help="Who answers: solver, or a run folder.")],
    problems: Annotated[
        str,
        typer.Option("--in", help="JSONL of problems, or RuleTaker files; - is stdin."),
    ],
    out: Annotated[str, typer.Option(help="JSONL of predictions; - is stdout.")],
    logic: LogicChoice = LogicFrom.AUTO,
    mappings: Mappings = None,
    beams: Beams = None,
    trace: Annotated[
        bool, typer.Option("--trace", help="Add what every step weighed (models only).")
    ] = False,
    skip_bad: SkipBad = False,
) -> None:
    """Answer every question of a file, in its order; the output appears whole or not at all."""
    import json

    from ibr.data.jsonl import BadLines
    from ibr.files import writing
    from ibr.reasoner import Solvers, get_reasoner, prove_all
    from ibr.sources import FileLogic, Reader, Refused

    source = FileLogic(logic)
    reader = Reader(mappings=mappings, bad=BadLines() if skip_bad else None, kinds=False)
    options: dict[str, Any] = {"trace": True} if trace else {}
    if beams is not None:
        options["beams"] = beams
    system = get_reasoner(reasoner, Solvers(source.read), **options)
    asked = progress(reader.problems(problems, source), "questions")
    refused = Refused(problems, reader.bad)
    with writing(out) as stream:
        for _, prediction in prove_all(system, asked, lambda a: a.problem, refused):
            stream.write(json.dumps(prediction.to_json()) + "\n")
    note_oddities(reader)
    if source.from_file:
        note(f"the file's own logic was used for {source.from_file} questions")
