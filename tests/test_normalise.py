"""What a model is given: RuleTaker's text untouched, ordinary English normalised, same meaning."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from ibr.asking.reasoners import get_reasoner
from ibr.asking.suggestions import suggestions
from ibr.data.formats.sources import Reader
from ibr.data.making.generator import Recipe, generate
from ibr.inputs.model_words import default_words
from ibr.inputs.normalise import NormalisedTheory, normalise, with_kinds
from ibr.logic.checking.verifier import check
from ibr.logic.language import program_of, read, read_question, theory_from_text
from ibr.logic.solver_reasoner import SolverReasoner
from ibr.logic.solving.solver import Solver
from ibr.logic.surface import templates
from ibr.prediction import Prediction
from ibr.proof import Graph
from ibr.serving.examples import examples
from ibr.theory import Kind, Problem, Question, Strategy, Theory

WORDS = default_words()
BOOKS = sorted((Path(__file__).parent / "rulebooks").glob("*.json"))


def given(rules: str, question: str = "Ann is kind.") -> tuple[NormalisedTheory, str]:
    made, asked = normalise(
        with_kinds(theory_from_text(rules), WORDS.kinds), Question(question), WORDS.known
    )
    return made, asked.text


def texts(rules: str) -> list[str]:
    return [sentence.text for sentence in given(rules)[0].theory]


def unchanged(problems: Iterable[Problem]) -> int:
    """How many there are; fails at the first that is given otherwise than it is written."""
    asked = list(problems)
    for problem in asked:
        theory = with_kinds(problem.theory, WORDS.kinds)
        made, question = normalise(theory, problem.question, WORDS.known)
        assert made.theory is theory, theory.text
        assert made.is_as_written
        assert made.source == tuple(range(len(theory)))
        assert question.text == problem.question.text
    return len(asked)


@pytest.mark.parametrize("name", ["depth-5-dev-slice", "birds-electricity"])
def test_real_files_stay_as_they_are(name: str, real_data: Path) -> None:
    examples = Reader(kinds=False).examples(real_data / name)
    assert unchanged(example.problem for example in examples) > 2_000


@pytest.mark.parametrize("preset", ["ruletaker", "wide"])
def test_what_is_generated_stays_as_it_is(preset: str) -> None:
    recipe = Recipe(depth=4, preset=preset, vocabulary="open")
    made = generate(recipe, seed=7, count=30)
    assert unchanged(example.problem for theory in made for example in theory) > 100


def test_ordinary_english_is_written_in_templates() -> None:
    rules = "Dana has a badge.\nOmar is not on leave.\nNo visitor who has a badge may enter Room 7."
    assert texts(rules) == [
        "Dana is hasabadge.",
        "Omar is not isonleave.",
        "If someone is visitor and hasabadge then they are not mayenterroom7.",
    ]
    assert given(rules, "Can Dana enter Room 7?")[1] == "Dana is canenterroom7."


def test_a_sentence_of_several_clauses_is_several_that_lead_back_to_it() -> None:
    made, _ = given("Notes\n\nAnn and Bob are tall boys.\nCats and dogs are mammals.")
    assert [s.text for s in made.theory][1:] == [
        "Ann is boy.",
        "Ann is tall.",
        "Bob is boy.",
        "Bob is tall.",
        "If someone is cat then they are mammal.",
        "If someone is dog then they are mammal.",
    ]
    assert made.source == (0, 1, 1, 1, 1, 2, 2)
    assert [s.kind for s in made.theory] == [Kind.REMARK, *[Kind.FACT] * 4, *[Kind.RULE] * 2]


def test_who_is_only_ever_acted_upon_becomes_the_subject() -> None:
    rules = "Every plant that is dry is watered by Greta. The fern is a dry plant."
    assert texts(rules)[0] == "If someone is plant and dry then they are bywatersgreta."
    assert given(rules, "Greta waters the fern.")[1] == "The fern is bywatersgreta."


def test_what_acts_and_is_acted_upon_stays_related() -> None:
    rules = "Ann likes Bob.\nIf someone likes Bob, Bob likes Ann.\nBob is a nice man."
    assert texts(rules)[:2] == ["Ann likes Bob.", "If someone likes Bob then Bob likes Ann."]


def test_all_variables_but_one_are_replaced() -> None:
    rules = "Ann beats Bob, and Bob beats Cid.\nIf X beats Y and Y beats Z then X outranks Z."
    made, asked = given(rules, "Does Ann outrank Cid?")
    assert [s.text for s in made.theory][2:] == [
        "If someone beats Bob and Bob beats Cid then they outrank Cid."
    ]
    assert asked == "Ann outranks Cid."


def test_what_holds_of_all_is_written_for_each() -> None:
    rules = "Ann and Bob are guests.\nNobody may smoke."
    assert texts(rules)[2:] == ["Ann is not maysmoke.", "Bob is not maysmoke."]


def test_different_things_have_different_words() -> None:
    words = texts("Bill likes the bill.\nThe bill is on and due.")
    assert "Bill likes the bill2." in words
    assert "The bill2 is on2." in words


def test_a_question_that_cannot_be_read_meets_the_text_as_it_was_written() -> None:
    rules = "Ann and Bob are guests."
    made, asked = given(rules, "Who is probably happy?")
    assert made.is_as_written
    assert asked == "Who is probably happy?"
    assert made.theory.text == rules


def test_a_question_to_template_sentences_is_a_statement() -> None:
    made, asked = given("Ann is kind. All kind people are big.", "Is Ann big?")
    assert made.is_as_written
    assert asked == "Ann is big."


def test_what_is_mostly_unreadable_stays_as_it_is() -> None:
    rules = "Ann and Bob are tall. Most of them seem to like whatever it is.\nMaybe so, maybe not."
    assert given(rules)[0].is_as_written


def test_a_kind_that_the_parser_does_not_see_is_left_alone() -> None:
    theory = Theory.of(["Anyone who is kind is nice.", *["Ann and Bob are kind."] * 9])
    wrong = Theory.of([s.text for s in theory], [Kind.FACT] * 10)
    made, _ = normalise(wrong, Question("Ann is nice."), WORDS.known)
    assert made.theory[0].text == "Anyone who is kind is nice."
    assert made.source[0] == 0
    assert len(made.source) == 19


def books() -> Iterable[Theory]:
    for book in examples():
        yield theory_from_text(book.rules)
    for path in BOOKS:
        told = json.loads(path.read_text(encoding="utf-8"))["sentences"]
        readings = [read(sentence["text"]) for sentence in told]
        known = [reading for reading in readings if reading.readable]
        yield Theory.of([reading.text for reading in known], [reading.kind for reading in known])


def test_normalising_changes_no_answer() -> None:
    """The solver gives the same answers for the normalised theory as for the rulebook."""
    asked = wrong = told = 0
    for theory in books():
        program = replace(program_of(theory), loosely_read=frozenset())  # the clauses alone count
        solver = Solver(program)
        for text in suggestions(program, solver, 6):
            made, question = normalise(theory, Question(text), WORDS.known)
            if any(templates.parse(s.text) is None for s in made.theory if s.kind != Kind.REMARK):
                continue  # some sentence of it stays as it was written
            literal = read_question(text)
            (said,) = SolverReasoner().prove([Problem("", made.theory, question)])
            asked += 1
            wrong += said.answer != solver.judge(literal).answer
            assert said.graph is not None
            graph = cited(said.graph, made.source)
            # Instances that nothing leads to are not written: nothing seems to conclude what
            # a rule could, and such a failure must be told by the solver.
            valid = check(program, literal, graph, said.strategy, said.answer).valid
            assert valid or (said.strategy is Strategy.FAIL_PROOF and not graph.nodes), text
            told += valid
    assert told > 0.95 * asked
    assert wrong == 0
    assert asked > 240


def cited(graph: Graph, source: tuple[int, ...]) -> Graph:
    name = {-1: -1} | dict(enumerate(source))
    edges = [(name[premise], name[rule]) for premise, rule in graph.edges]
    return Graph.of([name[node] for node in graph.nodes], edges)


def test_a_model_cites_the_sentences_as_they_are_numbered() -> None:
    theory = theory_from_text("Remark\n\nAnn and Bob are tall boys.\nNobody may smoke.")
    problems = [Problem(q, theory, Question(q)) for q in ("Bob is tall.", "Why, of course?")]
    for prediction in get_reasoner("ibr").prove(problems):
        assert isinstance(prediction, Prediction)
        assert prediction.graph is not None
        assert all(node < len(theory) for node in prediction.graph.nodes)
    tall = get_reasoner("ibr").prove(problems[:1])[0]
    assert (tall.answer, tall.graph) == (True, Graph.of([1]))


def test_template_text_asks_no_dictionary() -> None:
    code = (
        "import sys; from ibr.theory import *; from ibr.inputs.normalise import normalise; "
        "from ibr.inputs.model_words import read_words; "
        "from ibr.decoding.manifest import EMBEDDED; "
        "from ibr.inputs.normalise import with_kinds; "
        "t = Theory.of(['Bob is kind.', 'If someone is kind then they are big.']); "
        "w = read_words(EMBEDDED); "
        "normalise(with_kinds(t, w.kinds), Question('Bob is big.'), w.known); "
        "print('lemminflect' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
