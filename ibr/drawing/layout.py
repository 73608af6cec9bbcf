"""Where everything in a picture stands: boxes in rows, the question on top, premises below.

Computed here and nowhere else, so that every picture of a proof is the same. Lengths are pixels,
y grows downwards. Edges keep clear of boxes by construction: they bend only between two rows, and
through a row they run straight down a lane of their own.
"""

import itertools
from collections.abc import Sequence
from typing import Final, NamedTuple

from ibr.drawing.layering import Rows, layered
from ibr.drawing.picture import Link, Picture, PictureItem
from ibr.drawing.text import width_of, wrap

FONT: Final = 14.0  # pixels of an em
SMALL: Final = 11.5  # of the tags and pills
LINE: Final = 19.0
SMALL_LINE: Final = 15.0
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
_LIGHT: Final = 0.05  # the weight of a bend beside a box's 1: lines make way for boxes
_BOLD: Final = 1.1  # how much wider bold letters are
_SWEEPS: Final = 12


class Point(NamedTuple):
    x: float
    y: float


class Pill(NamedTuple):
    """A short text in a frame inside the question's box."""

    text: str
    x: float
    y: float
    width: float


class Box(NamedTuple):
    """`x`, `y` is the corner at the upper left."""

    item: PictureItem
    lines: tuple[str, ...]
    detail: tuple[str, ...]  # lines in small letters below
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


class Route(NamedTuple):
    """From premise to rule. Between points that share neither x nor y, a curve that leaves and
    arrives vertically and so stays inside the rectangle of the two; else a straight line.
    """

    link: Link
    points: tuple[Point, ...]


class Layout(NamedTuple):
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
    left = min(middles[at] - width / 2 for at, width in enumerate(widths))
    left = min(left, *middles) - MARGIN
    middles = [round(x - left) for x in middles]
    tops, bottoms = _down(rows, boxes, middles)
    row_of = rows.row_of
    for at, box in enumerate(boxes):
        x, y = middles[at] - box.width / 2, tops[row_of[at]]
        pills = tuple(pill._replace(x=pill.x + x, y=pill.y + y) for pill in box.pills)
        boxes[at] = box._replace(x=x, y=y, pills=pills)
    leaves, arrives = _ports(rows, boxes, middles)
    chains, routes = iter(zip(rows.chains, leaves, arrives, strict=True)), []
    for link, (target, source) in zip(picture.links, ends, strict=True):
        if target == source:
            routes.append(Route(link, _loop(boxes[target])))
            continue
        (upper, *bends, lower), leave, arrive = next(chains)
        points = [Point(leave, boxes[upper].bottom), Point(leave, bottoms[row_of[upper]])]
        for bend in bends:
            points += (Point(middles[bend], side[row_of[bend]]) for side in (tops, bottoms))
        points.append(Point(arrive, boxes[lower].y))
        if row_of[target] < row_of[source]:  # the way of a premise below its rule goes up
            points.reverse()
        routes.append(Route(link, tuple(dict.fromkeys(points))))
    right = [box.x + box.width + LOOP * (at in loops) for at, box in enumerate(boxes)]
    width = max(*right, *middles) + MARGIN
    return Layout(picture, width, bottoms[-1] + MARGIN, tuple(boxes), tuple(routes))


def _box(item: PictureItem, picture: Picture) -> Box:
    widest = max(width_of(item.text) * FONT, width_of(item.detail) * SMALL)
    limit = _WIDE if widest > _NARROW * _MANY else _NARROW
    least = _LEAST
    pills = _pills(picture) if item == picture.question else ()
    if pills:
        least = limit = max(limit, pills[-1].x + pills[-1].width - PAD)
    lines = wrap(item.text, limit / FONT, _LINES)
    detail = wrap(item.detail, limit / SMALL, _LINES) if item.detail else ()
    width = max(
        least,
        width_of(item.tag) * SMALL * _BOLD,
        *(width_of(line) * FONT for line in lines),
        *(width_of(line) * SMALL for line in detail),
    )
    height = PAD + TAG + LINE * len(lines) + SMALL_LINE * len(detail) + PAD
    if pills:
        pills = tuple(pill._replace(y=height - 4) for pill in pills)
        height += PILL + 6
    return Box(item, lines, detail, _ceil(width + 2 * PAD), height, pills=pills)


def _pills(picture: Picture) -> tuple[Pill, ...]:
    """Answer and badge side by side, with space for the badge's sign."""
    answer, badge = (
        _ceil(width_of(t) * SMALL * _BOLD) for t in (picture.verdict.heading, picture.badge)
    )
    return (
        Pill(picture.verdict.heading, PAD, 0.0, answer + 20),
        Pill(picture.badge, PAD + answer + 28, 0.0, badge + 38),
    )


def _ceil(length: float) -> float:
    """To whole, even pixels: middles are then whole, too."""
    return float(-(-length // 2) * 2)


def _across(rows: Rows, widths: Sequence[float]) -> list[float]:
    """The middle of each vertex: near its neighbours' mean, at a distance from those beside it."""
    count = len(widths)
    middles = [0.0] * sum(map(len, rows.rows))
    neighbours: dict[tuple[int, bool], list[int]] = {}
    for upper, lower in rows.pairs:
        neighbours.setdefault((lower, True), []).append(upper)
        neighbours.setdefault((upper, False), []).append(lower)

    def half(vertex: int) -> float:
        return (widths[vertex] + _GAP) / 2 if vertex < count else _LANE / 2

    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0  # the last sweep goes up: rules over the middle of premises
        for row in rows.rows if downwards else reversed(rows.rows):
            targets = []
            for vertex in row:
                near = [middles[n] for n in neighbours.get((vertex, downwards), [vertex])]
                targets.append(sum(near) / len(near))
            apart = [half(a) + half(b) for a, b in itertools.pairwise(row)]
            weights = [1.0 if vertex < count else _LIGHT for vertex in row]
            for vertex, x in zip(row, spread(targets, weights, apart), strict=True):
                middles[vertex] = x
    return middles


def spread(
    targets: Sequence[float], weights: Sequence[float], apart: Sequence[float]
) -> list[float]:
    """The places nearest to the targets (least squares), each `apart[i]` or more after the last.

    Where targets are too close, the vertices in question stand side by side around their mean.
    """
    offsets = list(itertools.accumulate(apart, initial=0.0))
    groups: list[tuple[float, float, int]] = []  # mean target less offset, weight, size
    for target, weight, offset in zip(targets, weights, offsets, strict=True):
        mean, size = target - offset, 1
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
    below, row_of = [0.0] * len(rows.rows), rows.row_of
    for upper, lower in rows.pairs:
        far = abs(middles[upper] - middles[lower])
        below[row_of[upper]] = max(below[row_of[upper]], far)
    tops, bottoms, y = [], [], MARGIN
    for far, row in zip(below, rows.rows, strict=True):
        height = max(boxes[at].height for at in row if at < len(boxes))
        tops.append(y)
        bottoms.append(y + height)
        y += height + 40.0 + round(min(far * 0.06, 60.0))
    return tops, bottoms


def _ports(
    rows: Rows, boxes: Sequence[Box], middles: Sequence[float]
) -> tuple[list[float], list[float]]:
    """Where each chain leaves the box above it, and arrives at the box below, side by side."""
    leaves, arrives = [0.0] * len(rows.chains), [0.0] * len(rows.chains)
    for ports, end, inner in ((leaves, 0, 1), (arrives, -1, -2)):
        for at, box in enumerate(boxes):
            numbers = [n for n, chain in enumerate(rows.chains) if chain[end] == at]
            numbers.sort(key=lambda n: middles[rows.chains[n][inner]])
            step = min(_PORT, (box.width - 2 * PAD) / max(len(numbers) - 1, 1))
            for place, number in enumerate(numbers):
                ports[number] = box.middle + (place - (len(numbers) - 1) / 2) * step
    return leaves, arrives


def _loop(box: Box) -> tuple[Point, ...]:
    right, upper, lower = box.x + box.width, box.y + PAD, box.bottom - PAD
    out = right + LOOP
    return Point(right, upper), Point(out, upper), Point(out, lower), Point(right, lower)
