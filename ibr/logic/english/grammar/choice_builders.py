"""What the rules of english.txt make of "but not both", "or both" and "not both"."""

from __future__ import annotations

from typing import Any

from ibr.logic.english.grammar.tree import Clause, Co


def exclusive(tree: Any, op: str = "xor") -> Any:
    """Each is a swimmer or a climber, but not both."""
    if isinstance(tree, Co):
        return Co(op, tree.items) if tree.op == "or" else None
    found = [exclusive(part, op) for part in tree] if isinstance(tree, tuple) else []
    changed = [k for k, part in enumerate(found) if part is not None]
    if len(changed) != 1:
        return None
    parts = (found[k] if k in changed else part for k, part in enumerate(tree))
    return type(tree)(*parts) if hasattr(tree, "_fields") else tuple(parts)


def not_both(np: Any, vp: Any) -> Clause | None:
    """The pump and the heater are never on at the same time."""
    return Clause(Co("nand", np.items), vp) if np.op == "and" else None
