"""A trained rival as a `Reasoner`: from problems to what a system reads, and back."""

from collections.abc import Sequence

from ibr.baselines.system import Answered, Baseline, TooManySentences
from ibr.inputs.arrays import Asked
from ibr.inputs.normalise import NormalisedTheory, prepare
from ibr.logic.reading import ReadError
from ibr.prediction import Prediction, Source
from ibr.proof import NAF, Graph
from ibr.reasoner import Unanswerable
from ibr.theory import Problem, Question


class RivalReasoner:
    """Questions in a row about one theory are asked together; the meter adds up over calls."""

    def __init__(self, model: Baseline, name: str | None = None) -> None:
        self.model, self.name = model.eval(), name or model.name
        self.meter = model.meter
        self._normalises = model.config.compact is not None  # as IBR: the others know many words

    @property
    def parameters(self) -> int:
        return sum(parameter.numel() for parameter in self.model.parameters())

    def prove(self, problems: Sequence[Problem]) -> list[Prediction]:
        groups: list[tuple[NormalisedTheory, list[Question]]] = []
        for problem in problems:
            given, question = prepare(problem, self.model.words, self._normalises)
            if not groups or groups[-1][0] != given:
                groups.append((given, []))
            groups[-1][1].append(question)
        sources = [given.source for given, questions in groups for _ in questions]
        try:
            found = self.model.answer([Asked(given.theory, asked) for given, asked in groups])
        except TooManySentences as error:
            raise Unanswerable(problems[0], "sentences", str(error)) from error
        except ReadError as error:
            raise Unanswerable(problems[0], "question", str(error)) from error
        rows = zip(problems, found, sources, strict=True)
        return [self._prediction(*row) for row in rows]

    def _prediction(self, problem: Problem, found: Answered, source: Sequence[int]) -> Prediction:
        """A malformed proof is claimed and not there, so that metrics count it as wrong."""
        return Prediction(
            id=problem.id,
            answer=found.answer,
            reasoner=self.name,
            strategy=found.strategy,
            graph=None if found.graph is None else _cited(found.graph, source),
            source=Source.MODEL,
            confidence=found.confidence,
        )


def _cited(graph: Graph, source: Sequence[int]) -> Graph:
    """The same over the sentences of the rulebook; one that was read in parts is one node."""

    def place(node: int) -> int:
        return NAF if node == NAF else source[node]

    edges = ((place(premise), place(rule)) for premise, rule in graph.edges)
    return Graph.of(map(place, graph.nodes), edges)
