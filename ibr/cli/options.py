"""Options and arguments of the commands: a function has their names, types and defaults, the table
`options.toml` their help, bounds and other names. A section of it is a command."""

import inspect
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

import typer
from typer.models import ParameterInfo

from ibr.files import path_of

MOST = 999_999_999  # of a whole number: far more is an error of the libraries that it is given to


@cache
def _table() -> dict[str, dict[str, Any]]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def with_options(verb: str, function: Callable[..., None]) -> Callable[..., None]:
    """The function with parameters as typer wants them; what is declared already stays."""
    known, hints = _table()["every"] | _table().get(verb, {}), get_type_hints(function)
    parameters = []
    for name, parameter in inspect.signature(function).parameters.items():
        if not isinstance(parameter.default, ParameterInfo):
            declared = _declared(parameter, known[name])
            parameter = parameter.replace(default=declared, annotation=hints[name])
        parameters.append(parameter)
    vars(function)["__signature__"] = inspect.Signature(parameters)
    return function


def _declared(parameter: inspect.Parameter, spec: str | dict[str, Any]) -> Any:
    spec = {"help": spec} if isinstance(spec, str) else dict(spec)
    spec["help"] = " ".join(spec.get("help", "").split()) or None
    if isinstance(spec.get("min"), int):
        spec.setdefault("max", MOST)
    default = ... if parameter.default is parameter.empty else parameter.default
    if spec.pop("path", False):
        spec["parser"] = path_of
    if spec.pop("argument", False):
        return typer.Argument(default, **spec)
    name = spec.pop("name", f"--{parameter.name.replace('_', '-')}")
    return typer.Option(default, name, **spec)


def given(**options: Any) -> dict[str, Any]:
    """The options without those that are None."""
    return {name: value for name, value in options.items() if value is not None}
