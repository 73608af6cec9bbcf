"""Weights and training state on disk: safetensors and JSON only, each folder whole or not there.

A *model folder* holds `config.json` and `model.safetensors`. A *run folder* holds model folders
named `step-N` with the state of training beside the weights, and the files `latest` and `best`,
which name one of them each. A folder is written as `NAME.tmp`, synced and renamed; a kill at any
moment leaves what was there before.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from ibr.data.jsonl import atomic_writer
from ibr.errors import ModelUnusable
from ibr.model.config import ConfigError, IBRConfig
from ibr.model.ibr import IBR

CONFIG: Final = "config.json"
WEIGHTS: Final = "model.safetensors"
ENCODER: Final = "encoder"  # tokenizer and shape of a pretrained encoder
OPTIMISER: Final = "optimiser.safetensors"
STATE: Final = "state.json"
LATEST: Final = "latest"
BEST: Final = "best"
_STEP: Final = "step-"
_TEMP: Final = ".tmp"


class CheckpointError(ModelUnusable):
    """A model folder or run folder that cannot be used."""


@dataclass(frozen=True)
class Checkpoint:
    """All that training continues from: tensors by name, and plain values."""

    model: IBR
    tensors: Mapping[str, Tensor] = field(default_factory=dict)  # of the optimiser and generators
    state: Mapping[str, Any] = field(default_factory=dict)


def save_pretrained(model: IBR, folder: Path | str) -> None:
    """Publish the model in `folder`, which must not exist or be empty."""
    folder = Path(folder)
    if folder.exists() and any(folder.iterdir()):
        raise CheckpointError(folder, "is not empty; give another folder")
    with _published(folder) as temp:
        _write_model(model, temp)


def from_pretrained(folder: Path | str) -> IBR:
    """The model of a model folder, or the best (else the latest) of a run folder."""
    folder = model_folder(Path(folder))
    config = _config(folder / CONFIG)
    if config.pretrained and (folder / ENCODER).is_dir():  # so that no hub is needed
        own = replace(config.pretrained, name=str(folder / ENCODER))
        config = replace(config, pretrained=own)
    model = IBR(config, weights=False)
    weights = _tensors(folder / WEIGHTS)
    try:
        model.load_state_dict(weights)
    except RuntimeError as error:
        why = f"its weights do not fit {CONFIG}: {str(error).splitlines()[-1].strip()}"
        raise CheckpointError(folder / WEIGHTS, why) from None
    return model.eval()


def push_to_hub(model: IBR, repo: str, folder: Path | str, private: bool = True) -> str:
    """Save the model in `folder` and upload it as `owner/name`; returns the address."""
    from huggingface_hub import HfApi

    save_pretrained(model, folder)
    hub = HfApi()
    address = hub.create_repo(repo, private=private, exist_ok=True)
    hub.upload_folder(repo_id=repo, folder_path=str(folder))
    return str(address)


def model_folder(folder: Path) -> Path:
    """Where the weights are: the folder itself, or the checkpoint that a run folder names."""
    if not folder.is_dir():
        raise CheckpointError(folder, "no such folder; give a run folder of `ibr train`")
    if (folder / CONFIG).exists():
        return folder
    for pointer in (BEST, LATEST):
        if (folder / pointer).exists():
            return _pointed(folder, pointer)
    raise CheckpointError(folder, f"no model here: neither {CONFIG} nor {LATEST} is in it")


def save_step(run: Path, step: int, checkpoint: Checkpoint) -> None:
    """Publish `step-N` and then make it the latest."""
    name = f"{_STEP}{step}"
    if named(run, LATEST) != name:
        _discard(run / name)  # published before a kill, never made the latest
        with _published(run / name) as temp:
            _write_model(checkpoint.model, temp)
            _write_tensors(temp / OPTIMISER, checkpoint.tensors)
            _write_json(temp / STATE, dict(checkpoint.state))
        point(run, LATEST, name)


def save_extra(run: Path, name: str, model: IBR) -> None:
    """Publish a model folder beside the steps, in place of an older one of that name."""
    _discard(run / name)
    with _published(run / name) as temp:
        _write_model(model, temp)


def load_latest(run: Path) -> Checkpoint:
    if named(run, LATEST) is None:
        raise CheckpointError(run, "nothing to resume: no checkpoint was written yet")
    folder = _pointed(run, LATEST)
    return Checkpoint(from_pretrained(folder), _tensors(folder / OPTIMISER), _json(folder / STATE))


def weights_of(folder: Path) -> dict[str, Tensor]:
    return _tensors(folder / WEIGHTS)


def steps(run: Path) -> list[int]:
    """The steps of which there are checkpoints, in order."""
    names = (path.name for path in run.glob(f"{_STEP}*") if not path.name.endswith(_TEMP))
    return sorted(int(name[len(_STEP) :]) for name in names)


def step_folder(run: Path, step: int) -> Path:
    return run / f"{_STEP}{step}"


def point(run: Path, pointer: str, name: str) -> None:
    with atomic_writer(run / pointer) as stream:
        stream.write(name + "\n")
    _sync(run)


def prune(run: Path, keep: int) -> None:
    """Drop all but the last `keep` checkpoints and those that a pointer names."""
    needed = {named(run, LATEST), named(run, BEST)}
    for step in steps(run)[:-keep]:
        if f"{_STEP}{step}" not in needed:
            _discard(step_folder(run, step))


def sweep(run: Path) -> None:
    """Remove what a killed process left half-written."""
    for path in (*run.glob(f"*{_TEMP}"), *run.glob(".*.part")):
        shutil.rmtree(path) if path.is_dir() else path.unlink()


@contextmanager
def _published(folder: Path) -> Iterator[Path]:
    """A new folder to write into; it gets its name when everything in it is on the disk."""
    temp = folder.with_name(folder.name + _TEMP)
    if temp.exists():
        shutil.rmtree(temp)
    temp.mkdir(parents=True)
    try:
        yield temp
        for path in (*temp.rglob("*"), temp):
            _sync(path)
        os.rename(temp, folder)
    except BaseException:
        shutil.rmtree(temp, ignore_errors=True)
        raise
    _sync(folder.parent)


def _discard(folder: Path) -> None:
    """Renamed first: a folder that has its name is whole."""
    if folder.exists():
        temp = folder.with_name(folder.name + _TEMP)
        shutil.rmtree(temp, ignore_errors=True)
        os.rename(folder, temp)
        shutil.rmtree(temp)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _write_model(model: IBR, folder: Path) -> None:
    _write_json(folder / CONFIG, model.config.to_json())
    _write_tensors(folder / WEIGHTS, model.state_dict())
    if model.config.pretrained:
        from ibr.model.pretrained import save_description

        save_description(model.config.pretrained, folder / ENCODER)


def _write_tensors(path: Path, tensors: Mapping[str, Tensor]) -> None:
    save_file({name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}, path)
    path.chmod(path.parent.stat().st_mode & 0o666)  # as the umask says, not as the library does


def _write_json(path: Path, value: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")


def _config(path: Path) -> IBRConfig:
    try:
        return IBRConfig.from_json(_json(path))
    except (ConfigError, TypeError) as error:
        raise CheckpointError(path, str(error)) from None


def _json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CheckpointError(path, f"cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise CheckpointError(path, f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise CheckpointError(path, "not a JSON object")
    return value


def _tensors(path: Path) -> dict[str, Tensor]:
    try:
        return load_file(path)
    except FileNotFoundError:
        raise CheckpointError(path, "is missing") from None
    except (SafetensorError, OSError) as error:
        raise CheckpointError(path, f"damaged, or no safetensors file: {error}") from None


def named(run: Path, pointer: str) -> str | None:
    path = run / pointer
    return path.read_text(encoding="utf-8").strip() if path.exists() else None


def _pointed(run: Path, pointer: str) -> Path:
    name = named(run, pointer) or ""
    folder = run / name
    if not name or folder.parent != run or not folder.is_dir():
        raise CheckpointError(run / pointer, f"names {name!r}, which is not there")
    return folder
