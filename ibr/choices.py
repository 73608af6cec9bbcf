"""Choices of commands, as the modules below take them. Stdlib only, so that `--help` is quick."""

from enum import StrEnum


class LogicFrom(StrEnum):
    """Where the meaning of a data file's sentences comes from."""

    AUTO = "auto"  # the text, but the file's own logic where the text is free English
    TEXT = "text"
    FILE = "file"


class GoldDecision(StrEnum):
    """Which decision of a step is taken from the gold proof: Gold-Parent or Gold-Child."""

    PARENT = "parent"
    CHILD = "child"


class Assumption(StrEnum):
    """Of the world: what "not" in a condition asks for, and what holds of what is not shown."""

    CLOSED = "closed"  # that nothing shows it; false
    OPEN = "open"  # that the negation is shown; unknown


class EngineName(StrEnum):
    """What runs the blocks of a long command."""

    LOCAL = "local"  # this process
    RAY = "ray"  # workers, here or on a cluster
