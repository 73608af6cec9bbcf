"""Text for a picture: made plain, measured without a font, wrapped. Knows nothing of proofs."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

REPLACEMENT: Final = "\ufffd"
ELLIPSIS: Final = "…"

# What XML or a terminal cannot show: controls, lone surrogates, non-characters; and what is unseen
# or turns the direction of writing, which could make one sentence read as another.
_UNSHOWABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff"
    "\ufdd0-\ufdef\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff"
    + "".join(chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF))
    + "]"
)

# Widths in em of a wide sans serif (DejaVu Sans, Verdana), so that the fonts that may stand in for
# it fit, too. What is not listed is `_OTHER` wide.
_WIDTHS: Final = {
    character: width
    for characters, width in (
        ("ijlIJ'|", 0.3),
        (" .,:;/\\", 0.34),
        ('ftr()[]{}-!`"^', 0.47),
        ("csvxyzk?_*$", 0.62),
        ("wMCDGHNOQU#<>=+~&", 0.87),
        ("mW@%", 1.0),
    )
    for character in characters
}
_OTHER: Final = 0.69


def plain(text: str) -> str:
    """One line: runs of white space are one space, what cannot be shown is U+FFFD."""
    return _UNSHOWABLE.sub(REPLACEMENT, " ".join(text.split()))


def escaped(text: str) -> str:
    """The same lines for a terminal, with what it would obey or cannot show as `\\x1b`."""
    return _UNSHOWABLE.sub(
        lambda m: m[0] if m[0] in "\n\t" else m[0].encode("unicode_escape").decode(), text
    )


def width_of(text: str) -> float:
    """In em, rather too much than too little."""
    return sum(map(_width, text))


def _width(character: str) -> float:
    if character.isascii():
        return _WIDTHS.get(character, _OTHER)
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0.0  # drawn over its neighbour, or not at all
    if unicodedata.category(character) == "So":
        return 1.3  # emoji
    return 1.05 if unicodedata.east_asian_width(character) in "WF" else 0.87


def wrap(text: str, width: float, most: int) -> tuple[str, ...]:
    """At most `most` lines of at most `width` em; what does not fit ends in an ellipsis.

    A word is broken only if it is longer than a line.
    """
    lines = [""]
    for piece in _pieces(plain(text), width):
        longer = f"{lines[-1]} {piece}" if lines[-1] else piece
        if width_of(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(piece)
        if len(lines) > most:
            return (*lines[: most - 1], _cut(lines[most - 1], width))
    return tuple(lines)


def _pieces(text: str, width: float) -> Iterator[str]:
    for word in text.split(" "):
        start, used = 0, 0.0
        for end, character in enumerate(word):
            used += _width(character)
            if used > width and end > start:
                yield word[start:end]
                start, used = end, _width(character)
        yield word[start:]


def _cut(line: str, width: float) -> str:
    while line and width_of(line + ELLIPSIS) > width:
        line = line[:-1]
    return line.rstrip() + ELLIPSIS
