"""A property that is computed when it is first read, and then kept.

Unlike `functools.cached_property` of Python 3.11 it holds no lock meanwhile, so its computation may
be interrupted by other work that reads the same property (see `ibr.logic.turns`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T", covariant=True)


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
