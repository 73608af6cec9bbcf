"""Who is a person, and what is a name: by lists, endings and titles.

For pronouns ("he" is a person), and for the first word of a sentence ("Bill", but not "Visitor").
"""

from __future__ import annotations

from ibr.logic.english.lexis.common import THINGS
from ibr.logic.english.lexis.lexicon import (
    ADJECTIVE,
    GERUND,
    MASS,
    NOUN,
    PLURAL,
    classes,
    is_listed,
    is_proper,
)
from ibr.logic.words import GIVEN_NAMES, NATIONS, words

_PERSON_ENDINGS = ("er", "or", "ee", "ist", "ian", "man", "woman", "eer")
_PERSONS = words(
    """person people individual human someone member guest student child adult minor pupil teen
    staff client boss chief nurse doctor chef cook pilot guard coach captain volunteer citizen
    patron nephew niece aunt uncle cousin mother father parent son daughter wife husband friend
    applicant assistant attendant accountant consultant participant tenant occupant immigrant
    defendant claimant contestant infant patient president resident agent adolescent dependent
    recipient respondent opponent superintendent judge thief veteran senior junior professional
    spouse partner candidate delegate relative"""
)
_THINGS = words(
    """order letter paper computer printer door floor number container elevator motor power water
    folder error color colour sensor monitor cover offer charter river tower tractor trailer drawer
    timer shower fever cancer filter router server counter register newspaper scanner heater cooler
    freezer toaster blender dryer washer boiler scooter poster flower corner center layer charger
    adapter escalator mirror generator refrigerator calculator projector detector reactor vector
    factor sector winter summer weather matter chapter quarter barrier carrier voucher
    copier shutter cylinder starter locker propeller calendar helicopter meter ladder
    hammer mixer juicer transformer steamer fee coffee committee degree tree
    guarantee list beer deer tier pier gear year door floor"""
)


_IN_NAMES = words("new great grand north south east west upper lower royal")
_TITLES = words("mr. mrs. ms. dr. prof. professor miss sir lady captain coach chef officer nurse")


def is_person_name(name: str) -> bool:
    first = name.partition(" ")[0]
    given = first.lower() in GIVEN_NAMES or is_proper(first)
    return first.lower() in _TITLES or (given and not any(c.isdigit() for c in name))


def is_person(head: str) -> bool:
    last = head.rpartition(" ")[2].lower()
    if last in _THINGS or last in THINGS - _PERSONS:
        return False
    return last in _PERSONS or (len(last) > 3 and last.endswith(_PERSON_ENDINGS))


def is_common(word: str) -> bool:
    """Whether a capitalised first word can stand as a subject without being a name."""
    lower = word.lower()
    common = bool({MASS, GERUND, PLURAL} & classes(lower)) or is_kind(lower)
    return common and is_listed(lower) and not is_proper(word)


def is_kind(word: str) -> bool:
    """A kind of person or thing that needs an article: visitor, package. (But Lea, a meadow?)"""
    found = classes(word) if is_listed(word) else frozenset()
    return NOUN in found and MASS not in found and (word in THINGS or is_person(word))


def is_property(first: str, name: str) -> bool:
    """Big Dave: is "Big" his name, or is he big?"""
    lower = first.lower()
    plain = ADJECTIVE in classes(lower) and is_listed(lower) and lower not in _IN_NAMES | NATIONS
    return plain and lower not in GIVEN_NAMES and (name.lower() in GIVEN_NAMES or is_proper(name))
