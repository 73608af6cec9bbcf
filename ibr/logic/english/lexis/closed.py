"""Closed classes of English: words and phrases whose meaning the grammar itself knows."""

from __future__ import annotations

from ibr.logic.english.lexis.lists import LISTS

NUMERALS = LISTS["numerals"]
PARTICLES = LISTS["particles"]
IDLE = LISTS["idle"]
DOUBTFUL = LISTS["doubtful"]
DENYING = LISTS["denying"]
UNPROVEN = LISTS["unproven"] | DENYING
PRIVATIVE = LISTS["privative"]
CANCELLED = LISTS["cancelled"]
HEDGES = LISTS["hedges"]
COUNTS = LISTS["counts"]
MEASURING = LISTS["measuring"]
POINTING = LISTS["pointing"]
CLOSED = LISTS["closed"]
