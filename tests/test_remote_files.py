"""Files of fsspec as inputs and outputs of commands: `memory://` here, as any other protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from shell import Run

from ibr.files import new_file, path_of

fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed: pip install 'ibr[cluster]'")


@pytest.fixture
def memory() -> Any:
    system = fsspec.filesystem("memory")
    system.store.clear()
    return system


def test_a_path_knows_its_parts(memory: Any, tmp_path: Path) -> None:
    memory.pipe("/data/dev.jsonl", b"text\n")
    folder = path_of("memory://data")
    file = folder / "dev.jsonl"
    assert str(file) == "memory://data/dev.jsonl"
    assert str(file.with_name("meta-dev.jsonl")) == "memory://data/meta-dev.jsonl"
    assert (file.suffix, file.is_file(), file.is_dir(), folder.is_dir()) == (
        ".jsonl", True, False, True
    )  # fmt: skip
    assert path_of(str(file)) == path_of(file) == file
    assert path_of(f"file://{tmp_path}") == tmp_path
    assert type(path_of("C:/rules.txt")) is type(Path())


def test_an_error_leaves_the_old_file(memory: Any) -> None:
    path = path_of("memory://out/x.txt")
    with new_file(path) as stream:
        stream.write("old")
    with pytest.raises(TypeError), new_file(path) as stream:
        stream.writelines(["new", 5])  # type: ignore[list-item]
    assert memory.cat("/out/x.txt") == b"old"
    assert memory.find("/") == ["/out/x.txt"]


def test_commands_read_and_write_there(memory: Any, run: Run, tmp_path: Path) -> None:
    make = ["generate", "--depth", "2", "--count", "6", "--out"]
    for place in (str(tmp_path), "memory:/"):
        assert run(*make, f"{place}/q.jsonl").code == run(*make, f"{place}/q").code == 0
    for name in ("q.jsonl", "q/dev.jsonl", "q/meta-dev.jsonl"):
        assert memory.cat(f"/{name}") == (tmp_path / name).read_bytes()
    solve = ["--reasoner", "solver"]
    for name in ("q.jsonl", "q"):
        here = run("evaluate", *solve, "--data", tmp_path / name, "--json").json
        there = run("evaluate", *solve, "--data", f"memory://{name}", "--json").json
        assert there == here | {"data": f"memory://{name}"}
    assert run("predict", *solve, "--in", tmp_path / "q", "--out", tmp_path / "p").code == 0
    assert run("predict", *solve, "--in", "memory://q", "--out", "memory://p").code == 0
    assert memory.cat("/p") == (tmp_path / "p").read_bytes()
    scored = run("evaluate", "--predictions", "memory://p", "--data", "memory://q")
    assert scored.code == 0
    assert "memory://p on memory://q: " in scored.out
    shard = ["--shard", "1/1", "--out", tmp_path / "part"]  # the input may be elsewhere
    assert run("predict", *solve, "--in", "memory://q.jsonl", *shard).code == 0
    assert (tmp_path / "part").read_bytes() == (tmp_path / "p").read_bytes()


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--in", "memory://no", "--out", "x"], 3, "memory://no: No such file or directory"),
        (["--in", "memory://no", "--out", "memory://no"], 2, "is the input"),
        (["--in", "nothing://x", "--out", "x"], 2, "nothing://x: Protocol not known: nothing"),
        (["--in", "x", "--out", "memory://x", "--resume"], 2, "--out a local one"),
        (["--in", "memory://a", "--out", "x", "--resume"], 2, "--in memory://a: --shard and"),
    ],
)
def test_what_cannot_be_done(
    memory: Any, run: Run, options: list[str], code: int, message: str
) -> None:
    memory.pipe("/a/dev.jsonl", b"")
    result = run("predict", "--reasoner", "solver", *options)
    assert (result.code, message in result.err) == (code, True), result.err
