"""`ibr train --log-to`: what metrics.jsonl gets, to TensorBoard or Weights & Biases as well.

By accelerate's trackers. TensorBoard's event files are in the run folder, in `tensorboard/`. The
runs of Weights & Biases are of its project `ibr`, offline with WANDB_MODE=offline; a run that is
resumed is another one of the same group.
"""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from accelerate import Accelerator
from accelerate.tracking import TensorBoardTracker, WandBTracker

from ibr.errors import UsageError
from ibr.training.settings import TrainConfig

PACKAGES: Final = {"tensorboard": ("tensorboardX", "tensorboard"), "wandb": ("wandb",)}


def check_trackers(names: Sequence[str]) -> None:
    """Raise UsageError for what is not known or not installed."""
    for name in names:
        if name not in PACKAGES:
            raise UsageError(f"--log-to {name}: use {' or '.join(PACKAGES)}")
        if not any(map(find_spec, PACKAGES[name])):
            raise UsageError(f"--log-to {name}: not installed; pip install 'ibr[{name}]'")


def start_trackers(
    accelerator: Accelerator, names: Sequence[str], run: Path, config: TrainConfig, step: int
) -> None:
    """`accelerator.end_training` ends them. What was logged after `step` is dropped."""
    for name in names:
        if name == "tensorboard":
            tracker = TensorBoardTracker("", run / "tensorboard", purge_step=step + 1)
        else:
            options = {"name": run.name, "group": run.name, "config": config.to_json()}
            tracker = WandBTracker("ibr", dir=str(run), **options)
        tracker.start()
        accelerator.trackers.append(tracker)


def scalars(line: Mapping[str, Any]) -> dict[str, float]:
    """A line of metrics.jsonl without nesting: {"dev": {"qa": 90}} is {"dev/qa": 90}."""
    dev = "averaged" if "averaged" in line else "dev"
    nested = {f"{dev}/{name}": value for name, value in line.get("dev", {}).items()}
    return nested | {k: v for k, v in line.items() if k not in ("step", "dev", "averaged")}
