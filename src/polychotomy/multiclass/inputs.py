"""What the user gave: options, a code by name, samples, targets and metadata."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from array_api_compat import is_array_api_obj, is_pydata_sparse_array
from numpy.typing import ArrayLike
from sklearn import get_config
from sklearn.base import clone
from sklearn.svm import SVC, NuSVC
from sklearn.utils import check_array, check_consistent_length, get_tags, indexable
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from polychotomy import codes
from polychotomy.codes.code import two_sided
from polychotomy.core.arguments import check_choice, check_jobs, will_have
from polychotomy.core.arrays import Bools, Code, Floats, Ints, Outputs, missing_entries, to_host
from polychotomy.core.estimators import takes_sample_weight
from polychotomy.core.exceptions import InvalidCode, InvalidInput
from polychotomy.decoding.decode import check_decoder
from polychotomy.multiclass.merged import gamma_for
from polychotomy.multiclass.training import repeats_for


def check_options(estimator: Any, options: dict[str, Any]) -> None:
    """Raise for a learner that is none, and for an option with a value it cannot have."""
    if isinstance(estimator, type) or not hasattr(estimator, "fit"):
        raise InvalidInput(
            f"estimator is {estimator!r}; expected a classifier with fit, "
            "such as LogisticRegression()."
        )
    kind = get_tags(estimator).estimator_type or "classifier"
    answers = ("predict_proba", "decision_function", "predict")
    kind = kind if any(will_have(estimator, name) for name in answers) else "transformer"
    if kind != "classifier":
        raise InvalidInput(f"estimator is the {kind} {estimator!r}; expected a classifier.")
    check_jobs(options["n_jobs"])
    if options["classes_at_most"] is not None:
        decoders = ("auto", "bradley-terry", "least-squares", "log-mean")
        check_choice("decoder of letters", options["decoder"], decoders)
        check_choice("calibration of letters", options["calibration"], ("auto", None))
        check_choice("thresholds of letters", options["thresholds"], (None,))
        return
    if options["decoder"] == "log-mean":
        raise InvalidInput("the decoder 'log-mean' is of letters; expected classes_at_most, too.")
    if options["decoder"] != "auto":
        check_decoder(options["decoder"])
    kinds = ("auto", "isotonic", "sigmoid", "temperature", None)
    check_choice("calibration", options["calibration"], kinds)
    check_choice("thresholds", options["thresholds"], ("optimal", None))


def read_samples(X: Any) -> Any:
    """Return X such that rows can be taken; data frames and arrays stay as they are.

    Examples
    --------
    >>> from polychotomy.multiclass.inputs import read_samples
    >>> read_samples([[1, 2], [3, 4]])
    array([[1, 2],
           [3, 4]])
    """
    if not hasattr(X, "shape"):
        array = np.asarray(X)  # which would turn numbers beside text into text
        X = np.array(X, dtype=object) if array.dtype.kind in "US" else array
    elif is_array_api_obj(X) and not isinstance(X, np.ndarray) and not is_pydata_sparse_array(X):
        X = to_host(X)  # learners compute in NumPy, whatever library the samples come from
    return indexable(X)[0]  # sparse matrices without rows become CSR


def check_samples(X: Any, *, pairwise: bool, square: bool) -> Any:
    """Raise where rows of X cannot be taken, or, for a pairwise X, columns."""
    if pairwise:
        X = check_array(X, accept_sparse="csr", input_name="X")
        if square and X.shape[0] != X.shape[1]:
            raise InvalidInput(
                f"X has shape {X.shape}; expected a square matrix of kernel values or distances "
                "between the training samples, as the learner asks for."
            )
    if len(X.shape) < 2 and X.dtype.kind in "biufc":
        raise InvalidInput(
            f"X has shape {X.shape}; expected a 2D array, rows are samples. Reshape your data with "
            "X.reshape(-1, 1), or take table[[column]], if it has a single feature, or with "
            "X.reshape(1, -1), or table.iloc[[row]], for a single sample."
        )
    return X


def read_targets(X: Any, y: Any) -> tuple[np.ndarray[Any, Any], Ints]:
    """Return the sorted classes (k,) and the class codes (n,) of labels of any kind."""
    missing = np.ravel(missing_entries(y))
    if missing.any():
        raise InvalidInput(
            f"y[{int(np.argmax(missing))}] is missing; expected a label for every sample. "
            "Drop the samples without one."
        )
    check_classification_targets(y)
    labels = column_or_1d(y, warn=True)
    check_consistent_length(X, labels)
    classes, codes = np.unique(labels, return_inverse=True)
    if classes.size < 2:
        found = f"one class only, {classes.tolist()[0]!r}" if classes.size else "no sample"
        raise InvalidInput(f"y has {found}; expected at least two classes to tell apart.")
    return classes, codes


def class_totals(codes: Ints, weights: Floats, k: int) -> Floats:
    """Sum of sample weights in each class, (k,)."""
    return np.bincount(codes, weights=weights, minlength=k).astype(np.float64)


def take_class_weight(
    estimator: Any, classes: np.ndarray[Any, Any], codes: Ints, weights: Floats
) -> tuple[Any, list[str], Floats]:
    """Turn class weights of a learner, which will see two sides only, into weights of samples.

    Returns the learner without them, the names under which its ``fit`` takes the weights of
    samples instead, and what each class weighs, (k,). With two classes the learner sees the labels
    themselves, and keeps its class weights.
    """
    named = [item for item in estimator.get_params().items() if item[0].endswith("class_weight")]
    given = {name: asked for name, asked in named if isinstance(asked, dict) or asked == "balanced"}
    each = np.ones(classes.size)
    if classes.size == 2 or not given:
        return estimator, [], each
    asked, *others = given.values()
    if any(other != asked for other in others):
        raise InvalidInput(f"{', '.join(given)} differ; expected one weight for each class.")
    if asked == "balanced":
        totals = class_totals(codes, weights, classes.size)
        each = np.divide(totals.sum() / classes.size, totals, out=each, where=totals > 0)
    elif unknown := [key for key in asked if key not in (labels := classes.tolist())]:
        raise InvalidInput(
            f"class_weight has the key {unknown[0]!r}, no class of y; expected some of {labels}."
        )
    else:
        each = np.array([float(asked.get(label, 1.0)) for label in classes.tolist()])
        fine = np.isfinite(each) & (each >= 0)
        if not fine.all() or np.count_nonzero(each) < 2:
            raise InvalidInput(
                f"class_weight is {asked}; expected numbers of 0 or more, two classes above 0."
            )
    keys = sorted({_weight_key(estimator, name) for name in given})
    return clone(estimator).set_params(**dict.fromkeys(given)), keys, each


def settle_gamma(estimator: Any, X: Any, used: Bools) -> Any:
    """Return an SVC whose γ = "scale" is that of all samples, for each of its fits the same.

    So it is in an SVC for many classes. Each dichotomy's own would ask for a matrix of kernel
    values for each of them, in fits and in predictions.
    """
    if type(estimator) not in (SVC, NuSVC) or estimator.gamma != "scale":
        return estimator
    try:
        with np.errstate(invalid="ignore"):  # the learner says what is wrong with infinite numbers
            own = X if hasattr(X, "tocsr") else np.asarray(X, float)
            gamma = gamma_for("scale", own[used])
    except (TypeError, ValueError):
        return estimator  # which will say what is wrong with X
    # Of gaps the learner itself says best that it cannot take them.
    return clone(estimator).set_params(gamma=gamma) if np.isfinite(gamma) else estimator


def _weight_key(estimator: Any, name: str) -> str:
    """Name under which ``fit`` takes weights for the part that has the parameter ``name``."""
    if takes_sample_weight(estimator):
        return "sample_weight"
    steps = getattr(estimator, "named_steps", None)
    if steps is None or get_config()["enable_metadata_routing"]:
        raise InvalidInput(
            f"{name} weighs classes, and {type(estimator).__name__} takes no sample weights, by "
            "which every dichotomy would get them; expected None. Pass sample_weight to fit "
            "instead, with metadata routing requested in every step where that is enabled."
        )
    step, rest = name.split("__", 1)
    return f"{step}__{_weight_key(steps[step], rest)}"


@dataclass(frozen=True, eq=False)
class DistinctRows:
    """The dichotomies of a code that are trained, and how every row follows from them.

    Parameters
    ----------
    trained : (t, k) int8
        Rows to train, distinct up to sign, each with both signs.
    source : (l,) ints
        The trained row that each row of the code equals up to sign; −1 for a one-sided row.
    flipped : (l,) bools
        Which rows are the negative of their source.
    constant : (l,) floats
        Output of a one-sided row, by definition: 1 if its side is +, else 0.
    """

    trained: Code
    source: Ints
    flipped: Bools
    constant: Floats

    def expand(self, outputs: Outputs) -> Outputs:
        """Return the outputs (n, l) of every row from those (n, t) of the trained ones.

        Examples
        --------
        >>> import numpy as np
        >>> from polychotomy.multiclass.inputs import distinct_rows
        >>> rows = distinct_rows(np.array([[1, -1, 0], [-1, 1, 0], [1, 1, 1]], dtype=np.int8))
        >>> rows.trained
        array([[ 1, -1,  0]], dtype=int8)
        >>> rows.expand(np.array([[0.75]]))
        array([[0.75, 0.25, 1.  ]])
        """
        plain = self.source.size == self.trained.shape[0]
        if plain and not self.flipped.any() and (self.source >= 0).all():
            return outputs
        expanded = outputs[:, np.maximum(self.source, 0)]
        expanded = np.where(self.flipped, 1.0 - expanded, expanded)
        return np.where(self.source < 0, self.constant, expanded)

    def spread(self, shifts: Floats) -> Floats:
        """Return the shifts (l,) of every row's logit from those (t,) of the trained ones."""
        signed = np.where(self.flipped, -shifts[self.source], shifts[self.source])
        return np.where(self.source < 0, 0.0, signed)


def distinct_rows(code: Code) -> DistinctRows:
    """Find the rows that differ up to sign and have both signs, in order of first appearance.

    With two classes the trained row is (−1, +1): its + side is the class that a scikit-learn
    learner scores.
    """
    both = two_sided(code)
    if not both.any():
        raise InvalidCode(
            "no row of code has both a +1 and a −1, so there is nothing to learn; expected at "
            "least one dichotomy with two sides."
        )
    sign = code[np.arange(len(code)), np.argmax(code != 0, axis=1)]  # of the first not zero
    signed, k = (code * sign[:, np.newaxis]).tobytes(), code.shape[1]  # a byte each
    keys = [signed[i : i + k] for i in range(0, len(signed), k)]
    first: dict[bytes, int] = {}
    for number in np.flatnonzero(both).tolist():
        first.setdefault(keys[number], number)
    heads, same = np.array(list(first.values())), np.array([first.get(key, -1) for key in keys])
    source = np.where(same < 0, -1, np.searchsorted(heads, same))
    trained = code[heads]
    if code.shape[1] == 2:
        trained = np.array([[-1, 1]], dtype=np.int8)
    flipped = (source >= 0) & (code * trained[source] < 0).any(axis=1)
    return DistinctRows(trained, source, flipped, (code.max(axis=1) > 0) * 1.0)


NAMED_CODES: dict[str, Callable[[int, Any], Code]] = {
    "auto": lambda k, random_state: codes.one_vs_one(k),
    "exhaustive": lambda k, random_state: codes.exhaustive(k),
    "nested": lambda k, random_state: codes.nested(k, random_state=random_state),
    "one-vs-one": lambda k, random_state: codes.one_vs_one(k),
    "one-vs-rest": lambda k, random_state: codes.one_vs_rest(k),
    "orthogonal": lambda k, random_state: codes.orthogonal(k),
    "random-dense": lambda k, random_state: codes.random_dense(k, random_state=random_state),
    "random-sparse": lambda k, random_state: codes.random_sparse(k, random_state=random_state),
}


def code_for(code: str | ArrayLike | Callable[[int], Code], k: int, random_state: Any) -> Code:
    """Return the code for k classes that a name, a matrix or a callable stands for.

    With two classes every name stands for the only dichotomy there is.

    Examples
    --------
    >>> from polychotomy.multiclass.inputs import code_for
    >>> code_for("one-vs-one", 3, None)
    array([[ 1, -1,  0],
           [ 1,  0, -1],
           [ 0,  1, -1]], dtype=int8)
    """
    if isinstance(code, str):
        if code not in NAMED_CODES:
            raise InvalidInput(
                f"code is {code!r}; expected one of {', '.join(map(repr, NAMED_CODES))}, a matrix "
                "(l, k) with entries −1, 0, +1, or a callable k → matrix."
            )
        return codes.one_vs_one(2) if k == 2 else NAMED_CODES[code](k, random_state)
    matrix = codes.check_code(np.asarray(code(k) if callable(code) else code))
    if matrix.shape[1] != k:
        raise InvalidCode(
            f"code has {matrix.shape[1]} columns, but y has {k} classes; expected "
            "a column for each class."
        )
    return matrix


def is_wide(X: Any) -> bool:
    """Tell whether samples are sparse, with more features than samples, or text.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.multiclass.inputs import is_wide
    >>> is_wide(np.array(["red apple", "green pear"])), is_wide(np.eye(3))
    (True, False)
    """
    return bool(X.shape[1] > X.shape[0] if hasattr(X, "tocsr") else len(X.shape) == 1)


def route(
    router: Any, sample_weight: Any, weights: Floats, params: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any], Ints | None]:
    """Return what goes to the learner's ``fit``, what to the splitter, and repetitions.

    Without scikit-learn's metadata routing the sample weights go to every learner that takes
    them, and nothing else can be passed. A learner that takes no weights gets its rows repeated,
    which is the same for whole weights.
    """
    takes_weight = takes_sample_weight(router.estimator)
    if get_config()["enable_metadata_routing"]:
        routed = process_routing(router, "fit", sample_weight=sample_weight, **params)
        to_learner, to_splitter = dict(routed.estimator.fit), dict(routed.splitter.split)
        routed_weight = takes_weight or "sample_weight" in to_learner
    else:
        if params:
            raise InvalidInput(
                f"fit got {', '.join(sorted(params))}, which can only be passed on with "
                "sklearn.set_config(enable_metadata_routing=True) and a learner, or cv, that "
                "requests it."
            )
        to_learner, to_splitter, routed_weight = {}, {}, takes_weight
        if sample_weight is not None and takes_weight:
            to_learner["sample_weight"] = weights
    repeats = None
    if sample_weight is not None and not routed_weight:
        repeats = repeats_for(weights, router.estimator)
    if "sample_weight" in to_learner:
        to_learner["sample_weight"] = weights
    return to_learner, to_splitter, repeats
