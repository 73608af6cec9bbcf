"""`ibr bench latency`: seconds of one question by depth, for every system, on the same questions.

Timed is the way from a problem (sentences and their kinds) to a `Prediction`, one question at a
time. Systems take turns question by question, in a rotating order, so that drift of the machine
meets all of them; each has the fastest of its rounds, since what else runs can only add time. A
ratio is that of two means, its interval a bootstrap over questions, paired. The counts of work
(`Meter`) have to explain the seconds: a least-squares fit for each system, R² printed.
"""

from __future__ import annotations

import gc
import os
import platform
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from scipy.optimize import nnls

from ibr.baselines.algorithms.evr_control import MAX_CALLS
from ibr.baselines.system import Meter
from ibr.data.formats.example import Example, by_theory, read_jsonl, write_jsonl
from ibr.errors import UsageError
from ibr.inputs.model_words import write_json
from ibr.model.ibr import IBR
from ibr.reproduce.charts import FORCED, FREE, PARTS, write_latency
from ibr.reproduce.forced import VARIANTS, TimedSystem, timed_system
from ibr.reproduce.measuring import generated_questions
from ibr.reproduce.paper_tables import Query
from ibr.reproduce.plan import PlanOptions, config_of
from ibr.theory import Strategy
from ibr.training.checkpoint import load_system
from ibr.training.systems import Model, new_model

QUESTIONS_SEED: Final = 88_000_009
_BOOTSTRAP: Final = 1000
_ENCODE: Final = ("encoder_calls", "encoder_tokens", "encoder_pairs", "node_tokens")
_STEPS: Final = ("decoder_steps", "light_steps", "path_positions", "pairs", "search_nodes")
_WORK: Final = (*_ENCODE, *_STEPS)
Row = dict[str, Any]  # system, id, depth, strategy, seconds, cpu, and the meter
Floats = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Bench:
    """What is timed, and how."""

    systems: tuple[str, ...] = tuple(name for name in VARIANTS if name != "ibr-beam8")
    modes: tuple[str, ...] = (FORCED,)
    per_depth: int = 20  # provable questions
    failing: int = 0  # questions of each depth 0 to 3 that have no proof
    rounds: int = 2
    warmup: int = 2  # questions
    threads: int = 1
    clock: str = "seconds"  # or "cpu": the time of this process alone, for a busy machine

    def __post_init__(self) -> None:
        for name in {*self.systems} - {*VARIANTS}:
            raise UsageError(f"no system {name!r}: use {', '.join(VARIANTS)}")
        if not {*self.modes} <= {FORCED, FREE} or not self.modes:
            raise UsageError(f"mode {','.join(self.modes)}: use {FORCED}, {FREE} or both")
        if "ibr" not in self.systems:
            raise UsageError("every ratio is to ibr: it cannot be left out")

    @classmethod
    def of(cls, models: Mapping[str, Path], modes: tuple[str, ...], questions: int) -> Bench:
        """The variants of these systems, 20 questions a depth, or less."""
        systems = tuple(name for name, (system, _) in VARIANTS.items() if system in models)
        return cls(systems, modes, min(20, questions))


def draw_questions(bench: Bench, path: Path) -> list[Example]:
    """Each from another theory; the file is written once."""
    if not path.exists():
        write_jsonl(path, _balanced(bench))
    return list(read_jsonl(path))


def _balanced(bench: Bench) -> Iterator[Example]:
    wanted = {(depth, Strategy.PROOF): bench.per_depth for depth in range(6)}
    wanted |= {(depth, Strategy.FAIL_PROOF): bench.failing for depth in range(4)}
    for group in by_theory(generated_questions(QUESTIONS_SEED)):
        left = {key: count for key, count in wanted.items() if count}
        if not left:
            return
        for key in sorted(left, key=lambda key: -left[key]):
            found = [e for e in group if (e.depth, e.strategy) == key]
            if found:
                wanted[key] -= 1
                yield found[0]
                break


def run_bench(
    bench: Bench,
    out: Path,
    models: Mapping[str, Path],
    note: Callable[[str], None],
    page: Path | None = None,
) -> Path:
    """Time everything; returns the page, which is in `out` unless `page` is another folder.

    `models` are run folders by system; others are random.
    """
    if FREE in bench.modes and "ibr" not in models:
        raise UsageError(f"{FREE} times trained models: give --model ibr=RUN and those of others")
    torch.set_num_threads(bench.threads)
    examples = draw_questions(bench, out / "questions.jsonl")
    load = os.getloadavg()
    rows = []
    for mode in bench.modes:
        systems = [s for s in bench.systems if (s, mode) != ("ibr-beam8", FORCED)]
        if mode == FREE:
            systems = [s for s in systems if VARIANTS[s][0] in models]
        timed = [timed_system(s, model_of(VARIANTS[s][0], models), mode == FORCED) for s in systems]
        rows += [{"mode": mode, **row} for row in times(bench, timed, examples, note)]
    summary = {
        "bench": asdict(bench),
        "trained": sorted(models),
        "machine": {
            "processor": platform.processor() or platform.machine(),
            "cores": os.cpu_count(),
            "torch": torch.__version__,
            "load": [round(value, 2) for value in (*load, *os.getloadavg())],
        },
        "modes": {m: summarise(bench, [r for r in rows if r["mode"] == m]) for m in bench.modes},
    }
    write_json(out / "latency.json", summary | {"rows": rows})
    return write_latency(summary, page or out)


def model_of(system: str, models: Mapping[str, Path]) -> Model:
    if system in models:
        model = load_system(models[system]).eval()
        found = "ibr" if isinstance(model, IBR) else model.name
        if found != system:
            raise UsageError(f"--model {system}={models[system]}: this is a model of {found}")
        return model
    torch.manual_seed(0)
    planned = config_of(Query(system, "qa"), PlanOptions(), 1, 0)  # the network of the tables
    return new_model(planned.model).eval()


def times(
    bench: Bench,
    systems: Sequence[TimedSystem],
    examples: Sequence[Example],
    note: Callable[[str], None],
) -> Iterator[Row]:
    """For each system and question, the fastest round."""
    for system in systems:
        for example in examples[: bench.warmup]:
            _timed(system, example)
    best: dict[tuple[str, str], Row] = {}
    gc.disable()
    try:
        for turn in range(bench.rounds):
            for number, example in enumerate(examples):
                gc.collect()
                first = (number + turn) % len(systems)
                for system in (*systems[first:], *systems[:first]):
                    row, key = _timed(system, example), (system.name, example.id)
                    if key not in best or row[bench.clock] < best[key][bench.clock]:
                        best[key] = row
                if number % 20 == 19:
                    note(f"round {turn + 1} of {bench.rounds}: {number + 1} of {len(examples)}")
    finally:
        gc.enable()
    yield from best.values()


def _timed(system: TimedSystem, example: Example) -> Row:
    system.prepare(example)
    system.meter.reset()
    cpu, began = time.process_time(), time.perf_counter()
    (found,) = system.reasoner.prove([example.problem])
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    gold = example.proofs is not None and found.graph in [p.graph for p in example.proofs]
    place = {"id": example.id, "depth": example.depth, "strategy": example.strategy}
    measured = {"seconds": seconds, "cpu": cpu, "gold": gold}
    return {"system": system.name, **place, **measured, **asdict(system.meter)}


def summarise(bench: Bench, rows: Sequence[Row]) -> dict[str, Any]:
    """By system: time and ratio to IBR by strategy and depth, growth, fit."""
    found = {}
    for system in dict.fromkeys(row["system"] for row in rows):
        own, ibr = ([r for r in rows if r["system"] == name] for name in (system, "ibr"))
        pairs = defaultdict[str, list[tuple[float, float]]](list)
        for mine, other in zip(own, ibr, strict=True):
            for depth in (mine["depth"], "all"):
                part = f"{mine['strategy']} {depth}"
                pairs[part].append((mine[bench.clock], other[bench.clock]))
        parts = {name: _part(np.array(pairs[name])) for name in sorted(pairs)}
        ends = [parts[f"{Strategy.PROOF} {depth}"]["mean"] for depth in (0, 5)]
        found[system] = {
            "parts": parts,
            "depth 5 / depth 0": ends[1] / ends[0],
            "capped": sum(row["encoder_calls"] >= MAX_CALLS for row in own),
            "gold proofs": sum(row["gold"] for row in own) / len(own),
            "mean work": {name: float(np.mean([r[name] for r in own])) for name in vars(Meter())},
            **fit(own, bench.clock),
        }
    return found


def _part(pairs: Floats) -> dict[str, Any]:
    """pairs (questions, 2): seconds of the system and of IBR."""
    mine = pairs[:, 0]
    drawn = np.random.default_rng(0).integers(len(pairs), size=(_BOOTSTRAP, len(pairs)))
    means = pairs[drawn].mean(axis=1)  # (_BOOTSTRAP, 2)
    low, high = np.quantile(means[:, 0] / means[:, 1], (0.025, 0.975))
    return {
        "questions": len(pairs),
        "mean": float(mine.mean()),
        "median": float(np.median(mine)),
        "p95": float(np.quantile(mine, 0.95)),
        "ratio": float(mine.mean() / pairs[:, 1].mean()),
        "interval": [float(low), float(high)],
    }


def fit(rows: Sequence[Row], clock: str) -> dict[str, Any]:
    """seconds ≈ constant + Σ cost · work + solver seconds; no cost is negative."""
    seconds = np.array([row[clock] for row in rows])
    solver = np.array([row[f"solver_{clock}"] for row in rows])
    work = np.array([[1.0, *(row[name] for name in _WORK)] for row in rows])
    varies = np.array([True, *(np.ptp(work[:, 1:], axis=0) > 0)])
    scale = np.maximum(work.max(axis=0), 1.0)
    costs, _ = nnls(work / scale * varies, np.maximum(seconds - solver, 0.0))
    costs = costs * varies / scale
    explained = work @ costs + solver
    spread = ((seconds - seconds.mean()) ** 2).sum()
    r2 = 1 - ((seconds - explained) ** 2).sum() / spread if spread else 1.0
    each = costs * work.mean(axis=0)
    split = 1 + len(_ENCODE)
    spent = each[0], each[1:split].sum(), each[split:].sum(), solver.mean()
    return {
        "r2": float(r2),
        "costs": dict(zip(("constant", *_WORK), costs.tolist(), strict=True)),
        "shares": {name: float(s / sum(spent)) for name, s in zip(PARTS, spent, strict=True)},
    }
