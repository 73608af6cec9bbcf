"""`ibr predict`: problems in, predictions out, one line each."""

from __future__ import annotations

from pathlib import Path
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
    batch: Annotated[
        int, typer.Option(min=1, max=64, help="Questions of one theory that are answered at once.")
    ] = 64,
    shard: Annotated[
        str | None, typer.Option(metavar="i/n", help="Only the i-th of n parts; see `ibr merge`.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Survive a kill: the same call again goes on.")
    ] = False,
) -> None:
    """Answer every question of a file, in its order; the output appears whole or not at all."""
    import json
    from itertools import islice

    from ibr.batching import Shard, answer, units
    from ibr.data.jsonl import BadLines
    from ibr.files import writing
    from ibr.parts import Job, Places, digest
    from ibr.reasoner import Solvers, get_reasoner
    from ibr.sources import Asked, FileLogic, Reader, Refused, count_questions
    from ibr.work import working

    part = None if shard is None else Shard.parse(shard)
    if part or resume:
        _check_lasting(problems, out)
    places = Places(out) if part or resume else None
    source = FileLogic(logic)
    reader = Reader(mappings=mappings, bad=BadLines() if skip_bad else None, kinds=False)
    options: dict[str, Any] = {"trace": True} if trace else {}
    if beams is not None:
        options["beams"] = beams
    system = get_reasoner(reasoner, Solvers(source.read), **options)
    refused = Refused(problems, reader.bad)

    def lines(unit: list[Asked]) -> list[str]:
        predictions = answer(system, unit, lambda asked: asked.problem, refused, batch)
        return [json.dumps(prediction.to_json()) for prediction in predictions]

    asked = progress(
        reader.problems(problems, source), "questions", lambda: count_questions(problems)
    )
    mine = (part or Shard()).of(units(asked, lambda asked: asked.problem))
    if places is None:
        with writing(out) as stream:
            for unit in mine:
                stream.writelines(f"{line}\n" for line in lines(unit))
    else:
        job = Job(
            input=digest(Path(problems)),
            reasoner=system.name,
            model=_model_sha256(reasoner),
            options={
                "logic": logic.value,
                "mappings": mappings and digest(mappings),
                "beams": beams,
                "trace": trace,
                "skip_bad": skip_bad,
            },
        )
        with working(places, job, part, resume) as work:
            if work is None:
                note(f"{out} is there already, and whole")
                return
            if work.done:
                note(f"going on after {work.lines:,} lines")
            for unit in islice(mine, work.done, None):
                work.add(lines(unit))
    note_oddities(reader)
    if source.from_file:
        note(f"the file's own logic was used for {source.from_file} questions")


def _check_lasting(problems: str, out: str) -> None:
    """The input is read more than once, the output in part: streams are no use. UsageError."""
    from ibr.errors import UsageError
    from ibr.files import STANDARD

    streams = [
        f"{option} {name}"
        for option, name, may_be_folder in (("--in", problems, True), ("--out", out, False))
        if name == STANDARD or _is_stream(Path(name), may_be_folder)
    ]
    if streams:
        raise UsageError(f"{', '.join(streams)}: --shard and --resume need files")


def _is_stream(path: Path, may_be_folder: bool) -> bool:
    return path.exists() and not (path.is_file() or (may_be_folder and path.is_dir()))


def _model_sha256(reasoner: str) -> str | None:
    """Of the files that make the model; an exported one lists the sums of all of them."""
    from ibr.manifest import EMBEDDED, MANIFEST
    from ibr.parts import digest

    first, _, rest = reasoner.partition(":")
    name = (rest or "ibr") if first == "verified" else reasoner
    if name == "solver":
        return None
    folder = EMBEDDED if name == "ibr" else Path(name)
    if (folder / MANIFEST).exists():
        return digest(folder / MANIFEST)
    from ibr.checkpoint import model_folder

    return digest(model_folder(folder))
