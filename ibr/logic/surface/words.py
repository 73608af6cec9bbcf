"""Closed classes of English: the words whose meaning the grammar itself knows. Lists only."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MODALS = words("can could may might must shall should will would")

NUMBERS = words(
    "two three four five six seven eight nine ten eleven twelve twenty thirty fifty hundred"
)

# After a verb, before its object. "of" is left out: "the cost of the ticket" is a noun phrase far
# more often than a verb and its object.
PARTICLES = words(
    """about above across after against along around at before behind below beneath beside between
    beyond by down for from in inside into like near off on onto out outside over past through to
    toward towards under up upon with within without"""
)

# Inside a noun phrase they make it more than a name: "the number of guests".
PREPOSITIONS = (PARTICLES - {"like", "past"}) | {"of", "during", "since", "until", "via", "per"}

# Never a word of a vocabulary in a template: they quantify, refer or connect, so that a sentence
# with one of them means something else than its shape says.
STRUCTURE = words(
    """a an the this that these those he she it they we you i him her them us me his its their our
    your my mine who whom whose which what when where while why how if unless until because since
    although though as than so but or nor and not no none nobody nothing neither either both every
    everyone everybody everything each any anyone anybody anything some someone somebody something
    all most many much few several more less least only just even also too then thus therefore
    hence otherwise instead there here always never usually often normally generally typically
    probably perhaps maybe sometimes rarely seldom mostly might may must shall should will would
    could can cannot is are was were be been being am had do does did one two three four five six
    seven eight nine ten such same other another except"""
)

# Given names (and names of pets) that are also common nouns: as the first word of a sentence,
# without an article, they are names.
GIVEN_NAMES = words(
    """
    alan alexis amber amir anders angel ann anne art arthur ash bandit basil bill blaze blossom
    bob boris brook buck bud buddy buster butch carol charity charlie chase chip chris cliff colin
    colt comet constance cricket crystal daisy dash dave dawn dean denis dennis derrick dirk doris
    dot dove echo eric erin faith felicity fern fiona flora frank franz fred fritz gary gene
    ginger glen grace grant hans happy harry hazel heath heather holly hope iris ivy jack jade
    jasmine jasper jens jewel jock joy justice ken kit kitty lance lark lars laurel lily lucky
    magnolia marina mark marlin mats maverick melody mercy mittens moose myrtle nick niels norm
    nova olive opal otter paddy pansy pat patch patches patience pearl peg penny petunia piper
    pippin poppy prudence puck raven ray rich rick rod rook rose rosemary rover ruby rusty sandy
    scarlet scout shadow skip skipper socks spike summer sunny tabby tad tiger tom travis tulip
    verity victor violet whiskers will willow
    """
)

# Adjectives that keep their capital: "French people" are French.
NATIONS = words(
    """african american arab arabic argentinian asian australian austrian belgian brazilian british
    bulgarian canadian chilean chinese colombian croatian cuban czech danish dutch egyptian english
    estonian ethiopian european finnish flemish french german greek hungarian icelandic indian
    indonesian iranian iraqi irish israeli italian jamaican japanese jewish kenyan korean latin
    latvian lebanese lithuanian malaysian mexican moroccan muslim christian nigerian norwegian
    pakistani persian peruvian polish portuguese roman romanian russian scottish serbian slovak
    slovenian spanish swedish swiss syrian thai tunisian turkish ukrainian vietnamese welsh"""
)
