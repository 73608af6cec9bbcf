"""Markdown tables; line charts as SVG, by matplotlib (extra `report`). Always the same bytes."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ibr.errors import UsageError
from ibr.files import write_file

Line = Sequence[float | None]


@dataclass(frozen=True)
class Chart:
    """Lines over common places on the x axis; dashed ones have the colour of their namesake."""

    title: str
    x_label: str
    y_label: str
    places: Sequence[str]
    lines: Mapping[str, Line]
    dashed: Mapping[str, Line] = field(default_factory=dict)
    dashed_means: str = "published"
    is_log: bool = False


def need_matplotlib() -> None:
    """Raise before the work is done, not after it."""
    if find_spec("matplotlib") is None:
        raise UsageError("charts need matplotlib: pip install 'ibr[report]'")


def draw(chart: Chart, path: Path) -> None:
    import matplotlib
    from matplotlib.figure import Figure

    settings: dict[Any, Any] = {"svg.hashsalt": "ibr", "svg.fonttype": "none", "font.size": 10}
    with matplotlib.rc_context(settings), io.StringIO() as drawn:
        figure = Figure(figsize=(6.4, 4.0), layout="constrained")
        axes = figure.subplots()
        where = range(len(chart.places))
        for number, name in enumerate(dict.fromkeys((*chart.lines, *chart.dashed))):
            style: dict[str, Any] = {"color": f"C{number}", "marker": "o", "markersize": 4}
            if name in chart.lines:
                axes.plot(where, _numbers(chart.lines[name]), label=name, **style)
            if name in chart.dashed:
                label = f"{name}, {chart.dashed_means}"
                axes.plot(where, _numbers(chart.dashed[name]), "--", label=label, **style)
        axes.set_xticks(where, chart.places)
        axes.set(title=chart.title, xlabel=chart.x_label, ylabel=chart.y_label)
        if chart.is_log:
            axes.set_yscale("log")
        axes.grid(visible=True, alpha=0.3)
        axes.legend(fontsize=8)
        figure.savefig(drawn, format="svg", metadata={"Date": None})
        write_file(path, drawn.getvalue())


def _numbers(line: Line) -> list[float]:
    return [float("nan") if value is None else value for value in line]


def markdown(grid: Sequence[Sequence[str]]) -> list[str]:
    head, *rows = (f"| {' | '.join(line)} |" for line in grid)
    return [head, "| --- |" + " ---: |" * (len(grid[0]) - 1), *rows]
