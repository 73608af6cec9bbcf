"""Which layer may import which, sizes and names of modules, and what `--help` loads."""

from __future__ import annotations

import ast
import builtins
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import ibr

PACKAGE = Path(ibr.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))

# Lowest layer first; a module belongs to the longest name that is its prefix.
LAYERS = [
    {
        "ibr", "ibr.choices", "ibr.errors", "ibr.files", "ibr.prediction", "ibr.proof",
        "ibr.reasoner", "ibr.theory",
    },
    {"ibr.logic"},
    {"ibr.data"},
    {"ibr.inputs", "ibr.decoding", "ibr.model.config"},
    {"ibr.evaluation", "ibr.drawing", "ibr.bulk"},
    {"ibr.model", "ibr.training", "ibr.baselines"},
    {"ibr.reproduce"},
    {"ibr.asking"},
    {"ibr.cli", "ibr.serving", "ibr.__main__"},
]  # fmt: skip
THIRD_PARTY = [
    {"fsspec"},
    {"lark", "lemminflect"},
    {"datasets", "lark"},
    {"numpy", "onnxruntime"},
    {"numpy", "ray"},
    {
        "accelerate", "huggingface_hub", "numpy", "onnx", "onnxruntime", "safetensors", "scipy",
        "torch", "transformers",
    },
    {"matplotlib", "numpy", "scipy", "torch"},
    set(),
    {
        "typer", "rich", "fastapi", "httptools", "pydantic", "starlette", "uvicorn",
        "prometheus_client",
    },
]  # fmt: skip
LINES = 300


def module_of(path: Path) -> str:
    parts = ("ibr", *path.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer_of(module: str) -> int:
    candidates = [
        (len(name), number)
        for number, names in enumerate(LAYERS)
        for name in names
        if module == name or (name != "ibr" and module.startswith(f"{name}."))
    ]
    assert candidates, f"{module} has no layer: add it to LAYERS"
    return max(candidates)[1]


def imports_of(path: Path) -> set[str]:
    """Everything that a file imports anywhere, lazily or not."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module is not None
            found |= {_target(node.module, alias.name) for alias in node.names}
    return found


def _target(module: str, name: str) -> str:
    """`from ibr.logic import solver` imports a module, `from ibr.proof import NAF` a name."""
    inside = PACKAGE.joinpath(*module.split(".")[1:], name)
    is_module = inside.with_suffix(".py").is_file() or inside.is_dir()
    return f"{module}.{name}" if module.split(".")[0] == "ibr" and is_module else module


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_imports_point_down(path: Path) -> None:
    if module_of(path) == "ibr":
        return  # it imports from above on first use: see tests/test_prover.py
    layer = layer_of(module_of(path))
    allowed = sys.stdlib_module_names | THIRD_PARTY[layer]
    for name in imports_of(path):
        if name.split(".")[0] == "ibr":
            assert layer_of(name) <= layer, f"{path.name} imports {name} from a layer above"
        else:
            assert name.split(".")[0] in allowed, f"{path.name} imports {name}"


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_a_module_is_small_and_has_a_docstring(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LINES
    assert path.name == "__init__.py" or ast.get_docstring(ast.parse(text))


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["solve", "--help"]])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    """What `ibr --help` imports is what its user waits for."""
    code = (
        "import sys\n"
        f"sys.argv = ['ibr', *{arguments!r}]\n"
        "from ibr.cli import main\n"
        "try:\n    main()\n"
        "except SystemExit as end:\n    assert not end.code, end.code\n"
        "heavy = {'torch', 'numpy', 'lark', 'lemminflect'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def _defined(kind: type[ast.AST], path: Path) -> Iterator[Any]:
    return (n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, kind))


def _repeated(names: Iterable[tuple[str, Path]]) -> dict[str, list[str]]:
    places: defaultdict[str, list[str]] = defaultdict(list)
    for name, path in names:
        if not path.is_relative_to(PACKAGE / "logic" / "english"):  # its names are being replaced
            places[name].append(module_of(path))
    return {name: found for name, found in places.items() if len(found) > 1}


def test_module_and_class_names_are_unique() -> None:
    assert not _repeated((path.stem, path) for path in FILES if path.stem != "__init__")
    assert not _repeated((c.name, path) for path in FILES for c in _defined(ast.ClassDef, path))


def test_folders_and_functions_are_small() -> None:
    folders = Counter(path.parent for path in FILES if path.stem != "__init__")
    assert not {folder.name: count for folder, count in folders.items() if count > 12}
    functions = (
        (path.name, f.name, f.end_lineno - f.lineno + 1)
        for path in FILES
        for f in _defined(ast.FunctionDef, path)
    )
    assert not [function for function in functions if function[2] > 60]


def test_the_checker_shares_no_code_with_the_solver() -> None:
    """Two ways of deciding the same thing: a mistake in one cannot hide in the other."""
    for path in (PACKAGE / "logic" / "checking").glob("*.py"):
        assert not {name for name in imports_of(path) if ".logic.solving" in name}, path.name


CAUGHT_INSIDE = {
    "QueueFull", "Refusal", "RequestError", "StuckDraft", "TooManyInstances", "Unparsable",
    "_NotATemplate",
}  # fmt: skip


def test_every_error_that_leaves_the_package_is_an_ibr_error() -> None:
    builtin = {name for name in dir(builtins) if name.endswith(("Error", "Exception"))}
    for path in FILES:
        if not path.is_relative_to(PACKAGE / "logic" / "english"):
            for found in _defined(ast.ClassDef, path):
                bases = {ast.unparse(base) for base in found.bases}
                own = bases <= builtin and bool(bases) and found.name not in CAUGHT_INSIDE
                assert not own or found.name == "IbrError", f"{path.name}: {found.name}"
