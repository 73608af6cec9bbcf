"""Lines that say nothing to reason with: headings, greetings, words about the document itself."""

from __future__ import annotations

import re

from ibr.logic.english.grammar.chart import Chart
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.usage import Uses
from ibr.logic.surface.words import words

_DOCUMENT = rf"(?:{'|'.join(sorted(LISTS['documents']))})"
_SAYING = rf"(?:{'|'.join(sorted(LISTS['of-documents']))})"
_ABOUT_ITSELF = re.compile(
    r"^(?:(?:this|these|the present|our|the following) "
    rf"(?:\w+ ){{0,3}}{_DOCUMENT}\s+(?:\w+ )?{_SAYING}|{'|'.join(sorted(LISTS['remarks']))})",
    re.IGNORECASE,
)
_BE_OR_MODAL = LISTS["modals"] | words("is are am was were")
_FINITE = _BE_OR_MODAL | words("has have had do does did not no never nobody all every")
_GREETINGS = ("welcome", "hello", "hi", "dear", "thank", "greetings", "good", "enjoy")


def is_about_itself(text: str) -> bool:
    """This handbook applies to all volunteers. But not: Dear Ann, members may vote."""
    said = set(text.lower().replace(",", " ").split())
    greets = text.lower().startswith(_GREETINGS) and bool(said & _BE_OR_MODAL)
    return bool(_ABOUT_ITSELF.match(text)) and not greets


def is_heading(text: str, chart: Chart, known: frozenset[str]) -> bool:
    """No verb, and nobody of whom the rulebook speaks; `known` are its names."""
    if text.rstrip().endswith(("!", "?", ".")):
        return False
    if any(token.name and token.text in known for token in chart.tokens):
        return False
    spared = words("all every") if chart.words[:1] and chart.words[0] in LISTS["labels"] else ()
    return not any(
        _is_finite(word, uses)
        for word, uses in zip(chart.words, chart.uses, strict=True)
        if word not in spared
    )


def _is_finite(word: str, uses: Uses) -> bool:
    other = {"NS", "N", "MASS", "ADJ", "NAME", "VN"} & uses.keys()
    return word in _FINITE or bool({"VZ", "VD"} & uses.keys() and not other)
