"""What stands in the way of making data."""

from __future__ import annotations


class GenerateError(ValueError):
    """A recipe that cannot be followed; says what stands in the way and what to ask instead."""


class VocabularyError(GenerateError):
    """A vocabulary that does not exist or does not do, or a word that cannot be used."""


class Stuck(Exception):
    """A draft of a theory that cannot be finished: the next one starts afresh."""
