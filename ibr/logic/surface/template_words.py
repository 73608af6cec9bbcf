"""Words of template sentences: classified by shape and neighbours, and what rules a template out.

Any vocabulary is accepted, without a dictionary; only where a word may mean something else than its
place suggests ("Smoking is bad", "the dogs") the lexicon of ordinary English decides.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ibr.logic.surface.words import GIVEN_NAMES, PARTICLES, STRUCTURE

_CLOSED = {
    ".": ".", ",": ",", "If": "I", "then": "T", "All": "A", "and": "&", "not": "!", "is": "=",
    "are": "=", "does": "d", "do": "d", "can": "+", "cannot": "-", "the": "t", "The": "t", "a": "a",
    "an": "a", "people": "k", "things": "k", "someone": "x", "something": "x", "it": "x",
    "they": "y",
}  # fmt: skip
_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[.,]|\S")

_CONTRACTED = re.compile(r"['’](?:s|t|re|ve|ll|d|m)$")


class TemplateWord(NamedTuple):
    """`type` is one letter: of `_CLOSED`, or N for a name, W for another word, V for a third person
    and B for a base form, each with its particle ("runs through"), ? for what no template has."""

    type: str
    text: str


def classify(text: str) -> Iterator[TemplateWord]:
    """Words by shape and neighbours: a word in -s before "the" or a name is a verb."""
    words: list[str] = _TOKEN.findall(text)
    i, before, count = 0, "", len(words)
    while i < count:
        word = words[i]
        type_ = _CLOSED.get(word) or _open_class(word)
        i += 1
        if type_ == "W":
            particle = i + 1 < count and words[i] in PARTICLES and _opens_noun(words[i + 1])
            if before in ("y", "+", "-") or (before == "!" and words[i - 3] in ("do", "does")):
                type_ = "B"
            elif (
                word.endswith("s")
                and not word.endswith("ss")
                and i < count
                and (particle or _opens_noun(words[i]))
            ):
                type_ = "V"
            if particle and type_ != "W":
                word, i = f"{word} {words[i]}", i + 1
        before = type_
        yield TemplateWord(type_, word)


def _open_class(word: str) -> str:
    if not word[0].isalnum() or word.lower() in STRUCTURE or _CONTRACTED.search(word):
        return "?"
    if len(word) == 1 and word.isupper():
        return "?"  # a variable: If X likes Y …
    return "N" if word[0].isupper() else "W"


def _opens_noun(word: str) -> bool:
    return word == "the" or (word not in _CLOSED and word[0].isupper())


def has_verb(words: Sequence[str]) -> bool:
    """The mechanic repairs …: a word in -s inside a noun phrase is more likely its verb."""
    return any(w.endswith("s") and not w.endswith(("ss", "us", "is")) for w in words)


def is_name(word: str) -> bool:
    """Bob, and not the Smoking of "Smoking is bad"."""
    if word.lower() in GIVEN_NAMES:
        return True
    from ibr.logic.english.lexis.people import is_common

    return not is_common(word)


def is_adverb(word: str) -> bool:
    """Interestingly, kind people are nice."""
    if not word.endswith("ly"):
        return False
    from ibr.logic.english.lexis.forms import ADJECTIVE, classes

    return ADJECTIVE not in classes(word)


def is_full_name(words: Sequence[str]) -> bool:
    """Mary Lou, and not Big Dave, who may be big."""
    from ibr.logic.english.lexis.people import is_property

    return not is_property(words[0], words[1])


def is_plural(name: str) -> bool:
    """The dogs of "The cat likes the dogs" are no constant; the bus is."""
    if name[:1].isupper() or not name.endswith("s") or name.endswith(("ss", "us", "is")):
        return False
    from ibr.logic.english.lexis.forms import PLURAL, classes

    return PLURAL in classes(name.rpartition(" ")[2])
