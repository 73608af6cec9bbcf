"""Numbers in words and digits, and the words that set bounds."""

from __future__ import annotations

import re

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES = {word: k for k, word in enumerate(_ONES)}
_VALUES |= {word: 10 * k for k, word in enumerate(_TENS, start=2)}
_VALUES |= {"a hundred": 100, "a thousand": 1000, "a million": 1_000_000}
_DIGITS = re.compile(r"\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?")
ABOVE = {"more than": 1, "over": 1, "above": 1, "exceeding": 1, "at least": 0}
BELOW = {"less than": -1, "fewer than": -1, "under": -1, "below": -1, "at most": 0}
_BOUND = re.compile(rf"({'|'.join((*ABOVE, *BELOW, 'exactly'))}) (.+)")


def number_of(text: str) -> float | None:
    """seventy-five, 1,000, a hundred"""
    if _DIGITS.fullmatch(text):
        return float(text.replace(",", ""))
    tens, _, ones = text.partition("-")
    if ones and tens in _TENS and 0 < _VALUES.get(ones, 0) < 10:
        return _VALUES[tens] + _VALUES[ones]
    return _VALUES.get(text)


def bound_of(text: str) -> tuple[str, str]:
    """more than two: the bound and the rest"""
    match = _BOUND.fullmatch(text)
    return (match[1], match[2]) if match else ("", text)


def is_count(text: str) -> bool:
    """ten, at least ten"""
    return number_of(bound_of(text)[1]) is not None
