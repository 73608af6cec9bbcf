"""Fact or rule? A guess for the sentences that the parser cannot read. Standard library only.

A linear classifier: the log-odds of "rule" are a bias and the weights of the sentence's features,
in `kinds.json`, which `ibr.training.kinds` makes. Only a closed list of words is known. Every other
word is its shape (a name, a plural, one that ends in -ed, -ing or -ly …), so that no vocabulary is
strange to it and nothing is known about "red". It says nothing about what a sentence means.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from ibr.theory import Kind

WEIGHTS: Final = Path(__file__).with_name("kinds.json")

# Words that put a sentence together, by what they do; the beginning of a sentence is also known by
# these classes.
_CLASSES: Final[Mapping[str, str]] = {
    "EVERY": "every each all any most many no none only whoever few",
    "ANYONE": "someone somebody something anyone anybody anything everyone everybody everything "
    "nobody nothing",
    "THE": "the this that these those my your our his her their its",
    "A": "a an some another one several",
    "IF": "if when whenever unless once until where wherever except",
    "HE": "he she him himself herself it",
    "THEY": "they them themselves",
    "PEOPLE": "people persons folks folk things individuals humans men women ones others",
    "PERSON": "person thing individual human man woman guy",
    "IS": "is 's was has had does did",
    "ARE": "are 're were have do 've",
    "MAY": "can cannot may might must will would shall should could 'll 'd",
    "WHO": "who that which whose whom",
    "YOU": "i you we me us",
}
_OTHERS: Final = (
    "both such same other either neither what myself itself yourself then while because since so "
    "as than although though even despite before after otherwise yet and or but nor not n't never "
    "be been being am 'm having of to in on at by for from with without into about like over under "
    "between within during around among there here also too very quite rather really always often "
    "usually sometimes generally normally typically still just already now today certainly surely "
    "definitely likely make makes made get gets got become becomes became turn turns seem seems "
    "appear appears look looks looking feel feels feeling tend tends mean means meaning find found "
    "notice know known meet met see seen said say called considered described named please let"
)
_CLASS: Final = {word: name for name, words in _CLASSES.items() for word in words.split()}
KNOWN: Final = frozenset(_CLASS) | frozenset(_OTHERS.split())
_SINGULAR: Final = frozenset(
    f"{_CLASSES['IS']} tends seems appears looks feels gets becomes makes turns means".split()
)
_FINITE: Final = _SINGULAR | frozenset(
    f"{_CLASSES['ARE']} {_CLASSES['MAY']} am 'm tend seem appear look feel get become make turn "
    "mean".split()
)
# What may follow a name that begins a sentence; adverbs may come between.
_AFTER_NAME: Final = _SINGULAR | frozenset("became got made".split())
_AFTER_NAME_AND_COMMA: Final = _SINGULAR | frozenset(
    "a an the that who whose which like as in of from with despite though although even being "
    "my our his her".split()
)
_AFTER_VERB: Final = frozenset("a an the my your our his her their its to he she it".split())
_ADVERBS: Final = frozenset("also always often usually sometimes never still really just".split())

_TOKEN: Final = re.compile(
    r"n't|[^\W_]+(?:-[^\W_]+)*|'(?:s|re|ve|ll|d|m)\b|[,;:]|[.!?]+(?=\s|$)", re.IGNORECASE
)
_NOT: Final = re.compile(r"n't\b", re.IGNORECASE)
_CUT: Final = {"ca": "can", "wo": "will", "sha": "shall"}  # what stands before n't
_TITLES: Final = frozenset("mr mrs ms dr prof st".split())
_START, _END, _STOP, _COMMA = "^", "$", ".", ","
_MANY: Final = 3  # commas and sentences are counted up to it

# Shapes. The capital of a word that begins a sentence tells nothing by itself.
_FIRST, _FIRST_PLURAL, _NAME, _NUMBER = "First", "Firsts", "Name", "#"
_WORD, _PLURAL, _LY = "word", "words", "word-ly"
_ENDINGS: Final = {"ed": "word-ed", "ing": "word-ing", "ly": _LY}
_VERBS: Final = (_PLURAL, _ENDINGS["ed"])  # a shape that a verb may have
_IN_CLASS: Final = {_NUMBER: _WORD, **dict.fromkeys(_ENDINGS.values(), _WORD)}


def kind_of(text: str) -> Kind:
    """`kind_of("Whoever is big feels blue too.")` is Kind.RULE. Never UNKNOWN."""
    return Kind.RULE if _trained().log_odds(features(text)) > 0 else Kind.FACT


class Weights(NamedTuple):
    weights: Mapping[str, float]
    bias: float

    def log_odds(self, features: Iterable[str]) -> float:
        """Of being a rule; 0 is a draw."""
        return self.bias + sum(self.weights.get(feature, 0.0) for feature in features)


@lru_cache(maxsize=1)
def _trained() -> Weights:
    return Weights(**json.loads(WEIGHTS.read_text(encoding="utf-8")))


def features(text: str) -> tuple[str, ...]:
    """What a sentence is judged by, in order, each once; what they are is told line by line."""
    said = symbols(text)
    if not said:
        return ()
    words = _without_repeats(said)
    named = "name" if _NAME in words else "no name"
    found = [*words, *(f"{word} + {named}" for word in words)]
    padded = [_START, *words, _END]
    found += (" ".join(pair) for pair in pairwise(padded))
    found += (" ".join(run) for run in zip(padded, padded[1:], padded[2:], strict=False))
    found.append(f"{_START} {words[0]} + {named}")
    found += _of_verb(words)
    found += _of_classes(said)
    found.append(f"commas: {min(_MANY, words.count(_COMMA))}")
    found.append(f"sentences: {min(_MANY, 1 + words.count(_STOP))}")
    return tuple(dict.fromkeys(found))


def _of_verb(words: Sequence[str]) -> Iterator[str]:
    """The first finite verb that is known, and what stands before it: most often the subject."""
    place = next((place for place, word in enumerate(words) if word in _FINITE), None)
    if place is None:
        return
    yield from (f"subject: {word}" for word in words[:place])
    verb = f"verb: {words[place]}"
    yield verb
    yield f"{verb}, {_START} {words[0]}"
    yield f"{verb}, {'name' if _NAME in words[:place] else 'no name'} before"


def _of_classes(said: Sequence[str]) -> Iterator[str]:
    """Neighbours by their classes, and the first two and three classes; without adverbs."""
    classes = [_CLASS.get(word) or _IN_CLASS.get(word, word) for word in said if word != _LY]
    padded = [_START, *_without_repeats(classes), _END]
    yield from (f"classes: {' '.join(pair)}" for pair in pairwise(padded))
    for length in (3, 4):
        yield f"classes: {' '.join(padded[:length])}"


def _without_repeats(symbols: Sequence[str]) -> list[str]:
    """A run of plain words is one, and so is a name of several words."""
    return [
        symbol
        for before, symbol in zip(["", *symbols], symbols, strict=False)
        if symbol != before or symbol not in (_WORD, _NAME)
    ]


def symbols(text: str) -> list[str]:
    """`"Young Dave can't swim on Sundays."` → First Name can n't word on Name."""
    if not any(letter.islower() for letter in text):
        text = text.lower()  # all capitals: they tell nothing
    text = _NOT.sub(" n't", text.replace("’", "'"))
    found: list[str] = []
    starts, before = True, ""
    for written in _TOKEN.findall(text):
        token = _CUT.get(written.lower(), written.lower())
        if token[0] in ".!?":
            if before not in _TITLES:
                found.append(_STOP)
                starts = True
        elif token in ",;:":
            found.append(_COMMA)
        else:
            found.append(token if token in KNOWN else _shape(written, starts))
            starts, before = False, token
    while found and found[-1] == _STOP:
        found.pop()
    return [_NAME if _is_name(found, place) else symbol for place, symbol in enumerate(found)]


def _is_name(found: Sequence[str], place: int) -> bool:
    """Whether the first word of a sentence goes on as a name does.

    "Dave is", "Dave, who", "Dave likes the", "Dave never sings"; not "Big, kind people".
    """
    if found[place] not in (_FIRST, _FIRST_PLURAL):
        return False
    after = found[place + 1 : place + 4]
    next_, then, *_ = *(symbol for symbol in after if symbol not in _ADVERBS), "", ""
    if next_ == _COMMA:
        return then in _AFTER_NAME_AND_COMMA
    if next_ == "who":
        return then in _SINGULAR
    if found[place] == _FIRST and next_ in _VERBS:
        return then in _AFTER_VERB or after[0] in _ADVERBS
    return next_ in _AFTER_NAME


def _shape(written: str, starts: bool) -> str:
    word = written.lower()
    if word[0].isdigit():
        return _NUMBER
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    if starts:
        return _FIRST_PLURAL if plural else _FIRST
    if written[0].isupper():
        return _NAME
    if plural:
        return _PLURAL
    endings = (
        shape for ending, shape in _ENDINGS.items() if len(word) > 3 and word.endswith(ending)
    )
    return next(endings, _WORD)
