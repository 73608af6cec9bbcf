"""A device for tests that is not the CPU: tensors hold real data and refuse to meet the CPU's.

The device is torch's PrivateUse1 under the name `other`. Every operation is computed on the CPU
from the data of its tensors; an operation whose tensors lie on two devices raises an error, as on a
GPU. Random operations draw from a generator of the device's own.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch._decomp.decompositions import lstm_impl
from torch.utils import _pytree as pytree
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

NAME = "other"
_TRANSFERS = {"aten::_copy_from", "aten::_copy_from_and_resize", "aten::copy_", "aten::_to_copy"}
_RANDOM = {"aten::bernoulli_", "aten::native_dropout", "aten::normal_", "aten::uniform_"}
_libraries: list[torch.library.Library] = []  # a library that is collected takes its kernels along


class OtherTensor(Tensor):
    """`held` is a tensor of the CPU."""

    held: Tensor

    @staticmethod
    def __new__(cls, held: Tensor) -> OtherTensor:
        made = Tensor._make_wrapper_subclass(  # type: ignore[attr-defined]
            cls,
            held.size(),
            strides=held.stride(),
            storage_offset=held.storage_offset(),
            dtype=held.dtype,
            device=torch.device(NAME, 0),
            requires_grad=held.requires_grad,
        )
        made.held = held
        return made  # type: ignore[no-any-return]

    def __repr__(self) -> str:  # type: ignore[override]
        return f"OtherTensor({self.held!r})"

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return compute(func, *args, **(kwargs or {}))


class Backend:
    """What torch asks of the module of a device."""

    generator = torch.Generator()

    @staticmethod
    def is_available() -> bool:
        return True

    @staticmethod
    def device_count() -> int:
        return 1

    @staticmethod
    def current_device() -> int:
        return 0

    @staticmethod
    def is_initialized() -> bool:
        return True

    @staticmethod
    def _is_in_bad_fork() -> bool:
        return False

    @staticmethod
    def get_amp_supported_dtype() -> list[torch.dtype]:
        return [torch.float16, torch.bfloat16]

    @staticmethod
    def synchronize(device: object = None) -> None:
        pass

    @classmethod
    def get_rng_state(cls, device: object = None) -> Tensor:
        return cls.generator.get_state()

    @classmethod
    def set_rng_state(cls, state: Tensor, device: object = None) -> None:
        if state.device.type != "cpu":
            raise RuntimeError("the random state of a device is a tensor of the CPU")
        cls.generator.set_state(state)

    @classmethod
    def manual_seed_all(cls, seed: int) -> None:
        cls.generator.manual_seed(seed)

    manual_seed = manual_seed_all


def compute(func: Any, *args: Any, **kwargs: Any) -> Any:
    """The operation on the data of its tensors; its results lie on the device."""
    name = func._schema.name
    tensors = [t for t in pytree.tree_leaves((args, kwargs)) if isinstance(t, Tensor)]
    strangers = [t for t in tensors if not isinstance(t, OtherTensor) and t.dim()]
    if strangers and len(strangers) < len(tensors) and name not in _TRANSFERS:
        sizes = [tuple(t.shape) for t in strangers]
        raise RuntimeError(f"{name}: tensors on {NAME}:0 and on the CPU {sizes}")
    target = kwargs.get("device")
    to_cpu = target is not None and torch.device(target).type == "cpu"
    if target is not None:
        kwargs["device"] = torch.device("cpu")
    kwargs.pop("pin_memory", None)
    own_args, own_kwargs = pytree.tree_map_only(OtherTensor, lambda t: t.held, (args, kwargs))
    if name in ("aten::_copy_from", "aten::_copy_from_and_resize"):
        source, into = own_args[:2]
        into.copy_(source)
        return args[1]
    found = _drawn(func, own_args, own_kwargs) if name in _RANDOM else func(*own_args, **own_kwargs)
    if to_cpu:
        return found
    mine = {id(t.held): t for t in tensors if isinstance(t, OtherTensor)}
    cpu = {id(t) for t in strangers}

    def wrapped(tensor: Tensor) -> Tensor:
        if id(tensor) in mine:  # changed in place
            return mine[id(tensor)]
        return tensor if id(tensor) in cpu else OtherTensor(tensor)

    return pytree.tree_map_only(Tensor, wrapped, found)


def _drawn(func: Any, args: Any, kwargs: Any) -> Any:
    """With the device's generator in place of the CPU's."""
    before = torch.get_rng_state()
    torch.set_rng_state(Backend.generator.get_state())
    try:
        return func(*args, **kwargs)
    finally:
        Backend.generator.set_state(torch.get_rng_state())
        torch.set_rng_state(before)


def _lstm(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first):
    return lstm_impl(
        input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first
    )


def set_up() -> str:
    """Make the device known to torch, once a process; returns its name."""
    if not _libraries:
        _setup_privateuseone_for_python_backend(rename=NAME, backend_module=Backend)
        every = torch.library.Library("_", "IMPL")
        every.fallback(compute, "PrivateUse1")
        aten = torch.library.Library("aten", "IMPL")
        for key in ("AutogradPrivateUse1", "PrivateUse1"):
            aten.impl("lstm.input", _lstm, key)
        _libraries.extend((every, aten))
    return f"{NAME}:0"
