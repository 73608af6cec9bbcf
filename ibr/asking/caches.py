"""Clears the caches of a long-running process and returns memory. Changes no answer."""

import ctypes
import sys
from collections.abc import Callable
from typing import Final

from ibr.inputs.normalise import rewriter_of
from ibr.inputs.tokens import tokenize
from ibr.logic import language
from ibr.logic.checking.matching import by_head, rules_of
from ibr.logic.checking.relevance import word_forms
from ibr.logic.checking.wellfounded import well_founded
from ibr.logic.english.lexis import forms as lexicon
from ibr.logic.english.lexis import knowledge, relations
from ibr.logic.english.say import verb_said
from ibr.logic.english.wording.identity import pairs_in
from ibr.logic.english.wording.meeting import is_kind_of
from ibr.logic.surface.wording import verb_phrase

READINGS: Final = (
    *(language.read, language.read_question, language.readings_of, language.program_of),
    *(language.ask, language.read_book, language.judged, language.logic_of),
    *(rewriter_of, tokenize, pairs_in),
)
WORDS: Final = (
    *(*lexicon.REMEMBERED, *knowledge.REMEMBERED, *relations.REMEMBERED),
    *(verb_phrase, verb_said, word_forms, is_kind_of),
)
MODELS: Final = (well_founded, by_head, rules_of)
_MMAP_THRESHOLD, _ARENA_MAX = -3, -8  # of mallopt
_LARGE: Final = 1 << 20  # bytes


def forget_readings() -> None:
    """Readings of sentences, questions and theories, and their words: many small entries."""
    for cached in (*READINGS, *WORDS):
        cached.cache_clear()


def forget_models() -> None:
    """Models of programs: few entries, but any of them may be large."""
    for cached in MODELS:
        cached.cache_clear()


def give_back() -> None:
    """Return freed memory to the system, which the C library would keep."""
    if trim := _of_glibc("malloc_trim"):
        trim(0)


def give_back_at_once() -> None:
    """From now on return every large block when it is freed, and let all threads share a heap.

    By default the C library raises this threshold with the largest block freed so far, and reserves
    64 MB of address space for each thread.
    """
    if mallopt := _of_glibc("mallopt"):
        mallopt(_MMAP_THRESHOLD, _LARGE)
        mallopt(_ARENA_MAX, 1)


def _of_glibc(name: str) -> Callable[..., int] | None:
    if sys.platform != "linux":
        return None
    return getattr(ctypes.CDLL(None), name, None)
