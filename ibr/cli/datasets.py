"""`ibr generate` and `ibr stats`: make labelled theories, and count what a dataset has."""

from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from ibr.cli.options import Json, Mappings, SkipBad, Split
from ibr.cli.output import console, emit_json, note, note_oddities, progress

Size = Annotated[int | None, typer.Option(min=1, help="Else as the preset draws it.")]


def generate(
    out: Annotated[
        Path, typer.Option(help="Directory for RuleTaker files, or FILE.jsonl for our own form.")
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
) -> None:
    """Make theories, questions and all their proofs, labelled by the solver."""
    from ibr.data.formats import rule_reasoning
    from ibr.data.formats.example import write_jsonl
    from ibr.data.making.generator import Recipe, generate
    from ibr.data.making.shape import GenerateError

    try:
        recipe = Recipe(depth, preset, vocabulary, entities, facts, rules, sentences, unproved)
        theories = progress(generate(recipe, seed, count), "theories")
        examples = chain.from_iterable(theories)
        if out.suffix == ".jsonl":
            made = write_jsonl(out, examples)
        else:
            made = rule_reasoning.write(out, split, examples)
    except GenerateError as error:
        raise typer.BadParameter(str(error)) from error
    note(f"{count:,} theories, {made:,} questions in {out}")


def stats(
    data: Annotated[Path, typer.Argument(help="RuleTaker directory or file, or our own JSONL.")],
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
        print(f"{data}: {found.theories:,} theories, {found.questions:,} questions")
        console().print(figure_table(found, rows))
    note_oddities(reader)
