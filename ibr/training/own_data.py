"""Questions that come without proofs or logic, as {"context", "question", "answer"}.

The text is read as it is when a model is asked (`ibr.inputs.normalise`). If the solver can read it
and comes to the labelled answer, its logic and its proof are the gold ones. Otherwise only the
answer can be learned, and only by IBR with a pretrained encoder; others need proofs.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from ibr.data.formats.example import Example
from ibr.inputs.model_words import ModelWords, default_words
from ibr.inputs.normalise import prepare
from ibr.logic.solver_reasoner import Solvers
from ibr.model.config import IBRConfig
from ibr.reasoner import Unanswerable
from ibr.training.systems import ModelConfig


@dataclass
class DataReport:
    """What the questions of some files can be used for."""

    questions: int = 0
    solved: int = 0  # the proof is the solver's
    answers: int = 0  # only the answer is learned
    unused: int = 0

    def lines(self) -> Iterator[str]:
        for count, what in (
            (self.solved, "have no proof in the data: the solver's is learned"),
            (self.answers, "have no proof, nor has the solver: only their answer is learned"),
            (self.unused, "cannot be learned from: no proof, nor has the solver one"),
        ):
            if count:
                yield f"{count:,} of {self.questions:,} questions {what}"


@dataclass(frozen=True)
class Completion:
    """Fills in what a system learns from; counts in `report`, leaves out what it cannot use."""

    config: ModelConfig
    words: ModelWords = field(default_factory=default_words)
    report: DataReport = field(default_factory=DataReport)
    solvers: Solvers = field(default_factory=Solvers)

    def __call__(self, examples: Iterable[Example]) -> Iterator[Example]:
        for example in examples:
            self.report.questions += 1
            if not (example.proofs and example.program):
                example = self._solved(example)
                self.report.solved += bool(example.proofs)
            if example.proofs:
                yield example
            elif isinstance(self.config, IBRConfig) and self.config.pretrained is not None:
                self.report.answers += 1
                yield example
            else:
                self.report.unused += 1

    def _solved(self, example: Example) -> Example:
        """With logic and the solver's proof, if that can be had; its proofs as given are kept."""
        rewrite = self.config.compact is not None and not example.proofs
        prepared, question = prepare(example.problem, self.words, rewrite)
        problem = replace(example.problem, theory=prepared.theory, question=question)
        try:
            logic, solver = self.solvers.of(problem)
        except Unanswerable:
            return replace(example, problem=problem)
        program, asked = logic
        if solver.judge(asked).answer != example.answer or program.unreadable:
            return replace(example, problem=problem)
        proofs = example.proofs or (solver.evidence(asked),)
        return replace(example, problem=problem, proofs=proofs, program=program, literal=asked)
