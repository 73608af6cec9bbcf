"""Pictures of proofs: everything once and nothing over anything else, and text that stays text."""

from __future__ import annotations

import html
import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shell import Run

from ibr.decoding.search import ScoredPath, StepTrace
from ibr.drawing.layering import layered
from ibr.drawing.layout import Box, Layout, Point, lay_out, spread
from ibr.drawing.picture import Badge, Captions, Link, Picture, PictureItem, Role
from ibr.drawing.proof_lines import proof_lines, step_lines, trace_lines
from ibr.drawing.svg import DARK, LIGHT, Colours, dot, mermaid, svg
from ibr.drawing.text import ELLIPSIS, plain, width_of, wrap
from ibr.errors import ExitCode
from ibr.logic.checking.verifier import check
from ibr.logic.language import program_of, read_question
from ibr.prediction import Verdict
from ibr.proof import END, NAF, Graph, Proof, ProofError, Step, Tree
from ibr.proof import Path as ProofPath
from ibr.theory import Kind, Problem, Question, Strategy, Theory

GOLDEN = Path(__file__).parent / "pictures"
HOSTILE = (
    "</svg><script>alert(1)</script>",
    '"]; evil["',
    '\'" onload="x()',
    "`code` \\N \\",
    "a\nb\r\n\u2028c\td",
    "&lt; &amp; &#60; #35; #quot;",
    "style: x#y; classDef z:#fff;",
    "%%{init: {}}%% --> end",
    "]]> <!-- --> <![CDATA[",
    "\x00\x07\x1b[31m\x7f\ud800\ufffe\u202e",
    "漢字かな交じり文 العربية e\u0301 🎉 ﬂ°lt¶ß",
    "1. list",
    "W" * 90,
    "word " * 200,
)
SVG = "{http://www.w3.org/2000/svg}"


def texts() -> st.SearchStrategy[str]:
    written = st.text(max_size=60).filter(str.strip)
    return st.sampled_from(HOSTILE) | written | st.just("If someone is big then they are kind.")


@st.composite
def pictures(draw: st.DrawFn) -> Picture:
    """Any graph that a model might claim, with circles, loops and idle nodes; and fail-proofs."""
    size = draw(st.integers(1, 14))
    sentences = draw(st.lists(texts(), min_size=size, max_size=size))
    kinds = draw(st.lists(st.sampled_from(Kind), min_size=size, max_size=size))
    nodes = draw(st.sets(st.integers(NAF, size - 1)))
    rules = sorted(nodes - {NAF})
    edges: set[tuple[int, int]] = set()
    if rules:
        ends = st.tuples(st.sampled_from(sorted(nodes)), st.sampled_from(rules))
        edges = draw(st.sets(ends, max_size=24))
    theory, question = Theory.of(sentences, kinds), draw(texts())
    details = draw(st.lists(st.just("") | texts(), min_size=size, max_size=size))
    verdict, badge = draw(st.sampled_from(Verdict)), draw(st.sampled_from(Badge))
    drawn = of_graph(theory, Graph.of(nodes, edges), question, details)
    return replace(drawn, verdict=verdict, badge=badge, strategy=draw(st.sampled_from(Strategy)))


def of_graph(
    theory: Theory, graph: Graph, question: str = "Q?", details: Sequence[str] | None = None
) -> Picture:
    """Any graph, even one that proves nothing; its first sentence is the top."""
    asked, naf = (
        PictureItem(Role.QUESTION, plain(question)),
        PictureItem(Role.NAF, "nothing shows it"),
    )
    items = {
        node: naf
        if node == NAF
        else PictureItem(
            Role.RULE if graph.premises(node) else Role.FACT,
            plain(theory[node].text),
            node + 1,
            plain(details[node]) if details else "",
        )
        for node in sorted(graph.nodes)
    }
    links = [Link(items[p].key, items[r].key) for p, r in sorted(graph.edges)]
    tops = [Link(items[node].key, asked.key) for node in sorted(graph.nodes)[:1]]
    all_ = (asked, *items.values())
    return Picture(Verdict.YES, Strategy.PROOF, Badge.VALID, all_, (*tops, *links))


THEORY = Theory.of(
    [
        "Arthur is a bird.",
        "If someone is a bird and not wounded then they are flying.",
        "If someone is flying then they are happy.",
    ],
    [Kind.FACT, Kind.RULE, Kind.RULE],
)
HAPPY = Proof.of(Tree(2, (Tree(1, (Tree(0), Tree(NAF))),)))


def happy() -> Picture:
    """As a valid proof of the solver is drawn."""
    question = read_question("Arthur is happy.")
    found = check(program_of(THEORY), question, HAPPY.graph)
    problem = Problem("p", THEORY, Question("Arthur is happy."))
    return Picture.of_proof(problem, Verdict.YES, HAPPY, Badge.SOLVER, Captions.of(found))


def uncaptioned(theory: Theory, proof: Proof) -> Picture:
    problem = Problem("p", theory, Question("Q?"))
    return Picture.of_proof(problem, Verdict.YES, proof, Badge.VALID, Captions())


# What is drawn


@given(pictures())
def test_every_node_and_edge_is_drawn_once(picture: Picture) -> None:
    layout = lay_out(picture)
    assert tuple(box.item for box in layout.boxes) == picture.items
    assert tuple(route.link for route in layout.routes) == picture.links
    assert len(set(picture.links)) == len(picture.links)
    root = ElementTree.fromstring(svg(picture))
    nodes = Counter(group.get("data-node") for group in root.iter(f"{SVG}g"))
    del nodes[None]
    assert nodes == Counter(item.node for item in picture.items)
    assert len(root.findall(f"{SVG}g[@class='edge']")) == len(picture.links)
    drawn = re.findall(r"^  (\w+) -(?:-|\.-)> (\w+)$", mermaid(picture), re.M)
    assert drawn == [(link.source, link.target) for link in picture.links]
    assert re.findall(r"^  (\w+) -> (\w+);$", dot(picture), re.M) == drawn


def test_the_question_rests_on_the_root_of_the_proof() -> None:
    """Even if the graph runs in a circle, as a rule that is used twice makes it."""
    twice = Proof.of(Tree(2, (Tree(1, (Tree(2, (Tree(0),)),)),)))
    links = uncaptioned(THEORY, twice).links
    assert [link.source for link in links if link.target == "question"] == ["s3"]


def test_without_a_proof_the_question_stands_alone() -> None:
    problem = Problem("p", THEORY, Question("Q?"))
    picture = Picture.of_proof(problem, Verdict.CANNOT_SAY, None, Badge.UNCHECKED, Captions())
    assert (len(picture.items), picture.links) == (1, ())
    assert "Cannot say" in svg(picture)


def test_a_rule_says_first_what_it_concluded_here() -> None:
    fact, flying, glad, naf = happy().items[1:]
    assert (fact.text, fact.detail) == ("Arthur is a bird.", "")
    assert (flying.text, flying.detail) == ("Arthur is flying", THEORY[1].text)
    assert (glad.text, glad.detail) == ("Arthur is happy", THEORY[2].text)
    assert naf.text == "nothing shows that Arthur is wounded"


def test_a_rule_that_serves_twice_says_both() -> None:
    texts = (
        "Bob is big.",
        "Ann is big.",
        "Big people are kind.",
        "If Bob is kind and Ann is kind then Bob is nice.",
    )
    graph = Graph.of([0, 1, 2, 3], [(0, 2), (1, 2), (2, 3)])
    found = check(program_of(Theory.of(texts)), read_question("Bob is nice."), graph)
    assert Captions.of(found).rules == {2: "Bob is kind and Ann is kind", 3: "Bob is nice"}


def test_roles_are_those_of_the_theory_or_else_of_the_graph() -> None:
    unread = Theory.of([sentence.text for sentence in THEORY])
    for theory in (THEORY, unread):
        picture = uncaptioned(theory, HAPPY)
        roles = [item.role for item in picture.items]
        assert roles == [Role.QUESTION, Role.FACT, Role.RULE, Role.RULE, Role.NAF]


def test_what_cannot_be_drawn_is_said() -> None:
    with pytest.raises(ProofError, match="only 3 sentences"):
        uncaptioned(THEORY, Proof.of(Tree(3)))


@pytest.mark.parametrize(
    ("question", "proof", "text", "above"),
    [
        ("Zoe is cold.", Proof.failure(), "nothing in these sentences shows it", "question"),
        ("Zoe is happy.", Proof.failure([2, 1]), "nothing shows that Zoe is a bird", "s2"),
    ],
)
def test_a_fail_proof_says_where_it_ends(
    question: str, proof: Proof, text: str, above: str
) -> None:
    found = check(program_of(THEORY), read_question(question), proof.graph, Strategy.FAIL_PROOF)
    problem = Problem("p", THEORY, Question(question))
    captions = Captions.of(found)
    picture = Picture.of_proof(problem, Verdict.NOT_SHOWN, proof, Badge.VALID, captions)
    assert [item.text for item in picture.items[1:-1]] == [
        f"would show that Zoe is {what}" for what in ("flying", "happy")[: len(proof.graph.nodes)]
    ]
    assert (picture.items[-1].role, picture.items[-1].text) == (Role.FAIL, text)
    assert [link.target for link in picture.links if link.source == "fail"] == [above]
    assert text in re.sub(r"\s+", " ", html.unescape(svg(picture)))


# Where it stands


def crosses(a: Point, b: Point, box: Box) -> bool:
    """Whether the rectangle of two points, which holds the way between them, meets the box."""
    return (
        min(a.x, b.x) < box.x + box.width
        and max(a.x, b.x) > box.x
        and min(a.y, b.y) < box.bottom
        and max(a.y, b.y) > box.y
    )


def assert_tidy(layout: Layout) -> None:
    for box in layout.boxes:
        assert box.x >= 0
        assert box.y >= 0
        assert box.x + box.width <= layout.width
        assert box.bottom <= layout.height
        for pill in box.pills:
            assert box.x <= pill.x
            assert pill.x + pill.width <= box.x + box.width
    for one, other in itertools.combinations(layout.boxes, 2):
        apart = Point(one.x, one.y), Point(one.x + one.width, one.bottom)
        assert not crosses(*apart, other), (one.item.key, other.item.key)
    boxes = {box.item.key: box for box in layout.boxes}
    for route in layout.routes:
        for a, b in itertools.pairwise(route.points):
            assert a != b
            assert not any(crosses(a, b, box) for box in layout.boxes), route.link
            assert 0 <= a.x <= layout.width
        for end, key in ((0, route.link.source), (-1, route.link.target)):
            point, box = route.points[end], boxes[key]
            assert box.x <= point.x <= box.x + box.width
            assert point.y in (box.y, box.bottom) or point.x == box.x + box.width


@given(pictures())
def test_boxes_are_on_the_canvas_and_apart_and_edges_pass_beside_them(picture: Picture) -> None:
    assert_tidy(lay_out(picture))


@pytest.mark.parametrize("shape", ["wide", "deep", "dense"])
def test_large_pictures_are_tidy_too(shape: str) -> None:
    size = 24
    edges = {
        "wide": [(premise, 0) for premise in range(1, size)],
        "deep": list(itertools.pairwise(reversed(range(size)))),
        "dense": [(b, a) for a, b in itertools.combinations(range(size), 2)],
    }[shape]
    theory = Theory.of([f"Sentence {i} " + "is long " * (i % 9) for i in range(size)])
    layout = lay_out(of_graph(theory, Graph.of(range(size), edges)))
    assert_tidy(layout)
    if shape == "wide":
        assert layout.width < 2600
        assert max(Counter(box.y for box in layout.boxes).values()) <= 6


@given(st.lists(st.integers(0, 30), min_size=1, max_size=30), st.integers(1, 8))
def test_trees_have_no_crossings_and_premises_are_below(parents: list[int], most: int) -> None:
    edges = [(parent % (child + 1), child + 1) for child, parent in enumerate(parents)]
    rows = layered(len(parents) + 1, edges, most)
    place = {v: (y, x) for y, row in enumerate(rows.rows) for x, v in enumerate(row)}
    assert len(place) == sum(map(len, rows.rows))
    for (a, b), (c, d) in itertools.combinations(rows.pairs, 2):
        if place[a][0] == place[c][0]:
            assert (place[a][1] - place[c][1]) * (place[b][1] - place[d][1]) >= 0
    for chain, edge in zip(rows.chains, edges, strict=True):
        assert (chain[0], chain[-1]) == edge
        heights = [place[vertex][0] for vertex in chain]
        assert heights == list(range(heights[0], heights[0] + len(chain)))


@given(st.lists(st.tuples(st.floats(-9, 9), st.floats(0.1, 2), st.floats(0, 5)), min_size=1))
def test_spread_moves_no_further_than_it_must(vertices: list[tuple[float, float, float]]) -> None:
    wishes, weights, distances = (list(values) for values in zip(*vertices, strict=True))
    apart = distances[1:]
    places = spread(wishes, weights, apart)
    for (a, b), distance in zip(itertools.pairwise(places), apart, strict=True):
        assert b - a >= distance - 1e-9
    moved = [w * (p - v) for w, p, v in zip(weights, places, wishes, strict=True)]
    assert abs(sum(moved)) < 1e-6  # the mean of all wishes is kept
    if all(b - a > d for (a, b), d in zip(itertools.pairwise(wishes), apart, strict=True)):
        assert places == pytest.approx(wishes)


@given(st.randoms(use_true_random=False))
def test_the_same_graph_is_the_same_picture_in_whatever_order_it_is_given(rng: Random) -> None:
    theory = Theory.of([f"Sentence {i}." for i in range(12)])
    nodes = rng.sample(range(12), 8)
    edges = [(rng.choice([*nodes, NAF]), rng.choice(nodes)) for _ in range(12)]
    drawn = set()
    for _ in range(3):
        rng.shuffle(nodes)
        rng.shuffle(edges)
        picture = of_graph(theory, Graph.of([*nodes, NAF], edges))
        drawn.add((svg(picture), dot(picture), mermaid(picture)))
    assert len(drawn) == 1


# Text stays text


def squeezed(text: str) -> str:
    return "".join(text.split())


def assert_shows(shown: str, text: str) -> None:
    """All of the text, or its beginning and an ellipsis; lines may be broken anywhere."""
    if squeezed(shown) != squeezed(plain(text)):
        assert shown.endswith(ELLIPSIS)
        assert squeezed(plain(text)).startswith(squeezed(shown.removesuffix(ELLIPSIS)))


@given(pictures())
def test_svg_has_text_and_no_markup_of_others(picture: Picture) -> None:
    root = ElementTree.fromstring(svg(picture))
    names = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert names <= {"svg", "title", "desc", "style", "rect", "g", "path", "text"}
    attributes = {name for element in root.iter() for name in element.attrib}
    assert not [name for name in attributes if name.startswith("on") or "href" in name]
    assert "url(" not in svg(picture).split("</desc>")[1].split("</style>")[0]
    for item, group in zip(picture.items, root.findall(f"{SVG}g[@data-node]"), strict=True):
        title = group.find(f"{SVG}title")
        assert title is not None
        assert title.text == item.caption
        lines = [line.text or "" for line in group.findall(f"{SVG}text[@class='line']")]
        details = [line.text or "" for line in group.findall(f"{SVG}text[@class='detail']")]
        assert_shows(" ".join(lines), item.text)
        assert_shows(" ".join(details), item.detail)


@given(pictures())
def test_svg_has_a_name_and_a_description(picture: Picture) -> None:
    root = ElementTree.fromstring(svg(picture))
    named = {element.get("id"): element.text or "" for element in root if element.get("id")}
    title, description = (named[name] for name in root.get("aria-labelledby", "").split())
    assert root.get("role") == "img"
    assert picture.question.text in title
    assert description.startswith(f"{picture.verdict.heading} ({picture.badge}).")
    for item in picture.items[1:]:
        assert item.text in description


@given(pictures())
def test_dot_reads_back(picture: Picture) -> None:
    lines = dot(picture).splitlines()
    assert len(lines) == 5 + len(picture.items) + len(picture.links)
    for item, line in zip(picture.items, lines[4:], strict=False):
        match = re.fullmatch(r'  (\w+) \[label="((?:[^"\\]|\\.)*)", [^\\]*\];', line)
        assert match, line
        assert match[1] == item.key
        shown = re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], match[2])
        shown = html.unescape(shown)
        if item.role is Role.QUESTION:
            shown, verdict = shown.rsplit("\n", 1)
            assert verdict == f"{picture.verdict.heading} ({picture.badge})"
        if not item.detail:
            assert_shows(shown, item.caption)


@given(pictures())
def test_mermaid_reads_back(picture: Picture) -> None:
    lines = mermaid(picture).splitlines()
    assert lines[0] == "flowchart BT"
    for item, line in zip(picture.items, lines[1:], strict=False):
        match = re.fullmatch(r'  (\w+)[(\[]+"([^"`:<>&]*(?:<br/>[^"`:<>&]*)*)"[)\]]+:::(\w+)', line)
        assert match, line
        assert (match[1], match[3]) == (item.key, item.role)
        shown = re.sub(r"#(\d+);", lambda m: chr(int(m[1])), match[2].split("<br/>")[0])
        assert shown == item.caption
        assert "#" not in re.sub(r"#\d+;", "", match[2])


@given(st.text(), st.floats(2, 30), st.integers(1, 5))
def test_wrapped_lines_fit_and_lose_nothing_but_the_end(text: str, width: float, most: int) -> None:
    lines = wrap(text, width, most)
    assert 1 <= len(lines) <= most
    assert all(width_of(line) <= width for line in lines)
    assert_shows(" ".join(lines), text)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_colours_can_be_read(palette: dict[str, Colours]) -> None:
    """WCAG's 4.5 for text; 3 for lines that mean something."""
    paper = palette["paper"].fill
    for name, colours in palette.items():
        assert contrast(colours.ink, paper if name == "edge" else colours.fill) >= 4.5, name
        if name not in ("paper", "yes", "no", "open", "both"):
            assert contrast(colours.stroke, paper) >= 4.5, name  # tags have this colour


def contrast(one: str, other: str) -> float:
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


# Golden files, and text forms


@pytest.mark.parametrize(
    ("name", "draw"), [("happy.svg", svg), ("happy.dot", dot), ("happy.mmd", mermaid)]
)
def test_a_small_proof_is_drawn_exactly_so(name: str, draw: object) -> None:
    assert callable(draw)
    assert draw(happy()) == (GOLDEN / name).read_text(encoding="utf-8")


def test_a_small_tree() -> None:
    assert list(proof_lines(THEORY, HAPPY, "  ")) == [
        "  [3] If someone is flying then they are happy.",
        "    [2] If someone is a bird and not wounded then they are flying.",
        "      [1] Arthur is a bird.",
        "      (nothing shows otherwise)",
    ]
    found = check(program_of(THEORY), read_question("Arthur is happy."), HAPPY.graph)
    *same, naf = step_lines(THEORY, found.steps, "  ")
    assert same == proof_lines(THEORY, HAPPY, "  ")[:-1]
    assert naf == "      (nothing shows that Arthur is wounded)"
    assert proof_lines(THEORY, Proof.failure()) == ["(nothing in these sentences shows it)"]
    assert proof_lines(THEORY, Proof.failure([2, 1]), end="nothing shows that Zoe is a bird") == [
        "[3] If someone is flying then they are happy.",
        "  [2] If someone is a bird and not wounded then they are flying.",
        "    (nothing shows that Zoe is a bird)",
    ]


def test_a_part_of_a_proof_is_shown_once() -> None:
    """The same rule on other premises is another part, and a fact is its own reference."""
    part, other = Tree(1, (Tree(0), Tree(NAF))), Tree(1, (Tree(0),))
    again = Tree(1, (Tree(0), Tree(NAF)))
    lines = list(proof_lines(THEORY, Proof.of(Tree(2, (part, other, again, Tree(0))))))
    assert [line.split(" If")[0].strip() for line in lines] == [
        "[3]",
        "[2]",
        "[1] Arthur is a bird.",
        "(nothing shows otherwise)",
        "[2]",
        "[1] Arthur is a bird.",
        "[2] (as shown above)",
        "[1] Arthur is a bird.",
    ]


def test_a_tree_may_be_deep_and_its_parts_shared() -> None:
    deep, shared = Tree(0), Tree(0)
    for _ in range(3000):
        deep = Tree(1, (deep,))
    assert sum(1 for _ in proof_lines(THEORY, Proof.of(deep))) == 3001
    for _ in range(60):  # 2^60 occurrences
        shared = Tree(1, (shared, shared))
    assert sum(1 for _ in proof_lines(THEORY, Proof.of(shared))) == 61 + 60


def test_a_trace_tells_what_each_step_weighed() -> None:
    """Sentence 2 has two readings; the chosen child is told even if it was not likely."""
    path = ProofPath(
        Strategy.PROOF, (Step(0, 2), Step(1, 1), Step(2, 0), Step(2, NAF), Step(4, END))
    )
    sentence = (0, 1, 1, 2)  # columns: three sentences, [2] twice; then NAF and END
    weights = [
        ([1.0], [0.0, 0.125, 0.125, 0.75, 0.0, 0.0]),
        ([0.0, 1.0], [0.25, 0.5, 0.25, 0.0, 0.0, 0.0]),
        ([0.0, 0.25, 0.75], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
        ([0.0, 0.0, 1.0, 0.0], [0.4, 0.2, 0.1, 0.2, 0.05, 0.05]),
        ([0.0, 0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]),
    ]
    trace = tuple(StepTrace(np.array(parents), np.array(kids)) for parents, kids in weights)
    lines = list(trace_lines(THEORY, ScoredPath(path, -1.0, trace), sentence))
    assert lines == [
        "Step 1, under the question: [3] If someone is flying then they are happy.",
        "  parents:  the question 100.0 %",
        "  children: [3] 75.0 %, [2] 25.0 %",
        "Step 2, under [3]: [2] If someone is a bird and not wounded then they are flying.",
        "  parents:  [3] 100.0 %",
        "  children: [2] 75.0 %, [1] 25.0 %",
        "Step 3, under [2]: [1] Arthur is a bird.",
        "  parents:  [2] 75.0 %, [3] 25.0 %",
        "  children: [1] 100.0 %",
        "Step 4, under [2]: NAF",
        "  parents:  [2] 100.0 %",
        "  children: [1] 40.0 %, [2] 30.0 %, [3] 20.0 %, NAF 5.0 %",
        "Step 5: the proof is complete",
        "  parents:  NAF 100.0 %",
        "  children: END 100.0 %",
    ]


def test_a_sentence_that_was_hung_twice_is_told_with_its_step() -> None:
    path = ProofPath(Strategy.PROOF, (Step(0, 1), Step(1, 1), Step(2, END)))
    trace = tuple(StepTrace(np.eye(size)[-1], np.array([1.0, 0.0, 0.0])) for size in (1, 2, 3))
    lines = list(trace_lines(THEORY, ScoredPath(path, -1.0, trace), (1,)))
    assert lines[3].startswith("Step 2, under [2] of step 1: [2] ")
    assert lines[7] == "  parents:  [2] of step 2 100.0 %"


# On the command line


BOOK = "\n".join(sentence.text for sentence in THEORY)


@pytest.mark.parametrize(
    ("option", "name"),
    [(["--svg", "-"], "happy.svg"), (["--dot"], "happy.dot"), (["--mermaid"], "happy.mmd")],
)
def test_solve_prints_the_picture_alone(run: Run, option: list[str], name: str) -> None:
    done = run("solve", "-", "Arthur is happy.", *option, stdin=BOOK)
    assert done.code == ExitCode.OK
    assert done.out == (GOLDEN / name).read_text(encoding="utf-8")


def test_solve_draws_to_a_file_beside_its_answer(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "proof.svg"
    done = run("solve", "-", "Arthur is happy.", "--svg", file, stdin=BOOK)
    assert "Yes (the solver's proof, depth 2; checked: valid)" in done.out
    assert file.read_text(encoding="utf-8") == (GOLDEN / "happy.svg").read_text(encoding="utf-8")
    done = run("solve", "-", "Arthur is cold.", "--svg", file, "--json", stdin=BOOK)
    assert done.json["answer"] is False
    assert "nothing in these sentences" in file.read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["proof.svg"]


def test_a_picture_that_cannot_be_written_is_an_error(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("solve", "-", "Arthur is happy.", "--svg", tmp_path / "file" / "a.svg", stdin=BOOK)
    assert done.code == ExitCode.DATA
    assert not done.out
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["A.", "B.", "--dot"], "one question, not 2"),
        (["A.", "B.", "--svg", "x.svg"], "one question, not 2"),
        (["A.", "--dot", "--json"], "no --json"),
        (["A.", "--dot", "--mermaid"], "no --mermaid"),
        (["A.", "--mermaid", "--svg", "-"], "no --svg -"),
        (["A.", "--svg", "-", "--all-proofs", "2"], "no --all-proofs"),
        (["A.", "--dot", "--explain"], "no --explain"),
    ],
)
def test_pictures_that_do_not_go_together(run: Run, arguments: list[str], said: str) -> None:
    done = run("solve", "-", *arguments, stdin=BOOK)
    assert (done.code, done.out) == (ExitCode.USAGE, "")
    assert said in done.err


def test_an_empty_failure_is_told(run: Run) -> None:
    done = run("solve", "-", "Arthur is cold.", stdin=BOOK)
    assert done.out.endswith("Where it fails:\n  (nothing in these sentences shows it)\n")


def test_a_proof_that_was_not_checked_says_so(run: Run) -> None:
    text = f"{BOOK}\nWounding, perhaps, of whenever."
    assert "(not checked)" in run("solve", "-", "Arthur is happy.", "--dot", stdin=text).out
