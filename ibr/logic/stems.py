"""Lists that continue their stem: "Members may:" + "enter the lab" → "Members may enter the lab."

Joins only where the meaning is plain. A condition whose items do not say whether all or any of
them are needed stays one sentence with its colon, which nobody will read as facts.
"""

from __future__ import annotations

import re

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
_LINK = re.compile(r"[,;]?\s*\b(and|or)$", re.IGNORECASE)


def completed(stem: str, items: list[str]) -> list[str] | None:
    """The sentences that a stem and its items make together; None if it is a mere heading."""
    start = stem.rstrip().removesuffix(":").rstrip()
    links = {match.group(1).lower() for match in map(_link, items[:-1]) if match}
    bare = [_LINK.sub("", item.rstrip(" .,;")).rstrip(" ,;") for item in items]
    whole = (_ALL, "and"), (_ANY, "or")
    for pattern, link in whole:
        head = pattern.sub("", start)
        if head != start and _SUBORDINATE.search(head):
            return [_one(head, bare, link)]
    if _SUBORDINATE.search(start):
        if len(links) != 1 and len(items) > 1:
            return [f"{start}: {'; '.join(bare)}."]
        return [_one(start, bare, links.pop() if links else "and")]
    if _OPEN_VERB.search(start) or (_is_short(start) and all(map(_VERB_FIRST.match, bare))):
        return [_one(start, bare, "or")] if "or" in links else [f"{start} {i}." for i in bare]
    return None


def _link(item: str) -> re.Match[str] | None:
    return _LINK.search(item.rstrip(" .,;"))


def _one(stem: str, items: list[str], link: str) -> str:
    if len(items) == 1:
        return f"{stem} {items[0]}."
    return f"{stem} {f' {link} '.join(items)}."


def _is_short(stem: str) -> bool:
    return len(stem.split()) <= 6
