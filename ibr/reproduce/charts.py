"""Markdown tables; line charts as SVG, by matplotlib (extra `report`). Always the same bytes.

Charts of a table's figures, learning curves of run folders (`ibr plot`), and the page of `ibr bench
latency`: ratios, where the time goes, what was expected, two charts.
"""

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from typing import Any, Final

from ibr.errors import UsageError
from ibr.files import METRICS, write_file
from ibr.theory import Strategy

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


FORCED, FREE = "forced", "free"
PARTS: Final = ("constant", "encode", "steps", "solver")  # where time goes
_EXPLAINED: Final = 0.9  # R² of a fit that explains the seconds
_FIGURES: Final = {
    "latency-evr": ("ibr", "evr", "evr-20-10"),
    "latency-at-once": ("ibr", "prover-ilp", "prover-kruskal", "probr-ilp", "probr-kruskal"),
}


def write_latency(summary: Mapping[str, Any], out: Path) -> Path:
    listed = {**summary["machine"], **summary["bench"], "trained": summary["trained"] or "none"}
    lines = ["# Latency by depth", "", "Written by `ibr bench latency` (docs/reproduce.md).", ""]
    lines += [*(f"* {key}: {value}" for key, value in listed.items()), ""]
    for mode, systems in summary["modes"].items():
        ibr = systems["ibr"]["parts"]
        for strategy in dict.fromkeys(part.split()[0] for part in ibr):
            parts = [part for part in ibr if part.startswith(f"{strategy} ")]
            grid = [["÷ ibr", *parts]]
            grid += [
                [name, *(_ratio(s["parts"][part]) for part in parts)] for name, s in systems.items()
            ]
            grid.append(["ibr, ms", *(f"{1e3 * ibr[part]['mean']:.1f}" for part in parts)])
            lines += [f"## {mode}, {strategy}", "", *markdown(grid), ""]
        head = ["", f"÷ {FORCED}", "depth 5 ÷ 0", "R²", *PARTS, "encoder calls", "written"]
        grid = [[*head, "light steps", "capped"]]
        for name, system in systems.items():
            usual = summary["modes"].get(FORCED, {}).get(name, system)
            apart = system["parts"]["proof all"]["mean"] / usual["parts"]["proof all"]["mean"]
            row = [name, f"{apart:.2f}", f"{system['depth 5 / depth 0']:.2f}"]
            row.append(f"{system['r2']:.2f}")
            row += [f"{100 * system['shares'][part]:.0f} %" for part in PARTS]
            work = ("encoder_calls", "decoder_steps", "light_steps")
            row += [f"{system['mean work'][n]:.1f}" for n in work]
            grid.append([*row, str(system["capped"])])
        lines += [f"## {mode}, where the time goes", "", *markdown(grid), ""]
        lines += [*_notes(systems), ""] if mode == FORCED else []
    for name, names in _FIGURES.items():
        draw(_chart(summary, names), out / f"{name}.svg")
        lines += [f"![{', '.join(names)}]({name}.svg)", ""]
    write_file(out / "latency.md", "\n".join(lines).rstrip() + "\n")
    return out / "latency.md"


def _notes(systems: Mapping[str, Any]) -> Iterator[str]:
    """What was expected of the forced mode, what came out, and why."""
    ibr, poor = systems["ibr"], [n for n, s in systems.items() if s["r2"] < _EXPLAINED]
    yield f"* IBR, depth 5 ÷ depth 0: {ibr['depth 5 / depth 0']:.2f}; expected: at most 1.3."
    yield f"* R² below {_EXPLAINED}: {', '.join(poor) or 'none'}."
    if "evr" in systems:
        evr, work = systems["evr"]["parts"], systems["evr"]["mean work"]
        ends = [f"{evr[f'{Strategy.PROOF} {depth}']['ratio']:.1f}" for depth in (0, 5)]
        tokens = [work[n] / work["encoder_calls"] for n in ("decoder_steps", "encoder_tokens")]
        yield (
            f"* EVR ÷ IBR: {ends[0]} at depth 0, {ends[1]} at depth 5; expected: 5 to 15, 50 to "
            f"200, for 20 to 25 written tokens a call. Our wording has {tokens[0]:.1f}, and a call "
            f"reads {tokens[1]:.0f} tokens (one goal, or one buffer) where IBR reads "
            f"{ibr['mean work']['encoder_tokens']:.0f}, so that a call costs less than an encoding."
        )
    names = ("prover-ilp", "prover-kruskal")
    if {*names} <= {*systems}:
        ilp, kruskal = (systems[name]["parts"]["proof all"]["ratio"] for name in names)
        yield (
            f"* PROVER ÷ IBR: {ilp:.2f} with the integer program as published, {kruskal:.2f} with "
            "Kruskal's algorithm for the same optimum. The paper's order rests on its external "
            "solver; HiGHS runs in this process."
        )


def _ratio(part: Mapping[str, Any]) -> str:
    low, high = part["interval"]
    return f"{part['ratio']:.2f} ({low:.2f}–{high:.2f})"


def _chart(summary: Mapping[str, Any], names: Sequence[str]) -> Chart:
    places = [str(depth) for depth in range(6)]
    first, *rest = [
        {
            name: [systems[name]["parts"][f"{Strategy.PROOF} {place}"]["mean"] for place in places]
            for name in names
            if name in systems
        }
        for systems in summary["modes"].values()
    ]
    mode, *others = summary["modes"]
    title = f"Seconds of one provable question ({mode})"
    dashed, means = (rest[0], others[0]) if rest else ({}, "")
    return Chart(title, "depth", "seconds", places, first, dashed, means, is_log=True)
