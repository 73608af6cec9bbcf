"""Theories and proofs checked by clingo, which shares only the clauses with this package.

Explicit negatives are predicates of their own there as here. A stratified program has exactly one
stable model, and so has any whose well-founded model is total.

`objection` checks a proof. Rules are applied only along its edges and only to the clauses of the
cited sentences; `~` is evaluated in the stable models of the whole theory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

import clingo

from ibr.logic.clause import Clause, Literal, Program, Sign, is_variable
from ibr.logic.solver_reasoner import Logic
from ibr.logic.surface.phrases import phrase
from ibr.prediction import Prediction
from ibr.proof import NAF, Graph
from ibr.theory import Strategy

Facts = frozenset[Literal]
_GOAL = -2  # the node above the top of a failure chain


def stable_models(program: Program, others: Iterable[str] = ()) -> list[set[Literal]]:
    """The stable models of the whole theory; `others` are entities that only a question names."""
    lines = [_entities(program.entities.union(others))]
    lines += [_rule(_atom(c.head), map(_condition, c.body), c) for _, c in program]
    return [
        {_literal(symbol) for symbol in model if symbol.name in ("true", "not_true")}
        for model in _models("\n".join(lines))
    ]


def objection(logic: Logic, prediction: Prediction) -> str | None:
    """Why clingo does not accept the proof of this answer; None if it does."""
    program, question = logic
    assert prediction.graph is not None
    models = _stable(program, question.entities - program.entities)
    if not models:
        return "the theory has no stable model"
    possible = frozenset().union(*models)
    if prediction.strategy is Strategy.FAIL_PROOF:
        return _unfailed(logic, prediction.answer, prediction.graph, possible)
    goal = question if prediction.answer else question.negation
    if goal not in derived(logic, prediction.graph, possible):
        return f"the cited sentences do not derive that {phrase(goal)}"
    return None


def derived(logic: Logic, graph: Graph, possible: Facts) -> set[Literal]:
    """The clauses of the cited sentences, and what follows from them along the edges.

    `possible` is what the whole theory may derive: `~` holds of everything else.
    """
    program, question = logic
    lines = [_entities(program.entities | question.entities), _edges(graph)]
    if NAF in graph.nodes:
        lines += _derived(possible)
    for node in graph.nodes - {NAF}:
        for clause in program.clauses[node]:
            head = _atom(clause.head, str(node))
            lines.append(_rule(head, _premises(clause, node), clause))
    (model,) = _models("\n".join(lines))
    return {_literal(s) for s in model if s.name in ("true", "not_true")}


def _premises(clause: Clause, node: int) -> Iterator[str]:
    for place, literal in enumerate(clause.body):
        if literal.sign == Sign.NAF:
            yield f"edge({NAF},{node}), not derived({_terms(literal)})"
        else:
            yield f"edge(Node{place},{node}), {_atom(literal, f'Node{place}')}"


def _unfailed(logic: Logic, answer: bool, graph: Graph, possible: Facts) -> str | None:
    question = logic.question
    for literal in (question, question.negation):
        if literal in possible:
            return f"the theory derives that {phrase(literal)}"
    if answer == question.positive:
        return f"nothing derives the question, so its answer is {not answer}"
    if not graph.nodes:
        every = Graph.of(range(len(logic.program.clauses)))
        able = _failing(logic, every, possible)
        return f"sentence {min(able)} could conclude the question" if able else None
    idle = graph.nodes - _failing(logic, graph, possible)
    return f"sentence {min(idle)} could not conclude what fails above it" if idle else None


def _failing(logic: Logic, graph: Graph, possible: Facts) -> set[int]:
    """The rules that could conclude the question, or a failed condition of the rule above them."""
    program, question = logic
    tops = graph.nodes - {premise for premise, _ in graph.edges}
    lines = [_entities(program.entities | question.entities), _edges(graph)]
    lines += [f"edge({top},{_GOAL})." for top in tops]
    lines += _derived(possible)
    lines.append(f"lacks({_GOAL},{_terms(question)}).")
    for node in graph.nodes - {NAF}:
        for clause in program.clauses[node]:
            if clause.body and clause.head.positive:
                goal = _terms(clause.head)
                wanted = f"edge({node},Above), lacks(Above,{goal})"
                lines.append(_rule(f"tries({node},{goal})", [wanted], clause))
                for literal in clause.body:
                    if literal.positive:
                        fails = [f"tries({node},{goal})", f"not derived({_terms(literal)})"]
                        lines.append(_rule(f"lacks({node},{_terms(literal)})", fails, clause))
    (model,) = _models("\n".join(lines))
    return {symbol.arguments[0].number for symbol in model if symbol.name == "tries"}


@lru_cache(maxsize=256)
def _stable(program: Program, others: frozenset[str]) -> list[set[Literal]]:
    return stable_models(program, others)


def _models(text: str) -> list[list[clingo.Symbol]]:
    control = clingo.Control(["0"], logger=_log)
    control.add("base", [], text)
    control.ground([("base", [])])
    with control.solve(yield_=True) as found:
        return [list(model.symbols(atoms=True)) for model in found]


def _log(code: clingo.MessageCode, message: str) -> None:
    if code != clingo.MessageCode.AtomUndefined:  # a condition that no sentence can meet
        raise AssertionError(message)


def _rule(head: str, body: Iterable[str], clause: Clause) -> str:
    """A rule in which every variable of the clause is an entity."""
    conditions = [*(f"entity({_term(v)})" for v in sorted(clause.variables)), *body]
    return f"{head} :- {', '.join(conditions)}." if conditions else f"{head}."


def _condition(literal: Literal) -> str:
    return f"not {_atom(literal)}" if literal.sign == Sign.NAF else _atom(literal)


def _atom(literal: Literal, node: str | None = None) -> str:
    """`node` is the sentence that states it, if given."""
    name = "not_true" if literal.sign == Sign.NEGATIVE else "true"
    return f"{name}({'' if node is None else f'{node},'}{_terms(literal)})"


def _terms(literal: Literal) -> str:
    return ",".join(map(_term, literal[:3]))


@lru_cache(maxsize=4096)
def _term(term: str) -> str:
    if is_variable(term):
        return f"Of{term.removeprefix('?')}"
    return str(clingo.String(term))


def _entities(names: Iterable[str]) -> str:
    return " ".join(f"entity({_term(name)})." for name in names)


def _derived(possible: Facts) -> Iterator[str]:
    return (f"derived({_terms(literal)})." for literal in possible if literal.positive)


def _edges(graph: Graph) -> str:
    return " ".join(f"edge({premise},{rule})." for premise, rule in graph.edges)


def _literal(symbol: clingo.Symbol) -> Literal:
    sign = Sign.NEGATIVE if symbol.name == "not_true" else Sign.POSITIVE
    subject, relation, object_ = (argument.string for argument in symbol.arguments[-3:])
    return Literal(subject, relation, object_, sign)
