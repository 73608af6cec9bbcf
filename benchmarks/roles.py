"""`python -m benchmarks roles --run FOLDER --data TSV`: how well words of ParaRules are read.

Of each distinct sentence, what the model finds that its words do (`ibr.model.roles`) is compared
with what they do in the file's logic. Needs torch.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

import torch

from ibr.checkpoint import from_pretrained
from ibr.data.pararules import Paraphrased
from ibr.model.batch import Asked
from ibr.model.compact import CompactEncoder
from ibr.model.compact_input import CompactInput
from ibr.model.encoders import reader_of
from ibr.model.hints import roles
from ibr.model.ibr import IBR
from ibr.sources import Reader
from ibr.theory import Kind, Question
from ibr.tokens import read_theory


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks roles", description=__doc__)
    parser.add_argument("--run", type=Path, required=True, help="a model that finds roles")
    parser.add_argument("--data", type=Path, required=True, help="ParaRules' tsv")
    parser.add_argument("--theories", type=int, default=84, help="of each part")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    model = from_pretrained(options.run).eval()
    for split in ("train", "dev"):
        theories = islice(Reader(split).paraphrased(options.data), options.theories)
        print(told(split, counts(model, theories)), flush=True)


def counts(model: IBR, theories: Iterable[Paraphrased]) -> Counter[tuple[str, bool]]:
    """Of words, facts and rules: how many are right, and how many are not."""
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
    """Of each sentence, whether each word that has a role, or none, is found to."""
    config, encoder = model.config.compact, model.encoder
    batch = reader_of(model.config)([Asked(theory.theory, [Question("Bob is kind.")])])
    assert config is not None
    assert isinstance(encoder, CompactEncoder)
    assert isinstance(batch.input, CompactInput)
    tokens = read_theory(theory.theory, config.channels)
    with torch.no_grad():
        _, logits = encoder.read_sentences(batch.input.theory)
    if logits is None:
        raise SystemExit("this model does not find roles: it was trained without word_roles")
    right: list[list[bool]] = [[] for _ in theory.rows]
    said = roles(theory.program, tokens)
    for spot, role, guess in zip(tokens.spots, said, logits[0].argmax(-1).tolist(), strict=False):
        if role >= 0:
            right[tokens.sentence[spot]].append(role == guess)
    return right


def told(split: str, found: Counter[tuple[str, bool]]) -> str:
    parts = []
    for name in ("words", Kind.RULE, Kind.FACT):
        right, wrong = found[name, True], found[name, False]
        share = 100 * right / max(1, right + wrong)
        parts.append(f"{name} {share:.1f} % of {right + wrong:,}")
    return f"{split}: right {', '.join(parts)}"
