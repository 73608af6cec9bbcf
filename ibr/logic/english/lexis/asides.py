"""Words that a writer sets off by commas and that change nothing: Tom, however, is late."""

from __future__ import annotations

import re

from ibr.logic.english.lexis.lists import LISTS

_ASIDE = re.compile(
    rf", (?:{'|'.join(sorted(LISTS['asides']))})(?:(?=[.!?]*$|, (?:and|but|or|so)\b)|,)"
)


def without_asides(text: str) -> str:
    """Tom is late, too: Tom is late; but not: no dog, however small, may enter"""
    return _ASIDE.sub("", text).replace(", and only if,", " and only if")
