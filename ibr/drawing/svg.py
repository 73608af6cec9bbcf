"""A picture as one SVG file that needs nothing else: no script, no font, no link.

Colours are attributes, so that simple viewers show them; a style sheet replaces them where the
reader prefers dark. Kinds differ by shape and by word as well as by colour. Sentences become
escaped text and nothing else. Also as source for Graphviz or Mermaid, which lay it out themselves.
The colours and shapes of all formats are in `styles.json`.
"""

import itertools
import json
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any, Final, NamedTuple
from zlib import crc32

from ibr.drawing import layout as sizes
from ibr.drawing.layout import Box, Layout, Pill, Point, Route, lay_out
from ibr.drawing.picture import Picture, Role
from ibr.drawing.text import wrap
from ibr.prediction import Verdict
from ibr.theory import Strategy


class Colours(NamedTuple):
    fill: str
    stroke: str
    ink: str


STYLES: Final[Mapping[str, Any]] = json.loads(
    Path(__file__).with_name("styles.json").read_text(encoding="utf-8")
)  # of each role, verdict and badge; `mermaid`: what stands around the quoted label, and the line
LIGHT, DARK = (
    {name: Colours(*style[theme]) for name, style in STYLES.items()} for theme in ("light", "dark")
)
_DOT_WIDTH: Final = 24.0  # em, about forty letters
_DOT_LINES: Final = 20
_MERMAID_PLAIN: Final = " .,'!?()/-"  # beside letters and digits
_MERMAID_MARK: Final = "ﬂ"  # Mermaid's own mark for an entity while it works


def dot(picture: Picture) -> str:
    """`dot -Tsvg` draws it: premises below, the question on top."""
    dashed = ", style=dashed" if picture.strategy is Strategy.FAIL_PROOF else ""
    lines = ["digraph proof {", "  rankdir=BT;"]
    lines.append(f'  node [fontname="Helvetica", fontcolor="{LIGHT["paper"].ink}"];')
    lines.append(f'  edge [color="{LIGHT["edge"].stroke}"{dashed}];')
    for item in picture.items:
        label = [*wrap(item.caption, _DOT_WIDTH, _DOT_LINES)]
        label += wrap(item.detail, _DOT_WIDTH, _DOT_LINES) if item.detail else ()
        label += [picture.headline] if item.role is Role.QUESTION else []
        text, (fill, stroke, _) = "\n".join(label), LIGHT[item.role]
        # Graphviz reads backslashes, quotes and HTML entities in a label.
        text = text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
        text = text.replace("\n", "\\n")
        lines.append(
            f'  {item.key} [label="{text}", shape=box, style="{STYLES[item.role]["dot"]}",'
            f' fillcolor="{fill}", color="{stroke}"];'
        )
    lines += [f"  {link.source} -> {link.target};" for link in picture.links]
    return "\n".join([*lines, "}", ""])


def mermaid(picture: Picture) -> str:
    """A flowchart from the bottom up, which GitHub and many wikis draw inside a text."""
    lines = ["flowchart BT"]
    for item in picture.items:
        before, after, _ = STYLES[item.role]["mermaid"]
        headline = picture.headline if item.role is Role.QUESTION else ""
        texts = filter(None, (item.caption, item.detail, headline))
        label = "<br/>".join(map(_mermaid_escaped, texts))
        lines.append(f'  {item.key}{before}"{label}"{after}:::{item.role}')
    arrow = "-.->" if picture.strategy is Strategy.FAIL_PROOF else "-->"
    lines += [f"  {link.source} {arrow} {link.target}" for link in picture.links]
    shown = {item.role for item in picture.items}
    for role in (role for role in Role if role in shown):
        (fill, stroke, ink), (_, _, line) = LIGHT[role], STYLES[role]["mermaid"]
        lines.append(f"  classDef {role} fill:{fill},stroke:{stroke}{line},color:{ink}")
    return "\n".join([*lines, ""])


def _mermaid_escaped(text: str) -> str:
    """For a quoted label: what is neither letter nor digit nor harmless becomes `#code;`.

    A list of what is harmless, as Mermaid reads labels several times: for its own syntax, as
    Markdown, as HTML, and the colon because of what it takes for a style.
    """
    return "".join(
        c if (c.isalnum() and c != _MERMAID_MARK) or c in _MERMAID_PLAIN else f"#{ord(c)};"
        for c in text
    )


FONTS: Final = (
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial,"
    " 'Noto Sans', 'DejaVu Sans', sans-serif"
)
_VERDICTS: Final = {
    Verdict.YES: "yes",
    Verdict.NO: "no",
    Verdict.NOT_SHOWN: "open",
    Verdict.CONTRADICTORY: "both",
}


def svg(picture: Picture) -> str:
    """The picture as a standalone document."""
    return "\n".join(_document(lay_out(picture))) + "\n"


def _document(layout: Layout) -> Iterator[str]:
    picture = layout.picture
    title, meaning = escape(f"Proof: {picture.question.text}"), escape(description(picture))
    name = f"ibr-{crc32((title + meaning).encode()):08x}"  # several pictures may share a page
    width, height = _n(layout.width), _n(layout.height)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ibr-proof" role="img"'
        f' aria-labelledby="{name}-title {name}-desc" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" font-family="{FONTS}" font-size="{_n(sizes.FONT)}">'
    )
    yield f'<title id="{name}-title">{title}</title>'
    yield f'<desc id="{name}-desc">{meaning}</desc>'
    yield f"<style>{_dark(picture)}</style>"
    yield f'<rect class="paper" width="{width}" height="{height}" fill="{LIGHT["paper"].fill}"/>'
    fails = picture.strategy is Strategy.FAIL_PROOF
    nodes = {item.key: item.node for item in picture.items}
    for route in layout.routes:
        ends = f'data-from="{nodes[route.link.source]}" data-to="{nodes[route.link.target]}"'
        yield f'<g class="edge" {ends}>{_edge(route, fails)}</g>'
    for box in layout.boxes:
        yield from _node(box, picture)
    yield "</svg>"


def description(picture: Picture) -> str:
    """The whole proof for those who cannot see it."""
    names = {item.key: f"[{item.number}]" if item.number else item.tag for item in picture.items}
    parts = []
    for item in picture.items:
        below = [names[link.source] for link in picture.links if link.target == item.key]
        text = f"{item.tag}: {item.text}{f' ({item.detail})' if item.detail else ''}"
        if item == picture.question:
            text = picture.headline
        parts.append(text if text.endswith((".", "!", "?")) else f"{text}.")
        if below:
            parts.append(f"It rests on {', '.join(below)}.")
    return " ".join(parts)


def places(picture: Picture) -> dict[str, Any]:
    """The same picture as JSON for another program to draw; lengths are pixels.

    Boxes are in the order of the picture's items, the question first. An edge goes from a premise
    to what rests on it, by the keys of the boxes.
    """
    layout = lay_out(picture)
    of_item, of_box = ("key", "role", "node", "tag"), ("x", "y", "width", "height")
    boxes = [
        {name: getattr(box.item, name) for name in of_item}
        | {"lines": list(box.lines), "detail": list(box.detail)}
        | {name: getattr(box, name) for name in of_box}
        for box in layout.boxes
    ]
    edges = [route.link._asdict() | {"path": _path(route.points)} for route in layout.routes]
    size = {"width": layout.width, "height": layout.height}
    verdict = {"verdict": picture.verdict.heading, "badge": picture.badge}
    return size | verdict | {"boxes": boxes, "edges": edges}


def _node(box: Box, picture: Picture) -> Iterator[str]:
    item, colours = box.item, LIGHT[box.item.role]
    yield f'<g class="node {item.role}" data-node="{item.node}">'
    yield f"<title>{escape(item.caption)}</title>"
    dashed = ' stroke-dasharray="6 4"' if item.role in (Role.NAF, Role.FAIL) else ""
    thick = 2.5 if item.role is Role.QUESTION else 1.5
    yield (
        f'<rect class="box" x="{_n(box.x)}" y="{_n(box.y)}" width="{_n(box.width)}"'
        f' height="{_n(box.height)}" rx="{STYLES[item.role]["round"]}" fill="{colours.fill}"'
        f' stroke="{colours.stroke}" stroke-width="{thick}"{dashed}/>'
    )
    if item.role is Role.RULE:
        bar = f"M{_n(box.x + 2.5)} {_n(box.y)}V{_n(box.bottom)}"
        yield f'<path class="bar" d="{bar}" stroke="{colours.stroke}" stroke-width="5"/>'
    x, y = box.x + sizes.PAD, box.y + sizes.PAD
    tag = f'fill="{colours.stroke}"{_SMALL_BOLD}'
    yield _text("tag", item.tag, Point(x, y + sizes.SMALL - 1), tag)
    y += sizes.TAG
    for number, line in enumerate(box.lines):
        baseline = y + sizes.FONT + sizes.LINE * number
        yield _text("line", line, Point(x, baseline), f'fill="{colours.ink}"')
    y += sizes.LINE * len(box.lines)
    for number, line in enumerate(box.detail):
        baseline = y + sizes.SMALL + sizes.SMALL_LINE * number
        size = f'fill="{colours.ink}" font-size="{sizes.SMALL}"'
        yield _text("detail", line, Point(x, baseline), size)
    if box.pills:
        (verdict, badge), names = box.pills, _names(picture)
        yield from _pill(verdict, names[0], "answer", "")
        yield from _pill(badge, names[1], "badge", STYLES[names[1]]["sign"])
    yield "</g>"


_SMALL_BOLD: Final = f' font-size="{sizes.SMALL}" font-weight="600"'


def _pill(pill: Pill, name: str, what: str, sign: str) -> Iterator[str]:
    colours = LIGHT[name]
    yield (
        f'<g class="{what} {name}"><rect class="box" x="{_n(pill.x)}" y="{_n(pill.y)}"'
        f' width="{_n(pill.width)}" height="{_n(sizes.PILL)}" rx="{_n(sizes.PILL / 2)}"'
        f' fill="{colours.fill}" stroke="{colours.stroke}" stroke-width="1.5"/>'
    )
    x = pill.x + 10
    if sign:
        where = f"translate({_n(pill.x + 11)} {_n(pill.y + sizes.PILL / 2 - 5)})"
        yield (
            f'<path class="sign" transform="{where}" d="{sign}" fill="none"'
            f' stroke="{colours.ink}" stroke-width="2" stroke-linecap="round"/>'
        )
        x += 18
    at = Point(x, pill.y + sizes.PILL / 2 + sizes.SMALL * 0.36)
    yield _text("line", pill.text, at, f'fill="{colours.ink}"{_SMALL_BOLD}') + "</g>"


def _edge(route: Route, fails: bool) -> str:
    """The line, and an arrow's head where it arrives."""
    colours, (before, tip) = LIGHT["edge"], route.points[-2:]
    dashed = ' stroke-dasharray="5 4"' if fails else ""
    if before.y == tip.y:  # an edge from a box to itself comes from the right
        head = f"M{_n(tip.x)} {_n(tip.y)}l8-4v8z"
    else:
        head = f"M{_n(tip.x)} {_n(tip.y)}l-4 {8 if before.y > tip.y else -8}h8z"
    return (
        f'<path class="way" d="{_path(route.points)}" fill="none" stroke="{colours.stroke}"'
        f' stroke-width="1.5" stroke-linejoin="round"{dashed}/>'
        f'<path class="head" d="{head}" fill="{colours.fill}"/>'
    )


def _path(points: tuple[Point, ...]) -> str:
    """`Route.points` as the data of an SVG path."""
    parts = [f"M{_n(points[0].x)} {_n(points[0].y)}"]
    for a, b in itertools.pairwise(points):
        if a.x == b.x or a.y == b.y:
            parts.append(f"L{_n(b.x)} {_n(b.y)}")
        else:
            half = _n((a.y + b.y) / 2)
            parts.append(f"C{_n(a.x)} {half} {_n(b.x)} {half} {_n(b.x)} {_n(b.y)}")
    return "".join(parts)


def _text(name: str, text: str, at: Point, attributes: str) -> str:
    return f'<text class="{name}" x="{_n(at.x)}" y="{_n(at.y)}" {attributes}>{escape(text)}</text>'


def _dark(picture: Picture) -> str:
    """Only what the picture has."""
    paper, edge, answer, badge = DARK["paper"], DARK["edge"], *_names(picture)
    rules = [
        f".paper{{fill:{paper.fill}}}",
        f".way{{stroke:{edge.stroke}}}",
        f".head{{fill:{edge.fill}}}",
        f".sign{{stroke:{DARK[badge].ink}}}",
    ]
    roles = sorted({item.role.value for item in picture.items})
    for name in dict.fromkeys((*roles, answer, badge)):
        fill, stroke, ink = DARK[name]
        rules.append(f".{name}>.box{{fill:{fill};stroke:{stroke}}}")
        rules += [f".{name}>.{text}{{fill:{ink}}}" for text in ("line", "detail")]
        rules.append(f".{name}>.tag{{fill:{stroke}}}" if name in set(Role) else "")
    rules.append(f".bar{{stroke:{DARK['rule'].stroke}}}")
    scoped = "".join(f".ibr-proof {rule}" for rule in rules if rule)
    return f"@media (prefers-color-scheme:dark){{{scoped}}}"


def _names(picture: Picture) -> tuple[str, str]:
    """The colours of the verdict and of the badge; a guess has the badge's."""
    badge = picture.badge.name.lower()
    return _VERDICTS.get(picture.verdict, badge), badge


def _n(value: float) -> str:
    """A number as short as it can be: 12, 7.5."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
