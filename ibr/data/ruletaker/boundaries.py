"""Where the sentences of a RuleTaker context begin and end, and which component each one is.

A record gives one running text. The boundaries come from the best witness at hand: the mappings
of ParaRules, the components of the meta file, or the full stops.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ibr.data.jsonl import FieldError
from ibr.data.pararules import Paraphrased
from ibr.logic.clause import Clause, Program
from ibr.theory import Kind, Sentence, Theory

_STOP: Final = re.compile(r"[^.]*\.|[^.]+$")
_PLAIN: Final = re.compile(r"\S.*?[.!?][\"')\]]*(?=\s|$)|\S.*$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Component:
    """A triple or rule of a meta file: `Component("triple1", "Bob is red.", clause)`."""

    name: str
    text: str
    clause: Clause | None

    @property
    def kind(self) -> Kind:
        return Kind.FACT if self.name.startswith("triple") else Kind.RULE


@dataclass(frozen=True, slots=True)
class Layout:
    """A context as a theory. `components` is None where nobody says which sentence is which;
    `guessed` marks boundaries that a plain splitter drew in paraphrased text."""

    theory: Theory
    components: tuple[tuple[str, ...], ...] | None = None
    program: Program | None = None
    guessed: bool = False


def split_stops(context: str) -> list[str]:
    """Every full stop ends a sentence, whatever the spacing (synthetic data)."""
    pieces = (" ".join(piece.split()) for piece in _STOP.findall(context))
    return [piece for piece in pieces if piece.strip(". ")]


def split_plain(context: str) -> list[str]:
    """A sentence ends at . ! or ? before a blank (written English)."""
    return [" ".join(piece.split()) for piece in _PLAIN.findall(context)]


def scrambled(context: str, scramble: Sequence[int], known: Sequence[Component]) -> Layout:
    """Sentence p is component `scramble[p]`, counted from 1."""
    if sorted(scramble) != list(range(1, len(scramble) + 1)):
        raise FieldError("meta.sentenceScramble", f"is not an order of 1..{len(scramble)}")
    if known and len(known) != len(scramble):
        raise FieldError(
            "meta.sentenceScramble",
            f"orders {len(scramble)} sentences, but the meta file has {len(known)} components",
        )
    order = [known[s - 1] for s in scramble] if known else []
    texts = [component.text for component in order]
    if not _says(texts, context):
        texts = split_stops(context)
    if len(texts) != len(scramble):
        raise FieldError(
            "context", f"{len(texts)} sentences, but sentenceScramble orders {len(scramble)}"
        )
    return _layout(texts, order, tuple(s - 1 for s in scramble))


def paraphrased(context: str, source: Paraphrased) -> Layout | None:
    """Boundaries of the mappings file; None if it tells of another text (the wrong split)."""
    if not _says([row.text for row in source.rows], context):
        return None
    return Layout(source.theory, source.components, source.program)


def unscrambled(context: str, known: Sequence[Component], natural: bool) -> Layout:
    """No order is given: components in file order, or matched by their text, or unknown."""
    if _says([component.text for component in known], context):
        return _layout([component.text for component in known], known, ())
    texts = split_plain(context) if natural else split_stops(context)
    order = _matched(texts, known)
    if order is None:
        return Layout(Theory.of(texts), guessed=natural)
    numbers = {component.name: i for i, component in enumerate(known)}
    return _layout(texts, order, tuple(numbers[component.name] for component in order))


def _layout(texts: Sequence[str], order: Sequence[Component], numbers: tuple[int, ...]) -> Layout:
    if not order:
        return Layout(Theory(tuple(map(Sentence, texts)), numbers))
    kinds = [component.kind for component in order]
    theory = Theory(tuple(map(Sentence, texts, kinds)), numbers)
    clauses = [component.clause for component in order]
    program = None
    if None not in clauses:
        program = Program(tuple((c,) for c in clauses if c is not None), theory.numbers)
    return Layout(theory, tuple((component.name,) for component in order), program)


def _matched(texts: Sequence[str], known: Sequence[Component]) -> list[Component] | None:
    """The component of each text, each used once; None unless it comes out even."""
    if not known or len(texts) != len(known):
        return None
    by_text: dict[str, list[Component]] = {}
    for component in reversed(known):
        by_text.setdefault(_squeezed(component.text), []).append(component)
    found = [waiting.pop() for text in texts if (waiting := by_text.get(_squeezed(text)))]
    return found if len(found) == len(texts) else None


def _says(texts: Sequence[str], context: str) -> bool:
    return bool(texts) and _squeezed(" ".join(texts)) == _squeezed(context)


def _squeezed(text: str) -> str:
    return " ".join(text.split())
