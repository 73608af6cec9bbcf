"""`ibr generate`: labelled theories of any depth, with gold proofs."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from ibr.commands.output import note, progress

Size = Annotated[int | None, typer.Option(min=1, help="Else as the preset draws it.")]


def command(
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
    from ibr.data import rule_reasoning
    from ibr.data.example import write_jsonl
    from ibr.data.generate import Recipe, generate
    from ibr.data.making.errors import GenerateError

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
