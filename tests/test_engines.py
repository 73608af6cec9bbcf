"""Blocks on Ray's workers: the same bytes as in one process, whoever dies on the way."""

from __future__ import annotations

import json
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from shell import Run, write_lines

from ibr.bulk import engines
from ibr.bulk.engines import RayEngine, get_engine
from ibr.choices import EngineName
from ibr.cli import jobs
from ibr.data.formats.jsonl import DataError
from ibr.decoding import manifest
from ibr.errors import LimitError, ReasonerNotFound, UsageError
from ibr.reasoner import Unanswerable
from ibr.theory import Problem, Question, Theory

RAY = ["--engine", "ray", "--workers"]
needs_model = pytest.mark.skipif(
    not (manifest.EMBEDDED / manifest.MANIFEST).is_file(),
    reason="ibr/models/small is not here: export a model to it to run this test",
)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Ray with room for four workers, for all tests: it takes seconds to start."""
    pytest.importorskip("ray", reason="ray is not installed: pip install 'ibr[cluster]'")
    ray, is_ours = RayEngine(workers=4).connect()
    assert is_ours
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers cannot import it
    yield ray
    ray.shutdown()


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """60 about 30 theories; one cannot be read."""
    records = [
        {
            "id": f"{k}-{number}",
            "sentences": [f"Person{k} is big.", "Big people are kind."],
            "question": asked,
        }
        for k in range(30)
        for number, asked in enumerate((f"Person{k} is kind.", f"Person{k} is not big."))
    ]
    records[41]["question"] = "Perhaps it will rain, or else it might not."
    return write_lines(tmp_path_factory.mktemp("in") / "in.jsonl", records)


@dataclass(frozen=True)
class Squares:
    """Squares numbers; dies once, at `deadly`, and notes each start in a file."""

    notes: Path
    deadly: int = -1
    always: bool = False

    def start(self) -> Callable[[int], int]:
        with self.notes.open("a") as stream:
            stream.write(f"{os.getpid()}\n")
        return self._square

    def _square(self, number: int) -> int:
        died = self.notes.with_name("died")
        if number == self.deadly and (self.always or not died.exists()):
            died.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if number < 0:
            raise DataError("numbers", number, "sign", "is negative")
        return number * number


def test_results_come_in_order_and_few_are_held(cluster: Any, tmp_path: Path) -> None:
    read: list[int] = []

    def numbers() -> Iterator[int]:
        while len(read) < 100:
            read.append(len(read))
            yield read[-1]

    with RayEngine(2)(Squares(tmp_path / "starts", deadly=30)) as run:
        for place, (number, square) in enumerate(run(numbers())):
            assert (number, square) == (place, place * place)
            assert len(read) - place <= engines._HELD * 2
    assert len(read) == 100
    starts = (tmp_path / "starts").read_text().split()
    assert len(starts) == len(set(starts)) == 3  # two, and one in place of the dead one


def test_a_block_that_ends_every_worker_is_given_up(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "_RETRIES", 0)
    with (
        RayEngine(1)(Squares(tmp_path / "starts", 2, always=True)) as run,
        pytest.raises(LimitError, match="a block ended its worker 1 times"),
    ):
        list(run([1, 2, 3]))


def test_an_error_arrives_as_it_is(cluster: Any, tmp_path: Path) -> None:
    with RayEngine(1)(Squares(tmp_path / "starts")) as run:
        results = run([1, 2, -3, 4])
        assert [next(results), next(results)] == [(1, 1), (2, 4)]
        with pytest.raises(DataError, match="numbers:-3: sign: is negative") as caught:
            next(results)
    assert (caught.value.line, caught.value.field) == (-3, "sign")
    assert "in _square" in caught.value.__notes__[0]


@dataclass(frozen=True)
class DyingJob(jobs.AnswerJob):
    """Dies once: at the unit in the middle, with units of others before and after it."""

    def start(self) -> Callable[[Sequence[Any]], Any]:
        answer, died = super().start(), Path(f"{self.file}.died")

        def answer_or_die(unit: Sequence[Any]) -> Any:
            if unit[0].problem.id.startswith("15-") and not died.exists():
                died.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return answer(unit)

        return answer_or_die


def test_predict_writes_the_same_bytes(
    cluster: Any, run: Run, questions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = ["predict", "--reasoner", "solver", "--in", questions, "--out"]
    one, many = tmp_path / "one", tmp_path / "many"
    here = run(*line, one)
    assert here.code == 6
    assert run(*line, many, "--shard", "1/1", *RAY, 1) == here
    assert many.read_bytes() == one.read_bytes()
    monkeypatch.setattr(jobs, "AnswerJob", DyingJob)
    after_a_death = run(*line, "-", *RAY, 4)
    assert (after_a_death.code, after_a_death.out) == (6, one.read_text())
    assert Path(f"{questions}.died").exists()


@needs_model
def test_models_write_the_same_bytes(
    cluster: Any, run: Run, questions: Path, tmp_path: Path
) -> None:
    few = tmp_path / "in"
    few.write_text("".join(questions.read_text().splitlines(keepends=True)[:16]))
    line = ["predict", "--reasoner", "verified", "--trace", "--in", few, "--out"]
    assert run(*line, tmp_path / "one").code == run(*line, tmp_path / "two", *RAY, 2).code == 0
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_generate_and_evaluate_give_the_same(cluster: Any, run: Run, tmp_path: Path) -> None:
    make = ["generate", "--depth", "2", "--count", "20", "--out"]
    assert run(*make, tmp_path / "a").code == run(*make, tmp_path / "b", *RAY, 2).code == 0
    for name in ("dev.jsonl", "meta-dev.jsonl"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    line = ["evaluate", "--reasoner", "solver", "--data", tmp_path / "a", "--json"]
    here = run(*line)
    assert here.json["all"]["fa"] == 100.0
    assert run(*line, *RAY, 1) == here


def test_a_wrong_name_leaves_nothing(
    cluster: Any, run: Run, questions: Path, tmp_path: Path
) -> None:
    line = ["predict", "--reasoner", "nowhere", "--in", questions, "--out", tmp_path / "out"]
    here = run(*line, "--resume")
    assert here.code == 4
    assert run(*line, "--resume", *RAY, 1) == here
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_asked(cluster: Any, run: Run, tmp_path: Path) -> None:
    line = ["generate", "--count", "1", "--out", tmp_path / "x.jsonl"]
    assert "are for --engine ray" in run(*line, "--workers", 2).err
    assert "there is room for 4, not for 9 workers" in run(*line, *RAY, 9).err


def test_without_ray_a_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with (
        pytest.raises(UsageError, match="pip install 'ibr\\[cluster\\]'"),
        get_engine(EngineName.RAY, 2, None)(Squares(Path("x"))),
    ):
        pass


@pytest.mark.parametrize(
    "error",
    [
        DataError("file", 3, "question", "is missing"),
        ReasonerNotFound("x", ["solver"]),
        Unanswerable(Problem("1", Theory.of(["Bob is big."]), Question("Bob is big.")), "id", "no"),
    ],
)
def test_errors_survive_pickling(error: Exception) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy)) == (type(error), str(error))
    assert json.dumps(vars(copy), default=str) == json.dumps(vars(error), default=str)
