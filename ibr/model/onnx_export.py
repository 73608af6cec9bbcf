"""A compact model as ONNX graphs: `encode` once, then `parents` and `children` at every step.

They are `IBR.encode`, `IBR.parent_step` and `IBR.child_step` with tensors that have names instead
of nouns; no size is fixed but the widths of the model. `ibr.runtime` runs them.

The exporter follows the operations that one example meets (torch's newer one would unroll the
LSTMs for the lengths of the example).

Legend: M theories, B questions, N sentences, L words, T spots, E channels, W spots of a sentence,
Z symbols, Y pairs, R = N·E readings, D nodes, A open paths of P positions in G rows of K seats; of
the questions V words and X spots.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

import onnx
import onnxruntime
import torch
from torch import Tensor, nn

from ibr import arrays, manifest
from ibr.arrays import Asked
from ibr.checkpoint import save_pretrained
from ibr.model.batch import Batch, make_batch
from ibr.model.child_node import Seats
from ibr.model.compact import CompactEncoder
from ibr.model.compact_input import CompactInput, QuestionInput, TheoryInput
from ibr.model.config import ConfigError
from ibr.model.growth import Growth
from ibr.model.ibr import IBR, Encoded
from ibr.model.layers import Turn
from ibr.model.memory import Tabled
from ibr.search import QUESTION
from ibr.theory import Question, Theory

OPSET: Final = 18
_SIZES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("theory.words", "theory.codes"), "M N L"),
    **dict.fromkeys(("theory.kinds", "theory.is_rule"), "M N"),
    **{f"theory.{part}": "M T" for part in ("spots", "sentence", "symbol", "rank")},
    **{f"theory.{part}": "M T" for part in ("pair", "triple")},
    **dict.fromkeys(("theory.channels", "theory.channel_codes"), "M E"),
    "theory.spans": "M N W",
    "theory.alphabet": "Z",
    "theory.pairs": "Y",
    "question.theory": "B",
    **dict.fromkeys(("question.words", "question.codes"), "B V"),
    **{f"question.{part}": "B X" for part in ("spots", "symbol", "pair", "triple")},
    **{f"question.{part}": "B X" for part in ("is_spot", "is_stranger")},
    **dict.fromkeys(("encoded.answer", "encoded.strategy"), "B"),
    "encoded.nodes": "D",
    **dict.fromkeys(("encoded.below", "encoded.beside"), "D R"),
    "encoded.owner": "B",
    "encoded.places": "B C",
    "encoded.child_keys": "M R",
    "encoded.special_keys": "B",
    **{f"encoded.{part}": "B R" for part in ("sentence", "is_reading", "is_rule")},
    **dict.fromkeys(("step.question", "step.parent", "step.fails", "step.seat"), "A"),
    **dict.fromkeys(("step.nodes", "step.up"), "A P"),
    "step.theory": "G",
    "step.path": "G K",
}  # of the dimensions that may differ, first to last
_ENCODED: Final = (
    "answer", "strategy", "nodes", "below", "beside", "child_keys", "special_keys", "sentence",
    "is_reading", "is_rule", "owner", "places",
)  # fmt: skip


def export(model: IBR, folder: Path | str, card: str | None = None) -> None:
    """Publish the model, its graphs and its card in `folder`, which must not exist or be empty."""
    folder = Path(folder)
    if model.config.compact is None:
        raise ConfigError("only a model with the compact encoder can be exported")
    save_pretrained(model, folder)
    write_graphs(model, folder)
    if card is not None:
        (folder / manifest.CARD).write_text(card, encoding="utf-8")
    manifest.write_manifest(folder)


def write_graphs(model: IBR, folder: Path) -> None:
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the exporter's age, and of sizes: the tests vary them
        model = _looping(model)
        read = _named_input(_example(model))
        encoded = _named_encoded(model, model.encode(_batch(read)))
        step = _open_paths(encoded["encoded.places"])
        first = {name: step[name] for name in ("step.nodes", "step.up")}
        names = list(encoded)
        _write(_Encode(model, list(read)), read, names, folder / manifest.ENCODE)
        _write(_Parents(model, names), encoded | first, ["logp"], folder / manifest.PARENTS)
        _write(_Children(model, names), encoded | step, ["logp"], folder / manifest.CHILDREN)


class _Loop(nn.Module):
    """Compiled, so that the graph has one turn and a loop: it loads ten times as fast."""

    def __init__(self, turn: nn.Module, times: int) -> None:
        super().__init__()
        self.turn = turn
        self.times: Tensor
        self.register_buffer("times", torch.tensor(times))  # a number would be unrolled

    def forward(
        self, x: Tensor, own: Tensor, same: Tensor, is_channel: Tensor, elsewhere: Tensor | None
    ) -> Tensor:
        for _ in range(int(self.times)):
            x = self.turn(x, own, same, is_channel, elsewhere)
        return x


class _Turns(nn.Module):
    """All turns as if they were one."""

    def __init__(self, turn: Turn, times: int) -> None:
        super().__init__()
        self.same = turn.same
        self.loop = torch.jit.script(_Loop(turn, times))

    def forward(
        self,
        x: Tensor,
        own: Tensor,
        same: Tensor,
        is_channel: Tensor,
        elsewhere: Tensor | None = None,
    ) -> Tensor:
        return self.loop(x, own, same, is_channel, elsewhere)


def _looping(model: IBR) -> IBR:
    """A copy for inference whose encoder takes its turns in a loop of the graph."""
    model = copy.deepcopy(model).eval()
    encoder, config = model.encoder, model.config.compact
    assert isinstance(encoder, CompactEncoder)
    assert config is not None
    for name, times in (
        ("theory_turn", config.theory_turns),
        ("question_turn", config.question_turns),
    ):
        setattr(encoder, name, _Turns(getattr(encoder, name), times))
    encoder.config = replace(config, theory_turns=1, question_turns=1)
    return model


class _Graph(nn.Module):
    """Takes tensors by their names, which come first of what it is given."""

    def __init__(self, model: IBR, names: Sequence[str]) -> None:
        super().__init__()
        self.model, self.names = model, names

    @property
    def sizes(self) -> dict[str, str]:
        return {**_SIZES, **{f"encoded.{name}": "D" for name in self.model.path_maps}}


class _Encode(_Graph):
    def forward(self, *parts: Tensor) -> tuple[Tensor, ...]:
        read = dict(zip(self.names, parts, strict=True))
        return tuple(_named_encoded(self.model, self.model.encode(_batch(read))).values())


class _Parents(_Graph):
    def forward(self, *parts: Tensor) -> Tensor:
        _, path, _ = self._given(parts)
        return self.model.parent_step(path)

    def _given(self, parts: Sequence[Tensor]) -> tuple[Encoded, Growth, Sequence[Tensor]]:
        """The batch, the open paths, and the rest."""
        named = dict(zip(self.names, parts, strict=False))
        nodes, up, *rest = parts[len(named) :]
        model, encoded = self.model, _encoded(named)
        tables = {m: named[f"encoded.{name}"] for name, m in model.path_maps.items()}
        vectors, places = model.path_vectors(encoded, nodes), model.place_vectors(nodes)
        return encoded, Tabled(nodes, vectors, up, Growth.end(up), places, tables), rest


class _Children(_Parents):
    def forward(self, *parts: Tensor) -> Tensor:
        encoded, path, (parent, rows, fails, *seats) = self._given(parts)
        return self.model.child_step(encoded, path, parent, rows, fails, Seats(*seats))


def _write(graph: _Graph, given: Mapping[str, Tensor], made: list[str], path: Path) -> None:
    sizes = graph.sizes
    axes = {name: dict(enumerate(sizes[name].split())) for name in (*given, *made) if name in sizes}
    traced = torch.jit.trace(graph, tuple(given.values()), check_trace=False)
    torch.onnx.export(
        traced,
        tuple(given.values()),
        str(path),
        input_names=list(given),
        output_names=made,
        dynamic_axes=axes,
        opset_version=OPSET,
        dynamo=False,
    )
    _lighten(path)


def _lighten(path: Path) -> None:
    """Optimised once here, not at every load; only by what holds on any machine.

    The exporter fixes how many initial states an LSTM has; left out, they are zero all the same.
    """
    graph = onnx.load(path)
    for node in graph.graph.node:
        if node.op_type == "LSTM":
            del node.input[4:]
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(path)
    onnxruntime.InferenceSession(
        graph.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


def _named_input(batch: Batch) -> dict[str, Tensor]:
    assert isinstance(batch.input, CompactInput)
    made = {
        f"{side}.{f.name}": getattr(part, f.name)
        for side, part in (("theory", batch.input.theory), ("question", batch.input.question))
        for f in fields(part)
    }
    return made | {"theory.is_rule": batch.is_rule}


def _batch(read: Mapping[str, Tensor]) -> Batch:
    theory = {f.name: read[f"theory.{f.name}"] for f in fields(arrays.TheoryInput)}
    question = {f.name: read[f"question.{f.name}"] for f in fields(arrays.QuestionInput)}
    return Batch(
        CompactInput(TheoryInput(**theory), QuestionInput(**question)), read["theory.is_rule"]
    )


def _named_encoded(model: IBR, encoded: Encoded) -> dict[str, Tensor]:
    """All that search needs; a model may have no links."""
    made = {name: getattr(encoded, name) for name in _ENCODED}
    made |= {name: linear(encoded.nodes) for name, linear in model.path_maps.items()}
    return {f"encoded.{name}": part for name, part in made.items() if part is not None}


def _encoded(named: Mapping[str, Tensor]) -> Encoded:
    parts: dict[str, Any] = {name: named.get(f"encoded.{name}") for name in _ENCODED}
    return Encoded(**parts, fires=[], chain=None, roles=None)


def _example(model: IBR) -> Batch:
    """Two theories of different sizes, three questions, a stranger: no size is 1."""
    config = model.config.compact
    assert config is not None
    long = Theory.of(
        ["Anne is kind.", "The bear chases Anne.", "If someone is kind and not big then they rest."]
    )
    short = Theory.of(["Bob is big.", "All big people are rough."])
    asked = [
        Asked(long, [Question("Anne does not rest."), Question("Zoe chases the bear.")]),
        Asked(short, [Question("Bob is rough.")]),
    ]
    return make_batch(asked, config.channels, config.codes)


def _open_paths(places: Tensor) -> dict[str, Tensor]:
    """Two questions with three and two paths: a rule, its child, and NAF."""
    question = torch.tensor([0, 0, 0, 2, 2])
    return {
        "step.nodes": places[question][:, [QUESTION, 1, 0, -2]],
        "step.up": torch.tensor([-1, 0, 1, 1]).expand(5, 4).contiguous(),
        "step.parent": torch.tensor([1, 2, 3, 0, 1]),
        "step.question": question,
        "step.fails": torch.tensor([False, False, False, True, True]),
        "step.theory": torch.tensor([0, 1]),
        "step.path": torch.tensor([[0, 1, 2], [3, 4, 0]]),
        "step.seat": torch.tensor([0, 1, 2, 3, 4]),
    }
