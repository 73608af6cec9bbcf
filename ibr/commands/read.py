"""`ibr read`: how each sentence of a rulebook is understood."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ibr.commands.options import Json, Rules
from ibr.commands.output import emit_json

if TYPE_CHECKING:
    from ibr.rulebook import Entry, Rulebook


def command(rules: Rules, json: Json = False) -> None:
    """Show how each sentence is read; nothing is guessed silently."""
    from ibr.files import read_text
    from ibr.rulebook import Rulebook

    rulebook = Rulebook.parse(read_text(rules))
    if json:
        emit_json([entry.to_json() for entry in rulebook.entries])
    else:
        for entry in rulebook.entries:
            print(_told(entry))
        print(_summary(rulebook))


def _told(entry: Entry) -> str:
    reading = entry.reading
    lines = [f"[{entry.index + 1}] line {entry.line}, {reading.kind}: {reading.text}"]
    if entry.said:
        lines.append(f"      I read this as: {entry.said}")
    elif reading.reason:
        lines.append(f"      Why not: {reading.reason}")
    if reading.rewrite:
        lines.append(f"      Try: {reading.rewrite}")
    return "\n".join(lines)


def _summary(rulebook: Rulebook) -> str:
    kinds = Counter(entry.reading.kind for entry in rulebook.entries)
    counts = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    return f"{len(rulebook.entries)} sentences: {counts or 'none'}"
