"""`python -m benchmarks roles --run FOLDER --data TSV`: accuracy of word roles on ParaRules.

The roles that the model predicts for the words of each distinct sentence
(`ibr.model.encoders.layers`) are compared with those in the file's logic. Needs torch.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

import torch

from ibr.data.formats.pararules import Paraphrased
from ibr.data.formats.sources import Reader
from ibr.inputs.arrays import Asked
from ibr.inputs.tokens import tokenize_theory
from ibr.model.batch import reader_of
from ibr.model.encoders.compact import CompactEncoder
from ibr.model.encoders.encoding import CompactInput
from ibr.model.ibr import IBR
from ibr.theory import Kind, Question
from ibr.training.checkpoint import load_model
from ibr.training.labels import roles


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks roles", description=__doc__)
    parser.add_argument("--run", type=Path, required=True, help="a model with word roles")
    parser.add_argument("--data", type=Path, required=True, help="ParaRules' tsv")
    parser.add_argument("--theories", type=int, default=84, help="of each part")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    model = load_model(options.run).eval()
    for split in ("train", "dev"):
        theories = islice(Reader(split).paraphrased(options.data), options.theories)
        print(summary(split, counts(model, theories)), flush=True)


def counts(model: IBR, theories: Iterable[Paraphrased]) -> Counter[tuple[str, bool]]:
    """How many words, facts and rules are right, and how many are not."""
    found: Counter[tuple[str, bool]] = Counter()
    seen: set[str] = set()
    for theory in theories:
        right = sentences(model, theory)
        for row, marks in zip(theory.rows, right, strict=True):
            if row.text in seen:
                continue
            seen.add(row.text)
            found[row.kind, all(marks)] += 1
            found.update(("words", mark) for mark in marks)
    return found


def sentences(model: IBR, theory: Paraphrased) -> list[list[bool]]:
    """For each sentence, whether the role of each labelled word is predicted."""
    config, encoder = model.config.compact, model.encoder
    batch = reader_of(model.config, model.words)([Asked(theory.theory, [Question("Bob is kind.")])])
    assert config is not None
    assert isinstance(encoder, CompactEncoder)
    assert isinstance(batch.input, CompactInput)
    tokens = tokenize_theory(theory.theory, model.words.known, config.channels)
    with torch.no_grad():
        _, logits = encoder.read_sentences(batch.input.theory)
    if logits is None:
        raise SystemExit("this model has no word roles: it was trained without word_roles")
    right: list[list[bool]] = [[] for _ in theory.rows]
    gold = roles(theory.program, tokens)
    for spot, role, guess in zip(tokens.spots, gold, logits[0].argmax(-1).tolist(), strict=False):
        if role >= 0:
            right[tokens.sentence[spot]].append(role == guess)
    return right


def summary(split: str, found: Counter[tuple[str, bool]]) -> str:
    parts = []
    for name in ("words", Kind.RULE, Kind.FACT):
        right, wrong = found[name, True], found[name, False]
        share = 100 * right / max(1, right + wrong)
        parts.append(f"{name} {share:.1f} % of {right + wrong:,}")
    return f"{split}: right {', '.join(parts)}"
