"""Components and layers against their definitions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from strategies import WILD, programs

from ibr.logic.clause import Program, Sign
from ibr.logic.solving.chaining import Rule
from ibr.logic.solving.strata import components, layers, predicate_of

GRAPHS = st.dictionaries(
    st.integers(0, 7), st.lists(st.integers(0, 7), max_size=4), min_size=1, max_size=8
)


def _reachable(graph: dict[int, list[int]], start: int) -> set[int]:
    found = [start]
    for node in found:
        found.extend(n for n in graph.get(node, ()) if n not in found)
    return set(found)


@given(GRAPHS)
def test_components_hold_what_reaches_each_other_successors_first(
    graph: dict[int, list[int]],
) -> None:
    found = components(graph, lambda node: graph.get(node, ()))
    place = {node: k for k, component in enumerate(found) for node in component}
    assert set(place) == set().union(*(_reachable(graph, node) for node in graph))
    assert len(place) == sum(map(len, found))
    for one in place:
        for other in _reachable(graph, one):
            assert place[other] <= place[one]
            assert (place[other] == place[one]) == (one in _reachable(graph, other))


@given(programs(WILD))
def test_a_layer_needs_only_what_earlier_layers_have_settled(program: Program) -> None:
    rules = [Rule(i, clause) for i, clause in program if not clause.is_fact]
    node_of = predicate_of(rules)
    found = layers(rules, node_of)
    assert sorted(rule for layer in found for rule in layer.plain + layer.tangled) == sorted(rules)
    settled_in = {}
    for k, layer in enumerate(found):
        assert {node_of(rule.clause.head) for rule in layer.tangled} == layer.nodes
        for rule in layer.plain + layer.tangled:
            settled_in[node_of(rule.clause.head)] = k
    for k, layer in enumerate(found):
        for rule in layer.plain:
            for literal in rule.clause.body:
                settled = settled_in.get(node_of(literal.atom), -1)
                assert settled < k if literal.sign == Sign.NAF else settled <= k
        for rule in layer.tangled:
            for literal in rule.clause.body:
                node = node_of(literal.atom)
                assert node in layer.nodes or settled_in.get(node, -1) < k
