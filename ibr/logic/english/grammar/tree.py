"""A proof as an indented tree of the theory's own sentences, numbered from 1.

Each sentence stands above those it was applied to. A part of the proof that is needed again is
shown once and referred to. Of a fail-proof, the chain of rules that failed deepest.
"""

from __future__ import annotations

from collections.abc import Iterator

from ibr.drawing.picture import NAF_TEXT
from ibr.drawing.text import plain
from ibr.proof import NAF, Proof, Tree
from ibr.theory import Strategy, Theory


def proof_lines(theory: Theory, proof: Proof, indent: str = "") -> Iterator[str]:
    """`[4] Birds can fly.`, and what it rests on further to the right."""
    if proof.root is None:
        yield f"{indent}(nothing shows it)"
        return
    parts = _numbered(proof.root)
    shown: set[int] = set()
    stack = [(proof.root, indent)]
    while stack:  # not recursion: a proof may be deeper than Python's stack
        tree, indent = stack.pop()
        part = parts[id(tree)]
        if tree.premises and part in shown:
            yield f"{indent}[{tree.node + 1}] (as shown above)"
            continue
        shown.add(part)
        yield f"{indent}{_cited(theory, tree.node)}"
        stack.extend((premise, f"{indent}  ") for premise in reversed(tree.premises))
        if proof.strategy is Strategy.FAIL_PROOF and not tree.premises:
            yield f"{indent}  (FAIL: nothing shows what [{tree.node + 1}] needs)"


def _cited(theory: Theory, node: int) -> str:
    return f"(NAF: {NAF_TEXT})" if node == NAF else f"[{node + 1}] {plain(theory[node].text)}"


def _numbered(root: Tree) -> dict[int, int]:
    """For the id of each tree a number that equal trees share; linear, though parts are shared."""
    numbers: dict[tuple[int, tuple[int, ...]], int] = {}
    parts: dict[int, int] = {}
    stack = [root]
    while stack:
        tree = stack[-1]
        waiting = [premise for premise in tree.premises if id(premise) not in parts]
        if waiting:
            stack.extend(waiting)
            continue
        stack.pop()
        shape = (tree.node, tuple(parts[id(premise)] for premise in tree.premises))
        parts[id(tree)] = numbers.setdefault(shape, len(numbers))
    return parts
