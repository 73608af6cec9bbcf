"""Closed classes of English: words and phrases whose meaning the grammar itself knows."""

from __future__ import annotations

from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.surface.words import words

IF = LISTS["if"]
AS_LONG = LISTS["as-long"]
UNLESS = LISTS["unless"]
ONLY_IF = LISTS["only-if"]
IFF = LISTS["iff"]
BUT_NOT_IF = LISTS["but-not-if"]
EXCEPT = LISTS["except"]
NEGATIVE = LISTS["negative"]
PRONOUNS = LISTS["pronouns"]
POSSESSIVE = LISTS["possessive"]
SOMEONE = LISTS["someone"]
EVERYONE = LISTS["everyone"]
NOBODY = LISTS["nobody"]
WHOEVER = LISTS["whoever"]
WHO = LISTS["who"]
EVERY = LISTS["every"]
ARTICLES = LISTS["articles"]
DEMONSTRATIVE = LISTS["demonstrative"]
NUMERALS = LISTS["numerals"]
PREPOSITIONS = LISTS["prepositions"]
PARTICLES = LISTS["particles"]
PLACES = LISTS["places"]
IDLE = LISTS["idle"]
SCOPAL = LISTS["scopal"]
DOUBTFUL = LISTS["doubtful"]
DENYING = LISTS["denying"]
UNPROVEN = LISTS["unproven"] | DENYING
PRIVATIVE = LISTS["privative"]
CANCELLED = LISTS["cancelled"]
HEDGES = LISTS["hedges"]
COUNTS = LISTS["counts"]
MEASURING = LISTS["measuring"]
POINTING = LISTS["pointing"]
CONJUNCTIONS = LISTS["conjunctions"]
PHRASES = LISTS["phrases"]
CLOSED = LISTS["closed"]
BE = {"is": "sg", "are": "pl", "am": "sg", "was": "sg", "were": "pl"}
MODALS = words("can could may might must shall should will would cannot")
LONGEST = max(len(p.split()) for p in PHRASES)
