"""Weights and training state on disk: safetensors and JSON only, each folder whole or not there.

A *run folder* holds model folders (`ibr.model.model_folder`) named `step-N` with the state of
training beside the weights, and the files `latest` and `best`, which name one of them each. A
folder is written as `NAME.tmp`, synced and renamed; a kill at any moment leaves what was there
before.
"""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from torch import Tensor

from ibr.decoding.manifest import CONFIG, WEIGHTS, check_sums, sums_of
from ibr.errors import ModelUnusable
from ibr.files import TEMP, discard, new_folder, write_file
from ibr.inputs.model_words import SYMBOL, read_json, read_words, write_json
from ibr.model.config import ConfigError
from ibr.model.ibr import IBR
from ibr.model.model_folder import read_tensors, write_tensors
from ibr.training.systems import Model, read_model

OPTIMISER: Final = "optimiser.safetensors"
STATE: Final = "state.json"
SUMS: Final = "sha256.json"  # of the other files of a checkpoint
LOCK: Final = ".lock"
LATEST: Final = "latest"
BEST: Final = "best"
_STEP: Final = "step-"
_WORD_TABLE: Final = "encoder.local.word.weight"


@dataclass(frozen=True)
class Checkpoint:
    """All that training continues from: tensors by name, and plain values."""

    model: Model
    tensors: Mapping[str, Tensor] = field(default_factory=dict)  # of the optimiser and generators
    state: Mapping[str, Any] = field(default_factory=dict)


def publish(model: Model, folder: Path | str) -> None:
    """Write the model into `folder`, which must not exist or be empty."""
    with empty_folder(Path(folder)) as temp:
        model.write(temp)


@contextmanager
def empty_folder(folder: Path) -> Iterator[Path]:
    """As `new_folder`. Raises ModelUnusable if there is something in it."""
    if folder.exists() and any(folder.iterdir()):
        raise ModelUnusable(folder, "is not empty; give another folder")
    with new_folder(folder) as temp:
        yield temp


def load_system(folder: Path | str) -> Model:
    """The model of a model folder, or the best (else the latest) of a run folder."""
    return read_model(_whole(model_folder(Path(folder))))


def load_model(folder: Path | str) -> IBR:
    """The same if it is IBR's. Raises ModelUnusable."""
    model = load_system(folder)
    if not isinstance(model, IBR):
        raise ModelUnusable(Path(folder), f"is of the system {model.name}; IBR is needed here")
    return model


def start_from(model: Model, folder: Path) -> None:
    """Copy the weights of a run folder or model folder. Raises ConfigError if they do not fit.

    The other model may have fewer layers that read a sentence, fewer positions and fewer words:
    what it lacks stays as it was drawn, and new words begin as symbols.
    """
    mine, source = model.state_dict(), model_folder(folder)
    theirs = weights_of(source)
    if _WORD_TABLE in theirs:
        known = read_words(source).known.words[: len(theirs[_WORD_TABLE])]
        if model.words.known.words[: len(known)] != known:
            raise ConfigError(f"start {folder}: its words are not the first of this model's")
    for name, weight in theirs.items():
        place = mine.get(name)
        if place is None:
            raise ConfigError(f"start {folder}: its {name} has no place in this model")
        if place.shape[1:] != weight.shape[1:] or len(place) < len(weight):
            raise ConfigError(
                f"start {folder}: its {name} is {tuple(weight.shape)}, here {tuple(place.shape)}"
            )
        place[: len(weight)] = weight
        if name == _WORD_TABLE:
            place[len(weight) :] = weight[SYMBOL]


def model_folder(folder: Path) -> Path:
    """Where the weights are: the folder itself, or the checkpoint that a run folder names."""
    if not folder.is_dir():
        raise ModelUnusable(folder, "no such folder; give a run folder of `ibr train`")
    if (folder / CONFIG).exists():
        return folder
    for pointer in (BEST, LATEST):
        if (folder / pointer).exists():
            return _pointed(folder, pointer)
    raise ModelUnusable(folder, f"no model here: neither {CONFIG} nor {LATEST} is in it")


def save_step(run: Path, step: int, checkpoint: Checkpoint) -> None:
    """Publish `step-N` and then make it the latest."""
    folder = step_folder(run, step)
    if named(run, LATEST) != folder.name:
        save(folder, checkpoint)
        point(run, LATEST, folder.name)


def save(folder: Path, checkpoint: Checkpoint) -> None:
    """Publish a folder of a run, in place of one that was never made the latest, or is older."""
    discard(folder)
    with new_folder(folder) as temp:
        checkpoint.model.write(temp)
        if checkpoint.state:
            write_tensors(temp / OPTIMISER, checkpoint.tensors)
            write_json(temp / STATE, checkpoint.state)
        write_json(temp / SUMS, sums_of(temp))


def load_latest(run: Path) -> Checkpoint:
    if named(run, LATEST) is None:
        raise ModelUnusable(run, "nothing to resume: no checkpoint was written yet")
    folder = _pointed(run, LATEST)
    return Checkpoint(
        load_system(folder), read_tensors(folder / OPTIMISER), read_json(folder / STATE)
    )


def weights_of(folder: Path) -> dict[str, Tensor]:
    return read_tensors(_whole(folder) / WEIGHTS)


def steps(run: Path) -> list[int]:
    """The steps of which there are checkpoints, in order."""
    names = (path.name for path in run.glob(f"{_STEP}*") if not path.name.endswith(TEMP))
    return sorted(int(name[len(_STEP) :]) for name in names)


def step_folder(run: Path, step: int) -> Path:
    return run / f"{_STEP}{step}"


def point(run: Path, pointer: str, name: str) -> None:
    write_file(run / pointer, name + "\n")


def prune(run: Path, keep: int) -> None:
    """Drop all but the last `keep` checkpoints and those that a pointer names."""
    needed = {named(run, LATEST), named(run, BEST)}
    for step in steps(run)[:-keep]:
        if f"{_STEP}{step}" not in needed:
            discard(step_folder(run, step))


def sweep(run: Path) -> None:
    """Remove what a killed process left half-written."""
    for path in (*run.glob(f"*{TEMP}"), *run.glob(".*.part")):
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def _whole(folder: Path) -> Path:
    """The folder. Raises ModelUnusable if a file is not as training wrote it."""
    if (folder / SUMS).exists():
        sums = read_json(folder / SUMS)
        check_sums(folder, sums, SUMS, "resume from a copy, or train anew")
    return folder


def named(run: Path, pointer: str) -> str | None:
    path = run / pointer
    return path.read_text(encoding="utf-8", errors="replace").strip() if path.exists() else None


def _pointed(run: Path, pointer: str) -> Path:
    name = named(run, pointer) or ""
    folder = run / name
    if not name or folder.parent != run or not folder.is_dir():
        raise ModelUnusable(run / pointer, f"names {name!r}, which is not there")
    return folder
