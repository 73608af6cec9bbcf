"""Systems that follow the gold proof, for timing: every network runs in full, its choices do not.

So the time is that of the algorithm at its proper length, and weak training cannot change it: the
control flow, the texts that are written and the nodes that are connected are the solver's. What is
gold is computed before the clock starts. Free systems decide themselves and are only metered.
"""

import random
from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from ibr.baselines.algorithms.evr_calls import Buffers, Call, Oracle
from ibr.baselines.algorithms.evr_control import Control
from ibr.baselines.algorithms.implications import Teacher
from ibr.baselines.evr import Evr
from ibr.baselines.probr import Probr
from ibr.baselines.proofwriter import ProofWriterAll, ProofWriterIter, written
from ibr.baselines.prover_ilp import ProverIlp
from ibr.baselines.system import Answered, Baseline, Meter, RivalReasoner
from ibr.data.formats.example import Example
from ibr.decoding.scoring import EncodedScorer
from ibr.decoding.search import Floats, Ints, Paths, Scorer
from ibr.errors import InputError
from ibr.evaluation.oracle import WrappedScorer
from ibr.inputs.arrays import Asked
from ibr.logic.solving.solver import Solver
from ibr.model.ibr import IBR
from ibr.model.trained import ModelReasoner
from ibr.proof import END, NAF, Graph, Path
from ibr.reasoner import Reasoner
from ibr.reproduce.paper_tables import PAPER
from ibr.theory import Theory
from ibr.training.systems import Model

VARIANTS: Final[dict[str, tuple[str, dict[str, Any]]]] = PAPER["timed"]  # system, its changes
_FAR: Final = 1e3  # taken from the log-probability of what is not gold
_SURE: Final = 0.9  # share of gold in a forced edge: what is left is the network's


@dataclass(frozen=True)
class TimedSystem:
    name: str
    reasoner: Reasoner
    meter: Meter
    prepare: Callable[[Example], None]  # not timed


def timed_system(name: str, model: Model, is_forced: bool) -> TimedSystem:
    """A variant of a system with the weights of `model`."""
    if isinstance(model, IBR):
        return _timed_ibr(name, model, is_forced)
    kind = _FORCED.get(type(model), type(model)) if is_forced else type(model)
    own = kind(replace(model.config, **VARIANTS[name][1]), words=model.words)
    own.load_state_dict(model.state_dict())
    if isinstance(own, Evr):
        own.repeats_are_shared = False  # the published system makes every call
    prepare = own.prepare if isinstance(own, _Scripted | ForcedProver) else lambda _: None
    return TimedSystem(name, RivalReasoner(own, name), own.meter, prepare)


def solver_of(example: Example) -> Solver:
    if example.program is None:
        raise InputError(f"{example.id}: no logic, so that there is no gold to follow")
    return Solver(example.program)


# IBR


def _timed_ibr(name: str, model: IBR, is_forced: bool) -> TimedSystem:
    meter, gold = Meter(), deque[Path](maxlen=1)
    model.encoder.register_forward_hook(lambda module, read, out: meter.count(out))

    def prepare(example: Example) -> None:
        if not example.proofs:
            raise InputError(f"{example.id}: no gold proof to follow")
        gold.append(example.proofs[0].to_path(random.Random(0)))

    def wrap(_: Any, scorer: Scorer) -> Scorer:
        assert isinstance(scorer, EncodedScorer)
        return MeteredScorer(scorer, meter, gold[0] if is_forced else None)

    beams = 8 if name == "ibr-beam8" else 1
    reasoner = ModelReasoner(model, name, beams=beams, wrap=wrap)
    return TimedSystem(name, reasoner, meter, prepare if is_forced else lambda _: None)


class MeteredScorer(WrappedScorer):
    """The model's scorer for one question, counted; with a gold path, its steps are likeliest."""

    def __init__(self, scorer: EncodedScorer, meter: Meter, path: Path | None) -> None:
        if path is not None:
            scorer.set_strategies([path.strategy])
        super().__init__(scorer)
        self._meter, self._path = meter, path
        real = np.append(scorer.is_reading[0], [True, True])
        self._child = np.where(real, np.append(scorer.sentence[0], [NAF, END]), END - 1)

    def parents(self, paths: Paths) -> Floats:
        logp = self.scorer.parents(paths)
        step = paths.columns.shape[1] - 1
        if self._path is not None and step < len(self._path.steps):
            logp[:, np.arange(step + 1) != self._path.steps[step].parent] -= _FAR
        return logp

    def children(self, paths: Paths, parent: Ints) -> Floats:
        self._meter.light_steps += len(paths.question)
        self._meter.path_positions += paths.columns.size
        logp = self.scorer.children(paths, parent)
        step = paths.columns.shape[1] - 1
        if self._path is not None and step < len(self._path.steps):
            logp[:, self._child != self._path.steps[step].child] -= _FAR
        return logp


# PROVER and PROBR


class ForcedProver(ProverIlp):
    """Connects the gold nodes; edges are nearly gold, as those of a trained network are."""

    gold: Graph = Graph()

    def prepare(self, example: Example) -> None:
        self.gold = example.proofs[0].graph if example.proofs else Graph()

    def _answered(self, theory: Theory, probability: float, node: Any, edge: Any) -> Answered:
        nodes, edges = np.zeros_like(node), np.zeros_like(edge)
        nodes[list(self.gold.nodes)] = 1.0  # NAF is -1: the last place
        for premise, rule in self.gold.edges:
            edges[premise, rule] = 1.0
        mixed = _SURE * edges + (1 - _SURE) * edge
        return super()._answered(theory, probability, nodes, mixed)


class ForcedProbr(ForcedProver, Probr):
    pass


# EVR and ProofWriter


class _Scripted(Baseline):
    """Writes texts that were prepared, one at each call."""

    script: deque[str]

    def prepare(self, example: Example) -> None:
        self.script = deque(self.texts_for(example))

    @abstractmethod
    def texts_for(self, example: Example) -> Sequence[str]:
        """What gold makes each call write, in order."""


class ForcedEvr(_Scripted, Evr):
    def ask(self, call: Call, forced: str | None = None) -> str:
        return super().ask(call, self.script.popleft())

    def texts_for(self, example: Example) -> list[str]:
        solver, known, texts = solver_of(example), self.words.known, []
        oracle = Oracle(solver.program, known)

        def ask(call: Call) -> str:
            texts.append(oracle.answer(call))
            return texts[-1]

        buffers = Buffers.of(example.theory, self.config.fact_buffer, self.config.rule_buffer)
        control = Control(buffers, ask, self.config.max_calls)
        control.prove(oracle.statement(example.statement))
        return texts


class _ScriptedWriter(_Scripted, ProofWriterAll):
    def texts_of(
        self, asked: Sequence[Asked], forced: Sequence[str] | None = None
    ) -> list[list[str]]:
        return super().texts_of(asked, self.script.popleft().split())


class ForcedProofWriter(_ScriptedWriter):
    def texts_for(self, example: Example) -> list[str]:
        target = written(example, solver_of(example), self.words.known, self.config.fail_chain)
        return [" ".join(target)]


class ForcedProofWriterIter(_ScriptedWriter, ProofWriterIter):
    def texts_for(self, example: Example) -> list[str]:
        teacher = Teacher(solver_of(example), self.words.known)
        return [" ".join(teacher.target(count)) for count in range(len(teacher) + 1)]


_FORCED: Final[dict[type[Baseline], type[Baseline]]] = {
    ProverIlp: ForcedProver,
    Probr: ForcedProbr,
    Evr: ForcedEvr,
    ProofWriterAll: ForcedProofWriter,
    ProofWriterIter: ForcedProofWriterIter,
}
