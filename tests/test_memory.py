"""A process that lives long forgets what it read, and says the same afterwards."""

from __future__ import annotations

import pytest
from test_prover import RULES, solver

from ibr.logic.checking.wellfounded import well_founded
from ibr.logic.language import program_of, read, read_question, readings_of
from ibr.memory import forget_models, forget_readings
from ibr.serving import answers
from ibr.serving.answers import Answers, ToRead
from ibr.serving.limits import Limits
from ibr.serving.worker import Job
from ibr.tokens import tokenize


def test_forgetting_changes_no_answer() -> None:
    before = solver().prove(RULES, "Zoe is happy.").to_json()
    forget_readings()
    forget_models()
    for kept in (read, read_question, readings_of, program_of, tokenize, well_founded):
        assert kept.cache_info().currsize == 0
    assert solver().prove(RULES, "Zoe is happy.").to_json() == before


def test_the_server_forgets_after_so_much_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "_REMEMBERED", 400)
    work = Answers(solver(), Limits())
    sizes = []
    for number in range(30):
        rules = f"Bob{number} is big.\nBob{number} is a bird that can fly."
        (said,) = work([Job(None, ToRead(rules), done=None)])  # type: ignore[arg-type]
        assert isinstance(said, bytes)
        sizes.append(read.cache_info().currsize)
    assert max(sizes) < 60
    assert 0 in sizes
