"""The metrics against a plain twin written straight from their definition, over hand-made cases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibr.data.formats.example import Example
from ibr.evaluation.gold import Accepted, listed
from ibr.evaluation.metrics import Metric, Scores, Tally, evaluate, group_of, score
from ibr.prediction import Prediction, Source, Status
from ibr.proof import NAF, Graph, Proof, Tree
from ibr.theory import FineStrategy, Problem, Question, Strategy, Theory

THEORY = Theory.of(["Bob is big.", "Bob is red.", "Big things are kind.", "Red things are kind."])
BY_BIG = Proof.of(Tree(2, (Tree(0),)))
BY_RED = Proof.of(Tree(3, (Tree(1),)))
# The same nodes as BY_BIG and BY_RED together, but one chain: deeper and larger.
LONG = Proof.of(Tree(3, (Tree(2, (Tree(0),)), Tree(1))))
WITH_NAF = Proof.of(Tree(2, (Tree(0), Tree(NAF))))


def example(id: str = "AttNeg-D1-1-1", answer: bool = True, **fields: object) -> Example:
    problem = Problem(id, THEORY, Question("Bob is kind."))
    return Example(problem, answer, **fields)  # type: ignore[arg-type]


def prediction(answer: bool = True, graph: Graph | None = None, **fields: object) -> Prediction:
    return Prediction("AttNeg-D1-1-1", answer, "hand", graph=graph, **fields)  # type: ignore[arg-type]


def twin(proofs: list[Proof], label: bool, predicted: Prediction) -> dict[str, bool]:
    """Section by section as defined: sets compared with each gold proof in turn."""
    assert predicted.graph is not None
    nodes, edges = set(predicted.graph.nodes), set(predicted.graph.edges)
    node = edge = pa = pa_min = False
    costs = [(proof.root.depth if proof.root else 0, len(list(proof))) for proof in proofs]
    for proof, cost in zip(proofs, costs, strict=True):
        gold_nodes = {tree.node for tree in proof}
        gold_edges = {(p.node, tree.node) for tree in proof for p in tree.premises}
        if nodes == gold_nodes:
            node = True
        if edges == gold_edges:
            edge = True
        if nodes == gold_nodes and edges == gold_edges:
            pa = True
            if cost == min(costs):
                pa_min = True
    qa = predicted.answer == label
    return {"qa": qa, "node": node, "edge": edge, "pa": pa, "pa_min": pa_min, "fa": pa and qa}


PROOFS = [BY_BIG, BY_RED, LONG, WITH_NAF]
CHAINS = [Proof.failure(), Proof.failure([2]), Proof.failure([3, 2])]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """A gold graph, one with something missing, or anything at all over the same nodes."""
    some = draw(st.sampled_from([*PROOFS, *CHAINS])).graph
    nodes = draw(st.sets(st.sampled_from([0, 1, 2, 3, NAF]))) | some.nodes
    kept = draw(st.sampled_from([some.nodes, frozenset(nodes)]))
    pairs = [(p, r) for p in kept for r in kept if r in (2, 3) and p != r]
    edges = draw(st.sampled_from([some.edges, frozenset(draw(st.sets(st.sampled_from(pairs))))]
                                 if pairs else [frozenset()]))  # fmt: skip
    return Graph(kept, edges)


@given(
    gold=st.one_of(
        st.lists(st.sampled_from(PROOFS), min_size=1, max_size=3),
        st.sampled_from(CHAINS).map(lambda chain: [chain]),
    ),
    label=st.booleans(),
    answer=st.booleans(),
    graph=graphs(),
)
def test_marks_equal_the_definition(
    gold: list[Proof], label: bool, answer: bool, graph: Graph
) -> None:
    asked, predicted = example(answer=label, proofs=tuple(gold)), prediction(answer, graph)
    marks = score(asked, listed(gold), predicted)
    expected = twin(gold, label, predicted)
    assert {name: marks[Metric(name)] for name in expected} == expected


def marks_for(gold: list[Proof], graph: Graph) -> dict[str, bool | None]:
    marks = score(example(proofs=tuple(gold)), listed(gold), prediction(True, graph))
    return {str(metric): mark for metric, mark in marks.items()}


def test_nodes_of_one_proof_with_edges_of_another_are_not_a_proof() -> None:
    """Node and edge accuracy may come from different gold proofs; PA may not."""
    other = Proof.of(Tree(3, (Tree(1), Tree(2), Tree(0))))  # LONG's nodes, other edges
    lean = Proof.of(Tree(3, (Tree(2, (Tree(0),)),)))
    mixed = Graph(LONG.graph.nodes, lean.graph.edges)
    marks = marks_for([other, lean], mixed)
    assert (marks["node"], marks["edge"], marks["pa"], marks["fa"]) == (True, True, False, False)


def test_any_listed_proof_counts_but_only_the_least_is_minimal() -> None:
    assert marks_for([LONG, BY_BIG], LONG.graph)["pa"] is True
    assert marks_for([LONG, BY_BIG], LONG.graph)["pa_min"] is False
    assert marks_for([LONG, BY_BIG], BY_BIG.graph)["pa_min"] is True


def test_least_depth_comes_before_least_size() -> None:
    deep = Proof.of(Tree(3, (Tree(2, (Tree(0),)),)))  # depth 2, size 3
    wide = Proof.of(Tree(3, (Tree(0), Tree(1), Tree(NAF))))  # depth 1, size 4
    gold = listed([deep, wide])
    assert gold.accepts_minimal(wide.graph)
    assert not gold.accepts_minimal(deep.graph)


def test_saying_nothing_is_right_where_the_gold_is_empty() -> None:
    """A failure at depth 0: empty gold, so an empty prediction gets node, edge and proof."""
    marks = marks_for([Proof.failure()], Graph())
    assert all(marks[name] for name in ("node", "edge", "pa", "pa_min", "fa"))
    assert marks_for([Proof.failure()], BY_BIG.graph)["pa"] is False
    assert marks_for([BY_BIG], Graph())["node"] is False


def test_the_strategy_plays_no_part_in_proof_accuracy() -> None:
    asked = example(fine_strategy=FineStrategy.PROOF, proofs=(BY_BIG,))
    predicted = prediction(True, BY_BIG.graph, strategy=Strategy.FAIL_PROOF)
    marks = score(asked, listed([BY_BIG]), predicted)
    assert marks[Metric.STRATEGY] is False
    assert marks[Metric.PA] is marks[Metric.FA] is True


def test_a_wrong_answer_with_a_right_proof_is_not_fully_right() -> None:
    marks = score(example(answer=False), listed([BY_BIG]), prediction(True, BY_BIG.graph))
    assert (marks[Metric.PA], marks[Metric.FA]) == (True, False)


def test_no_listed_proof_is_an_error() -> None:
    with pytest.raises(ValueError, match="failure chain"):
        listed([])


def gold_of(asked: Example) -> Accepted | None:
    return listed(asked.proofs) if asked.proofs else None


def test_answer_only_systems_have_no_proof_figures() -> None:
    asked = example(fine_strategy=FineStrategy.PROOF, depth=1, length=2, proofs=(BY_BIG,))
    report = evaluate([(asked, prediction(True)), (asked, prediction(False))], gold_of)
    row = report.to_json()["all"]
    assert row["qa"] == 50.0
    assert {name for name, value in row.items() if value is None} == {
        "node", "edge", "pa", "pa_min", "fa", "strategy", "depth", "length", "fine_strategy",
    }  # fmt: skip


def test_silence_among_claims_is_wrong_in_every_row() -> None:
    """A system that draws proofs may not raise its score by drawing none for the hard ones."""
    easy, hard = example(depth=0, proofs=(BY_BIG,)), example(depth=3, proofs=(BY_RED,))
    report = evaluate([(easy, prediction(True, BY_BIG.graph)), (hard, prediction(True))], gold_of)
    table = report.to_json()
    assert table["all"]["pa"] == 50.0
    assert table["by_depth"]["3"]["pa"] == 0.0


def test_what_the_file_does_not_say_is_not_asked() -> None:
    """QLen is empty for failures, so length is judged on the others only."""
    proved = example(depth=1, length=2, fine_strategy=FineStrategy.PROOF)
    failed = example(depth=0, length=None, fine_strategy=FineStrategy.RANDOM)
    report = evaluate(
        [(proved, prediction(length=2)), (failed, prediction(length=None))], lambda _: None
    )
    assert report.every.all[Metric.LENGTH] == Tally(1, 1, 1)
    assert report.to_json()["all"]["length"] == 100.0
    assert report.to_json()["all"]["pa"] is None


def test_deeper_questions_have_their_own_rows() -> None:
    depths = [0, 5, 6, 7, None]
    pairs = [(example(depth=depth), prediction(depth != 6)) for depth in depths]
    table = evaluate(pairs, lambda _: None).to_json()
    assert list(table["by_depth"]) == ["0", "5", "6", "7", "unknown"]
    assert (table["depth_0_to_5"]["count"], table["depth_0_to_5"]["qa"]) == (2, 100.0)
    assert (table["all"]["count"], table["all"]["qa"]) == (5, 80.0)


def test_groups_are_the_papers() -> None:
    ids = [
        "AttPosBirdsVar1-1-3",
        "AttPosBirdsVar2-1-1",
        "AttPosElectricityRB4-9-2",
        "RelNeg-D5-1-1",
    ]
    assert [group_of(id) for id in ids] == ["B1", "B2", "E4", "RelNeg"]
    assert group_of("q7") == group_of("ticket-9") == "other"


def test_provable_questions_alone() -> None:
    pairs = [
        (example(fine_strategy=FineStrategy.INV_PROOF), prediction(True)),
        (example(fine_strategy=FineStrategy.RCONC), prediction(False)),
    ]
    report = evaluate(pairs, lambda _: None)
    assert report.provable.all.count == 1
    assert report.provable.all[Metric.QA].percent == 100.0


def test_unprovable_questions_alone_and_the_deep_ones_in_one_row() -> None:
    depths = [(0, True), (4, True), (5, False), (6, True)]
    pairs = [
        (example(depth=depth, fine_strategy=FineStrategy.INV_RANDOM), prediction(right))
        for depth, right in depths
    ]
    proved = (example(depth=4, fine_strategy=FineStrategy.PROOF), prediction(False))
    table = evaluate([*pairs, proved], lambda _: None).to_json()
    assert (table["failing"]["all"]["count"], table["failing"]["all"]["qa"]) == (4, 75.0)
    deep = table["failing"]["depth_4_up"]
    assert (deep["count"], round(deep["qa"], 1)) == (3, 66.7)
    assert table["failing"]["by_depth"]["5"]["qa"] == 0.0
    assert table["provable"]["all"]["count"] == 1


def test_groups_have_their_fa_by_depth() -> None:
    easy, hard = example(depth=0, proofs=(BY_BIG,)), example(depth=3, proofs=(BY_RED,))
    answered = [(easy, prediction(True, BY_BIG.graph)), (hard, prediction(True, BY_BIG.graph))]
    assert evaluate(answered, gold_of).to_json()["by_group"]["AttNeg"]["fa_by_depth"] == {
        "0": 100.0,
        "3": 0.0,
    }
    silent = evaluate([(easy, prediction(True))], gold_of).to_json()
    assert silent["by_group"]["AttNeg"]["fa_by_depth"] == {"0": None}


def test_whose_proofs_they_are_is_counted() -> None:
    checked = prediction(source=Source.CHECKED, checked=Status.VALID)
    unread = prediction(source=Source.MODEL, checked=Status.UNREADABLE)
    report = evaluate([(example(), each) for each in (unread, checked, checked)], lambda _: None)
    assert report.to_json()["origins"] == [
        {"source": "model+checked", "checked": "valid", "count": 2, "percent": 200 / 3},
        {"source": "model", "checked": "unreadable", "count": 1, "percent": 100 / 3},
    ]


def test_confidence_is_judged_by_the_answers_of_the_model_itself() -> None:
    """The checker turned the second answer round: the model was 0.9 sure of the wrong one."""
    pairs = [
        (example(), prediction(True, confidence=0.9)),
        (example(), prediction(True, confidence=1 - 0.9)),
    ]
    found = evaluate(pairs, lambda _: None)
    assert found.to_json()["calibration"]["ece"] == pytest.approx(0.4)  # 0.9 sure, half right
    nothing = evaluate([(example(), prediction(True))], lambda _: None).to_json()
    assert (nothing["calibration"], nothing["origins"]) == (None, [])


MARKS = st.dictionaries(st.sampled_from(Metric), st.sampled_from([True, False, None]))


@given(st.lists(MARKS))
def test_percent_is_the_plain_mean(rows: list[dict[Metric, bool | None]]) -> None:
    scores = Scores()
    for marks in rows:
        scores.add(marks)
    for metric in Metric:
        asked = [marks[metric] for marks in rows if metric in marks]
        percent = scores[metric].percent
        assert percent == (100 * sum(map(bool, asked)) / len(asked) if asked else None)
