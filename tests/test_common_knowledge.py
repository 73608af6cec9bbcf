"""What every child knows: shown as such in the proof, and switched off by a line of the rules."""

import ibr
from ibr.prediction import Verdict

RULES = "Rex is a dog.\nAll animals breathe."


def test_it_is_used_and_shown() -> None:
    result = ibr.load("solver").prove(RULES, "Does Rex breathe?")
    assert result.verdict is Verdict.YES
    assert "common knowledge: every dog is an animal" in str(result)


def test_it_is_not_shown_where_it_is_stated() -> None:
    rules = f"{RULES}\nEvery dog is an animal."
    assert "common knowledge" not in str(ibr.load("solver").prove(rules, "Rex is a dog."))


def test_it_is_switched_off() -> None:
    result = ibr.load("solver").prove(f"No common knowledge.\n{RULES}", "Does Rex breathe?")
    assert result.verdict is Verdict.NOT_SHOWN
    again = ibr.load("solver").prove(RULES, "Does Rex breathe?")
    assert again.verdict is Verdict.YES


def test_kin_tell_the_sex_and_not_the_age() -> None:
    for question, verdict in (
        ("Is Rania female?", Verdict.YES),
        ("Is Rania male?", Verdict.NO),
        ("Is Rania a man?", Verdict.NO),
        ("Is Rania a woman?", Verdict.NOT_SHOWN),
    ):
        assert ibr.load("solver").prove("Rania is Karim's sister.", question).verdict is verdict


def test_before_and_above_go_on() -> None:
    rules = "The baker gets up before the milkman.\nThe milkman gets up before Tim."
    for question, verdict in (
        ("Does the baker get up before Tim?", Verdict.YES),
        ("Does Tim get up after the baker?", Verdict.YES),
        ("Does Tim get up before the baker?", Verdict.NO),
    ):
        assert ibr.load("solver").prove(rules, question).verdict is verdict
    rules = "The lamp is above the desk.\nThe desk is above the rug."
    assert ibr.load("solver").prove(rules, "Is the rug below the lamp?").verdict is Verdict.YES


def test_plain_sentences_that_were_read_wrong() -> None:
    for rules, question, verdict in (
        ("Tamsin is the employer of Raul.", "Does Raul work for Tamsin?", Verdict.YES),
        ("Raul works for Tamsin.", "Is Tamsin Raul's employer?", Verdict.YES),
        ("Ada may vote, and nobody else may vote.", "May Ada vote?", Verdict.YES),
        ("Ada may vote, and nobody else may vote.", "May Raul vote?", Verdict.NO),
        ("Tim has a toy tiger. Toys are safe.", "Is Tim's toy tiger safe?", Verdict.YES),
    ):
        assert ibr.load("solver").prove(rules, question).verdict is verdict, question
