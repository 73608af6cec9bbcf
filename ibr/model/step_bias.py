"""What this package adds to the logits of the paper's parent and child modules.

The `paper` preset has no such module. Three terms: the number of children of a node (for the
parent, and in h_F), and the link scores of the compact encoder (`encoders.links`, with the rank of
a rule in the text among them).

Legend: P paths, L positions, S steps scored at once, R readings, X nodes of the batch, D hidden.
"""

from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ibr.model.encoders.encoding import Linked
from ibr.model.nodes import PathState

MAX_CHILD_COUNT: Final = 4  # higher counts share the embedding of this one


class StepBias(nn.Module):
    """Additive terms only. Without `counts` all that is left is `links`."""

    def __init__(self, hidden: int, counts: bool) -> None:
        super().__init__()
        cases = MAX_CHILD_COUNT + 1
        self.child_count_bias = nn.Linear(hidden, 2 * cases) if counts else None
        self.sibling_count = nn.Embedding(cases, hidden) if counts else None

    def parent(self, path: PathState) -> Tensor:
        """(P, S, L): a linear function of the node, one for each child count, last or not."""
        if self.child_count_bias is None:
            return path.vectors.new_zeros(())
        count = path.child_count.clamp(max=MAX_CHILD_COUNT)
        case = count + (MAX_CHILD_COUNT + 1) * path.is_last.long()
        bias = path.through(self.child_count_bias).unsqueeze(1).expand(-1, case.shape[1], -1, -1)
        return bias.gather(-1, case.unsqueeze(-1))[..., 0]

    def focus(self, path: PathState, parent: Tensor) -> Tensor:
        """(P, S, D), added to h_F: the embedding of the parent's child count."""
        if self.sibling_count is None:
            return path.vectors.new_zeros(())
        count = path.siblings(parent).sum(-1).clamp(max=MAX_CHILD_COUNT)
        embedded: Tensor = self.sibling_count(count)
        return embedded

    def links(self, path: PathState, parent: Tensor, below: Tensor, beside: Tensor) -> Tensor:
        """(P, S, R): links (X, R) of a reading below its parent and beside its siblings."""
        siblings = path.siblings(parent).to(beside.dtype)  # (P, S, L)
        under = F.embedding(path.nodes.gather(1, parent), below)
        return under + torch.matmul(siblings, F.embedding(path.nodes, beside))


def node_links(linked: Linked) -> tuple[Tensor, Tensor]:
    """The links of every node of `Encoded.nodes`, (X, R) below and beside; none of NAF."""
    none = torch.zeros_like(linked.asked)
    below = torch.cat([linked.below.flatten(0, 1), none, linked.asked])
    return below, torch.cat([linked.beside.flatten(0, 1), none, none])
