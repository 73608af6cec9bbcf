"""The files of an exported model, and whether files are whole by their sha256. Loads nothing.

`config.json`, `model.safetensors`, `vocabulary.json` and `kinds.json` are a model folder
(`ibr.model.model_folder`), from which training can continue; `ibr.decoding.runtime` runs the three
graphs. `manifest.json` has the sha256 of every other file and is written last: a folder without one
is not finished.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from ibr.errors import ModelUnusable
from ibr.files import sha256
from ibr.inputs.model_words import KINDS, VOCABULARY, read_json, write_json

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
    (folder / MANIFEST).unlink(missing_ok=True)
    write_json(folder / MANIFEST, {"sha256": sums_of(folder)})


def looks_exported(folder: Path) -> bool:
    """Whether it has any file that only an exported model has: then it must have them all."""
    return any((folder / name).exists() for name in (MANIFEST, ENCODE, PARENTS, CHILDREN))


def check(folder: Path) -> None:
    """Raises ModelUnusable, which names the first file that is missing or not as it was written."""
    if not folder.is_dir():
        raise ModelUnusable(folder, "no such folder")
    path = folder / MANIFEST
    try:
        sums = read_json(path).get("sha256")
    except ModelUnusable as error:
        raise ModelUnusable(path, f"{error.why}; {_HINT}") from None
    if not isinstance(sums, dict):
        raise ModelUnusable(path, f"damaged: no list of sha256 sums; {_HINT}")
    for name in NEEDED:
        if name not in sums:
            raise ModelUnusable(path, f"does not list {name}; {_HINT}")
    check_sums(folder, sums, MANIFEST, _HINT)


def sums_of(folder: Path) -> dict[str, str]:
    """The sha256 of every file below the folder, by its name there."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): sha256(path) for path in files}


def check_sums(folder: Path, sums: Mapping[str, str], listed: str, hint: str) -> None:
    """Raises ModelUnusable if a file is missing or has another sum than the list `listed` says."""
    for name, wanted in sums.items():
        if {*name.split("/")} & {"", ".", ".."} or {*name} & {"\\", "\0"}:
            raise ModelUnusable(
                folder / listed, f"lists {name!r:.60}, which is not below it; {hint}"
            )
        try:
            found = sha256(folder / name)
        except OSError as error:
            why = f"cannot be read: {error.strerror}; {hint}"
            raise ModelUnusable(folder / name, why) from None
        if found != wanted:
            why = f"damaged: its sha256 is not the one in {listed}; {hint}"
            raise ModelUnusable(folder / name, why)
