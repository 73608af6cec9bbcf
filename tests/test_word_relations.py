"""Wordings that are related in meaning: what meets, what is a doubt, and what is a contrast."""

from __future__ import annotations

import subprocess
import sys

import pytest

import ibr
from ibr.logic.english.lexis import relations

MEANT = [
    ("Everyone who is wealthy pays tax. Ines is rich.", "Does Ines pay tax?"),
    ("Whoever owns a sofa is glad. Piet owns a couch.", "Is Piet glad?"),
    (
        "Each toddler who is afraid gets a toy. Nia is a toddler. Nia is frightened.",
        "Does Nia get a toy?",
    ),
    ("Whoever purchases a ticket gets a map. Lev buys a ticket.", "Does Lev get a map?"),
    ("Athletes get a key. Oda is a goalkeeper.", "Does Oda get a key?"),
    (
        "Customers who complain get a refund. Eva is a customer. Eva makes a complaint.",
        "Does Eva get a refund?",
    ),
    ("If the gate is not open, the bell rings. The gate is shut.", "Does the bell ring?"),
    ("Students who are ill stay at home. Ole is a student. Ole is sick.", "Does Ole stay at home?"),
    ("Whoever repairs a boat gets a coin. Una fixes a boat.", "Does Una get a coin?"),
    ("Drivers who are not sober are fined. Max is a driver. Max is drunk.", "Is Max fined?"),
    ("Whoever starts a fire is punished. Gil begins a fire.", "Is Gil punished?"),
    ("Doctors are paid well. Wim is a physician.", "Is Wim paid well?"),
    ("Every clever child gets a book. Ada is a smart child.", "Does Ada get a book?"),
    (
        "Guests who are late wait outside. Tim is a guest. Tim is not punctual.",
        "Does Tim wait outside?",
    ),
    ("Whoever hides a gem is arrested. Rob conceals a gem.", "Is Rob arrested?"),
    ("Autos are taxed. The Fiat is a car.", "Is the Fiat taxed?"),
    ("Whoever is jobless gets help. Sam is unemployed.", "Does Sam get help?"),
    (
        "Houses that are vacant are sold. The old house is a house. The old house is empty.",
        "Is the old house sold?",
    ),
    ("Whoever phones the office is served. Mia calls the office.", "Is Mia served?"),
    ("Whoever shouts is sent out. Ben yells.", "Is Ben sent out?"),
    ("Pupils who weep are comforted. Jan is a pupil. Jan cries.", "Is Jan comforted?"),
    (
        "Ella cycles to school. Whoever goes to school by bike gets a drink.",
        "Does Ella get a drink?",
    ),
    (
        "Husbands may stay. All married people get a cake. Tom is Eva's husband.",
        "Does Eva get a cake?",
    ),
    ("Anyone who does not smoke gets a room. Ina is a non-smoker.", "Does Ina get a room?"),
    ("Whoever sold a lamp pays a fee. Ida bought a lamp from Otto.", "Does Otto pay a fee?"),
    ("Whoever owns a fruit is glad. Ben owns a melon.", "Is Ben glad?"),
    ("Musicians get a cake. Kai is a violinist.", "Does Kai get a cake?"),
    ("Owners of a dog pay a fee. Liv is the owner of a beagle.", "Does Liv pay a fee?"),
    (
        "Films by Anker are long. The Lake is a film that was directed by Anker.",
        "Is The Lake long?",
    ),
    ("Whoever is absent from the meeting is fined. Gus is not at the meeting.", "Is Gus fined?"),
]

APART = [
    ("Whatever is red is loud. The lamp is blue.", "Is the lamp loud?"),
    ("Cats are quiet. Rex is a beagle.", "Is Rex quiet?"),
    ("Whoever owns a poodle pays. Gus owns a dog.", "Does Gus pay?"),
    ("Whoever buys a lamp is glad. Ann paints a lamp.", "Is Ann glad?"),
    ("Doctors are paid. Wim is a nurse.", "Is Wim paid?"),
    ("Whoever plays the piano sings. Oda plays the flute.", "Does Oda sing?"),
    ("Anyone with black hair gets a hat. Molly is a redhead.", "Does Molly get a hat?"),
    ("Whoever walks to work is fit. Greta goes to work by car.", "Is Greta fit?"),
    ("Whatever is hot is dangerous. The soup is warm.", "Is the soup dangerous?"),
    ("Whoever reads the letter knows it. Tim writes the letter.", "Does Tim know it?"),
    ("Whoever washes the cup gets a coin. Ben breaks the cup.", "Does Ben get a coin?"),
    ("Every apple is sweet. The red ball is a toy.", "Is the red ball sweet?"),
    ("Whoever likes tea is calm. Eva likes coffee.", "Is Eva calm?"),
    ("Whoever lives in Leeds votes. Kim lives in York.", "Does Kim vote?"),
    ("Trains are loud. The tram is slow.", "Is the tram loud?"),
    ("Uncles bring gifts. Paula is an aunt.", "Does Paula bring gifts?"),
    ("Whoever climbs the tower is brave. Lev sees the tower.", "Is Lev brave?"),
    ("Wooden chairs are old. The chair is green.", "Is the chair old?"),
    ("Whoever drives the van is tired. Ole loads the van.", "Is Ole tired?"),
    ("Whoever has a knife is careful. Sam has a fork.", "Is Sam careful?"),
    ("Whoever is hungry eats. Tom is thirsty.", "Does Tom eat?"),
    ("Bakers rise early. Ina is a butcher.", "Does Ina rise early?"),
    ("Whoever teaches maths is strict. Jo learns maths.", "Is Jo strict?"),
    ("Whoever wears gloves is warm. Ada wears a scarf.", "Is Ada warm?"),
    ("Tall plants are watered. The fern is a small plant.", "Is the fern watered?"),
    ("Whoever was born in May gets a cake. Uli was born in June.", "Does Uli get a cake?"),
    ("Kings wear crowns. Anna is a princess.", "Does Anna wear a crown?"),
    ("Whoever lost a ring cries. Finn found a ring.", "Does Finn cry?"),
    ("Whoever fears dogs stays inside. Ruth fears cats.", "Does Ruth stay inside?"),
    ("Whoever is at home answers. Kim is in the garden.", "Does Kim answer?"),
]


@pytest.mark.parametrize(("rules", "question"), MEANT)
def test_what_a_reader_takes_as_the_same_is_not_certified_as_not_shown(
    rules: str, question: str
) -> None:
    assert str(ibr.load("solver").prove(rules, question).verdict) in ("yes", "cannot say")


@pytest.mark.parametrize(("rules", "question"), APART)
def test_what_a_reader_tells_apart_is_no_doubt(rules: str, question: str) -> None:
    assert str(ibr.load("solver").prove(rules, question).verdict) == "not shown"


def test_the_message_names_both_wordings_and_the_bridging_sentence_settles_it() -> None:
    rules, question = "The shop is shut. Whatever is closed is dark.", "Is the shop dark?"
    result = ibr.load("solver").prove(rules, question)
    assert result.obstacle is not None
    assert '"shut" may or may not mean "closed"' in str(result.obstacle)
    assert result.obstacle.choices[0] == "If X is shut then X is closed."
    for choice, verdict in zip(result.obstacle.choices, ("yes", "not shown"), strict=True):
        again = ibr.load("solver").prove(f"{rules} {choice}", question)
        assert str(again.verdict) == verdict


def test_everyday_kinds_are_common_knowledge_and_can_be_switched_off() -> None:
    rules, question = "Rex is a poodle. Dogs bark.", "Does Rex bark?"
    result = ibr.load("solver").prove(rules, question)
    assert str(result.verdict) == "yes"
    assert "common knowledge: every poodle is a dog" in str(result)
    off = ibr.load("solver").prove(f"No common knowledge. {rules}", question)
    assert str(off.verdict) != "yes"
    for rules, question in (
        ("The charger is in the bag. Animals sleep.", "Does the charger sleep?"),
        ("The wooden hammer is old. Old tools are sold.", "Is the wooden chair sold?"),
        ("The seal is on the letter. Animals sleep.", "Does the seal sleep?"),
    ):
        assert str(ibr.load("solver").prove(rules, question).verdict) != "yes"


def test_readings_that_were_wrong() -> None:
    for rules, question, verdict in (
        ("Woollen jumpers must be washed. The grey jumper is woollen.",
         "Must the grey jumper be washed?", "yes"),
        ("Children under twelve ride for free. Winnie is a nine-year-old child.",
         "Does Winnie ride for free?", "yes"),
        ("Passwords that are shorter than eight characters are rejected. "
         "Bertrand's password has six characters.", "Is Bertrand's password rejected?", "yes"),
        ("Anyone who forgot a passport had to go back. What Ben forgot was his passport.",
         "Did Ben have to go back?", "yes"),
        ("Guests whose last name starts with an M sit at table two. Anna Miller is a guest.",
         "Does Anna Miller sit at table two?", "cannot say"),
        ("The bell rings at midnight.", "Does the bell ring at twelve o'clock at night?",
         "cannot say"),
    ):  # fmt: skip
        assert str(ibr.load("solver").prove(rules, question).verdict) == verdict, question


def test_the_file_is_sorted_and_read_late() -> None:
    words = [line.partition(" ")[0] for line in relations._lines()]
    assert words == sorted(words)
    assert relations.same("shut", "a") >= {"closed"}
    assert relations.everyday("poodle") == {"animal", "dog", "mammal"}
    code = "import ibr.logic.english.book, ibr.logic.english.lexis.relations as r; "
    code += "assert not r._lines.cache_info().currsize"
    subprocess.run([sys.executable, "-c", code], check=True)
