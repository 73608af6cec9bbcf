"""Begin with what another model has learned: `ibr train --start RUN`.

The other may be smaller in what does not change the meaning of its weights: fewer layers that read
a sentence, a shorter table of places. What it has not stays as drawn.
"""

from __future__ import annotations

from pathlib import Path

from ibr import checkpoint
from ibr.model.config import ConfigError
from ibr.model.ibr import IBR
from ibr.tokens import SYMBOL


def start_from(model: IBR, folder: Path) -> None:
    """Copy the weights of a run folder or model folder. Raises ConfigError if they do not fit."""
    mine = model.state_dict()
    theirs = checkpoint.weights_of(checkpoint.model_folder(folder))
    for name, weight in theirs.items():
        place = mine.get(name)
        if place is None:
            raise ConfigError(f"start {folder}: its {name} has no place in this model")
        if place.shape[1:] != weight.shape[1:] or len(place) < len(weight):
            raise ConfigError(
                f"start {folder}: its {name} is {tuple(weight.shape)}, here {tuple(place.shape)}"
            )
        place[: len(weight)] = weight
        if name == "encoder.local.word.weight":
            place[len(weight) :] = weight[SYMBOL]  # words that it did not know were symbols to it
