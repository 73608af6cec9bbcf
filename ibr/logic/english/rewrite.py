"""The nearest form that can be read: proposals for a sentence that was refused.

Only proposes: `reader` offers a proposal after it has read it. A proposal may say more than the
sentence did (a hedge is gone); its author decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ibr.logic.english.refuse import HEDGES

_HEDGE = re.compile(rf",?\s*\b(?:{'|'.join(sorted(HEDGES))})\b,?", re.IGNORECASE)
_COMMENT = re.compile(r"^\w+ly,\s+", re.IGNORECASE)
_BRACKETS = re.compile(r"\s*[(\[][^)\]]*[)\]]")
_REASON = re.compile(
    r",?\s+(?:because|so that|in order to|although|though|otherwise|or else|until|while)\b.*$",
    re.IGNORECASE,
)
_ORDER = re.compile(r"^(?:please\s+|always\s+|make sure (?:to|that you)\s+|be sure to\s+)*", re.I)
_JOINT = re.compile(r";\s+|,\s+(?:and|but)\s+(?=[A-Za-z])")


def proposals(text: str, order: bool) -> Iterator[str]:
    """Candidates, the nearest first; each is one or more sentences. `order`: it is a command."""
    bare = text.strip().rstrip(".!;")
    said = [*_single(bare), *(_order(bare) if order else ())]
    yield from (sentence for sentence in map(_tidy, said) if sentence != _tidy(bare))
    parts = [_tidy(part) for part in _JOINT.split(bare)]
    if len(parts) > 1:
        yield " ".join(parts)


def _single(bare: str) -> Iterator[str]:
    yield bare
    yield _COMMENT.sub("", bare)
    yield _BRACKETS.sub("", bare)
    yield _REASON.sub("", bare)
    if re.match(r"(?:some|most|many|several|few)\s", bare, re.IGNORECASE):
        yield "All " + bare.split(maxsplit=1)[1]
    yield _HEDGE.sub("", bare)
    yield from _you(bare)
    yield re.sub(r"\b(may|can|must|should) only (\w+)(.*?) if\b", r"\1 \2\3 only if", bare)
    if re.match(r"\w+ (?:is|has|may|must|can|cannot|should|shall|will)\b", bare):
        yield f"Every {bare[:1].lower()}{bare[1:]}"
    yield re.sub(r"^The (\w+s) (are|have|may|must|can)\b", r"All \1 \2", bare)
    yield re.sub(
        r"^((?:if|when|whenever|unless)\b.*?,) (?:please )?(?=[a-z])",
        r"\1 everyone must ",
        bare,
        flags=re.I,
    )


def _you(bare: str) -> Iterator[str]:
    if re.match(r"(?:if|when|whenever|unless) you\b", bare, re.IGNORECASE):
        first = re.sub(r"\byou (are|have|do)\b", _third, bare, count=1, flags=re.IGNORECASE)
        if first == bare:
            first = re.sub(r"\byou\b", "someone", bare, count=1, flags=re.IGNORECASE)
        yield re.sub(r"\byou\b", "they", re.sub(r"\byour\b", "their", first))
    if re.match(r"you\b", bare, re.IGNORECASE):
        first = re.sub(r"^you\b", "Everyone", bare, flags=re.IGNORECASE)
        yield re.sub(r"\byou\b", "they", re.sub(r"\byour\b", "their", first))


def _third(match: re.Match[str]) -> str:
    return "someone " + {"are": "is", "have": "has", "do": "does"}[match.group(1).lower()]


def _order(bare: str) -> Iterator[str]:
    """Submit the form → Everyone must submit the form."""
    order = _ORDER.sub("", bare)
    negative = re.match(r"(?:do not|don't|never)\s+", order, re.IGNORECASE)
    rest = order[negative.end() :] if negative else order
    if rest:
        rest = rest[0].lower() + rest[1:]
        yield f"Nobody may {rest}" if negative else f"Everyone must {rest}"


def _tidy(sentence: str) -> str:
    text = re.sub(r"\s+", " ", sentence).strip(" ,;.")
    return f"{text[:1].upper()}{text[1:]}."
