"""The word lists of the reader, from lists.txt beside this file."""

from pathlib import Path

from ibr.logic.surface.words import read_lists

LISTS = read_lists(Path(__file__).with_suffix(".txt"))
