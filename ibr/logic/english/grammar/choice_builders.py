"""What the rules of english.txt make of "but not both", "not both", "some don't", "one of us"."""

from __future__ import annotations

from typing import Any

from ibr.logic.english.grammar.tree import NP, PP, Clause, Co
from ibr.logic.english.lexis.lists import LISTS


def one_of_two(tree: Any, op: str = "xor") -> Any:
    """Each is a swimmer or a climber, but not both."""
    if isinstance(tree, Co):
        return Co(op, tree.items) if tree.op == "or" else None
    found = [one_of_two(part, op) for part in tree] if isinstance(tree, tuple) else []
    changed = [k for k, part in enumerate(found) if part is not None]
    if len(changed) != 1:
        return None
    parts = (found[k] if k in changed else part for k, part in enumerate(tree))
    return type(tree)(*parts) if hasattr(tree, "_fields") else tuple(parts)


def of_some(clause: Any) -> Any:
    """Some cats like milk, and some don't: some do"""
    return clause if getattr(getattr(clause, "subj", None), "det", "") == "some" else None


def not_both(np: Any, vp: Any) -> Clause | None:
    """The pump and the heater are never on at the same time."""
    both = isinstance(np, Co) and np.op == "and"
    return Clause(Co("nand", np.items), vp) if both else None


def member_of(det: str, np: Any, at: int) -> NP | None:
    """one of the family, none of the staff"""
    if not isinstance(np, NP) or np.det not in ("the", "poss") or np.plural:
        return None
    of = (PP("of", np),)
    known = np.noun in LISTS["memberships"]
    return NP(det, "member", det != "a", posts=of, at=at, word="of") if known else None
