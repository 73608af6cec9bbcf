"""One lexicon per rulebook: what each word can be, decided over all its sentences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ibr.logic.english.lexis.forms import bases, is_derived, is_listed, is_proper
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.numbers import number_of
from ibr.logic.english.lexis.people import is_kind
from ibr.logic.english.lexis.splitting import Raw
from ibr.logic.english.lexis.usage import Uses, listed
from ibr.logic.surface.words import NATIONS, words

_CLOSED = LISTS["closed"]
_ONE = words("a an every each another")
_MANY = words("many all two both these those")
_BE = words("is are was were be been am being")
_BEFORE_BASE = words("to may must can cannot could should shall will would might do does did they")
_DETERMINERS = words("the a an his her its their every each this that no some any")
_ENDS = LISTS["phrase-ends"]
_CLOSED_USES: dict[str, Uses] = {}  # of words that the grammar itself knows
for _word, _cls, _lemma, _cost in (entry.split("/") for entry in sorted(LISTS["closed-uses"])):
    _CLOSED_USES.setdefault(_word, {})[_cls] = (_lemma, int(_cost))
_UNKNOWN = {"N": 1, "ADJ": 1, "V": 4, "NMOD": 2, "MASS": 2}  # the costs of a word never met
_VARIABLES = frozenset("XYZUVW")


class Lexicon:
    """The words of a rulebook, and what the sentences show of those that no dictionary has."""

    def __init__(self, sentences: Sequence[Sequence[Raw]]) -> None:
        self._seen: set[str] = set()
        self._inside: set[str] = set()  # in lower case, after the first word of a sentence
        self._evidence: defaultdict[str, set[str]] = defaultdict(set)
        for sentence in sentences:
            said = [raw.text if raw.name else raw.low for raw in sentence]
            self._seen.update(said)
            self._inside.update(word for word in said[1:] if word.islower())
            for i, (word, after) in enumerate(zip(said, [*said[1:], ""], strict=False)):
                before = said[i - 1] if i else ""
                for base, cls in _shown(said[i - 2] if i > 1 else "", before, word, after):
                    self._evidence[base].add(cls)
        self._kept: dict[tuple[str, bool, bool], Uses] = {}

    def teach(self, word: str, cls: str) -> None:
        """What a word is by a template sentence, which no dictionary need know."""
        if not is_listed(word):
            self._seen.add(word)
            self._evidence[word].add(cls)

    def uses(self, raw: Raw, first: bool = False) -> Uses:
        """Every class that the word can have here, with its base form and a cost."""
        key = raw.text, raw.name, first
        if key not in self._kept:
            self._kept[key] = _modifying(self._uses(raw, first), raw)
        return self._kept[key]

    def _uses(self, raw: Raw, first: bool) -> Uses:
        text, low = raw.text, raw.low
        if raw.name:
            return self._name(text, low, first)
        if low in _CLOSED or not low.lstrip("#")[:1].isalnum():
            return _CLOSED_USES.get(low, {})
        if text.lstrip("#")[:1].isdigit():
            return {"NUM": (text, 0), "NAME": (text, 2)}
        if number_of(low) is not None and " " not in low:
            return {"NUM": (low, 0)}
        found = self._common(low)
        if first and text[:1].isupper() and " " not in text:
            cost = self._name_cost(text, low, found)
            found |= {"NAME": (text, cost)} if cost is not None else {}
            found |= {"ADJ": (text, 0)} if low in NATIONS else {}
        return found

    def _name_cost(self, text: str, low: str, found: Uses) -> int | None:
        """How odd the first word of a sentence is as a name; None if it is none."""
        if not is_listed(low) and not is_derived(low):
            return 1 if "NS" in found and not low.endswith(("us", "is")) else 0
        if low in self._inside and "MASS" in found:
            return 3
        if is_proper(text):
            return 2 if "NS" in found else 0
        if "MASS" in found:
            return 3
        if is_kind(low):
            return None if low in self._seen or self._has_plural(low) else 3
        return 2 if "NS" in found else 1

    def _name(self, text: str, low: str, first: bool) -> Uses:
        found: Uses = {"NAME": (text, 0), "NMOD": (text, 0 if text.isupper() else 2)}
        if low in NATIONS:
            found["ADJ"] = (text, 0)
        if not first:
            found["N"] = (text, 0 if text.isupper() and " " not in text else 2)
            if text[:-1].isupper() and text[-1] == "s" and len(text) > 2 and " " not in text:
                found["NS"] = (text[:-1], 0)  # PCs
            elif text[-1] == "s":
                found["NS"] = (text, 2)  # the Larks
        elif is_listed(low):
            for cls, (lemma, cost) in self._common(low).items():
                found.setdefault(cls, (lemma, cost + (cls != "ADJ")))
                if cls == "ADJ":
                    found["NAME"] = (text, 1)
        return found

    def _common(self, low: str) -> Uses:
        if low.endswith(("man", "men")) and len(low) > 5 and not is_listed(low):
            man = f"{low[:-2]}an"  # lifeboatmen, railwaywomen
            return {"N": (low, 0), "NMOD": (low, 1)} if man == low else {"NS": (man, 0)}
        if not (is_listed(low) or "-" in low or is_derived(low)):
            return self._unknown(low)
        found = dict(listed(low))
        if "N" in self._evidence[low]:
            found.setdefault("N", (low, 1))
        if "NS" in found and "N" in self._evidence[found["NS"][0]]:
            found["NS"] = (found["NS"][0], 0)  # is a drink: drinks
        if "ADJ" in self._evidence[low] and found.keys() <= {"N", "NMOD", "V", "INF"}:
            found["ADJ"] = (low, 0)  # is trolly: without an article it is no noun
        return found

    def _unknown(self, low: str) -> Uses:
        plural = self._has_plural(low)
        evidence = self._evidence[low] | ({"N"} if plural else set())
        found = self._made_from_base(low)
        ends_in_s = low.endswith("s") and not low.endswith(("us", "is", "ss", "as", "os"))
        if ends_in_s and "N" not in evidence:
            return found or {"N": (low, 0)}
        if low.endswith("ly") and not evidence:
            return {"ADV": (low, 0), "ADJ": (low, 1), "N": (low, 2)}
        if low.endswith("ing") and "N" not in evidence:
            found["VG"] = (self._stem(low, "ing"), 1)
        if low.endswith("ed"):
            found["VD"] = found["VN"] = (self._stem(low, "ed"), 1)
        if not evidence:
            found |= {cls: (low, cost) for cls, cost in _UNKNOWN.items()}
            return found | ({"MASS": (low, 0)} if low.endswith("ware") else {})
        for cls in evidence & {"N", "V", "ADJ"}:
            found[cls] = (low, 0)
        if "N" in evidence:
            found.setdefault("NMOD", (low, 0))
        if plural:
            found.setdefault("V", (low, 3))
        if evidence in ({"N"}, {"ADJ"}):
            found.setdefault("ADJ" if evidence == {"N"} else "N", (low, 3))
        return found

    def _made_from_base(self, low: str) -> Uses:
        """brackuses of brackus, blicks of blick"""
        possible = bases(low)
        base = next((b for b in possible if b in self._seen), "")
        if not base:
            return {"NS": (possible[0], 0), "VZ": (possible[0], 1)} if possible else {}
        shown = self._evidence[base] or {"N", "V"}
        found: Uses = {}
        if "V" in shown or shown == {"ADJ"}:
            found["VZ"] = (base, 0 if "V" in shown and "N" not in shown else 1)
        if "N" in shown or "V" not in shown:
            found["NS"] = (base, 0)
        return found

    def _has_plural(self, low: str) -> bool:
        """Brackuses are spoken of, so a brackus is a thing."""
        forms = (low + "s", low + "es", low[:-1] + "ies" if low.endswith("y") else low + "s")
        return "V" not in self._evidence[low] and any(f in self._seen for f in forms)

    def _stem(self, low: str, ending: str) -> str:
        stem = low.removesuffix(ending) or low
        return next((b for b in (*bases(low, ending), stem) if b in self._seen), stem)


def _shown(earlier: str, before: str, word: str, after: str) -> Iterator[tuple[str, str]]:
    """What a word must be between its neighbours: (base, class)."""
    ends = not after or after in _ENDS
    new = before in _DETERMINERS and ends and not (word.endswith("s") or is_listed(word))
    if new or (before in _ONE and (ends or after in _CLOSED)):
        yield word, "N"
    if before in ("no", "any") and after in _BE and not word.endswith("s"):
        yield word, "N"  # no lorn is a kep
    if before in _MANY and word.endswith("s"):
        yield word, "NS"
    if (before == "not" and earlier in ("do", "does", "did")) or (
        before in _BEFORE_BASE and word not in _CLOSED
    ):
        yield word, "V"
    elif (before in _BE or before == "not") and ends:
        yield word, "ADJ"
    is_verb = earlier in _DETERMINERS and after in _DETERMINERS and before not in _CLOSED
    is_verb = is_verb or (earlier in _ONE and before not in _CLOSED)  # a mubbin snargs
    if is_verb or before in ("who", "which", "that", "whatever", "whoever"):
        yield from ((base, "V") for base in bases(word))  # the mibbo slaxes the blip


def _modifying(found: Uses, raw: Raw) -> Uses:
    """The same word before a noun: AMOD an adjective, VNMOD, VGMOD, NMOD."""
    text, adj, noun = raw.text if raw.name else raw.low, found.get("ADJ"), found.get("NMOD")
    found = dict(found)
    if raw.name and "NAME" in found:
        found["PNAME"] = found["NAME"]
    elif len(text) == 1 and raw.text.isupper() and text not in "ai":
        found["VAR" if raw.text in _VARIABLES else "NAME"] = (raw.text, 0)
    if adj:
        odd = 2 if noun == (text, 0) and not raw.name else 0
        found["AMOD"] = (adj[0], 0 if raw.name else adj[1] + odd)
        if noun and noun[1] > 1:
            del found["NMOD"]
    elif "NUM" in found and "-" in text:
        found["AMOD"] = (text, 0)
    if "V" in found:  # after "to" and "may"
        base, cost = found["V"]
        found["INF"] = (base, cost)
    for cls in found.keys() & {"VN", "VG"}:
        base, cost = found[cls]
        is_noun = cls == "VG" and noun == (text, 0)  # a wedding cake
        found[f"{cls}MOD"] = (base, cost + is_noun)
    return found
