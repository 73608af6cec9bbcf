"""A picture as source for Mermaid, which GitHub and many wikis draw inside a text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ibr.drawing.picture import Item, Picture, Role
from ibr.theory import Strategy

_FRAMES: Final = {  # what stands around the quoted label
    Role.QUESTION: ("[[", "]]"),
    Role.FACT: ("(", ")"),
    Role.RULE: ("[", "]"),
    Role.NAF: ("([", "])"),
    Role.FAIL: ("[", "]"),
}
_STYLES: Final = {
    Role.QUESTION: "fill:#fff8dc,stroke:#7d5f00,stroke-width:2px",
    Role.FACT: "fill:#e9f6ea,stroke:#2e7d32",
    Role.RULE: "fill:#e8f0fe,stroke:#1f5fbf",
    Role.NAF: "fill:#f4effe,stroke:#6f42c1,stroke-dasharray:6 4",
    Role.FAIL: "fill:#fff0e5,stroke:#a34d00,stroke-dasharray:6 4",
}
_PLAIN: Final = " .,'!?()/-"  # beside letters and digits
_SECRET: Final = "ﬂ"  # Mermaid's own mark for an entity while it works


def mermaid(picture: Picture) -> str:
    """A flowchart from the bottom up: premises below, the question on top."""
    return "\n".join(_lines(picture)) + "\n"


def _lines(picture: Picture) -> Iterator[str]:
    yield "flowchart BT"
    for item in picture.items:
        before, after = _FRAMES[item.role]
        yield f'  {item.key}{before}"{_label(item, picture)}"{after}:::{item.role}'
    arrow = "-.->" if picture.strategy is Strategy.FAIL_PROOF else "-->"
    for link in picture.links:
        yield f"  {link.source} {arrow} {link.target}"
    shown = {item.role for item in picture.items}
    for role, style in _STYLES.items():
        if role in shown:
            yield f"  classDef {role} {style},color:#1f2328"


def _label(item: Item, picture: Picture) -> str:
    label = escaped(item.caption)
    if item.role is Role.QUESTION:
        label += f"<br/>{escaped(f'{picture.verdict} ({picture.badge})')}"
    return label


def escaped(text: str) -> str:
    """For a quoted label: what is neither letter nor digit nor harmless becomes `#code;`.

    A list of what is harmless, as Mermaid reads labels several times: for its own syntax, as
    Markdown, as HTML, and the colon because of what it takes for a style.
    """
    return "".join(
        c if (c.isalnum() and c != _SECRET) or c in _PLAIN else f"#{ord(c)};" for c in text
    )
