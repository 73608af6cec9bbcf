"""Markdown tables; line charts as SVG, by matplotlib (extra `report`). Always the same bytes.

Charts of a table's figures, and learning curves of run folders (`ibr plot`).
"""

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from typing import Any

from ibr.errors import UsageError
from ibr.files import METRICS, write_file

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
    with _axes(path) as axes:
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


def draw_curves(runs: Sequence[Path], metrics: Sequence[str], path: Path) -> None:
    """Metrics of run folders over the questions seen; each run has a colour, each metric a style.

    Raises UsageError.
    """
    curves = [read_curves(run, metrics) for run in runs]
    with _axes(path) as axes:
        for number, (run, found) in enumerate(zip(runs, curves, strict=True)):
            for metric, style in zip(metrics, cycle(("-", "--", ":", "-."))):
                label = f"{run.name}: {metric}"
                axes.plot(*found[metric], style, color=f"C{number}", label=label)
        axes.set(xlabel="questions seen", ylabel=", ".join(metrics))


def read_curves(run: Path, metrics: Sequence[str]) -> dict[str, tuple[list[float], list[float]]]:
    """Questions seen and values of each metric, of a run folder's metrics.jsonl."""
    curves: dict[str, tuple[list[float], list[float]]] = {}
    try:
        lines = (run / METRICS).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise UsageError(f"{run}: no {METRICS} here; give run folders of `ibr train`") from None
    for text in lines:
        line: dict[str, Any] = {}
        with suppress(ValueError):  # a running training has not written its last line to the end
            line = json.loads(text)
        if "seen" in line:  # not the mean of the last checkpoints
            for name, value in (line | line.get("dev", {})).items():
                if isinstance(value, int | float):
                    seen, values = curves.setdefault(name, ([], []))
                    seen.append(line["seen"])
                    values.append(value)
    for metric in metrics:
        if metric not in curves:
            raise UsageError(f"{run}: no metric {metric!r}; known: {', '.join(sorted(curves))}")
    return curves


@contextmanager
def _axes(path: Path) -> Iterator[Any]:
    """To draw on; written as SVG when all is drawn."""
    need_matplotlib()
    import matplotlib
    from matplotlib.figure import Figure

    settings: dict[Any, Any] = {"svg.hashsalt": "ibr", "svg.fonttype": "none", "font.size": 10}
    with matplotlib.rc_context(settings), io.StringIO() as drawn:
        figure = Figure(figsize=(6.4, 4.0), layout="constrained")
        axes = figure.subplots()
        yield axes
        axes.grid(visible=True, alpha=0.3)
        axes.legend(fontsize=8)
        figure.savefig(drawn, format="svg", metadata={"Date": None})
        write_file(path, drawn.getvalue())


def _numbers(line: Line) -> list[float]:
    return [float("nan") if value is None else value for value in line]


def markdown(grid: Sequence[Sequence[str]]) -> list[str]:
    head, *rows = (f"| {' | '.join(line)} |" for line in grid)
    return [head, "| --- |" + " ---: |" * (len(grid[0]) - 1), *rows]
