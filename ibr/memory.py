"""What the rooms below remember to be quick, and how to make them forget: for processes that live

long and read much. Forgetting changes no answer.
"""

from __future__ import annotations

from ibr.logic.checking.wellfounded import well_founded
from ibr.logic.language import program_of, read, read_question, readings_of


def forget() -> None:
    """Readings of sentences and theories, and the models of programs."""
    for kept in (read, read_question, readings_of, program_of, well_founded):
        kept.cache_clear()
