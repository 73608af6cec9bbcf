"""Closed classes of general English: which terminals of english.lark each function word may be."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from ibr.logic.words import MODALS, words

HOURS = frozenset({"a.m.", "p.m.", "a.m", "p.m", "am", "pm", "o'clock", "o’clock"})
LETTERS = frozenset("BCDEFGHJKLMNOPQRSTUVWXYZ")

# Left out wherever they stand: they change nothing.
IDLE = words(
    "also too then therefore always automatically still both hence thus thereby already yet even"
) | {
    "as well",
    "in turn",
    "in addition",
}
# … unless "not" comes before: "not always" is not "not".
SCOPAL = words("always automatically both")

# After a verb: where, so that it may be said of several verbs at once.
PLACES = words("in at on inside outside near within during under behind around by beside")
INTRANSITIVE = words(
    """appear apply arrive appeal belong come compete cry depart die disappear exist expire fall go
    happen laugh leave lie listen live look occur participate register remain reside resign retire
    rise run sit sleep smile smoke speak stand stay stop swim talk travel vanish vote wait walk
    work"""
)

# Verbs that are never nouns, whatever gaps a dictionary may have: "Amir seems" are not several.
LINKING = words("seem seems appear appears become becomes")

_CLASSES: dict[str, AbstractSet[str]] = {
    "IF": words("if when whenever where once provided providing assuming")
    | {"as long as", "so long as", "provided that", "providing that", "in case", "given that"}
    | {"in the event that", "on condition that", "on the condition that", "assuming that"}
    | {"in cases where", "in the case that"},
    "UNLESS": {"unless", "except if", "except when", "except where"},
    "ONLY_IF": {"only if", "only when", "only where", "only as long as"},
    "AS_WELL_AS": {"as well as", "together with", "along with"},
    "IFF": {"if and only if"},
    "THEN": {"then"},
    "AND": {"and", "as well as", "and also"},
    "OR": {"or", "and/or"},
    "BUT": {"but"},
    "WHILE": {"while", "whereas"},
    "EITHER": {"either"},
    "NEITHER": {"neither"},
    "NOR": {"nor"},
    "COMMA": {",", ";"},
    "NOT": {"not"},
    "NEVER": {"never"},
    "BE_S": {"is"},
    "BE_P": {"are"},
    "BE": {"be"},
    "BEEN": {"been"},
    "WAS": {"was"},
    "WERE": {"were"},
    "HAS": {"has"},
    "HAVE": {"have"},
    "HAD": {"had"},
    "DOES": {"does"},
    "DO": {"do"},
    "DID": {"did"},
    "VS": {"has", "does"},
    "V": {"have", "do"},
    "VD": {"had", "did"},
    "MODAL": MODALS - {"might"},
    "CANNOT": {"cannot"},
    "NEED_NOT": {"need not"},
    "TO": {"to"},
    "WHO": {"who", "that", "which"},
    "WHOSE": {"whose"},
    "WHOEVER": {"whoever", "whatever"},
    "A": {"a", "an"},
    "THE": {"the"},
    "EVERY": {"every", "each", "any"},
    "ALL": {"all", "any"},
    "EACH": {"every", "each"},
    "ALL_OF": {"all"},
    "ANY": {"any"},
    "NO": {"no"},
    "THIS": {"this", "that"},
    "THESE": {"these", "those"},
    "SUCH": {"such a", "such an"},
    "POSS": {"their", "his", "her", "its", "my", "our", "your", "his or her", "her or his"},
    "SOMEONE": {"one", "someone", "anyone", "somebody", "anybody", "something", "anything"},
    "EVERYONE": {"everyone", "everybody", "everything"},
    "NOBODY": {"nobody", "no one", "nothing", "no-one"},
    "ELSE": {"someone else", "somebody else", "another person", "anyone else", "something else"}
    | {"anybody else", "another one", "another thing"},
    "PRO_S": {"he", "she", "it", "he or she", "she or he"},
    "PRO_P": {"they"},
    "OPRO": {"him", "her", "them", "it", "him or her"}
    | {"himself", "herself", "itself", "themselves"},
    "EXCEPT": {"except", "except for", "other than", "apart from", "excluding", "excepting"},
    "ONLY": {"only"},
    "GEN": {"'s", "’s", "'", "’"},
    "PREP": words(
        """about above across after against along alongside among amongst around as at before
        behind below beneath beside besides between beyond by despite during for from in inside
        into like near of off on onto out outside over past per regarding since than through
        throughout to toward towards under underneath until up upon via with within without down"""
    )
    | {"because of", "in front of", "next to", "on behalf of", "out of", "according to"},
}  # fmt: skip

TYPES: dict[str, frozenset[str]] = {}
for _name, _members in _CLASSES.items():
    for _word in _members:
        TYPES[_word] = TYPES.get(_word, frozenset()) | {_name}
TYPES["provided"] |= {"VN", "VD", "MOD"}
TYPES["like"] |= {"V"}
TYPES["past"] |= {"MOD"}
for _particle in words("on off in out up down over through about outside inside around along by"):
    TYPES[_particle] |= {"PARTICLE"}

# Joined so that they can be refused: "even" alone is idle.
_REFUSED = {"even if", "even when", "even though"}
PHRASES = (
    frozenset(word for word in TYPES if " " in word)
    | {"as well", "in turn", "in addition"}
    | _REFUSED
)
LONGEST = max(len(phrase.split()) for phrase in PHRASES)
