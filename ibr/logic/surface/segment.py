"""A document → its sentences with their line numbers. Knows layout, not meaning.

One paragraph, one sentence to a line, numbered or bulleted lists (with or without full stops),
headings, hard-wrapped lines, `#` comments. A list that continues its stem ("Members may:") is
joined with it; see `stems`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ibr.logic.stems import completed
from ibr.logic.words import words


class Segment(NamedTuple):
    text: str
    line: int  # 1-based, where the sentence starts


class _Block(NamedTuple):
    """A line, or several that were one before they were wrapped."""

    text: str
    item: bool  # opened by a list marker
    starts: tuple[tuple[int, int], ...]  # (place in the text, line) where each line begins

    @property
    def line(self) -> int:
        return self.starts[0][1]

    def line_at(self, place: int) -> int:
        return max(line for start, line in self.starts if start <= place)


_MARKER = re.compile(
    r"""^(?:[-*•‣◦▪–—+]\s+                       # bullets
    | \(?(?:\d{1,3}(?:\.\d{1,3})*|[a-z]|[ivx]{1,5})[.)]\s+   # 1.  2)  (3)  a)  iv.  1.2.
    | \d{1,3}(?:\.\d{1,3})+\s+                  # 4.2 Members …
    | §\s*[\d.]+\s+
    | \[[ xX]?\]\s+)+""",
    re.VERBOSE,
)
_COMMENT = re.compile(r"(?:^|\s)#(?:\s.*|$)|^#.*")
_OPEN_END = words(
    """a an the this that these those and or but nor if when whenever unless as of in on at to from
    by for with without than who which whose where not no is are was were be been has have had may
    must can will should shall would could all any every each their his her its only"""
)
_END = re.compile(r"[.!?][\"'”’)\]]*(?=\s)")
_ABBREVIATIONS = words(
    """mr mrs ms dr prof st e.g i.e vs jr sr fig sec art approx dept est ca rev hon gen col capt sgt
    lt mt messrs gov pres nr incl excl resp"""
)
_BEFORE_LOWER = words("etc inc ltd co corp p.m a.m u.s u.k")


def segment(document: str) -> list[Segment]:
    """Sentences in the order of the document; comments and empty lines are skipped."""
    found: list[Segment] = []
    blocks = list(_blocks(document.lstrip("\ufeff")))
    i = 0
    while i < len(blocks):
        items = _items_after(blocks, i)
        joined = completed(blocks[i].text, [block.text for block in items]) if items else None
        if joined is None:
            found += _sentences(blocks[i])
            i += 1
        else:
            lines = [block.line for block in items]
            where = lines if len(joined) == len(items) else [blocks[i].line] * len(joined)
            found += [Segment(text, line) for text, line in zip(joined, where, strict=True)]
            i += 1 + len(items)
    return found


def _items_after(blocks: list[_Block], i: int) -> list[_Block]:
    """The list items that follow a stem ("Members may:"); none if it is no stem."""
    if not blocks[i].text.endswith(":"):
        return []
    j = i + 1
    while j < len(blocks) and blocks[j].item:
        j += 1
    return blocks[i + 1 : j]


def _blocks(document: str) -> Iterator[_Block]:
    lines = document.splitlines()
    widest = max((len(line) for line in lines), default=0)
    pending: _Block | None = None
    width = 0
    for number, raw in enumerate(lines, start=1):
        line = _COMMENT.sub("", raw.strip()).strip()
        text = _MARKER.sub("", line).strip()
        if pending is not None and (not text or not _continues(pending, line, text, width, widest)):
            yield pending
            pending = None
        if not text:
            continue
        if pending is None:
            pending = _Block(text, text != line, ((0, number),))
        else:
            starts = (*pending.starts, (len(pending.text) + 1, number))
            pending = _Block(f"{pending.text} {text}", pending.item, starts)
        width = len(raw.rstrip())
    if pending is not None:
        yield pending


def _continues(before: _Block, line: str, text: str, width: int, widest: int) -> bool:
    """Whether a line goes on with the block before it, which a wrapped line does."""
    if text != line or before.text.endswith((".", "!", "?", ":", ";")):
        return before.text.endswith((".", "!", "?")) and text == line and text[0].islower()
    last = before.text.rsplit(maxsplit=1)[-1].lower()
    if before.text.endswith(",") or text[0].islower() or last in _OPEN_END:
        return True
    return widest >= 60 and width >= 0.8 * widest and len(before.text.split()) > 6


def _sentences(block: _Block) -> Iterator[Segment]:
    """Split at full stops that end a sentence."""
    text, start = block.text, 0
    for match in _END.finditer(text):
        if _is_end(text, start, match):
            yield from _segment(block, start, match.end())
            start = match.end() + 1
    yield from _segment(block, start, len(text))


def _segment(block: _Block, start: int, end: int) -> Iterator[Segment]:
    said = _MARKER.sub("", block.text[start:end].strip()).strip()
    if said:
        yield Segment(said, block.line_at(start))


def _is_end(text: str, start: int, match: re.Match[str]) -> bool:
    after = text[match.end() :].lstrip()
    if not after or text[match.start()] in "!?":
        return not after or not after[0].islower()
    before = text[start : match.start()].split()
    word = before[-1].lstrip("(\"'“") if before else ""
    if word.isdigit() and len(before) == 1:
        return False  # the number of a list item
    if word.lower() in _ABBREVIATIONS or after[0].islower():
        return False
    if word.lower() == "no" and after[0].isdigit():
        return False
    if word.lower() in _BEFORE_LOWER:
        return True
    return not _is_initial(before, word)


def _is_initial(before: list[str], word: str) -> bool:
    """The A. of "Dr. A. Bergström" and of "A. Bergström"; not the X of "a child of X."."""
    if len(word) != 1 or not word.isupper():
        return False
    if len(before) == 1:
        return True
    previous = before[-2]
    return previous.rstrip(".").lower() in _ABBREVIATIONS or (
        previous[0].isupper() and previous.lower() not in _OPEN_END and len(previous) > 1
    )
