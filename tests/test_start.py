"""`--start`: training begins with the weights of another model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from tiny import COMPACT, model_config, run_config

from ibr.inputs.model_words import SYMBOL
from ibr.model.config import ConfigError
from ibr.model.ibr import IBR
from ibr.training.checkpoint import publish, start_from
from ibr.training.loop import Trainer
from ibr.training.processes import accelerated


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    torch.manual_seed(1)
    publish(IBR(model_config()), tmp_path / "small")
    return tmp_path / "small"


def test_the_same_shape_takes_everything(folder: Path) -> None:
    config = run_config(start=str(folder))
    with accelerated(config) as accelerator:
        trainer = Trainer.fresh(config, accelerator)
    torch.manual_seed(1)
    first = IBR(model_config())
    mine, theirs = trainer.model.state_dict(), first.state_dict()
    assert mine.keys() == theirs.keys()
    assert all(torch.equal(mine[name], theirs[name]) for name in mine)


def test_a_larger_model_keeps_what_the_smaller_has_not(folder: Path) -> None:
    larger = replace(COMPACT, local_layers=2, positions=COMPACT.positions + 8)
    torch.manual_seed(2)
    model = IBR(model_config(compact=larger))
    drawn = {name: weight.clone() for name, weight in model.state_dict().items()}
    start_from(model, folder)
    torch.manual_seed(1)
    theirs = IBR(model_config()).state_dict()
    for name, weight in model.state_dict().items():
        known = len(theirs[name]) if name in theirs else 0
        if known:
            assert torch.equal(weight[:known], theirs[name])
        assert torch.equal(weight[known:], drawn[name][known:])
    assert any(name not in theirs for name in drawn)


def test_words_that_the_other_did_not_know_begin_as_symbols(folder: Path) -> None:
    model = IBR(model_config(compact=replace(COMPACT, words=COMPACT.words + 3)))
    start_from(model, folder)
    words = model.state_dict()["encoder.local.word.weight"]
    assert torch.equal(words[COMPACT.words :], words[SYMBOL].expand(3, -1))


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"hidden": 32}, "here"),
        ({"compact": replace(COMPACT, positions=COMPACT.positions - 1)}, "here"),
        ({"focus_lstm": False}, "has no place"),
    ],
)
def test_what_does_not_fit_is_named(folder: Path, other: dict[str, object], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        start_from(IBR(model_config(**other)), folder)
