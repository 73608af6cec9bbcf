"""Fit the weights of `ibr.inputs.kinds`: `python -m benchmarks fit_kinds --pararules FILE`.

A logistic regression by scikit-learn, with a penalty that leaves most weights at zero. It learns
from ParaRules' train part, from generated sentences in all phrasings, and from the ordinary
sentences of `kinds.txt`, written for it. The same data give the same weights.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from ibr.data.formats.jsonl import writing
from ibr.data.formats.sources import Reader
from ibr.data.making.generator import Recipe, make_theory
from ibr.inputs.kinds import KindClassifier
from ibr.inputs.model_words import KINDS, default_words
from ibr.theory import Kind

ORDINARY: Final = Path(__file__).with_name("kinds.txt")
RECIPES: Final = (
    Recipe(depth=3),
    Recipe(depth=3, vocabulary="open"),
    Recipe(depth=3, preset="wide", vocabulary="open"),
)
_THEORIES: Final = 150  # of each recipe
_SEED: Final = 7
_GENERATED: Final = 0.25  # the weight of a generated sentence; of the others, 1

# Chosen by five-fold cross-validation on ParaRules' train part.
_SPARSE: Final = 0.05  # weight of the sum of |w|
_SMALL: Final = 1.0  # of the sum of w²/2
_SEEN: Final = 2  # a feature must be in so many different sentences
_STEPS: Final = 1000
_TOLERANCE: Final = 1e-4
_DIGITS: Final = 3


class Labelled(NamedTuple):
    features: tuple[str, ...]
    kind: Kind
    weight: float


class Parts(NamedTuple):
    """Distinct sentences of the splits `train` and `dev`, by paraphrase; none is in both."""

    train: Mapping[str, Mapping[str, Kind]]
    held_out: Mapping[str, Mapping[str, Kind]]


def pararules(path: Path) -> Parts:
    """The file as it is split for training and evaluation."""
    parts: list[dict[str, dict[str, Kind]]] = []
    seen: set[str] = set()
    for split in ("dev", "train"):
        found: dict[str, dict[str, Kind]] = defaultdict(dict)
        for row in (row for theory in Reader(split).paraphrased(path) for row in theory.rows):
            if row.text not in seen:
                found[row.paraphrase][row.text] = row.kind
        seen.update(text for texts in found.values() for text in texts)
        parts.append(found)
    held_out, train = parts
    return Parts(train, held_out)


def paraphrased(paraphrases: Iterable[Mapping[str, Kind]]) -> list[Labelled]:
    """A paraphrase counts once, with any number of names; equal features are one row."""
    weights: dict[tuple[tuple[str, ...], Kind], float] = defaultdict(float)
    for texts in paraphrases:
        for text, kind in texts.items():
            weights[_features(text), kind] += 1 / len(texts)
    return [Labelled(found, kind, weight) for (found, kind), weight in weights.items()]


def generated() -> list[Labelled]:
    """Every pattern of a generated sentence once."""
    theories = (make_theory(recipe, _SEED, k) for recipe in RECIPES for k in range(_THEORIES))
    patterns = {(_features(s.text), s.kind) for made in theories for s in made.theory}
    return [Labelled(found, kind, _GENERATED) for found, kind in sorted(patterns)]


def ordinary() -> list[Labelled]:
    return [Labelled(_features(text), kind, 1.0) for kind, text in read_ordinary()]


def read_ordinary() -> Iterator[tuple[Kind, str]]:
    for line in ORDINARY.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            kind, _, text = line.partition(": ")
            yield Kind(kind), text


def _features(text: str) -> tuple[str, ...]:
    return default_words().kinds.features(text)


def fit(sentences: Sequence[Labelled]) -> KindClassifier:
    """Minimise Σ weight · log loss + _SPARSE · Σ|w| + _SMALL · Σw²/2; the bias is free."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    vectorizer = CountVectorizer(analyzer=lambda row: row, min_df=_SEEN, dtype=float)
    whole = _SPARSE + _SMALL
    model = LogisticRegression(
        solver="saga", C=1 / whole, l1_ratio=_SPARSE / whole, tol=_TOLERANCE, max_iter=_STEPS,
        random_state=0,
    )  # fmt: skip
    is_rule = [s.kind is Kind.RULE for s in sentences]
    model.fit(
        vectorizer.fit_transform([s.features for s in sentences]),
        is_rule,
        [s.weight for s in sentences],
    )
    pairs = zip(vectorizer.get_feature_names_out(), model.coef_[0], strict=True)
    rounded = {str(name): round(float(value), _DIGITS) for name, value in pairs}
    return KindClassifier(
        {
            **default_words().kinds.data,
            "bias": round(float(model.intercept_[0]), _DIGITS),
            "weights": {name: value for name, value in rounded.items() if value},
        }
    )


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks fit_kinds", description=__doc__)
    parser.add_argument("--pararules", type=Path, required=True, help="ParaRules' mappings tsv")
    parser.add_argument("--out", type=Path, default=Path(KINDS), help="kinds.json of a model")
    options = parser.parse_args(arguments)
    train = pararules(options.pararules).train
    sentences = [*paraphrased(train.values()), *generated(), *ordinary()]
    found = fit(sentences)
    with writing(str(options.out)) as stream:
        stream.write(json.dumps(found.data, indent=1, ensure_ascii=False) + "\n")
    print(f"{len(found.weights):,} weights from {len(sentences):,} sentences: {options.out}")
