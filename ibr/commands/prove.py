"""`ibr prove`: questions to a rulebook, answered by a model, each with a proof that was checked."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ibr.commands.options import Beams, FailIfUnproved, Json, Questions, Rules
from ibr.commands.output import emit_json, note
from ibr.commands.pictures import Dot, Drawing, Mermaid, Svg
from ibr.errors import ExitCode


def command(
    rules: Rules,
    questions: Questions,
    reasoner: Annotated[
        str, typer.Option(help="Who answers: verified, ibr, a model's folder, verified:FOLDER.")
    ] = "verified",
    beams: Beams = None,
    trace: Annotated[
        bool, typer.Option("--trace", help="Show what every step of the model weighed.")
    ] = False,
    dot: Dot = False,
    mermaid: Mermaid = False,
    svg: Svg = None,
    fail_if_unproved: FailIfUnproved = False,
    json: Json = False,
) -> None:
    """Answer questions with the model, check its proofs and explain them."""
    from ibr.files import read_text
    from ibr.proved import prove
    from ibr.reasoner import SolverReasoner, get_reasoner
    from ibr.rulebook import Rulebook

    drawing = Drawing(dot, mermaid, svg)
    drawing.check(len(questions), {"--json": json, "--trace": trace})
    book = Rulebook.parse(read_text(rules))
    is_solver = reasoner == SolverReasoner.name
    for entry in book.unreadable:
        left = "it is left out" if is_solver else "only the model reads it"
        note(f"{rules}, {entry.trouble}; {left}")
    if not book.entries:
        note(f"{rules}: there is no sentence in it")
    options: dict[str, Any] = {} if beams is None else {"beams": beams}
    if trace or not is_solver:
        options["trace"] = True  # the paths of the model tell how its proofs hang together
    given = prove(book, questions, get_reasoner(reasoner, **options))
    if drawing:
        drawing.write(given[0].picture())
    for number, answer in enumerate([] if drawing.printed else given):
        if json:
            emit_json(answer.to_json(trace))
        else:
            print("\n".join(([""] if number else []) + answer.told(trace)))
    if fail_if_unproved and not all(answer.proved for answer in given):
        raise typer.Exit(ExitCode.UNPROVED)
