"""`ibr solve`: questions to a rulebook, each answered with a proof that was checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ibr.commands.options import FailIfUnproved, Json, Questions, Rules
from ibr.commands.output import emit_json, note
from ibr.commands.pictures import Dot, Drawing, Mermaid, Svg
from ibr.errors import ExitCode

if TYPE_CHECKING:
    from ibr.answer import Answer
    from ibr.logic.solver import Solver
    from ibr.rulebook import Rulebook


def command(
    rules: Rules,
    questions: Questions,
    explain: Annotated[bool, typer.Option("--explain", help="Tell it in English too.")] = False,
    all_proofs: Annotated[
        int, typer.Option(metavar="N", min=0, help="Count the proofs and show up to N.")
    ] = 0,
    dot: Dot = False,
    mermaid: Mermaid = False,
    svg: Svg = None,
    fail_if_unproved: FailIfUnproved = False,
    json: Json = False,
) -> None:
    """Answer questions about a rulebook; --json prints one line per question."""
    from ibr.answer import answer
    from ibr.files import read_text
    from ibr.logic.solver import Solver
    from ibr.rulebook import Rulebook

    drawing = Drawing(dot, mermaid, svg)
    drawing.check(
        len(questions), {"--json": json, "--explain": explain, "--all-proofs": all_proofs > 0}
    )
    book = Rulebook.parse(read_text(rules))
    for entry in book.unreadable:
        note(f"{rules}, {entry.trouble}; it is left out")
    solver = Solver(book.program)
    answers = [answer(book.program, solver, question) for question in questions]
    if drawing:
        drawing.write(answers[0].picture(book.theory))
    for given in [] if drawing.printed else answers:
        if json:
            emit_json(_json(given, solver, explain, all_proofs))
        else:
            print("\n".join(_told(book, given, solver, explain, all_proofs)))
    if fail_if_unproved and not all(given.proved for given in answers):
        raise typer.Exit(ExitCode.UNPROVED)


def _json(given: Answer, solver: Solver, explain: bool, limit: int) -> dict[str, Any]:
    from ibr.answer import proof_to_json, some_proofs

    line = given.to_json()
    if explain:
        line |= given.why.to_json()
    if limit:
        count, proofs = some_proofs(solver, given, limit)
        line |= {"proof_count": count, "proofs": [proof_to_json(proof) for proof in proofs]}
    return line


def _told(book: Rulebook, given: Answer, solver: Solver, explain: bool, limit: int) -> list[str]:
    from ibr.answer import some_proofs
    from ibr.drawing.tree import proof_lines

    lines = [*given.heading, "Proof:" if given.verdict.proved else "Deepest failure:"]
    lines += proof_lines(book.theory, given.proof, "  ")
    if explain:
        lines += given.why.told
    if limit:
        count, proofs = some_proofs(solver, given, limit)
        lines.append("Proofs: too many to count" if count is None else f"Proofs: {count:,}")
        for number, proof in enumerate(proofs, start=1):
            lines += [f"  proof {number}:", *proof_lines(book.theory, proof, "    ")]
    return lines
