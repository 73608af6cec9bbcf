"""`ibr predict` and `ibr merge`: problems in, predictions out, one line each; and shards as one."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ibr.choices import Assumption, LogicFrom
from ibr.cli.options import Beams, Device, LogicChoice, Mappings, SkipBad, World, given
from ibr.cli.output import note, note_oddities
from ibr.errors import ExitCode


def predict(
    reasoner: Annotated[
        str, typer.Option(help="Which system: solver, ibr, verified, or a folder.")
    ],
    problems: Annotated[
        str,
        typer.Option("--in", help="JSONL of problems, or RuleTaker files; - is stdin."),
    ],
    out: Annotated[str, typer.Option(help="JSONL of predictions; - is stdout.")],
    logic: LogicChoice = LogicFrom.AUTO,
    mappings: Mappings = None,
    beams: Beams = None,
    device: Device = None,
    trace: Annotated[
        bool, typer.Option("--trace", help="Add what every step weighed (models only).")
    ] = False,
    world: World = Assumption.CLOSED,
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
    from ibr.asking.reasoners import get_reasoner
    from ibr.bulk.parts import OutputKey, Shard, digest
    from ibr.cli.answering import Answering, check_apart, check_files, model_sha256
    from ibr.data.formats.jsonl import BadLines
    from ibr.data.formats.sources import FileLogic, Reader
    from ibr.logic.solver_reasoner import Solvers

    check_apart(problems, out)
    part = None if shard is None else Shard.parse(shard)
    if part or resume:
        check_files(problems, out)
    source = FileLogic(logic, world)
    reader = Reader(mappings=mappings, bad=BadLines() if skip_bad else None, kinds=False)
    options = given(beams=beams, device=device, trace=trace or None)
    system = get_reasoner(reasoner, Solvers(source.read), world, **options)
    answering = Answering(system, reader, source, problems, batch)
    if part or resume:
        settings: dict[str, Any] = {"logic": logic.value, "mappings": mappings and digest(mappings)}
        settings |= {"beams": beams, "device": device, "trace": trace, "skip_bad": skip_bad}
        settings |= {"world": world.value} if world is Assumption.OPEN else {}
        key = OutputKey(digest(Path(problems)), system.name, model_sha256(reasoner), settings)
        answering.write_part(out, key, part, resume)
    else:
        answering.write(out)
    note_oddities(reader)
    if source.from_file:
        note(f"the file's own logic was used for {source.from_file} questions")
    unanswered = answering.unanswered
    if unanswered.count:
        note(f"cannot say for {unanswered.count} questions, the first: {unanswered.first[0]}")
        raise typer.Exit(ExitCode.CANNOT_SAY)


def merge(
    out: Annotated[str, typer.Argument(metavar="OUT", help="The whole; - is stdout.")],
    parts: Annotated[list[Path], typer.Argument(metavar="PART...", help="Every shard's output.")],
) -> None:
    """Put the parts of `predict --shard` together, in the order of the input."""
    from ibr.bulk.parts import merge

    lines = merge(out, parts)
    note(f"{lines:,} predictions of {len(parts)} parts")
