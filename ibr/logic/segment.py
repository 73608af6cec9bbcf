"""A document → its sentences with their line numbers. Knows layout, not meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class Segment(NamedTuple):
    text: str
    line: int  # 1-based, where the sentence starts


_END = re.compile(r"(?<=[.!?])\s+(?=[\"'“(]?[A-Z0-9])")


def segment(document: str) -> list[Segment]:
    """Sentences in order; blank lines and `#` comments are skipped."""
    return list(_segments(document))


def _segments(document: str) -> Iterator[Segment]:
    for number, line in enumerate(document.splitlines(), start=1):
        text = line.strip()
        if text and not text.startswith("#"):
            yield from (Segment(part, number) for part in _END.split(text))
