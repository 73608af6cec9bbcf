"""Makes the weights of `ibr.kinds`: `python -m ibr.training.kinds --pararules FILE`.

A logistic regression on numpy, with a penalty that leaves most weights at zero. It learns from
ParaRules' train part, from generated sentences in all phrasings, and from `kinds.txt`, ordinary
sentences that were written for it. Nothing is drawn at random: the same data make the same weights.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ibr.data.generate import Recipe, make_theory
from ibr.data.pararules import Paraphrased
from ibr.files import writing
from ibr.kinds import WEIGHTS, Weights, features
from ibr.sources import Reader
from ibr.theory import Kind

Floats = npt.NDArray[np.float64]

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
_STEPS: Final = 400
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
    held_out = _by_paraphrase(Reader("dev").paraphrased(path), frozenset())
    unseen = frozenset(text for texts in held_out.values() for text in texts)
    return Parts(_by_paraphrase(Reader("train").paraphrased(path), unseen), held_out)


def _by_paraphrase(
    theories: Iterable[Paraphrased], without: frozenset[str]
) -> dict[str, dict[str, Kind]]:
    found: dict[str, dict[str, Kind]] = defaultdict(dict)
    for row in (row for theory in theories for row in theory.rows):
        if row.text not in without:
            found[row.paraphrase][row.text] = row.kind
    return found


def paraphrased(paraphrases: Iterable[Mapping[str, Kind]]) -> list[Labelled]:
    """A paraphrase counts once, with however many names it is told; what looks the same is one."""
    weights: dict[tuple[tuple[str, ...], Kind], float] = defaultdict(float)
    for texts in paraphrases:
        for text, kind in texts.items():
            weights[features(text), kind] += 1 / len(texts)
    return [Labelled(found, kind, weight) for (found, kind), weight in weights.items()]


def generated() -> list[Labelled]:
    """Every pattern of a generated sentence once."""
    theories = (make_theory(recipe, _SEED, k) for recipe in RECIPES for k in range(_THEORIES))
    said = {(features(s.text), s.kind) for made in theories for s in made.theory}
    return [Labelled(found, kind, _GENERATED) for found, kind in sorted(said)]


def ordinary() -> list[Labelled]:
    return [Labelled(features(text), kind, 1.0) for kind, text in read_ordinary()]


def read_ordinary() -> Iterator[tuple[Kind, str]]:
    for line in ORDINARY.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            kind, _, text = line.partition(": ")
            yield Kind(kind), text


def fit(sentences: Sequence[Labelled]) -> Weights:
    """Minimises Σ weight · log loss + _SPARSE · Σ|w| + _SMALL · Σw²/2; the bias is free.

    By accelerated proximal gradient steps (FISTA). Legend: R sentences, F features.
    """
    seen = Counter(feature for sentence in sentences for feature in sentence.features)
    names = sorted(feature for feature, times in seen.items() if times >= _SEEN)
    number = {name: place for place, name in enumerate(names)}
    columns = [[number[f] for f in s.features if f in number] for s in sentences]
    column = np.array([c for row in columns for c in row], dtype=np.int64)
    row = np.repeat(np.arange(len(columns)), [len(c) for c in columns])
    is_rule = np.array([s.kind is Kind.RULE for s in sentences], dtype=float)  # (R,)
    weight = np.array([s.weight for s in sentences])

    def odds(w: Floats) -> Floats:  # X w, (F + 1,) → (R,); the last one is the bias
        return np.bincount(row, w[column], len(sentences)) + w[-1]

    def back(g: Floats) -> Floats:  # Xᵀ g, (R,) → (F + 1,)
        return np.append(np.bincount(column, g[row], len(names)), g.sum())

    penalised = np.append(np.ones(len(names)), 0.0)
    rate = 1 / (0.25 * _largest(lambda v: back(weight * odds(v)), len(names) + 1) + _SMALL)
    w = ahead = np.zeros(len(names) + 1)
    momentum = 1.0
    for _ in range(_STEPS):
        probability = 1 / (1 + np.exp(-odds(ahead)))
        slope = back(weight * (probability - is_rule)) + _SMALL * penalised * ahead
        moved = ahead - rate * slope
        new = np.sign(moved) * np.maximum(np.abs(moved) - rate * _SPARSE * penalised, 0)
        faster = (1 + (1 + 4 * momentum**2) ** 0.5) / 2
        ahead = new + (momentum - 1) / faster * (new - w)
        w, momentum = new, faster
    rounded = (round(float(value), _DIGITS) for value in w[:-1])
    weights = {name: value for name, value in zip(names, rounded, strict=True) if value}
    return Weights(weights, round(float(w[-1]), _DIGITS))


def _largest(apply: Callable[[Floats], Floats], size: int) -> float:
    """The largest eigenvalue, a little more: after some turns the vector points its way."""
    vector = np.ones(size)
    length = 1.0
    for _ in range(30):
        vector = apply(vector)
        length = float(np.linalg.norm(vector))
        vector /= length
    return 1.02 * length


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m ibr.training.kinds", description=__doc__)
    parser.add_argument("--pararules", type=Path, required=True, help="ParaRules' mappings tsv")
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="default: the package's own")
    options = parser.parse_args()
    train = pararules(options.pararules).train
    sentences = [*paraphrased(train.values()), *generated(), *ordinary()]
    found = fit(sentences)
    with writing(str(options.out)) as stream:
        stream.write(json.dumps(found._asdict(), indent=1, ensure_ascii=False) + "\n")
    print(f"{len(found.weights):,} weights from {len(sentences):,} sentences: {options.out}")


if __name__ == "__main__":
    main()
