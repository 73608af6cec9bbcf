"""Scores of a trained system on a test set, by subset of the questions and by depth or group.

Beside QA, PA and FA of `ibr.evaluation.metrics` (an unprovable question has a chain of failed rules
as its gold proof): PA and FA in the other convention, where an unprovable question asks for no more
than the claim that there is no proof; the share of provable questions whose proof the verifier
accepts; and the share of malformed proofs, which are claimed and no proof at all. A question that a
system cannot take counts as wrong. Depths beyond 5 are left out, as in the paper.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

from ibr.bulk.checks import check_prediction
from ibr.choices import GoldDecision, LogicFrom
from ibr.data.formats.example import Example, by_theory, write_jsonl
from ibr.data.formats.sources import FileLogic, Reader
from ibr.data.making.generator import Recipe, generate
from ibr.evaluation.gold import accepted, listed_or_solved
from ibr.evaluation.metrics import PAPER_DEPTHS, Metric, group_of, score
from ibr.evaluation.oracle import oracle
from ibr.inputs.model_words import read_json, write_json
from ibr.logic.solver_reasoner import Solvers
from ibr.model.trained import load_reasoner
from ibr.prediction import Prediction, Status
from ibr.reasoner import Reasoner, Unanswerable, prove_all
from ibr.reproduce.paper_tables import Query
from ibr.reproduce.plan import GENERATED_TEST, PlanOptions, TestSet, config_of
from ibr.theory import Strategy
from ibr.training.stream import Stream, read

TEST_SEED: Final = 77_000_009  # no run has it
BEAMS: Final = 8
_SHOWN: Final = (Metric.QA, Metric.PA, Metric.FA, Metric.STRATEGY)
_BLOCK: Final = 5  # theories
Figures = dict[str, dict[str, dict[str, Any]]]  # subset → part → metric → [right, asked]
Report = Callable[[int, int], None]  # theories done here, theories to come


def test_file(test: TestSet, folder: Path) -> Path:
    """The questions of a set; generated ones are written to `folder`, once."""
    if test.path != GENERATED_TEST:
        return Path(test.path)
    path = folder / f"{test.key}.jsonl"
    if not path.exists():
        write_jsonl(path, islice(generated_questions(TEST_SEED), test.questions))
    return path


def generated_questions(seed: int) -> Iterator[Example]:
    """Questions of generated theories without end."""
    theories = generate(Recipe(), seed, 1_000_000_000)
    return (example for group in theories for example in group)


def trained_on(options: PlanOptions) -> Iterator[Example]:
    """The questions of the full training set."""
    config = config_of(Query("ibr", "qa"), options, 1, 0)
    part = config.data[0]
    if part.path is not None:
        return read(part)
    stream = Stream(replace(config, questions=100))
    return (example for place in range(part.theories or 0) for example in stream.group(place))


def read_test(test: TestSet, path: Path) -> Iterator[Example]:
    mappings = Path(test.mappings) if test.mappings else None
    found = Reader(test.split, mappings, kinds=False).examples(path)
    return islice((e for e in found if e.depth in PAPER_DEPTHS), test.questions)


def measure(
    run: Path, examples: Iterable[Example], gold: str | None, part: Path, report: Report
) -> Figures:
    """The scores of the model in a run folder; `gold` is a decision that it is given.

    What is counted is kept in the file `part` after every block of theories, to resume from.
    """
    source = FileLogic(LogicFrom.AUTO)
    options: dict[str, Any] = {"beams": BEAMS}
    if gold is not None:
        proofs_of = listed_or_solved(source, Solvers(source.read))
        options["wrap"] = oracle(GoldDecision(gold), proofs_of)
    reasoner = load_reasoner(str(run), **options)
    theories = list(by_theory(examples))
    saved: dict[str, Any] = read_json(part) if part.exists() else {"theories": 0, "counts": {}}
    sheet = ScoreSheet(saved["counts"])
    for first in range(saved["theories"], len(theories), _BLOCK):
        block = theories[first : first + _BLOCK]
        add_scores(sheet, reasoner, source, chain.from_iterable(block))
        done = first + len(block)
        write_json(part, {"theories": done, "counts": sheet.counts})
        report(done - saved["theories"], len(theories) - done)
    part.unlink(missing_ok=True)
    return sheet.figures


class ScoreSheet:
    """Counts of right, asked and claimed marks by metric, for each subset and part."""

    def __init__(self, counts: Mapping[str, Mapping[str, int]] | None = None) -> None:
        saved = {place: Counter(found) for place, found in (counts or {}).items()}
        self.counts = defaultdict[str, Counter[str]](Counter, saved)

    def add(self, example: Example, marks: Mapping[str, bool | None]) -> None:
        parts = "all", str(example.depth), group_of(example.id)
        for subset in ("all", "proof" if example.strategy is Strategy.PROOF else "fail"):
            for counter in (self.counts[f"{subset} {part}"] for part in parts):
                counter["questions"] += 1
                for name, mark in marks.items():
                    counter[name] += bool(mark)
                    counter[f"{name} asked"] += 1
                    counter[f"{name} claimed"] += mark is not None

    @property
    def figures(self) -> Figures:
        """A metric of which the system claims nothing is left out: n/a, not 0."""
        claims = self.counts["all all"]
        names = sorted(name for name in claims if claims[f"{name} claimed"])
        found: Figures = {}
        for place, counter in sorted(self.counts.items()):
            subset, _, part = place.partition(" ")
            shown = {name: [counter[name], counter[f"{name} asked"]] for name in names}
            found.setdefault(subset, {})[part] = {"questions": counter["questions"], **shown}
        return found


def add_scores(
    sheet: ScoreSheet, reasoner: Reasoner, source: FileLogic, examples: Iterable[Example]
) -> None:
    solvers = Solvers(source.read)

    def refuse(example: Example, error: Unanswerable) -> None:
        marks = dict.fromkeys([*map(str, _SHOWN), "pa_none", "fa_none", "malformed"], False)
        sheet.add(example, marks if accepted(example, solvers) else {"qa": False})

    answered = prove_all(reasoner, source.watch(examples), attrgetter("problem"), refuse)
    for example, prediction in answered:
        marks = score(example, accepted(example, solvers), prediction)
        shown = {str(metric): marks[metric] for metric in _SHOWN if metric in marks}
        if Metric.PA in marks and prediction.strategy is not None:
            shown = {name: bool(mark) for name, mark in shown.items()}  # malformed is wrong
            shown |= _more_marks(example, prediction, bool(marks[Metric.PA]), source)
        sheet.add(example, shown)


def _more_marks(
    example: Example, prediction: Prediction, proved: bool, source: FileLogic
) -> dict[str, bool]:
    """PA and FA if `None` is the right proof of an unprovable question; malformed; valid."""
    claimed = prediction.graph is not None
    found = {"malformed": not claimed}
    if example.strategy is Strategy.PROOF:
        check = check_prediction(example.problem, prediction, source.read)
        found["valid"] = check is not None and check.status is Status.VALID
    else:
        proved = claimed and prediction.strategy is Strategy.FAIL_PROOF
    return found | {"pa_none": proved, "fa_none": proved and prediction.answer == example.answer}
