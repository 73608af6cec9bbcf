"""A picture with its places as JSON, for those who draw it themselves: it is the same picture."""

from __future__ import annotations

from typing import Any

from ibr.drawing.layout import lay_out
from ibr.drawing.picture import Picture
from ibr.drawing.svg import path


def places(picture: Picture) -> dict[str, Any]:
    """Boxes in the order of the picture's items, the question first; lengths are pixels.

    `node` is the JSON name of a node: "13", "NAF", "FAIL" or "question"; an edge goes from a
    premise to what rests on it, by the keys of the boxes.
    """
    layout = lay_out(picture)
    boxes = [
        {
            "key": box.item.key,
            "role": box.item.role,
            "node": box.item.node,
            "tag": box.item.tag,
            "lines": list(box.lines),
            "x": box.x,
            "y": box.y,
            "width": box.width,
            "height": box.height,
        }
        for box in layout.boxes
    ]
    edges = [
        {"source": route.link.source, "target": route.link.target, "path": path(route.points)}
        for route in layout.routes
    ]
    return {
        "width": layout.width,
        "height": layout.height,
        "verdict": picture.verdict,
        "badge": picture.badge,
        "boxes": boxes,
        "edges": edges,
    }
