"""Module 2 (§3.4): which node of the path gets the next child.

Legend: R paths, L positions, S steps scored at once (all of them in training, one in search),
D hidden.
"""

from __future__ import annotations

from torch import Tensor, nn

from ibr.model.growth import MOST, Growth
from ibr.model.node_encoder import attention_scores


class ParentNode(nn.Module):
    """Eq. 1. Departure: the loss is categorical cross-entropy over the softmax, as the paper's text
    says; the released code used a binary one for each position.

    With `counts`, a node that has c children so far, and is or is not the last of the path, adds
    its wish for one more to its logit: a linear function of its vector for each c.
    """

    def __init__(self, hidden: int, counts: bool = False) -> None:
        super().__init__()
        self.wish = nn.Linear(hidden, 2 * (MOST + 1)) if counts else None
        self.path_lstm = nn.LSTM(hidden, hidden, batch_first=True)
        self.query = nn.Linear(hidden, hidden)  # f_Q
        self.key = nn.Linear(hidden, hidden)  # f_K

    def forward(self, path: Growth) -> Tensor:
        """Logits (R, S, L), -inf where not seen."""
        h_g = path.read(self.path_lstm)  # (R, S, D)
        scores = attention_scores(self.query(h_g), path.through(self.key))  # Eq. 1
        if self.wish is not None:
            case = path.children + (MOST + 1) * path.is_last.long()  # (R, S, L)
            wishes = path.through(self.wish).unsqueeze(1).expand(-1, case.shape[1], -1, -1)
            scores = scores + wishes.gather(-1, case.unsqueeze(-1))[..., 0]
        return scores.masked_fill(~path.seen, float("-inf"))
