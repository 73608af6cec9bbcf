"""Text → the words and anonymous symbols that the compact encoder reads. numpy only.

Grammar words (if, not, someone …) and common words (person, always …) keep their meaning by an id.
Every other word is a symbol, which means only "the same word as there"; so any vocabulary is
in-domain. Common words are symbols too, since a rulebook may be about them. Adjectives are symbols
that are known to be adjectives: "green with envy", "a sad, cold person". Silent words (the, is) are
used to find candidates for entities and then dropped. The lists are the model's `KnownWords`.

A *spot* is the position of a symbol. A *channel* stands for one entity; channel 0 stands for an
entity that the theory does not name.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from ibr.inputs.model_words import CLS, KnownWords
from ibr.logic.surface.wording import base_form
from ibr.theory import Kind, Theory

T = TypeVar("T")
Ints = npt.NDArray[np.int64]

KIND_ID: Final = {Kind.FACT: 0, Kind.RULE: 1, Kind.REMARK: 2, Kind.UNKNOWN: 2}
QUESTION_KIND: Final = 3

_WORD = re.compile(r"[a-z0-9]+", re.IGNORECASE)
_IRREGULAR: Final = {"has": "have", "had": "have"}
_NOT = re.compile(r"(?:\bca|\bwo)?n['’]t\b|\bcannot\b", re.IGNORECASE)
_CLITIC = re.compile(r"['’](?:s|ll|ve|re|d|m)\b", re.IGNORECASE)  # silent, as "is" and "has" are


@dataclass(frozen=True, slots=True)
class Token:
    word: int
    symbol: str | None  # the stem that it shares with other occurrences; None for grammar
    is_candidate: bool  # may name an entity
    is_name: bool = False  # a candidate without "the"


def stem(word: str) -> str:
    """One stem for likes/like, carries/carry, boxes/box, focuses/focus; Jan and Jane keep theirs.

    It need only be the same for the forms of one word, not a word itself ("focu").
    """
    word = _IRREGULAR.get(word, word)
    while len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = base_form(word)
    return word


@lru_cache(maxsize=1 << 16)
def tokenize(text: str, known: KnownWords) -> tuple[Token, ...]:
    """`The cat isn't big.` → cat (a candidate), not, big."""
    tokens: list[Token] = []
    matches = list(_WORD.finditer(_CLITIC.sub(" ", _NOT.sub(" not ", text))))
    words = [match.group().lower() for match in matches]
    sets = known.sets
    for place, (match, word) in enumerate(zip(matches, words, strict=True)):
        if word in sets["silent"]:
            continue
        ends_clause = place + 1 == len(words) or words[place + 1] in sets["joins"]
        grammar = word in sets["grammar"] and not (ends_clause and word in sets["endings"])
        has_article = _has_article(place, words, known)
        candidate = not grammar and _is_candidate(match, place, word, known, has_article)
        is_name = candidate and match.group()[0].isupper() and not has_article
        tokens.append(Token(known.id_of(word), None if grammar else stem(word), candidate, is_name))
    return tuple(tokens)


def _is_candidate(
    match: re.Match[str], place: int, word: str, known: KnownWords, has_article: bool
) -> bool:
    """The cat, the big cat; Anne; the first word. Not "a cat", not a common word with a capital.

    And no quality: in "Cold and rough, Bob came in from the cold" it is Bob.
    """
    if word in known.sets["qualities"]:
        return False
    if has_article:
        return True
    if known.ids.get(word, known.adjective) < known.adjective:
        return False
    starts = match.string[: match.start()].rstrip()[-1:] in ".!?;:"  # "" is in it: the first word
    return place == 0 or (match.group()[0].isupper() and not starts)


def _has_article(place: int, words: Sequence[str], known: KnownWords) -> bool:
    """The cat, the big cat."""
    before = place - 1
    while before >= 0 and words[before] in known.sets["qualities"]:
        before -= 1
    return before >= 0 and words[before] == "the"


@dataclass(frozen=True, slots=True)
class TheoryTokens:
    """A theory as arrays. Legend: W words, T spots, S sentences, E channels."""

    words: Ints  # (W,) ids
    symbols: Ints  # (W,) number of the symbol, 0 for none
    sentence: Ints  # (W,) sentence of each word
    position: Ints  # (W,) place in its sentence
    kinds: Ints  # (S,)
    spots: Ints  # (T,) the words that are symbols
    pairs: Ints  # (T,) number of the pair that a spot forms with the next one, 0 for none
    triples: Ints  # (T,) of the triple that it forms with the next two
    ranks: Ints  # (T,) how many rules that have the symbol come before; 0 outside of rules
    channels: Ints  # (E,) the symbol that each channel stands for; channel 0 stands for none
    numbers: Mapping[str, int]  # stem → symbol number
    run_numbers: Mapping[tuple[int, ...], int]  # pairs and triples of symbols → number, each from 1


@dataclass(frozen=True, slots=True)
class QuestionTokens:
    """A question read with its theory's symbols; the first word and spot is [CLS]."""

    words: Ints
    symbols: Ints
    spots: Ints
    pairs: Ints  # of the theory's; 0 for others
    triples: Ints


def tokenize_theory(theory: Theory, known: KnownWords, max_channels: int) -> TheoryTokens:
    sentences = [tokenize(sentence.text, known) for sentence in theory]
    numbers = _numbered(t.symbol for tokens in sentences for t in tokens if t.symbol)
    rows = [(token, s, p) for s, tokens in enumerate(sentences) for p, token in enumerate(tokens)]
    symbols = _ints(numbers.get(t.symbol or "", 0) for t, _, _ in rows)
    sentence = _ints(s for _, s, _ in rows)
    spots = np.flatnonzero(symbols)
    runs = [_runs(symbols[spots], sentence[spots], length) for length in (2, 3)]
    run_numbers = _numbered(filter(None, runs[0])) | _numbered(filter(None, runs[1]))
    pairs, triples = (_ints(run_numbers.get(run, 0) for run in found) for found in runs)
    return TheoryTokens(
        words=_ints(t.word for t, _, _ in rows),
        symbols=symbols,
        sentence=sentence,
        position=_ints(p for _, _, p in rows),
        kinds=_ints(KIND_ID[sentence.kind] for sentence in theory),
        spots=spots,
        pairs=pairs,
        triples=triples,
        ranks=_ranks(theory, symbols[spots], sentence[spots]),
        channels=np.array([0, *_channels(theory, sentences, numbers, max_channels - 1)]),
        numbers=numbers,
        run_numbers=run_numbers,
    )


def tokenize_question(text: str, known: KnownWords, theory: TheoryTokens) -> QuestionTokens:
    tokens = tokenize(text, known)
    numbers = dict(theory.numbers)
    for token in tokens:
        if token.symbol:
            numbers.setdefault(token.symbol, len(numbers) + 1)
    symbols = _ints([0, *(numbers.get(t.symbol or "", 0) for t in tokens)])
    spots = np.concatenate([[0], np.flatnonzero(symbols)])
    runs = (_runs(symbols[spots], np.zeros_like(spots), length) for length in (2, 3))
    found = (_ints(theory.run_numbers.get(run, 0) for run in some) for some in runs)
    return QuestionTokens(_ints([CLS, *(t.word for t in tokens)]), symbols, spots, *found)


def _ints(numbers: Iterable[int]) -> Ints:
    return np.array(list(numbers), dtype=np.int64)


def _runs(symbols: Ints, sentence: Ints, length: int) -> list[tuple[int, ...]]:
    """The run that each spot forms with the next ones of its sentence; () at its end.

    "chases the bear" is one pair in every sentence.
    """
    numbers, places = symbols.tolist(), sentence.tolist()
    return [
        tuple(numbers[t : t + length]) if places[t : t + length] == [places[t]] * length else ()
        for t in range(len(numbers))
    ]


def _ranks(theory: Theory, symbols: Ints, sentence: Ints) -> Ints:
    """By the author's numbers: of two rules that fail alike, the first one is cited."""
    places = list(zip(symbols.tolist(), sentence.tolist(), strict=True))
    rules: dict[int, set[int]] = {}
    for symbol, s in places:
        if theory[s].kind is Kind.RULE:
            rules.setdefault(symbol, set()).add(theory.numbers[s])
    return _ints(
        sorted(rules[symbol]).index(theory.numbers[s]) if theory[s].kind is Kind.RULE else 0
        for symbol, s in places
    )


def _numbered(items: Iterable[T]) -> dict[T, int]:
    """From 1, in order of appearance."""
    return {item: number for number, item in enumerate(dict.fromkeys(items), start=1)}


def _channels(
    theory: Theory,
    sentences: Sequence[Sequence[Token]],
    numbers: Mapping[str, int],
    most: int,
) -> Iterator[int]:
    """Candidates for entities, the most frequent first: first words of facts, names, "the" nouns.

    In a fact with a name, other candidates count only if another sentence has them, too: not the
    snow in "Dave came in from the snow".
    """
    named: list[str] = []
    beside: list[str] = []
    for sentence, tokens in zip(theory, sentences, strict=True):
        is_rule = sentence.kind is Kind.RULE
        found = [t for place, t in enumerate(tokens) if t.is_candidate and (place or not is_rule)]
        has_name = not is_rule and any(token.is_name for token in found)
        for token in found:
            if token.symbol:
                (beside if has_name and not token.is_name else named).append(token.symbol)
    counts = Counter(named)
    counts.update(symbol for symbol in beside if symbol in counts)
    return (numbers[symbol] for symbol, _ in counts.most_common(most))
