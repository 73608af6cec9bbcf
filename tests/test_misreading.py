"""Sentences that were once misread, by class: read rightly now, or it cannot be said."""

from __future__ import annotations

import pytest

import ibr

OPEN = {"not shown", "cannot say"}
CASES = [
    # what is denied of some of a kind may be denied of any one of it
    ("Some of the older machines have no safety guard. The press in hall two is one of the older "
     "machines. A machine that has no safety guard must be switched off.",
     "Must the press in hall two be switched off?", OPEN),
    ("Two of the boys have no helmet. Rudi is one of the boys. "
     "A boy who has no helmet may not ride.", "May Rudi ride?", OPEN),
    ("Two boys have no helmet. Rudi is a boy.", "Does Rudi have a helmet?", OPEN),
    ("Many cooks wear no cap. Cooks who wear no cap are fined. Bo is a cook.", "Is Bo fined?",
     OPEN),
    ("Only two of the boys can swim. Al can swim.", "Is Al a boy?", OPEN),
    # who is excepted, in other words
    ("All moozles can fly, except the baby ones. Tuppy is a baby moozle.", "Can Tuppy fly?",
     {"no"}),
    ("All the windows of the cottage are clean except the kitchen window.",
     "Is the kitchen window of the cottage clean?", {"no", "cannot say"}),
    ("None of the books on the shelf except the red one is mine.",
     "Is the red book on the shelf mine?", {"yes", "cannot say"}),
    # what holds of several together
    ("Dex is a soldier. The soldiers surrounded the fort.", "Did Dex surround the fort?", OPEN),
    ("The cup and saucer cost ten euros.", "Does the cup cost ten euros?", OPEN),
    ("The bricks weigh forty kilos. The grey brick is one of the bricks.",
     "Does the grey brick weigh forty kilos?", OPEN),
    ("Foxes are the reason for the fence. Rex is a fox.", "Is Rex the reason for the fence?", OPEN),
    ("The foxes ate ten hens. Rex is one of the foxes.", "Did Rex eat ten hens?", OPEN),
    ("All the foxes ate ten hens. Rex is one of the foxes.", "Did Rex eat ten hens?", {"yes"}),
    ("Everybody here feeds Al. Bo is a boy.", "Does Bo feed Al?", OPEN),
    ("The Falcons won the final. Whichever team won the final received the cup. The Falcons are a "
     "team.", "Did the Falcons receive the cup?", {"yes"}),
    # of one kind, of another kind
    ("Nelly is a small elephant. Elephants are animals.", "Is Nelly a small animal?", OPEN),
    ("The gun is a toy. Guns are dangerous.", "Is the gun dangerous?", OPEN),
    ("The sword is fake. Swords are sharp.", "Is the sword sharp?", OPEN),
    # two colours of one thing
    ("The wall is black and white.", "Is the wall black?", OPEN),
    ("The flag is red and white.", "Is the flag white and red?", {"yes"}),
    ("Rex is a black and white dog. Black dogs are sold.", "Is Rex sold?", OPEN),
    ("Siri owns a black and a white horse.", "Does Siri own a black horse?", {"yes"}),
    # one, or every one
    ("A guard watches every door. Lena is a guard. The red door is a door.",
     "Does Lena watch the red door?", OPEN),
    ("Workers are needed at the mill. Fabio is a worker.", "Is Fabio needed at the mill?", OPEN),
    # who is who
    ("Ines owns a donkey. The donkey is called Pip. Every farmer who owns a donkey feeds it. "
     "Ines is a farmer.", "Does Ines feed Pip?", {"yes"}),
    ("Dr Stone and Professor Stone are cousins, and only the professor teaches chemistry.",
     "Does Professor Stone teach chemistry?", {"yes", "cannot say"}),
    ("Whatever is deleted is copied first. File K is a new file. New files are deleted.",
     "Is file K deleted?", {"yes"}),
    ("Nan is a cook. (Cooks may smoke outside.)", "May Nan smoke outside?", {"yes"}),
    ("The baker invited Frida, a doctor, and a pilot.", "Is Frida a doctor?", {"cannot say"}),
    ("Olga is not the only cook.", "Is Olga a cook?", {"yes", "cannot say"}),
    # what goes with what
    ("Tarik bought a lamp for his aunt and a rug for himself.", "Did Tarik buy a rug?",
     {"yes", "cannot say"}),
    ("Sadie asked Theo to leave, and he did.", "Did Theo leave?", {"yes", "cannot say"}),
    # what follows a condition
    ("Members may enter if they have a card, and they may bring a guest. Al is a member. "
     "Al may bring a guest.", "May Al enter?", OPEN),
    ("Tom sings if Ann is there, and Bo dances.", "Does Bo dance?", {"cannot say"}),
    # what somebody says or thinks
    ("Tom is called a liar by Ann.", "Is Tom a liar?", OPEN),
    ("Ivy is considered a genius by her mother. Geniuses win prizes.", "Does Ivy win prizes?",
     OPEN),
    ("Bats are called mammals. Al is a bat.", "Is Al a mammal?", {"yes"}),
    ("The idea that Tom sings is silly.", "Does Tom sing?", OPEN),
    ("Tom's claim that he sings is false.", "Does Tom sing?", OPEN),
    ("Al is described as a singer.", "Is Al a singer?", OPEN),
    # not both, not some
    ("Tom is not tall and thin.", "Is Tom tall?", OPEN),
    ("Tom is not tall but thin.", "Is Tom thin?", {"yes"}),
    ("Tom has not read some of the books. The red book is one of the books.",
     "Has Tom read the red book?", OPEN),
    # who did it was he
    ("What Ben forgot was his passport. Anyone who forgot a passport had to go back.",
     "Did Ben have to go back?", {"yes"}),
    ("The one who sang was Tom.", "Did Tom sing?", {"yes"}),
    ("Dogs such as Rex are white.", "Is Rex white?", {"yes"}),
    # what somebody does not do must be known, and of all whose it is
    ("Everyone whose cats all bite is sad. One of Al's cats bites.", "Is Al sad?", OPEN),
    ("Children whose parents work late stay. Zed is a child. Zed's mother works late.",
     "Does Zed stay?", OPEN),
    ("Pupils whose bikes are stolen get a pass. Bo is a pupil. Bo's bike is stolen.",
     "Does Bo get a pass?", {"yes"}),
    ("Everyone who is happy isn't rich. Al is happy.", "Is Al rich?", OPEN),
    ("Al remains a guest.", "Is Al a guest?", {"yes"}),
    ("Al is among those who sang.", "Did Al sing?", {"yes"}),
    # descriptions in the simplest sentences
    ("The broken cup is red.", "Is the cup broken?", {"yes"}),
    ("The shop is closed until noon.", "Is the shop closed?", {"cannot say"}),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "question", "verdicts"), CASES)
def test_verdict(rules: str, question: str, verdicts: set[str]) -> None:
    assert str(ibr.load("solver").prove(rules, question).verdict) in verdicts
