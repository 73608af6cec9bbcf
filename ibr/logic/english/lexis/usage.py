"""How usual each use of a word of the dictionary is: "lives" is a verb, "gloves" a noun."""

from __future__ import annotations

from functools import lru_cache

from ibr.logic.english.lexis import forms
from ibr.logic.english.lexis.lists import LISTS

Uses = dict[str, tuple[str, int]]  # class -> lemma, cost

_CLASSES = {
    forms.NOUN: "N", forms.PLURAL: "NS", forms.MASS: "MASS", forms.BASE: "V", forms.THIRD: "VZ",
    forms.PAST: "VD", forms.PARTICIPLE: "VN", forms.GERUND: "VG", forms.ADJECTIVE: "ADJ",
    forms.ADVERB: "ADV",
}  # fmt: skip
_VERBS = LISTS["verbs"]


@lru_cache(maxsize=1 << 14)
def listed(low: str) -> Uses:
    """Each class with its base form and a cost."""
    classes = {_CLASSES[cls] for cls in forms.classes(low)}
    if low in LISTS["plural-only"]:
        classes.discard("MASS")
    base, verb, noun = forms.verb_base(low), _verb_cost(low, classes), _noun_cost(low)
    found: Uses = dict.fromkeys(classes & {"ADJ", "ADV"}, (low, 0))
    found |= dict.fromkeys(classes & {"VZ", "VD", "VN", "VG"}, (base, verb))
    found |= dict.fromkeys(classes & {"N", "MASS"}, (low, noun))
    found |= {"V": (low, verb)} if "V" in classes else {}
    found |= {"NS": (forms.singular(low), noun)} if "NS" in classes else {}
    if low == "remains":
        found |= {"VZ": ("remain", 0), "NS": ("remains", 3)}
    if "V" in found and low not in LISTS["never-nouns"]:
        found.setdefault("N", (low, 3))
    if "VZ" in found:
        found.setdefault("NS", (base, 5))
    _weigh(low, found)
    if "VG" in found:
        found.setdefault("MASS", (low, 1))
        found.setdefault("N", (low, 2))
    return found


def _weigh(low: str, found: Uses) -> None:
    """Make a use cost more beside another that is commoner."""

    def odd(cls: str, cost: int) -> None:
        if cls in found:
            found[cls] = (found[cls][0], cost)

    if "VN" in found and "ADJ" in found:
        odd(*("VN", 3) if found["VN"][0] == low else ("ADJ", 1))  # wet, shut; broken
    if low in LISTS["adverbs"]:
        found["ADV"] = (low, 0)
        odd("N", 3)
    elif "N" in found or "ADJ" in found:
        odd("ADV", 2)
    if "N" in found and "NS" in found and found["N"][0] == found["NS"][0]:
        odd("NS", found["NS"][1] + 1)  # the salmon: one
        odd("MASS", found["NS"][1] + 1)
    elif "NS" in found and found["NS"][1] < 3:
        odd("N", found.get("N", ("", 0))[1] + 3)  # games, rails
        odd("MASS", found.get("MASS", ("", 0))[1] + 3)
    if "N" in found or low in LISTS["plural-modifiers"]:
        rare = "VN" in found or found.get("N", ("", 0))[1] > 2
        known = "V" not in found or low in LISTS["nouns"]
        found["NMOD"] = (low, 3 if rare else 0 if known else 1)
    if "ADJ" in found and "N" in found and low not in LISTS["things"] and low not in LISTS["nouns"]:
        odd("N", found["N"][1] + 2)
        odd("NMOD", 2)
    if "VD" in found and "V" in found and found["VD"][0] != found["V"][0]:
        odd(*("VD", 2) if low in _VERBS else ("V", 3))  # lay, of lie; saw, of see
    if "VG" in found and "ADJ" in found:
        is_verb = found["VG"][0] in _VERBS and low not in LISTS["ing-adjectives"]
        odd(*("ADJ", 2) if is_verb else ("VG", 2))  # standing; missing


def _noun_cost(low: str) -> int:
    base = forms.verb_base(low)
    if base not in _VERBS or low in LISTS["things"] or forms.singular(low) in LISTS["persons"]:
        return 0
    return 1 if base in LISTS["nouns"] else 3


def _verb_cost(low: str, classes: set[str]) -> int:
    if not classes & {"N", "NS", "MASS", "ADJ"} or classes & {"VN", "VG"}:
        return 0
    return 0 if forms.verb_base(low) in _VERBS else 2
