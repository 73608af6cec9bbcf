"""Contractions written in full: isn't, we've, she's late, she's lost her key."""

from __future__ import annotations

import re

from ibr.logic.english.lexis.forms import PARTICIPLE, classes, verb_base
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.surface.words import words

_CONTRACTION = re.compile(r"\b(\w+?)(n't|'(?:re|ve|ll|d|m))\b", re.IGNORECASE)
_FULL = {"n't": " not", "'re": " are", "'ve": " have", "'ll": " will", "'d": " would", "'m": " am"}
_IRREGULAR = {"ca": "can", "wo": "will", "sha": "shall"}
_IS = re.compile(
    r"\b(it|he|she|that|this|who|there|here|what|(?:every|no|some|any)(?: one|one|body|thing))'s\b"
    r"(?=(?: (?:already|also|always|finally|just|never|not|now|only|recently))*"
    r"(?: (\w+))?(?: (\w+))?)",
    re.IGNORECASE,
)
_HAS = words("been got had come become gone arrived")
_BEFORE_OBJECT = words(
    "a an the my your our his her its their all both each every some any no one this these those"
)


def in_full(text: str) -> str:
    """After a name or a noun, what "'s" stands for is left to the grammar."""
    text = _IS.sub(_is_or_has, _CONTRACTION.sub(_full, text))
    return re.sub(r"\bcan not\b", "cannot", text)


def _full(match: re.Match[str]) -> str:
    stem, ending = match.group(1), match.group(2).lower()
    stem = _IRREGULAR.get(stem.lower(), stem) if ending == "n't" else stem
    return stem + _FULL[ending]


def _is_or_has(match: re.Match[str]) -> str:
    """it's late; it's been late; she's lost her key; but: it's called the hub"""
    done, after = match[2] or "", match[3] or ""
    acting = PARTICIPLE in classes(done) and after in _BEFORE_OBJECT
    acting = acting and verb_base(done) not in LISTS["ditransitive"] | {"call", "name"}
    return f"{match[1]} {'has' if done in _HAS or acting else 'is'}"
