"""An ear for warnings: what each of several fits says, without setting up a catch for each."""

from __future__ import annotations

import copy
import pickle
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import BuiltinFunctionType, FrameType, FunctionType, TracebackType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from polychotomy.core.arrays import Ints
from polychotomy.core.exceptions import LearnerError
from polychotomy.core.seeds import seed_of
from polychotomy.study.design.dataset import Target
from polychotomy.study.design.trials import Outcome, TrialKey, fail, succeed, training_set

_PRIVATE = bool(getattr(sys.flags, "context_aware_warnings", False))
"""Whether what a fit does to the filters of warnings cannot be seen from here."""


class Ear:
    """Hears every warning while it is open.

    To catch warnings takes longer than anything else around a small fit. So the catch is left in
    place from one fit to the next, and set up anew only after one that has changed how warnings
    are filtered or shown: no fit hears, or is silenced by, another.

    Examples
    --------
    >>> with Ear() as ear:
    ...     for word in ("one", "two"):
    ...         ear.listen()
    ...         warnings.warn(word, stacklevel=1)
    ...         warnings.simplefilter("ignore")
    ...         print([str(heard.message) for heard in ear.heard])
    ['one']
    ['two']
    """

    def __enter__(self) -> Ear:
        self._catch = warnings.catch_warnings(record=True)
        heard = self._catch.__enter__()
        assert heard is not None, "a record was asked for"
        self.heard = heard
        warnings.simplefilter("always")
        self._filters, self._show = list(warnings.filters), warnings.showwarning
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._catch.__exit__(kind, error, trace)

    def listen(self) -> None:
        """Forget what was heard, and what was done to the hearing."""
        changed = warnings.filters != self._filters or warnings.showwarning is not self._show
        if changed or _PRIVATE:
            self.__exit__(None, None, None)
            self.__enter__()
        elif self.heard:
            self.heard.clear()


_SHARED = ("decision_function", "predict_proba", "kneighbors")
"""What ``predict`` and ``predict_proba`` of scikit-learn's classifiers ask of themselves."""


@contextmanager
def remembering(model: Any) -> Iterator[None]:
    """Let a model answer the same question about the same data once.

    For scikit-learn's own classifiers and ours: what they answer depends on the data alone.

    Examples
    --------
    >>> from polychotomy.learners import NearestMeanClassifier
    >>> rows = np.array([[0.0], [2.0]])
    >>> model = NearestMeanClassifier().fit(rows, [0, 1])
    >>> with remembering(model):
    ...     labels, shares = model.predict(rows), model.predict_proba(rows)  # distances once
    >>> labels.tolist(), "predict_proba" in vars(model)
    ([0, 1], False)
    """
    methods = [name for name in _SHARED if hasattr(model, name)]
    for name in methods:
        vars(model)[name] = _remembered(getattr(model, name))
    try:
        yield
    finally:
        for name in methods:
            del vars(model)[name]


def can_remember(model: Any) -> bool:
    """Say whether a model answers twice in the same way: a generator as seed moves on.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> can_remember(DummyClassifier(random_state=0))
    True
    >>> can_remember(DummyClassifier(random_state=np.random.RandomState(0)))
    False
    """
    seed = getattr(model, "random_state", None)
    return seed is None or isinstance(seed, int | np.integer)


def _remembered(method: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a method; every caller gets a copy, since some write on what they get."""
    known: dict[tuple[Any, ...], tuple[Any, Any]] = {}

    def answer(X: Any = None, *more: Any, **named: Any) -> Any:
        question = (id(X), more, tuple(named.items()))
        if question not in known:
            known[question] = X, method(X, *more, **named)
        return copy.deepcopy(known[question][1])

    return answer


_HERE = Path(__file__).parent

_INSTALLED = ("site-packages", "dist-packages")


def describe(error: BaseException) -> str:
    """Return the traceback without the study's own frames, and without the folders of an install.

    Examples
    --------
    >>> from polychotomy.study.fitting.fit import describe
    >>> try:
    ...     1 / 0
    ... except ZeroDivisionError as error:
    ...     print(describe(error).splitlines()[-1])
    ZeroDivisionError: division by zero
    """
    whole = traceback.TracebackException.from_exception(error)
    link: traceback.TracebackException | None = whole
    while link is not None:
        _tidy(link.stack)
        link = link.__cause__ or link.__context__
    return "".join(whole.format())


def _tidy(stack: traceback.StackSummary) -> None:
    frames = [frame for frame in stack if Path(frame.filename).parent != _HERE]
    for frame in frames:
        _ = frame.line  # read while the file can still be found
        frame.filename = _shorten(frame.filename)
    stack[:] = frames


def _shorten(filename: str) -> str:
    """Name a file from its package on: ``sklearn/svm/_base.py``."""
    path = Path(filename)
    if path.is_relative_to(_HERE.parent):
        return path.relative_to(_HERE.parent.parent).as_posix()
    for at in range(len(path.parts) - 1, -1, -1):
        if path.parts[at] in _INSTALLED:
            return Path(*path.parts[at + 1 :]).as_posix()
    return filename


class Terminated(SystemExit):
    """SIGTERM has come; told apart from a candidate that calls ``sys.exit``."""


@contextmanager
def closing_on_terminate() -> Iterator[None]:
    """Turn SIGTERM into ``SystemExit`` in the meantime, so that what is finished is written.

    Left alone are the handler of a program that has one of its own, and threads, to which
    Python delivers no signals.
    """
    ours = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    )
    if ours:
        signal.signal(signal.SIGTERM, _leave)
    try:
        yield
    finally:
        if ours:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _leave(number: int, frame: FrameType | None) -> None:
    raise Terminated(128 + number)


_CODE = (type, FunctionType, BuiltinFunctionType)


def is_measured(key: TrialKey) -> bool:
    """Say whether a trial measures its model: one of each candidate, data set and plan does.

    Examples
    --------
    >>> [is_measured(TrialKey("iris", "MAX", "5x2 folds", 0, 0, fold)) for fold in (0, 1)]
    [True, False]
    """
    return (key.run, key.repetition, key.fold) == (0, 0, 0)


def pickled_bytes(model: Any) -> int | None:
    """Return how long the pickle of a model would be; None where it cannot be pickled.

    Code is counted by its name, so that a class of a notebook does not weigh more than one that can
    be imported; equal texts, and views of the same memory, are counted once. The number then
    depends on what is in the model and not on the process that made it; without such views, a plain
    ``pickle.dumps`` is within some bytes of it.

    Examples
    --------
    >>> import numpy as np
    >>> pickled_bytes(np.zeros(2000)) - pickled_bytes(np.zeros(1000))
    8000
    >>> print(pickled_bytes(row for row in []))
    None
    """
    scales = _Scales()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            _Weigher(scales, protocol=pickle.HIGHEST_PROTOCOL).dump(model)
        except Terminated:
            raise
        except Exception:  # whatever the model's own methods raise
            return None
    return scales.weight


class _Scales:
    """A file of which only the length is kept."""

    def __init__(self) -> None:
        self.weight = 0

    def write(self, data: Any) -> int:
        size = memoryview(data).nbytes
        self.weight += size
        return size


class _Weigher(pickle.Pickler):
    """Writes code and types of numbers by name, and any text and any memory once."""

    def __init__(self, file: _Scales, *, protocol: int) -> None:
        super().__init__(file, protocol)
        self._texts: dict[str, str] = {}
        self._arrays: dict[
            tuple[Any, ...], NDArray[Any]
        ] = {}  # kept, so that no other takes a place

    def persistent_id(self, obj: Any) -> str | None:
        """Return what stands for an object; None for those that are pickled as usual."""
        if type(obj) is str:
            return self._once(obj)
        if isinstance(obj, _CODE):
            return self._once(f"{obj.__module__}.{obj.__qualname__}")
        if isinstance(obj, np.dtype):  # numpy's own or, in what was sent, a copy of it
            return self._once(repr(obj))
        if type(obj) is np.ndarray and obj.nbytes:
            return self._seen(obj)
        return None

    def _once(self, text: str) -> str:
        return self._texts.setdefault(text, text)

    def _seen(self, array: NDArray[Any]) -> str | None:
        """Return what stands for an array seen before: the same, or a view of the same memory."""
        place = array.ctypes.data, array.shape, array.strides, array.dtype.str
        if place in self._arrays:
            return self._once("view")
        self._arrays[place] = array
        return None


def seeded(estimator: Any, seed: int, *, preparation_seed: int | None = None) -> Any:
    """Give every random part of an estimator that has no seed one of its own.

    Parameters
    ----------
    seed : int
        The trial's.
    preparation_seed : int, optional
        The training set's, for all steps of a pipeline but the last: candidates that prepare the
        data in the same way then compare their learners on the same prepared data.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> seeded(DecisionTreeClassifier(), 1).random_state is None
    False
    >>> seeded(DecisionTreeClassifier(random_state=3), 1).random_state
    3
    """
    if preparation_seed is not None and type(estimator) is Pipeline:
        for position, (_, step) in enumerate(estimator.steps[:-1]):
            seeded_step(step, position, preparation_seed)
    return _set_seeds(estimator, seed)


def seeded_step(step: Any, position: int, preparation_seed: int) -> Any:
    """Seed a step of a pipeline by its position, whatever its name and the other steps are."""
    if not hasattr(step, "get_params"):  # "passthrough"
        return step
    return _set_seeds(step, seed_of(preparation_seed, "step", position))


def unseeded(estimator: Any) -> list[str]:
    """Return the names of the parameters that wait for a seed.

    Examples
    --------
    >>> from sklearn.ensemble import BaggingClassifier
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> unseeded(BaggingClassifier(DecisionTreeClassifier(), random_state=0))
    ['estimator__random_state']
    """
    return [
        name
        for name, value in estimator.get_params(deep=True).items()
        if (name == "random_state" or name.endswith("__random_state")) and value is None
    ]


def _set_seeds(estimator: Any, seed: int) -> Any:
    names = unseeded(estimator)
    return estimator.set_params(**{name: seed_of(seed, name) for name in names})


_ROUNDING = 1e-6  # by which probabilities may be off, as single precision is

_SUM_TOLERANCE = 1e-3  # of their sum, as in tables of predictions: half precision stays within


def run_trial(
    key: TrialKey,
    estimator: Any,
    X: Any,
    target: Target,
    *,
    train: Ints,
    test: Ints,
    study_seed: int,
) -> Outcome:
    """Fit on some rows, predict others.

    A failing learner is an outcome like any other; only an interrupt gets through.

    Parameters
    ----------
    train : ints
        Rows to fit on; a bootstrap repeats some.
    test : ints
        Rows to predict, ascending.
    """

    def attempt() -> Answers:
        model = seeded(
            clone(estimator),
            seed_of(study_seed, *key),
            preparation_seed=preparation_seed(study_seed, key),
        )
        labels = target.classes[target.codes[train]]
        made = fit_and_predict(model, take(X, train), labels, lambda: take(X, test))
        return made.weighed(pickled_bytes(model)) if is_measured(key) else made

    with Ear() as ear:
        made = observe(key, len(target.classes), attempt, ear)
        return conclude(key, made, target, ear)


def preparation_seed(study_seed: int, key: TrialKey) -> int:
    """Return the seed of a training set, the same for all candidates."""
    return seed_of(study_seed, "preparation", *training_set(key))


class Answers(NamedTuple):
    """What a fitted model said about the samples left out, word for word, and how long it took."""

    classes: NDArray[Any]
    labels: NDArray[Any]
    probabilities: NDArray[Any] | None  # (left out, classes)
    fit_seconds: float
    predict_seconds: float
    warnings: tuple[warnings.WarningMessage, ...] = ()
    model_bytes: int | None = None

    def after(self, *, fit_seconds: float, predict_seconds: float, said: Any) -> Answers:
        """Add what a preparation has cost and said."""
        return self._replace(
            fit_seconds=self.fit_seconds + fit_seconds,
            predict_seconds=self.predict_seconds + predict_seconds,
            warnings=tuple(said),
        )

    def weighed(self, model_bytes: int | None) -> Answers:
        """Add how large the fitted model is."""
        return self._replace(model_bytes=model_bytes)


def observe(
    key: TrialKey, n_classes: int, attempt: Callable[[], Answers], ear: Ear
) -> Answers | Outcome:
    """Make an attempt; one that fails is an outcome already."""
    start = time.perf_counter()
    ear.listen()
    try:
        made = attempt()
    except Terminated:
        raise
    except (Exception, SystemExit) as error:  # sys.exit() must not end the study
        return _failed(key, n_classes, error, time.perf_counter() - start)
    return made._replace(warnings=(*made.warnings, *ear.heard)) if ear.heard else made


def conclude(key: TrialKey, made: Answers | Outcome, target: Target, ear: Ear) -> Outcome:
    """Make an outcome of what a model has answered, if that is about the classes there are."""
    if isinstance(made, Outcome):
        return made
    ear.listen()
    try:
        predicted, probabilities = _read(made, target)
    except Exception as error:
        seconds = made.fit_seconds + made.predict_seconds
        return _failed(key, len(target.classes), error, seconds)
    said = {f"{w.category.__name__}: {w.message}"[:500] for w in (*made.warnings, *ear.heard)}
    return succeed(
        key,
        predicted,
        probabilities,
        hard=made.probabilities is None,
        fit_seconds=made.fit_seconds,
        predict_seconds=made.predict_seconds,
        warnings=sorted(said),
        model_bytes=made.model_bytes,
    )


def _failed(key: TrialKey, n_classes: int, error: BaseException, seconds: float) -> Outcome:
    return fail(
        key,
        n_classes,
        status="failed",
        cause=f"{type(error).__name__}: {error}".strip()[:2000],
        details=describe(error),
        seconds=seconds,
    )


def fit_and_predict(
    model: Any,
    X_train: Any,
    labels: NDArray[Any],
    test: Callable[[], Any],
    *,
    is_plain: bool = False,
) -> Answers:
    """Fit a model and predict, by the clock.

    Parameters
    ----------
    test : callable
        Returns the rows to predict, anew each time: a step without copies writes on what it gets.
    is_plain : bool
        Whether the model is one of scikit-learn's or ours by itself, which does neither that nor
        answer twice in different ways.
    """
    start = time.perf_counter()
    model.fit(X_train, labels)
    fitted = time.perf_counter()
    if is_plain and can_remember(model):
        rows = test()
        with remembering(model):
            answers = _ask(model, lambda: rows)
    else:
        answers = _ask(model, test)
    return Answers(*answers, fitted - start, time.perf_counter() - fitted)


def take(X: Any, rows: Ints) -> Any:
    """Return some rows of a DataFrame, an array or a sparse matrix."""
    if type(X) is np.ndarray and X.flags.c_contiguous:
        return X.take(rows, axis=0)  # the bytes of X[rows], in a fifth of the time
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def _ask(
    model: Any, test: Callable[[], Any]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]:
    """Classes, labels and probabilities, if there are any: copies, whatever the model does next."""
    rows = test()
    n = rows.shape[0]
    classes, labels = np.array(model.classes_), np.array(model.predict(rows))
    if labels.shape == (n, 1):  # as CatBoost gives them
        labels = labels[:, 0]
    _check_shape("predict", labels, (n,))
    if not hasattr(model, "predict_proba"):
        return classes, labels, None
    probabilities = np.array(model.predict_proba(test()))
    _check_shape("predict_proba", probabilities, (n, len(classes)))
    return classes, labels, probabilities


def _check_shape(method: str, found: NDArray[Any], expected: tuple[int, ...]) -> None:
    if found.shape != expected:
        raise LearnerError(
            f"{method} gave an array of shape {found.shape} for {expected[0]} rows; expected "
            f"{expected}."
        )


def _read(made: Answers, target: Target) -> tuple[Ints, NDArray[np.floating]]:
    """Predicted codes, and probabilities or votes with a column for every class."""
    columns = _codes_of(made.classes, target)
    predicted = _codes_of(made.labels, target)
    probabilities = np.zeros((len(predicted), len(target.classes)))
    if made.probabilities is None:
        probabilities[np.arange(len(predicted)), predicted] = 1.0
        return predicted, probabilities
    probabilities[:, columns] = made.probabilities
    _check_shares(probabilities)
    return predicted, probabilities


def _check_shares(probabilities: NDArray[np.floating]) -> None:
    """Refuse what is no number from 0 to 1, and sums that are not 1, naming the first row."""
    sound = (probabilities >= -_ROUNDING) & (probabilities <= 1 + _ROUNDING)  # not where NaN
    if np.count_nonzero(sound) < sound.size:
        row = int(np.flatnonzero(~sound.all(axis=1))[0])
        finite = np.isfinite(probabilities[row]).all()
        raise LearnerError(
            f"predict_proba gave {probabilities[row].tolist()} for row {row} of the fold left out; "
            f"expected {'probabilities from 0 to 1' if finite else 'finite probabilities'}."
        )
    sums = probabilities.sum(axis=1)
    off = np.abs(sums - 1) > _SUM_TOLERANCE
    if off.any():
        row = int(off.argmax())
        raise LearnerError(
            f"predict_proba gave {probabilities[row].tolist()} for row {row} of the fold left out, "
            f"which sum to {sums[row]:g}; expected 1, to within {_SUM_TOLERANCE:g}."
        )


def _codes_of(labels: NDArray[Any], target: Target) -> Ints:
    """Look labels up among the classes."""
    codes: Ints = target.classes.searchsorted(labels)
    np.minimum(codes, len(target.classes) - 1, out=codes)
    known = target.classes[codes] == labels
    if np.count_nonzero(known) < codes.size:
        unknown = np.flatnonzero(~known)
        raise LearnerError(
            f"the learner predicted {labels.tolist()[unknown[0]]!r}, which is none of the classes "
            f"{', '.join(target.names[:10])}."
        )
    return codes
