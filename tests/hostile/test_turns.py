"""Heavy rulebooks are worked on in turns: a step of one, then a step of another."""

from __future__ import annotations

import json
from itertools import zip_longest
from pathlib import Path
from threading import Thread

import ibr
from ibr.asking.caches import forget_readings
from ibr.serving.bodies import ProveBody
from ibr.serving.limits import ServerLimits
from ibr.serving.work.queued import QueuedJob
from ibr.serving.work.responses import Answers

RULEBOOKS = Path(__file__).parents[1] / "rulebooks"


def mixed(count: int = 200) -> tuple[str, str]:
    """As many sentences as are accepted, of all the test rulebooks in turn; and a question."""
    books = [json.loads(path.read_text()) for path in sorted(RULEBOOKS.glob("*.json"))]
    turns = zip_longest(*([each["text"] for each in book["sentences"]] for book in books))
    sentences = [text for turn in turns for text in turn if text]
    return "\n".join(sentences[:count]), books[0]["questions"][0]["text"]


def heavy_job(rules: str, question: str) -> QueuedJob:
    return QueuedJob(None, ProveBody(rules=rules, questions=[question]), heavy=True)


def in_turn(*jobs: QueuedJob) -> tuple[list[bytes], int]:
    """A step of each in turn, as the worker may choose; the results, and how many steps it took."""
    answers = Answers(ibr.load("solver"), ServerLimits())
    working, found = {place: answers.prepare(job) for place, job in enumerate(jobs)}, {}
    turns = 0
    while working:
        turns += 1
        for place, steps in [*working.items()]:
            try:
                next(steps)
            except StopIteration as end:
                (found[place],) = end.value
                del working[place]
    return [found[place] for place in range(len(jobs))], turns


def test_an_ordinary_rulebook_of_all_the_sentences_allowed_is_answered_in_turns() -> None:
    """A worker can do a step of another job wherever the generator yields."""
    rules, question = mixed()
    forget_readings()
    (result,), turns = in_turn(heavy_job(rules, question))
    assert not isinstance(result, Exception), result
    assert len(json.loads(result)["sentences"]) == ServerLimits().max_sentences
    assert turns > 200


def test_two_heavy_rulebooks_are_worked_on_in_turns_without_waiting_for_each_other() -> None:
    rules, question = mixed(60)
    others, other = mixed(61)
    alone = [in_turn(heavy_job(*each))[0][0] for each in ((rules, question), (others, other))]
    forget_readings()
    jobs = [heavy_job(rules, question), heavy_job(others, other), heavy_job(rules, question)]
    results = list[bytes]()
    working = Thread(target=lambda: results.extend(in_turn(*jobs)[0]), daemon=True)
    working.start()
    working.join(120)  # a lock that one holds while another has its turn would stop all of them
    assert results == [*alone, alone[0]]
