"""CodedClassifier: any two-class learner made a many-class one by a code and a decoder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import check_is_fitted, validate_data

from polychotomy.calibration.calibrators import FLOOR
from polychotomy.calibration.temperature import fit_exponent_and_share, sharpen
from polychotomy.core.arrays import Bools, Code, Floats, Ints, Outputs, Probabilities
from polychotomy.core.chunks import in_chunks
from polychotomy.core.exceptions import InvalidInput
from polychotomy.decoding import decode_letters, decode_votes, make_decoder
from polychotomy.decoding.prepared import PreparedDecoder
from polychotomy.multiclass import dichotomies, inputs, letters, training
from polychotomy.multiclass.merged import has_logistic_link
from polychotomy.multiclass.training import Response, TrainingData

_TINY = float(np.finfo(np.float64).tiny)


def decoder_weights(weights: Floats, trained: Bools, decoder: str) -> Floats | None:
    """Return the weights (l,) for a decoder: n of each dichotomy, or whether it has any.

    Votes and losses are counts of equal terms; None means that all weigh the same.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.multiclass.coded_classifier import decoder_weights
    >>> decoder_weights(np.array([3.0, 4.0]), np.array([True, True]), "bradley-terry")
    array([3., 4.])
    """
    if decoder in ("votes", "loss"):
        weights = (weights > 0).astype(np.float64)
    seen = weights[trained]
    return None if np.all(seen == seen[0]) else weights


def log_scores(probabilities: Probabilities) -> Floats:
    """Return finite log-probabilities, the largest where that of the probabilities is.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.multiclass.coded_classifier import log_scores
    >>> log_scores(np.array([[1.0, 0.0]])).round(1)
    array([[   0. , -708.4]])
    """
    scores = np.log(np.maximum(probabilities, _TINY))
    winner = np.argmax(probabilities, axis=1)
    # Two probabilities that differ in the last bit may have one logarithm.
    astray = np.flatnonzero(np.argmax(scores, axis=1) != winner)
    scores[astray, winner[astray]] = np.nextafter(scores[astray].max(axis=1), np.inf)
    return scores


_PROBABLE = ("bradley-terry", "least-squares")  # the others are shares of votes, and losses


# Samples that the temperature is learned from: fewer where each takes long to decode, for it is
# but two numbers, and never more outputs than 120 MB.
_MOST_TOGETHER, _FEWEST_TOGETHER = 1000, 30
_MOST_WORK, _MOST_CUBED, _MOST_OUTPUTS = 2_000_000, 3_000_000_000, 15_000_000


class CodedClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Many classes from a two-class learner: a code says which dichotomies, a decoder joins them.

    Each row of the code is a dichotomy: some classes against others. A learner is fitted for each
    (once for rows equal up to sign, never for rows with one side), its answers become
    probabilities, and the decoder finds the class probabilities that agree with them best. With
    ``code="one-vs-one"`` and ``decoder="bradley-terry"`` this is pairwise coupling ([HT98]_), with
    ``code="orthogonal"`` and ``decoder="least-squares"`` the method of [M24]_.

    `predict` is always ``classes_[argmax(predict_proba)]``. With two classes the learner is left
    as it is: its own probabilities where it has them, else its own decision values.

    Parameters
    ----------
    estimator : classifier
        Any scikit-learn classifier for two classes, pipelines included.
    code : str, (l, k) array-like or callable
        "one-vs-one", "one-vs-rest", "orthogonal", "exhaustive", "nested", "random-dense",
        "random-sparse", a matrix with entries −1, 0, +1, or a function of k that returns one.
        "auto" is "one-vs-rest" for logistic models of text, or of sparse samples with more features
        than samples, where pairs are less sure than they could be and many times as large
        (docs/results/code_choice.md), else "one-vs-one". With ``classes_at_most`` it is
        `polychotomy.codes.balanced`, or for logistic models rows that name all letters but one for
        a class each, and then a matrix has letters 0, 1, … and −1 for a class that is not asked.
    decoder : {"auto", "bradley-terry", "least-squares", "votes", "loss"}
        How outputs become class probabilities; see `polychotomy.decoding.decode`. "auto" is
        "least-squares" for pairs of classes whose outputs are calibrated or of a logistic model,
        else "bradley-terry": so it was over 20 data sets (``benchmarks/default_decoder.py``), and
        many pairs are decoded in a tenth of the time. Under "votes"
        ties go to the class that comes first in ``classes_``; `tied` says where they are.
    calibration : {"auto", "sigmoid", "isotonic", "temperature"} or None
        How answers become probabilities, learned on samples that the learner has not seen.
        "auto": Platt's sigmoid where the learner has no ``predict_proba``; else, unless the code
        is all pairs, "temperature": only exponent and floor of the decoded probabilities, from one
        more fit on the default fold of each dichotomy. So pairs of a learner whose own
        probabilities are far too sure (naive Bayes, a full tree) do better with "sigmoid". None:
        nothing is learned; decision values are taken as logits. With two classes the sigmoid has no
        intercept, so that it cannot contradict the learner; with more, each dichotomy's sigmoid is
        held near the one that fits all of them, the nearer the fewer samples it has
        (`polychotomy.calibration.sigmoid.fit_around`). A learner that has neither
        probabilities nor decision values is asked for labels, decoded by votes, with a warning.
    thresholds : "optimal" or None
        "optimal" shifts the logit of each dichotomy to where it errs least on samples that its
        learner has not seen ([HT98]_ §3), before decoding.
    cv : int, splitter or iterable of (train, test), optional
        Folds for those samples. By default RBF and polynomial SVCs leave them out one by one, by a
        formula and without fits, where there are 30 of a class and 5,000 in all; else there are 5
        folds (3 from 30 samples of a class on, 2 from 300), stratified, dealt at random but always
        the same for the same labels; a class with fewer members is spread over as many as it has,
        and the only member of a class is never left out: what has no scores of its own is
        calibrated like all together. Give a splitter where samples come in groups or in time.
    n_jobs : int, optional
        Dichotomies fitted, or asked one by one, at the same time. Results do not depend on it.
    random_state : int, RandomState or None
        For codes that are drawn.
    classes_at_most : int, optional
        For a learner of many classes that takes no more than so many: each row of the code deals
        the classes to so many letters, a learner tells the letters apart, and their probabilities
        are decoded by "bradley-terry" ("auto"), "least-squares" or "log-mean", see
        `polychotomy.decoding.decode_letters`. ``calibration`` "auto" learns temperature and floor
        from one more fit of half of the rows, where these tell all classes apart; None nothing
        (docs/results/many_letters.md).

    Attributes
    ----------
    classes_ : (k,) array
        The labels, sorted.
    code_ : (l, k) int8
        The code in use.
    estimators_ : sequence of fitted learners
        One for each dichotomy that is trained, in order of first appearance in ``code_``.
    dichotomies_ : sequence of Dichotomy
        The same with calibrators and thresholds.
    calibration_ : str
        What was done: "none" (the learner's own probabilities), "sigmoid", "isotonic",
        "temperature", "logistic" (decision values taken as logits) or "votes" (labels only).
    decoder_ : str
        The decoder in use; "votes" for a learner that gives labels only.
    weights_ : (l,) floats
        Sum of the training samples' weights on the two sides of each dichotomy; on one-vs-one,
        n_ij of [HT98]_. The decoders "bradley-terry" and "least-squares" weigh by it.
    thresholds_ : (l,) floats
        Shift of each dichotomy's logit; zeros unless ``thresholds="optimal"``.
    temperature_ : float
        Exponent of the probabilities that "bradley-terry" and "least-squares" decode, learned out
        of fold, from at most 1,000 samples (30 of 1,000 classes), together with a calibration of
        more than two classes; 1 where nothing was learned, or with more than half a million
        dichotomies. It does not change predictions.
    floor_ : float
        The least probability that any class gets, learned beside the temperature, at least 1e-6:
        k times as much of every answer are equal probabilities. 0 where nothing was calibrated,
        for "votes" and "loss", and with two classes.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Notes
    -----
    **Weights.** HT98 weighs a pair by the number of training samples in it, as a crude measure of
    its precision. The number of samples on the two sides of a dichotomy says the same of any code.
    On ±1 codes all are equal, so they change nothing there.

    **Merged machines** ([M24]_ §5). Learners that are `SVC` with one kernel, or linear, are
    evaluated together, see `merge_machines`; SVCs are also trained together: all pairs in one call
    of LIBSVM, on one matrix of kernel values where they are calibrated and there are at most 5,000
    samples; other codes on such a matrix where memory allows (scikit-learn's ``working_memory``).
    Results are those of separate learners, but for rounding. ``gamma="scale"`` of an SVC for
    more than two classes is that of all samples, as it is without a code; for each dichotomy's
    own, put the SVC into a pipeline.

    **Sample weights** go to the learners. One that takes none gets its rows repeated, so its
    weights must be multiples of one number, the mean one at most 20 times that.

    **Class weights** of the learner, or of the last step of a pipeline, are of the classes in y:
    a dict by label (1 where not named) or "balanced", n / (k · members) of all classes together.
    They multiply the sample weights, in calibration and coupling too, so that predictions heed
    them; ``estimators_`` then have ``class_weight=None``. ("balanced_subsample" of forests is
    left to them: they balance the two sides.)

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> from polychotomy.multiclass import CodedClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = CodedClassifier(SVC()).fit(X, y)
    >>> model.calibration_
    'sigmoid'
    >>> model.predict_proba(X[[0, 60]]).round(2)
    array([[1., 0., 0.],
           [0., 1., 0.]])
    """

    code_: Code
    decoder_: Any

    def __init__(
        self,
        estimator: Any,
        *,
        code: str | ArrayLike | Callable[[int], Code] = "auto",
        decoder: Literal[
            "auto", "bradley-terry", "least-squares", "votes", "loss", "log-mean"
        ] = "auto",
        calibration: Literal["auto", "sigmoid", "isotonic", "temperature"] | None = "auto",
        thresholds: Literal["optimal"] | None = None,
        cv: int | BaseCrossValidator | Iterable[tuple[ArrayLike, ArrayLike]] | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        classes_at_most: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.code = code
        self.decoder = decoder
        self.calibration = calibration
        self.thresholds = thresholds
        self.cv = cv
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.classes_at_most = classes_at_most

    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, **params: Any
    ) -> Self:
        """Fit a learner for each dichotomy.

        Parameters
        ----------
        X : (n, d) array-like, sparse matrix or data frame
            Samples; the learners get them as they are.
        y : (n,) array-like
            Labels of any kind.
        sample_weight : (n,) array-like, optional
            Weights ≥ 0; a weight of zero leaves a sample out.
        **params
            Metadata for the learners and the splitter, with scikit-learn's metadata routing.

        Returns
        -------
        CodedClassifier
            Itself, fitted.
        """
        inputs.check_options(self.estimator, self.get_params(deep=False))
        X = self._read_samples(X, square=True)
        validate_data(self, X, y, skip_check_array=True)
        self.classes_, codes = inputs.read_targets(X, y)
        learner, data, to_splitter = self._prepare(X, codes, self.classes_, sample_weight, params)
        self._by_letters = self.classes_at_most is not None and self.classes_.size > 2
        if self._by_letters:
            return self._fit_letters(learner, data, to_splitter)
        recipe = self._recipe(data, to_splitter)
        ask = learner, data, self._rows.trained, recipe, self.classes_, self._name
        names = getattr(self, "feature_names_in_", None)
        fitted, left_out = dichotomies.fit_dichotomies(*ask, self.n_jobs, names)
        self.dichotomies_: Sequence[dichotomies.Dichotomy] = fitted
        self.estimators_, self._calibration = fitted.learners, fitted.calibration
        self._finish(inputs.class_totals(codes, data.weights, self.classes_.size))
        probable = recipe.method is not None and self.decoder_ in _PROBABLE
        least = FLOOR if probable and self.classes_.size > 2 else 0.0
        self.temperature_, self.floor_ = self._temperature(
            left_out, lambda q: self._decode(self._rows.expand(q)), recipe.together, data, least
        )
        return self

    def predict_dichotomies(self, X: Any) -> Outputs:
        """Return the probability of each dichotomy's + side, given one of its sides, (n, l).

        Parameters
        ----------
        X : (n, d) array-like, sparse matrix or data frame
            Samples.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.naive_bayes import GaussianNB
        >>> X, y = load_iris(return_X_y=True)
        >>> CodedClassifier(GaussianNB()).fit(X, y).predict_dichotomies(X[:5]).shape
        (5, 3)
        """
        X = self._check_samples(X)
        if self._by_letters:
            raise InvalidInput(
                f"dichotomies are asked for, and classes_at_most is {self.classes_at_most}; "
                "predict_letters gives what the learners answer."
            )
        return self._rows.expand(self._outputs(X))

    def predict_letters(self, X: Any) -> Floats:
        """Return the probability of each letter in each row, (n, l, q), with ``classes_at_most``.

        Parameters
        ----------
        X : (n, d) array-like, sparse matrix or data frame
            Samples.

        Examples
        --------
        >>> from sklearn.datasets import load_digits
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from polychotomy.multiclass import CodedClassifier
        >>> X, y = load_digits(return_X_y=True)
        >>> model = CodedClassifier(GaussianNB(), classes_at_most=4, calibration=None).fit(X, y)
        >>> model.predict_letters(X[:5]).shape
        (5, 10, 4)
        """
        X = self._check_samples(X)
        if not self._by_letters:
            raise InvalidInput("classes_at_most is None, so there are dichotomies, no letters.")
        q = int(self.code_.max()) + 1
        return np.stack([one.answers(X, q) for one in self._learners], axis=1)

    def predict_proba(self, X: Any) -> Probabilities:
        """Return class probabilities, (n, k); rows add up to 1.

        Parameters
        ----------
        X : (n, d) array-like, sparse matrix or data frame
            Samples.
        """
        X = self._check_samples(X)
        if self.classes_.size > 2:
            share = self.classes_.size * self.floor_
            return sharpen(self._coupled(X), self.temperature_, share=share)
        if self.calibration_ == "none" and not self.thresholds_.any():
            return np.asarray(self.dichotomies_[0].answer(X, "predict_proba"))
        second = self._outputs(X)[:, 0]
        return np.column_stack([1.0 - second, second])

    def _coupled(self, X: Any) -> Probabilities:
        """Decode what the learners answer, in chunks of samples where all answer together.

        So that the k(k−1)/2 outputs of all samples are never in memory at the same time: for 100
        classes, fetching that memory took half of the time.
        """

        def work(samples: Any, _: int) -> Probabilities:
            return self._decode(self._rows.expand(self._outputs(samples)))

        if self._by_letters:
            return self._decode_letters(self.predict_letters(X))
        if self._merged is None or not isinstance(X, np.ndarray):
            return work(X, 0)
        return in_chunks(np, work, X, numbers_each=len(self.code_))

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithm of `predict_proba`, (n, k); −inf for probability 0."""
        probabilities = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.log(probabilities)

    def predict(self, X: Any) -> np.ndarray[Any, Any]:
        """Return the most probable class of each sample, (n,); the first of equally probable ones.

        Parameters
        ----------
        X : (n, d) array-like, sparse matrix or data frame
            Samples.
        """
        probabilities = self.predict_proba(X)  # which says so where nothing is fitted
        return np.asarray(self.classes_[np.argmax(probabilities, axis=1)])

    def decision_function(self, X: Any) -> Floats:
        """Return a score for each class, (n, k), or for the second of two classes, (n,).

        With more than two classes, log-probabilities (of at least the smallest normal number):
        the largest belongs to the predicted class. With two classes, the learner's own decision
        values, or the logit where it has none or ``calibration="isotonic"`` or ``thresholds``
        moved it; above 0 where the second class is predicted.

        Parameters
        ----------
        X : (n, d) array-like, sparse matrix or data frame
            Samples.
        """
        X = self._check_samples(X)
        if self.classes_.size > 2:
            return log_scores(self.predict_proba(X))
        dichotomy = self.dichotomies_[0]
        moved = self.thresholds is not None or self.calibration_ == "isotonic"
        if not moved and hasattr(dichotomy.learner, "decision_function"):
            return np.ravel(dichotomy.answer(X, "decision_function"))
        return training.finite_logits(self._outputs(X)[:, 0])

    def tied(self, X: Any) -> Bools:
        """Return where several classes have the most votes, (n,): HT98's regions of indecision.

        The votes are those of `polychotomy.decoding.decode_votes`, whatever the decoder is.

        Parameters
        ----------
        X : (n, d) array-like, sparse matrix or data frame
            Samples.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.linear_model import LogisticRegression
        >>> from polychotomy.multiclass import CodedClassifier
        >>> X, y = load_iris(return_X_y=True)
        >>> model = CodedClassifier(LogisticRegression(), decoder="votes").fit(X, y)
        >>> int(model.tied(X).sum())
        0
        """
        shares = decode_votes(self.code_, self.predict_dichotomies(X))
        first = shares >= (1.0 - 1e-9) * shares.max(axis=1, keepdims=True)
        return np.asarray(first.sum(axis=1) > 1)

    def get_metadata_routing(self) -> MetadataRouter:
        """Return how metadata travel to the learners and the splitter."""
        to_learner = MethodMapping().add(caller="fit", callee="fit")
        to_splitter = MethodMapping().add(caller="fit", callee="split")
        router = MetadataRouter(owner=self).add_self_request(self)
        router.add(estimator=self.estimator, method_mapping=to_learner)
        return router.add(splitter=self.cv, method_mapping=to_splitter)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        learner = get_tags(self.estimator)
        tags.input_tags = learner.input_tags
        if learner.classifier_tags is not None:
            tags.classifier_tags.poor_score = learner.classifier_tags.poor_score
        return tags

    def _prepare(
        self, X: Any, codes: Ints, classes: Any, sample_weight: Any, params: Any
    ) -> tuple[Any, TrainingData, dict[str, Any]]:
        """Return the learner without class weights, what it is fitted on, and for the splitter."""
        weights = training.check_sample_weight(sample_weight, codes.size)
        to_learner, to_splitter, repeats = inputs.route(self, sample_weight, weights, params)
        learner, keys, each = inputs.take_class_weight(self.estimator, classes, codes, weights)
        # As if the user had multiplied sample_weight by them, in calibration and coupling too:
        # a sigmoid that knew nothing of them would move every threshold back.
        to_learner |= {key: to_learner.get(key, 1.0) * each[codes] for key in keys}
        weights = weights * each[codes]
        if len(classes) > 2:
            learner = inputs.settle_gamma(learner, X, weights > 0)
        pairwise = get_tags(self.estimator).input_tags.pairwise
        data = TrainingData(X, codes, weights, to_learner, repeats, pairwise)
        return learner, data, to_splitter

    def _settle(self, X: Any, calibration: Any) -> tuple[Response, dichotomies.Method | None]:
        """Decide the code and what is done with answers: of which method, and how calibrated."""
        code, k = self.code, self.classes_.size
        if X is not None and isinstance(code, str) and code == "auto" and inputs.is_wide(X):
            code = "one-vs-rest" if has_logistic_link(self.estimator) else code
        self.code_ = inputs.code_for(code, k, self.random_state)
        self._rows = inputs.distinct_rows(self.code_)
        ask = self.estimator, calibration, self._rows.trained
        response, method = dichotomies.choose_method(*ask)
        self.calibration_, self.decoder_ = dichotomies.describe(
            self.estimator, response, method, self.decoder, self._rows.trained
        )
        return response, method

    def _recipe(self, data: TrainingData, split_params: dict[str, Any]) -> dichotomies.Recipe:
        """Decide the code, and what is done with every learner's answers."""
        response, method = self._settle(data.X, self.calibration)
        single = np.bincount(data.codes[data.weights > 0]).max() == 1  # nobody can be left out
        if self.calibration == "auto" and method == "temperature" and single:
            method, self.calibration_ = None, "none"
        shift = self.thresholds == "optimal" and response != "predict"
        folds, rows = self._folds(data, split_params, method, shift)
        k, t = self.classes_.size, self._rows.trained.shape[0]
        joint = k > 2 and method is not None and self.decoder_ in _PROBABLE
        most = min(max(100, _MOST_WORK // (t + k**2)), max(_FEWEST_TOGETHER, _MOST_CUBED // k**3))
        most = min(_MOST_TOGETHER, most, _MOST_OUTPUTS // t)
        together = self._drawn(rows if joint and most >= _FEWEST_TOGETHER else rows[:0], most)
        asked = response, method, k == 2, shift, tuple(folds), together
        return dichotomies.Recipe(*asked, one_out=self.cv is None)

    def _folds(
        self, data: TrainingData, split_params: dict[str, Any], method: str | None, shift: bool
    ) -> tuple[list[training.Fold], Ints]:
        """Return folds, and who is in their tests; by default one for a temperature alone."""
        ask = self.cv, data.X, data.codes, split_params, data.weights
        folds = training.make_folds(*ask) if method or shift else []
        if method == "temperature" and not shift and self.cv is None:
            return folds[:1], folds[0][1]  # two numbers do not ask for more
        return folds, np.arange(data.codes.size)

    def _fit_letters(self, learner: Any, data: TrainingData, split_params: dict[str, Any]) -> Self:
        """Fit a learner for each row of letters; learn a temperature where rows share classes."""
        k = self.classes_.size
        ask_code = self.code, k, self.classes_at_most, self.random_state
        self.code_ = letters.letters_for(*ask_code, linear=has_logistic_link(self.estimator))
        self.decoder_ = "bradley-terry" if self.decoder == "auto" else self.decoder
        alone = np.array_equal(self.code_, np.arange(k)[None])  # the learner as it is
        method = None if alone or self.calibration is None else "temperature"
        self.calibration_ = method or "none"
        folds, rows = self._folds(data, split_params, method, shift=False)
        rows = self._drawn(rows, _MOST_TOGETHER)
        ask = learner, data, self.code_, folds, rows, self.n_jobs
        self._learners, answers = letters.fit_letters(*ask)
        self.estimators_ = [one.learner for one in self._learners]
        self.class_totals_ = inputs.class_totals(data.codes, data.weights, k)
        self.weights_ = (self.code_ >= 0) @ self.class_totals_
        found = answers, self._decode_letters, rows, data, 0.0
        self.temperature_, self.floor_ = self._temperature(*found)
        return self

    def _decode_letters(self, answers: Floats) -> Probabilities:
        if self.code_.shape == (1, self.classes_.size) and self.decoder_ != "log-mean":
            return answers[:, 0, self.code_[0]]
        m, how = answers.shape[1], self.decoder_  # of the rows the temperature may take half
        return decode_letters(self.code_[:m], answers, decoder=how, weights=self.weights_[:m])

    @staticmethod
    def _drawn(rows: Ints, most: int) -> Ints:
        """Return at most so many of the samples, always the same ones."""
        return np.sort(np.random.default_rng(0).permutation(rows)[:most])

    def _temperature(
        self,
        answers: Floats,
        decode: Callable[[Floats], Probabilities],
        rows: Ints,
        data: TrainingData,
        least: float,
    ) -> tuple[float, float]:
        """Learn exponent and floor of decoded probabilities from answers out of fold, (m, …).

        Where there are none, the exponent is 1 and the floor ``least``.
        """
        scored = np.flatnonzero(~np.isnan(answers.sum(axis=tuple(range(1, answers.ndim)))))
        if scored.size == 0:
            return 1.0, least
        p, rows = decode(answers[scored]), rows[scored]
        # A sigmoid for each pair leaves little to correct: of precisions from 1 to 1,000 this one
        # had the least log loss, on half of 23 sets with 4 to 30 samples a class.
        pairs = (np.count_nonzero(self.code_, axis=1) < 3).all()
        settled = pairs and self.calibration_ in ("sigmoid", "isotonic")
        ask = p, data.codes[rows], data.weights[rows]
        exponent, share = fit_exponent_and_share(*ask, precision=10.0 if settled else 1.0)
        return exponent, share / p.shape[1]

    def _name(self, trained: int) -> str:
        """Name of a trained dichotomy, by its first row in the code."""
        number = int(np.argmax(self._rows.source == trained))
        return dichotomies.name_dichotomy(number, self.code_[number], self.classes_)

    def _finish(self, totals: Floats) -> None:
        """Set what follows from the fitted dichotomies and the sums of weights in each class."""
        self.class_totals_ = totals
        self.weights_ = np.abs(self.code_).astype(np.float64) @ totals
        self.thresholds_ = self._rows.spread(self._calibration.thresholds)
        self._weights = decoder_weights(self.weights_, self._rows.source >= 0, self.decoder_)
        self._merged = dichotomies.merge_dichotomies(self.dichotomies_)
        # Made once: for one sample, preparing takes longer than decoding.
        self._decoder: PreparedDecoder | None = None
        with suppress(InvalidInput):  # a class may weigh nothing; `predict` says so
            self._decoder = self._prepare_decoder()

    def __getstate__(self) -> dict[str, Any]:
        """Leave the decoder out, which is functions and can be made anew."""
        return {**super().__getstate__(), "_decoder": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if "dichotomies_" in state:
            with suppress(InvalidInput):
                self._decoder = self._prepare_decoder()

    def _check_samples(self, X: Any) -> Any:
        check_is_fitted(self)
        X = self._read_samples(X, square=False)
        validate_data(self, X, reset=False, skip_check_array=True)
        return X

    def _read_samples(self, X: Any, *, square: bool) -> Any:
        pairwise = get_tags(self.estimator).input_tags.pairwise
        return inputs.check_samples(inputs.read_samples(X), pairwise=pairwise, square=square)

    def _prepare_decoder(self) -> PreparedDecoder:
        return make_decoder(self.code_, decoder=self.decoder_, weights=self._weights)

    def _decode(self, outputs: Outputs) -> Probabilities:
        decode = self._decoder or self._prepare_decoder()
        return decode(outputs)

    def _outputs(self, X: Any) -> Outputs:
        """Probabilities of the + sides of the trained dichotomies, (n, t)."""
        scores = dichotomies.score_dichotomies(self.dichotomies_, self._merged, X, self.n_jobs)
        return self._calibration.outputs(scores)


if TYPE_CHECKING:
    from sklearn.model_selection import BaseCrossValidator
    from sklearn.utils import Tags
