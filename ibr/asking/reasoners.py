"""Systems by their names: the solver, the embedded model, a model folder, each verified or not."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ibr.choices import Assumption
from ibr.decoding.manifest import EMBEDDED, looks_exported
from ibr.errors import ReasonerNotFound, ReasonerUnusable, UsageError
from ibr.logic.solver_reasoner import SolverReasoner, Solvers
from ibr.reasoner import Reasoner

if TYPE_CHECKING:
    from ibr.decoding.proving import SearchingReasoner

# Loaded by name and only when needed: a run folder needs torch, an exported one onnxruntime.
_TRAINED, _EXPORTED = "ibr.model.trained", "ibr.decoding.runtime"
_MODEL, _VERIFIED = "ibr", "verified"
_NAMES = ["solver", _MODEL, _VERIFIED, "the path of a run folder", f"{_VERIFIED}:PATH"]


class SystemName(NamedTuple):
    """`base` is `solver`, `ibr` or a folder; `verified`: its proofs are checked and replaced."""

    base: str
    verified: bool

    @classmethod
    def parse(cls, name: str) -> SystemName:
        """`solver`, `ibr` (the embedded model), a folder, `verified` or `verified:FOLDER`."""
        first, _, folder = name.partition(":")
        if folder == SolverReasoner.name and first == _VERIFIED:
            raise ReasonerNotFound(name, _NAMES)
        return cls(folder or _MODEL, True) if first == _VERIFIED else cls(name, False)

    @property
    def label(self) -> str:
        """The name that the loaded system has."""
        return _VERIFIED if self.verified else Path(self.base).name

    @property
    def folder(self) -> Path | None:
        """Of the model; None for the solver."""
        if self.base == SolverReasoner.name:
            return None
        return Path(EMBEDDED if self.base == _MODEL else self.base)


def get_reasoner(
    name: str,
    solvers: Solvers | None = None,
    world: Assumption = Assumption.CLOSED,
    **options: Any,
) -> Reasoner:
    """The system of a name (`SystemName`). `solvers` may be shared, or read something else than the
    text; `world` is that of checked proofs: a model alone reasons as it was trained. `options` are
    a model's (`beams`, `trace`, `wrap`: see `ibr.decoding.runtime`).
    """
    system = SystemName.parse(name)
    if not system.verified:
        return get_base(system, solvers, **options)
    from ibr.asking.judge import VerifiedReasoner

    trace = options.pop("trace", False)
    return VerifiedReasoner(_searching(system, options), trace, world)


def get_base(system: SystemName, solvers: Solvers | None = None, **options: Any) -> Reasoner:
    """The same without the check of its proofs."""
    if system.folder is not None:
        return _searching(system, options) if system.verified else _model(system, options)
    if options:
        raise UsageError(f"{', '.join(options)}: only a model has that, not {system.base!r}")
    return SolverReasoner(solvers)


def _searching(system: SystemName, options: dict[str, Any]) -> SearchingReasoner:
    """A model with several proofs to choose from."""
    from ibr.decoding import proving

    reasoner = _model(system, options)
    if not isinstance(reasoner, proving.SearchingReasoner):
        raise UsageError(f"{_VERIFIED}:{system.base}: needs a model of IBR, which searches proofs")
    return reasoner


def _model(system: SystemName, options: dict[str, Any]) -> Reasoner:
    folder, is_embedded = system.folder, system.base == _MODEL
    if folder is None or not (is_embedded or os.path.isdir(folder)):
        raise ReasonerNotFound(system.base, _NAMES)
    try:
        # With a device by torch, which can load an exported model, too.
        exported = (is_embedded or looks_exported(folder)) and "device" not in options
        models = import_module(_EXPORTED if exported else _TRAINED)
    except ModuleNotFoundError as error:
        why = f"needs {error.name}: pip install 'ibr[train]'"
        raise ReasonerUnusable(system.base, why) from error
    reasoner: Reasoner = models.load_reasoner(str(folder), **options)
    if is_embedded:
        reasoner.name = _MODEL  # type: ignore[misc]
    return reasoner
