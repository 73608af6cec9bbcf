"""Sentences to tokens: contractions undone, fixed phrases and names joined. No classes here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ibr.logic.english.lexis import closed
from ibr.logic.english.lexis.forms import is_listed, is_proper
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.surface.words import GIVEN_NAMES, NATIONS, words

_WORD = re.compile(
    r"""(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|No|vs|etc|approx)\.(?=\s)
    | (?:e\.g|i\.e|a\.m|p\.m)\.?
    | [$€£]?\d+(?:[.,:/]\d+)*%?(?:-?[^\W\d_]+)*
    | \b[A-Z]\.(?=\s+[A-Z])
    | [^\W_]+(?:[-/&.][^\W_]+|['’](?!s\b)[^\W_]+)*
    | ['’]s\b | ['’] | [–—] | [^\s\w]
    """,
    re.VERBOSE,
)
_CONTRACTION = re.compile(r"\b(\w+?)(n['’]t|['’](?:re|ve|ll|d|m))\b", re.IGNORECASE)
_FULL = {"n't": " not", "'re": " are", "'ve": " have", "'ll": " will", "'d": " would", "'m": " am"}
_IRREGULAR = {"ca": "can", "wo": "will", "sha": "shall"}
_IS = re.compile(
    r"\b(it|he|she|that|who|there|what|everyone|everybody|nobody|someone)['’]s\b", re.IGNORECASE
)
# The following members are suspended: Tom and Ann.
_FOLLOWING = re.compile(
    r"^The following ([\w ]+?) ((?:are|have|were|may|must|can|cannot) [^:]*): ([^:]*?)\.?$"
)
_QUOTES = frozenset('"“”*_`')
TITLES = words("mr mrs ms miss dr prof professor sir lady lord captain coach chef officer")


class Raw(NamedTuple):
    """`text` as written; `name`: it is (part of) a proper name, now joined."""

    text: str
    name: bool = False

    @property
    def low(self) -> str:
        return self.text.lower()


def split(sentence: str) -> list[str]:
    """Words and marks, without the final stop."""
    text = _FOLLOWING.sub(r"\3 \2 ", sentence.strip().replace("’", "'"))
    text = _CONTRACTION.sub(_full, text)
    text = _IS.sub(r"\1 is", text)
    text = re.sub(r"\bcan not\b", "cannot", text)
    found = [w for w in _WORD.findall(text) if w not in _QUOTES]
    while found and found[-1] in (".", "!", ";", "?"):
        found.pop()
    return found


def _full(match: re.Match[str]) -> str:
    stem, ending = match.group(1), match.group(2).lower()
    stem = _IRREGULAR.get(stem.lower(), stem) if ending == "n't" else stem
    return stem + _FULL[ending]


def names_in(sentences: Iterable[Sequence[str]]) -> frozenset[str]:
    """Words that are written with a capital where no sentence begins: names."""
    found = set()
    sentences = [list(words) for words in sentences]
    common = {w for words in sentences for w in words if w.islower()}
    common |= {
        w.removesuffix("s").removesuffix("ie") + ("y" if w.endswith("ies") else "") for w in common
    }
    for said in sentences:
        if _shouts(said):
            continue
        for i, word in enumerate(said):
            noun = (
                i
                and said[i - 1].lower() in ("a", "an", "the", "every")
                and (word.lower() in common)
            )
            if (
                i
                and word[:1].isupper()
                and len(word) > 1
                and said[i - 1] not in (":", "–", "—")
                and not noun
            ):
                found.add(word)
    return frozenset(found)


def _shouts(words: Sequence[str]) -> bool:
    """TOM IS SUSPENDED"""
    letters = [w for w in words if w.isalpha() and len(w) > 1]
    return len(letters) > 1 and all(w.isupper() for w in letters)


def tokenize(words: Sequence[str], names: frozenset[str]) -> list[Raw]:
    """`names`: those of the whole rulebook."""
    words = list(words)
    if _shouts(words):
        known = {name.upper(): name for name in names}
        words = [known.get(w, w.lower()) for w in words]
        if words and words[0].islower() and not is_listed(words[0]):
            words[0] = words[0].capitalize()
        else:
            words[:1] = [w[:1].upper() + w[1:] for w in words[:1]]
    words = [
        w.lower()
        if i and w[:1].isupper() and w not in names and words[i - 1].lower() in _DETS
        else w
        for i, w in enumerate(words)
    ]
    joined = _phrases(_unlabelled(words))
    return _names(joined, names)


_DETS = ("a", "an", "the", "every")


def _unlabelled(words: list[str]) -> list[str]:
    """Note: Tom is suspended. (Tom is suspended.) Important – Tom is suspended!"""
    while words and words[0] in ("(", "[") and words[-1] in (")", "]", "."):
        words = [w for w in words[1:] if w not in (")", "]")]
        while words and words[-1] in (".", "!"):
            words.pop()
    if words[:3] == ["N.B", "."] or words[:1] in (["N.B"], ["NB"], ["P.S"], ["PS"]):
        words = words[1:]
        words = words[1:] if words[:1] in (["."], [":"]) else words
    for i, word in enumerate(words[:6]):
        if word in (":", "–", "—") and 0 < i < len(words) - 2:
            label = [w.lower() for w in words[:i]]
            plain = all(w.islower() or k == 0 or w.isupper() for k, w in enumerate(words[:i]))
            telling = any(w in _TELLING for w in label) or any(map(str.isdigit, "".join(label)))
            return words[i + 1 :] if plain and not telling and label[0] in _LABELS else words
    return words


_TELLING = closed.CLOSED - {"the", "a", "from", "of", "please", "to"} | words(
    """said says say told asked wrote thinks believes reports claims allowed forbidden permitted
    excluded exceptions except required following"""
)


_LABELS = LISTS["labels"]


def _phrases(words: list[str]) -> list[str]:
    found, i = [], 0
    while i < len(words):
        if (
            words[i][:1].isdigit()
            and words[i + 1 : i + 2]
            and words[i + 1].rstrip(".") in ("p.m", "a.m", "pm", "am")
        ):
            found.append(f"{words[i]} {words[i + 1]}")
            i += 2
            continue
        for size in range(closed.LONGEST, 1, -1):
            phrase = " ".join(words[i : i + size]).lower()
            if i + size <= len(words) and phrase in closed.PHRASES:
                found.append(phrase if i else phrase.capitalize())
                i += size
                break
        else:
            found.append(words[i])
            i += 1
    return found


def _names(words: list[str], names: frozenset[str]) -> list[Raw]:
    found: list[Raw] = []
    i = 0
    while i < len(words):
        j = _name_end(words, i, names)
        if j > i:
            found.append(Raw(" ".join(words[i:j]), True))
        else:
            found.append(Raw(words[i]))
        i = max(j, i + 1)
    return found


def _name_end(words: list[str], i: int, names: frozenset[str]) -> int:
    if not _capital(words, i):
        return i
    j = i + 1
    title = words[i].rstrip(".").lower() in TITLES
    while j < len(words) and (_capital(words, j) or _numeral(words[j])):
        j += 1
    if words[j : j + 1] == ["'s"] and j == i + 1 and _shop(words, j):
        return j + 1  # Luigi's wears
    if i == 0 and not title and not _opens_name(words, j, names):
        return i
    if i == 0 and j == 1 and words[0] not in names and words[0].lower() in GIVEN_NAMES:
        return j
    return j


def _shop(words: list[str], j: int) -> bool:
    """Nobody who works at Luigi's wears a tie."""
    after = words[j + 1] if j + 1 < len(words) else ""
    before = words[j - 2].lower() if j > 1 else ""
    return before in ("at", "in", "to", "from") and (
        not after or after in ("is", "wears", "has", "may", "must", "gets", ",", "and", "or")
    )


def _opens_name(words: list[str], j: int, names: frozenset[str]) -> bool:
    """Is the capitalised word that opens the sentence (part of) a name?"""
    first, low = words[0], words[0].lower()
    if j > 1 and _numeral(words[1]):
        return True
    if j > 1:
        plain = is_listed(low) and low not in GIVEN_NAMES and not is_proper(first)
        return not plain or " ".join(words[:j]) in names or low in _IN_NAMES or _is_noun(low)
    if first in names or low in GIVEN_NAMES:
        return True
    if low in NATIONS:
        return False
    return bool(len(first) > 1 and (any(map(str.isdigit, first)) or not first[1:].islower()))


_AFTER_NAME = ("is", "has", "was", "may", "must", "can")
_IN_NAMES = words("new great grand north south east west upper lower royal saint san los")


def _is_noun(low: str) -> bool:
    from ibr.logic.english.lexis.forms import ADJECTIVE, NOUN, classes

    found = classes(low)
    return NOUN in found and ADJECTIVE not in found


def _capital(words: list[str], i: int) -> bool:
    word = words[i]
    low = word.lower()
    if not word[:1].isupper():
        return False
    if len(word) == 1:
        return False
    if low in ("may", "will", "mark"):
        return i > 0 or (len(words) > 1 and words[1] in _AFTER_NAME)
    if word in ("IT", "US", "WHO"):
        return any(w.islower() for w in words)
    return low not in closed.CLOSED and not (i == 0 and low in closed.PHRASES)


def _numeral(word: str) -> bool:
    """The 12 of Room 12, the 3B of Flat 3B, the I of Calculus I."""
    return (len(word) == 1 and word.isupper()) or bool(re.fullmatch(r"\d[\w.-]*", word))
