"""One page for a table: ours beside the published one, in the same rows and columns."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final

from ibr.data.formats.example import Example
from ibr.errors import UsageError
from ibr.files import write_file
from ibr.inputs.model_words import read_json, write_json
from ibr.reproduce.charts import FORCED, FREE, Chart, draw, markdown, need_matplotlib
from ibr.reproduce.execution import ResultFolder
from ibr.reproduce.latency import Bench, run_bench
from ibr.reproduce.measuring import read_test, test_file, trained_on
from ibr.reproduce.paper_tables import LABELS, PAPER, PaperTable, Query
from ibr.reproduce.paper_tables import table as paper_table
from ibr.reproduce.plan import PlanOptions, TablePlan, TestSet, test_set
from ibr.theory import Strategy

MISSING: Final = "–"
_CONVENTIONS: Final[dict[str, list[str]]] = PAPER["conventions"]  # subset and metric


def reproduce(table: PaperTable, options: PlanOptions, results: ResultFolder) -> Path:
    """Carry out what the table needs; returns its page.

    Most have TABLE.md, TABLE.json and, for a table with a curve, one TABLE-TEST.svg for each test.
    """
    need_matplotlib()
    folder = results.out / table.name
    if table.name == "systems":
        return write_systems(table, options, results)
    plan = results.plan(table, options)
    results.carry_out(plan)
    if table.name == "latency":
        models = {run.system: results.folder(run) for run in reversed(plan.runs)}  # of seed 0
        bench = Bench.of(models, (FORCED, FREE), options.questions)
        return run_bench(bench, folder, models, results.note)
    if table.name == "statistics":
        test = test_set("du5", options)
        questions = read_test(test, test_file(test, results.out / "data"))
        return write_statistics(table, {"Train": trained_on(options), "Test": questions}, folder)
    lines, figures = _sections(results, plan)
    write_json(folder / f"{table.name}.json", figures)
    lines = [*_head(table), *lines, "## Runs", "", *_runs(results, plan)]
    return _written(folder / f"{table.name}.md", lines)


@dataclass(frozen=True)
class Measured:
    """A percentage: the mean over seeds, their standard deviation, and the questions of a seed."""

    mean: float | None
    spread: float | None = None
    questions: int = 0

    def __str__(self) -> str:
        """100.0 only if nothing is wrong."""
        if self.mean is None:
            return MISSING
        shown = f"{self.mean if self.mean == 100 else min(self.mean, 99.9):.1f}"
        return shown if self.spread is None else f"{shown} ± {self.spread:.1f}"


def measured(results: ResultFolder, plan: TablePlan, query: Query, test: TestSet) -> Measured:
    values, questions = [], 0
    for one in plan.evaluations_of(query, test):
        part = read_json(results.scores(one)).get(query.subset, {}).get(query.part, {})
        questions = part.get("questions", 0)
        right, asked = part.get(query.metric, (0, 0))
        values += [100 * right / asked] if asked else []
    spread = stdev(values) if len(values) > 1 else None
    return Measured(fmean(values) if values else None, spread, questions)


Cells = Mapping[tuple[str, str], Measured]


def write_systems(table: PaperTable, options: PlanOptions, results: ResultFolder) -> Path:
    """Every system that is trained, on every test; a second time at equal steps."""
    wanted = options.systems or tuple(LABELS)
    whole = results.plan(table, replace(options, systems=wanted), dry=True)
    lines, figures = list(_head(table)), {}
    equal_steps = results.at_equal_steps(whole)
    kinds = {"equal time": results.only_trained(whole), "equal examples": equal_steps}
    for kind, plan in kinds.items():
        systems = plan.options.systems or ()
        if not systems:
            raise UsageError(f"{results.out}: no system is trained there with these options")
        results.carry_out(plan)
        missing = ", ".join(LABELS[s] for s in wanted if s not in systems) or "none"
        more, figures[kind] = _sections(results, plan)
        grid = _runs(results, plan)
        minutes = ["minutes", "---:", *(f"{results.minutes(run):.1f}" for run in plan.runs)]
        grid = [f"{line} {cell} |" for line, cell in zip(grid, minutes, strict=True)]
        lines += [f"# At {kind}", "", f"Not trained: {missing}.", "", *grid, "", *more]
    write_json(results.out / table.name / f"{table.name}.json", figures)
    return _written(results.out / table.name / f"{table.name}.md", lines)


def _sections(results: ResultFolder, plan: TablePlan) -> tuple[list[str], dict[str, Any]]:
    """For each test what was measured, as Markdown and as data."""
    table, folder = plan.table, results.out / plan.table.name
    lines, ours, published = list[str](), {}, {}
    for test in {one.test: None for one in plan.evaluations}:
        shown = _like(table, test)
        queries, rows = shown.cells(plan.options.systems), shown.chosen(plan.options.systems)
        cells = {at: measured(results, plan, query, test) for at, query in queries.items()}
        lines += [f"## {_title(test)}", "", *_grid(shown, rows, cells), ""]
        lines += [*_differences(shown, rows, cells), ""]
        if shown.chart:
            name = f"{table.name}-{test.name}.svg"
            draw(_chart(shown, rows, cells), folder / name)
            lines += [f"![{shown.chart}]({name})", ""]
        if shown.compares:
            lines += [*_conventions(results, plan, test), "", PAPER["legend"], ""]
        ours[test.key] = {f"{row}, {column}": vars(cell) for (row, column), cell in cells.items()}
        published[test.key] = {
            f"{r}, {c}": shown.published(r, c) for r in rows for c in shown.columns
        }
    runs = {run.name: results.trained(run) for run in plan.runs}
    source = {"table": table.name, "citation": PAPER["citation"], "label": table.label}
    return lines, {**source, "published": published, "ours": ours, "runs": runs}


def _like(table: PaperTable, test: TestSet) -> PaperTable:
    """Rows, columns and published figures for a test: Birds-Electricity has its own."""
    is_other = table.name == "systems" and test.name == "birds"
    return paper_table("birds") if is_other else table


def _head(table: PaperTable) -> Iterator[str]:
    yield from (f"# {table.title}", "", f"Published: {PAPER['citation']} (`{table.label}`).")
    yield from (f"Others: {table.others_citation}.",) if table.others_citation else ()
    yield from ("", *(f"* {note}" for note in table.notes), "")


def _title(test: TestSet) -> str:
    if test.questions is not None:
        return f"Generated {test.name.upper()} test"
    return f"{test.name}: {Path(test.path).name}" + (f", {test.split}" if test.split else "")


def _grid(table: PaperTable, rows: Sequence[str], cells: Cells) -> list[str]:
    def cell(row: str, column: str) -> str:
        pair = cells.get((row, column)), table.published(row, column)
        return " / ".join(MISSING if value is None else str(value) for value in pair)

    grid = [["ours / published", *table.columns]]
    if table.counts:
        found = {column: cell.questions for (_, column), cell in cells.items()}
        pairs = zip(table.columns, table.counts, strict=True)
        grid.append(["questions", *(f"{found.get(c, 0):,} / {count:,}" for c, count in pairs)])
    grid += [[row, *(cell(row, column) for column in table.columns)] for row in rows]
    return markdown([list(line) for line in zip(*grid, strict=True)] if table.transpose else grid)


def _differences(table: PaperTable, rows: Sequence[str], cells: Cells) -> Iterator[str]:
    """How much chance there is in a figure, and how the rows rank, ours and published."""
    questions = max((cell.questions for cell in cells.values()), default=0)
    error = 2 * math.sqrt(90 * 10 / max(1, questions))
    yield f"Two standard errors at 90 % of {questions:,} questions: {error:.1f} points."
    for column in table.columns if table.transpose else ["all"] if table.compares else ["PA"]:
        ours, theirs = {}, {}
        for row in rows if not table.compares else (r for r in rows if r.startswith("PA ")):
            mine, published = cells.get((row, column)), table.published(row, column)
            if mine is not None and mine.mean is not None and published is not None:
                name = row.removeprefix("PA ")
                ours[name], theirs[name] = mine.mean, published
        if len(ours) > 1:
            ranks = [
                " > ".join(sorted(by, key=by.__getitem__, reverse=True)) for by in (ours, theirs)
            ]
            same = "the same order" if ranks[0] == ranks[1] else "another order"
            yield f"PA by {column}: ours {ranks[0]}; published {ranks[1]}: {same}."


def _chart(table: PaperTable, rows: Sequence[str], cells: Cells) -> Chart:
    columns = [column for column in table.columns if column != "all"]
    shown = {r: r.removeprefix(f"{table.chart} ") for r in rows if r.startswith(f"{table.chart} ")}
    ours = {name: [cells[row, c].mean for c in columns] for row, name in shown.items()}
    published = {n: [table.published(row, c) for c in columns] for row, n in shown.items()}
    x_label = "trained on" if table.transpose else "depth"
    return Chart(table.title, x_label, table.chart, columns, ours, published)


def _conventions(results: ResultFolder, plan: TablePlan, test: TestSet) -> list[str]:
    """A line for each system with its data and changes."""
    grid = {"": [*_CONVENTIONS]}
    for query in plan.table.cells(plan.options.systems).values():
        label = " ".join([LABELS[query.system], query.data, *query.changes])
        if label not in grid:
            asked = (
                replace(query, metric=metric, subset=subset, part="all", oracle=None)
                for subset, metric in _CONVENTIONS.values()
            )
            grid[label] = [str(measured(results, plan, one, test)) for one in asked]
    return markdown([[label, *line] for label, line in grid.items()])


def _runs(results: ResultFolder, plan: TablePlan) -> list[str]:
    grid = [["run", "trained on", "changes", "steps", "questions seen", "parameters"]]
    for run in plan.runs:
        done, changes = results.trained(run), ", ".join(run.changes) or MISSING
        data = ", ".join(
            f"generated DU{part.depth}, {part.theories or 0:,} theories"
            if part.path is None
            else f"{Path(part.path).name}{f':{part.limit}' if part.limit else ''}"
            for part in run.config.data
        )
        counts = [f"{done[key]:,}" for key in ("steps", "questions", "parameters")]
        grid.append([f"`{run.name}`", data, changes, *counts])
    return markdown(grid)


def write_statistics(
    table: PaperTable, splits: Mapping[str, Iterable[Example]], folder: Path
) -> Path:
    """The table of the data sets: Num, Fail-proof Num, Proof Num and Avg. Node by depth."""
    found: dict[str, list[float]] = {row: [0, 0, 0, 0] for row in table.rows}
    for split, examples in splits.items():
        for example in examples:
            fails = example.strategy is Strategy.FAIL_PROOF
            more = 1, fails, not fails, example.proofs[0].size if example.proofs else 0
            for row in {f"{split} {example.depth}", f"{split} all"} & found.keys():
                found[row] = [a + b for a, b in zip(found[row], more, strict=True)]
    grid = [["ours / published", *table.columns]]
    for row, counts in found.items():
        counts[3] = round(counts[3] / max(1, counts[0]), 2)
        pairs = zip(counts, table.rows[row], strict=True)
        grid.append([row, *(f"{mine:,} / {theirs:,}" for mine, theirs in pairs)])
    write_json(folder / f"{table.name}.json", {"ours": found, "published": table.rows})
    return _written(folder / f"{table.name}.md", [*_head(table), *markdown(grid)])


def _written(path: Path, lines: Sequence[str]) -> Path:
    write_file(path, "\n".join(lines).rstrip() + "\n")
    return path
