"""The figures of RuleTaker's DU5 dev (484 theories, 10,068 questions), as counted on its files.

Names are those of `statistics.describe`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ibr.data.statistics import Figure, Unit

_MEANS: Final = {
    "facts": (10.5, 7, 16),
    "rules": (8.05, 5, 9),
    "sentences": (18.5, 12, 25),
    "questions": (20.8, 12, 24),
    "entities": (4, 4, 4),
    "words of the context": (117, 49, 232),
    "words of a fact": (3.9, None, None),
    "words of a rule": (9.4, None, None),
}
# Occurrences, not distinct sentences: only so do the means of real proofs come out.
_SIZES: Final = (0.31, 1.50, 3.08, 4.85, 6.90, 9.33)  # by depth

_COUNTS: Final = {
    "theories": {"AttNoneg": 150, "AttNeg": 128, "RelNoneg": 104, "RelNeg": 102},
    "rules": {"If": 2616, "All": 656, "bare plural": 622},
    "questions": {
        "proof": 2904, "inv-proof": 2904, "rconc": 997, "inv-rconc": 1115,
        "random": 1133, "inv-random": 1015,
    },
    "proof at depth": {str(depth): 484 for depth in range(6)},
    "inv-proof at depth": {str(depth): 484 for depth in range(6)},
    "rconc at depth": {"1": 633, "2": 209, "3": 97, "4": 38, "5": 11, "6": 9},
    "inv-rconc at depth": {"1": 703, "2": 259, "3": 100, "4": 35, "5": 11, "6": 6, "7": 1},
}  # fmt: skip

_FAMILIES: Final = ("AttNoneg", "AttNeg", "RelNoneg", "RelNeg")
_PER_FAMILY: Final = {
    "negative facts": (0, 5.6, 0, 9.5),
    "relational facts": (0, 0, 67.9, 68.1),
    "1-condition rules": (50.8, 52.1, 56.0, 54.0),
    "rules with NAF": (0, 16.5, 0, 23.9),
    "negative heads": (0, 5.0, 0, 8.1),
    "ground rules": (12.7, 13.6, 11.9, 13.9),
    "variable body, ground head": (0, 0, 32.0, 33.7),
    "relational heads": (0, 0, 65.7, 69.5),
}  # per cent


def _du5() -> dict[str, Figure]:
    figures = {name: Figure(Unit.MEAN, *given) for name, given in _MEANS.items()}
    for depth, size in enumerate(_SIZES):
        figures[f"size of the shortest proof, depth {depth}"] = Figure(Unit.MEAN, size)
    figures["theories: someone, not something"] = Figure(Unit.SHARE, 0.5)
    figures["questions: true"] = Figure(Unit.SHARE, 0.5)
    for name, counts in _COUNTS.items():
        for kind, count in counts.items():
            figures[f"{name}: {kind}"] = Figure(Unit.SHARE, count / sum(counts.values()))
    for name, shares in _PER_FAMILY.items():
        for family, share in zip(_FAMILIES, shares, strict=True):
            figures[f"{family}: {name}"] = Figure(Unit.SHARE, share / 100)
    return figures


DU5_DEV: Final[Mapping[str, Figure]] = _du5()
