"""Words that a writer sets off by commas and that change nothing: Tom, however, is late."""

from __future__ import annotations

import re

from ibr.logic.english.lexis.lists import LISTS

_ASIDE = re.compile(
    rf", (?:{'|'.join(sorted(LISTS['asides']))})(?:(?=(?<!though)[.!?]*$|, (?:and|but|or|so)\b)|,)"
)


_CALLED = re.compile(r'\b(called|named) ["“]([a-z][\w .-]*)["”]')


def without_asides(text: str) -> str:
    """Tom is late, too: Tom is late; but not: no dog, however small, may enter"""
    text = _CALLED.sub(_as_name, text)
    if text.rstrip(".!? ").endswith(", however"):
        return text  # an exception to the sentence before
    return _ASIDE.sub("", text).replace(", and only if,", " and only if")


def _as_name(match: re.Match[str]) -> str:
    """a file called "holiday list": one name"""
    name = match[2][:1].upper() + match[2][1:]
    return f"{match[1]} {name.replace(' ', chr(160))}"
