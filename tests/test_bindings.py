"""Entities of proof trees: every occurrence has a literal that follows, found by a plain search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import programs, statements

from ibr.data.making.generator import Recipe, generate
from ibr.logic.bindings import Bound, bind
from ibr.logic.clause import Clause, Literal, Program, Sign, is_variable
from ibr.logic.language import program_of
from ibr.logic.solving.solver import Solver
from ibr.proof import NAF, Proof, Tree
from ibr.theory import Strategy, Theory

Model = Mapping[Literal, int]


def instances(program: Program, node: int, goal: Literal) -> Iterator[tuple[Clause, str]]:
    """Ground clauses of a sentence that conclude the goal, each with the entity it is about."""
    domain = sorted(program.entities | goal.entities)
    for clause in program.clauses[node]:
        terms = [t for lit in (clause.head, *clause.body) for t in (lit.subject, lit.object)]
        variables = list(dict.fromkeys(t for t in terms if is_variable(t)))
        for values in product(domain, repeat=len(variables)):
            ground = clause.bind(dict(zip(variables, values, strict=True)))
            if ground.head == goal:
                yield ground, values[0] if values else goal.subject


def follows(program: Program, model: Model, bound: Bound, goal: Literal) -> bool:
    """Is there an instance about the entity whose conditions hold and are the premises'?"""
    for ground, entity in instances(program, bound.node, goal):
        positive = [lit for lit in ground.body if lit.sign is not Sign.NAF]
        refuted = [lit for lit in ground.body if lit.sign is Sign.NAF and lit.atom in model]
        below = [premise for premise in bound.premises if premise.node != NAF]
        absent = len(bound.premises) - len(below)
        asked = sum(lit.sign is Sign.NAF for lit in ground.body)
        if entity != bound.entity or refuted or len(below) != len(positive):
            continue
        if bool(absent) != bool(asked):
            continue
        for order in permutations(positive):
            if all(
                lit in model and follows(program, model, premise, lit)
                for premise, lit in zip(below, order, strict=True)
            ):
                return True
    return False


def fails(program: Program, model: Model, bound: Bound, goal: Literal) -> bool:
    """Does the rule conclude the goal of the entity, and the next one a condition that fails?"""
    if goal in model:
        return False
    for ground, entity in instances(program, bound.node, goal):
        failing = [lit for lit in ground.body if lit.positive and lit not in model]
        if entity == bound.entity and (
            not bound.premises
            or any(fails(program, model, bound.premises[0], lit) for lit in failing)
        ):
            return True
    return False


def tree_of(bound: Bound) -> Tree:
    return Tree(bound.node, tuple(map(tree_of, bound.premises)))


def same_sentences(bound: Bound, tree: Tree) -> bool:
    """The same tree, whatever the order of premises."""

    def key(t: Tree) -> tuple[object, ...]:
        return (t.node, tuple(sorted(map(key, t.premises), key=repr)))

    return key(tree_of(bound)) == key(tree)


def check_proof(program: Program, model: Model, proof: Proof, goal: Literal) -> None:
    bound = bind(program, proof, goal, model)
    assert proof.root is not None
    assert bound is not None
    assert same_sentences(bound, proof.root)
    assert follows(program, model, bound, goal), (goal, bound)


def test_a_sentence_that_says_two_rules_is_bound_to_the_one_that_has_the_premises() -> None:
    """Of two rules for one head, one asks for something that is absent: of the dog, not the ant."""
    red = Literal("cat", "is", "red")
    big = {name: Literal(name, "is", "big") for name in ("ant", "dog", "?x")}
    program = Program(
        (
            (Clause(big["ant"]), Clause(big["dog"])),
            (
                Clause(red, (big["?x"],)),
                Clause(red, (big["?x"], Literal("?x", "is", "cold", Sign.NAF))),
            ),
            (Clause(Literal("ant", "is", "cold")),),
        )
    )
    proof = Proof(Strategy.PROOF, Tree(1, (Tree(0), Tree(NAF))))
    check_proof(program, Solver(program).model, proof, red)


@settings(max_examples=400)
@given(programs(), st.data())
def test_proofs_of_random_programs(program: Program, data: st.DataObject) -> None:
    solver = Solver(program)
    proved = sorted(solver.model, key=repr)
    if proved:
        goal = data.draw(st.sampled_from(proved))
        for proof in islice(solver.proofs(goal), 4):
            if proof.size <= 12:
                check_proof(program, solver.model, proof, goal)


@settings(max_examples=400)
@given(programs(), statements())
def test_failures_of_random_programs(program: Program, statement: Literal) -> None:
    goal = statement.atom
    solver = Solver(program, goal.entities)
    if solver.proves(goal):
        return
    chain = solver.failure(goal)
    bound = bind(program, chain, goal, solver.model)
    if chain.root is None:
        assert bound is None
    else:
        assert bound is not None
        assert tree_of(bound) == chain.root
        assert fails(program, solver.model, bound, goal)


@pytest.mark.parametrize(("preset", "words"), [("ruletaker", "ruletaker"), ("wide", "open")])
def test_generated_theories(preset: str, words: str) -> None:
    seen = set()
    recipe = Recipe(depth=3, preset=preset, vocabulary=words)
    for examples in generate(recipe, seed=4, count=12):
        program = examples[0].program
        assert program is not None
        solver = Solver(program)
        for example in examples:
            assert example.literal is not None
            assert example.proofs
            proof, literal = example.proofs[0], example.literal
            seen.add(proof.strategy)
            if proof.strategy is Strategy.PROOF:
                goal = literal if example.answer else literal.negation
                check_proof(program, solver.model, proof, goal)
            else:
                bound = bind(program, proof, literal.atom, solver.model)
                assert (bound and tree_of(bound)) == proof.root
                assert bound is None or fails(program, solver.model, bound, literal.atom)
    assert seen == set(Strategy)


def test_a_chain_of_two_entities() -> None:
    program = program_of(
        Theory.of(
            [
                "Anne is kind.",
                "The cat likes Anne.",
                "If someone likes Anne and Anne is kind then they are young.",
                "If the cat is young then Bob is big.",
                "If someone is big and they are not cold then they are round.",
            ]
        )
    )
    goal = Literal("Bob", "is", "round")
    solver = Solver(program)
    bound = bind(program, solver.proof(goal), goal, solver.model)
    assert bound is not None
    entities = {b.node: b.entity for b in walk(bound)}
    assert entities == {4: "Bob", NAF: "", 3: "Bob", 2: "cat", 1: "cat", 0: "Anne"}


def walk(bound: Bound) -> Iterator[Bound]:
    yield bound
    for premise in bound.premises:
        yield from walk(premise)


def test_a_variable_that_only_negation_knows() -> None:
    """ "?y" must make the `~` condition true, though any value would fit the sentences."""
    x, y = "?x", "?y"
    likes = Clause(Literal(y, "likes", x), (Literal(x, "is", "kind"),))  # everyone likes the kind
    rule = Clause(
        Literal("Bob", "is", "round"),
        (Literal(y, "likes", "Bob"), Literal(y, "is", "big", Sign.NAF)),
    )
    facts = [Clause(Literal("Bob", "is", "kind"))]
    facts += [Clause(Literal(name, "is", "big")) for name in ("Anne", "Bob")]
    facts += [Clause(Literal("Zoe", "is", "cold"))]
    program = Program(((likes,), (rule,), *((fact,) for fact in facts)))
    goal = Literal("Bob", "is", "round")
    solver = Solver(program)
    bound = bind(program, solver.proof(goal), goal, solver.model)
    assert bound is not None
    assert bound.entity == "Zoe"


def test_a_tree_that_concludes_something_else() -> None:
    program = program_of(Theory.of(["Anne is kind.", "Kind people are big."]))
    proof = Proof.of(Tree(1, (Tree(0),)))
    with pytest.raises(ValueError, match="sentence 1 does not conclude"):
        bind(program, proof, Literal("Anne", "is", "round"), ())
    assert bind(program, Proof.failure(), Literal("Anne", "is", "round"), ()) is None
