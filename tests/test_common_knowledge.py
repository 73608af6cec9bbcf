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
