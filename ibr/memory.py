"""What the rooms below remember to be quick, and how to make them forget: for processes that live

long and read much. Forgetting changes no answer.
"""

from __future__ import annotations

import ctypes
import sys
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
    """Freed memory to the system, where the C library would keep it: that of the largest batch so

    far, else, for as long as the process lives.
    """
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc's
        if trim is not None:
            trim(0)
