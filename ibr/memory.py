"""What the rooms below remember to be quick, and how to make them forget: for processes that live

long and read much. Forgetting changes no answer.
"""

from __future__ import annotations

from ibr.logic.checking.wellfounded import well_founded
from ibr.logic.language import program_of, read, read_question, readings_of
from ibr.resaid import speech_of
from ibr.tokens import tokenize


def forget_readings() -> None:
    """Of sentences, questions and theories: many small things, slow to make again."""
    for kept in (read, read_question, readings_of, program_of, speech_of, tokenize):
        kept.cache_clear()


def forget_models() -> None:
    """Of programs: few things, but any of them may be large."""
    well_founded.cache_clear()
