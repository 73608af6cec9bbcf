"""Runs a command once for each call of its that changes a file; that call fails: see faults.c.

    LD_PRELOAD=faults.so python faulty.py FAULT COMMAND FOLDER [NUMBER ...]

prints one line of JSON for each trial (with numbers: for these calls alone), and what is wrong with
the files that it left. Every trial is a forked process, so that what the command imports is loaded
once.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from ibr.bulk import parts
from ibr.cli import main
from ibr.errors import IbrError

FAULTS: Final = {"full": (errno.ENOSPC, 1), "broken": (errno.EIO, 0), "kill": (0, 0)}
NEVER: Final = 1 << 40
SETTINGS: Final = ("workers=0", "theories=1", "save_every=1", "eval_every=2", "dev_questions=2")


class Command:
    """A command whose outputs are in `work`; all else is in `aside`."""

    old: bool = True  # an older output is there before
    since: int = 1  # the first call that fails
    modules = "ibr.cli.predict ibr.cli.jobs ibr.logic.language lemminflect rich.console"

    def __init__(self, folder: Path) -> None:
        self.work, self.aside = folder / "work", folder / "aside"
        self.out = self.work / "out.jsonl"
        self.aside.mkdir(parents=True)
        self.new: dict[str, bytes] = {}

    @property
    def line(self) -> list[str]:
        raise NotImplementedError

    def prepare(self) -> None:
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir()
        if self.old:
            self.out.write_text("old\n")

    def content(self) -> dict[str, bytes]:
        """Of the outputs that count."""
        files = (path for path in self.work.rglob("*") if path.is_file())
        return {path.relative_to(self.work).as_posix(): path.read_bytes() for path in files}

    def wrong(self, killed: bool) -> str:
        """What is wrong with what a trial left; "" if nothing is."""
        found = self.content()
        left = [name for name in found if name.startswith(".") or ".tmp" in name]
        if left and not killed:
            return f"left: {left}"
        found = {name: data for name, data in found.items() if name not in left}
        before = {"out.jsonl": b"old\n"} if self.old else {}
        return "" if found in (before, self.new) else f"neither old nor new: {sorted(found)}"

    def again(self) -> str:
        """The same for a second call, in which nothing fails."""
        code, err, _ = run(self.line, self.work)
        if code:
            return f"again: exit {code}: {err}"
        return "" if self.content() == self.new else f"again: {sorted(self.content())}"


class Predict(Command):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.problems = self.aside / "in.jsonl"
        names = [("Anne", "kind"), ("Bob", "big"), ("Carla", "red")]
        records = [
            {"id": f"{k}{n}", "sentences": [f"{name} is {word}."], "question": f"{name} is big."}
            for k, (name, word) in enumerate(names)
            for n in range(2)
        ]
        self.problems.write_text("".join(json.dumps(record) + "\n" for record in records))

    @property
    def line(self) -> list[str]:
        call = ["predict", "--reasoner", "solver", "--in", str(self.problems)]
        return [*call, "--out", str(self.out), *self.options]

    options: tuple[str, ...] = ()


class Resume(Predict):
    """Its unfinished files stay: the second call goes on with them."""

    old, options = False, ("--resume",)

    def wrong(self, killed: bool) -> str:
        found = self.out.read_bytes() if self.out.exists() else None
        return "" if found in (None, self.new["out.jsonl"]) else "neither absent nor new"


class ShardOf(Resume):
    options = ("--resume", "--shard", "1/1")


class Merge(Predict):
    def prepare(self) -> None:
        super().prepare()
        for number in "12":
            part = self.aside / f"part{number}"
            if not part.exists():
                call = [*Predict.line.fget(self)[:-1], str(part)]  # type: ignore[attr-defined]
                assert run([*call, "--shard", f"{number}/2"], self.work)[0] == 0

    @property
    def line(self) -> list[str]:
        return ["merge", str(self.out), *(str(self.aside / f"part{n}") for n in "12")]


class Generate(Command):
    @property
    def line(self) -> list[str]:
        return ["generate", "--depth", "1", "--count", "2", "--out", str(self.out)]


class Pair(Command):
    """The meta file comes first and is nothing without the questions."""

    old = False

    @property
    def line(self) -> list[str]:
        return ["generate", "--depth", "1", "--count", "2", "--out", str(self.work)]

    def wrong(self, killed: bool) -> str:
        if not (self.work / "dev.jsonl").exists():
            (self.work / "meta-dev.jsonl").unlink(missing_ok=True)
        return super().wrong(killed)

    def again(self) -> str:
        return "" if (self.work / "dev.jsonl").exists() else super().again()


class Train(Command):
    """A run folder: what `latest` names is whole, and the run goes on to the same weights."""

    old = False
    modules = "ibr.cli.train ibr.training.presets ibr.training.trainer tiny torch._dynamo"
    average = 1

    @property
    def line(self) -> list[str]:
        if (self.work / "train.json").exists():
            return ["train", "--out", str(self.work), "--resume"]
        from tiny import SMALL

        settings = [f"--set={setting}" for setting in (*SMALL, *SETTINGS)]
        settings.append(f"--set=average={self.average}")
        return ["train", "--out", str(self.work), "--steps", "2", "--threads", "1", *settings]

    def content(self) -> dict[str, bytes]:
        """The weights and what names them; seconds and rates differ from run to run."""
        kept = ("latest", "best", "model.safetensors", "optimiser.safetensors")
        return {k: v for k, v in super().content().items() if k.rsplit("/")[-1] in kept}

    def wrong(self, killed: bool) -> str:
        from ibr.training.checkpoint import load_latest, load_system

        try:
            if (self.work / "latest").exists():
                load_latest(self.work)
                load_system(self.work)
        except IbrError as error:
            return str(error)
        return ""


class Averaged(Train):
    """From the last checkpoint on, when the mean of both is made."""

    average, since = 2, 81


class Export(Command):
    old = False
    modules = "ibr.cli.train ibr.model.onnx_export ibr.training.checkpoint"

    def __init__(self, folder: Path) -> None:
        from tiny import model_config

        from ibr.model import onnx_export
        from ibr.model.ibr import IBR
        from ibr.training.checkpoint import publish

        super().__init__(folder)
        small = IBR(model_config())
        publish(small, self.aside / "model")
        trace, traced = onnx_export._traced, dict[str, bytes]()

        def traced_once(graph: Any, names: list[str]) -> bytes:
            """What takes long and writes nothing is done before the trials."""
            name = graph.function.__name__
            traced[name] = traced.get(name) or trace(graph, names)
            return traced[name]

        onnx_export._traced = traced_once
        onnx_export.export(small, self.aside / "traced")

    @property
    def line(self) -> list[str]:
        return ["export", str(self.aside / "model"), "--out", str(self.work / "out")]

    def again(self) -> str:
        return ""  # there is nothing of the first call, or all


COMMANDS: Final[dict[str, Callable[[Path], Command]]] = {
    "predict": Predict, "resume": Resume, "shard": ShardOf, "merge": Merge, "generate": Generate,
    "pair": Pair, "train": Train, "averaged": Averaged, "export": Export,
}  # fmt: skip


def run(
    line: list[str], work: Path, number: int = NEVER, fault: str = "broken"
) -> tuple[int, str, str]:
    """Exit code, errors and the call that failed, of the command in a process of its own."""
    reports = work.with_name("reports")
    reports.mkdir(exist_ok=True)
    child = os.fork()
    if not child:
        for handle, name in ((1, "out"), (2, "err")):
            opened = os.open(reports / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(opened, handle)
        sys.argv = ["ibr", *line]
        library = ctypes.CDLL(None)
        library.fault_struck.restype = ctypes.c_char_p
        library.fault_arm(str(work).encode(), ctypes.c_long(number), *FAULTS[fault])
        code = 1
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        sys.stderr.flush()
        (reports / "call").write_bytes(library.fault_struck())
        os._exit(code)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    call = "kill" if status == -signal.SIGKILL else (reports / "call").read_text()
    return status, (reports / "err").read_text(), call


def trials(command: Command, fault: str, numbers: Sequence[int]) -> None:
    for name in command.modules.split():
        import_module(name)
    command.prepare()
    code, err, _ = run(command.line, command.work)
    assert code == 0, err
    command.new = command.content()
    for number in numbers or count(command.since):
        command.prepare()
        code, err, call = run(command.line, command.work, number, fault)
        wrong = command.wrong(killed=fault == "kill") or command.again()
        report: dict[str, Any] = {"number": number, "call": call, "code": code, "err": err}
        print(json.dumps(report | {"wrong": wrong}), flush=True)
        if not call:
            break


if __name__ == "__main__":
    parts.SAVE_EVERY = 0.0  # type: ignore[misc]  # every unit
    trials(COMMANDS[sys.argv[2]](Path(sys.argv[3])), sys.argv[1], [*map(int, sys.argv[4:])])
