"""The house keeps its floors: who may import whom, how long a room is, what `--help` loads."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import ibr

PACKAGE = Path(ibr.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))

# Lowest floor first; a module belongs to the longest name that is its prefix.
FLOORS = [
    {
        "ibr", "ibr.choices", "ibr.errors", "ibr.events", "ibr.prediction", "ibr.proof",
        "ibr.theory",
    },
    {"ibr.logic"},
    {"ibr.data"},
    {
        "ibr.arrays", "ibr.kinds", "ibr.manifest", "ibr.model.config", "ibr.proving",
        "ibr.resaid", "ibr.runtime", "ibr.scoring", "ibr.search", "ibr.tokens", "ibr.trace",
        "ibr.watching",
    },
    {
        "ibr.answer", "ibr.batching", "ibr.browsing", "ibr.calibrate", "ibr.checking",
        "ibr.doctor", "ibr.drawing", "ibr.evaluate", "ibr.exchange", "ibr.files", "ibr.gold",
        "ibr.heard", "ibr.memory", "ibr.parts", "ibr.proved", "ibr.prover", "ibr.reasoner",
        "ibr.rulebook", "ibr.sources", "ibr.suggest", "ibr.verified", "ibr.work",
    },
    {"ibr.model", "ibr.train", "ibr.training", "ibr.checkpoint", "ibr.baselines"},
    {"ibr.cli", "ibr.commands", "ibr.serving", "ibr.__main__"},
]  # fmt: skip
THIRD_PARTY = [
    set(),
    {"lark", "lemminflect"},
    {"lark"},
    {"numpy", "onnxruntime"},
    set(),
    {"numpy", "torch", "transformers", "safetensors", "huggingface_hub", "onnx", "onnxruntime"},
    {"typer", "rich", "fastapi", "pydantic", "starlette", "uvicorn"},
]
LINES = 300


def module_of(path: Path) -> str:
    parts = ("ibr", *path.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def floor_of(module: str) -> int:
    candidates = [
        (len(name), number)
        for number, names in enumerate(FLOORS)
        for name in names
        if module == name or (name != "ibr" and module.startswith(f"{name}."))
    ]
    assert candidates, f"{module} has no floor: add it to FLOORS"
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
        return  # it names what is upstairs and opens it when asked: see tests/test_prover.py
    floor = floor_of(module_of(path))
    allowed = sys.stdlib_module_names | THIRD_PARTY[floor]
    for name in imports_of(path):
        if name.split(".")[0] == "ibr":
            assert floor_of(name) <= floor, f"{path.name} imports {name} from a floor above"
        else:
            assert name.split(".")[0] in allowed, f"{path.name} imports {name}"


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_a_room_is_small_and_says_what_it_is(path: Path) -> None:
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
