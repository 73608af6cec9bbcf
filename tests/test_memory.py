"""A process that lives long forgets what it read, and says the same afterwards."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from provers import RULES, solver
from sessions import ROOT, run

from ibr.asking.caches import MODELS, READINGS, WORDS, forget_models, forget_readings
from ibr.serving.bodies import ProveBody, ReadBody
from ibr.serving.limits import ServerLimits
from ibr.serving.work import responses as answers
from ibr.serving.work.queued import QueuedJob, Steps
from ibr.serving.work.responses import Answers

KEPT = (*READINGS, *WORDS, *MODELS)
FEW = 64  # things that are kept without anybody minding


def caches() -> dict[str, Any]:
    """Everything of the package that is loaded and remembers what it was called with."""
    found = {}
    for name, module in list(sys.modules.items()):
        for value in vars(module).values() if name.split(".")[0] == "ibr" else ():
            if hasattr(value, "cache_info"):
                found[f"{value.__module__}.{value.__qualname__}"] = value
    return found


def test_forgetting_changes_no_answer() -> None:
    before = solver().prove(RULES, "Zoe is happy.").to_json()
    forget_readings()
    forget_models()
    assert all(kept.cache_info().currsize == 0 for kept in KEPT)
    assert solver().prove(RULES, "Zoe is happy.").to_json() == before


def job(request: ReadBody | ProveBody) -> QueuedJob:
    return QueuedJob(None, request)


def results(work: Answers, job: QueuedJob) -> Sequence[Any]:
    return _last(work.prepare(job)) or _last(work([job]))


def _last(steps: Steps) -> Sequence[Any]:
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def test_whatever_grows_with_the_words_of_its_users_is_forgotten() -> None:
    """Not only what is known today: every cache of the package that new words make grow."""
    work = Answers(solver(), ServerLimits())
    before = {name: kept.cache_info().currsize for name, kept in caches().items()}
    for number in range(2 * FEW):
        tail = "".join(chr(97 + int(digit)) for digit in str(number))
        rules = f"""Zo{tail} is a blorp{tail}.
        Every blorp{tail} that frims{tail} the quon{tail} may plit{tail} unless it is gree{tail}.
        If someone is not gree{tail} then they are tarl{tail}."""
        (said,) = results(work, job(ProveBody(rules=rules, questions=[f"Zo{tail} is tarl{tail}."])))
        assert isinstance(said, bytes), said
    grown = {
        name
        for name, kept in caches().items()
        if kept.cache_info().currsize > before.get(name, 0) + FEW
    }
    assert len(grown) >= 6
    assert grown <= {f"{kept.__module__}.{kept.__qualname__}" for kept in (*READINGS, *WORDS)}


def test_the_server_forgets_after_so_much_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "_MAX_CACHED", 400)
    work = Answers(solver(), ServerLimits())
    forget_readings()
    sizes = []
    for number in range(30):
        rules = f"Bob{number} is big.\nBob{number} is a bird that can fly."
        (said,) = results(work, job(ReadBody(rules=rules)))
        assert isinstance(said, bytes)
        sizes.append([kept.cache_info().currsize for kept in (*READINGS, *WORDS)])
    assert max(map(max, sizes)) < 100
    assert [0] * len(sizes[0]) in sizes


LARGE = """
import ibr
from ibr.asking.caches import give_back_at_once
from ibr.asking.rulebook import Rulebook

def book(count):
    facts = [f"Bob is w{k}x." for k in range(count)]
    rules = [f"If someone is w{k}x then they are v{k}x." for k in range(count)]
    return Rulebook.parse("\\n".join(facts + rules)), ["Bob is v1x."]

def kilobytes(line):
    text = open("/proc/self/status").read()
    return int(text.partition(line + ":")[2].split()[0])

give_back_at_once()
prover = ibr.load("ibr")
prover.prove_many([book(5)])
before = kilobytes("VmRSS")
prover.prove_many([book(20 + k) for k in range(16)])
prover.prove_many([book(5)])
print(kilobytes("VmHWM") - before, kilobytes("VmRSS") - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells how much memory is resident")
def test_what_a_large_batch_took_is_given_back(tmp_path: Path) -> None:
    script = tmp_path / "large.py"
    script.write_text(LARGE)
    most, after = map(int, run(f"{sys.executable} {script}", ROOT).split())
    assert after < most / 3


@pytest.mark.slow
def test_memory_is_flat_whatever_is_asked() -> None:
    """Of a server in a process of its own, every request in new words; the slope is asserted there.

    The exact solver here, since reading is what remembers; `docs/results/serving.md` has the same
    with the model.
    """
    command = f"{sys.executable} -m benchmarks serving soak --reasoner solver --requests 10000"
    found = json.loads(run(command, ROOT, seconds=3600))
    assert found["passed"] == {"slope": True, "open_files": True}
