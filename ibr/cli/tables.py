"""Reports as tables on the screen."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from rich.table import Table

from ibr.cli import output
from ibr.data.statistics import ComparisonRow, Figure, Statistics
from ibr.drawing.text import escaped
from ibr.evaluation.answers import GIVEN, AnswerReport, name_of
from ibr.evaluation.metrics import DEEP, Metric, Origin, Report, Scores, Split, Tally
from ibr.prediction import Source, Status


class EvaluationNotes(NamedTuple):
    """What was measured; the numbers are questions that the notes below the table are about."""

    reasoner: str
    data: str
    file_logic: int
    solver_proofs: int
    not_stratified: int
    bad: int

    def notes(self) -> Iterable[str]:
        for count, text in (
            (self.file_logic, "questions were read by the file's own logic: free English"),
            (self.solver_proofs, "questions have no proofs in the file: the solver judged those"),
            (self.not_stratified, "questions left out: their theory has negation in a cycle"),
            (self.bad, "lines or questions left out as unusable"),
        ):
            if count:
                yield f"{count:,} {text}"


HEADS = ["QA", "Node", "Edge", "PA", "PAmin", "FA", "Strategy", "QDep", "QLen", "Six-way"]


def percent(tally: Tally) -> str:
    """One decimal, and 100.0 only when all are right: 9999 of 10000 is 99.9."""
    if tally.percent is None:
        return "n/a"
    return f"{tally.percent if tally.right == tally.asked else min(tally.percent, 99.9):.1f}"


def show(report: Report, facts: EvaluationNotes, answers: AnswerReport | None = None) -> None:
    """Answers, if others report on the set; proofs, unless unknown is one of its answers."""
    output.show(f"{facts.reasoner} on {facts.data}: {report.every.all.count:,} questions")
    if answers and answers.rows:
        output.show(answer_table(answers))
    if not (answers and answers.rows) or (Metric.PA in report.claims and not answers.three_way):
        output.show(report_table(report))
    if len(report.origins) > 1 or any(status is not None for _, status in report.origins):
        output.show(f"proofs: {shares(report.origins)}")
    if report.reliability.error is not None and not (answers and answers.three_way):
        error, count = 100 * report.reliability.error, report.reliability.count
        output.show(f"confidence of the model's own answers: ECE {error:.2f} % ({count:,} answers)")
    for line in facts.notes():
        output.show(line)
    if report.unreadable:
        output.show(f"{report.unreadable:,} questions are about theories with unreadable sentences")


def _table(*heads: str) -> Table:
    """Names on the left, figures on the right."""
    table = Table(box=None, pad_edge=False)
    table.add_column("", no_wrap=True)
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    return table


def answer_table(report: AnswerReport) -> Table:
    """By answer, strategy and depth: what is right, and what was answered."""
    cites = report.rows["all"].cited.asked > 0
    given = [verdict for verdict in GIVEN if report.rows["all"].given[verdict]]
    table = _table("questions", "right", *["cited"] * cites, *(f"-> {name_of(v)}" for v in given))
    table.title, table.title_style = f"{report.ways}-way, {report.world} world", ""
    table.title_justify = "left"
    for name, row in report.sorted_rows:
        cells = [f"{row.answers.asked:,}", percent(row.answers), *[percent(row.cited)] * cites]
        table.add_row(escaped(name), *cells, *(f"{row.given[verdict]:,}" for verdict in given))
    return table


def shares(origins: Counter[Origin]) -> str:
    """`model+checked 98.1 % (2,029), solver 1.9 % (39)`: what is not `valid` is named."""
    counts: Counter[str] = Counter()
    for (source, checked), count in sorted(origins.items(), key=lambda o: -o[1]):
        if checked is Status.VALID:
            name = str(source)
        elif checked is Status.INVALID:
            name = f"{source}, found invalid"
        else:
            name = "not checked" if source is Source.MODEL else f"{source}, not checked"
        counts[name] += count
    whole = origins.total()
    return ", ".join(f"{name} {100 * n / whole:.1f} % ({n:,})" for name, n in counts.items())


def report_table(report: Report) -> Table:
    """By depth, by group, the provable questions alone, and the others alone."""
    table = _table("questions", *HEADS)
    groups = [(name, report.groups[name].all) for name in sorted(report.groups)]
    failing = _by_depth(report.failing, "fail-proof, ")
    if report.failing.deep.count:
        failing.insert(-1, (f"fail-proof, depth {DEEP}+", report.failing.deep))
    for rows in (
        _by_depth(report.every, ""),
        groups if len(groups) > 1 else [],
        _by_depth(report.provable, "proof only, "),
        failing,
    ):
        for name, scores in rows:
            cells = (percent(scores[m]) if m in report.claims else "n/a" for m in Metric)
            table.add_row(escaped(name), f"{scores.count:,}", *cells)
        if rows:
            table.add_row()
    return table


def _by_depth(split: Split, prefix: str) -> list[tuple[str, Scores]]:
    rows = [(f"depth {'?' if d is None else d}", split.by_depth[d]) for d in split.depths]
    if split.paper.count < split.all.count:
        rows.append(("depth 0-5", split.paper))
    return [(prefix + name, scores) for name, scores in [*rows, ("all", split.all)]]


def figure_table(found: Statistics, rows: Iterable[ComparisonRow]) -> Table:
    """Every figure that was counted, and DU5's where it is published."""
    table = _table("here", "range", "DU5 dev", "difference", "")
    published = {row.name: row for row in rows}
    for name in dict.fromkeys((*found.figures, *published)):
        table.add_row(name, *_figure_cells(found.figures.get(name), published.get(name)))
    return table


def _figure_cells(here: Figure | None, row: ComparisonRow | None) -> list[str]:
    span = f"{here.low:g}-{here.high:g}" if here and here.low is not None else ""
    cells = ["n/a" if here is None else _figure(here), span]
    if row is None:
        return [*cells, "", "", ""]
    unit = "%" if row.published.unit == "mean" else "points"
    apart = "" if row.difference is None else f"{100 * row.difference:+.1f} {unit:6}"
    return [*cells, _figure(row.published), apart, "ok" if row.within else "off"]


def _figure(figure: Figure) -> str:
    return f"{figure.value:.2f}" if figure.unit == "mean" else f"{100 * figure.value:.1f} %"
