"""What is said of a model's proof, whatever the model: "proved" only of what was checked."""

from __future__ import annotations

from collections.abc import Sequence

from test_verified import BIRD, FLIES, FORGETS, NOTHING, Fixed

from ibr.data.generate import Recipe, generate
from ibr.logic.explain import explain
from ibr.logic.language import program_of, read_question
from ibr.logic.solver import Solver
from ibr.logic.verifier import check
from ibr.prediction import Prediction, Status
from ibr.proof import Proof, Tree
from ibr.proved import prove, tree_of
from ibr.reasoner import SolverReasoner
from ibr.rulebook import Rulebook
from ibr.theory import Problem, Theory
from ibr.verified import VerifiedReasoner

CIRCLE = """\
Bob is big.
If someone is not red then they are blue.
If someone is not blue then they are red.
"""


def fixed(text: str, question: str, model: Fixed) -> str:
    (given,) = prove(Rulebook.parse(text), [question], VerifiedReasoner(model, trace=True))
    return "\n".join(given.told())


def test_a_proof_of_the_model_is_told_step_by_step() -> None:
    assert fixed("\n".join(BIRD), "Is Arthur flying?", Fixed(0.93, FORGETS, FLIES)) == (
        "Is Arthur flying?\n"
        "  I read this as: Arthur is flying.\n"
        "  True: proved (the model's proof; checked: valid)\n"
        "  The model alone says True and is 93.0 % sure.\n"
        "Proof:\n"
        "  [2] If someone is a bird and not wounded then they are flying.\n"
        "    [1] Arthur is a bird.\n"
        "    (NAF: nothing shows otherwise)\n"
        "Why:\n"
        "  Arthur is a bird [1] and nothing shows that Arthur is wounded,"
        " so Arthur is flying [2]."
    )


def test_when_the_solver_helped_out_it_is_said_and_so_is_what_the_model_thought() -> None:
    told = fixed("\n".join(BIRD), "Arthur is flying.", Fixed(0.0001, FORGETS, NOTHING))
    assert "True: proved (the solver's proof, as the model found none that holds; " in told
    assert "The model alone says False and is over 99.9 % sure." in told


def test_what_was_not_checked_is_not_called_proved_and_the_sentence_is_named() -> None:
    told = fixed("\n".join((*BIRD, "", "Wounded the of.")), "Arthur is flying.", Fixed(0.9, FLIES))
    assert "True: unproved (the model's proof; not checked: " in told
    assert 'this sentence cannot be read: [3], line 4, "Wounded the of.")' in told
    assert "What it cites, not checked:\n  [2] If someone" in told
    assert "Why" not in told
    assert ": proved" not in told


def test_a_proof_that_does_not_hold_where_not_all_can_be_read() -> None:
    told = fixed("\n".join((*BIRD, "Wounded the of.")), "Arthur is flying.", Fixed(0.9, FORGETS))
    assert "not checked: invalid at [2]: NAF must be cited" in told
    assert 'cannot be read: [3], line 3, "Wounded the of."' in told


def test_negation_in_a_circle_proves_nothing() -> None:
    told = fixed(CIRCLE, "Bob is red.", Fixed(0.9, NOTHING))
    assert "True: unproved (the model's proof; checked: invalid: negation in a circle: [" in told
    assert '[2] concludes "Bob is' in told  # as `ibr read` numbers them


def test_a_rulebook_that_contradicts_itself_is_reported() -> None:
    both = "Arthur is a bird.\nArthur is not a bird."
    told = fixed(both, "Arthur is a bird.", Fixed(0.9, NOTHING))
    assert "The rules contradict themselves" in told


class Counting:
    """The solver; it keeps what it was asked."""

    name = "solver"

    def __init__(self) -> None:
        self.calls: list[Sequence[Problem]] = []

    def prove(self, problems: Sequence[Problem]) -> list[Prediction]:
        self.calls.append(problems)
        return SolverReasoner().prove(problems)


def test_all_questions_are_one_call_about_one_theory_with_every_sentence() -> None:
    reasoner, book = Counting(), Rulebook.parse("\n".join((*BIRD, "Green ideas!")))
    prove(book, ["Is Arthur flying?", "Bill is flying."], reasoner)
    (problems,) = reasoner.calls
    assert [problem.question.text for problem in problems] == [
        "Arthur is flying.",
        "Bill is flying.",
    ]
    assert {id(problem.theory) for problem in problems} == {id(book.theory)}
    assert book.theory[-1].text == "Green ideas!"


def test_the_tree_is_a_proof_inside_the_graph() -> None:
    trees = 0
    for example in (e for examples in generate(Recipe(depth=4), 3, 4) for e in examples):
        program, solver = example.program, Solver(example.program)
        for literal in (example.literal, example.literal.negation):
            if solver.proves(literal):
                graph = solver.proof(literal).graph
                made = Proof.of(tree_of(explain(program, literal, graph).steps)).graph
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
    assert tree_of(explain(program, nice, Proof.of(whole).graph).steps) == whole
