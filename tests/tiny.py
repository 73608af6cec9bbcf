"""Models and runs so small that a test can train them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import torch

from ibr.data.example import Example, by_theory, write_jsonl
from ibr.data.generate import Recipe, generate
from ibr.model.batch import Asked, Batch, make_batch
from ibr.model.config import CompactConfig, IBRConfig
from ibr.model.gold import with_gold
from ibr.model.ibr import IBR
from ibr.training.config import Ingredient, TrainConfig

COMPACT = CompactConfig(
    word_roles=True,
    ranks=3,
    whom=True,
    width=16,
    local_layers=1,
    theory_turns=2,
    question_turns=1,
    heads=2,
    codes=32,
    channels=4,
)

# The same for `ibr train --set`.
SMALL = (
    "width=16", "hidden=16", "theory_turns=2", "heads=2", "focus_heads=2", "channels=4",
    "dev_questions=8", "questions=4",
)  # fmt: skip


def model_config(**other: Any) -> IBRConfig:
    settings: dict[str, Any] = {
        "compact": COMPACT, "hidden": 16, "focus_lstm_hidden": 8, "focus_layers": 1,
        "focus_heads": 2, "dropout": 0.1,
    }  # fmt: skip
    return IBRConfig(**settings | other)


def run_config(**other: Any) -> TrainConfig:
    settings: dict[str, Any] = {
        "model": model_config(), "data": (Ingredient(depth=1),), "theories": 2, "questions": 4,
        "steps": 8, "warmup": 2, "threads": 1, "workers": 0, "dev": Ingredient(depth=1),
        "dev_questions": 8, "dev_beams": 2, "eval_every": 100, "save_every": 2,
    }  # fmt: skip
    return TrainConfig(**settings | other)


def examples(depth: int = 1, theories: int = 3, seed: int = 5) -> list[Example]:
    return [e for group in generate(Recipe(depth=depth), seed, theories) for e in group]


def team_part(rank: int, size: int) -> tuple[IBR, Batch]:
    """The same model for all, and every size-th of three theories with 1, 3 and 4 questions."""
    torch.manual_seed(0)
    model = IBR(model_config(dropout=0.0))
    groups = [g[:count] for g, count in zip(by_theory(examples(2)), (1, 3, 4), strict=True)]
    own = groups[rank::size]
    asked = [Asked(group[0].theory, [e.problem.question for e in group]) for group in own]
    return model, with_gold(make_batch(asked, COMPACT.channels, COMPACT.codes), own, Still())


class Still(random.Random):
    """Shuffles nothing, so that a share of a batch has the paths of the whole."""

    def shuffle(self, x: Any) -> None:
        pass


def data_file(folder: Path, found: list[Example]) -> Path:
    path = folder / "data.jsonl"
    write_jsonl(path, found)
    return path
