"""A property that is computed when it is first read, and a method whose results are kept.

Unlike `functools.cached_property` of Python 3.11 they hold no lock meanwhile, so a computation may
be interrupted by other work that needs the same one (see `ibr.logic.turns`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")
T = TypeVar("T", covariant=True)


def memo(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """The method computes each result once; they live as long as the instance."""
    name = f"{method.__name__} memo"

    def kept(self: S, /, *args: P.args, **options: P.kwargs) -> R:
        known = vars(self).setdefault(name, {})
        if args not in known:
            known[args] = method(self, *args, **options)
        found: R = known[args]
        return found

    return kept


class lazy(Generic[T]):
    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute, self.__doc__ = compute, compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> Self | T:
        if instance is None:
            return self
        found = vars(instance)[self._name] = self._compute(instance)
        return found
