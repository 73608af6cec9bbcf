"""Sentences as people say them, each with the verdicts that are right for it."""

from __future__ import annotations

import pytest

import ibr

CASES = [
    # some do not: not all do, and of each one it is open
    ("Some of the machines have no guard. The press is one of the machines. A machine that has"
     " no guard must be switched off.",
     "Must the press be switched off?", "cannot say"),
    ("Some cats do not like fish. Tom is a cat. Cats that do not like fish get chicken.",
     "Does Tom get chicken?", "cannot say"),
    ("All moozles can fly, except the baby ones. Tuppy is a baby moozle.", "Can Tuppy fly?", "no"),
    # contractions: is or has
    ("A book that's been reserved can't be renewed. The atlas is a book. It's been reserved.",
     "Can the atlas be renewed?", "no"),
    ("Anything marked fragile goes on the top rack. Crate nine's been marked fragile.",
     "Does crate nine go on the top rack?", "yes"),
    ("Anyone who's lost their key has to pay. Bea's just lost her key.",
     "Does Bea have to pay?", "yes"),
    ("Only swimmers with a form may dive. Marcus is a swimmer, but he hasn't got a form.",
     "May Marcus dive?", "no"),
    ("Tom's got to leave. Anyone who has to leave gets a coat.", "Does Tom get a coat?", "yes"),
    ("Nobody's allowed to shout. If the soup's cold, Ann heats it.",
     "Is Kim allowed to shout?", "no"),
    ("He's called Rex. A dog that's called Rex barks.", "Has he called Rex?", "cannot say"),
    # one, hers, mine: a thing of the kind that was spoken of before
    ("Nobody gets tablets without a prescription. Mrs Ferris hasn't got one.",
     "Does Mrs Ferris get tablets?", "no"),
    ("All of our coaches hold a certificate. Gavin holds one too. Anyone who holds a certificate"
     " gets a badge.",
     "Does Gavin get a badge?", "yes"),
    ("There is a pool in the hotel. The motel doesn't have one.", "Does the motel have a pool?",
     "no"),
    ("Ann bought a hat and a scarf. Tom bought one too.", "Did Tom buy a hat?", "cannot say"),
    ("Someone who has twisted an ankle has to be carried. Bea's just twisted hers.",
     "Does Bea have to be carried?", "yes"),
    ("Ann's dog is old. Mine is young. Young dogs play.", "Does my dog play?", "yes"),
    ("Ann is a nurse. The red cup is hers.", "Does the red cup belong to Ann?", "yes"),
    ("The red cup is hers. Ann is a nurse.", "Does the red cup belong to Ann?", "cannot say"),
    # but not both, or both, not at the same time
    ("Each gribble is either a swimmer or a climber, but not both. Nim is a gribble. Nim is a"
     " climber.",
     "Is Nim a swimmer?", "no"),
    ("Every box is either for the shop or for the web, never for both. The red box is a box. It"
     " isn't for the web.",
     "Is the red box for the shop?", "yes"),
    ("Either Leo or Mo has the map, but not both of them. Leo has the map.",
     "Does Mo have the map?", "no"),
    ("Tom may take the bus or the train, but not both.", "May Tom take the bus?", "yes"),
    ("Every bird here can swim or fly, or do both. Pingu is a bird here. Pingu can fly.",
     "Can Pingu swim?", "cannot say"),
    ("The pump and the heater are never on at the same time. The pump is on.",
     "Is the heater on?", "no"),
    ("The pump and the heater are never on at the same time. The pump is off.",
     "Is the heater on?", "not shown"),
    ("Rob and Sid are not both at home.", "Is Sid at home?", "not shown"),
    # amounts: how old, how long, since when, of how many letters
    ("Children under twelve ride for free. Winnie is a nine-year-old child.",
     "Does Winnie ride for free?", "yes"),
    ("Children under twelve ride for free. Winnie is a 13-year-old child.",
     "Does Winnie ride for free?", "not shown"),
    ("Passwords that are shorter than eight characters are rejected. Bert's password has six"
     " characters.",
     "Is Bert's password rejected?", "yes"),
    ("Books longer than 300 pages cost extra. The blue book has 120 pages.",
     "Does the blue book cost extra?", "not shown"),
    ("Members who have been with us for at least ten years get a pin. Mo is a member. Mo has been"
     " with us for four years.",
     "Does Mo get a pin?", "not shown"),
    ("Anyone who has lived here for ten years may vote. Ann has lived here for twelve years.",
     "May Ann vote?", "yes"),
    ("Anyone who has lived here for ten years may vote. Ann has lived here for ten months.",
     "May Ann vote?", "not shown"),
    ("Laptops bought before 2020 get no update. Ulf's laptop was bought in 2017.",
     "Does Ulf's laptop get an update?", "no"),
    ("Houses built after 1990 are warm. The red house was built in 1985.",
     "Is the red house warm?", "not shown"),
    # gets thrown out; it's time for tea
    ("Readers who talk get asked to leave. Mr Fenn is a reader. He talks.",
     "Is Mr Fenn asked to leave?", "yes"),
    ("When the kettle whistles, it's time for tea. When it's time for tea, the telly gets switched"
     " off. The kettle's whistling.",
     "Does the telly get switched off?", "yes"),
    # a noun that may be a person
    ("The wizard has a wand. He is tall.", "Is the wizard tall?", "yes"),
    ("The table has a drawer. He is tall.", "Is the table tall?", "cannot say"),
    # who does it, or has done it
    ("Anyone who loses a key has to pay for it. Sam lost a key.", "Does Sam have to pay?", "yes"),
    ("Anyone who breaks a cup has to replace it. The blue cup was broken by Emeka.",
     "Does Emeka have to replace the blue cup?", "yes"),
    ("If Tom wins the race, Ann sings. Tom has won the race.", "Does Ann sing?", "yes"),
    ("Anyone who plays for the team gets a shirt. Tom played for the team.",
     "Does Tom get a shirt?", "cannot say"),
    ("Anyone who wins the race gets a medal. Tom nearly won the race.", "Does Tom get a medal?",
     "cannot say"),
    # members of a family or a choir; kinds of relatives; what is by whom
    ("Nobody in the Okafor family eats meat. Amara belongs to the Okafor family.",
     "Does Amara eat meat?", "no"),
    ("Everyone in the choir gets a robe. Tom is one of the choir.", "Does Tom get a robe?", "yes"),
    ("All my grandchildren have a peg in the hall. Toby is my grandson.",
     "Does Toby have a peg in the hall?", "yes"),
    ("Pets may not enter. Muffin is a pet hamster.", "May Muffin enter?", "no"),
    ("All novels by Fontaine are sold out. Dunes is a novel. Dunes was written by Fontaine.",
     "Is Dunes sold out?", "yes"),
    ("All novels by Fontaine are sold out. Dunes is a novel. Dunes was praised by Fontaine.",
     "Is Dunes sold out?", "not shown"),
    ("The treasurer signs. Bettina has been the treasurer since March.", "Does Bettina sign?",
     "yes"),
    ("Members may ski. Bettina has been a member.", "May Bettina ski?", "cannot say"),
    # a condition says nothing of what is the case
    ("If the audit finds an error, the report is delayed. The report has been delayed.",
     "Did the audit find an error?", "not shown"),
    # whose turn it is; they and them; some don't; we do not
    ("The player whose turn it is draws a card. It's Mona's turn.", "Does Mona draw a card?",
     "yes"),
    ("Guests can borrow towels, but they can't keep them. Kim is a guest. The red towel is a"
     " towel.",
     "Can Kim keep the red towel?", "no"),
    ("Some cats like milk, and others don't. Tom is a cat.", "Does Tom like milk?", "not shown"),
    ("We don't treat snakes. Slinky is a snake.", "Is Slinky treated here?", "no"),
    ("Everybody who is older than sixty gets a coffee. Freya is thirty.",
     "Does Freya get a coffee?", "not shown"),
    # we call, the whole family, the map of the harbour
    ("We call an animal nocturnal if it comes out at night. Foxes come out at night, and so do"
     " badgers.",
     "Are badgers nocturnal?", "yes"),
    ("The whole family has pancakes. Saskia is one of the family.", "Does Saskia have pancakes?",
     "yes"),
    ("The whole team wears red. Kim likes the team.", "Does Kim wear red?", "not shown"),
    ("Every map we own is kept in the long drawer, and the long drawer is locked. We own a map of"
     " the harbour.",
     "Is the map of the harbour kept in a locked drawer?", "yes"),
    ("We own a map of the harbour. The map of the castle is old.", "Is the map of the harbour old?",
     "not shown"),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "question", "verdict"), CASES)
def test_verdict(rules: str, question: str, verdict: str) -> None:
    assert str(ibr.load("solver").prove(rules, question).verdict) == verdict
