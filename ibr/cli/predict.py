"""`ibr predict` and `ibr merge`: problems in, predictions out, one line each; and shards as one."""

from __future__ import annotations

from contextlib import AbstractContextManager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ibr.choices import Assumption, EngineName, LogicFrom
from ibr.cli.options import (
    Address,
    Beams,
    Device,
    EngineChoice,
    LogicChoice,
    Mappings,
    SkipBad,
    Workers,
    World,
    given,
)
from ibr.cli.output import note, note_oddities, progress
from ibr.errors import ExitCode, UsageError
from ibr.files import is_remote, path_of

if TYPE_CHECKING:
    from ibr.bulk.engines import Engine
    from ibr.bulk.parts import Lines, Shard, Work
    from ibr.cli.jobs import AnswerJob, BlockNotes
    from ibr.data.formats.sources import Reader


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
    engine: EngineChoice = EngineName.LOCAL,
    workers: Workers = None,
    address: Address = None,
) -> None:
    """Answer every question of a file, in its order; the output appears whole or not at all."""
    from ibr.bulk import parts
    from ibr.bulk.engines import get_engine
    from ibr.cli.jobs import AnswerJob, model_of
    from ibr.data.formats.jsonl import BadLines
    from ibr.data.formats.sources import Reader

    _check_apart(problems, out)
    part = None if shard is None else parts.Shard.parse(shard)
    options = given(beams=beams, device=device, trace=trace or None)
    job = AnswerJob(problems, reasoner, logic, world, options, skip_bad, batch)
    reader = Reader(mappings=mappings, bad=BadLines() if skip_bad else None, kinds=False)
    output: AbstractContextManager[Lines | Work | None] = parts.plain(out)
    if part or resume:
        _check_files(problems, out)
        settings: dict[str, Any] = {"logic": logic.value, "beams": beams, "device": device}
        settings |= {"mappings": mappings and parts.digest(mappings)}
        settings |= {"trace": trace, "skip_bad": skip_bad}
        settings |= {"world": world.value} if world is Assumption.OPEN else {}
        key = parts.OutputKey(parts.digest(path_of(problems)), *model_of(reasoner), settings)
        output = parts.working(parts.Places(out), key, part, resume)
    run_on = get_engine(engine, workers, address, gpus=int((device or "").startswith("cuda")))
    _note(_answer(job, reader, part or parts.Shard(), run_on, output), reader)


def _answer(
    job: AnswerJob,
    reader: Reader,
    shard: Shard,
    engine: Engine,
    output: AbstractContextManager[Lines | Work | None],
) -> BlockNotes:
    from ibr.cli.jobs import BlockNotes, units
    from ibr.data.formats.sources import count_questions

    total = BlockNotes()
    with engine(job) as run, output as written:
        if written is None:
            note("the output is there already, and whole")
            return total
        if written.done:
            note(f"going on after {sum(written.done):,} lines")
        problems = reader.problems(job.file)
        asked = progress(problems, "questions", lambda: count_questions(job.file))
        for _, (lines, notes) in run(islice(shard.of(units(asked)), len(written.done), None)):
            written.add(lines)
            total.add(notes)
    return total


def _note(total: BlockNotes, reader: Reader) -> None:
    if reader.bad is not None:
        reader.bad.extend(total.refused)
    note_oddities(reader)
    if total.counts["file_logic"]:
        note(f"the file's own logic was used for {total.counts['file_logic']} questions")
    if reader.bad is None and total.refused.count:
        first = total.refused.first[0]
        note(f"cannot say for {total.refused.count} questions, the first: {first}")
        raise typer.Exit(ExitCode.CANNOT_SAY)


def _check_apart(problems: str, out: str) -> None:
    """Raise UsageError if the output would replace the input."""
    given, made = path_of(problems), path_of(out)
    if is_remote(given) or is_remote(made):
        same = given == made
    else:
        same = given.is_file() and made.is_file() and given.samefile(made)
    if same:
        raise UsageError(f"--out {out}: is the input; give the output another name")


def _check_files(problems: str, out: str) -> None:
    """Raise UsageError for streams: the input is read more than once, the output in part."""
    given, made = path_of(problems), path_of(out)
    folder = given.is_dir() and not is_remote(given)
    wrong = [f"--in {problems}"] * (not folder and _is_stream(given))
    wrong += [f"--out {out}"] * (is_remote(made) or _is_stream(made))
    if wrong:
        raise UsageError(f"{', '.join(wrong)}: --shard and --resume need files, --out a local one")


def _is_stream(path: Path) -> bool:
    return str(path) == "-" or (path.exists() and not path.is_file())


def merge(
    out: Annotated[str, typer.Argument(metavar="OUT", help="The whole; - is stdout.")],
    parts: Annotated[list[Path], typer.Argument(metavar="PART...", help="Every shard's output.")],
) -> None:
    """Put the parts of `predict --shard` together, in the order of the input."""
    from ibr.bulk.merging import merge

    lines = merge(out, parts)
    note(f"{lines:,} predictions of {len(parts)} parts")
