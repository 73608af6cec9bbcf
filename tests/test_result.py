"""The verdict of a result, whatever the model: certain only by a proof that was checked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from provers import BIRD, CIRCLE, FLIES, FORGETS, NOTHING, Fixed, solver

import ibr
from ibr.asking.judge import tree_of
from ibr.asking.pictures import pictures
from ibr.data.making.generator import Recipe, generate
from ibr.drawing.picture import Badge
from ibr.logic.checking.verifier import check
from ibr.logic.explaining.explanation import steps_of
from ibr.logic.language import program_of, read_question
from ibr.logic.solver_reasoner import SolverReasoner
from ibr.logic.solving.solver import Solver
from ibr.prediction import Prediction, Status, Verdict
from ibr.proof import Proof, Tree
from ibr.theory import Problem, Theory

BIRDS = "\n".join(BIRD)
IRRELEVANT, RELEVANT = "Colourless green ideas!", "Wounding, perhaps, of whenever."
BOTH = "Arthur is a bird.\nArthur is not a bird."
UNREAD_QUESTION = "Arthur, happy he perhaps?"


def fixed(text: str, question: str, model: Fixed, verify: bool = True) -> ibr.Result:
    return ibr.Prover(model, verify).prove(text, question)


def lines(text: str, question: str, model: Fixed) -> str:
    return "\n".join(fixed(text, question, model).lines())


@pytest.mark.parametrize(
    ("rules", "question", "verdict"),
    [
        (BIRDS, "Arthur is flying.", Verdict.YES),
        (BIRDS, "Arthur is not flying.", Verdict.NO),
        (BIRDS, "Zoe is flying.", Verdict.NOT_SHOWN),
        (BIRDS, "Zoe is not flying.", Verdict.NOT_SHOWN),
        (BOTH, "Arthur is a bird.", Verdict.CONTRADICTORY),
        (BOTH, "Arthur is not a bird.", Verdict.CONTRADICTORY),
        (CIRCLE, "Bob is big.", Verdict.CANNOT_SAY),
        (BIRDS, UNREAD_QUESTION, Verdict.CANNOT_SAY),
        (f"{BIRDS}\n{IRRELEVANT}", "Arthur is flying.", Verdict.YES),
        (f"{BIRDS}\n{IRRELEVANT}", "Arthur is not flying.", Verdict.NO),
        (f"{BIRDS}\n{IRRELEVANT}", "Zoe is flying.", Verdict.NOT_SHOWN),
        (f"{BIRDS}\n{RELEVANT}", "Arthur is flying.", Verdict.CANNOT_SAY),
        (f"{BIRDS}\n{RELEVANT}", "Zoe is flying.", Verdict.CANNOT_SAY),
        (f"{BIRDS}\n{RELEVANT}", "Arthur is a bird.", Verdict.YES),  # nothing is assumed
    ],
)
@pytest.mark.parametrize("paths", [(FLIES, NOTHING), (NOTHING,), None], ids=str)
def test_the_five_verdicts(
    rules: str, question: str, verdict: Verdict, paths: Sequence[object] | None
) -> None:
    """They are the same for a model that is right, one that is wrong, and none."""
    prover = solver() if paths is None else ibr.Prover(Fixed(0.9, *paths), verify=True)  # type: ignore[arg-type]
    result = prover.prove(rules, question)
    assert result.verdict is verdict
    assert result.to_json()["verdict"] == verdict.value
    assert result.proved == (verdict is Verdict.YES)
    assert (result.obstacle is not None) == (verdict is Verdict.CANNOT_SAY)
    assert result.lines()[-1]


def test_the_obstacle_is_named() -> None:
    rules = f"{BIRDS}\n{IRRELEVANT}\n{RELEVANT}"
    result = solver().prove(rules, "Arthur is flying.")
    assert result.obstacle
    assert result.obstacle.to_json() == {
        "kind": "sentence",
        "why": "it rests on something not being provable, and this sentence cannot be read",
        "sentence": 3,
        "line": 4,
        "text": RELEVANT,
        "choices": [],
        "action": None,
    }
    assert result.summary == f'Cannot say: [4], line 4, cannot be read and may matter: "{RELEVANT}"'
    kinds = [
        solver().prove(text, question).to_json()["obstacle"]["kind"]
        for text, question in ((CIRCLE, "Bob is big."), (BIRDS, UNREAD_QUESTION))
    ]
    assert kinds == ["circle", "question"]
    alone = fixed(BIRDS, "Arthur is flying.", Fixed(0.9, FORGETS), verify=False)
    assert alone.to_json()["obstacle"]["kind"] == "proof"
    assert alone.summary.startswith("Cannot say: the proof does not hold: invalid at [2]: NAF must")


SUSPENDED = """\
Bob is an employee.
Bob has been suspended.
Employees are trusted unless they are suspended."""
TRAVEL = "Tim is a dog.\nVaccinated cats and dogs may travel."


@pytest.mark.parametrize(
    ("rules", "question", "kind", "action", "verdicts"),
    [
        (SUSPENDED, "Bob is trusted.", "wording", "add", ["no", "yes"]),
        (TRAVEL, "Tim may travel.", "readings", "replace", ["yes", "not shown"]),
    ],
)
def test_any_choice_settles_it(
    rules: str, question: str, kind: str, action: str, verdicts: list[str]
) -> None:
    result = solver().prove(rules, question)
    found = result.to_json()["obstacle"]
    assert (found["kind"], found["action"], found["sentence"]) == (kind, action, 1)
    written = rules.splitlines()
    for choice, verdict in zip(found["choices"], verdicts, strict=True):
        assert f"    {choice}" in result.lines()
        chosen = [*written[: 1 if action == "replace" else 2], choice, *written[2:]]
        assert solver().prove("\n".join(chosen), question).verdict == verdict
    where = "in place of [2]" if action == "replace" else "added to the rules"
    assert f"  Any of these, {where}, would settle it:" in result.lines()


def without_effect(rules: str, question: str) -> list[str]:
    """The choices offered that leave what stands in the way as it was."""
    result = solver().prove(rules, question)
    obstacle = result.obstacle
    found = []
    for choice in obstacle.choices if obstacle else ():
        assert obstacle
        assert obstacle.entry
        at, texts = obstacle.entry.index, [entry.reading.text for entry in result.book.entries]
        texts[at : at + 1] = [choice] if obstacle.replaces else [texts[at], choice]
        again = solver().prove("\n".join(texts), question).obstacle
        if again and (again.kind, again.why) == (obstacle.kind, obstacle.why):
            found.append(choice)
    return found


@pytest.mark.parametrize(
    ("rules", "question"),
    [
        ("Leila has a pie. It is hot. Hot pies are sold.", "Is Leila's pie sold?"),
        ("If there is snow on the rails, the plough goes out. There is snow on the rails.",
         "Does the plough go out?"),
        ("Most of the neighbours have a car. Ebba is one of the neighbours.",
         "Does Ebba have a car?"),
        (SUSPENDED, "Bob is trusted."),
    ],
)  # fmt: skip
def test_no_choice_is_offered_that_settles_nothing(rules: str, question: str) -> None:
    assert without_effect(rules, question) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["own", "fresh"])
def test_every_choice_settles_something(name: str) -> None:
    path = Path(__file__).parent / "english" / f"{name}.jsonl"
    items = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    found = {item["id"]: without_effect(item["rules"], item["question"]) for item in items}
    assert {name: choices for name, choices in found.items() if choices} == {}


def test_what_is_not_used_is_counted() -> None:
    rules = "Welcome\n# a note\nBob is big.  # Bob is not big.\nCats usually chase mice.\n#"
    result = solver().prove(rules, "Bob is big.")
    assert result.to_json()["not_used"] == {"remarks": [0], "unread": [2], "comments": [2, 3]}
    line = "  Not used: 2 of 3 sentences (remarks: [1]; unread: [3]), 2 comments."
    assert line in result.lines()
    many = solver().prove("\n".join(["Cats usually chase mice."] * 9), "Bob is big.")
    assert many.book.not_used_in_words.endswith("[7], [8] …)")
    one = solver().prove("Bob is big.", "Bob is big.")
    assert one.book.not_used_in_words == "Not used: 0 of 1 sentence"


def test_why_not_and_repairs_are_given_by_what_was_read() -> None:
    result = solver().prove(f"{BIRDS}\n{RELEVANT}", "Zoe is flying.")
    assert result.partial
    assert result.repairs == ["Zoe is a bird.", "Zoe is flying."]
    assert result.why_not
    shown = "\n".join(result.lines())
    assert "\nWhy not, by what was read:\n  Nothing shows that Zoe is flying." in shown
    proved = solver().prove(f"{BIRDS}\n{RELEVANT}", "Arthur is flying.")
    assert "\nWhy, by what was read:\n  Arthur is a bird [1] and nothing" in "\n".join(
        proved.lines()
    )
    assert not solver().prove(f"{BIRDS}\n{IRRELEVANT}", "Zoe is flying.").partial


def test_a_guess_is_never_the_heading() -> None:
    shown = lines(f"{BIRDS}\n{RELEVANT}", "Arthur is flying.", Fixed(0.93, FLIES)).splitlines()
    assert shown[1].startswith("  Cannot say: [3], line 3, cannot be read and may matter:")
    assert shown[2] == "  A guess, not proved: the model predicts True (93.0 % sure)."
    assert shown[3] == "  Not used: 1 of 3 sentences (unread: [3])."
    assert shown[4] == "What the guess cites:"
    assert shown[5].startswith("  [2] If someone")


def test_a_contradiction_has_both_proofs() -> None:
    result = fixed(BOTH, "Arthur is a bird.", Fixed(0.9, NOTHING))
    assert result.to_json()["nodes"] == [0]
    assert result.to_json()["contrary"] == {
        "nodes": [1],
        "edges": [],
        "explanation": ["Arthur is not a bird [2]."],
    }
    assert result.summary == "The rules contradict each other (both proofs are valid)"
    shown = "\n".join(result.lines())
    assert "Proof that Arthur is a bird:\n  [1] " in shown
    assert "Proof that Arthur is not a bird:\n  [2] " in shown
    assert [picture.verdict for picture in pictures(result)[-2:]] == [Verdict.CONTRADICTORY] * 2


def test_an_opposite_that_rests_on_what_cannot_be_read_is_no_contradiction() -> None:
    rules = f"{BIRDS}\nArthur is not flying.\n{RELEVANT}"
    assert solver().prove(rules, "Arthur is not flying.").verdict is Verdict.YES


def test_a_proof_of_the_model_is_shown_step_by_step() -> None:
    assert lines(BIRDS, "Is Arthur flying?", Fixed(0.93, FORGETS, FLIES)) == (
        "Is Arthur flying?\n"
        "  I read this as: Arthur is flying.\n"
        "  Yes (the model's proof; checked: valid)\n"
        "  The model alone predicts True (93.0 % sure).\n"
        "  Not used: 0 of 2 sentences.\n"
        "Proof:\n"
        "  [2] If someone is a bird and not wounded then they are flying.\n"
        "    [1] Arthur is a bird.\n"
        "    (nothing shows that Arthur is wounded)\n"
        "Why:\n"
        "  Arthur is a bird [1] and nothing shows that Arthur is wounded,"
        " so Arthur is flying [2]."
    )


def test_the_solvers_proof_is_called_so_beside_what_the_model_predicts() -> None:
    shown = lines(BIRDS, "Arthur is flying.", Fixed(0.0001, FORGETS, NOTHING))
    assert "Yes (the solver's proof, as the model found none that holds; " in shown
    assert "The model alone predicts False (over 99.9 % sure)." in shown


def test_negation_in_a_circle_proves_nothing() -> None:
    shown = lines(CIRCLE, "Bob is red.", Fixed(0.9, NOTHING))
    assert "Cannot say: negation in a circle: [" in shown
    assert '[2] concludes "Bob is' in shown  # as `ibr read` numbers them


class Counting:
    """The solver; it keeps what it was given."""

    name = "counting"

    def __init__(self) -> None:
        self.calls: list[Sequence[Problem]] = []

    def prove(self, problems: Sequence[Problem]) -> list[Prediction]:
        self.calls.append(problems)
        return SolverReasoner().prove(problems)


def test_all_questions_are_one_call_about_one_theory_with_every_sentence() -> None:
    reasoner, book = Counting(), ibr.Rulebook.parse("\n".join((*BIRD, "Green ideas!")))
    ibr.Prover(reasoner).prove(book, ["Is Arthur flying?", "Bill is flying."])
    (problems,) = reasoner.calls
    assert [problem.question.text for problem in problems] == [
        "Arthur is flying.",
        "Bill is flying.",
    ]
    assert {id(problem.theory) for problem in problems} == {id(book.theory)}
    assert book.theory[-1].text == "Green ideas!"


def test_the_solver_of_a_rulebook_is_kept_with_it() -> None:
    book = ibr.Rulebook.parse(BIRDS)
    assert book.solver is book.solver is not None
    assert ibr.Rulebook.parse(CIRCLE).solver is None


def test_every_proof_found_has_a_picture_with_its_check() -> None:
    drawn = pictures(fixed(BIRDS, "Arthur is flying.", Fixed(0.9, FORGETS, FLIES, NOTHING)))
    assert [picture.badge for picture in drawn] == [Badge.INVALID, Badge.VALID, Badge.INVALID]
    assert [picture.verdict for picture in drawn] == ["cannot say", "yes", "cannot say"]
    helped = pictures(fixed(BIRDS, "Arthur is flying.", Fixed(0.9, NOTHING)))
    assert [picture.badge for picture in helped] == [Badge.INVALID, Badge.SOLVER]
    assert len(pictures(solver().prove(BIRDS, "Arthur is flying."))) == 1


def test_no_other_picture_is_trusted_where_nothing_can_be_checked() -> None:
    model = Fixed(0.9, FORGETS, NOTHING)
    for rules, question in ((CIRCLE, "Bob is big."), ("Bob, whenever, of the.", "Bob is big.")):
        for picture in pictures(fixed(f"{rules}\nBob is a bird.", question, model)):
            assert picture.badge not in (Badge.VALID, Badge.SOLVER)


def test_the_tree_is_a_proof_inside_the_graph() -> None:
    trees = 0
    for example in (e for examples in generate(Recipe(depth=4), 3, 4) for e in examples):
        program, known = example.program, Solver(example.program)
        for literal in (example.literal, example.literal.negation):
            if known.proves(literal):
                graph = known.proof(literal).graph
                made = Proof.of(tree_of(steps_of(program, literal, graph))).graph
                assert made.nodes <= graph.nodes
                assert made.edges <= graph.edges
                found = check(program, literal, made)
                assert (found.status, found.redundant) == (Status.VALID, frozenset())
                trees += 1
    assert trees > 20


def test_a_rule_that_serves_twice_stands_twice_in_the_tree() -> None:
    texts = (
        "Bob is big.",
        "Anne is big.",
        "Big people are kind.",
        "If Bob is kind and Anne is kind then Bob is nice.",
    )
    program, nice = program_of(Theory.of(texts)), read_question("Bob is nice.")
    whole = Tree(3, (Tree(2, (Tree(0),)), Tree(2, (Tree(1),))))
    assert tree_of(check(program, nice, Proof.of(whole).graph).steps) == whole
