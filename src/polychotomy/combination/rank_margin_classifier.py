"""MST09 as an estimator: several classifiers, weighted by their rank margin on samples not seen."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit
from sklearn import get_config
from sklearn.base import BaseEstimator, clone
from sklearn.ensemble._base import _BaseHeterogeneousEnsemble
from sklearn.model_selection import StratifiedKFold, check_cv, cross_val_predict
from sklearn.utils import Bunch
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    _raise_for_params,
    process_routing,
)
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import (
    _check_sample_weight,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
)

from polychotomy.calibration.sigmoid import Sigmoid, fit_platt
from polychotomy.combination.margin_weights import rank_margin_weights
from polychotomy.combination.tuned_margin import SETTINGS, tuned_margin_weights
from polychotomy.combination.two_classes import (
    Response,
    TwoClassClassifier,
    find_scaling,
    positive_output,
    response_of,
    scale,
    split_two_classes,
)
from polychotomy.core.arguments import unexpected
from polychotomy.core.arrays import Bools, Floats, Probabilities
from polychotomy.core.estimators import check_parameters, takes_sample_weight
from polychotomy.core.exceptions import InvalidInput

Member = tuple[str, BaseEstimator]


class RankMarginClassifier(TwoClassClassifier, _BaseHeterogeneousEnsemble):
    """Weighted sum of several classifiers, with weights learned for a large AUC, for two classes.

    [MST09]_ with what it leaves for the future. The weights are learned on scores of samples that
    the classifier in question has not seen: cross-fitted ones, or new samples where the
    classifiers are fitted already. Probabilities are Platt's sigmoid of the weighted sum, fitted
    on the same scores. For three or more classes use ``CodedClassifier(RankMarginClassifier(…))``.

    Parameters
    ----------
    estimators : list of (str, classifier)
        "drop" in place of a classifier leaves it out.
    margin : {"tuned", "soft", "hard"}
        "tuned": slack and pull by cross-fitted AUC (:func:`tuned_margin_weights`). "soft": the
        mean margin with a pull of 1, the first setting of "tuned", at no cost. "hard": the
        paper's (:func:`rank_margin_weights` without slack), which a few samples decide.
    cv : int, splitter or iterable
        How the scores are cross-fitted. Classifiers that are fitted already, on other samples,
        are used as they are in scikit-learn's ``FrozenEstimator``.
    n_jobs : int, optional
        Classifiers fitted at a time.

    Attributes
    ----------
    classes_ : (2,) array
        The second is the positive class.
    estimators_ : list of classifiers
        Fitted on all samples; those dropped left out.
    named_estimators_ : Bunch
        By name; "drop" where dropped.
    weights_ : (m,) array
        On the simplex, in the order of ``estimators_``.
    margin_fit_ : RankMarginFit
        How the weights were found.
    responses_ : list of str
        The method that each score comes from: :mod:`~polychotomy.combination.two_classes`.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from polychotomy import RankMarginClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> combined = RankMarginClassifier(
    ...     [("bayes", GaussianNB()), ("tree", DecisionTreeClassifier(max_depth=3, random_state=0))]
    ... ).fit(X[::2], y[::2])
    >>> float(combined.weights_.sum())
    1.0
    >>> combined.member_scores(X[1::2]).shape
    (284, 2)
    >>> bool(combined.score(X[1::2], y[1::2]) > 0.9)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "estimators": [list, tuple],
        "margin": [StrOptions({"tuned", "soft", "hard"})],
        "cv": [
            Interval(Integral, 2, None, closed="left"),
            HasMethods(["split", "get_n_splits"]),
            "array-like",
        ],
        "n_jobs": [None, Integral],
    }

    def __init__(
        self,
        estimators: list[tuple[str, BaseEstimator]],
        *,
        margin: Literal["tuned", "soft", "hard"] = "tuned",
        cv: int | Any = 5,
        n_jobs: int | None = None,
    ) -> None:
        self.estimators = estimators
        self.margin = margin
        self.cv = cv
        self.n_jobs = n_jobs

    @property
    def weights_(self) -> Floats:
        """Weights of the members, on the simplex."""
        check_is_fitted(self)
        return self.margin_fit_.weights

    def get_metadata_routing(self) -> MetadataRouter:
        """Say that what ``fit`` is given besides X and y goes to the members' ``fit``."""
        router = MetadataRouter(owner=self)
        for name, one in self.estimators:
            if not isinstance(one, str):
                mapping = MethodMapping().add(caller="fit", callee="fit")
                router.add(**{name: one}, method_mapping=mapping)
        return router

    def fit(self, X: Any, y: ArrayLike, **fit_params: Any) -> Self:
        """Cross-fit the scores, learn the weights on them, fit the members on all samples.

        Parameters
        ----------
        X : array-like or sparse matrix, (n, features)
            Passed on to the members as it is.
        y : (n,) array-like
            Two classes.
        **fit_params : dict
            ``sample_weight`` goes to every member; with scikit-learn's metadata routing
            (``sklearn.set_config(enable_metadata_routing=True)``) this and any other metadata go
            to the members that request them. The margin itself weighs all samples alike, but
            for those of no weight, which it leaves out.
        """
        check_parameters(self)
        _raise_for_params(fit_params, self, "fit", allow=["sample_weight"])
        members = self._used_members()
        labels = column_or_1d(y, warn=True)
        check_consistent_length(X, labels)
        counts = _check_sample_weight(
            fit_params.get("sample_weight"), X, dtype=np.float64, ensure_non_negative=True
        )
        self.classes_, positive = split_two_classes(labels, self, counts=counts)
        self.responses_ = [response_of(one) for _, one in members]
        routed = self._route(members, fit_params)
        outputs = self._to_numbers(self._cross_fit(members, X, labels, positive, routed))
        fitted = dict(zip([name for name, _ in members], self.estimators_, strict=True))
        self.named_estimators_ = Bunch(**dict.fromkeys(self.named_estimators, "drop") | fitted)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimators_[0], name):
                setattr(self, name, getattr(self.estimators_[0], name))
        weighty = counts > 0
        self._learn([output[weighty] for output in outputs], positive[weighty])
        return self

    def _used_members(self) -> list[Member]:
        """Return the members that are not dropped, or say what is wrong with them."""
        try:
            members = zip(*self._validate_estimators(), strict=True)
        except AttributeError:  # scikit-learn's answer to what is no estimator at all
            raise unexpected("estimators", self.estimators, "classifiers, or 'drop'") from None
        except ValueError as error:
            raise InvalidInput(str(error)) from None
        return [(name, one) for name, one in members if one != "drop"]

    def _route(self, members: list[Member], params: dict[str, Any]) -> Bunch:
        """Say what goes to the ``fit`` of each member, as scikit-learn's VotingClassifier does."""
        given = {name: value for name, value in params.items() if value is not None}
        if get_config()["enable_metadata_routing"]:
            return process_routing(self, "fit", **params)
        for name, one in members:
            if given and not takes_sample_weight(one):
                raise InvalidInput(
                    f"the estimator {name!r}, {type(one).__name__}, takes no sample_weight; "
                    "expected estimators that do. Leave it or the weights out."
                )
        return Bunch(**{name: Bunch(fit=given) for name, _ in members})

    def _cross_fit(
        self, members: list[Member], X: Any, y: NDArray[Any], positive: Bools, routed: Bunch
    ) -> list[NDArray[Any]]:
        """Fit the members on all samples; return outputs of fits that had not seen the sample."""
        splits = list(_splitter(self.cv, positive).split(X, positive))
        fitted = Parallel(n_jobs=self.n_jobs)(
            delayed(_fit_member)(one, X, y, splits, response, routed[name].fit)
            for (name, one), response in zip(members, self.responses_, strict=True)
        )
        self.estimators_ = [one for one, _ in fitted]
        return [output for _, output in fitted]

    def _learn(self, outputs: list[Floats], positive: Bools) -> None:
        self.scalings_ = [
            find_scaling(values, response, positive)
            for values, response in zip(outputs, self.responses_, strict=True)
        ]
        scores = self._scale(outputs)
        if self.margin == "hard":
            self.margin_fit_ = rank_margin_weights(scores, positive)
        elif self.margin == "soft":
            slack, pull = SETTINGS[0]
            self.margin_fit_ = rank_margin_weights(scores, positive, slack=slack, pull=pull)
        else:
            self.margin_fit_ = tuned_margin_weights(scores, positive)
        fit = fit_platt(scores @ self.margin_fit_.weights, positive, keep_order=True)
        self.sigmoid_ = (float(fit.slope), float(fit.intercept))

    def _to_numbers(self, outputs: Iterable[NDArray[Any]]) -> list[Floats]:
        pairs = zip(outputs, self.responses_, strict=True)
        return [positive_output(np.asarray(o), name, self.classes_[1]) for o, name in pairs]

    def _scale(self, outputs: list[Floats]) -> Floats:
        parts = zip(outputs, self.responses_, self.scalings_, strict=True)
        return np.stack([scale(*part) for part in parts], axis=1)

    def member_scores(self, X: Any) -> Floats:
        """Return the members' scores, (n, m) in [−1, 1]."""
        check_is_fitted(self)
        members = zip(self.estimators_, self.responses_, strict=True)
        return self._scale(self._to_numbers(getattr(one, name)(X) for one, name in members))

    def decision_function(self, X: Any) -> Floats:
        """Return the log-odds of ``classes_[1]``, (n,): the weighted sum, moved and stretched."""
        combined = self.member_scores(X) @ self.weights_
        return Sigmoid(*self.sigmoid_).logits(combined)

    def predict_proba(self, X: Any) -> Probabilities:
        """Return the calibrated probabilities of the two classes, (n, 2)."""
        log_odds = self.decision_function(X)
        return np.stack([expit(-log_odds), expit(log_odds)], axis=1)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the more probable class."""
        places = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[places])


def _splitter(cv: Any, positive: Bools) -> Any:
    if not isinstance(cv, Integral):
        return check_cv(cv, positive, classifier=True)
    smaller = int(min(positive.sum(), (~positive).sum()))
    if smaller < 2:
        raise InvalidInput(
            f"the smaller class has {smaller} sample; cross-fitting needs two or more of each "
            "class. Pass classifiers fitted on other samples, each in a FrozenEstimator."
        )
    # Shuffled: the order of the rows must not decide which samples are scored by which fit.
    return StratifiedKFold(min(int(cv), smaller), shuffle=True, random_state=0)


def _fit_member(
    member: BaseEstimator,
    X: Any,
    y: NDArray[Any],
    splits: list[tuple[NDArray[Any], NDArray[Any]]],
    response: Response,
    params: dict[str, Any],
) -> tuple[BaseEstimator, NDArray[Any]]:
    fitted = clone(member).fit(X, y, **params)
    output = cross_val_predict(clone(member), X, y, cv=splits, method=response, params=params)
    return fitted, np.asarray(output)
