"""Whether a question can be answered by a study, asked before anything is fitted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polychotomy.comparison import Criterion
from polychotomy.exceptions import InvalidInput
from polychotomy.study import Study
from polychotomy.study.racing import require_raceable
from polychotomy.study.target import quote
from polychotomy.verdict.case import is_yardstick
from polychotomy.verdict.question import Question


def check_question(question: Question, study: Study) -> None:
    """Refuse a question that the fits of a study could not answer.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> candidates = {"MAX": DummyClassifier(), "naive Bayes": GaussianNB()}
    >>> study = Study(candidates, *load_iris(return_X_y=True))
    >>> check_question(Question(against="baseline"), study)
    >>> check_question(Question(against="nave Bayes"), study)
    Traceback (most recent call last):
    ...
    polychotomy.exceptions.InvalidInput: against 'nave Bayes' is none of the candidates: MAX, \
naive Bayes. Expected one of them, or 'baseline' for the one that ignores the features.
    """
    if question.race:
        require_raceable(study.plan)
    if question.criterion.costs is not None:
        question.criterion.check_classes(study.data.target.names)
    if question.against is not None:
        _check_against(question.against, study)


def note_costs(criterion: Criterion, classes: Sequence[str]) -> list[str]:
    """Tell of costs by which an error is cheaper than the right answer.

    Examples
    --------
    >>> costs = Criterion(name="cost", costs=np.array([[0.0, 5.0], [-1.0, 0.0]]))
    >>> print(*note_costs(costs, ["healthy", "ill"]))
    the cost matrix rewards an error: 'ill' taken for 'healthy' costs -1, rightly told 0; a row is \
a true class, a column a predicted one
    """
    if criterion.costs is None:
        return []
    right = np.diag(criterion.costs)[:, np.newaxis]
    rewarded = np.argwhere(criterion.costs < right)
    if not len(rewarded):
        return []
    truth, predicted = rewarded[0].tolist()
    more = f" (and {len(rewarded) - 1} more like it)" if len(rewarded) > 1 else ""
    return [
        f"the cost matrix rewards an error: {quote(classes[truth])} taken for "
        f"{quote(classes[predicted])} costs {criterion.costs[truth, predicted]:g}, rightly told "
        f"{criterion.costs[truth, truth]:g}{more}; a row is a true class, a column a predicted one"
    ]


def _check_against(against: str, study: Study) -> None:
    names = list(study.candidates)
    baseline = against == "baseline" and any(map(is_yardstick, study.candidates.values()))
    if against == "baseline" and against not in names and not baseline:
        raise InvalidInput(
            f"against 'baseline', but none of the candidates ignores the features: "
            f"{', '.join(names)}. Add one that does: on the command line MAX to the names in "
            '--candidates ("MAX,…"), in Python DummyClassifier().'
        )
    if against not in names and not baseline:
        raise InvalidInput(
            f"against {against!r} is none of the candidates: {', '.join(names)}. Expected "
            "one of them, or 'baseline' for the one that ignores the features."
        )
    if len(names) == 1:
        raise InvalidInput(
            f"against {against!r}, which is the only candidate; expected another to compare."
        )
