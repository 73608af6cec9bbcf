"""An exported model as a Reasoner: numpy and onnxruntime, no torch.

The graphs of `ibr.model.onnx_export` take arrays by name: `theory.*` and `question.*` are the input
(`ibr.inputs.arrays`), `encoded.*` the output of the encode graph, `step.*` the open paths of a
search.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import onnxruntime

from ibr.decoding import manifest
from ibr.decoding.proving import SearchingReasoner
from ibr.decoding.scoring import EncodedScorer, StepArrays
from ibr.errors import ModelUnusable
from ibr.inputs.arrays import Array, Arrays, Asked, make_arrays
from ibr.inputs.model_words import read_words
from ibr.model.config import IBRConfig, check_sizes

_ERRORS_ONLY: Final = 3
_SHRINK: Final = "memory.enable_memory_arena_shrinkage", "cpu:0"
STEP: Final = ("nodes", "up", "parent", "question", "fails", "theory", "path", "slot")


class OnnxGraph:
    """One ONNX file: named arrays in, named arrays out."""

    def __init__(self, path: Path, threads: int) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = _ERRORS_ONLY
        # Planning the reuse of memory takes longer than the rest of loading, and saves nothing
        # here: sizes differ from call to call.
        options.enable_mem_reuse = False
        options.enable_mem_pattern = False
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        try:
            self._session = onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime has a class for each kind of failure
            raise ModelUnusable(path, f"onnxruntime cannot load it: {error}") from None
        # Without this a process keeps the memory of its largest batch.
        self._run_options = onnxruntime.RunOptions()
        self._run_options.add_run_config_entry(*_SHRINK)
        self.inputs = [item.name for item in self._session.get_inputs()]
        self.outputs = [item.name for item in self._session.get_outputs()]

    def __call__(self, arrays: Mapping[str, Array]) -> dict[str, Array]:
        """Of the arrays, only the inputs of the graph are used."""
        given = {name: arrays[name] for name in self.inputs}
        made = self._session.run(self.outputs, given, self._run_options)
        return dict(zip(self.outputs, made, strict=True))


class Graphs:
    """The model of a folder. Raises ModelUnusable if a file is missing or damaged."""

    def __init__(self, folder: Path, threads: int = 1) -> None:
        manifest.check(folder)
        self.config = IBRConfig.read(folder / manifest.CONFIG)
        if self.config.compact is None:
            raise ModelUnusable(folder / manifest.CONFIG, "only compact models are exported")
        check_sizes(self.config, folder / manifest.WEIGHTS)
        self.compact = self.config.compact
        self.words = read_words(folder, self.compact.words)
        self.encode, self.parents, self.children = (
            OnnxGraph(folder / name, threads)
            for name in (manifest.ENCODE, manifest.PARENTS, manifest.CHILDREN)
        )
        for name, graph in ((manifest.PARENTS, self.parents), (manifest.CHILDREN, self.children)):
            if not set(graph.inputs) <= {*self.encode.outputs, *_named(dict.fromkeys(STEP))}:
                why = "made for another version of this package; export the model again"
                raise ModelUnusable(folder / name, why)


class GraphScorer(EncodedScorer):
    """The `Scorer` of `ibr.decoding.search` over a batch, which is encoded here."""

    def __init__(self, graphs: Graphs, batch: Arrays) -> None:
        self._graphs, self._encoded = graphs, graphs.encode(batch.named())
        super().__init__({name: self._encoded[f"encoded.{name}"] for name in self.PARTS})

    def parent_logp(self, step: StepArrays) -> Array:
        return self._graphs.parents(self._encoded | _named(step))["logp"]

    def child_logp(self, step: StepArrays) -> Array:
        return self._graphs.children(self._encoded | _named(step))["logp"]


def _named(step: Mapping[str, Any]) -> dict[str, Any]:
    return {f"step.{name}": value for name, value in step.items()}


class GraphReasoner(SearchingReasoner):
    """As `ibr.model.trained.ModelReasoner`, without torch; `options` as there."""

    def __init__(self, graphs: Graphs, name: str = "ibr", **options: Any) -> None:
        super().__init__(name, config=graphs.config, words=graphs.words, **options)
        self.graphs = graphs

    def scorer(self, asked: Sequence[Asked]) -> GraphScorer:
        compact, known = self.graphs.compact, self.words.known
        return GraphScorer(self.graphs, make_arrays(asked, known, compact.channels, compact.codes))


def load_reasoner(folder: str, threads: int = 1, **options: Any) -> GraphReasoner:
    """The exported model of a folder. Raises ModelUnusable."""
    return GraphReasoner(Graphs(Path(folder), threads), Path(folder).name, **options)
