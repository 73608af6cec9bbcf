"""Lines that say nothing to reason with: headings, stems of lists, talk about the document."""

from __future__ import annotations

import re

from ibr.logic.words import words

_DOCUMENT = (
    r"(?:policy|document|handbook|guide|guideline|guidelines|section|chapter|page|manual|rulebook"
    r"|rules|rule|regulations|regulation|list|notice|agreement|code|terms|conditions|text|leaflet"
    r"|summary|overview|table|appendix|version|procedure|procedures|instructions|sheet|charter)"
)
_ABOUT_ITSELF = re.compile(
    rf"""^(?:
      (?:this|these|the\ present|our)\ (?:\w+\ ){{0,3}}{_DOCUMENT}\s+(?:\w+\ )?
        (?:apply|applies|describe|describes|explain|explains|contain|contains|cover|covers|set|sets|outline|outlines|list
        |lists|define|defines|summari[sz]es?|is\ intended|are\ intended|is\ meant|are\ meant
        |was|were|has\ been|have\ been|replace|replaces|governs?|provides?|regulates?|concerns?
        |is\ valid|are\ valid|is\ effective|takes?\ effect|comes?\ into)
    | the\ following\b
    | (?:please\ )?(?:note|notes|nb|n\.b\.|example|examples|see|source|contents|disclaimer)\s*[:.]
    | (?:please\ )?see\s
    | (?:for\ )?(?:more|further)\ (?:information|details)
    | for\ (?:any\ )?questions
    | (?:welcome|hello|hi|dear|thank\ you|thanks|greetings|good\ luck|enjoy)\b
    | (?:last\ )?(?:updated|revised|effective)(?:\ on|\ from|:)
    | (?:section|chapter|part|article|appendix|annex|version|page|table)\ [\w.]+\s*(?:[-–—:.]|$)
    | (?:if\ you\ have\ (?:any\ )?questions)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_FINITE = words(
    """is are was were has have had do does did can could may might must shall should will would
    cannot isn't aren't wasn't weren't hasn't haven't don't doesn't didn't can't won't mustn't"""
)
_ENDS = (".", "!", "?", ".”", '."')


def is_remark(text: str) -> bool:
    """Certainly no fact and no rule: a line ending in ":", or talk about the document."""
    return text.rstrip().endswith(":") or bool(_ABOUT_ITSELF.match(text))


def looks_like_heading(text: str) -> bool:
    """No full stop and no auxiliary: a title, unless it reads as a sentence."""
    said = [word.strip(",;()").lower() for word in text.split()]
    return not text.rstrip().endswith(_ENDS) and not _FINITE.intersection(said)


def is_title(text: str) -> bool:
    """So written that it can only be a title: "Shipping & Handling", "LEAVE POLICY"."""
    if not looks_like_heading(text):
        return False
    long = [word for word in re.findall(r"[^\W\d_]+", text) if len(word) > 3]
    return len(long) > 1 and all(word[0].isupper() for word in long) and not re.search(r"\d", text)
