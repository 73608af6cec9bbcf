"""A picture as source for Graphviz or Mermaid, which lay it out; and the colours of all formats."""

import json
from pathlib import Path
from typing import Final, NamedTuple

from ibr.drawing.picture import Picture, Role
from ibr.drawing.text import wrap
from ibr.theory import Strategy


class Colours(NamedTuple):
    fill: str
    stroke: str
    ink: str


def _palette(theme: str) -> dict[str, Colours]:
    """The colours of each role, verdict and badge."""
    text = Path(__file__).with_name("colours.json").read_text(encoding="utf-8")
    return {name: Colours(*themes[theme]) for name, themes in json.loads(text).items()}


LIGHT: Final = _palette("light")
DARK: Final = _palette("dark")
_DOT_STYLES: Final = {
    Role.QUESTION: "filled,bold",
    Role.FACT: "filled,rounded",
    Role.RULE: "filled",
    Role.NAF: "filled,rounded,dashed",
    Role.FAIL: "filled,dashed",
}
_DOT_WIDTH: Final = 24.0  # em, about forty letters
_DOT_LINES: Final = 20
_MERMAID_STYLES: Final = {  # what stands around the quoted label, and the line
    Role.QUESTION: ("[[", "]]", ",stroke-width:2px"),
    Role.FACT: ("(", ")", ""),
    Role.RULE: ("[", "]", ""),
    Role.NAF: ("([", "])", ",stroke-dasharray:6 4"),
    Role.FAIL: ("[", "]", ",stroke-dasharray:6 4"),
}
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
            f'  {item.key} [label="{text}", shape=box, style="{_DOT_STYLES[item.role]}",'
            f' fillcolor="{fill}", color="{stroke}"];'
        )
    lines += [f"  {link.source} -> {link.target};" for link in picture.links]
    return "\n".join([*lines, "}", ""])


def mermaid(picture: Picture) -> str:
    """A flowchart from the bottom up, which GitHub and many wikis draw inside a text."""
    lines = ["flowchart BT"]
    for item in picture.items:
        before, after, _ = _MERMAID_STYLES[item.role]
        headline = picture.headline if item.role is Role.QUESTION else ""
        texts = filter(None, (item.caption, item.detail, headline))
        label = "<br/>".join(map(_mermaid_escaped, texts))
        lines.append(f'  {item.key}{before}"{label}"{after}:::{item.role}')
    arrow = "-.->" if picture.strategy is Strategy.FAIL_PROOF else "-->"
    lines += [f"  {link.source} {arrow} {link.target}" for link in picture.links]
    shown = {item.role for item in picture.items}
    for role, (_, _, line) in _MERMAID_STYLES.items():
        if role in shown:
            fill, stroke, ink = LIGHT[role]
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
