"""Text → the words and anonymous symbols that the compact encoder reads. numpy only.

A closed list of words keeps its meaning: *grammar* words (if, not, someone, they …) and *common*
words (person, always, feels …). Every other word is a symbol that means nothing but "the same word
as there", so any vocabulary is in-domain; common words are symbols too, since a rulebook may be
about them. Of adjectives that much is known, and RuleTaker's own are told apart: in "green with
envy" and "a sad, cold person" nothing else says which words a rule is about. Silent words (the, is,
a …) are heard, to find what may be an entity, and dropped.

A *spot* is the place of a symbol: what the relational layers of the encoder work on. A *channel*
stands for one entity; channel 0 stands for an entity that the theory does not name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from ibr.logic.wording import base_form
from ibr.theory import Kind, Theory

Ints = npt.NDArray[np.int64]

SILENT: Final = frozenset("the a an is are was were be been being am does do did".split())
# A preposition that ends its clause says something of its own: "the switch is on".
ENDING: Final = frozenset("in on by to at with for".split())
JOINS: Final = frozenset("and or but if then when whenever unless".split())
GRAMMAR: Final = tuple(
    "if then and or not no all every each any when whenever unless except but who that which "
    "someone something somebody anyone anything anybody everyone everything everybody nobody "
    "they it he she them him her their his its people things person thing those one ones "
    "can cannot may must will only with of to in on at by for from as than because so also".split()
)
COMMON: Final = tuple(
    "i you we me my your our this these there here what how very too quite rather really always "
    "often usually sometimes generally normally typically certainly definitely surely even still "
    "both well being feel feels feeling look looks looking seem seems appear appears become "
    "becomes make makes made get gets turn turns tend tends find meet know considered "
    "described known said say called found means mean have has had having would could should "
    "might shall man woman guy fellow individual human folks everyone others other skin hair face "
    "body color colored shape shaped size sized age aged though although despite while into out "
    "up over around about time likely due let just most more many some much same such own "
    "bit sure going pretty now almost actually after before little somewhat turned "
    "towards way tell fact think certain happens seen notice noticed trait traits description "
    "appearance figure whoever stature quality character personality kinda fit fits happen "
    "bound count bet guess believe expect ever never until since once again yet indeed besides "
    "especially mostly simply clearly obviously naturally probably perhaps maybe possibly".split()
)
QUALITIES: Final = tuple(
    "red blue green kind nice big cold young round rough white smart quiet furry".split()
)
WORDS: Final = tuple(
    dict.fromkeys(["[PAD]", "[SYMBOL]", "[CLS]", *GRAMMAR, *COMMON, "[ADJECTIVE]", *QUALITIES])
)
WORD_ID: Final[Mapping[str, int]] = {word: i for i, word in enumerate(WORDS)}
SYMBOL: Final = WORD_ID["[SYMBOL]"]
CLS: Final = WORD_ID["[CLS]"]
ADJECTIVE: Final = WORD_ID["[ADJECTIVE]"]  # from here on words are known for adjectives only
KIND_ID: Final = {Kind.FACT: 0, Kind.RULE: 1, Kind.REMARK: 2, Kind.UNKNOWN: 2}
QUESTION_KIND: Final = 3

_ADJECTIVES: Final = Path(__file__).parent / "data" / "words" / "adjectives.txt"
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
def tokenize(text: str) -> tuple[Token, ...]:
    """`The cat isn't big.` → cat (a candidate), not, big."""
    tokens: list[Token] = []
    matches = list(_WORD.finditer(_CLITIC.sub(" ", _NOT.sub(" not ", text))))
    words = [match.group().lower() for match in matches]
    for place, (match, word) in enumerate(zip(matches, words, strict=True)):
        if word in SILENT:
            continue
        grammar = word in _GRAMMAR and not _ends_a_clause(place, words)
        candidate = not grammar and _is_named(match, place, words)
        tokens.append(
            Token(
                WORD_ID.get(word, ADJECTIVE if word in _adjectives() else SYMBOL),
                None if grammar else stem(word),
                candidate,
                candidate and match.group()[0].isupper() and not _has_article(place, words),
            )
        )
    return tuple(tokens)


@cache
def _adjectives() -> frozenset[str]:
    """Those that theories are generated from."""
    return frozenset(_ADJECTIVES.read_text(encoding="utf-8").split())


def _ends_a_clause(place: int, words: Sequence[str]) -> bool:
    return words[place] in ENDING and (place + 1 == len(words) or words[place + 1] in JOINS)


def _is_named(match: re.Match[str], place: int, words: Sequence[str]) -> bool:
    """The cat, the big cat; Anne; what comes first. Not "a cat", not a common word for its capital,

    and no quality: in "Cold and rough, Bob came in from the cold" it is Bob.
    """
    if words[place] in _QUALITIES:
        return False
    if _has_article(place, words):
        return True
    if WORD_ID.get(words[place], ADJECTIVE) < ADJECTIVE:
        return False
    starts = match.string[: match.start()].rstrip()[-1:] in ".!?;:"  # "" is in it: the first word
    return place == 0 or (match.group()[0].isupper() and not starts)


def _has_article(place: int, words: Sequence[str]) -> bool:
    """The cat, the big cat."""
    before = place - 1
    while before >= 0 and words[before] in _QUALITIES:
        before -= 1
    return before >= 0 and words[before] == "the"


_GRAMMAR: Final = frozenset(GRAMMAR)
_QUALITIES: Final = frozenset(QUALITIES)


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


def read_theory(theory: Theory, max_channels: int) -> TheoryTokens:
    sentences = [tokenize(sentence.text) for sentence in theory]
    numbers = _numbered(t.symbol for tokens in sentences for t in tokens if t.symbol)
    rows = [(token, s, p) for s, tokens in enumerate(sentences) for p, token in enumerate(tokens)]
    symbols = np.array([numbers.get(t.symbol or "", 0) for t, _, _ in rows], dtype=np.int64)
    sentence = np.array([s for _, s, _ in rows], dtype=np.int64)
    spots = np.flatnonzero(symbols)
    runs = [_runs(symbols[spots], sentence[spots], length) for length in (2, 3)]
    run_numbers = {
        run: i
        for found in runs
        for i, run in enumerate(dict.fromkeys(filter(None, found)), start=1)
    }
    pairs, triples = (_look_up(run_numbers, found) for found in runs)
    return TheoryTokens(
        words=np.array([t.word for t, _, _ in rows], dtype=np.int64),
        symbols=symbols,
        sentence=sentence,
        position=np.array([p for _, _, p in rows], dtype=np.int64),
        kinds=np.array([KIND_ID[sentence.kind] for sentence in theory], dtype=np.int64),
        spots=spots,
        pairs=pairs,
        triples=triples,
        ranks=_ranks(theory, symbols[spots], sentence[spots]),
        channels=np.array([0, *_channels(theory, sentences, numbers, max_channels - 1)]),
        numbers=numbers,
        run_numbers=run_numbers,
    )


def read_question(text: str, theory: TheoryTokens) -> QuestionTokens:
    tokens = tokenize(text)
    numbers = dict(theory.numbers)
    for token in tokens:
        if token.symbol:
            numbers.setdefault(token.symbol, len(numbers) + 1)
    symbols = np.array([0, *(numbers.get(t.symbol or "", 0) for t in tokens)], dtype=np.int64)
    spots = np.concatenate([[0], np.flatnonzero(symbols)])
    pairs, triples = (
        _look_up(theory.run_numbers, _runs(symbols[spots], np.zeros_like(spots), length))
        for length in (2, 3)
    )
    return QuestionTokens(
        words=np.array([CLS, *(t.word for t in tokens)], dtype=np.int64),
        symbols=symbols,
        spots=spots,
        pairs=pairs,
        triples=triples,
    )


def _runs(symbols: Ints, sentence: Ints, length: int) -> list[tuple[int, ...] | None]:
    """What each spot forms with those after it in its sentence: "chases the bear" is one pair

    wherever it is said. None where the sentence ends before.
    """
    numbers, places = symbols.tolist(), sentence.tolist()
    return [
        tuple(numbers[t : t + length]) if places[t : t + length] == [places[t]] * length else None
        for t in range(len(numbers))
    ]


def _ranks(theory: Theory, symbols: Ints, sentence: Ints) -> Ints:
    """By the author's numbers: of two rules that fail alike, the one that comes first is cited."""
    said: dict[int, set[int]] = {}
    places = [s if theory.sentences[s].kind is Kind.RULE else None for s in sentence.tolist()]
    for symbol, s in zip(symbols.tolist(), places, strict=True):
        if s is not None:
            said.setdefault(symbol, set()).add(theory.numbers[s])
    orders = {symbol: sorted(numbers) for symbol, numbers in said.items()}
    return np.array(
        [
            0 if s is None else orders[symbol].index(theory.numbers[s])
            for symbol, s in zip(symbols.tolist(), places, strict=True)
        ],
        dtype=np.int64,
    )


def _look_up(
    numbers: Mapping[tuple[int, ...], int], runs: Sequence[tuple[int, ...] | None]
) -> Ints:
    return np.array([numbers.get(run, 0) if run else 0 for run in runs], dtype=np.int64)


def _numbered(stems: Iterable[str]) -> dict[str, int]:
    return {stem_: i for i, stem_ in enumerate(dict.fromkeys(stems), start=1)}


def _channels(
    theory: Theory,
    sentences: Sequence[Sequence[Token]],
    numbers: Mapping[str, int],
    most: int,
) -> Iterator[int]:
    """What may be an entity, the most frequent first: what facts begin with, names, "the" nouns.

    A fact that names someone is not about what else it mentions, if no other sentence does: "Dave
    came in from the snow".
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
