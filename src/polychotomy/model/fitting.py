"""The winner fitted once more, on all data, and the card that says so in Markdown."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone

from polychotomy._version import __version__
from polychotomy.comparison import Criterion
from polychotomy.core.arguments import as_floats, unexpected
from polychotomy.core.exceptions import InvalidInput, LearnerError
from polychotomy.core.files import writing_whole
from polychotomy.core.numbers import counted, short
from polychotomy.core.seeds import check_seed, seed_of
from polychotomy.learners.numbered_labels import with_numbered_labels
from polychotomy.model.model import Model, gathering_warnings
from polychotomy.model.recalibrated import RecalibratedClassifier
from polychotomy.model.schema import describe_table
from polychotomy.report.text import escape_markdown, printable
from polychotomy.study.design.dataset import Dataset
from polychotomy.study.design.plan import RepeatedFolds
from polychotomy.study.design.specification import installed
from polychotomy.study.design.trials import TrialKey
from polychotomy.study.fitting.limits import Limits
from polychotomy.study.fitting.seeding import seeded
from polychotomy.study.fitting.work import Work, split_data
from polychotomy.study.workers.processes import warm_up
from polychotomy.study.workers.runner import run_trials
from polychotomy.tables.reading import as_pandas
from polychotomy.validation import PredictionSets, Recalibration
from polychotomy.verdict import Verdict

_PACKAGES = ("numpy", "pandas", "scikit-learn", "scipy", "skops", "skrub")

_LONGEST = 60  # characters shown of a name

_MOST_ROWS = 200  # columns or classes listed


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
    sets: PredictionSets | None = None,
    sentences: Sequence[str] = (),
    random_state: int = 0,
) -> Model:
    """Fit a candidate on all data, to keep and to use.

    It is fitted in this process, as by its own ``fit``, without limits. Why not in a worker, as
    the fits of a study and that of ``judge --model`` are: what is returned is the fitted object,
    and to take it over from another process, then to predict with it, is to run its code here all
    the same. What cannot be pickled could then not be fitted either.

    Parameters
    ----------
    estimator : classifier
        Cloned; its random parts without a seed get one from ``random_state``.
    X : (n, features) DataFrame, array or sparse matrix
    y : (n,) labels
        Predictions come back in their type; those of dates and other objects as texts.
    candidate, dataset, target : str
        What to call the candidate, the data and the labels.
    recalibration : Recalibration, optional
        Learned on the candidate's out-of-fold probabilities; put on top of the fitted model.
    costs : (k, k) array-like, optional
        ``costs[truth, predicted]``, classes in sorted order: the model then predicts the class
        of the least expected cost by its (recalibrated) probabilities, not the most probable.
    sets : PredictionSets, optional
        Of the candidate's out-of-fold probabilities, for ``predict_sets``.
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
        raise unexpected("estimator", estimator, "a classifier, not yet fitted")
    y = as_pandas(y)
    data = Dataset.of(X, y, name=target)
    labels = data.target
    advised = recalibration is not None and recalibration.chosen != "none"
    numbered = with_numbered_labels(estimator)
    ready = seeded(clone(numbered), seed_of(seed, "model", dataset, candidate))
    classifier = RecalibratedClassifier(
        ready,
        recalibration.chosen if recalibration and advised else None,
        None if costs is None else Criterion(name="cost", costs=as_floats("costs", costs)).costs,
        sets is not None,
    )
    try:
        with gathering_warnings() as warned:
            classifier._fit_alone(data.X, labels.classes[labels.codes])
    except InvalidInput:
        raise
    except Exception as error:  # whatever the learner raises
        raise LearnerError(
            f"the candidate {candidate!r} cannot be fitted on all data: {type(error).__name__}: "
            f"{error}"
        ) from error
    # Learned from all of the study's predictions; a fit to other rows learns them from its own.
    classifier._learned(
        recalibration.calibrator if recalibration and advised else None,
        None if sets is None else np.array(sets.thresholds),
    )
    schema = describe_table(data.X, y, labels, name=target)
    versions = {"polychotomy": __version__} | installed(_PACKAGES)
    listed = ", ".join(f"{package} {number}" for package, number in versions.items())
    model = Model.of(classifier, name=candidate, schema=schema, card="", versions=versions)
    findings = [*(sentences or ["Nothing was recorded."])]
    findings += [f"Warned when it was fitted: {one}" for one in warned]
    try:
        card = write_card(model, dataset, labels.counts.tolist(), findings, recalibration)
        card += f"\n\nSeed {seed}. {listed}.\n\n```\n{str(ready).replace('```', '')}\n```\n"
    except Exception as error:  # the card describes the model: no mistake in it costs that
        card = f"The card could not be written: {type(error).__name__}: {error}\n"
    model.card = card
    return model


def fit_winner(verdict: Verdict) -> Model:
    """Fit a verdict's best candidate on all rows; see :meth:`Verdict.fit`."""
    study = verdict.study
    if study is None:
        raise InvalidInput(
            "this verdict has no table to fit its winner on: it was pickled, or is about "
            "predictions made elsewhere. Give it: fit_model(candidates[verdict.best], X, y, "
            "recalibration=verdict.trust.recalibration), of polychotomy.model."
        )
    name = getattr(study.y, "name", None)
    target = "y" if name is None else str(name)
    estimator = study.candidates[verdict.best]
    return fit_model(estimator, study.X, study.y, target=target, **winner_options(verdict))


def winner_options(verdict: Verdict) -> dict[str, Any]:
    """Return what :func:`fit_model` is to make of a verdict's best candidate."""
    if verdict.contradicts:  # a model decides by probabilities, and would decide otherwise
        raise LearnerError(
            f"no model was made: the probabilities of {verdict.best!r} contradict its labels, "
            "and a model decides by them. Let its predict_proba have a column for each of its "
            "classes_, in that order."
        )
    decisions = verdict.decisions
    return {
        "candidate": verdict.best, "dataset": verdict.dataset["name"],
        "recalibration": None if verdict.trust.hard else verdict.trust.recalibration,
        "costs": verdict.criterion.costs if decisions is None else decisions.costs,
        "sets": verdict.sets, "sentences": [sentence.text for sentence in verdict.sentences()],
        "random_state": verdict.provenance["seed"],
    }  # fmt: skip


class _Writing(BaseEstimator):
    """A candidate whose fit makes a model and writes it, and so is contained as every fit is.

    Why the worker writes it: to read what a candidate's process has pickled is to run its code.
    """

    classes_ = np.arange(2)

    def __init__(self, path: Path, data: tuple[Any, ...], options: dict[str, Any]) -> None:
        self.path, self.data, self.options = path, data, options

    def __sklearn_clone__(self) -> _Writing:
        return self

    def fit(self, X: Any, y: Any) -> _Writing:
        fit_model(*self.data, **self.options).save(self.path, force=True)
        return self

    def predict(self, X: Any) -> Any:
        return np.zeros(len(X), dtype=int)


def write_model(
    path: Path, estimator: Any, X: Any, y: Any, *, candidate: str, limits: Limits, **options: Any
) -> None:
    """Fit a model in a process of its own and write it to a file, whole or not at all.

    Whatever the candidate does there, taking too long or too much memory included, is a
    ``LearnerError`` here. Other parameters are those of :func:`fit_model`.
    """
    warm_up(("polychotomy.model.skops_io",))  # once in the fork server, not in every process
    options["candidate"] = candidate
    plan, data = RepeatedFolds(repetitions=1, folds=2), Dataset.of(np.zeros((4, 1)), [0, 1, 0, 1])
    key = TrialKey("model", candidate, plan.name, run=0, repetition=0, fold=1)
    with writing_whole(path) as temporary, tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "made.skops")
        work = Work(
            candidates={candidate: _Writing(made, (estimator, X, y), options)}, seed=0,
            datasets={"model": data}, plans={plan.name: plan},
            splits={("model", plan.name): split_data(plan, data, 0)},
        )  # fmt: skip
        (outcome,) = run_trials(work, [key], limits=limits)
        if outcome.status != "ok":
            said = outcome.cause.partition("LearnerError: ")[2]  # what fit_model raises is whole
            raise LearnerError(
                said or f"the candidate {candidate!r} cannot be fitted on all data: {outcome.cause}"
            )
        shutil.copyfile(made, temporary)


def write_card(
    model: Model,
    dataset: str,
    counts: Sequence[int],
    findings: Sequence[str],
    recalibration: Recalibration | None,
) -> str:
    """Write the card up to how the model was made. What comes from the data is escaped."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    schema, costs = model.schema, model.costs
    page = Environment(
        loader=PackageLoader("polychotomy.model"), undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    page.filters |= {"plain": escape, "counted": counted}
    rows = [] if costs is None else zip(schema.labels, costs.tolist(), strict=True)
    return page.get_template("card.md").render(
        model=model, schema=schema, dataset=dataset, counts=counts, findings=findings,
        recalibration=recalibration, version=__version__, most=_MOST_ROWS,
        classes=[*zip(schema.labels, counts, strict=True)],
        columns=[(c.name, c.kind, "yes" if c.has_missing else "no") for c in schema.columns],
        costs=[(label, *map("{:g}".format, row)) for label, row in rows],
    )  # fmt: skip


def escape(value: object, *, longest: int = _LONGEST) -> str:
    r"""Make text from the data plain in Markdown and HTML; long text is cut.

    Examples
    --------
    >>> print(escape("<b>a|b</b>\n# x"))
    \<b\>a\|b\</b\> \# x
    """
    plain = escape_markdown(short(printable(str(value)), longest)).lstrip()
    return f"\\{plain}" if plain.startswith(("-", "+", "=")) else plain  # no list, no heading
