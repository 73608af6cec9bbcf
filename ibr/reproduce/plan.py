"""A plan: the runs that a table needs with their data, seeds and steps, and what tests them.

Nothing here trains. A run is named by its settings, so that one checkpoint serves every table; the
number of steps is fixed before the first run starts, so that a resumed plan ends as it would have.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from ibr.errors import UsageError
from ibr.reproduce.paper_tables import LABELS, PaperTable, Query
from ibr.training.presets import preset, with_data, with_encoder, with_model_of, with_settings
from ibr.training.settings import TrainConfig

FULL: Final = 70_000  # questions of RuleTaker's training sets
_QUESTIONS: Final = {0: 4.0, 1: 7.8, 2: 11.2, 3: 14.5, 5: 20.3}  # of a generated theory, on average
_BATCH: Final = 60  # questions of a step of generated data, about
_SAVES: Final = 10  # of a run
_TURNS: Final = 7  # rounds of chaining for depth 5; the quick preset has 5, for depth 3
_ONE_STEP: Final = ("evr", "proofwriter-iter")  # a call takes one step of a proof
_ONE_STEP_TURNS: Final = 2
_LATENCY: Final = ("ibr", "evr", "prover", "probr", "ruletaker")
_NO_STEP: Final = ("max_minutes", "workers", "device", "save_every")  # do not change a result
GENERATED_TEST: Final = "generated"


@dataclass(frozen=True)
class PlanOptions:
    """What a user asks for."""

    minutes: float | None = 30.0  # of each training; None: the preset's own epochs
    steps: int | None = None  # of each training, in place of minutes
    seeds: int = 1
    systems: tuple[str, ...] | None = None  # None: those of the paper's table
    preset: str = "quick"
    data: str | None = None  # folder of RuleTaker's data sets; None: generated data
    birds: str | None = None  # Birds-Electricity
    pararules: str | None = None  # ParaRules' tsv
    test: str | None = None  # labelled questions beside the generated DU5 test
    samples: int = FULL  # questions of the full training set; 30k and 10k are 3/7 and 1/7 of it
    questions: int = 1200  # of the generated test
    equal_examples: bool = False  # every system has IBR's number of steps
    threads: int = 2
    encoder: str | None = None  # Hugging Face name or folder, in place of the preset's
    settings: tuple[str, ...] = ()  # KEY=VALUE of every run, SYSTEM:KEY=VALUE of some

    def __post_init__(self) -> None:
        for name in ("data", "birds", "pararules", "test"):
            path = getattr(self, name)
            if path is not None and not Path(path).exists():
                raise UsageError(f"--{name} {path}: no such file or folder")
        if self.minutes is None and self.steps is None and self.data is None:
            raise UsageError("generated data has no epochs: give --minutes or --steps")

    def settings_of(self, system: str) -> list[str]:
        mine = (text.removeprefix(f"{system}:") for text in self.settings)
        return [text for text in mine if text.partition(":")[0] not in LABELS]


@dataclass(frozen=True)
class TestSet:
    """Labelled questions: a file, or `questions` generated ones."""

    __test__ = False  # not a test of pytest

    name: str
    path: str = GENERATED_TEST
    split: str | None = None
    mappings: str | None = None
    questions: int | None = None

    @property
    def key(self) -> str:
        return f"{self.name}-{_hash(asdict(self))}"


@dataclass(frozen=True)
class PlannedRun:
    system: str
    data: str
    seed: int
    changes: tuple[str, ...]
    config: TrainConfig

    @property
    def name(self) -> str:
        """Of its folder: the same settings have the same name."""
        settings = self.config.to_json()
        for key in _NO_STEP:
            del settings[key]
        return f"{self.system}-{self.data}-{self.seed}-{_hash(settings)}"


@dataclass(frozen=True)
class Evaluation:
    run: PlannedRun
    test: TestSet
    oracle: str | None = None

    @property
    def file(self) -> str:
        """Below the folder of the run."""
        return f"{self.test.key}{f'-gold-{self.oracle}' if self.oracle else ''}.json"


@dataclass(frozen=True)
class TablePlan:
    table: PaperTable
    options: PlanOptions
    steps: Mapping[str, int]  # of each system

    @cached_property
    def runs(self) -> list[PlannedRun]:
        """In the order of the table; each once."""
        queries = [*self.table.cells(self.options.systems).values()]
        if self.table.name == "latency":
            queries += [Query(system, "qa") for system in self.options.systems or _LATENCY]
        seeds = range(self.options.seeds)
        found = (self.run_of(query, seed) for seed in seeds for query in queries)
        return list({run.name: run for run in found}.values())

    @cached_property
    def evaluations(self) -> list[Evaluation]:
        found = {
            (one.run.name, one.file): one
            for query in self.table.cells(self.options.systems).values()
            for test in self.tests_of(query)
            for one in self.evaluations_of(query, test)
        }
        return list(found.values())

    def evaluations_of(self, query: Query, test: TestSet) -> list[Evaluation]:
        """One for each seed."""
        seeds = range(self.options.seeds)
        return [Evaluation(self.run_of(query, seed), test, query.oracle) for seed in seeds]

    def tests_of(self, query: Query) -> list[TestSet]:
        """The test that the table is about; for DU5, also the user's own; for all systems, all."""
        found = [test_set(query.test, self.options)]
        if query.test == "du5" and self.options.test is not None:
            found.append(TestSet("file", self.options.test))
        if self.table.name == "systems" and self.options.birds is not None:
            found.append(test_set("birds", self.options))
        return found

    def run_of(self, query: Query, seed: int) -> PlannedRun:
        timed = self.steps.get("ibr" if self.options.equal_examples else query.system)
        steps = self.options.steps or timed
        config = config_of(query, self.options, steps, seed)
        return PlannedRun(query.system, query.data, seed, query.changes, config)

    def to_json(self) -> dict[str, Any]:
        runs = [
            {"name": run.name, "system": run.system, "data": run.data, "changes": run.changes,
             "seed": run.seed, "config": run.config.to_json()}
            for run in self.runs
        ]  # fmt: skip
        tests = {one.test.key: asdict(one.test) for one in self.evaluations}
        return {
            "table": self.table.name,
            "options": asdict(self.options),
            "steps": dict(self.steps),
            "runs": runs,
            "tests": tests,
            "evaluations": [f"{one.run.name}/{one.file}" for one in self.evaluations],
        }


def config_of(query: Query, options: PlanOptions, steps: int | None, seed: int) -> TrainConfig:
    """The settings of a run; without `steps` it has the preset's epochs."""
    config = with_model_of(preset(options.preset), query.system)
    if options.encoder is not None:
        config = with_encoder(config, options.encoder)
    parts, theories = training_data(query.data, options)
    generated = options.data is None
    config = with_data(config, parts, "generate:depth=5" if generated else None)
    settings = [*query.changes, f"seed={seed}" if generated else f"seed={config.seed + seed}"]
    settings += [f"threads={options.threads}", "average=1", "use_last=true"]
    if generated:
        settings += [f"theories={theories}", "dev_questions=32"]
        turns = _ONE_STEP_TURNS if query.system in _ONE_STEP else _TURNS
        settings += [f"theory_turns={turns}"] if options.preset == "quick" else []
    if steps is None and options.minutes is not None:
        settings.append(f"max_minutes={options.minutes}")  # not timed yet
    elif steps is not None:
        settings += ["max_minutes=null", f"steps={steps}", f"eval_every={steps}"]
        settings.append(f"save_every={max(1, steps // _SAVES)}")
    config = with_settings(config, [*settings, *options.settings_of(query.system)])
    return config if steps is None else replace(config, epochs=None)


def training_data(name: str, options: PlanOptions) -> tuple[list[str], int]:
    """The parts (as `ibr train --data` takes them), and the theories of a step if generated."""
    first, _, more = name.partition("+")
    du, _, size = first.partition("-")
    depth = int(du.removeprefix("du"))
    limit = options.samples * int(size.rstrip("k") or 70) // 70
    if options.data is not None:
        folder = Path(options.data)
        if more:
            mappings = f",mappings={options.pararules}" if options.pararules else ""
            return [f"{folder / 'depth-3ext-NatLang'}:split=train{mappings}"], 0
        shown = f",limit={limit}" if limit < FULL else ""
        return [f"{folder / f'depth-{depth}'}:split=train{shown}"], 0
    theories = max(1, round(limit / _QUESTIONS[depth]))
    parts = [f"generate:depth={depth},theories={theories},weight=3"]
    if more:
        parts.append(f"{_needed('pararules', options.pararules)}:split=train")
    return parts, max(1, round(_BATCH / _QUESTIONS[depth]))


def test_set(name: str, options: PlanOptions) -> TestSet:
    folder = None if options.data is None else Path(options.data)
    if name == "du5":
        if folder is not None:
            return TestSet(name, str(folder / "depth-5"), "test")
        return TestSet(name, questions=options.questions)
    if name == "birds":
        own = None if folder is None else str(folder / "birds-electricity")
        return TestSet(name, _needed("birds", options.birds or own))
    if folder is not None:
        return TestSet(name, str(folder / "NatLang"), "test", options.pararules)
    return TestSet(name, _needed("pararules", options.pararules), "dev")


def _needed(option: str, path: str | None) -> str:
    if path is None:
        raise UsageError(f"this table needs real files: give --{option} PATH, or --data FOLDER")
    return path


def _hash(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:8]
