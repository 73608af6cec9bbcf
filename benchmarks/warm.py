"""`python -m benchmarks warm --data DATA`: time per question after loading, and agreement of
torch and onnxruntime.

One by one and in batches, on one thread and on two, with questions that share a theory and with
questions that do not; and the same weights under torch. Times are wall-clock seconds, so nothing
else should run. Needs torch; exits with code 10 if the two differ in more than ties.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import torch

from benchmarks.symbolic import ROOT
from ibr.data.formats.example import Example
from ibr.data.formats.sources import Reader
from ibr.decoding import runtime
from ibr.decoding.proving import SearchingReasoner, Traced
from ibr.errors import ExitCode
from ibr.model import trained as with_torch
from ibr.prediction import Prediction
from ibr.theory import Problem

MODEL = ROOT / "ibr" / "models" / "small"
TIE = 1e-4  # closer scores may be in either order


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks warm", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", default=str(MODEL), help="an exported model")
    parser.add_argument("--alone", type=int, default=100, help="questions asked one by one")
    parser.add_argument("--together", type=int, default=600, help="questions of a batch")
    parser.add_argument("--same", type=int, default=1000, help="questions asked of both")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    examples = list(Reader().examples(options.data))
    one, two = (runtime.load_reasoner(options.model, threads=threads) for threads in (1, 2))
    same = with_torch.load_reasoner(options.model)
    mixed = apart(examples)
    single = seconds(one, mixed[: options.alone], together=False) / options.alone
    print(f"one by one, one thread: {1000 * single:.1f} ms a question", flush=True)
    slower = seconds(same, mixed[: options.alone], together=False) / options.alone
    print(f"  torch takes {slower / single:.2f} of that", flush=True)
    shared = [example.problem for example in examples]
    for name, asked in (("with a theory of its own each", mixed), ("in the file's order", shared)):
        some = asked[: options.together]
        rate = len(some) / seconds(two, some)
        print(f"in batches, two threads, {name}: {rate:.0f} questions/s", flush=True)
        torch.set_num_threads(2)
        print(f"  torch takes {rate * seconds(same, some) / len(some):.2f} of the time", flush=True)
    torch.set_num_threads(1)
    differ, ties = differences(one, same, shared[: options.same])
    print(f"torch and onnxruntime on {options.same:,}: {differ} differ, {ties} at a tie")
    if differ:
        sys.exit(ExitCode.UNPROVED)


def apart(examples: Sequence[Example]) -> list[Problem]:
    """Shuffled, so that neighbours seldom share a theory."""
    return [e.problem for e in random.Random(0).sample(list(examples), len(examples))]


def seconds(reasoner: SearchingReasoner, asked: Sequence[Problem], together: bool = True) -> float:
    reasoner.prove(asked[:2])  # loads what is loaded lazily
    began = time.perf_counter()
    for part in [asked] if together else [[problem] for problem in asked]:
        reasoner.prove(part)
    return time.perf_counter() - began


def differences(
    one: SearchingReasoner, other: SearchingReasoner, asked: Sequence[Problem]
) -> tuple[int, int]:
    """How many answers, strategies or proofs differ, and how many differ only at a tie."""
    one.trace = other.trace = True
    differ = ties = 0
    for mine, theirs in zip(one.prove(asked), other.prove(asked), strict=True):
        if not agree(mine, theirs):
            tied = at_a_tie(mine, theirs)
            ties += tied
            differ += not tied
    return differ, ties


def agree(one: Prediction, other: Prediction) -> bool:
    return (one.answer, one.strategy, one.graph) == (other.answer, other.strategy, other.graph)


def at_a_tie(one: Prediction, other: Prediction) -> bool:
    """Whether the scores of the two decisions are so close that rounding decides."""
    assert isinstance(one, Traced)
    even = any(abs(p - 0.5) < TIE for p in (one.probability, one.proof_probability))
    best = one.found[0].score
    return even or any(f.graph == other.graph and abs(best - f.score) < TIE for f in one.found)
