"""What the rooms below remember to be quick, and how to make them forget: for processes that live

long and read much. Forgetting changes no answer.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import Final

from ibr.logic.checking.backward import conclusions_of
from ibr.logic.checking.wellfounded import well_founded
from ibr.logic.english.lexis import lexicon
from ibr.logic.english.say import verb_said
from ibr.logic.language import program_of, read, read_question, readings_of
from ibr.logic.wording import verb_phrase
from ibr.resaid import speech_of
from ibr.tokens import tokenize

READINGS: Final = (read, read_question, readings_of, program_of, speech_of, tokenize)
WORDS: Final = (*lexicon.REMEMBERED, verb_phrase, verb_said)
MODELS: Final = (well_founded, conclusions_of)
_MMAP_THRESHOLD: Final = -3  # as mallopt knows it
_LARGE: Final = 1 << 20  # bytes


def forget_readings() -> None:
    """Of sentences, questions and theories, and of their words: many small things, slow to make

    again.
    """
    for kept in (*READINGS, *WORDS):
        kept.cache_clear()


def forget_models() -> None:
    """Of programs: few things, but any of them may be large."""
    for kept in MODELS:
        kept.cache_clear()


def give_back() -> None:
    """Freed memory to the system, where the C library would keep it."""
    if trim := _of_glibc("malloc_trim"):
        trim(0)


def give_back_at_once() -> None:
    """From now on, any large piece of memory that is freed. By itself the C library holds larger

    and larger ones back: the process would keep what its largest batch so far has taken.
    """
    if mallopt := _of_glibc("mallopt"):
        mallopt(_MMAP_THRESHOLD, _LARGE)


def _of_glibc(name: str) -> Callable[..., int] | None:
    if sys.platform != "linux":
        return None
    return getattr(ctypes.CDLL(None), name, None)
