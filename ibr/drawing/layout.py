"""Where everything in a picture stands: boxes in rows, the question on top, premises below.

Computed here and nowhere else, so that every picture of a proof is the same. Lengths are pixels,
y grows downwards. Edges keep clear of boxes by construction: they bend only between two rows, and
through a row they run straight down a lane of their own.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from ibr.drawing.layers import Rows, layered
from ibr.drawing.picture import Item, Link, Picture
from ibr.drawing.text import width_of, wrap

FONT: Final = 14.0  # pixels of an em
SMALL: Final = 11.5  # of the tags and pills
LINE: Final = 19.0
PAD: Final = 12.0
TAG: Final = 17.0  # the line of the tag
PILL: Final = 24.0
MARGIN: Final = 16.0
LOOP: Final = 18.0  # how far an edge from a box to itself stands out

_LINES: Final = 12
_NARROW: Final = 232.0  # of the text; a sentence that would need many lines gets the wide form
_WIDE: Final = 360.0
_MANY: Final = 5
_LEAST: Final = 96.0
_GAP: Final = 26.0  # between boxes
_LANE: Final = 14.0  # beside a bend
_PORT: Final = 20.0  # between edges that meet at one box
_IN_A_ROW: Final = 6
_LIGHT: Final = 0.05  # what a bend's wish counts against a box's: lines make way for boxes
_BOLD: Final = 1.1  # how much wider bold letters are
_SWEEPS: Final = 12


class Point(NamedTuple):
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Pill:
    """A short text in a frame inside the question's box."""

    text: str
    x: float
    y: float
    width: float
    height: float = PILL


@dataclass(frozen=True, slots=True)
class Box:
    """`x`, `y` is the corner at the upper left."""

    item: Item
    lines: tuple[str, ...]
    width: float
    height: float
    x: float = 0.0
    y: float = 0.0
    pills: tuple[Pill, ...] = ()

    @property
    def middle(self) -> float:
        return self.x + self.width / 2

    @property
    def bottom(self) -> float:
        return self.y + self.height


@dataclass(frozen=True, slots=True)
class Route:
    """From premise to rule. Between points that share neither x nor y, a curve that leaves and
    arrives vertically and so stays inside the rectangle of the two; else a straight line.
    """

    link: Link
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """Boxes in the order of the picture's items, routes in that of its links."""

    picture: Picture
    width: float
    height: float
    boxes: tuple[Box, ...]
    routes: tuple[Route, ...]


def lay_out(picture: Picture) -> Layout:
    place = {item.key: at for at, item in enumerate(picture.items)}
    ends = [(place[link.target], place[link.source]) for link in picture.links]
    loops = {upper for upper, lower in ends if upper == lower}
    rows = layered(len(place), [end for end in ends if end[0] != end[1]], _IN_A_ROW)
    boxes = [_box(item, picture) for item in picture.items]
    widths = [box.width + 2 * LOOP * (at in loops) for at, box in enumerate(boxes)]
    middles = _across(rows, widths)
    left = min(middles[at] - width / 2 for at, width in enumerate(widths)) - MARGIN
    left = min(left, *(x - MARGIN for x in middles))
    middles = [round(x - left) for x in middles]
    tops, bottoms = _down(rows, boxes, middles)
    for top, row in zip(tops, rows.rows, strict=True):
        for at in row:
            if at < len(boxes):
                boxes[at] = _moved(boxes[at], middles[at] - boxes[at].width / 2, top)
    routes = _routes(picture.links, ends, rows, boxes, _Grid(middles, tops, bottoms))
    right = [box.x + box.width + LOOP * (at in loops) for at, box in enumerate(boxes)]
    width = max(*right, *middles) + MARGIN
    return Layout(picture, width, bottoms[-1] + MARGIN, tuple(boxes), routes)


def _box(item: Item, picture: Picture) -> Box:
    many = width_of(item.text) * FONT > _NARROW * _MANY
    room = _WIDE if many else _NARROW
    pills = _pills(picture) if item == picture.question else ()
    if pills:
        room = max(room, pills[-1].x + pills[-1].width - PAD)
    lines = wrap(item.text, room / FONT, _LINES)
    width = max(width_of(line) * FONT for line in lines)
    width = max(width, width_of(item.tag) * SMALL * _BOLD, _LEAST, room if pills else 0.0)
    height = PAD + TAG + LINE * len(lines) + PAD
    if pills:
        pills = tuple(replace(pill, y=height - 4) for pill in pills)
        height += PILL + 6
    return Box(item, lines, _ceil(width + 2 * PAD), height, pills=pills)


def _pills(picture: Picture) -> tuple[Pill, ...]:
    """Answer and badge side by side, with room for the badge's sign."""
    answer, badge = (_ceil(width_of(t) * SMALL * _BOLD) for t in (picture.verdict, picture.badge))
    return (
        Pill(picture.verdict, PAD, 0.0, answer + 20),
        Pill(picture.badge, PAD + answer + 28, 0.0, badge + 38),
    )


def _ceil(length: float) -> float:
    """To whole, even pixels: middles are then whole, too."""
    return float(-(-length // 2) * 2)


def _moved(box: Box, x: float, y: float) -> Box:
    pills = tuple(replace(pill, x=pill.x + x, y=pill.y + y) for pill in box.pills)
    return replace(box, x=x, y=y, pills=pills)


def _across(rows: Rows, widths: Sequence[float]) -> list[float]:
    """The middle of each vertex: near its neighbours' mean, at a distance from those beside it."""
    count = len(widths)
    middles = [0.0] * (1 + max(vertex for row in rows.rows for vertex in row))
    neighbours: dict[tuple[int, bool], list[int]] = {}
    for upper, lower in rows.pairs:
        neighbours.setdefault((lower, True), []).append(upper)
        neighbours.setdefault((upper, False), []).append(lower)

    def half(vertex: int) -> float:
        return (widths[vertex] + _GAP) / 2 if vertex < count else _LANE / 2

    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0  # the last sweep goes up: rules over the middle of premises
        for row in rows.rows if downwards else reversed(rows.rows):
            wishes = []
            for vertex in row:
                near = neighbours.get((vertex, downwards), [])
                mean = sum(middles[n] for n in near) / len(near) if near else middles[vertex]
                wishes.append(mean)
            apart = [half(a) + half(b) for a, b in itertools.pairwise(row)]
            weights = [1.0 if vertex < count else _LIGHT for vertex in row]
            for vertex, x in zip(row, spread(wishes, weights, apart), strict=True):
                middles[vertex] = x
    return middles


def spread(
    wishes: Sequence[float], weights: Sequence[float], apart: Sequence[float]
) -> list[float]:
    """The places nearest to the wishes (least squares), each `apart[i]` or more after the last.

    Where wishes are too close, the vertices in question stand side by side around their mean.
    """
    offsets = [0.0]
    for distance in apart:
        offsets.append(offsets[-1] + distance)
    groups: list[tuple[float, float, int]] = []  # mean wish less offset, weight, size
    for wish, weight, offset in zip(wishes, weights, offsets, strict=True):
        mean, size = wish - offset, 1
        while groups and groups[-1][0] >= mean:
            before = groups.pop()
            mean = (mean * weight + before[0] * before[1]) / (weight + before[1])
            weight, size = weight + before[1], size + before[2]
        groups.append((mean, weight, size))
    means = [mean for mean, _, size in groups for _ in range(size)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]


def _down(
    rows: Rows, boxes: Sequence[Box], middles: Sequence[float]
) -> tuple[list[float], list[float]]:
    """Top and bottom of each row; where edges run far to the side, rows stand further apart."""
    below: dict[int, float] = {}
    row_of = {vertex: number for number, row in enumerate(rows.rows) for vertex in row}
    for upper, lower in rows.pairs:
        far = abs(middles[upper] - middles[lower])
        below[row_of[upper]] = max(below.get(row_of[upper], 0.0), far)
    tops, bottoms, y = [], [], MARGIN
    for number, row in enumerate(rows.rows):
        height = max(boxes[at].height for at in row if at < len(boxes))
        tops.append(y)
        bottoms.append(y + height)
        y += height + 40.0 + round(min(below.get(number, 0.0) * 0.06, 60.0))
    return tops, bottoms


class _Grid(NamedTuple):
    middles: Sequence[float]  # of vertices and bends
    tops: Sequence[float]  # of rows
    bottoms: Sequence[float]


def _routes(
    links: Sequence[Link],
    ends: Sequence[tuple[int, int]],
    rows: Rows,
    boxes: Sequence[Box],
    grid: _Grid,
) -> tuple[Route, ...]:
    row_of = {vertex: number for number, row in enumerate(rows.rows) for vertex in row}
    leaves, arrives = _ports(rows, boxes, grid.middles)
    chains = iter(enumerate(rows.chains))
    routes = []
    for link, (target, source) in zip(links, ends, strict=True):
        if target == source:
            routes.append(Route(link, _loop(boxes[target])))
            continue
        number, chain = next(chains)
        upper, lower = boxes[chain[0]], boxes[chain[-1]]
        points = [Point(leaves[number], upper.bottom)]
        points.append(Point(leaves[number], grid.bottoms[row_of[chain[0]]]))
        for bend in chain[1:-1]:
            points.append(Point(grid.middles[bend], grid.tops[row_of[bend]]))
            points.append(Point(grid.middles[bend], grid.bottoms[row_of[bend]]))
        points.append(Point(arrives[number], lower.y))
        if chain[0] == target:  # it goes up, from the premise below
            points.reverse()
        routes.append(Route(link, tuple(dict.fromkeys(points))))
    return tuple(routes)


def _ports(
    rows: Rows, boxes: Sequence[Box], middles: Sequence[float]
) -> tuple[list[float], list[float]]:
    """Where each chain leaves the box above it, and arrives at the box below, side by side."""
    leaves, arrives = [0.0] * len(rows.chains), [0.0] * len(rows.chains)
    for at, box in enumerate(boxes):
        out = [n for n, chain in enumerate(rows.chains) if chain[0] == at]
        into = [n for n, chain in enumerate(rows.chains) if chain[-1] == at]
        out.sort(key=lambda n: middles[rows.chains[n][1]])
        into.sort(key=lambda n: middles[rows.chains[n][-2]])
        for numbers, ports in ((out, leaves), (into, arrives)):
            step = min(_PORT, (box.width - 2 * PAD) / max(len(numbers) - 1, 1))
            for place, number in enumerate(numbers):
                ports[number] = box.middle + (place - (len(numbers) - 1) / 2) * step
    return leaves, arrives


def _loop(box: Box) -> tuple[Point, ...]:
    right, upper, lower = box.x + box.width, box.y + PAD, box.bottom - PAD
    return (
        Point(right, upper),
        Point(right + LOOP, upper),
        Point(right + LOOP, lower),
        Point(right, lower),
    )
