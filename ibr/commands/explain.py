"""`ibr explain`: a proof told in English, or why there is none and what would make one."""

from __future__ import annotations

from typing import Annotated

import typer

from ibr.commands.options import Json, Rules
from ibr.commands.output import emit_json, note


def command(
    rules: Rules,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="A statement.")],
    json: Json = False,
) -> None:
    """Say why a statement holds; or why not, and which single fact would change that."""
    from ibr.answer import answer
    from ibr.files import read_text
    from ibr.logic.solver import Solver
    from ibr.rulebook import Rulebook

    book = Rulebook.parse(read_text(rules))
    for entry in book.unreadable:
        note(f"{rules}, {entry.trouble}; it is left out")
    given = answer(book.program, Solver(book.program), question)
    if json:
        emit_json(given.to_json() | given.why.to_json())
    else:
        print("\n".join([*given.heading, *given.why.told]))
