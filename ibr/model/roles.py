"""What each word does in its sentence: nothing, or it is part of what is concluded or asked for.

The first thing to know of a sentence said freely: of "big, cold people have a rough time, and green
skin" the words big, cold and rough ask, green is concluded, and time and skin do nothing. The hints
tell it in training (`ibr.model.hints`); what is found is added to the states of the words.
"""

from __future__ import annotations

from enum import IntEnum

from torch import Tensor, nn


class Role(IntEnum):
    NONE = 0
    SAID = 1  # of a fact, or what a rule concludes
    DENIED = 2  # the same, negated
    ASKED = 3  # of a condition
    ABSENT = 4  # of a condition that something does not hold


class Roles(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.tell = nn.Linear(width, len(Role))
        self.add = nn.Linear(len(Role), width, bias=False)
        nn.init.zeros_(self.add.weight)  # a model that starts without roles stays as it is

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """States (…, D) of words → the same with their roles added; logits (…, roles)."""
        logits = self.tell(x)
        return x + self.add(logits.softmax(-1)), logits
