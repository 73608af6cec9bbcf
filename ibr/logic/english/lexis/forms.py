"""What an English word can be, its other forms, its family. The only door to `dictionary`.

Words are lower-case here. A word that the dictionary does not have may be anything that its ending
allows: names and trade words must not stop the reader.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import takewhile
from typing import Final

from ibr.logic.budget import spend
from ibr.logic.english.lexis import dictionary
from ibr.logic.english.lexis.lists import LISTS

NOUN, PLURAL, MASS = "NOUN", "PLURAL", "MASS"
BASE, THIRD, PAST, PARTICIPLE, GERUND = "BASE", "THIRD", "PAST", "PARTICIPLE", "GERUND"
ADJECTIVE, ADVERB = "ADJECTIVE", "ADVERB"

_VERB_TAGS = {"VB": BASE, "VBZ": THIRD, "VBD": PAST, "VBN": PARTICIPLE, "VBG": GERUND}
_LONGEST: Final = 60  # letters of two words together
_PREFIXES = ("un", "non", "pre", "over", "under", "out", "re", "mis", "dis", "co", "sub", "multi")
_ADJECTIVE_ENDINGS = ("ible", "able", "ful", "ous", "less")  # the dictionary has some as nouns only
_ODD = {many: one for one, many in map(str.split, LISTS["odd-plurals"])}

_FAMILIES = tuple(frozenset(group.split("+")) for group in LISTS["families"])
_STEM_ENDINGS = ("er", "ers", "ness", "ing", "ish", "ie", "y")

_lemmas = lru_cache(maxsize=1 << 14)(dictionary.lemmas)
_inflections = lru_cache(maxsize=1 << 14)(dictionary.inflections)
is_proper = dictionary.is_proper


@lru_cache(maxsize=1 << 14)
def classes(word: str) -> frozenset[str]:
    """Every class that `word` can have: classes("signed") = {PAST, PARTICIPLE}."""
    found = _listed(word)
    if not found and "-" in word:
        found = _compound(word)
    return frozenset(found or _listed(_stem(word)) or _joined(word) or _guessed(word))


def is_listed(word: str) -> bool:
    return bool(_lemmas(word)) or word in _ODD or word.removesuffix("s") in LISTS["new-nouns"]


def is_derived(word: str) -> bool:
    """Not in the dictionary, but plainly made from words of it: untrusted, takeaway, adopters."""
    if _stem(word):
        return True
    agent = word.removesuffix("s")
    if agent.endswith(("er", "or")) and any(BASE in _listed(v) for v in (agent[:-2], agent[:-1])):
        return True
    parts = range(4, len(word) - 3) if len(word) <= _LONGEST else ()
    return any(is_listed(word[:i]) and is_listed(word[i:]) for i in parts)


def _joined(word: str) -> set[str]:
    """windowsill: two nouns"""
    parts = range(4, len(word) - 3) if len(word) <= _LONGEST else ()
    pairs = ((_listed(word[:i]), _listed(word[i:])) for i in parts)
    pairs = ((one, last) for one, last in pairs if NOUN in one and ADJECTIVE not in last)
    nouns = (last & {NOUN, PLURAL} for _, last in pairs)
    return next(filter(None, nouns), set())


def _stem(word: str) -> str:
    stems = (word[len(p) :] for p in _PREFIXES if word.startswith(p))
    return next((stem for stem in stems if len(stem) > 3 and is_listed(stem)), "")


def _listed(word: str) -> set[str]:
    lemmas, found = _lemmas(word), set()
    if word in LISTS["always-plural"] or word in _ODD:
        return {PLURAL}
    if word in LISTS["ordinals"]:
        return {ADJECTIVE, ADVERB}
    if word.removesuffix("s") in LISTS["new-nouns"]:
        found.add(NOUN if word in LISTS["new-nouns"] else PLURAL)
    for noun in lemmas.get("NOUN", ()) if word not in LISTS["not-nouns"] else ():
        found |= _noun_classes(word, noun)
    for verb in lemmas.get("VERB", ()) if word not in LISTS["not-verbs"] else ():
        found |= _verb_classes(word, verb)
    if ("ADJ" in lemmas and word not in LISTS["not-adjectives"]) or (
        found == {NOUN} and word.endswith(_ADJECTIVE_ENDINGS)
    ):
        found.add(ADJECTIVE)
    return found | ({ADVERB} if "ADV" in lemmas else set())


def _noun_classes(word: str, lemma: str) -> set[str]:
    plurals = _inflections(lemma, "NOUN").get("NNS", ())
    many = word in LISTS["collective"] or (word in plurals and word != lemma)
    found = {PLURAL} if many else set()
    if word == lemma:
        found.add(NOUN)
        if lemma in plurals and lemma not in LISTS["never-mass"]:
            found.add(MASS)
    return found - ({PLURAL} if word in LISTS["not-plurals"] else set())


def _verb_classes(word: str, lemma: str) -> set[str]:
    forms = _inflections(lemma, "VERB")
    found = {_VERB_TAGS[tag] for tag, said in forms.items() if tag in _VERB_TAGS and word in said}
    past, done = forms.get("VBD", ()), forms.get("VBN", ())
    same = not done or len({*past} - {*done}) < len(past)  # burned, so burnt
    return found | ({PARTICIPLE} if PAST in found and same else set())


def _compound(word: str) -> set[str]:
    """full-time, co-owner, well-behaved, 3-year: an adjective, or a noun like its last part."""
    last = classes(word.rpartition("-")[2])
    if last & {NOUN, PLURAL} == {PLURAL}:
        return {PLURAL}
    return {ADJECTIVE} | (last & {NOUN, PLURAL, PARTICIPLE, GERUND})


def _guessed(word: str) -> set[str]:
    by_ending = {
        "ly": {ADVERB},
        "ing": {GERUND, ADJECTIVE, NOUN},
        "ed": {PAST, PARTICIPLE, ADJECTIVE},
    }
    for ending, found in by_ending.items():
        if word.endswith(ending):
            return found
    return {PLURAL, THIRD} if bases(word) else {NOUN, ADJECTIVE, BASE}


def bases(word: str, ending: str = "s") -> list[str]:
    """What an unknown word may be made from by the rules of spelling, the likeliest first."""
    stem = word.removesuffix(ending)
    if stem == word or len(stem) < 2 or (ending == "s" and word.endswith(("ss", "us", "is"))):
        return []
    if ending != "s":
        return [stem[:-1], stem] if stem[-1:] == stem[-2:-1] != "s" else [stem, f"{stem}e"]
    found = [stem]
    if word.endswith("ies") and len(word) > 4:
        found.insert(0, f"{word[:-3]}y")
    if word.endswith("ves"):
        found += [f"{word[:-3]}f", f"{word[:-3]}fe"]
    if word.endswith(("uses", "ises", "sses", "xes", "zes", "ches", "shes", "oes")):
        found.insert(0, word[:-2])
    elif word.endswith("ses"):
        found.append(word[:-2])
    return [*found, word[:-3]] if word.endswith(("zzes", "sses")) else found


@lru_cache(maxsize=1 << 14)
def singular(word: str) -> str:
    """members → member; a word that is no plural stays."""
    if word in _ODD:
        return _ODD[word]
    if word in LISTS["always-plural"] | (LISTS["collective"] - LISTS["irregular"]):
        return word
    if classes(word) & {PLURAL, THIRD} == {THIRD}:
        return verb_base(word)
    if PLURAL not in classes(word):
        return word
    if "-" in word and not is_listed(word):
        head, _, last = word.rpartition("-")
        return f"{head}-{singular(last)}"
    lemmas = [noun for noun in _lemmas(word).get("NOUN", ()) if noun != word]
    return min(lemmas, key=len) if lemmas else (bases(word) or [word])[0]


@lru_cache(maxsize=1 << 14)
def plural(word: str) -> str:
    if word in LISTS["collective"] or word in LISTS["always-plural"]:
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
    if word.endswith("ed") and not _lemmas(word):  # red is no form of a verb
        return word[:-1] if word[-3:-2] in "aeiou" else word[:-2]
    return word[:-3] if word.endswith("ing") else word


def adjective_base(word: str) -> str:
    """heavier, more expensive → heavy, expensive."""
    word = word.removeprefix("more ").removeprefix("less ")
    return (*_lemmas(word).get("ADJ", ()), word)[0]


@lru_cache(maxsize=1 << 14)
def verb_participle(base: str) -> str:
    """sign → signed, write → written."""
    forms = _inflections(base, "VERB")
    return (forms.get("VBN") or forms.get("VBD") or (f"{base}ed",))[0]


@lru_cache(maxsize=1 << 14)
def verb_past(base: str) -> str:
    return (_inflections(base, "VERB").get("VBD") or (f"{base}ed",))[0]


def noun_of(key: str) -> str:
    """The noun that a description is about: of "key to the box" key, of "drill bit" bit."""
    own = takewhile(lambda word: word not in LISTS["closed"], key.split())
    return [key, *own][-1]


def family(one: str, other: str) -> bool:
    """suspension, suspend; ban, banned; a hyphen is no difference"""
    spend()
    return related(one.rpartition(" ")[2].lower(), other.rpartition(" ")[2].lower())


@lru_cache(maxsize=1 << 16)
def related(one: str, other: str) -> bool:
    """Of two words in lower case."""
    if one == other or any(one in f and other in f for f in _FAMILIES):
        return True
    if len(one) < 3 or len(other) < 3:
        return False
    if _forms(one) & _forms(other):
        return True
    shorter, longer = sorted((one, other), key=len)
    pairs = zip(one, other, strict=False)
    common = len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])
    if common == len(shorter) >= 4 and longer[common:] in LISTS["endings"]:
        return True
    return common >= 5 and common >= 0.5 * len(longer)


def _forms(word: str) -> set[str]:
    found = {word, verb_base(word), singular(word)}
    for ending in _STEM_ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word.removesuffix(ending)
            found |= {stem, stem + "e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem}
    return found | ({word[2:], verb_base(word[2:])} if word.startswith("un") else set())


REMEMBERED: Final = (
    _lemmas, _inflections, classes, singular, plural, verb_base, verb_participle, verb_past,
    related,
)  # fmt: skip
