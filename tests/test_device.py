"""Training, evaluation, saving and resuming on a device that is not the CPU (`other_device`).

Each test is a process of its own: the device, once registered, stays known to torch.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from shell import Run, runner
from tiny import data_file, examples, model_config

from ibr.model.ibr import IBR
from ibr.training import checkpoint

TESTS = str(Path(__file__).parent)
START = f"""
import sys
sys.path.insert(0, {TESTS!r})
from pathlib import Path
import torch
from other_device import OtherTensor, set_up
from tiny import examples, run_config
from ibr.training import checkpoint
from ibr.training.trainer import train
DEVICE = set_up()
out = Path(sys.argv[1])
"""
MIXED = """
there = torch.ones(3).to(DEVICE)
assert isinstance(there, OtherTensor) and there.device.type == "other"
assert (there + there).cpu().tolist() == [2, 2, 2]
here = torch.ones(3)
for wrong in (lambda: there + here, lambda: there.numpy(), lambda: here.gather(0, there.long())):
    try:
        wrong()
    except (RuntimeError, TypeError):
        continue
    raise AssertionError("devices were mixed")
"""
TRAIN = """
class Stop(Exception): pass
def stop(trainer, event):
    assert {p.device.type for p in trainer.model.parameters()} == {"other"}
    moments = [v for s in trainer.optimiser.state.values() for k, v in s.items() if k != "step"]
    assert len(moments) > 10 and {m.device.type for m in moments} == {"other"}
    if event.step == 5: raise Stop
config = run_config(device=DEVICE, steps=8, save_every=2, eval_every=4, average=2)
train(config, out / "straight")
try: train(config, out / "broken", report=stop)
except Stop: pass
assert checkpoint.load_latest(out / "broken").state["step"] == 4
train(config, out / "broken", resume=True)
left, right = (checkpoint.load_latest(out / name) for name in ("straight", "broken"))
assert left.state["step"] == right.state["step"] == 8
one, two = (dict(saved.tensors) | saved.model.state_dict() for saved in (left, right))
assert one.keys() == two.keys()
assert all(torch.equal(one[name], two[name]) for name in one)
assert not torch.equal(left.tensors["random/device"], left.tensors["random/torch"])
lines = (out / "straight" / "metrics.jsonl").read_text().splitlines()
assert sum('"dev"' in line for line in lines) == 3, lines
"""

PROVE = """
from ibr.asking.reasoners import get_reasoner
problems = [example.problem for example in examples(theories=2)]
for name in (str(out / "m"), "ibr", f"verified:{out / 'm'}"):
    there, here = (get_reasoner(name, device=d).prove(problems) for d in (DEVICE, "cpu"))
    assert [(p.answer, p.graph, p.strategy) for p in there] == [
        (p.answer, p.graph, p.strategy) for p in here
    ]
"""


def process(code: str, *arguments: object) -> None:
    done = subprocess.run(
        [sys.executable, "-c", START + code, *map(str, arguments)],
        capture_output=True,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr


def test_the_device_holds_data_and_refuses_to_mix(tmp_path: Path) -> None:
    process(MIXED, tmp_path)


def test_a_run_trains_evaluates_saves_and_resumes_there(tmp_path: Path) -> None:
    """With dropout, whose generator is the device's; the models load on the CPU."""
    process(TRAIN, tmp_path)
    model = checkpoint.load_model(tmp_path / "straight")
    assert model.device.type == "cpu"


def test_a_model_proves_there_what_it_proves_on_the_cpu(tmp_path: Path) -> None:
    torch.manual_seed(0)
    checkpoint.publish(IBR(model_config()), tmp_path / "m")
    process(PROVE, tmp_path)


def test_the_commands_take_a_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run: Run = runner(monkeypatch, capsys)
    data = data_file(tmp_path, examples(theories=1))
    evaluate = ["evaluate", "--reasoner", "ibr", "--data", data, "--json"]
    predict = ["predict", "--reasoner", "ibr", "--in", data, "--out", "-"]
    assert run(*evaluate, "--device", "cpu").json["all"] == run(*evaluate).json["all"]
    by_torch, by_onnx = run(*predict, "--device", "cpu").lines, run(*predict).lines
    for line in (*by_torch, *by_onnx):
        line["confidence"] = round(line["confidence"], 4)  # the rest is equal
    assert by_torch == by_onnx
    for command in (evaluate, predict):
        assert run(*command, "--device", "nowhere").code == 2
    trained = run("train", "--out", tmp_path / "r", "--device", "nowhere")
    assert trained.code == 2
    assert "nowhere" in trained.err
    assert not (tmp_path / "r").exists()
