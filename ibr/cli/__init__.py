"""The command line."""

from ibr.cli.entry import main

__all__ = ["main"]
