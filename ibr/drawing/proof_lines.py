"""Proofs as lines of text: an indented tree of sentences, numbered from 1, and a model's search.

Each sentence stands above those that it was applied to. A part of the proof that is needed again is
shown once and referred to. Of a fail-proof, the chain of rules that failed deepest is shown.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from ibr.decoding.events import by_node
from ibr.decoding.search import ScoredPath
from ibr.drawing.picture import NOTHING, Captions, nothing_shows
from ibr.drawing.text import plain
from ibr.logic.checking.derivation import DerivedStep
from ibr.logic.clause import Literal, Name
from ibr.logic.english.lexis.knowledge import used
from ibr.logic.surface.wording import attribute
from ibr.proof import END, NAF, Path, Proof, Tree
from ibr.theory import Strategy, Theory

LEGEND: Final = (
    "Each step puts a child under a parent; END completes the proof. Percentages are the model's"
    " probabilities."
)
_SHOWN: Final = 3  # parents and children of a step, the likeliest
_LEAST: Final = 0.0005  # less would be printed as 0.0 %


def step_lines(theory: Theory, steps: Sequence[DerivedStep], indent: str = "") -> Iterator[str]:
    """`[4] Birds can fly.`, and its premises further to the right; the last step is on top."""
    below = {(step.node, step.conclusion): step.premises for step in steps}
    shown: set[tuple[int, Literal]] = set()
    stack = [(steps[-1].node, steps[-1].conclusion, indent)]
    while stack:  # not recursion: a proof may be deeper than Python's stack
        node, literal, indent = stack.pop()
        if node == NAF:
            yield f"{indent}({nothing_shows(literal)})"
        elif (node, literal) in shown and below[node, literal]:
            yield f"{indent}[{node + 1}] (as shown above)"
        else:
            shown.add((node, literal))
            yield f"{indent}{_quoted(theory, node)}{_known(theory, node, literal)}"
            premises = reversed(below[node, literal])
            stack.extend((p.source, p.literal, f"{indent}  ") for p in premises)


def _known(theory: Theory, node: int, literal: Literal) -> str:
    """What a sentence does not say itself, but every child knows."""
    is_kind = literal.relation == "is" and literal.positive and isinstance(literal.object, Name)
    noun = used(theory.sentences[node].text, literal.object) if is_kind else ""
    return f" (common knowledge: every {noun} is {attribute(literal.object)})" if noun else ""


def proof_lines(theory: Theory, proof: Proof, indent: str = "", end: str = NOTHING) -> list[str]:
    """The same for a fail-proof, and `end`, where it ends; or for a proof without its steps."""
    lines = list(_tree_lines(theory, proof.root, indent)) if proof.root else []
    if proof.strategy is Strategy.FAIL_PROOF:
        lines.append(f"{indent}{'  ' * len(lines)}({end})")
    return lines


def _tree_lines(theory: Theory, root: Tree, indent: str) -> Iterator[str]:
    parts = _numbered(root)
    shown: set[int] = set()
    stack = [(root, indent)]
    while stack:
        tree, indent = stack.pop()
        part = parts[id(tree)]
        if tree.premises and part in shown:
            yield f"{indent}[{tree.node + 1}] (as shown above)"
            continue
        shown.add(part)
        yield f"{indent}{f'({Captions().naf})' if tree.node == NAF else _quoted(theory, tree.node)}"
        stack.extend((premise, f"{indent}  ") for premise in reversed(tree.premises))


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


def trace_lines(theory: Theory, found: ScoredPath, sentence: Sequence[int]) -> Iterator[str]:
    """Three lines a step: which child was put under which parent, and the likeliest of both.

    `sentence[i]` is the sentence of reading i, as the columns of the trace count them; the
    probabilities of the readings of one sentence are added.
    """
    places = _places(found.path)
    steps = zip(found.path.steps, found.trace, strict=True)
    for number, (step, trace) in enumerate(steps, start=1):
        if step.child == END:
            yield f"Step {number}: the proof is complete"
        else:
            yield f"Step {number}, under {places[step.parent]}: {_quoted(theory, step.child)}"
        parents = _likeliest(dict(enumerate(trace.parents.tolist())), step.parent)
        children = _likeliest(by_node(trace, sentence), step.child)
        yield f"  parents:  {_shares((places[place], p) for place, p in parents)}"
        yield f"  children: {_shares((_cited(node), p) for node, p in children)}"


def _likeliest(weights: Mapping[int, float], chosen: int) -> Iterator[tuple[int, float]]:
    """Likeliest first; what was chosen is always among them."""
    ranked = sorted(weights.items(), key=lambda item: (-item[1], item[0] < 0, item[0]))
    for rank, (name, weight) in enumerate(ranked):
        if name == chosen or (rank < _SHOWN and weight >= _LEAST):
            yield name, weight


def _places(path: Path) -> list[str]:
    """What stands at each position; the step is named where a sentence stands at several."""
    often = Counter(path.nodes)
    return [
        "the question"
        if node is None
        else f"{_cited(node)}{f' of step {place}' if often[node] > 1 else ''}"
        for place, node in enumerate(path.nodes)
    ]


def _quoted(theory: Theory, node: int) -> str:
    return _cited(node) if node == NAF else f"{_cited(node)} {plain(theory[node].text)}"


def _cited(node: int) -> str:
    return {NAF: "NAF", END: "END"}.get(node, f"[{node + 1}]")


def _shares(weights: Iterable[tuple[str, float]]) -> str:
    return ", ".join(f"{name} {100 * weight:.1f} %" for name, weight in weights)
