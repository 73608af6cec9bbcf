"""Killed and resumed, or shared by two processes: the same training, bit by bit or to rounding."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from tiny import SMALL, run_config, team_part
from torch import Tensor

from ibr.model.ibr import IBR
from ibr.training import checkpoint
from ibr.training.processes import accelerated, backward
from ibr.training.trainer import train

torch.set_num_threads(1)


def assert_bit_equal(a: Path, b: Path) -> None:
    left, right = checkpoint.load_latest(a), checkpoint.load_latest(b)
    assert left.state["step"] == right.state["step"]
    for one, two in (
        (left.model.state_dict(), right.model.state_dict()),
        (left.tensors, right.tensors),
    ):
        assert one.keys() == two.keys()
        assert [name for name in one if not torch.equal(one[name], two[name])] == []


CHILD = """
import os, signal, sys
from dataclasses import replace
from pathlib import Path
sys.path.insert(0, {tests!r})
import torch
from tiny import run_config
from ibr.training.trainer import train
kind, count, run = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
calls = 0
def die(*_):
    global calls
    calls += 1
    if calls == count:
        os.kill(os.getpid(), signal.SIGKILL)
if kind == "step":
    train(run_config(), run, report=die)
else:
    real = getattr(os, kind)
    def dying(*arguments):
        die()
        return real(*arguments)
    setattr(os, kind, dying)
    train(run_config(), run)
"""


def killed(run: Path, kind: str, count: int) -> None:
    """Train in a process that dies by SIGKILL at its count-th step, sync or rename."""
    code = CHILD.format(tests=str(Path(__file__).parent))
    done = subprocess.run(
        [sys.executable, "-c", code, kind, str(count), str(run)], capture_output=True, text=True
    )
    assert done.returncode == -9, done.stderr


def check_resume(folder: Path, kind: str, count: int) -> None:
    straight, broken = folder / "straight", folder / "broken"
    if not straight.exists():
        train(run_config(), straight)
    killed(broken, kind, count)
    begun = (broken / "train.json").exists()  # else there is nothing to resume yet
    train(run_config(), broken, resume=begun)
    assert_bit_equal(straight, broken)


@pytest.mark.parametrize(
    ("kind", "count"), [("step", 5), ("step", 2), ("fsync", 23), ("replace", 9), ("replace", 1)]
)
def test_resume_after_kill_is_bit_exact(tmp_path: Path, kind: str, count: int) -> None:
    check_resume(tmp_path, kind, count)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_resume_after_random_kills_is_bit_exact(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    kind, most = rng.choice([("step", 8), ("fsync", 60), ("replace", 20)])
    check_resume(tmp_path, kind, rng.randint(1, most))


# --- two processes ---


def gradients(model: IBR) -> dict[str, Tensor]:
    return {n: p.grad.clone() for n, p in model.named_parameters() if p.grad is not None}


TEAM = """
import sys
sys.path.insert(0, {tests!r})
import torch
from safetensors.torch import save_file
from tiny import team_part
from tiny import run_config
from ibr.training.processes import accelerated, backward, sum_gradients
with accelerated(run_config()) as accelerator:
    rank = accelerator.process_index
    model, batch = team_part(rank, accelerator.num_processes)
    backward(model, batch, accelerator)
    sum_gradients(model, accelerator)
    found = {{n: p.grad for n, p in model.named_parameters() if p.grad is not None}}
    save_file(found, {out!r} + f"/{{rank}}.safetensors")
"""


ACCELERATE = "accelerate.commands.launch --multi_gpu --num_processes 2"  # on CPUs, too
TORCHRUN = "torch.distributed.run --standalone --nproc-per-node 2"


def launched(launcher: str, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *launcher.split(), *command],
        capture_output=True,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        timeout=300,
    )


def test_two_processes_have_the_gradients_of_one(tmp_path: Path) -> None:
    """Shares of 2 and 1 theories, with unequal numbers of questions: means must be weighed."""
    model, batch = team_part(0, 1)
    with accelerated(run_config()) as accelerator:
        backward(model, batch, accelerator)
    whole = gradients(model)
    script = tmp_path / "team.py"
    script.write_text(TEAM.format(tests=str(Path(__file__).parent), out=str(tmp_path)))
    done = launched(ACCELERATE, str(script))
    assert done.returncode == 0, done.stderr
    for rank in (0, 1):
        found = load_file(tmp_path / f"{rank}.safetensors")
        assert found.keys() == whole.keys()
        for name, value in whole.items():
            assert torch.allclose(found[name], value, atol=1e-5, rtol=1e-3), name


@pytest.mark.slow
@pytest.mark.parametrize("launcher", [ACCELERATE, TORCHRUN])
def test_the_command_runs_in_two_processes(tmp_path: Path, launcher: str) -> None:
    settings = [f"--set={s}" for s in (*SMALL, "theories=2", "workers=0")]
    arguments = ["train", "--out", str(tmp_path / "r"), "--steps", "4", "--threads", "1", *settings]
    done = launched(launcher, "-m", "ibr", *arguments)
    assert done.returncode == 0, done.stderr
    assert checkpoint.load_latest(tmp_path / "r").state["step"] == 4
