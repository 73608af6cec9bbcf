"""A compact model as ONNX graphs: `encode` once, then `parents` and `children` at every step.

They are `IBR.encode`, `IBR.parent_step` and `IBR.child_step` with tensors by name; no size is fixed
but the widths of the model. `ibr.decoding.runtime` runs them. Torch's exporter that follows one
example is used: its newer one would unroll the LSTMs for the lengths of the example.
"""

from __future__ import annotations

import copy
import errno
import io
import warnings
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

import onnx
import onnxruntime
import torch
from onnxruntime.capi import onnxruntime_pybind11_state as state
from torch import Tensor, nn

from ibr.decoding import manifest
from ibr.decoding.runtime import STEP
from ibr.decoding.search import QUESTION
from ibr.files import write_file
from ibr.inputs.arrays import Asked, QuestionInput, TheoryInput, make_arrays
from ibr.model.batch import Batch
from ibr.model.config import CompactConfig, ConfigError
from ibr.model.encoders.compact import CompactEncoder
from ibr.model.encoders.encoding import CompactInput
from ibr.model.encoders.layers import Turn
from ibr.model.ibr import IBR, Encoded, Named
from ibr.theory import Question, Theory
from ibr.training.checkpoint import empty_folder

OPSET: Final = 18
_ENCODED: Final = [f.name for f in fields(Encoded) if f.name != "hinted"]  # that is for the loss
_FIXED: Final = {
    "encoded.answer": 1, "encoded.strategy": 1, "encoded.nodes": 1, "encoded.child_keys": 1,
    "encoded.special_keys": 2,
}  # fmt: skip  # how many of the last dimensions are widths of the model


def export(model: IBR, folder: Path | str, card: str | None = None) -> None:
    """Publish the model, its graphs and its card in `folder`, which must not exist or be empty."""
    folder = Path(folder)
    if model.config.compact is None:
        raise ConfigError("only a model with the compact encoder can be exported")
    with empty_folder(folder) as temp:
        model.write(temp)
        write_graphs(model, model.config.compact, temp)
        if card is not None:
            write_file(temp / manifest.CARD, card)
        manifest.write_manifest(temp)


def with_turns(model: IBR, turns: int) -> IBR:
    """The same weights in another number of rounds of chaining. Raises ConfigError."""
    if model.config.compact is None:
        raise ConfigError("--turns: only the compact encoder has rounds")
    compact = replace(model.config.compact, theory_turns=turns)
    turning = IBR(replace(model.config, compact=compact), words=model.words)
    turning.load_state_dict(model.state_dict())
    return turning.eval()


def write_graphs(model: IBR, config: CompactConfig, folder: Path) -> None:
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the exporter's age, and of sizes: the tests vary them
        model = _looping(model, config)
        links = () if config.link_roles else ("below", "beside")  # which a model may not have
        parts = [name for name in _ENCODED if name not in links]

        def encode(given: Named) -> tuple[Tensor, ...]:
            theory, question = (_part(given, name) for name in ("theory", "question"))
            is_rule = theory.pop("is_rule")
            read = CompactInput(TheoryInput(**theory), QuestionInput(**question))
            encoded = model.encode(Batch(read, is_rule))
            return tuple(getattr(encoded, name) for name in parts)

        def parents(given: Named) -> Tensor:
            return model.parent_step(_encoded(given), _part(given, "step"))

        def children(given: Named) -> Tensor:
            return model.child_step(_encoded(given), _part(given, "step"))

        read, names = _example(model, config), [f"encoded.{name}" for name in parts]
        encoded = dict(zip(names, encode(read), strict=True))
        given = encoded | _open_paths(encoded["encoded.places"])
        _write(_Graph(model, encode, read), names, folder / manifest.ENCODE)
        _write(_Graph(model, parents, given), ["logp"], folder / manifest.PARENTS)
        _write(_Graph(model, children, given), ["logp"], folder / manifest.CHILDREN)


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

    def forward(self, *parts: Tensor) -> Tensor:
        return self.loop(*parts, *[None] * (5 - len(parts)))


def _looping(model: IBR, config: CompactConfig) -> IBR:
    """A copy for inference whose encoder takes its turns in a loop of the graph."""
    model = copy.deepcopy(model).eval()
    encoder = model.encoder
    assert isinstance(encoder, CompactEncoder)
    encoder.theory_turn = _Turns(encoder.theory_turn, config.theory_turns)  # type: ignore[assignment]
    encoder.question_turn = _Turns(encoder.question_turn, config.question_turns)  # type: ignore[assignment]
    encoder.config = replace(config, theory_turns=1, question_turns=1)
    return model


class _Graph(nn.Module):
    """A function of the model's weights and of named tensors, as a module of plain tensors."""

    def __init__(self, model: IBR, function: Callable[[Named], Any], example: Named) -> None:
        super().__init__()
        self.model, self.function, self.example = model, function, dict(example)

    def forward(self, *parts: Tensor) -> Any:
        return self.function(dict(zip(self.example, parts, strict=True)))


def _part(given: Named, prefix: str) -> dict[str, Tensor]:
    """The tensors `prefix.NAME` by NAME."""
    pairs = ((name.partition("."), tensor) for name, tensor in given.items())
    return {name: tensor for (first, _, name), tensor in pairs if first == prefix}


def _encoded(given: Named) -> Encoded:
    parts: dict[str, Any] = dict.fromkeys(_ENCODED) | _part(given, "encoded")
    return Encoded(**parts, hinted=None)


def _write(graph: _Graph, made: list[str], path: Path) -> None:
    """Optimise once here, not at every load, and only by what holds on any machine."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(path)
    traced = _traced(graph, made)
    try:
        onnxruntime.InferenceSession(traced, options, providers=["CPUExecutionProvider"])
    except (RuntimeError, state.EngineError, state.InvalidProtobuf) as error:  # of the disk
        raise OSError(errno.EIO, f"cannot be written: {error}", str(path)) from None


def _traced(graph: _Graph, made: list[str]) -> bytes:
    """The exporter fixes how many initial states an LSTM has; left out, they are zero anyway."""
    example = tuple(graph.example.values())
    traced = torch.jit.trace(graph, example, check_trace=False)
    outputs = traced(*example)
    tensors = graph.example | dict(zip(made, [outputs] if len(made) == 1 else outputs, strict=True))
    exported = io.BytesIO()
    torch.onnx.export(
        traced,
        example,
        exported,  # type: ignore[arg-type]  # any file
        input_names=list(graph.example),
        output_names=made,
        dynamic_axes={
            name: {axis: f"{name}.{axis}" for axis in range(tensor.dim() - _FIXED.get(name, 0))}
            for name, tensor in tensors.items()
        },
        opset_version=OPSET,
        dynamo=False,
    )
    graph_def = onnx.load_from_string(exported.getvalue())
    for node in graph_def.graph.node:
        if node.op_type == "LSTM":
            del node.input[4:]
    return graph_def.SerializeToString()


def _example(model: IBR, config: CompactConfig) -> dict[str, Tensor]:
    """Two theories of different sizes, three questions, an unknown name: no size is 1."""
    long = Theory.of(
        ["Anne is kind.", "The bear chases Anne.", "If someone is kind and not big then they rest."]
    )
    short = Theory.of(["Bob is big.", "All big people are rough."])
    asked = [
        Asked(long, [Question("Anne does not rest."), Question("Zoe chases the bear.")]),
        Asked(short, [Question("Bob is rough.")]),
    ]
    made = make_arrays(asked, model.words.known, config.channels, config.codes).named()
    return {name: torch.from_numpy(array) for name, array in made.items()}


def _open_paths(places: Tensor) -> dict[str, Tensor]:
    """Two questions with three and two paths: a rule, its child, and NAF."""
    question = torch.tensor([0, 0, 0, 2, 2])
    parts = (
        places[question][:, [QUESTION, 1, 0, -2]],
        torch.tensor([-1, 0, 1, 1]).expand(5, 4).contiguous(),
        torch.tensor([1, 2, 3, 0, 1]),
        question,
        torch.tensor([False, False, False, True, True]),
        torch.tensor([0, 1]),
        torch.tensor([[0, 1, 2], [3, 4, 0]]),
        torch.tensor([0, 1, 2, 3, 4]),
    )
    return {f"step.{name}": part for name, part in zip(STEP, parts, strict=True)}
