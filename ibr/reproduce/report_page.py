"""One page for a table: ours beside the published one, in the same rows and columns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final

from ibr.data.formats.example import Example
from ibr.files import write_file
from ibr.inputs.model_words import read_json
from ibr.reproduce.charts import Chart, draw, need_matplotlib
from ibr.reproduce.execution import Workshop, write_json
from ibr.reproduce.forced import VARIANTS
from ibr.reproduce.measuring import read_test, test_file, trained_on
from ibr.reproduce.paper_tables import LABELS, PaperTable, Query, citation
from ibr.reproduce.plan import Options, Plan, PlannedRun, TestSet, test_set
from ibr.theory import Strategy

MISSING: Final = "–"
_CONVENTIONS: Final = {
    "QA, proof": ("proof", "qa"),
    "PA, proof": ("proof", "pa"),
    "FA, proof": ("proof", "fa"),
    "PA, all, chain": ("all", "pa"),
    "PA, all, None": ("all", "pa_none"),
    "FA, all, None": ("all", "fa_none"),
    "valid": ("proof", "valid"),
    "malformed": ("all", "malformed"),
}  # subset and metric
_LEGEND: Final = (
    "proof: questions that have one. chain: the gold proof of an unprovable question is the chain "
    "of failed rules. None: the claim that there is no proof is right there. valid: provable "
    "questions whose proof the verifier accepts. malformed: what is claimed is no proof."
)


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


def measured(shop: Workshop, plan: Plan, query: Query, test: TestSet) -> Measured:
    values, questions = [], 0
    for one in plan.evaluations_of(query, test):
        part = read_json(shop.scores(one)).get(query.subset, {}).get(query.part, {})
        questions = part.get("questions", 0)
        right, asked = part.get(query.metric, (0, 0))
        if asked:
            values.append(100 * right / asked)
    if not values:
        return Measured(None, None, questions)
    return Measured(fmean(values), stdev(values) if len(values) > 1 else None, questions)


@dataclass(frozen=True)
class _Section:
    """The table on one test set."""

    test: TestSet
    cells: Mapping[tuple[str, str], Measured]

    @property
    def questions(self) -> int:
        return max((cell.questions for cell in self.cells.values()), default=0)


def reproduce(table: PaperTable, options: Options, shop: Workshop) -> Path:
    """Carry out what the table needs; returns its page."""
    need_matplotlib()
    plan, folder = shop.plan(table, options), shop.out / table.name
    shop.carry_out(plan)
    if table.name == "latency":
        from ibr.reproduce import latency

        models = {run.system: shop.folder(run) for run in reversed(plan.runs)}  # of seed 0
        bench = latency.Bench(
            systems=tuple(s for s, (base, _) in VARIANTS.items() if base in models),
            modes=(latency.FORCED, latency.FREE),
            per_depth=min(20, options.questions),
        )
        return latency.run(bench, folder, models, shop.note)
    if table.name == "statistics":
        test = test_set("du5", options)
        questions = read_test(test, test_file(test, shop.out / "data"))
        return write_statistics(table, {"Train": trained_on(options), "Test": questions}, folder)
    return write_page(shop, plan)


def write_page(shop: Workshop, plan: Plan) -> Path:
    """TABLE.md, TABLE.json and, for a table with a curve, one TABLE-TEST.svg for each test."""
    table, folder = plan.table, shop.out / plan.table.name
    queries = table.cells(plan.options.systems)
    tests = {test.name: test for query in queries.values() for test in plan.tests_of(query)}
    sections = [
        _Section(test, {at: measured(shop, plan, query, test) for at, query in queries.items()})
        for test in tests.values()
    ]
    lines = _head(table)
    for section in sections:
        lines += [f"## {_title(section.test)}", "", *_grid(plan, section), ""]
        lines += [*_differences(table, plan, section), ""]
        if table.chart:
            name = f"{table.name}-{section.test.name}.svg"
            draw(_chart(table, plan, section), folder / name)
            lines += [f"![{table.chart}]({name})", ""]
        if table.compares:
            lines += ["Conventions:", "", *_conventions(shop, plan, section.test), "", _LEGEND, ""]
    lines += ["## Runs", "", *_runs(shop, plan)]
    write_json(folder / f"{table.name}.json", _json(shop, plan, sections))
    return _written(folder / f"{table.name}.md", lines)


def _head(table: PaperTable) -> list[str]:
    source = f"Published: {citation()} (`{table.label}`)."
    more = [f"Others: {table.others_citation}."] if table.others_citation else []
    return [f"# {table.title}", "", source, *more, "", *(f"* {note}" for note in table.notes), ""]


def _title(test: TestSet) -> str:
    if test.questions is not None:
        return f"Generated {test.name.upper()} test"
    return f"{test.name}: {Path(test.path).name}" + (f", {test.split}" if test.split else "")


def _grid(plan: Plan, section: _Section) -> list[str]:
    table = plan.table
    rows, columns = table.chosen(plan.options.systems), list(table.columns)

    def cell(row: str, column: str) -> str:
        pair = section.cells.get((row, column)), table.published(row, column)
        return " / ".join(MISSING if value is None else str(value) for value in pair)

    grid = [["ours / published", *columns]]
    if table.counts:
        found = {column: cell.questions for (_, column), cell in section.cells.items()}
        pairs = zip(columns, table.counts, strict=True)
        grid.append(["questions", *(f"{found.get(c, 0):,} / {count:,}" for c, count in pairs)])
    grid += [[row, *(cell(row, column) for column in columns)] for row in rows]
    return markdown([list(line) for line in zip(*grid, strict=True)] if table.transpose else grid)


def markdown(grid: Sequence[Sequence[str]]) -> list[str]:
    head, *rows = (f"| {' | '.join(line)} |" for line in grid)
    return [head, "| --- |" + " ---: |" * (len(grid[0]) - 1), *rows]


def _differences(table: PaperTable, plan: Plan, section: _Section) -> list[str]:
    """How the rows rank, ours and published; and how much chance there is in a figure."""
    error = 2 * math.sqrt(90 * 10 / max(1, section.questions))
    lines = [f"Two standard errors at 90 % of {section.questions:,} questions: {error:.1f} points."]
    rows = table.chosen(plan.options.systems)
    for column in table.columns if table.transpose else ["all"] if table.compares else ["PA"]:
        named = {
            row: row.removeprefix("PA ")
            for row in rows
            if (row, column) in section.cells and (row.startswith("PA ") or not table.compares)
        }
        ours = {named[row]: section.cells[row, column].mean for row in named}
        theirs = {named[row]: table.published(row, column) for row in named}
        if len(named) > 1:
            mine, published = _ranked(ours), _ranked(theirs)
            same = "the same order" if mine == published else "another order"
            both = f"ours {' > '.join(mine)}; published {' > '.join(published)}"
            lines.append(f"PA, {column}: {both}: {same}.")
    return lines


def _ranked(values: Mapping[str, float | None]) -> list[str]:
    known = {name: value for name, value in values.items() if value is not None}
    return sorted(known, key=lambda name: -known[name])


def _chart(table: PaperTable, plan: Plan, section: _Section) -> Chart:
    columns = [column for column in table.columns if column != "all"]
    rows = {
        row: row.removeprefix(f"{table.chart} ")
        for row in table.chosen(plan.options.systems)
        if row.startswith(f"{table.chart} ")
    }
    none = Measured(None)
    ours = {n: [section.cells.get((row, c), none).mean for c in columns] for row, n in rows.items()}
    published = {n: [table.published(row, c) for c in columns] for row, n in rows.items()}
    x_label = "trained on" if table.transpose else "depth"
    return Chart(table.title, x_label, table.chart, columns, ours, published)


def _variants(plan: Plan) -> dict[str, Query]:
    """Each system with its data and changes, once."""
    queries = plan.table.cells(plan.options.systems).values()
    found = {}
    for query in queries:
        label = " ".join([LABELS[query.system], query.data, *query.changes])
        found[label] = Query(query.system, "qa", query.data, changes=query.changes)
    return found


def _conventions(shop: Workshop, plan: Plan, test: TestSet) -> list[str]:
    grid = [["", *_CONVENTIONS]]
    for label, query in _variants(plan).items():
        asked = [
            Query(query.system, metric, query.data, subset=subset, changes=query.changes)
            for subset, metric in _CONVENTIONS.values()
        ]
        grid.append([label, *(str(measured(shop, plan, one, test)) for one in asked)])
    return markdown(grid)


def _runs(shop: Workshop, plan: Plan) -> list[str]:
    grid = [["run", "system", "trained on", "changes", "steps", "questions seen", "parameters"]]
    for run in plan.runs:
        done, changes = shop.trained(run), ", ".join(run.changes) or MISSING
        counts = [f"{done[key]:,}" for key in ("steps", "questions", "parameters")]
        grid.append([f"`{run.name}`", run.system, _data(run), changes, *counts])
    return markdown(grid)


def _data(run: PlannedRun) -> str:
    """ "generated DU5, 3,448 theories", or the files."""
    return ", ".join(
        f"generated DU{part.depth}, {part.theories or 0:,} theories"
        if part.path is None
        else f"{Path(part.path).name}{f':{part.limit}' if part.limit else ''}"
        for part in run.config.data
    )


def _json(shop: Workshop, plan: Plan, sections: Sequence[_Section]) -> dict[str, Any]:
    table = plan.table
    rows, columns = table.chosen(plan.options.systems), list(table.columns)
    return {
        "table": table.name,
        "citation": citation(),
        "label": table.label,
        "published": {row: {c: table.published(row, c) for c in columns} for row in rows},
        "ours": {
            section.test.key: {
                row: {c: vars(section.cells[row, c]) for c in columns if (row, c) in section.cells}
                for row in rows
            }
            for section in sections
        },
        "runs": {run.name: shop.trained(run) for run in plan.runs},
    }


def write_statistics(
    table: PaperTable, splits: Mapping[str, Iterable[Example]], folder: Path
) -> Path:
    """The table of the data sets: Num, Fail-proof Num, Proof Num and Avg. Node by depth."""
    found: dict[str, list[int]] = {row: [0, 0, 0, 0] for row in table.rows}
    for split, examples in splits.items():
        for example in examples:
            nodes = example.proofs[0].size if example.proofs else 0
            fails = example.strategy is Strategy.FAIL_PROOF
            for row in (f"{split} {example.depth}", f"{split} all"):
                if row in found:
                    more = (1, fails, not fails, nodes)
                    found[row] = [a + b for a, b in zip(found[row], more, strict=True)]
    ours: dict[str, list[float]] = {
        row: [num, fail, proof, round(nodes / max(1, num), 2)]
        for row, (num, fail, proof, nodes) in found.items()
    }
    grid = [["ours / published", *table.columns]]
    for row, published in table.rows.items():
        pairs = zip(ours[row], published, strict=True)
        grid.append([row, *(f"{mine:,} / {theirs:,}" for mine, theirs in pairs)])
    write_json(folder / f"{table.name}.json", {"ours": ours, "published": table.rows})
    return _written(folder / f"{table.name}.md", [*_head(table), *markdown(grid)])


def _written(path: Path, lines: Sequence[str]) -> Path:
    write_file(path, "\n".join(lines).rstrip() + "\n")
    return path
