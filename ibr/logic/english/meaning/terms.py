"""Terms: which words before a noun are properties of their own, and which belong to the noun.

"a friendly dog" is friendly and is a dog; "a police officer" and "a former employee" are one term.
"""

from __future__ import annotations

from ibr.logic.english.grammar.meaning import Noun
from ibr.logic.english.lexis.lexicon import GERUND, NOUN, classes, is_adjective
from ibr.logic.english.lexis.people import is_person
from ibr.logic.words import NATIONS, words

# They add no condition: "people who …", "anyone", "things".
DUMMY = words("person people individual human someone thing something one ones those")
# Not a property of its own: a former employee is no employee, a fake pass no pass.
_ONE_TERM = words(
    """former future fake alleged potential acting deputy assistant vice ex so-called prospective
    would-be past previous next last first second third mock interim
    suspected presumed proposed associate"""
)
# Adjective or noun in the dictionary; before a noun, a noun.
_NOUN_FIRST = words(
    """light silver gold bronze platinum fire home head key staff police school class service sports
    business office weekend holiday summer winter bank blood brain bus car child city college
    community company computer day night evening morning country state street family field food
    front back side ground group hand health heart history hotel house information insurance island
    job kitchen labor lab law library life machine market matter maximum minimum media milk model
    mountain music network oil paper party patient phone plant plastic power pressure project
    quality rate record research rest river road room safety sample science security sport standard
    station stock store student support surface system target tax team test time town trade
    training travel trial tree water weather week window wood work world metal cotton steel wool
    leather glass brick stone copper iron lead tin household audio video radio motor signal"""
)


# An adjective and a noun that together are one thing.
_FIXED = frozenset(
    """high chair/high school/hot dog/hot tub/hot chocolate/first aid/black box/black belt/open day
    /common room/dry ice/fast food/hard hat/hard drive/small print/solar panel/social worker
    /social media/mobile phone/general manager/legal guardian/public holiday/human right
    /natural gas/real estate/civil servant/prime minister/golden retriever/polar bear/brown bear
    /black bear/red panda/sweet potato/green card/blue badge/general practitioner/public transport
    /personal trainer/identical twin/grand piano/electric guitar/dark room/dead end
    /blind spot/free kick/red card/yellow card/square metre/rare earth/red wine/white wine
    /black tea/green tea/ice cream/sick leave/sick pay/sick note/annual leave/paid leave
    /parental leave/maternal leave/unpaid leave/full moon/best man/new year/white board
    /bald eagle/grizzly bear/great ape/blue whale/grey squirrel/red squirrel/red deer/wild boar
    /general anaesthetic/local authority/lost property/petty cash/current account/fixed asset
    /private key/public key/virtual machine/digital certificate/hard copy/soft copy/open source
    /responsible person/competent person/next of kin/registered office/limited company""".replace(
        "\n    ", ""
    ).split("/")
)


def splits(word: str, head: str) -> bool:
    """Whether a word before the noun `head` is a property of its own."""
    last = word.rpartition(" ")[2]
    if word.lower() in NATIONS:
        return True
    if word in _ONE_TERM or word in _NOUN_FIRST or word[:1].isupper():
        return False
    if "-" in word:
        return True
    found = classes(last)
    if is_adjective(last):
        return True
    return GERUND in found and NOUN not in found and is_person(head)


def parts_of(noun: Noun) -> tuple[str, ...]:
    """full-time shift leader → "full-time", "a shift leader"; dummies say nothing."""
    own: list[str] = []
    for i, word in enumerate(noun.mods):
        fixed = " ".join((*noun.mods[i:], noun.head)) in _FIXED
        if fixed or not splits(word, noun.head):
            return (*own, "a " + " ".join((*noun.mods[i:], noun.head)))
        own.append(word)
    return tuple(own) if noun.head in DUMMY else (*own, f"a {noun.head}")
