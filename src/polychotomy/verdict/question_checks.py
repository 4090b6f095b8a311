"""Whether a question can be answered by a study, asked before anything is fitted."""

from __future__ import annotations

from polychotomy.exceptions import InvalidInput
from polychotomy.study import Study
from polychotomy.study.racing import require_raceable
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
