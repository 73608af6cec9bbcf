"""Documents as people write them: every sentence once, on its own line number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibr.logic.language import theory_from_text
from ibr.logic.surface.segment import segment
from ibr.theory import Kind


def texts(document: str) -> list[str]:
    return [part.text for part in segment(document)]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("Tom is kind. Ann is nice.", ["Tom is kind.", "Ann is nice."]),
        ("Tom is kind\nAnn is nice\n", ["Tom is kind", "Ann is nice"]),
        ("1. Tom is kind.\n2. Ann is nice.", ["Tom is kind.", "Ann is nice."]),
        ("1) Tom is kind\n2) Ann is nice", ["Tom is kind", "Ann is nice"]),
        ("a) Tom is kind\n(b) Ann is nice", ["Tom is kind", "Ann is nice"]),
        (
            "- Tom is kind\n* Ann is nice\n• Bob is big",
            ["Tom is kind", "Ann is nice", "Bob is big"],
        ),
        ("4.2 Members may enter.\n4.3 Guests may not.", ["Members may enter.", "Guests may not."]),
        ("1. Tom is kind. 2. Ann is nice.", ["Tom is kind.", "Ann is nice."]),
        ("# a comment\nTom is kind.  # why\n\n#\n", ["Tom is kind."]),
        (
            "Dr. Smith likes Mrs. O'Brien. Tom agrees.",
            ["Dr. Smith likes Mrs. O'Brien.", "Tom agrees."],
        ),
        ("Dr. A. Bergström is kind. Tom is.", ["Dr. A. Bergström is kind.", "Tom is."]),
        ("Y is a child of X. Z is old.", ["Y is a child of X.", "Z is old."]),
        ("Tom lives in St. Ives. Ann too.", ["Tom lives in St. Ives.", "Ann too."]),
        ("The fee is 3.50 euros. Tom pays.", ["The fee is 3.50 euros.", "Tom pays."]),
        ("Rules apply, e.g. to Tom. Ann is nice.", ["Rules apply, e.g. to Tom.", "Ann is nice."]),
        ("See No. 5 for more. Tom is kind.", ["See No. 5 for more.", "Tom is kind."]),
        ('Ann says "no." Tom is kind!', ['Ann says "no."', "Tom is kind!"]),
        ("Is Tom kind? Ann is.", ["Is Tom kind?", "Ann is."]),
        ("Leave policy\n\nTom is kind.", ["Leave policy", "Tom is kind."]),
        ("\ufeffTom is kind.", ["Tom is kind."]),
        ("", []),
    ],
)
def test_layouts(document: str, expected: list[str]) -> None:
    assert texts(document) == expected


def test_wrapped_lines_are_one_sentence_and_keep_their_line() -> None:
    document = "Guests may not enter unless they\nhave a ticket. Tom is\nkind.\n\nAnn is nice."
    assert segment(document) == [
        ("Guests may not enter unless they have a ticket.", 1),
        ("Tom is kind.", 2),
        ("Ann is nice.", 5),
    ]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (
            "Members may:\n- enter the lab\n- use the printer",
            ["Members may enter the lab.", "Members may use the printer."],
        ),
        (
            "Employees are eligible if:\n- they are full-time, and\n- they have signed.",
            ["Employees are eligible if they are full-time and they have signed."],
        ),
        (
            "Tom is eligible if any of the following apply:\n1. he is old;\n2. he is ill.",
            ["Tom is eligible if he is old or he is ill."],
        ),
        (
            "Tom is eligible if all of the following are met:\n1. he is old\n2. he is ill",
            ["Tom is eligible if he is old and he is ill."],
        ),
        (
            "Visitors:\n- must sign the book\n- may not smoke",
            ["Visitors must sign the book.", "Visitors may not smoke."],
        ),
        ("Notes:\n- Tom is kind.\n- Ann is nice.", ["Notes:", "Tom is kind.", "Ann is nice."]),
    ],
)
def test_lists_that_continue_their_stem(document: str, expected: list[str]) -> None:
    assert texts(document) == expected


def test_conditions_that_do_not_say_all_or_any_are_not_read_as_facts() -> None:
    theory = theory_from_text("Tom is fined if:\n- the door is open\n- the window is open")
    assert [sentence.kind for sentence in theory] == [Kind.UNKNOWN]


@pytest.mark.parametrize(
    "stem",
    ["What the neighbours say about us:", "In case of flooding:", "Rumours:", "The old rules:"],
)
def test_a_list_under_a_line_that_governs_it_is_not_a_list_of_facts(stem: str) -> None:
    theory = theory_from_text(f"{stem}\n- Tom is a member.\n- The goats are taken up the hill.")
    assert [sentence.kind for sentence in theory] == [Kind.UNKNOWN, Kind.UNKNOWN]


def test_a_document_gets_the_kinds_of_its_sentences() -> None:
    theory = theory_from_text("House rules\n\nTom is a member. Members may enter. Be quiet!")
    assert [s.kind for s in theory] == [Kind.REMARK, Kind.FACT, Kind.RULE, Kind.UNKNOWN]


WORDS = st.lists(st.sampled_from("Tom Ann is kind likes the cat Dr. e.g. X".split()), min_size=1)


@given(st.lists(WORDS.map(" ".join), max_size=6), st.sampled_from(["\n", " ", ".\n- ", ". "]))
def test_no_word_is_lost_and_lines_rise(parts: list[str], joint: str) -> None:
    document = joint.join(parts)
    found = segment(document)
    assert " ".join(part.text for part in found).split() == document.replace("\n- ", " ").split()
    assert [part.line for part in found] == sorted(part.line for part in found)
