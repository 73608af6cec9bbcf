"""Which unread sentences stand in the way of "not provable": by shared words, at any depth."""

from __future__ import annotations

import pytest

from ibr.logic.checking.relevance import content_words, in_the_way, related
from ibr.logic.checking.verifier import check
from ibr.logic.clause import Program
from ibr.logic.language import program_of, read_question
from ibr.prediction import Status
from ibr.proof import NAF, Graph
from ibr.theory import Strategy, Theory

RULES = (
    "Arthur is a bird.",
    "If someone is a bird and not wounded then they are flying.",
    "If someone is flying then they are happy.",
)
FLIES = Graph.of([0, 1, NAF], [(0, 1), (NAF, 1)])


def program(*unread: str) -> Program:
    found = program_of(Theory.of([*RULES, *unread]))
    assert found.unreadable == tuple(range(3, 3 + len(unread)))
    return found


@pytest.mark.parametrize(
    ("unread", "question", "stands"),
    [
        ("Colourless green ideas!", "Arthur is flying.", False),
        ("Colourless green ideas!", "Arthur is happy.", False),
        ("Flew he of the.", "Arthur is flying.", True),  # fly
        ("Wounding, perhaps, of whenever.", "Arthur is flying.", True),  # needed absent
        ("Wounding, perhaps, of whenever.", "Arthur is happy.", True),  # two rules further
        ("Wounding, perhaps, of whenever.", "Arthur is a bird.", False),
        ("Bird, birds, whenever the of.", "Zoe is happy.", True),
        ("Zoe, perhaps, whenever of the.", "Zoe is happy.", True),  # a name
        ("Zoe, perhaps, whenever of the.", "Arthur is flying.", False),
    ],
)
def test_a_shared_word_at_any_depth(unread: str, question: str, stands: bool) -> None:
    found = in_the_way(program(unread), [read_question(question)])
    assert found == ((3,) if stands else ())


def test_the_one_that_matters_most_is_first() -> None:
    unread = (
        "Colourless green ideas!",
        "Wounding, perhaps, of whenever.",
        "Happy, whenever, of the.",
    )
    assert in_the_way(program(*unread), [read_question("Arthur is happy.")]) == (5, 4)


def test_a_sentence_whose_words_are_not_known_stands_in_the_way() -> None:
    known = program()
    unknown = Program((*known.clauses, ()), unreadable=(3,))
    assert in_the_way(unknown, [read_question("Zoe is sad.")]) == (3,)


def test_families_of_words() -> None:
    assert "suspend" in content_words("He was suspended.")
    assert content_words("The of and if is not.") == frozenset()
    assert related("suspend", "suspension")
    assert related("employ", "employee")
    assert not related("member", "memory")
    assert not related("red", "reduce")


def test_the_verifier_names_it_or_looks_past_it() -> None:
    flying, zoe = read_question("Arthur is flying."), read_question("Zoe is flying.")
    assert check(program("Colourless green ideas!"), flying, FLIES).valid
    fails = Graph.of([1])
    assert check(program("Colourless green ideas!"), zoe, fails, Strategy.FAIL_PROOF).valid
    odd = program("Colourless green ideas!", "Wounding, perhaps, of whenever.")
    for question, graph in ((flying, FLIES), (zoe, fails)):
        found = check(odd, question, graph)
        assert (found.status, found.where) == (Status.UNREADABLE, 4)
    assert check(odd, read_question("Arthur is a bird."), Graph.of([0])).valid


def test_an_open_variable_may_be_anyone() -> None:
    texts = "Bob likes Ann.", "If X likes Y and Y likes Z then X likes Z.", "Bob, whenever, of the."
    found = program_of(Theory.of(texts))
    assert found.unreadable == (2,)
    assert in_the_way(found, [read_question("Zoe likes Kim.")]) == (2,)


def test_what_is_read_may_still_refuse_a_proof() -> None:
    """No unread sentence bears on it, and the others prove what the proof takes as false."""
    wounded = program_of(Theory.of([*RULES, "Arthur is wounded.", "Colourless green ideas!"]))
    assert wounded.unreadable == (4,)
    found = check(wounded, read_question("Arthur is flying."), FLIES)
    assert found.status is Status.INVALID


DOUBT = ("Dave is blue and cold.", "People blue with cold are strangely green.")


def test_a_reading_in_doubt_stands_in_the_way() -> None:
    """ "Strangely green" is not read as green: that nothing shows it is not certain."""
    found = program_of(Theory.of(DOUBT))
    assert found.unreadable == ()
    green, nice = read_question("Dave is green."), read_question("Dave is nice.")
    assert in_the_way(found, [green]) == (1,)
    assert in_the_way(found, [nice]) == ()
    failed = check(found, green, Graph(), Strategy.FAIL_PROOF)
    assert (failed.status, failed.where) == (Status.UNREADABLE, 1)
    assert check(found, nice, Graph(), Strategy.FAIL_PROOF).valid


def test_a_proof_that_cites_a_reading_in_doubt_is_not_called_invalid() -> None:
    found = program_of(Theory.of((*DOUBT, "Dave is old.")))
    green = read_question("Dave is green.")
    cited = check(found, green, Graph.of([0, 1], [(0, 1)]))
    assert (cited.status, cited.where) == (Status.UNREADABLE, 1)
    assert check(found, green, Graph.of([2])).status is Status.INVALID


def test_a_template_is_never_in_doubt() -> None:
    """RuleTaker's sentences mean what they say."""
    found = program_of(Theory.of(["The cat likes the dog.", "The cat is big."]))
    assert not found.loosely_read
    assert in_the_way(found, [read_question("The cat is nice.")]) == ()


@pytest.mark.parametrize(
    ("sentence", "doubt"),
    [
        ("Dave is strangely kind.", True),
        ("Dave has a kind heart.", True),
        ("Dave will be kind.", True),
        ("Dave is kind.", False),
        ("Dave helps kind people.", False),
    ],
)
def test_what_may_say_an_attribute(sentence: str, doubt: bool) -> None:
    found = program_of(Theory.of([sentence, "Kind people are nice."]))
    assert not found.unreadable
    assert bool(in_the_way(found, [read_question("Dave is nice.")])) == doubt
