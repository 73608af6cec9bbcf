"""Carries a plan out: times systems, trains, evaluates; what is done is not done again.

OUT/steps.json                 steps of a training, by system and budget; written once
OUT/data/                      generated test sets
OUT/runs/NAME/                 run folders of `ibr train`, shared by all tables
OUT/runs/NAME/scores/          what was measured on each test set
OUT/TABLE/                     the plan, and the page as Markdown, JSON and SVG
"""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from ibr.bulk.engines import Engine, run_here
from ibr.files import METRICS
from ibr.inputs.model_words import read_json, write_json
from ibr.reproduce.measuring import measure, read_test, test_file
from ibr.reproduce.paper_tables import LABELS, PaperTable, Query
from ibr.reproduce.plan import Evaluation, PlannedRun, PlanOptions, TablePlan, config_of
from ibr.training.checkpoint import load_latest
from ibr.training.loop import Evaluated, Learned, Trainer
from ibr.training.trainer import CONFIG, train

STEPS, DONE, PLAN = "steps.json", "done.json", "plan.json"
_TIMED: Final = 40  # steps of the timing
_UNTIMED: Final = 15  # the first of them: batches that were made in advance
_LONGEST: Final = 2.0  # minutes of the timing
_EVERY: Final = 30.0  # seconds between two lines of progress
Note = Callable[[str], None]


def _silent(_: str) -> None:
    """A default that can be pickled."""


class RunBlock(NamedTuple):
    run: PlannedRun
    evaluations: tuple[Evaluation, ...]
    place: str  # "run 2 of 5"
    to_come: int  # trainings


@dataclass(frozen=True)
class ResultFolder:
    """A folder in which plans are carried out."""

    out: Path
    note: Note = _silent
    engine: Engine = run_here  # a block is a run with its evaluations

    def plan(self, table: PaperTable, options: PlanOptions, dry: bool = False) -> TablePlan:
        """With the steps of every system; a dry plan times nothing and writes nothing."""
        plan = TablePlan(table, options, {})
        if options.minutes is None or options.steps is not None:
            return plan
        systems = dict.fromkeys(run.system for run in plan.runs)
        if options.equal_examples:
            systems = {"ibr": None}
        known = read_json(self.out / STEPS) if (self.out / STEPS).exists() else {}
        steps: dict[str, int] = {}
        for system in systems:
            key = f"{system}, {options.preset}, {options.minutes:g} minutes, {options.threads} "
            key += " ".join(["threads", *options.settings_of(system)])
            if key not in known and not dry:
                known[key] = max(1, round(options.minutes * self._steps_a_minute(system, options)))
                write_json(self.out / STEPS, known)
            if key in known:
                steps[system] = known[key]
        return replace(plan, steps=steps)

    def _steps_a_minute(self, system: str, options: PlanOptions) -> float:
        self.note(f"timing {system}: {_TIMED} steps")
        times = [time.monotonic()]
        config = config_of(Query(system, "qa"), options, _TIMED, 0)
        config = replace(config, dev_questions=1, save_every=_TIMED, max_minutes=_LONGEST)
        folder = self.out / "timing.tmp"
        shutil.rmtree(folder, ignore_errors=True)

        def report(_: Trainer, event: Learned | Evaluated) -> None:
            if isinstance(event, Learned):
                times.append(time.monotonic())

        train(config, folder, report=report)
        shutil.rmtree(folder)
        first = min(_UNTIMED, len(times) // 2)
        return 60 * (len(times) - 1 - first) / (times[-1] - times[first])

    def folder(self, run: PlannedRun) -> Path:
        return self.out / "runs" / run.name

    def scores(self, one: Evaluation) -> Path:
        return self.folder(one.run) / "scores" / one.file

    def is_trained(self, run: PlannedRun) -> bool:
        return (self.folder(run) / DONE).exists()

    def carry_out(self, plan: TablePlan) -> None:
        """Train and evaluate what is not there yet."""
        write_json(self.out / plan.table.name / PLAN, plan.to_json())
        with self.engine(replace(self, out=self.out.absolute())) as run:
            for block, _ in run(self._blocks(plan)):
                self.note(f"{block.place}, {block.run.name}: trained and measured")

    def _blocks(self, plan: TablePlan) -> Iterator[RunBlock]:
        for number, run in enumerate(plan.runs, 1):
            tests = [one for one in plan.evaluations if one.run.name == run.name]
            left = tuple(one for one in tests if not self.scores(one).exists())
            to_come = sum(not self.is_trained(other) for other in plan.runs[number:])
            if left or not self.is_trained(run):
                yield RunBlock(run, left, f"run {number} of {len(plan.runs)}", to_come)

    def start(self) -> Callable[[RunBlock], None]:
        """The job of a worker: what it makes are files, in the same folder on every machine."""
        return self._carry_out

    def _carry_out(self, block: RunBlock) -> None:
        if not self.is_trained(block.run):
            self._train(block.run, block.place, block.to_come)
        for one in block.evaluations:
            self._evaluate(one)

    def describe(self, plan: TablePlan) -> Iterator[str]:
        """What would run, and for how long."""
        minutes = None if plan.options.steps else plan.options.minutes
        for run in plan.runs:
            steps, epochs = run.config.steps, run.config.epochs
            length = (
                f"{steps:,} steps" if steps else f"{epochs:g} epochs" if epochs else "not timed"
            )
            state = "trained" if self.is_trained(run) else f"to train, {length}"
            yield f"run {run.name}: {state}"
        for one in plan.evaluations:
            state = "measured" if self.scores(one).exists() else "to measure"
            gold = f", gold {one.oracle}" if one.oracle else ""
            yield f"test {one.run.name} on {one.test.path} ({one.test.name}{gold}): {state}"
        left = sum(not self.is_trained(run) for run in plan.runs)
        total = "" if minutes is None else f", {left * minutes:g} minutes and the evaluations"
        yield f"{left} of {len(plan.runs)} trainings to do{total}"

    def _train(self, run: PlannedRun, place: str, to_come: int) -> None:
        """`to_come` trainings are expected to take as long as this one."""
        folder, say = self.folder(run), self._at_times(f"{place}, {run.name}")

        def report(trainer: Trainer, event: Learned | Evaluated) -> None:
            left = (trainer.seconds_to_go or 0.0) / 60
            whole = left + to_come * (left + trainer.seconds / 60)
            step = f"step {event.step} of {trainer.schedule.total}"
            say(f"{step}, {left:.0f} minutes left, {whole:.0f} of all trainings")

        resume = (folder / CONFIG).exists()
        self.note(f"{place}, {run.name}: {'resumed' if resume else 'started'}")
        train(run.config, folder, resume, report)
        latest = load_latest(folder)
        parameters = sum(parameter.numel() for parameter in latest.model.parameters())
        figures = {"steps": latest.state["step"], "questions": latest.state["seen"]}
        write_json(folder / DONE, figures | {"parameters": parameters})

    def _evaluate(self, one: Evaluation) -> None:
        path, out = test_file(one.test, self.out / "data"), self.scores(one)
        gold = f" with the gold {one.oracle}" if one.oracle else ""
        self.note(f"evaluating {one.run.name} on {path}{gold}")
        say, began = self._at_times(f"evaluating {one.run.name}"), time.monotonic()

        def report(done: int, left: int) -> None:
            minutes = (time.monotonic() - began) / 60 / done * left
            say(f"{left} theories, {minutes:.0f} minutes left")

        questions = read_test(one.test, path)
        part = out.with_suffix(".part")
        write_json(out, measure(self.folder(one.run), questions, one.oracle, part, report))

    def _at_times(self, prefix: str) -> Note:
        """Notes that come often; most are left out."""
        last = time.monotonic()

        def say(text: str) -> None:
            nonlocal last
            if time.monotonic() - last > _EVERY:
                last = time.monotonic()
                self.note(f"{prefix}: {text}")

        return say

    def trained(self, run: PlannedRun) -> dict[str, Any]:
        """Steps, questions seen and parameters."""
        return read_json(self.folder(run) / DONE)

    def minutes(self, run: PlannedRun) -> float:
        """Of its training, evaluations left out."""
        lines = (self.folder(run) / METRICS).read_text(encoding="utf-8").splitlines()
        return float(max(json.loads(line).get("seconds", 0.0) for line in lines) / 60)

    def only_trained(self, plan: TablePlan) -> TablePlan:
        """The plan for the systems whose runs, of all seeds, are there."""

        def is_here(system: str) -> bool:
            runs = (plan.run_of(Query(system, "qa"), seed) for seed in range(plan.options.seeds))
            return all(map(self.is_trained, runs))

        found = tuple(filter(is_here, plan.options.systems or LABELS))
        return replace(plan, options=replace(plan.options, systems=found))

    def at_equal_steps(self, plan: TablePlan) -> TablePlan:
        """For the number of steps at which most systems have a run, of these the largest."""
        steps = {read_json(path)["steps"] for path in self.out.glob(f"runs/*-du5-0-*/{DONE}")}
        plans = (replace(plan, options=replace(plan.options, steps=n)) for n in sorted(steps))
        known = [self.only_trained(one) for one in plans]
        return max(reversed(known), key=lambda one: len(one.options.systems or ()), default=plan)
