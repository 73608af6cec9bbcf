"""Choices that a command offers and a room understands; stdlib only, so that `--help` is quick."""

from __future__ import annotations

from enum import StrEnum


class LogicFrom(StrEnum):
    """Where the meaning of a data file's sentences comes from."""

    AUTO = "auto"  # the text, but the file's own logic where the text is free English
    TEXT = "text"
    FILE = "file"


class Oracle(StrEnum):
    """Which decision of a step is given away: the paper's Gold-Parent and Gold-Child."""

    PARENT = "parent"
    CHILD = "child"
