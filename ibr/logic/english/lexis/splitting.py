"""Sentences to tokens: fixed phrases and names joined. No classes here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from ibr.logic.english.lexis import forms
from ibr.logic.english.lexis.asides import without_asides
from ibr.logic.english.lexis.contractions import in_full
from ibr.logic.english.lexis.forms import bases, classes, is_listed, is_proper
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.numbers import spelled
from ibr.logic.surface.words import GIVEN_NAMES, NATIONS, words

_WORD = re.compile(
    r"""(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|No|vs|etc|approx)\.(?=\s)
    | (?:e\.g|i\.e|a\.m|p\.m)\.?
    | [$€£#]?\d+(?:[.,:/]\d+)*%?(?:-?[^\W\d_]+)*
    | \b[A-Z]\.(?=\s+[A-Z])
    | [^\W_]+(?:[-/&.\u00a0][^\W_]+|['’](?!s\b)[^\W_]+)*
    | ['’]s\b | ['’] | [–—] | [^\s\w]
    """,
    re.VERBOSE,
)
# The following members are suspended: Tom and Ann. Not allowed in the gym: food.
_FOLLOWING = re.compile(
    r"^(?:The following (?:[\w ]+? )?((?:are|have|were|may|must|can|cannot) [^:]*)"
    r"|((?:not )?(?:allowed|permitted|forbidden|prohibited|banned|required)[^:]*)): ([^:]*?)\.?$",
    re.IGNORECASE,
)
# You need the following for the course: an apron. Nobody may bring these things: phones.
_THESE = re.compile(
    r"^(.+(?<! if)(?<! when)(?<! of)) (?:these|the following)(?: things| items| articles| objects)?"
    r"( (?:at|before|for|from|in|into|on|onto|to|with) [^:]*)?: ([^:]*?)\.?$"
)
_OPEN_STEM = re.compile(r"\b(from|to|may|must|can|cannot|not|is|are|by|of|with|for|in|on|at): ")
_SCENE = re.compile(
    rf"^(?:In|At|On) (?:this|these|our) (?:{'|'.join(LISTS['scenes'])}),? (?=[\w\"])", re.I
)
_COUPLE = re.compile(r"\b(Mr|Mrs|Ms|Dr)\.? and (Mr|Mrs|Ms|Dr)\.? ([A-Z]\w+)")
_TITLE = re.compile(r'["“]([A-Z]\w+(?: (?:[A-Z][\w-]*|of|the|and|in|on|a|to|for))* [A-Z]\w*)["”]')
_QUOTES = frozenset('"“”*_`')
_CLOSED = LISTS["closed"]
_LONGEST = max(len(phrase.split()) for phrase in LISTS["phrases"])
_DETS = ("a", "an", "the", "every")
_AFTER_NAME = ("is", "has", "was", "may", "must", "can")
_IN_NAMES = LISTS["in-names"] | words("saint san los")
# What makes a label more than one: "Tom said: …", "Not allowed: …".
_GOVERNING = _CLOSED - words("the a from of please to") | LISTS["governing"]
TITLES = words("mr mrs ms miss dr prof professor sir lady lord captain coach chef officer")
_TITLES = words("mr mrs ms miss dr prof")


class Raw(NamedTuple):
    """`text` as written; `name`: it is (part of) a proper name, now joined."""

    text: str
    name: bool = False

    @property
    def low(self) -> str:
        return self.text.lower()


def split(sentence: str) -> list[str]:
    """Words and marks, without the final stop."""
    text = _SCENE.sub("", without_asides(spelled(sentence.strip().replace("’", "'"))))
    text = _FOLLOWING.sub(_listed, text[:1].upper() + text[1:])
    text = _OPEN_STEM.sub(r"\1 ", _THESE.sub(r"\1 \3\2", text))
    text = _TITLE.sub(lambda title: title[1].replace(" ", "\u00a0"), text)
    text = _COUPLE.sub(r"\1 \3 and \2 \3", in_full(text))
    found = [w.replace("\u00a0", " ") for w in _WORD.findall(text) if w not in _QUOTES]
    while found and found[-1] in (".", "!", ";", "?"):
        found.pop()
    return found


def _listed(match: re.Match[str]) -> str:
    """The following pupils are absent: Tom. Tom is absent."""
    verb, _, rest = (match[1] or f"are {match[2].lower()}").partition(" ")
    items = match[3]
    last = items.rpartition(" ")[2]
    several = "," in items or " and " in items or (last.islower() and forms.PLURAL in classes(last))
    one = {"are": "is", "have": "has", "were": "was"}.get(verb, verb)
    return f"{items[:1].upper()}{items[1:]} {verb if several else one} {rest}"


_SINGULAR = words("is was has does")
_FILE = re.compile(r"[a-z][\w-]*\.[a-z]\w{1,4}")  # notes.txt
_APPOSED = words("a an the my our your his her its their")


def names_in(sentences: Iterable[Sequence[str]]) -> frozenset[str]:
    """Names: words with a capital where no sentence begins, and unknown ones that something is."""
    sentences = [list(said) for said in sentences]
    common = {word for said in sentences for word in said if word.islower()}
    common |= {base for word in common for base in bases(word)}
    opened = (said for said in sentences if said[1:] and said[0][:1].isupper())
    opened = (said for said in opened if said[0].lower() not in common)
    return frozenset(said[0] for said in opened if _is_named(said)).union(
        word
        for said in sentences
        if not _shouts(said)
        for before, word in pairwise(said)
        if word[:1].isupper() and len(word) > 1 and before not in ":–—(["
        and not (before.lower() in _DETS and word.lower() in common)
    )  # fmt: skip


def _is_named(said: Sequence[str]) -> bool:
    """The first word of Tobias is late, Cord's landlord, Hopper is a frog, Pebble, our tortoise,"""
    low, after, then = said[0].lower(), said[1], "".join(said[2:3])
    found = classes(low)
    if after == "'s":
        return low not in _CLOSED
    if after == ",":
        several = {forms.PLURAL, forms.MASS} if then in _DETS else {forms.PLURAL}
        return then in _APPOSED and "," in said[3:] and low not in _CLOSED and not found & several
    one = after in ("is", "was") and then in ("a", "an", "the") and low not in LISTS["counts"]
    if one and found & {forms.NOUN, forms.MASS, forms.PLURAL, forms.ADJECTIVE} == {forms.NOUN}:
        return True  # one of a kind has an article
    return after in ("is", "was", "has", "does") and low.endswith("s") and not is_listed(low)


def _shouts(said: Sequence[str]) -> bool:
    """TOM IS SUSPENDED"""
    letters = [w for w in said if w.isalpha() and len(w) > 1]
    return len(letters) > 1 and all(w.isupper() for w in letters)


def tokenize(said: Sequence[str], names: frozenset[str]) -> list[Raw]:
    """`names`: those of the whole rulebook."""
    said = list(said)
    if _shouts(said):
        known = {name.upper(): name for name in names}
        said = [known.get(w, w.lower()) for w in said]
        said[0] = said[0][:1].upper() + said[0][1:]
    for i, (before, word) in enumerate(pairwise(said), start=1):
        if word[:1].isupper() and word not in names and before.lower() in _DETS:
            said[i] = word.lower()
    return _names(_phrases(_unlabelled(said)), names)


def _unlabelled(said: list[str]) -> list[str]:
    """Note: Tom is suspended. (Tom is suspended.) Important – Tom is suspended!"""
    while said and said[0] in ("(", "[") and said[-1] in (")", "]", "."):
        said = [w for w in said[1:] if w not in (")", "]")]
        while said and said[-1] in (".", "!"):
            said.pop()
    if said[:1] in (["N.B"], ["NB"], ["P.S"], ["PS"]):
        said = said[2:] if said[1:2] in (["."], [":"]) else said[1:]
    mark = next((i for i, w in enumerate(said[:6]) if w in (":", "–", "—")), 0)
    if not 0 < mark < len(said) - 2:
        return said
    label = said[:mark]
    plain = all(w.islower() or w.isupper() for w in label[1:])
    heading = len(label) == 1 and forms.PLURAL in classes(label[0].lower())  # Returns: Old games …
    heading = heading and said[mark + 1][:1].isupper()
    word = label[-(label[0].lower() in LISTS["scenes"])].lower()  # House rule: …
    plain = plain and (heading or word in LISTS["labels"])
    plain = plain and not any(w.lower() in _GOVERNING or any(map(str.isdigit, w)) for w in label)
    return said[mark + 1 :] if plain else said


def _phrases(said: list[str]) -> list[str]:
    found, i = [], 0
    while i < len(said):
        size = next((k for k in range(_LONGEST, 1, -1) if _is_phrase(said[i : i + k], k)), 1)
        phrase = " ".join(said[i : i + size])
        if size > 1 and not phrase[0].isdigit():
            phrase = phrase.lower() if i else phrase.capitalize()
        found.append(phrase)
        i += size
    return found


def _is_phrase(said: list[str], size: int) -> bool:
    """as long as; 5 p.m."""
    if len(said) < size:
        return False
    is_hour = size == 2 and said[0][:1].isdigit() and said[1].replace(".", "") in ("pm", "am")
    return is_hour or " ".join(said).lower() in LISTS["phrases"]


def _names(said: list[str], names: frozenset[str]) -> list[Raw]:
    found: list[Raw] = []
    i = 0
    while i < len(said):
        j = i + 2 if _has_letter(said, i) else _name_end(said, i, names)
        text = " ".join(said[i : max(j, i + 1)])
        found.append(Raw(text[:1].upper() + text[1:] if j > i else text, j > i))
        i = max(j, i + 1)
    return found


def _has_letter(said: list[str], i: int) -> bool:
    """room B, but not person X"""
    word, after = said[i], "".join(said[i + 1 : i + 2])
    letter = len(after) == 1 and after.isupper() and after not in "IUVWXYZ"
    return letter and word.islower() and forms.NOUN in classes(word)


def separated(raws: Iterable[Raw], known: frozenset[str]) -> list[Raw]:
    """Is Hans Peter's father? Two names where the rulebook has both and not their sum."""
    found: list[Raw] = []
    for raw in raws:
        parts = raw.text.split() if raw.name and raw.text not in known else []
        pairs = ((" ".join(parts[:k]), " ".join(parts[k:])) for k in range(1, len(parts)))
        pair = next((p for p in pairs if known.issuperset(p)), None)
        found += [Raw(name, True) for name in pair] if pair else [raw]
    return found


def _name_end(said: list[str], i: int, names: frozenset[str]) -> int:
    """Where the name that begins here ends; the same place if none does."""
    if not _capital(said, i):
        return i
    j = i + 1
    while j < len(said) and (_capital(said, j) or _numeral(said[j])):
        if said[j].rstrip(".").lower() in _TITLES and not _is_adjective(said[j - 1]):
            break  # Is Ingrid Mr Lund's daughter?
        if i == 1 and j == 2 and said[3:4] == ["'s"] and _asks_whose(said):
            break  # Is Luz Ana's sister?
        if said[j].lower() in NATIONS and j == len(said) - 1:
            break  # Is Mina Italian?
        j += 1
    if said[j : j + 1] == ["'s"] and j == i + 1 and _shop(said, j):
        return j + 1  # Luigi's wears
    titled = said[i].rstrip(".").lower() in TITLES
    return j if i or titled or _opens_name(said, j, names) else i


def _asks_whose(said: list[str]) -> bool:
    found = classes(said[-1]) if len(said) < 7 else frozenset()
    return said[0] in ("Is", "Was") and forms.NOUN in found and forms.ADJECTIVE not in found


def _shop(said: list[str], j: int) -> bool:
    """Nobody who works at Luigi's wears a tie."""
    after = said[j + 1] if j + 1 < len(said) else "is"
    before = said[j - 2].lower() if j > 1 else ""
    return before in ("at", "in", "to", "from") and after in (*_AFTER_NAME, *_AFTER_SHOP)


_AFTER_SHOP = ("wears", "gets", ",", "and", "or")


def _opens_name(said: list[str], j: int, names: frozenset[str]) -> bool:
    """Is the capitalised word that opens the sentence (part of) a name?"""
    first, low = said[0], said[0].lower()
    if low in ("yesterday", "tomorrow"):
        return False
    if j > 1 and _numeral(said[1]):
        return True
    if j > 1:
        if _is_adjective(first) and (j > 2 or not is_listed(said[1].lower())):
            return True  # Old Mr Falk, Old Bessie
        plain = is_listed(low) and low not in GIVEN_NAMES and not is_proper(first)
        is_noun = classes(low) & {forms.NOUN, forms.ADJECTIVE} == {forms.NOUN}
        return not plain or " ".join(said[:j]) in names or low in _IN_NAMES or is_noun
    if first in names or low in GIVEN_NAMES:
        return True
    if low in NATIONS:
        return False
    return len(first) > 1 and (any(map(str.isdigit, first)) or not first[1:].islower())


def _is_adjective(word: str) -> bool:
    return word.lower() in LISTS["naming-adjectives"]


def _capital(said: list[str], i: int) -> bool:
    word, low = said[i], said[i].lower()
    if _FILE.fullmatch(word):
        return True
    if not word[:1].isupper() or len(word) == 1:
        return False
    if low in ("may", "will", "mark"):
        return i > 0 or (len(said) > 1 and said[1] in _AFTER_NAME)
    if word in ("IT", "US", "WHO"):
        return any(w.islower() for w in said)
    return low not in _CLOSED and not (i == 0 and low in LISTS["phrases"])


def _numeral(word: str) -> bool:
    """The 12 of Room 12, the 3B of Flat 3B, the I of Calculus I."""
    return (len(word) == 1 and word.isupper()) or bool(re.fullmatch(r"#?\d[\w.-]*", word))
