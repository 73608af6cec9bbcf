"""One sentence → words, each with every class it may have in the grammar. No grammar here.

Contractions are undone, several words that act as one are joined ("as long as"), proper names of
several words are one word, adverbs that change nothing are dropped, possessive 's is a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ibr.logic.english.lexis import closed, common
from ibr.logic.english.lexis.lexicon import (
    ADJECTIVE,
    ADVERB,
    BASE,
    GERUND,
    MASS,
    NOUN,
    PARTICIPLE,
    PAST,
    PLURAL,
    THIRD,
    classes,
    is_derived,
    is_listed,
    is_proper,
    verb_base,
)
from ibr.logic.english.lexis.people import is_kind, is_property
from ibr.logic.words import GIVEN_NAMES, NATIONS

_OPEN = {
    NOUN: ("N", "MOD"), PLURAL: ("NS",), MASS: ("MASS",), BASE: ("V",), THIRD: ("VS",),
    PAST: ("VD",), PARTICIPLE: ("VN", "MOD"), GERUND: ("VG", "MOD", "MASS", "N"),
    ADJECTIVE: ("ADJ", "MOD"), ADVERB: ("ADV",),
}  # fmt: skip

_WORD = re.compile(
    r"""(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|No|vs|etc|approx)\.(?=\s)   # titles keep their stop
    | (?:e\.g|i\.e|a\.m|p\.m)\.?
    | [$€£]?\d+(?:[.,:]\d+)*%?(?:-?[^\W\d_]+)*                    # 12, 3.5, $10, 3-year, 5th, 3B
    | \b[A-Z]\.(?=\s+[A-Z])                                       # A. Bergström
    | [^\W_]+(?:[-/&.][^\W_]+|['’](?!s\b)[^\W_]+)*                # words, full-time, O'Brien
    | ['’]s\b | ['’] | [^\s\w]
    """,
    re.VERBOSE,
)
_CONTRACTION = re.compile(r"\b(\w+?)(n['’]t|['’](?:re|ve|ll|d|m))\b", re.IGNORECASE)
_COUPLE = re.compile(r"\b((?:Mr|Ms|Dr)\.) and ((?:Mr|Mrs|Ms|Dr)\.) ([A-Z][\w'’-]*)")
_FULL = {"n't": " not", "'re": " are", "'ve": " have", "'ll": " will", "'d": " would", "'m": " am"}
_IRREGULAR = {"ca": "can", "wo": "will", "sha": "shall"}


_KEEP = ("keep", "set", "stay", "live", "stand", "tell", "hold", "be")  # … apart from
_AFTER_NAME = ("is", "was", "has", "does", "may", "must", "can", "cannot", "will", "'s", "’s")


class Word(NamedTuple):
    """`text` as it will appear in keys; `types` are the terminals of english.lark."""

    text: str
    types: frozenset[str]
    name: str = ""  # the same with its capital, where it may be a name

    def said_as(self, type_: str) -> str:
        return self.name if self.name and type_.endswith("NAME") else self.text

    def cost(self, type_: str) -> int:
        return _cost(self.text, type_, self.types)

    def __repr__(self) -> str:
        return f"{self.text}/{'|'.join(sorted(self.types))}"


def _cost(text: str, type_: str, types: frozenset[str]) -> int:
    """What it takes to use a word in a way that is not its usual one."""
    named = "NAME" in types and not text.isupper() and text.lower() not in NATIONS
    if type_ in ("MOD", "N") and named:
        return 4  # the Berlin office; but Tom reports
    if type_ == "MOD" and types & {"NS", "V"} and not types & {"ADJ", "VN"}:
        if "N" in types and NOUN not in classes(text):  # a gap of the dictionary
            return 8
        return 4 if verb_base(text) in common.VERBS else 0
    if type_ == "ODD_NAME":
        return 9 if types & {"NS", "MASS", "ADJ"} else 1
    if type_ == "VD" and "V" in types:
        return 2
    if type_ in ("VS", "V") and types & {"NS", "N"}:
        return 0 if verb_base(text) in common.VERBS else 4
    if type_ in ("N", "MASS") and ("VG" in types or text in common.ADVERBS):
        return 2
    if type_ in ("N", "MASS") and "VN" in types:
        return 3  # material left there
    if type_ == "ADV" and "N" in types and text not in common.ADVERBS:
        return 3
    if type_ == "NS" and "VS" in types and PLURAL not in classes(text):
        return 7
    if type_ == "NS" and "N" in types:
        return 1  # the salmon: one
    if type_ == "N" and "V" in types and NOUN not in classes(text):
        return 5
    if type_ in ("NS", "N", "MASS") and types & {"VS", "V"}:
        base = verb_base(text)
        return 0 if base not in common.VERBS else 2 if base in common.NOUNS else 4
    return 0


def tokenize(sentence: str) -> list[Word]:
    """`tokenize("Tom isn't late.")` → Tom is not late (the final stop is no word)."""
    text = _expand(sentence.strip())
    raw = [m.group() for m in _WORD.finditer(text)]
    raw = [word for word in raw if word not in ('"', "“", "”")]
    while raw and raw[-1] in (".", "!", ";", "?"):
        raw.pop()
    return list(_classified(_drop_idle(_join(raw))))


def _expand(text: str) -> str:
    def full(match: re.Match[str]) -> str:
        stem, ending = match.group(1), match.group(2).replace("’", "'").lower()
        stem = _IRREGULAR.get(stem.lower(), stem) if ending == "n't" else stem
        return stem + _FULL[ending]

    text = _CONTRACTION.sub(full, text)
    text = _COUPLE.sub(r"\1 \3 and \2 \3", text)
    return re.sub(r"\b(it|he|she|that|who|there|what)['’]s\b", r"\1 is", text, flags=re.IGNORECASE)


def _join(raw: list[str]) -> Iterator[str]:
    """Several words that act as one, longest first: provided that, as well as, 10 p.m."""
    i = 0
    while i < len(raw):
        if raw[i][:1].isdigit() and raw[i + 1 : i + 2] and raw[i + 1] in closed.HOURS:
            yield f"{raw[i]} {raw[i + 1]}"
            i += 2
            continue
        for size in range(closed.LONGEST, 1, -1):
            phrase = " ".join(raw[i : i + size]).lower()
            kept = phrase == "apart from" and i > 0 and verb_base(raw[i - 1]) in _KEEP
            if phrase in closed.PHRASES and not kept:
                yield phrase
                i += size
                break
        else:
            yield raw[i]
            i += 1


def _drop_idle(raw: Iterator[str]) -> list[str]:
    """Adverbs that change nothing go; "then" stays where it opens a conclusion."""
    words = list(raw)
    rule = words and closed.TYPES.get(words[0].lower(), frozenset()) & {"IF", "UNLESS"}
    kept = []
    for i, word in enumerate(words):
        lower = word.lower()
        negated = i > 0 and words[i - 1].lower() in ("not", "cannot")
        idle = lower in closed.IDLE and not (negated and lower in closed.SCOPAL)
        after = words[i + 1].lower() if i + 1 < len(words) else ""
        if lower == "too" and after.isalpha() and after not in closed.TYPES:
            idle = False  # too young
        if lower == "both" and "and" not in words[i:]:
            idle = False
        if lower == "then" and rule and "then" not in kept:
            idle = False
        if not idle:
            kept.append(lower if lower == "then" else word)
        elif kept and kept[-1] == "," and (i + 1 == len(words) or words[i + 1] == ","):
            kept.pop()  # "Members, too, must pay": the comma goes with it
    return kept


def _classified(raw: list[str]) -> Iterator[Word]:
    i = 0
    while i < len(raw):
        j = _name_end(raw, i)
        if j == 2 and i == 0 and is_property(*raw[:2]):
            yield Word(" ".join(raw[:2]), frozenset({"PROPERTY_NAME"}))
        elif j > i + 1:
            name = " ".join(raw[i:j])
            yield Word(name, frozenset({"NAME", "MOD", "N"}), name)
        elif j == i + 1 and i > 0 and raw[i].lower() in NATIONS:
            yield Word(raw[i], frozenset({"NAME", "ADJ", "MOD", "N"}), raw[i])
        elif j == i + 1 and i > 0:
            yield Word(raw[i], frozenset({"NAME", "MOD", *_noun_types(raw[i])}), raw[i])
        elif j == i + 1:
            yield _first(raw)
        else:
            keep = i > 0 or (len(raw[i]) == 1 and raw[i] != "A")
            text = raw[i] if raw[i][:1].isupper() and keep else raw[i].lower()
            yield Word(text, frozenset(_types(text)))
        i = max(j, i + 1)


def _noun_types(word: str) -> set[str]:
    """A capitalised word inside a sentence as a noun: "an ID", "the CEO", "two IDs"."""
    return {"NS"} if len(word) > 2 and word[:-1].isupper() and word[-1] == "s" else {"N"}


def _first(raw: list[str]) -> Word:
    """The first word of a sentence, capitalised in any case."""
    word = raw[0]
    lower = word.lower()
    if len(word) > 1 and (any(map(str.isdigit, word)) or not word[1:].islower()):  # ID, Router-7
        return Word(word, frozenset({"NAME", "MOD", *_noun_types(word)}), word)
    if lower.endswith("ly") and not (is_listed(lower) or is_proper(word) or lower in GIVEN_NAMES):
        return Word(lower, frozenset(_types(lower)))  # Interestingly, …
    if lower in GIVEN_NAMES or not (is_listed(lower) or "-" in word or is_derived(lower)):
        types = frozenset({"NAME", "MOD", *_noun_types(word)})
        maybe = PLURAL in classes(lower) and not lower.endswith(("as", "os"))
        beside = len(raw) > 2 and raw[1] in ("and", "or", ",") and raw[2][:1].isupper()
        if maybe and not beside and lower not in GIVEN_NAMES and not is_proper(word):
            return Word(lower, (types | {"NS"}) - {"N"}, word)  # Bots, or a Jens?
        return Word(word, types, word)
    if lower in NATIONS:
        return Word(word, frozenset({"NAME", "MOD", "ADJ", "N"}), word)
    if is_proper(word) and lower not in common.THINGS:
        return Word(lower, frozenset({"NAME", *_types(lower)}), word)
    kind = is_kind(lower) or ADJECTIVE in classes(lower)
    if kind and word not in raw[1:]:
        return Word(lower, frozenset(_types(lower)))  # "Visitor must sign": no name
    return Word(lower, frozenset({"ODD_NAME", *_types(lower)}), word)


def _name_end(raw: list[str], i: int) -> int:
    """Where the proper name that starts at i ends; i if none does."""
    if not _capital(raw, i):
        return i
    j = i + 1
    while j < len(raw) and (_capital(raw, j) or _numeral(raw[j])):
        j += 1
    return j


def _capital(raw: list[str], i: int) -> bool:
    word = raw[i]
    lower = word.lower()
    if lower in ("may", "will") and raw[i + 1 : i + 2] and raw[i + 1] in _AFTER_NAME:
        return word[:1].isupper()
    if not word[:1].isupper() or len(word) == 1:
        return False
    if word in ("IT", "US", "WHO"):
        return any(w.islower() for w in raw)
    return lower not in closed.TYPES or (i > 0 and lower in ("may", "will"))


def _numeral(word: str) -> bool:
    """The 12 of Room 12, the 3B of Flat 3B, the I of Calculus I, the A of Switch A."""
    return (len(word) == 1 and word.isupper()) or bool(re.fullmatch(r"\d[\w.-]*", word))


def _types(word: str) -> set[str]:
    if word in closed.TYPES:
        return set(closed.TYPES[word])
    if len(word) == 1 and word in closed.LETTERS:
        return {"VAR"}
    if word.rpartition(" ")[2] in closed.HOURS:
        return {"NAME"}
    if word[:1].isdigit() or word[:1] in "$€£":
        return {"NUM", "MOD", "ADJ", "N"} if "-" in word else {"NUM", "MOD"}
    if not word[:1].isalpha():
        return {word}
    found = {type_ for cls in classes(word.lower()) for type_ in _OPEN[cls]}
    if word.lower() in common.PLURAL_MODIFIERS:
        found.add("MOD")  # a customs form, a sports club
    if word.lower() in closed.LINKING:
        return found
    if "V" in found and "N" not in found:
        found |= {"N", "MOD"}  # dictionaries have gaps: "the lounge"
    if "VS" in found and "NS" not in found:
        found.add("NS")  # vets
    return found
