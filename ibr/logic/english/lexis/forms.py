"""What an English word can be, and its other forms. The only door to `dictionary`.

Words are lower-case here. A word that the dictionary does not have may be anything that its ending
allows: names and trade words must not stop the reader.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ibr.logic.english.lexis import dictionary
from ibr.logic.english.lexis.lists import LISTS

NOUN, PLURAL, MASS = "NOUN", "PLURAL", "MASS"
BASE, THIRD, PAST, PARTICIPLE, GERUND = "BASE", "THIRD", "PAST", "PARTICIPLE", "GERUND"
ADJECTIVE, ADVERB = "ADJECTIVE", "ADVERB"

_VERB_TAGS = {"VB": BASE, "VBZ": THIRD, "VBD": PAST, "VBN": PARTICIPLE, "VBG": GERUND}

# Spoken of as many without an -s: "the staff are", "police may".
_COLLECTIVE = LISTS["collective"]
# Dictionary entries that mislead more than they help.
_NOT_NOUNS = LISTS["not-nouns"]
_NOT_VERBS = LISTS["not-verbs"]
_PREFIXES = ("un", "non", "pre", "over", "under", "out", "re", "mis", "dis", "co", "sub", "multi")
# Adjectives that the dictionary has as nouns only: responsible.
_ADJECTIVE_ENDINGS = ("ible", "able", "ful", "ous", "less")
_ORDINALS = LISTS["ordinals"]
_IRREGULAR = LISTS["irregular"]
_ALWAYS_PLURAL = LISTS["always-plural"]
# Words newer than the dictionary, or that it has as verbs only.
_NEW_NOUNS = LISTS["new-nouns"]
_NEVER_MASS = LISTS["never-mass"]
_NOT_PLURALS = LISTS["not-plurals"]


_lemmas = lru_cache(maxsize=1 << 14)(dictionary.lemmas)
_inflections = lru_cache(maxsize=1 << 14)(dictionary.inflections)
is_proper = dictionary.is_proper


@lru_cache(maxsize=1 << 14)
def classes(word: str) -> frozenset[str]:
    """Every class that `word` can have: classes("signed") = {PAST, PARTICIPLE}."""
    found = set(_listed(word))
    if not found and "-" in word:
        found = _compound(word)
    if not found and _stem(word):
        found = _listed(_stem(word))
    return frozenset(found or _guessed(word))


def is_listed(word: str) -> bool:
    return bool(_lemmas(word)) or word.removesuffix("s") in _NEW_NOUNS


def is_derived(word: str) -> bool:
    """Not in the dictionary, but plainly made from words of it: untrusted, takeaway."""
    return bool(_stem(word) or _halves(word) or _agent_verb(word))


def _halves(word: str) -> tuple[str, str] | None:
    """takeaway, creditworthy"""
    cuts = ((word[:i], word[i:]) for i in range(4, len(word) - 3))
    return next(((a, b) for a, b in cuts if is_listed(a) and is_listed(b)), None)


def _agent_verb(word: str) -> str:
    """adopters: who adopt"""
    stem = word.removesuffix("s")
    if not stem.endswith(("er", "or")):
        return ""
    return next((v for v in (stem[:-2], stem[:-1]) if BASE in _listed(v)), "")


def _stem(word: str) -> str:
    stems = (word[len(p) :] for p in _PREFIXES if word.startswith(p))
    return next((stem for stem in stems if len(stem) > 3 and is_listed(stem)), "")


def is_adjective(word: str) -> bool:
    """Certainly one: listed, made from one (untrusted), or by its ending."""
    known = _listed(word) or (_listed(_stem(word)) if _stem(word) else set())
    if known:
        return bool({ADJECTIVE, PARTICIPLE} & known)
    halves = _halves(word)
    if halves:
        return _listed(halves[1]) & {ADJECTIVE, ADVERB} == {ADJECTIVE}
    return word.endswith((*_ADJECTIVE_ENDINGS, "al", "ic", "ive", "ary", "ish", "ed"))


def is_comparative(word: str) -> bool:
    """older, better, more expensive"""
    if word.startswith(("more ", "less ")):
        return True
    return any(word in _inflections(lemma, "ADJ").get("JJR", ()) for lemma in _adjectives(word))


def _adjectives(word: str) -> tuple[str, ...]:
    return tuple(lemma for lemma in _lemmas(word).get("ADJ", ()) if lemma != word)


def _listed(word: str) -> set[str]:
    lemmas, found = _lemmas(word), set()
    if word in _ALWAYS_PLURAL:
        return {PLURAL}
    if word in _ORDINALS:
        return {ADJECTIVE, ADVERB}
    if word in _NEW_NOUNS:
        found.add(NOUN)
    elif word.removesuffix("s") in _NEW_NOUNS:
        found.add(PLURAL)
    for noun in lemmas.get("NOUN", ()) if word not in _NOT_NOUNS else ():
        found |= _noun_classes(word, noun)
    for verb in lemmas.get("VERB", ()) if word not in _NOT_VERBS else ():
        found |= _verb_classes(word, verb)
    if "ADJ" in lemmas or (found == {NOUN} and word.endswith(_ADJECTIVE_ENDINGS)):
        found.add(ADJECTIVE)
    if "ADV" in lemmas:
        found.add(ADVERB)
    return found


def _noun_classes(word: str, lemma: str) -> set[str]:
    plurals = _inflections(lemma, "NOUN").get("NNS", ())
    found = {PLURAL} if word in _COLLECTIVE or (word in plurals and word != lemma) else set()
    if word == lemma:
        found.add(NOUN)
        if lemma in plurals and lemma not in _NEVER_MASS:
            found.add(MASS)
    return found - ({PLURAL} if word in _NOT_PLURALS else set())


def _verb_classes(word: str, lemma: str) -> set[str]:
    forms = _inflections(lemma, "VERB")
    found = {_VERB_TAGS[tag] for tag, said in forms.items() if tag in _VERB_TAGS and word in said}
    if PAST in found and "VBN" not in forms:
        found.add(PARTICIPLE)
    return found


def _compound(word: str) -> set[str]:
    """full-time, co-owner, well-behaved, 3-year: an adjective, or a noun like its last part."""
    last = classes(word.rpartition("-")[2])
    nouns = last & {NOUN, PLURAL}
    if nouns == {PLURAL}:
        return {PLURAL}
    return {ADJECTIVE} | nouns | (last & {PARTICIPLE, GERUND})


def _guessed(word: str) -> set[str]:
    if word.endswith("ly"):
        return {ADVERB}
    if word.endswith("ing"):
        return {GERUND, ADJECTIVE, NOUN}
    if word.endswith("ed"):
        return {PAST, PARTICIPLE, ADJECTIVE}
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return {PLURAL, THIRD}
    return {NOUN, ADJECTIVE, BASE}


@lru_cache(maxsize=1 << 14)
def singular(word: str) -> str:
    """members → member; a word that is no plural stays."""
    if word in _ALWAYS_PLURAL or (word in _COLLECTIVE and word not in _IRREGULAR):
        return word
    if classes(word) & {PLURAL, THIRD} == {THIRD}:
        return verb_base(word)
    if PLURAL not in classes(word):
        return word
    if "-" in word and not is_listed(word):
        head, _, last = word.rpartition("-")
        return f"{head}-{singular(last)}"
    lemmas = [noun for noun in _lemmas(word).get("NOUN", ()) if noun != word]
    return min(lemmas, key=len) if lemmas else _strip_s(word)


def _strip_s(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "zzes", "ches", "shes")):
        return word[:-2]
    return word[:-1]


@lru_cache(maxsize=1 << 14)
def plural(word: str) -> str:
    if word in _COLLECTIVE or word in _ALWAYS_PLURAL:
        return word
    forms = [form for form in _inflections(word, "NOUN").get("NNS", ()) if form != word]
    if forms:
        return forms[0]
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    return word[:-1] + "ies" if word.endswith("y") and word[-2:-1] not in "aeiou" else word + "s"


@lru_cache(maxsize=1 << 14)
def verb_base(word: str) -> str:
    """signed, signing, signs → sign."""
    for lemma in _lemmas(word).get("VERB", ()):
        if _verb_classes(word, lemma):
            return lemma
    if word.endswith("ed"):
        return word[:-1] if word[-3:-2] in "aeiou" else word[:-2]
    return word[:-3] if word.endswith("ing") else word


@lru_cache(maxsize=1 << 14)
def verb_participle(base: str) -> str:
    """sign → signed, write → written."""
    forms = _inflections(base, "VERB")
    return (forms.get("VBN") or forms.get("VBD") or (f"{base}ed",))[0]


@lru_cache(maxsize=1 << 14)
def verb_past(base: str) -> str:
    return (_inflections(base, "VERB").get("VBD") or (f"{base}ed",))[0]


REMEMBERED: Final = (
    _lemmas,
    _inflections,
    classes,
    singular,
    plural,
    verb_base,
    verb_participle,
    verb_past,
)
