"""A document → its sentences with their line numbers. Knows layout, not meaning.

One paragraph, one sentence to a line, numbered or bulleted lists (with or without full stops),
headings, hard-wrapped lines, `#` comments. A list that continues its stem is joined with it, where
the meaning is plain: "Members may:" + "enter the lab" → "Members may enter the lab." A condition
whose items do not say whether all or any of them are needed stays one sentence with its colon,
which is not read as facts.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ibr.logic.surface.words import LISTS


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
        return self.starts[bisect_right(self.starts, place, key=lambda start: start[0]) - 1][1]


_MARKER = re.compile(
    r"""^(?:[-*•‣◦▪–—+]\s+                       # bullets
    | \(?(?:\d{1,3}(?:\.\d{1,3})*|[a-z]|[ivx]{1,5})[.)]\s+   # 1.  2)  (3)  a)  iv.  1.2.
    | \d{1,3}(?:\.\d{1,3})+\s+                  # 4.2 Members …
    | §\s*[\d.]+\s+
    | \[[ xX]?\]\s+)+""",
    re.VERBOSE,
)
_WINDOW: Final = 200  # characters beside a full stop that decide whether it ends a sentence
_LONGEST_STEM: Final = 1000  # characters; a longer one is not repeated for every item
_COMMENT = re.compile(r"(?:^|\s)#(?:\s.*|$)|^#.*")
_END = re.compile(r"[.!?][\"'”’)\]]*(?=\s)")
_OPEN_END = LISTS["open-end"]
_ABBREVIATIONS = LISTS["abbreviations"]
_CLOSING_ABBREVIATIONS = LISTS["closing-abbreviations"]
_SUBORDINATE = re.compile(
    r"\b(?:if|when|whenever|unless|provided(?: that)?|as long as|in case|where|once)"
    r"(?:\s+(?:he|she|it|they|he or she|the \w+|that \w+))?$",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\s*,?\s*(?:all (?:of )?the following(?: conditions| criteria| requirements)?"
    r"|the following(?: conditions| criteria| requirements))"
    r"(?: (?:are met|are fulfilled|are satisfied|apply|hold|is true|are true))?$",
    re.IGNORECASE,
)
_ANY = re.compile(
    r"\s*,?\s*(?:any|one|at least one|either)(?: one)? of the following"
    r"(?: conditions| criteria| requirements)?"
    r"(?: (?:is met|are met|is fulfilled|is satisfied|applies|apply|holds|hold|is true))?$",
    re.IGNORECASE,
)
_OPEN_VERB = re.compile(
    r"\b(?:may|must|can|cannot|will|should|shall|not|to|is|are|have|has|never)$", re.IGNORECASE
)
_VERB_FIRST = re.compile(
    r"(?:may|must|can|cannot|will|should|shall|is|are|has|have|do|does|need|needs)\b"
)
_CONDITION = re.compile(r"(?:if|when|whenever|unless|as long as|provided that)\b", re.IGNORECASE)
# Only under a heading of this kind are the items of a list statements of their own. All else may
# govern them: a clause, a condition, a place or time, what is reported or planned.
_HEADING = re.compile(
    r"(?:(?:the|our|my|all|these) )*(?:(?!old |former |broken )\w+(?<!ed) ){0,2}"
    r"(?:rules?|facts?|notes?|remarks?|information|duties)"
    r"(?: (?:of|for|in|at|on) (?:the |our |this )?\w+){0,2}(?: this \w+| today)?$",
    re.IGNORECASE,
)
_LINK = re.compile(r"[,;]?\s*\b(and|or)$", re.IGNORECASE)


def segment(document: str) -> list[Segment]:
    """Sentences in the order of the document; comments and empty lines are skipped."""
    found: list[Segment] = []
    blocks = list(_blocks(document.lstrip("\ufeff")))
    lists = _lists_after(blocks)
    i = 0
    while i < len(blocks):
        if not _is_stem(blocks[i].text, lists[i]):
            found += _sentences(blocks[i])
            i += 1
        else:
            items = blocks[i + 1 : i + 1 + lists[i].length]
            *before, stem = _sentences(blocks[i])
            found += before
            joined = _completed(stem.text, [block.text for block in items], lists[i])
            lines = [block.line for block in items]
            where = lines if len(joined) == len(items) else [blocks[i].line] * len(joined)
            found += [Segment(text, line) for text, line in zip(joined, where, strict=True)]
            i += 1 + len(items)
    return found


def comment_lines(document: str) -> list[int]:
    """The lines, from 1, on which a comment leaves words out."""
    lines = document.lstrip("\ufeff").splitlines()
    found = ((number, _COMMENT.search(line.strip())) for number, line in enumerate(lines, start=1))
    return [number for number, match in found if match and match[0].strip(" \t#")]


class _List(NamedTuple):
    """The list items after a block, counted from the end of the document: in linear time."""

    length: int = 0
    verbs_first: bool = True  # all begin with a verb
    long: bool = True  # all have more than two words


def _lists_after(blocks: Sequence[_Block]) -> list[_List]:
    found = [_List()]
    for block in blocks[:0:-1]:
        length, verbs_first, long = found[-1]
        is_verb = _VERB_FIRST.match(block.text) is not None
        more = _List(
            length + 1, verbs_first and is_verb, long and len(_bare(block.text).split()) > 2
        )
        found.append(more if block.item else _List())
    return found[::-1]


def _blocks(document: str) -> Iterator[_Block]:
    lines = document.splitlines()
    widest = max((len(line) for line in lines), default=0)
    parts: list[str] = []  # the lines of the block that is not yet complete
    starts: list[tuple[int, int]] = []
    words = place = width = 0  # of that block; the width is its last line's
    is_item = False
    for number, raw in enumerate(lines, start=1):
        line = _COMMENT.sub("", raw.strip()).strip()
        text = _MARKER.sub("", line).strip()
        is_wide = widest >= 60 and width >= 0.8 * widest and words > 6
        if parts and not (text and _continues(parts[-1], line, text, is_wide)):
            yield _Block(" ".join(parts), is_item, tuple(starts))
            parts, starts, words, place = [], [], 0, 0
        if not text:
            continue
        is_item = is_item if parts else text != line
        parts.append(text)
        starts.append((place, number))
        words += len(text.split())
        place += len(text) + 1
        width = len(raw.rstrip())
    if parts:
        yield _Block(" ".join(parts), is_item, tuple(starts))


def _continues(before: str, line: str, text: str, is_wide: bool) -> bool:
    """Whether a line continues the one before it, as a wrapped line does."""
    if text != line or before.endswith((".", "!", "?", ":", ";")):
        return before.endswith((".", "!", "?")) and text == line and text[0].islower()
    last = before.rsplit(maxsplit=1)[-1].lower()
    return before.endswith(",") or text[0].islower() or last in _OPEN_END or is_wide


def _sentences(block: _Block) -> Iterator[Segment]:
    """Split at full stops that end a sentence."""
    text, start = block.text, 0
    for match in _END.finditer(text):
        if _is_end(text, start, match):
            yield from _segment(block, start, match.end())
            start = match.end() + 1
    yield from _segment(block, start, len(text))


def _segment(block: _Block, start: int, end: int) -> Iterator[Segment]:
    text = _MARKER.sub("", block.text[start:end].strip()).strip()
    if text:
        yield Segment(text, block.line_at(start))


def _is_end(text: str, start: int, match: re.Match[str]) -> bool:
    after = text[match.end() : match.end() + _WINDOW].lstrip()
    if not after or text[match.start()] in "!?":
        return not after or not after[0].islower()
    before = text[max(start, match.start() - _WINDOW) : match.start()].split()
    word = before[-1].lstrip("(\"'“") if before else ""
    if word.isdigit() and len(before) == 1:
        return False  # the number of a list item
    if word.lower() in _ABBREVIATIONS or after[0].islower():
        return False
    if word.lower() == "no" and after[0].isdigit():
        return False
    if word.lower() in _CLOSING_ABBREVIATIONS:
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


def _start_of(stem: str) -> str:
    return " ".join(stem.split()).removesuffix(":").rstrip()


def _condition(start: str) -> tuple[str, str | None] | None:
    """A stem that is a condition ("if all of the following apply"): its head and its link."""
    for pattern, link in ((_ALL, "and"), (_ANY, "or")):
        head = pattern.sub("", start)
        if head != start and _SUBORDINATE.search(head):
            return head, link
    return (start, None) if _SUBORDINATE.search(start) else None


def _is_open(start: str, items: _List) -> bool:
    """Whether each item ends the sentence that the stem begins."""
    return bool(_OPEN_VERB.search(start) or (items.verbs_first and len(start.split()) <= 6))


def _is_stem(text: str, items: _List) -> bool:
    """Whether a line makes sentences with the items after it; a mere heading does not."""
    if not items.length or not text.endswith(":"):
        return False
    start = _start_of(text)
    starts_with_condition = _condition(start) or _CONDITION.match(start)
    return bool(
        starts_with_condition
        or _is_open(start, items)
        or not _HEADING.match(start)
        or not items.long
    )


def _bare(item: str) -> str:
    return _LINK.sub("", _stripped(item)).rstrip(" ,;")


def _stripped(item: str) -> str:
    return " ".join(item.split()).rstrip(" .,;")


def _completed(stem: str, items: list[str], about: _List) -> list[str]:
    """The sentences that a stem and its items make together."""
    start = _start_of(stem)
    links = {m.group(1).lower() for m in map(_LINK.search, map(_stripped, items[:-1])) if m}
    bare = [_bare(item) for item in items]
    condition = _condition(start)
    if condition and condition[1] is None and start.lower().endswith("unless"):
        condition = condition[0], "or"  # any of them is an exception
    is_unclear = condition and condition[1] is None and len(links) != 1 and len(items) > 1
    if is_unclear or len(start) > _LONGEST_STEM:
        return [f"{start}: {'; '.join(bare)}."]
    if condition:
        head, link = condition
        return [_one(head, bare, link or (links.pop() if links else "and"))]
    if _is_open(start, about):
        return [_one(start, bare, "or")] if "or" in links else [f"{start} {i}." for i in bare]
    mark = "," if _CONDITION.match(start) else ":"
    return [f"{start}{mark} {item}." for item in bare]


def _one(stem: str, items: list[str], link: str) -> str:
    return f"{stem} {f' {link} '.join(items)}."
