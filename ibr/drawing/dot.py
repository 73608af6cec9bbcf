"""A picture as source for Graphviz, which then decides where things stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ibr.drawing.picture import Item, Picture, Role
from ibr.drawing.text import wrap
from ibr.theory import Strategy

_WIDTH: Final = 24.0  # em, about forty letters
_LINES: Final = 20
_STYLES: Final = {
    Role.QUESTION: 'shape=box, style="filled,bold", fillcolor="#fff8dc", color="#7d5f00"',
    Role.FACT: 'shape=box, style="filled,rounded", fillcolor="#e9f6ea", color="#2e7d32"',
    Role.RULE: 'shape=box, style="filled", fillcolor="#e8f0fe", color="#1f5fbf"',
    Role.NAF: 'shape=box, style="filled,rounded,dashed", fillcolor="#f4effe", color="#6f42c1"',
    Role.FAIL: 'shape=box, style="filled,dashed", fillcolor="#fff0e5", color="#a34d00"',
}


def dot(picture: Picture) -> str:
    """`dot -Tsvg` draws it: premises below, the question on top."""
    return "\n".join(_lines(picture)) + "\n"


def _lines(picture: Picture) -> Iterator[str]:
    yield "digraph proof {"
    yield "  rankdir=BT;"
    yield '  node [fontname="Helvetica", fontcolor="#1f2328"];'
    fails = picture.strategy is Strategy.FAIL_PROOF
    yield f'  edge [color="#59636e"{", style=dashed" if fails else ""}];'
    for item in picture.items:
        yield f'  {item.key} [label="{_label(item, picture)}", {_STYLES[item.role]}];'
    for link in picture.links:
        yield f"  {link.source} -> {link.target};"
    yield "}"


def _label(item: Item, picture: Picture) -> str:
    lines = list(wrap(item.caption, _WIDTH, _LINES))
    if item.role is Role.QUESTION:
        lines.append(f"{picture.verdict} ({picture.badge})")
    return "\\n".join(map(escaped, lines))


def escaped(text: str) -> str:
    """For a quoted label: Graphviz reads backslashes, quotes and HTML entities in it."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
