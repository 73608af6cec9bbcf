"""What ordinary English means here, sentence by sentence, and what rulebooks then say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from same_logic import same

import ibr
from ibr.logic.clause import Literal, Sign
from ibr.logic.english.doubt import Doubt
from ibr.logic.language import (
    ask,
    book_of,
    judged,
    program_of,
    read,
    read_question,
    readings_of,
    say,
    say_clause,
    theory_from_text,
)
from ibr.logic.reading import ReadError
from ibr.theory import Kind, Theory

CASES = json.loads((Path(__file__).parent / "readings.json").read_text(encoding="utf-8"))


PLAIN = [  # amounts, and the units that they are given in
    ("A disk that is more than 90% full is critical. Disk A is 95% full.",
     "Is disk A critical?", "yes"),
    ("A crate that weighs 15 kg or more is checked. The red crate weighs 14.5 kg.",
     "Is the red crate checked?", "not shown"),
    ("A ladder longer than three metres is heavy. The ladder is 350 cm long.",
     "Is the ladder heavy?", "yes"),
    ("A ladder longer than three metres is heavy. The ladder is 350 cm wide.",
     "Is the ladder heavy?", "not shown"),
    ("No player may hold more than seven cards. Greg is a player.",
     "May Greg hold nine cards?", "no"),
    ("No player may hold more than seven cards. Greg is a player.",
     "May Greg hold six cards?", "not shown"),
    ("Members may borrow up to five books. Ann is a member.",
     "May Ann borrow three books?", "yes"),
    ("The height of the tower is 80 metres. Towers higher than 50 metres are lit.",
     "Is the tower lit?", "yes"),
    ("Whoever pays a fee may enter. Ann pays half the fee.", "May Ann enter?", "not shown"),
    ("Everyone over six rides. Noah is a child. He is eight years old. Tess is his sister."
     " She is five years old.", "Does Tess ride?", "not shown"),
    # each of a kind as "it"; without any; things that are there; either case
    ("An animal with a backbone is a vertebrate. A lizard is an animal. It has a backbone.",
     "Is a lizard a vertebrate?", "yes"),
    ("A spider has eight legs. It is not an insect.", "Is a spider an insect?", "no"),
    ("A player without any coins may not buy a card. Otto is a player without any coins.",
     "May Otto buy a card?", "no"),
    ("Whenever the shop is closed, the shutters are down. The shutters are not down.",
     "The shop is not closed.", "yes"),
    ("Tonight we eat either pizza or pasta. If we eat pizza, we use the big plates. If we eat"
     " pasta, we use the big plates.", "Do we use the big plates tonight?", "yes"),
    # all, none, any: an example settles it
    ("No lorn is a kep. Every dax is a kep.", "Is any dax a lorn?", "no"),
    ("Some of the biscuits in the tin are burnt.",
     "Is it true that none of the biscuits in the tin is burnt?", "no"),
    ("Not all the cups in the cupboard are clean.",
     "Is there a cup in the cupboard that is not clean?", "yes"),
    ("Some dogs do not bark. Rex is a dog.", "Does Rex bark?", "not shown"),
    ("Some dogs do not bark.", "Do all dogs bark?", "no"),
    ("The blue cup is one of the cups on the tray. The blue cup is not clean.",
     "Are all the cups on the tray clean?", "no"),
    ("Lotte is a nurse. Lotte speaks Greek.", "Do all nurses speak Greek?", "not shown"),
    ("Lotte is a nurse. Lotte speaks Greek.", "Does any nurse speak Greek?", "yes"),
    ("All members except Tom voted. Tom is a member.", "Did all members vote?", "no"),
    ("All folders except the folder Private are shared.", "The folder Private is shared.", "no"),
    # other words for the same
    ("Drivers must not use the phone while driving. Tadeusz is a driver.",
     "Tadeusz may use the phone while driving.", "no"),
    ("Pupils must not eat while reading. Tim is a pupil.", "May Tim eat?", "not shown"),
    ("You reach level five only if you have beaten the troll. Mina has not beaten the troll.",
     "Has Mina reached level five?", "no"),
    ("Packages with batteries must not be sent by plane. The package for Madrid contains"
     " batteries.", "May the package for Madrid be sent by plane?", "no"),
    ("Everyone in Berlin needs a card. Max works in Berlin.", "Does Max need a card?",
     "cannot say"),
    ("The soup is hot unless it is a cold soup. The soup is not a cold soup.",
     "Is the soup hot?", "yes"),
    ("The cake is served with cream unless it is a fruit cake. The cake is not a fruit cake.",
     "Is the cake served with cream?", "yes"),
    ("The dog barks at strangers. Cody is a stranger.", "Does the dog bark at Cody?", "yes"),
    ("No one who gets seasick goes on the trip. Petra gets seasick.",
     "Is Petra going on the trip?", "no"),
    ("Britta and Cyril are players. One of them holds the ace. Cyril does not hold the ace.",
     "Does Britta hold the ace?", "yes"),
]  # fmt: skip


def literal(text: str) -> Literal:
    """ "Tom | likes | Ann | -" """
    fields = [field.strip() for field in text.split("|")]
    return Literal(*fields[:3], Sign(fields[3]) if len(fields) > 3 else Sign.POSITIVE)


@pytest.mark.parametrize(("rules", "question", "verdict"), PLAIN)
def test_plain_english(rules: str, question: str, verdict: str) -> None:
    assert str(ibr.load("solver").prove(rules, question).verdict) == verdict


@pytest.mark.parametrize("text", CASES["meanings"])
def test_meanings(text: str) -> None:
    reading = read(text)
    assert reading.reason is None
    assert [*map(say_clause, reading.clauses)] == CASES["meanings"][text]
    assert not reading.others


@pytest.mark.parametrize("text", CASES["two readings"])
def test_two_readings_are_kept_as_two(text: str) -> None:
    reading = read(text)
    found = [reading.clauses, *reading.others]
    assert [[*map(say_clause, clauses)] for clauses in found] == CASES["two readings"][text]


@pytest.mark.parametrize("text", CASES["refused"])
def test_what_would_have_to_be_guessed_is_refused(text: str) -> None:
    reading = read(text)
    assert reading.kind is Kind.UNKNOWN
    assert reading.clauses == ()
    assert reading.reason


@pytest.mark.parametrize("text", CASES["remarks"])
def test_remarks(text: str) -> None:
    assert read(text).kind is Kind.REMARK


@pytest.mark.parametrize(("rules", "question", "verdict"), CASES["verdicts"])
def test_verdicts(rules: str, question: str, verdict: str) -> None:
    assert judged(theory_from_text(rules), question).verdict == verdict


def test_a_question_adds_nothing_to_what_is_kept_of_its_rulebook() -> None:
    theory = theory_from_text("Whoever owns a pet is kind. Ann owns a dog. Every dog is a pet.")
    before = book_of(theory).closed(None)
    book, asked = ask(theory, "Does Ann have a dog?")
    assert book.closed(asked) != before
    assert book.closed(None) == before


def test_what_stands_in_the_way_is_named() -> None:
    rules = (
        "Employees are trusted unless they are suspended. Bob is an employee. Bob was suspended."
    )
    found = judged(theory_from_text(rules), "Is Bob trusted?")
    assert (found.doubt, found.sentences) == (Doubt.WORDING, (2,))
    assert found.choices == (
        "If Bob was suspended then Bob is suspended.",
        "If Bob was suspended then Bob is not suspended.",
    )
    for choice, verdict in zip(found.choices, ("no", "yes"), strict=True):
        assert judged(theory_from_text(f"{rules} {choice}"), "Is Bob trusted?").verdict == verdict


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Bob is kind.", "Bob | is | kind"),
        ("Is Tom eligible?", "Tom | is | eligible"),
        ("Is Tom on probation?", "Tom | is on | probation"),
        ("Does the cat like the dog?", "cat | likes | dog"),
        ("Can Ann enter the lab?", "Ann | can enter | lab"),
        ("Has Ann signed the form?", "Ann | has signed | form"),
        ("Did Ann sign the form?", "Ann | signed | form"),
        ("Must the sushi be discarded?", "sushi | must be | discarded"),
        ("Is the orchid sprayed by Tomasz?", "Tomasz | sprays | orchid"),
        ("Is Ann's badge valid?", "Ann's badge | is | valid"),
        ("Ann can't enter the lab.", "Ann | can enter | lab | -"),
    ],
)
def test_questions(question: str, asked: str) -> None:
    assert read_question(question) == literal(asked)


@pytest.mark.parametrize("question", ["Who is eligible?", "Is Tom or Ann late?", "Eh?"])
def test_questions_that_ask_no_single_fact(question: str) -> None:
    with pytest.raises(ReadError, match="cannot read"):
        read_question(question)


def test_a_program_keeps_numbers_and_names_what_it_could_not_read() -> None:
    texts = ["Bob is kind.", "Usually dogs bark.", "Rules", "Kind people are nice."]
    kinds = [Kind.UNKNOWN, Kind.UNKNOWN, Kind.REMARK, Kind.UNKNOWN]
    theory = Theory(Theory.of(texts, kinds).sentences, numbers=(4, 3, 2, 1))
    program = program_of(theory)
    assert program.numbers == (4, 3, 2, 1)
    assert program.unreadable == (1,)
    assert [len(clauses) for clauses in program.clauses] == [1, 0, 0, 1]
    assert [reading.text for reading in readings_of(theory)] == texts


def test_a_document_becomes_a_theory() -> None:
    theory = theory_from_text("# access\n1. Tom is a member.\n2. Members may enter.\n")
    assert [(s.text, s.kind) for s in theory] == [
        ("Tom is a member.", Kind.FACT),
        ("Members may enter.", Kind.RULE),
    ]


def test_canonical_english_shows_how_a_sentence_was_read() -> None:
    (found,) = read("Employees are eligible unless they are on probation.").clauses
    expected = "If X is an employee and X is not on probation then X is eligible."
    assert say_clause(found) == expected
    assert same(read(expected).clauses) == same([found])
    assert say(literal("cat | likes | dog | -")) == "The cat does not like the dog."
    assert say(literal("Ann | bought | toaster | -")) == "Ann did not buy the toaster."
    assert say(literal("Ann | has signed | form | -")) == "Ann has not signed the form."


@settings(deadline=None, max_examples=200)
@given(st.text(max_size=60))
def test_any_text_has_a_reading(text: str) -> None:
    if text.strip():
        assert read(text).kind in Kind


@settings(deadline=None, max_examples=100)
@given(st.lists(st.sampled_from("the a Tom dog likes is not if and or who they , may".split())))
def test_reading_never_raises(words: list[str]) -> None:
    reading = read(" ".join(words) + ".")
    assert reading.readable or reading.reason


def test_a_question_is_read_without_what_another_described() -> None:
    read_question("Can Ann enter the data lab?")
    assert read_question("Can Ann enter the lab?").object == "lab"
