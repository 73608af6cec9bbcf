"""The inputs of the package for `benchmarks.fuzz`: each a function from bytes to an answer.

`INPUTS` has a function for each folder of the corpus that prepares the reader in a folder of its
own. Errors of a reader other than IbrError and OSError are faults; so is an AssertionError.
"""

from __future__ import annotations

import asyncio
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from benchmarks.elementary import FOLDER, asked
from benchmarks.symbolic import ROOT
from ibr.data.formats.jsonl import BadLines, DataError
from ibr.errors import ExitCode, IbrError
from ibr.files import sha256

CORPUS: Final = ROOT / "tests" / "hostile" / "corpus"
PARSED, ANSWERED, LOADED = 20_000, 2_000, 500  # mutations of what is parsed; asked; loaded
DOCUMENTED: Final = {200, 206, 304, 400, 404, 405, 408, 413, 416, 421, 422, 429, 503, 504}
RULES: Final = "Bob is big. If someone is big and not kind then they are red."

Read = Callable[[bytes], object]


def seeds_of(name: str) -> list[bytes]:
    files = sorted((CORPUS / name).iterdir())
    if name in ("question", "notation"):  # one a line
        seeds = [line for file in files for line in file.read_bytes().splitlines()]
    else:
        seeds = [file.read_bytes() for file in files]
    field = {"rulebook": "rules", "question": "question"}.get(name)
    return seeds if field is None else [*seeds, *english(field)]


def english(field: str) -> list[bytes]:
    """Of every item of plain and tricky English, each once."""
    lines = (line for path in sorted(FOLDER.rglob("*.jsonl")) for line in path.open())
    items = (item for line in lines for item in asked(json.loads(line)))
    return [*dict.fromkeys(getattr(item, field).encode() for item in items)]


def rulebook(folder: Path) -> Read:
    from ibr.asking.rulebook import Rulebook
    from ibr.data.formats.jsonl import read_text

    def read(data: bytes) -> object:
        (folder / "rules.txt").write_bytes(data)
        return Rulebook.parse(read_text(str(folder / "rules.txt"))).program

    return read


def question(folder: Path) -> Read:
    from ibr.asking.rulebook import ParsedQuestion
    from ibr.logic.language import theory_from_text

    theory = theory_from_text((CORPUS / "rulebook" / "access.txt").read_text())
    return lambda data: ParsedQuestion.parse(_text(data), theory).reading


def problems(folder: Path) -> Read:
    return _lines(folder / "in.jsonl")


def ruletaker(folder: Path) -> Read:
    """Either the questions or the meta file is damaged."""
    whole = {path.name: path.read_bytes() for path in (CORPUS / "ruletaker").iterdir()}
    through = _lines(folder / "dev.jsonl")

    def read(data: bytes) -> None:
        name = "meta-dev.jsonl" if b"riple" in data or b"NRule" in data else "dev.jsonl"
        files = whole | {name: data}
        (folder / "meta-dev.jsonl").write_bytes(files["meta-dev.jsonl"])
        through(files["dev.jsonl"])

    return read


def pararules(folder: Path) -> Read:
    return _lines(folder / "in.tsv")


def _lines(path: Path) -> Read:
    """Read twice: with bad lines left out, which must not fail, and as it is.

    A header that is not one, and a document that is not JSON, leave nothing to go on with.
    """
    from ibr.choices import LogicFrom
    from ibr.data.formats.sources import FileLogic, Reader

    def read(data: bytes) -> None:
        path.write_bytes(data)
        bad = BadLines()
        try:
            list(FileLogic(LogicFrom.AUTO).watch(Reader(bad=bad).problems(str(path))))
        except DataError as error:
            if "expected the columns" not in error.reason and data.lstrip()[:1] != b"[":
                raise AssertionError(f"in spite of --skip-bad: {error}") from None
        list(FileLogic(LogicFrom.AUTO).watch(Reader().problems(str(path))))
        assert not bad.count, f"skipped, but not refused: {bad.first[0]}"

    return read


def proof(folder: Path) -> Read:
    from ibr.asking.rulebook import Rulebook
    from ibr.bulk.checks import check_text, check_to_json

    program = Rulebook.parse(RULES).program

    def read(data: bytes) -> str:
        found = check_text(program, "Bob is red.", _text(data), "proof.json")
        return json.dumps(check_to_json(found))

    return read


def notation(folder: Path) -> Read:
    """The proof strings of RuleTaker."""
    from ibr.data.formats.proof_string import Names

    names = [f"triple{n}" for n in range(1, 7)] + [f"rule{n}" for n in range(1, 6)]
    known = Names(tuple((name,) for name in names))
    return lambda data: known.parse(_text(data))


def config(folder: Path) -> Read:
    from ibr.model.config import IBRConfig

    def read(data: bytes) -> object:
        (folder / "config.json").write_bytes(data)
        return IBRConfig.read(folder / "config.json")

    return read


def sums(folder: Path) -> Read:
    """The manifest of a model folder, whose files are empty."""
    from ibr.decoding import manifest

    for name in manifest.NEEDED:
        (folder / name).touch()

    def read(data: bytes) -> None:
        (folder / manifest.MANIFEST).write_bytes(data)
        manifest.check(folder)

    return read


def parts(folder: Path) -> Read:
    """The manifest of `predict --shard`."""
    from ibr.bulk.merging import merge

    (folder / "part").touch()

    def read(data: bytes) -> int:
        (folder / "part.manifest.json").write_bytes(data)
        return merge(str(folder / "out"), [folder / "part"])

    return read


def model(folder: Path) -> Read:
    """A damaged rulebook and its own last line as a question, answered by the embedded model."""
    import ibr

    prover = ibr.load()

    def read(data: bytes) -> object:
        text = data.decode(errors="replace")
        asked = ["Is Bob red?", *(line[:200] for line in text.splitlines()[-1:] if line.strip())]
        found = prover.prove(text, asked)
        return [(str(one), json.dumps(one.to_json()), one.to_svg()) for one in found]

    return read


def checkpoint(folder: Path) -> Read:
    """One file of a checkpoint is damaged; the sums are corrected, so that it is read."""
    from ibr.training.checkpoint import LATEST, SUMS, load_latest

    run, spare = _new_run(folder), folder / "spare"
    shutil.copytree(run, spare)
    files = sorted(path.name for path in (spare / "step-1").iterdir())
    names = [LATEST, *(f"step-1/{name}" for name in files)]
    sums = json.loads((spare / "step-1" / SUMS).read_text())

    def read(data: bytes) -> object:
        """Up to 40 bytes of one file become some of the data, often in the header."""
        rng = random.Random(data)
        name, size = rng.choice(names), rng.choice((1, 1, 4, 40))
        whole, piece = (spare / name).read_bytes(), data[: rng.randrange(len(data) + 1)][-size:]
        place = rng.randrange(rng.choice((len(whole), min(len(whole), 600))))
        (run / name).write_bytes(whole[:place] + piece + whole[place + rng.choice((0, size)) :])
        if name not in (LATEST, f"step-1/{SUMS}"):
            right = sums | {Path(name).name: sha256(run / name)}
            (run / "step-1" / SUMS).write_text(json.dumps(right))
        try:
            return load_latest(run)
        finally:
            shutil.copy(spare / name, run / name)
            shutil.copy(spare / "step-1" / SUMS, run / "step-1" / SUMS)

    return read


def _new_run(folder: Path) -> Path:
    """A run folder with the smallest model."""
    import torch

    from ibr.model.config import IBRConfig
    from ibr.model.ibr import IBR
    from ibr.training.checkpoint import Checkpoint, save_step

    settings = json.loads((CORPUS / "config" / "tiny.json").read_text())
    small = IBR(IBRConfig.from_json(settings))
    save_step(folder / "run", 1, Checkpoint(small, {"x": torch.ones(4)}, {"step": 1}))
    return folder / "run"


def folder(place: Path) -> Read:
    """The config or manifest of a model folder is damaged: exit code 4, or the model answers.

    By turns an exported model whose manifest fits the damaged config, and one for torch.
    """
    import ibr
    from ibr.decoding.manifest import CONFIG, MANIFEST, write_manifest
    from ibr.model.onnx_export import export
    from ibr.training.checkpoint import load_model, publish

    small = load_model(_new_run(place))
    exported, plain = place / "exported", place / "plain"
    export(small, exported)
    publish(small, plain)
    whole = {name: (exported / name).read_bytes() for name in (CONFIG, MANIFEST)}

    def read(data: bytes) -> object:
        here = plain if len(data) % 2 and b"sha256" not in data else exported
        for name, before in whole.items() if here is exported else ():
            (exported / name).write_bytes(before)
        if b"sha256" in data:
            (here / MANIFEST).write_bytes(data)
        else:
            (here / CONFIG).write_bytes(data)
            if here is exported:
                write_manifest(here)
        try:
            return ibr.load(str(here)).prove(RULES, "Bob is red.").to_json()
        except IbrError as error:
            if error.exit_code is not ExitCode.NOT_FOUND:
                raise AssertionError(f"exit code {error.exit_code:d}: {error}") from None
            raise

    return read


def http(folder: Path) -> Read:
    """A damaged request to the server, in this process."""
    import ibr
    from ibr.serving.app import create_app

    app, loop = create_app(ibr.load()), asyncio.new_event_loop()
    loop.run_until_complete(app.router.lifespan_context(app).__aenter__())

    def read(data: bytes) -> int:
        head, _, body = data.partition(b"\n\n")
        status, answer = loop.run_until_complete(_request(app, head.split(b"\n"), body))
        assert status in DOCUMENTED, f"status {status}: {answer[:200]!r}"
        if status in (408, 413, 422, 503, 504):
            assert json.loads(answer)["detail"][0]["field"]
        return status

    return read


async def _request(app: Any, head: list[bytes], body: bytes) -> tuple[int, bytes]:
    method, _, target = head[0].partition(b" ")
    path, _, query = target.partition(b"?")
    headers = [line.partition(b":")[::2] for line in (b"Host: localhost", *head[1:])]
    scope = {
        "type": "http", "http_version": "1.1", "method": method.decode(errors="replace") or "GET",
        "scheme": "http", "path": path.decode(errors="replace") or "/", "raw_path": path,
        "query_string": query, "root_path": "", "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8000),
        "headers": [(name.strip().lower(), value.strip()) for name, value in headers],
    }  # fmt: skip
    given: list[dict[str, Any]] = [{"type": "http.request", "body": body}]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if given:
            return given.pop()
        await asyncio.sleep(60)
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:])


def _text(data: bytes) -> str:
    return data.decode(errors="surrogateescape")


INPUTS: Final[dict[str, tuple[Callable[[Path], Read], int]]] = {
    make.__name__: (make, count)
    for count, makes in (
        (PARSED, (rulebook, question, problems, ruletaker, pararules)),
        (PARSED, (proof, notation, config, sums, parts)),
        (ANSWERED, (model, checkpoint, http)),
        (LOADED, (folder,)),
    )
    for make in makes
}
