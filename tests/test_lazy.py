"""A property that is computed once, without a lock."""

from __future__ import annotations

import ast
from pathlib import Path

import ibr
from ibr.logic.lazy import lazy

ROOMS = ("logic", "asking", "inputs")  # what they compute may be interrupted by the server


class Counted:
    calls = 0

    @lazy
    def value(self) -> int:
        """What it is."""
        self.calls += 1
        return 7


def test_it_is_computed_once_for_each_object() -> None:
    one, two = Counted(), Counted()
    assert (one.value, one.value, one.calls, two.calls) == (7, 7, 1, 0)
    assert two.value == 7
    assert Counted.value.__doc__ == "What it is."


def test_rooms_whose_work_may_be_interrupted_hold_no_lock() -> None:
    """`functools.cached_property` of Python 3.11 holds one that all objects share."""
    root = Path(ibr.__file__).parent
    for path in [file for room in ROOMS for file in (root / room).rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [name.name for name in getattr(node, "names", []) if hasattr(name, "name")]
            assert "cached_property" not in names, path
