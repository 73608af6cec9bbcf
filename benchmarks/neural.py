"""Speed of the model: training, and decoding relative to encoding.

Times are CPU seconds of this process, which do not depend on other processes.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import torch

from ibr.data.formats.example import Example
from ibr.data.formats.sources import Reader
from ibr.decoding.search import search
from ibr.inputs.arrays import Asked
from ibr.inputs.model_words import default_words
from ibr.inputs.normalise import with_kinds
from ibr.model.batch import reader_of
from ibr.model.ibr import IBR
from ibr.model.trained import IBRScorer
from ibr.training.checkpoint import load_model
from ibr.training.loop import Trainer
from ibr.training.presets import preset
from ibr.training.processes import accelerated
from ibr.training.stream import Stream

BATCH = 32
BEAMS = 8
_STEPS = 30
_TURNS = 6


def report(run: Path | None, data: Path) -> Iterator[str]:
    torch.set_num_threads(1)
    yield from training()
    if run is None:
        yield "decoding: give a trained model with --run FOLDER"
        return
    model = load_model(run).eval()
    examples = list(Reader().examples(data))
    yield from decoding(model, examples)
    yield from by_depth(model, examples)


def training() -> Iterator[str]:
    """Steps of the quick preset on prepared batches, and the cost of preparing them."""
    config = replace(preset("quick"), threads=1, workers=0)
    stream = Stream(config)
    began = time.process_time()
    batches = [stream.batch(step) for step in range(_STEPS + 3)]
    making = (time.process_time() - began) / len(batches)
    with accelerated(config) as accelerator:
        trainer, made = Trainer.fresh(config, accelerator), iter(batches)
        for _ in range(3):  # the first steps are slower
            trainer.learn(made)
        began = time.process_time()
        for _ in range(_STEPS):
            trainer.learn(made)
        learning = time.process_time() - began
    seen = sum(map(len, batches[3:]))
    yield (
        f"training, quick preset, one thread: {seen / learning:,.0f} examples/s; making "
        f"a batch (in another process) takes {making * _STEPS / learning:.2f} of learning from it"
    )


def decoding(model: IBR, examples: Sequence[Example]) -> Iterator[str]:
    order = random.Random(0).sample(list(examples), min(len(examples), 20 * BATCH))
    for name, questions in (
        ("every question with its own theory", order),
        ("in the file's order", examples),
    ):
        encode, decode, count = cost(model, questions)
        yield (
            f"{name}, batches of {BATCH}: decoding at beam {BEAMS} is {decode / encode:.2f} of "
            f"encoding ({count / (encode + decode):,.0f} questions/s)"
        )


def by_depth(model: IBR, examples: Sequence[Example]) -> Iterator[str]:
    """Whole cost and cost of decoding by depth of the gold proof, as ratios to depth 0.

    Decoding takes a step for each node of a proof, so it grows with depth. Depths alternate, batch
    by batch, so that other load on the machine affects all of them.
    """
    rng = random.Random(1)
    asked, costs = {}, {}
    for depth in range(6):
        at = [e for e in examples if e.depth == depth]
        asked[depth] = rng.sample(at, min(len(at), _TURNS * BATCH))
        costs[depth] = (0.0, 0.0)
    for turn in range(min(map(len, asked.values())) // BATCH):
        for depth, at in asked.items():
            encode, decode, _ = cost(model, at[turn * BATCH : (turn + 1) * BATCH])
            costs[depth] = (costs[depth][0] + encode, costs[depth][1] + decode)
    for depth, (encode, decode) in costs.items():
        whole = (encode + decode) / sum(costs[0])
        yield (
            f"depth {depth}: a question costs {whole:.2f} of one at depth 0, its decoding "
            f"{decode / costs[0][1]:.2f} ({decode / encode:.2f} of encoding)"
        )


def cost(model: IBR, examples: Sequence[Example]) -> tuple[float, float, int]:
    """Seconds of the encoder's forward pass, seconds of all else (node vectors, answer, strategy,
    search), and the number of questions."""
    read = reader_of(model.config, model.words)
    encoding = whole = 0.0
    count = 0

    def begin(*_: object) -> None:
        nonlocal encoding
        encoding -= time.process_time()

    def end(*_: object) -> None:
        nonlocal encoding
        encoding += time.process_time()

    encoder = model.encoder
    hooks = [encoder.register_forward_pre_hook(begin), encoder.register_forward_hook(end)]
    for first in range(0, len(examples) - BATCH + 1, BATCH):
        batch = read(grouped(examples[first : first + BATCH]))
        started = time.process_time()
        with torch.no_grad():
            encoded = model.encode(batch)
        search(IBRScorer(model, encoded), BEAMS)
        whole += time.process_time() - started
        count += BATCH
    for hook in hooks:
        hook.remove()
    return encoding, whole - encoding, count


def grouped(examples: Sequence[Example]) -> list[Asked]:
    """Neighbours that share a theory share its encoding."""
    asked: list[Asked] = []
    for example in examples:
        theory, question = (
            with_kinds(example.theory, default_words().kinds),
            example.problem.question,
        )
        if asked and asked[-1].theory == theory:
            asked[-1] = Asked(theory, [*asked[-1].questions, question])
        else:
            asked.append(Asked(theory, [question]))
    return asked
