"""Fact or rule? A guess for sentences that the parser cannot read. Standard library only.

A linear classifier: the log-odds of "rule" are a bias plus the weights of the sentence's features.
Words, weights and bias are the data of a model (`kinds.json`), which `benchmarks/fit_kinds.py`
makes. Only a closed list of words is known; every other word is its shape (a name, a plural, a word
in -ed, -ing or -ly …), so that any vocabulary can be read.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from ibr.theory import Kind

_TOKEN: Final = re.compile(
    r"n't|[^\W_]+(?:-[^\W_]+)*|'(?:s|re|ve|ll|d|m)\b|[,;:]|[.!?]+(?=\s|$)", re.IGNORECASE
)
_NOT: Final = re.compile(r"n't\b", re.IGNORECASE)
_CUT: Final = {"ca": "can", "wo": "will", "sha": "shall"}  # what stands before n't
_START, _END, _STOP, _COMMA = "^", "$", ".", ","
_LISTS: Final = (
    "other", "singular", "finite", "after_name", "after_name_and_comma", "after_verb", "adverbs",
    "titles",
)  # fmt: skip
_MANY: Final = 3  # commas and sentences are counted up to it

# Shapes. The capital of a word that begins a sentence shows nothing by itself.
_FIRST, _FIRST_PLURAL, _NAME, _NUMBER = "First", "Firsts", "Name", "#"
_WORD, _PLURAL, _LY = "word", "words", "word-ly"
_ENDINGS: Final = {"ed": "word-ed", "ing": "word-ing", "ly": _LY}
_VERBS: Final = (_PLURAL, _ENDINGS["ed"])  # a shape that a verb may have
_IN_CLASS: Final = {_NUMBER: _WORD, **dict.fromkeys(_ENDINGS.values(), _WORD)}


class KindClassifier:
    """The words and weights of one model's `kinds.json`, which is `data`."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.weights: Mapping[str, float] = data["weights"]
        self.bias: float = data["bias"]
        classes: Mapping[str, str] = data["classes"]
        self._class = {word: name for name, words in classes.items() for word in words.split()}
        self._words = {name: frozenset(data["words"][name].split()) for name in _LISTS}
        self.known = self._words["other"] | self._class.keys()

    def kind_of(self, text: str) -> Kind:
        """`kind_of("Whoever is big feels blue too.")` is Kind.RULE. Never UNKNOWN."""
        return Kind.RULE if self.log_odds(self.features(text)) > 0 else Kind.FACT

    def log_odds(self, features: Iterable[str]) -> float:
        """Of being a rule; 0 is a draw."""
        return self.bias + sum(self.weights.get(feature, 0.0) for feature in features)

    def features(self, text: str) -> tuple[str, ...]:
        """The features of a sentence, in order, each once."""
        shapes = self.symbols(text)
        if not shapes:
            return ()
        words = _without_repeats(shapes)
        named = "name" if _NAME in words else "no name"
        found = [*words, *(f"{word} + {named}" for word in words)]
        padded = [_START, *words, _END]
        found += (" ".join(pair) for pair in pairwise(padded))
        found += (" ".join(run) for run in zip(padded, padded[1:], padded[2:], strict=False))
        found.append(f"{_START} {words[0]} + {named}")
        found += self._of_verb(words)
        found += self._of_classes(shapes)
        found.append(f"commas: {min(_MANY, words.count(_COMMA))}")
        found.append(f"sentences: {min(_MANY, 1 + words.count(_STOP))}")
        return tuple(dict.fromkeys(found))

    def _of_verb(self, words: Sequence[str]) -> Iterator[str]:
        """The first known finite verb, and what stands before it: usually the subject."""
        place = next(
            (place for place, word in enumerate(words) if word in self._words["finite"]), None
        )
        if place is None:
            return
        yield from (f"subject: {word}" for word in words[:place])
        verb = f"verb: {words[place]}"
        yield verb
        yield f"{verb}, {_START} {words[0]}"
        yield f"{verb}, {'name' if _NAME in words[:place] else 'no name'} before"

    def _of_classes(self, shapes: Sequence[str]) -> Iterator[str]:
        """Neighbours by their classes, and the first two and three classes; without adverbs."""
        classes = [
            self._class.get(word) or _IN_CLASS.get(word, word) for word in shapes if word != _LY
        ]
        padded = [_START, *_without_repeats(classes), _END]
        yield from (f"classes: {' '.join(pair)}" for pair in pairwise(padded))
        for length in (3, 4):
            yield f"classes: {' '.join(padded[:length])}"

    def symbols(self, text: str) -> list[str]:
        """`"Young Dave can't swim on Sundays."` → First Name can n't word on Name."""
        if not any(letter.islower() for letter in text):
            text = text.lower()  # all capitals: they show nothing
        text = _NOT.sub(" n't", text.replace("’", "'"))
        found: list[str] = []
        starts, before = True, ""
        for written in _TOKEN.findall(text):
            token = _CUT.get(written.lower(), written.lower())
            if token[0] in ".!?":
                if before not in self._words["titles"]:
                    found.append(_STOP)
                    starts = True
            elif token in ",;:":
                found.append(_COMMA)
            else:
                found.append(token if token in self.known else _shape(written, starts))
                starts, before = False, token
        while found and found[-1] == _STOP:
            found.pop()
        return [
            _NAME if self._is_name(found, place) else symbol for place, symbol in enumerate(found)
        ]

    def _is_name(self, found: Sequence[str], place: int) -> bool:
        """Whether the first word of a sentence is followed as a name is.

        "Dave is", "Dave, who", "Dave likes the", "Dave never sings"; not "Big, kind people".
        """
        if found[place] not in (_FIRST, _FIRST_PLURAL):
            return False
        words, after = self._words, found[place + 1 : place + 4]
        next_, then, *_ = *(symbol for symbol in after if symbol not in words["adverbs"]), "", ""
        if next_ == _COMMA:
            return then in words["after_name_and_comma"]
        if next_ == "who":
            return then in words["singular"]
        if found[place] == _FIRST and next_ in _VERBS:
            return then in words["after_verb"] or after[0] in words["adverbs"]
        return next_ in words["after_name"]


def _without_repeats(symbols: Sequence[str]) -> list[str]:
    """A run of plain words is one, and so is a name of several words."""
    return [
        symbol
        for before, symbol in zip(["", *symbols], symbols, strict=False)
        if symbol != before or symbol not in (_WORD, _NAME)
    ]


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
