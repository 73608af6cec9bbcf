"""Constructions of everyday English, each with the verdicts that are right for it."""

from __future__ import annotations

import pytest

import ibr

CERTIFIED = [
    # generic passives
    ("Mice are eaten by owls. Hedwig is an owl.", "Does Hedwig eat mice?", "yes"),
    ("Mice are eaten by owls.", "Do mice eat owls?", "not shown"),
    ("Dogs may not be fed by guests. Eve is a guest.", "May Eve feed dogs?", "no"),
    ("Lunch is cooked by the pupils. Tim is a pupil.", "Does Tim cook lunch?", "yes"),
    # whose, and roles that have a converse
    ("Eva is the daughter of Paul. Anyone whose daughter sings is proud. Eva sings.",
     "Is Paul proud?", "yes"),
    ("Tom has a dog called Rex. Anyone whose dog barks must pay. Rex barks.",
     "Must Tom pay?", "yes"),
    ("Mrs Sand is the mother of Luis.", "Is Luis a child of Mrs Sand?", "yes"),
    ("Nora has a son. Every parent gets a letter.", "Does Nora get a letter?", "yes"),
    ("Kim is a neighbour of Ben.", "Is Ben a neighbour of Kim?", "yes"),
    ("Ana and Luz are sisters.", "Is Luz Ana's sister?", "yes"),
    # they, each of them
    ("Ana and Luz are pupils. Each of them has a horse.", "Does Ana have a horse?", "yes"),
    ("Tom and Ann are tall. Neither of them is rich.", "Is Ann rich?", "no"),
    ("Jan and Mieke are friends. They live in Rome.", "Does Mieke live in Rome?", "yes"),
    # comparisons and places
    ("Tom is older than Ann. Ann is older than Bob.", "Is Bob younger than Tom?", "yes"),
    ("Tom is older than Ann. Bob is older than Ann.", "Is Tom older than Bob?", "not shown"),
    ("The key is in the box. The box is in the car.", "Is the key in the car?", "yes"),
    ("The dog is in the photo. The photo is in the drawer.",
     "Is the dog in the drawer?", "not shown"),
    # adjectives of people are conditions; titles are classes
    ("Tom is a cook. Careful people win.", "Does Tom win?", "not shown"),
    ("Judge Hill is late. Judges are rich.", "Is Hill rich?", "yes"),
    ("Everybody had soup but Cousin Albert.", "Did Cousin Albert have soup?", "no"),
    # forms of sentences
    ("Things made of iron rust. The gate is made of iron.", "Does the gate rust?", "yes"),
    ("Without a ticket nobody may enter. Greta has no ticket.", "May Greta enter?", "no"),
    ("Animals that eat only plants are called herbivores. Thumper is an animal that eats only "
     "plants.", "Is Thumper a herbivore?", "yes"),
    ("All premium users see no adverts. Olaf sees adverts.", "Is Olaf a premium user?", "no"),
    ("Today Pavel is the dealer. The dealer shuffles the cards.",
     "Does Pavel shuffle the cards?", "yes"),
    ("The red car is Ann's. Everyone who has a red car is happy.", "Is Ann happy?", "yes"),
]  # fmt: skip

OPEN = [
    # a size is of its kind
    ("Small animals fit into the basket. Jumbo is a small elephant.",
     "Does Jumbo fit into the basket?"),
    ("Every whale is an animal. No small animals may enter. The small whale is ill.",
     "May the small whale enter?"),
    # homonyms and names of things
    ("Seals eat fish. The seal on the letter is broken.", "Does the seal on the letter eat fish?"),
    ("The Tiger is a boat. Tigers bite.", "Does the Tiger bite?"),
    ("Our dog is called Nobody. Nobody sleeps on the sofa.", "Does our dog sleep on the sofa?"),
    # a duty or a guess
    ("Ben must be at home.", "Is Ben required to be at home?"),
    ("Rolf may not come to the party.", "Is Rolf forbidden to come to the party?"),
    # and, or without brackets; who is meant
    ("Mona and Till or Ben are on duty.", "Is Mona on duty?"),
    ("Tom and Ann met Bob and Kim. They were late.", "Was Kim late?"),
    ("Ida and Jim are cousins; the former lives in Rome.", "Does Ida live in Rome?"),
    ("Anyone who sells a van must call the buyer. Yop sells a van to Zara.",
     "Must Yop call Zara?"),
    ("Tom is getting tired. Tired people rest.", "Does Tom rest?"),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "question", "verdict"), CERTIFIED)
def test_certified(rules: str, question: str, verdict: str) -> None:
    assert str(ibr.load("solver").prove(rules, question).verdict) == verdict


@pytest.mark.parametrize(("rules", "question"), OPEN)
def test_left_open(rules: str, question: str) -> None:
    assert str(ibr.load("solver").prove(rules, question).verdict) == "cannot say"
