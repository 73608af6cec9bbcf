"""An exported model as a Reasoner: numpy and onnxruntime, no torch.

The graphs of `ibr.model.export` are fed by name: `theory.*` and `question.*` are what was read
(`ibr.arrays`), `encoded.*` what the encode graph made of it, `step.*` the open paths of a search.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Final

import onnxruntime

from ibr import manifest
from ibr.arrays import Array, Arrays, Asked, make_arrays
from ibr.errors import ModelUnusable
from ibr.model.config import ConfigError, IBRConfig
from ibr.proving import SearchingReasoner, Wrap
from ibr.scoring import EncodedScorer, LevelPaths, Seats
from ibr.search import Bools, Ints

_ERRORS_ONLY: Final = 3
_GIVE_BACK: Final = "memory.enable_memory_arena_shrinkage", "cpu:0"
_STEP: Final = [
    *(f"step.{field.name}" for field in (*fields(LevelPaths), *fields(Seats))),
    "step.parent",
    "step.fails",
]


class Graph:
    """One ONNX file: named arrays in, named arrays out."""

    def __init__(self, path: Path, threads: int) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = _ERRORS_ONLY
        # To plan who may reuse whose memory takes longer than all the rest of loading, and saves
        # nothing here: sizes differ from call to call.
        options.enable_mem_reuse = False
        options.enable_mem_pattern = False
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        try:
            self._session = onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime has a class for each kind of failure
            raise ModelUnusable(path, f"onnxruntime cannot load it: {error}") from None
        # Without this a process keeps for good what its largest batch so far has needed.
        self._giving_back = onnxruntime.RunOptions()
        self._giving_back.add_run_config_entry(*_GIVE_BACK)
        self.inputs = [item.name for item in self._session.get_inputs()]
        self.outputs = [item.name for item in self._session.get_outputs()]

    def __call__(self, arrays: Mapping[str, Array]) -> dict[str, Array]:
        """Takes what it needs of the arrays."""
        given = {name: arrays[name] for name in self.inputs}
        made = self._session.run(self.outputs, given, self._giving_back)
        return dict(zip(self.outputs, made, strict=True))


class Graphs:
    """The model of a folder. Raises ModelUnusable if a file is missing or damaged."""

    def __init__(self, folder: Path, threads: int = 1) -> None:
        manifest.check(folder)
        self.config = _config(folder / manifest.CONFIG)
        self.encode, self.parents, self.children = (
            Graph(folder / name, threads)
            for name in (manifest.ENCODE, manifest.PARENTS, manifest.CHILDREN)
        )
        for name, graph in ((manifest.PARENTS, self.parents), (manifest.CHILDREN, self.children)):
            if not set(graph.inputs) <= {*self.encode.outputs, *_STEP}:
                why = "made for another version of this package; export the model again"
                raise ModelUnusable(folder / name, why)


class GraphScorer(EncodedScorer):
    """The `Scorer` of `ibr.search` over a batch, which is encoded here."""

    def __init__(self, graphs: Graphs, batch: Arrays) -> None:
        self._graphs = graphs
        self._encoded = graphs.encode(batch.named())
        parts = ("answer", "strategy", "sentence", "is_reading", "is_rule", "owner", "places")
        super().__init__(*(self._encoded[f"encoded.{part}"] for part in parts))

    def parent_logp(self, level: LevelPaths) -> Array:
        step = {"step.nodes": level.nodes, "step.up": level.up}
        return self._graphs.parents(self._encoded | step)["logp"]

    def child_logp(self, level: LevelPaths, parent: Ints, fails: Bools, seats: Seats) -> Array:
        step = {f"step.{name}": array for name, array in (vars(level) | vars(seats)).items()}
        step |= {"step.parent": parent, "step.fails": fails}
        return self._graphs.children(self._encoded | step)["logp"]


class GraphReasoner(SearchingReasoner):
    """As `ibr.model.reasoner.ModelReasoner`, without torch."""

    def __init__(
        self,
        graphs: Graphs,
        name: str = "ibr",
        beams: int = 8,
        questions: int = 64,
        trace: bool = False,
        wrap: Wrap | None = None,
    ) -> None:
        fitted = graphs.config.temperature, graphs.config.patience
        super().__init__(name, beams, questions, trace, wrap, *fitted)
        self.graphs = graphs

    def scorer(self, asked: Sequence[Asked]) -> GraphScorer:
        compact = self.graphs.config.compact
        assert compact is not None
        return GraphScorer(self.graphs, make_arrays(asked, compact.channels, compact.codes))


def load_reasoner(
    folder: str, beams: int = 8, trace: bool = False, wrap: Wrap | None = None, threads: int = 1
) -> GraphReasoner:
    """The exported model of a folder. Raises ModelUnusable."""
    path = Path(folder)
    return GraphReasoner(Graphs(path, threads), path.name, beams, trace=trace, wrap=wrap)


def _config(path: Path) -> IBRConfig:
    try:
        config = IBRConfig.from_json(json.loads(path.read_text(encoding="utf-8")))
    except (ConfigError, TypeError, ValueError) as error:
        raise ModelUnusable(path, str(error)) from None
    if config.compact is None:
        raise ModelUnusable(path, "not a compact model: only those are exported")
    return config
