"""One lexicon per rulebook: what each word can be, decided over all its sentences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from ibr.logic.english.lexis import closed
from ibr.logic.english.lexis import forms as general
from ibr.logic.english.lexis import priors as common
from ibr.logic.english.lexis.people import is_kind
from ibr.logic.english.lexis.splitting import Raw
from ibr.logic.surface.words import NATIONS, words

Uses = dict[str, tuple[str, int]]  # class -> lemma, cost

_CLASSES = {
    general.NOUN: "N", general.PLURAL: "NS", general.MASS: "MASS", general.BASE: "V",
    general.THIRD: "VZ", general.PAST: "VD", general.PARTICIPLE: "VN", general.GERUND: "VG",
    general.ADJECTIVE: "ADJ", general.ADVERB: "ADV",
}  # fmt: skip
_ONE = words("a an every each another")
_BE = words("is are was were be been am being")
_BEFORE_BASE = words("to may must can cannot could should shall will would might do does did")
_ENDS = words(
    "and or but , ; if unless when then who that which to in on at for with by from of as"
)
_ADVERBS = words("often soon here there never ever again alone together away home")


class Lexicon:
    """`names`: words that are proper names somewhere in the rulebook."""

    def __init__(self, sentences: Sequence[Sequence[Raw]]) -> None:
        self._seen: set[str] = set()
        self._evidence: defaultdict[str, set[str]] = defaultdict(set)
        for sentence in sentences:
            self._learn([raw.text if raw.name else raw.low for raw in sentence])
        self._kept: dict[tuple[str, bool, bool], Uses] = {}

    def teach(self, word: str, cls: str) -> None:
        """What a word is by a template sentence, which no dictionary need know."""
        if not general.is_listed(word):
            self._seen.add(word)
            self._evidence[word].add(cls)

    def _learn(self, sentence: Sequence[str]) -> None:
        for i, word in enumerate(sentence):
            self._seen.add(word)
            before = sentence[i - 1] if i else ""
            after = sentence[i + 1] if i + 1 < len(sentence) else ""
            if before in _ONE and (not after or after in closed.CLOSED or after in _ENDS):
                self._evidence[word].add("N")
            if before in ("many", "all", "two", "both", "these", "those") and word.endswith("s"):
                self._evidence[word].add("NS")
            if (before == "not" and i > 1 and sentence[i - 2] in ("do", "does", "did")) or (
                before in _BEFORE_BASE and word not in closed.CLOSED
            ):
                self._evidence[word].add("V")
            elif (before in _BE or before == "not") and (not after or after in _ENDS):
                self._evidence[word].add("ADJ")

    def uses(self, raw: Raw, first: bool = False) -> Uses:
        """Every class that the word can have here, with its base form and a cost."""
        key = raw.text, raw.name, first
        if key not in self._kept:
            self._kept[key] = _modifying(self._uses(raw, first), raw)
        return self._kept[key]

    def _uses(self, raw: Raw, first: bool) -> Uses:
        text, low = raw.text, raw.low
        if raw.name:
            found: Uses = {"NAME": (text, 0), "NMOD": (text, 0 if text.isupper() else 2)}
            if low in NATIONS:
                found["ADJ"] = (text, 0)
            if " " in text and not first:
                found["N"] = (text, 2)
            if " " not in text and not first:
                found["N"] = (text, 3)
                if text[:-1].isupper() and text[-1] == "s" and len(text) > 2:
                    found["NS"] = (text[:-1], 0)
                elif text.isupper():
                    found["N"] = (text, 0)
            if first and general.is_listed(low):
                for cls, (lemma, cost) in self._common(low).items():
                    found.setdefault(cls, (lemma, cost + (cls != "ADJ")))
                    if cls == "ADJ":
                        found["NAME"] = (text, 1)
            return found
        if low in closed.CLOSED or not low[:1].isalnum():
            return self._closed(low)
        if text[:1].isdigit():
            return {"NUM": (text, 0), "NAME": (text, 2)}
        found = self._common(low)
        if first and text[:1].isupper() and not any(map(str.isspace, text)):
            known = general.is_listed(low) or general.is_derived(low)
            if not known:
                found["NAME"] = (text, 1 if "NS" in found and not low.endswith(("us", "is")) else 0)
            elif general.is_proper(text):
                found["NAME"] = (text, 2 if "NS" in found else 0)
            elif "MASS" in found:
                found["NAME"] = (text, 3)
            elif not (is_kind(low) and low not in self._names()):
                found["NAME"] = (text, 2 if "NS" in found else 1)
            if low in NATIONS:
                found["ADJ"] = (text, 0)
        return found

    def _names(self) -> set[str]:
        return set()

    def _closed(self, low: str) -> Uses:
        return _CLOSED_USES.get(low, {})

    def _common(self, low: str) -> Uses:
        if low.endswith("men") and len(low) > 5 and not general.is_listed(low):
            return {"NS": (f"{low[:-2]}an", 0)}  # lifeboatmen, railwaywomen
        if low.endswith("man") and len(low) > 5 and not general.is_listed(low):
            return {"N": (low, 0), "NMOD": (low, 1)}
        if general.is_listed(low) or "-" in low or general.is_derived(low):
            found = _listed(low)
            if self._evidence[low] & {"N"} and "N" not in found:
                found = {**found, "N": (low, 1)}
            return dict(found)
        return self._unknown(low)

    def _unknown(self, low: str) -> Uses:
        evidence = set(self._evidence[low])
        if self._plurals(low):
            evidence.add("N")
        found: Uses = {}
        bases = [base for base in _singulars(low) if base in self._seen]
        if bases:
            base = bases[0]
            classes = self._evidence[base] or {"N", "V"}
            if "V" in classes or classes == {"ADJ"}:
                found["VZ"] = (base, 0 if "V" in classes and "N" not in classes else 1)
            if "N" in classes or "V" not in classes:
                found["NS"] = (base, 0)
        elif _singulars(low):
            base = _guess(low)
            found["NS"] = (base, 0)
            found["VZ"] = (base, 1)
        if (
            low.endswith("s")
            and not low.endswith(("us", "is", "ss", "as", "os"))
            and "N" not in evidence
        ):
            return found or {"N": (low, 0)}
        if low.endswith("ly") and not evidence:
            return {"ADV": (low, 0), "ADJ": (low, 1)}
        if low.endswith("ing") and "N" not in evidence:
            found["VG"] = (self._stem(low, "ing"), 1)
        if low.endswith("ed"):
            found["VD"] = found["VN"] = (self._stem(low, "ed"), 1)
        if evidence:
            for cls in evidence & {"N", "V", "ADJ"}:
                found[cls] = (low, 0)
            if "N" in evidence:
                found.setdefault("NMOD", (low, 0))
            if evidence == {"N"}:
                found.setdefault("ADJ", (low, 3))
            elif evidence == {"ADJ"}:
                found.setdefault("N", (low, 3))
            return found
        found.update({"N": (low, 1), "ADJ": (low, 1), "V": (low, 2), "NMOD": (low, 2)})
        if low.endswith("ware"):
            found["MASS"] = (low, 0)
        return found

    def _plurals(self, low: str) -> bool:
        """Brackuses are spoken of, so a brackus is a thing."""
        forms = (low + "s", low + "es", low[:-1] + "ies" if low.endswith("y") else low + "s")
        return any(f in self._seen and "V" not in self._evidence[low] for f in forms)

    def _stem(self, low: str, ending: str) -> str:
        stem = low.removesuffix(ending)
        tries = (stem, stem + "e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem)
        return next((t for t in tries if t in self._seen), stem)


def _modifying(found: Uses, raw: Raw) -> Uses:
    """The same word before a noun: AMOD an adjective, VNMOD, VGMOD, NMOD."""
    text, adj, noun = raw.text if raw.name else raw.low, found.get("ADJ"), found.get("NMOD")
    found = dict(found)
    if raw.name and "NAME" in found:
        found["PNAME"] = found["NAME"]
    elif len(text) == 1 and raw.text.isupper() and text not in "ai":
        found["VAR" if raw.text in VARIABLES else "NAME"] = (raw.text, 0)
    if adj:
        odd = 2 if noun == (text, 0) and not raw.name else 0
        found["AMOD"] = (adj[0], 0 if raw.name else adj[1] + odd)
        if noun and noun[1] > 1:
            del found["NMOD"]
    elif "NUM" in found and "-" in text:
        found["AMOD"] = (text, 0)
    for cls in found.keys() & {"VN", "VG"}:
        base, cost = found[cls]
        found[f"{cls}MOD"] = (base, cost + (1 if adj and cls == "VG" else 0))
    return found


VARIABLES = frozenset("XYZUVW")
_CLOSED_USES: dict[str, Uses] = {
    "like": {"V": ("like", 0)},
    "one": {"N": ("one", 2)},
    "past": {"ADJ": ("past", 1)},
    "like ": {},
    "where": {},
    "provided": {"VN": ("provide", 0), "VD": ("provide", 0)},
    "opposite": {"ADJ": ("opposite", 1), "N": ("opposite", 1)},
    "inside": {"ADV": ("inside", 0)},
    "outside": {"ADV": ("outside", 0)},
    "last": {"ADJ": ("last", 0)},
    "will": {"N": ("will", 2)},
    "can": {"N": ("can", 3)},
    "being": {"N": ("being", 2)},
    "past ": {},
}  # fmt: skip
_PLURAL_ONLY = words("people police staff personnel cattle children men women")
_NEVER_VERBS = words("is are has was does this his its always as us thus plus news")


@lru_cache(maxsize=1 << 14)
def _listed(low: str) -> Uses:
    classes = general.classes(low)
    found: Uses = {}
    for cls in classes:
        name = _CLASSES[cls]
        if name == "NS":
            found["NS"] = (general.singular(low), _noun_cost(low))
        elif name in ("VZ", "VD", "VN", "VG"):
            found[name] = (general.verb_base(low), _verb_cost(low, classes))
        elif name == "V":
            found["V"] = (low, _verb_cost(low, classes))
        elif name == "MASS" and low in _PLURAL_ONLY:
            continue
        elif name == "MASS":
            found["MASS"] = (low, _noun_cost(low))
        elif name == "N":
            found["N"] = (low, _noun_cost(low))
        else:
            found[name] = (low, 0)
    if low == "remains":
        found["VZ"] = ("remain", 0)
        found["NS"] = ("remains", 3)
    if "N" not in found and "V" in found and low not in _NEVER_VERBS:
        found["N"] = (low, 3)
    if "VZ" in found and "NS" not in found:
        found["NS"] = (general.verb_base(low), 4)
    if "VN" in found and "ADJ" in found:
        if found["VN"][0] == low:
            found["VN"] = (low, 3)  # wet, shut
        else:
            found["ADJ"] = (low, 1)
    if low in common.ADVERBS or low in _ADVERBS:
        found["ADV"] = (low, 0)
        if "N" in found:
            found["N"] = (low, 3)
    elif "ADV" in found and ("N" in found or "ADJ" in found):
        found["ADV"] = (low, 2)
    if "N" in found and "NS" in found and found["N"][0] == found["NS"][0]:
        found["NS"] = (found["NS"][0], found["NS"][1] + 1)  # the salmon: one
    if "N" in found or low in common.PLURAL_MODIFIERS:
        found["NMOD"] = (low, 0 if "V" not in found or low in common.NOUNS else 1)
    if "VN" in found and "NMOD" in found:
        found["NMOD"] = (low, 3)
    if "ADJ" in found and "N" in found and low not in common.THINGS and low not in common.NOUNS:
        found["N"] = (low, found["N"][1] + 1)
        found["NMOD"] = (low, 2)
    if "VD" in found and "V" in found and found["VD"][0] != found["V"][0]:
        found["V"] = (low, 3)  # saw, of see
    if "VG" in found:
        found.setdefault("MASS", (low, 1))
        found.setdefault("N", (low, 2))
    return found


def _noun_cost(low: str) -> int:
    base = general.verb_base(low)
    if base not in common.VERBS or low in common.THINGS:
        return 0
    return 1 if base in common.NOUNS else 3


def _verb_cost(low: str, classes: frozenset[str]) -> int:
    if not classes & {general.NOUN, general.PLURAL, general.MASS, general.ADJECTIVE}:
        return 0
    if classes & {general.PARTICIPLE, general.GERUND}:
        return 0
    return 0 if general.verb_base(low) in common.VERBS else 2


def _singulars(low: str) -> list[str]:
    """What an unknown word in -s may be made from, the likeliest first."""
    if not low.endswith("s") or low.endswith("ss") or len(low) < 3:
        return []
    found = []
    if low.endswith("ies") and len(low) > 4:
        found.append(low[:-3] + "y")
    if low.endswith("ves"):
        found += [low[:-3] + "f", low[:-3] + "fe"]
    if low.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
        found.append(low[:-2])
    if low.endswith(("zzes", "sses")):
        found.append(low[:-3])
    if not low.endswith(("us", "is")):
        found.append(low[:-1])
    return found


def _guess(low: str) -> str:
    if low.endswith(("uses", "ises", "sses", "xes", "zes", "ches", "shes", "oes")):
        return low[:-2]
    if low.endswith("ies") and len(low) > 4:
        return low[:-3] + "y"
    return low[:-1]
