"""`ibr generate` and `ibr stats`: make labelled theories, and count what a dataset has."""

from dataclasses import asdict
from pathlib import Path

import typer

from ibr.choices import EngineName
from ibr.cli.output import emit_json, note, note_oddities, progress, show


def generate(
    out: Path,
    depth: int = 5,
    count: int = 100,
    seed: int = 0,
    split: str = "dev",
    preset: str = "ruletaker",
    vocabulary: str = "ruletaker",
    entities: int | None = None,
    facts: int | None = None,
    rules: int | None = None,
    sentences: int | None = None,
    unproved: int | None = None,
    engine: EngineName = EngineName.LOCAL,
    workers: int | None = None,
    address: str | None = None,
) -> None:
    """Make theories, questions and all their proofs, labelled by the solver."""
    from ibr.bulk.engines import get_engine
    from ibr.cli.jobs import MakeJob, write_own
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
            questions = write_own(out, theories) if own else write_theories(out, split, theories)
    except GenerateError as error:
        raise typer.BadParameter(str(error)) from error
    note(f"{count:,} theories, {questions:,} questions in {out}")


def stats(
    data: Path,
    split: str | None = None,
    mappings: Path | None = None,
    skip_bad: bool = False,
    json: bool = False,
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
