"""What every child knows: kinds of kinds, and verbs that imply others. Lists only."""

from __future__ import annotations

from ibr.logic.english.lexis.lists import LISTS

KINDS: dict[str, frozenset[str]] = {n: frozenset({"animal"}) for n in LISTS["knowledge-animals"]}
KINDS |= {name: KINDS[name] | {"bird"} for name in LISTS["knowledge-birds"]}
for _one, _other in map(str.split, LISTS["knowledge-kinds"]):
    KINDS[_one] = KINDS.get(_one, frozenset()) | {_other}
VERBS = {"own": ("have",), "possess": ("have", "own")}
PLACES = {"inside": ("in",), "in": ("inside",)}
OBJECT_DROPS = LISTS["object-drops"]
