"""The winner fitted once more, on all data."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from polychotomy._version import __version__
from polychotomy.comparison import Criterion
from polychotomy.core.arrays import Floats
from polychotomy.core.exceptions import InvalidInput, LearnerError
from polychotomy.core.seeds import check_seed, seed_of
from polychotomy.learners.numbered_labels import with_numbered_labels
from polychotomy.model.card import write_card
from polychotomy.model.model import Model, gathering_warnings
from polychotomy.model.recalibrated import RecalibratedClassifier
from polychotomy.model.schema import describe_table
from polychotomy.study.design.dataset import Target
from polychotomy.study.fitting.fit import seeded
from polychotomy.tables.dates import with_dates
from polychotomy.validation import Recalibration

_PACKAGES = ("numpy", "pandas", "scikit-learn", "scipy", "skops", "skrub")


def fit_model(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    candidate: str = "model",
    dataset: str = "data",
    target: str = "y",
    recalibration: Recalibration | None = None,
    costs: ArrayLike | None = None,
    sentences: Sequence[str] = (),
    random_state: int = 0,
) -> Model:
    """Fit a candidate on all data, to keep and to use.

    Parameters
    ----------
    estimator : classifier
        Cloned; its random parts without a seed get one from ``random_state``.
    X : (n, features) DataFrame, array or sparse matrix
    y : (n,) labels
        Predictions come back in their type.
    candidate, dataset, target : str
        What to call the candidate, the data and the labels.
    recalibration : Recalibration, optional
        Learned on the candidate's out-of-fold probabilities; put on top of the fitted model.
    costs : (k, k) array-like, optional
        ``costs[truth, predicted]``, classes in sorted order: the model then predicts the class
        of the least expected cost by its (recalibrated) probabilities, not the most probable.
    sentences : sequence of str
        What the card says was found about the candidate.
    random_state : int
        Seed of the fit.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy.model import fit_model
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> model = fit_model(GaussianNB(), X, y, candidate="naive Bayes", dataset="wine")
    >>> print(model.card.splitlines()[0])
    # naive Bayes on wine
    """
    seed = check_seed(random_state)
    fits = hasattr(estimator, "fit") and hasattr(estimator, "get_params")
    if isinstance(estimator, type) or not fits:
        raise InvalidInput(f"estimator is {estimator!r}; expected a classifier, not yet fitted.")
    labels = Target.from_labels(y, name=target)
    if not hasattr(X, "shape"):
        X = np.asarray(X)
    if len(X.shape) != 2 or X.shape[0] != len(labels.codes):
        raise InvalidInput(
            f"X has shape {tuple(X.shape)} and y has {len(labels.codes)} labels; expected X of "
            f"shape ({len(labels.codes)}, features)."
        )
    if hasattr(X, "iloc"):
        X = with_dates(X)
    calibrator = None
    if recalibration is not None and recalibration.chosen != "none":
        calibrator = recalibration.calibrator
    numbered = with_numbered_labels(estimator)
    ready = seeded(clone(numbered), seed_of(seed, "model", dataset, candidate))
    classifier = RecalibratedClassifier(ready, calibrator, _checked_costs(costs, labels))
    try:
        with gathering_warnings() as warned:
            classifier.fit(X, labels.classes[labels.codes])
    except Exception as error:  # whatever the learner raises
        raise LearnerError(
            f"the candidate {candidate!r} cannot be fitted on all data: {type(error).__name__}: "
            f"{error}"
        ) from error
    schema = describe_table(X, y, labels, name=target)
    versions = _versions()
    card = write_card(
        candidate=candidate,
        dataset=dataset,
        estimator=ready,
        schema=schema,
        counts=labels.counts.tolist(),
        recalibration=recalibration,
        costs=classifier.costs,
        sentences=sentences,
        warnings=warned,
        random_state=seed,
        versions=versions,
    )
    return Model(name=candidate, classifier=classifier, schema=schema, card=card, versions=versions)


def _checked_costs(costs: ArrayLike | None, labels: Target) -> Floats | None:
    if costs is None:
        return None
    try:
        given = np.asarray(costs, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidInput(f"costs is {costs!r}; expected a square matrix of numbers.") from None
    checked = Criterion(name="cost", costs=given).costs
    k = len(labels.classes)
    if checked is None or len(checked) != k:
        raise InvalidInput(
            f"costs has shape {np.shape(costs)}; expected ({k}, {k}), a row a true class, a column "
            "a predicted one."
        )
    return checked


def _versions() -> dict[str, str]:
    found = {"polychotomy": __version__}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # on the path but not installed
            continue
    return found
