"""The folder of an embedded model: which files it has, and that they are whole. Loads nothing.

`config.json`, `model.safetensors`, `vocabulary.json` and `kinds.json` are a model folder
(`ibr.model.model_folder`), from which training can continue; `ibr.decoding.runtime` runs the three
graphs. `manifest.json` has the sha256 of every other file and is written last: a folder without one
is not finished.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from ibr.errors import ModelUnusable
from ibr.files import sha256, write_file
from ibr.inputs.model_words import KINDS, VOCABULARY

EMBEDDED: Final = Path(__file__).parents[1] / "models" / "small"  # what `ibr` and `verified` are
MANIFEST: Final = "manifest.json"
CONFIG: Final = "config.json"
WEIGHTS: Final = "model.safetensors"
ENCODE: Final = "encode.onnx"
PARENTS: Final = "parents.onnx"
CHILDREN: Final = "children.onnx"
CARD: Final = "model_card.md"
NEEDED: Final = (CONFIG, WEIGHTS, VOCABULARY, KINDS, ENCODE, PARENTS, CHILDREN)
_HINT: Final = "install the package again, or export the model again"


def write_manifest(folder: Path) -> None:
    """Of all files that are in the folder now."""
    names = sorted(path.name for path in folder.iterdir() if path.name != MANIFEST)
    sums = {name: _sha256(folder / name) for name in names}
    text = json.dumps({"sha256": sums}, indent=2) + "\n"
    write_file(folder / MANIFEST, text)


def looks_exported(folder: Path) -> bool:
    """Whether it has any file that only an exported model has: then it must have them all."""
    return any((folder / name).exists() for name in (MANIFEST, ENCODE, PARENTS, CHILDREN))


def check(folder: Path) -> None:
    """Raises ModelUnusable, which names the first file that is missing or not as it was written."""
    if not folder.is_dir():
        raise ModelUnusable(folder, "no such folder")
    sums = _sums(folder / MANIFEST)
    for name in dict.fromkeys((*NEEDED, *sums)):
        if name not in sums:
            raise ModelUnusable(folder / MANIFEST, f"does not list {name}; {_HINT}")
        if _sha256(folder / name) != sums[name]:
            why = f"damaged: its sha256 is not the one in {MANIFEST}; {_HINT}"
            raise ModelUnusable(folder / name, why)


def _sums(path: Path) -> dict[str, str]:
    try:
        sums = json.loads(path.read_text(encoding="utf-8"))["sha256"]
    except OSError as error:
        raise ModelUnusable(path, f"cannot be read: {error.strerror}; {_HINT}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        sums = None
    if not isinstance(sums, dict) or not all(_is_plain(name) for name in sums):
        raise ModelUnusable(path, f"damaged: no list of sha256 sums; {_HINT}")
    return sums


def _is_plain(name: str) -> bool:
    """A file of this very folder."""
    return name not in ("", ".", "..") and "/" not in name and "\\" not in name


def _sha256(path: Path) -> str:
    try:
        return sha256(path)
    except OSError as error:
        raise ModelUnusable(path, f"cannot be read: {error.strerror}; {_HINT}") from None
