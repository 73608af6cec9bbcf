"""Numbers in words and digits, and the words that set bounds."""

from __future__ import annotations

import re

from ibr.logic.english.lexis.lists import LISTS

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES = {word: k for k, word in enumerate(_ONES)}
_VALUES |= {word: 10 * k for k, word in enumerate(_TENS, start=2)}
_VALUES |= {"a hundred": 100, "a thousand": 1000, "a million": 1_000_000}
_DIGITS = re.compile(r"\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?")
_UNITS = dict(map(str.split, LISTS["unit-signs"]))
_FIGURE = rf"(?:\d[\d.,]*|{'|'.join((*_ONES, *_TENS))})"
_AFTER = re.compile(
    r"(?<![\w.,])(\d+(?:[.,]\d+)*) ?(?:(kg|[mck]m|ml|€|°C?)(?![\w°-])|([gmlh%$]|min)"
    r"(?=[.,!?]|$| (?:of|or|and|in|on|for|from|to|at|is|are|may|must|can|has|have|costs?|needs?)\b"
    r"| (?:full|empty|charged|tall|high|long|deep|wide|thick|old|heavy|large|big|warm|hot|cold)\b))"
)
_BEFORE = re.compile(r"([$€£])(\d+(?:[.,]\d+)*)(?=[.,!?]|$| [a-z])")
_LIMITS = (
    (re.compile(rf"\b(?:up to|not? more than|a maximum of) (?={_FIGURE}\b)"), "at most "),
    (re.compile(rf"\b(?:not? (?:less|fewer) than|a minimum of) (?={_FIGURE}\b)"), "at least "),
)
ABOVE = {"more than": 1, "over": 1, "above": 1, "exceeding": 1, "at least": 0}
BELOW = {"less than": -1, "fewer than": -1, "under": -1, "below": -1, "at most": 0}
_BOUND = re.compile(rf"({'|'.join((*ABOVE, *BELOW, 'exactly'))}) (.+)")


def spelled(text: str) -> str:
    """15 kg: 15 kilos; $5: 5 dollars; no more than two: at most two"""
    text = _AFTER.sub(lambda m: f"{m[1]} {_UNITS[m[2] or m[3]]}", text)
    text = _BEFORE.sub(lambda m: f"{m[2]} {_UNITS[m[1]]}", text)
    for limit, plain in _LIMITS:
        text = limit.sub(plain, text)
    return text


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
