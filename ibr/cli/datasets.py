"""`ibr generate` and `ibr stats`: make labelled theories, and count what a dataset has."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ibr.choices import EngineName
from ibr.cli.options import Address, EngineChoice, Json, Mappings, SkipBad, Split, Workers
from ibr.cli.output import emit_json, note, note_oddities, progress, show
from ibr.files import new_file, path_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ibr.data.formats.rule_reasoning import TheoryLines

Size = Annotated[int | None, typer.Option(min=1, help="Else as the preset draws it.")]


def generate(
    out: Annotated[
        Path,
        typer.Option(
            parser=path_of,
            metavar="PATH",
            help="Directory for RuleTaker files, or FILE.jsonl for our own form.",
        ),
    ],
    depth: Annotated[int, typer.Option(help="Something is provable at each depth up to this.")] = 5,
    count: Annotated[int, typer.Option(min=1, help="Number of theories.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed makes the same theories.")] = 0,
    split: Annotated[str, typer.Option(help="Name of the files: train, dev or test.")] = "dev",
    preset: Annotated[str, typer.Option(help="ruletaker or wide (varied structure).")] = (
        "ruletaker"
    ),
    vocabulary: Annotated[
        str, typer.Option(help="ruletaker, open (thousands of words), or a folder of word files.")
    ] = "ruletaker",
    entities: Size = None,
    facts: Size = None,
    rules: Size = None,
    sentences: Size = None,
    unproved: Annotated[
        int | None, typer.Option(min=0, help="Unprovable questions a theory; else as many.")
    ] = None,
    engine: EngineChoice = EngineName.LOCAL,
    workers: Workers = None,
    address: Address = None,
) -> None:
    """Make theories, questions and all their proofs, labelled by the solver."""
    from ibr.bulk.engines import get_engine
    from ibr.cli.jobs import MakeJob
    from ibr.data.formats.rule_reasoning import write_theories
    from ibr.data.making.generator import Recipe
    from ibr.data.making.shape import GenerateError

    own, run_on = out.suffix == ".jsonl", get_engine(engine, workers, address)
    try:
        recipe = Recipe(depth, preset, vocabulary, entities, facts, rules, sentences, unproved)
        job = MakeJob(recipe, seed, ruletaker=not own)
        with run_on(job) as run:
            made = (theory for _, theories in run(job.blocks(count)) for theory in theories)
            theories = progress(made, "theories", lambda: count)
            questions = _write_own(out, theories) if own else write_theories(out, split, theories)
    except GenerateError as error:
        raise typer.BadParameter(str(error)) from error
    note(f"{count:,} theories, {questions:,} questions in {out}")


def _write_own(out: Path, theories: Iterable[TheoryLines]) -> int:
    count = 0
    with new_file(out) as stream:
        for theory in theories:
            stream.write(f"{theory.text}\n")
            count += theory.questions
    return count


def stats(
    data: Annotated[
        Path,
        typer.Argument(
            parser=path_of, metavar="DATA", help="RuleTaker directory or file, or our own JSONL."
        ),
    ],
    split: Split = None,
    mappings: Mappings = None,
    skip_bad: SkipBad = False,
    json: Json = False,
) -> None:
    """Count what theories and questions are like; RuleTaker's DU5 stands beside it."""
    from ibr.cli.tables import figure_table
    from ibr.data.formats.jsonl import BadLines
    from ibr.data.formats.sources import Reader
    from ibr.data.statistics import compare, describe, du5_dev

    reader = Reader(split, mappings, BadLines() if skip_bad else None)
    found = describe(progress(reader.examples(data), "questions"))
    rows = compare(found, du5_dev())
    if json:
        emit_json(asdict(found) | {"published": [asdict(row) for row in rows]})
    else:
        show(f"{data}: {found.theories:,} theories, {found.questions:,} questions")
        show(figure_table(found, rows))
    note_oddities(reader)
