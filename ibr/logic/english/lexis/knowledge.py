"""What every child knows: kinds of kinds, and verbs that imply others. Lists only."""

from __future__ import annotations

from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.surface.words import words

_ANIMALS = LISTS["knowledge-animals"]
KINDS: dict[str, frozenset[str]] = {name: frozenset({"animal"}) for name in _ANIMALS}
for _bird in words("parrot duck hen chicken goose owl eagle penguin sparrow robin crow swan"):
    KINDS[_bird] |= {"bird"}
KINDS["kitten"] |= {"cat"}
KINDS["puppy"] |= {"dog"}
KINDS["pony"] |= {"horse"}
KINDS |= {
    "mother": frozenset({"parent"}), "father": frozenset({"parent"}),
    "son": frozenset({"child"}), "daughter": frozenset({"child"}),
    "boy": frozenset({"child"}), "girl": frozenset({"child"}),
}  # fmt: skip
VERBS = {"own": ("have",), "possess": ("have", "own")}
PLACES = {"inside": ("in",), "in": ("inside",)}
OBJECT_DROPS = LISTS["object-drops"]
