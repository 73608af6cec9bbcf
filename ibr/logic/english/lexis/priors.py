"""Which use of an ambiguous form is the usual one: "lives" is a verb, "gloves" a noun. Lists only.

A dictionary knows that both can be either; these lists are the prior that decides when the grammar
allows both.
"""

from __future__ import annotations

from ibr.logic.english.lexis.lists import LISTS

# Verbs whose forms are far more often verbs than nouns or adjectives.
VERBS = LISTS["verbs"]

# Forms of the list above that are about as often nouns.
NOUNS = LISTS["nouns"]

# Adverbs first, though a dictionary has them as nouns or adjectives too.
ADVERBS = LISTS["adverbs"]

# Things that rulebooks speak of: as a first word without an article they are no names.
THINGS = LISTS["things"]

# Plurals that stand before a noun: "a customs form".
PLURAL_MODIFIERS = LISTS["plural-modifiers"]
