"""Errors written a row each, as an array with names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TextIO, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.comparison.drawings import draw_error_rows
from polychotomy.comparison.inputs import learner_names, refuse_frame
from polychotomy.core.arguments import as_floats, check_names, unexpected, wrong_shape
from polychotomy.core.arrays import Floats, Ints, Probabilities
from polychotomy.core.exceptions import InvalidInput, InvalidTable
from polychotomy.core.predictions import OutOfFold
from polychotomy.core.result import Axes, DataFrame, Result, new_axes
from polychotomy.tables.csv_text import exact_numbers

AXES = ("learner", "data_set", "run", "repetition", "fold")


def read_errors(path: str | Path | TextIO) -> DataFrame:
    r"""Read a CSV file of errors; every label is kept as the text it is, "NA" too.

    Examples
    --------
    >>> from io import StringIO
    >>> read_errors(StringIO("learner,fold,error\nNA,0,0.1\n"))["learner"].tolist()
    ['NA']
    """
    import pandas as pd

    labels = dict.fromkeys(AXES, str)
    return pd.read_csv(
        path, dtype=labels, keep_default_na=False, na_values={"error": [""]}, **exact_numbers()
    )


def pivot_errors(
    frame: DataFrame, names: Sequence[str] | None
) -> tuple[tuple[str, ...], tuple[str, ...], Floats]:
    """Names, data sets and errors (m, data sets, runs, repetitions, folds); NaN without a row.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"learner": ["B", "A"], "fold": [0, 1], "error": [0.1, 0.2]})
    >>> pivot_errors(frame, ["A", "B"])[2].tolist()
    [[[[[nan, 0.2]]]], [[[[0.1, nan]]]]]
    """
    import pandas as pd

    _require_columns(frame)
    blank = {axis: "data" if axis == "data_set" else "0" for axis in AXES}
    labels = pd.DataFrame(
        {axis: list(map(str, frame[axis])) if axis in frame else blank[axis] for axis in AXES}
    )
    again = labels[labels.duplicated(keep=False)]
    if len(again):
        cell = ", ".join(f"{axis} {label}" for axis, label in again.iloc[0].items())
        count = (again == again.iloc[0]).all(axis=1).sum()
        raise InvalidTable(f"there are {count} rows for {cell}; expected one.")
    codes, found = zip(
        *(_coded(labels[axis], sort=place > 1) for place, axis in enumerate(AXES)), strict=True
    )
    learners = found[0]
    rows = codes[0] if names is None else _by_preference(names, learners)[codes[0]]
    errors = np.full(tuple(map(len, found)), np.nan)
    errors[(rows, *codes[1:])] = as_floats("error", frame["error"].to_numpy())
    return tuple(learners if names is None else names), found[1], errors


def _require_columns(frame: DataFrame) -> None:
    lacking = [name for name in ("learner", "fold", "error") if name not in frame.columns]
    if lacking:
        raise InvalidTable(
            f"the table has columns {list(map(str, frame.columns))} and lacks {lacking}; expected "
            "learner, fold and error, and optionally data_set, run, repetition."
        )
    if not len(frame):
        raise InvalidTable("the table has no rows; expected one for each error.")


def _coded(labels: Any, *, sort: bool) -> tuple[Ints, tuple[str, ...]]:
    """Codes and distinct labels: as they first appear, or by number where all are numbers."""
    import pandas as pd

    codes, distinct = pd.factorize(labels)
    numbers = np.asarray(pd.to_numeric(distinct, errors="coerce"), dtype=float)
    if not sort or not np.isfinite(numbers).all():
        return codes, tuple(distinct)
    order = np.argsort(numbers, kind="stable")
    return np.argsort(order)[codes], tuple(distinct[order])


def _by_preference(names: Sequence[str], learners: tuple[str, ...]) -> Ints:
    if sorted(names) != sorted(learners):
        raise InvalidTable(
            f"names is {tuple(names)}; expected the learners, {learners}, each once."
        )
    return np.array([list(names).index(learner) for learner in learners], dtype=np.intp)


Loss: TypeAlias = (
    Literal["misclassification", "squared", "deviance"] | Callable[[Probabilities, Ints], Floats]
)
"""A name, or a function of probabilities (..., n, k) and y (n,) to losses (..., n)."""


class ErrorTable(Result):
    """Errors of learners on data sets, over runs of a resampling plan.

    Any loss will do that is better smaller. NaN marks a missing cell: a fold whose fit failed. A
    table may have such cells; a test may not, and refuses them by name. `without_failed` leaves
    the learners out, `filled` puts a loss in their place.

    Parameters
    ----------
    names : tuple of str
        The learners, in order of preference.
    data_sets : tuple of str
    errors : (m, data sets, runs, repetitions, folds) floats

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison import ErrorTable
    >>> from polychotomy.comparison.multitest import multitest
    >>> noise = 0.01 * np.random.default_rng(0).standard_normal((2, 5, 2))
    >>> table = ErrorTable.from_array([[[0.3]], [[0.1]]] + noise, names=["mean", "tree"])
    >>> print(table)
    Errors of 2 learners on 1 data set: 1 run of 5 × 2 folds, no cell missing.
    >>> multitest(table.of(), names=table.names).ordered_names
    ('tree', 'mean')

    A fit that failed:

    >>> holes = ErrorTable.from_array([[[0.3, 0.2]], [[np.nan, 0.1]]], names=["mean", "tree"])
    >>> holes.missing()[["learner", "fold"]].values.tolist()
    [['tree', 0]]
    >>> holes.without_failed().names, holes.filled(1.0).mean_errors().round(2).tolist()
    (('mean',), [[0.25, 0.55]])
    """

    names: tuple[str, ...]
    data_sets: tuple[str, ...]
    errors: Floats

    def __post_init__(self) -> None:
        expected = (len(self.names), len(self.data_sets))
        if self.errors.ndim != 5 or self.errors.shape[:2] != expected or not self.errors.size:
            raise wrong_shape("errors", self.errors, f"{expected} and runs, repetitions, folds")
        super().__post_init__()

    @classmethod
    def from_array(
        cls,
        errors: ArrayLike,
        *,
        names: Sequence[str] | None = None,
        data_sets: Sequence[str] | None = None,
    ) -> ErrorTable:
        """Read (m, folds), (m, repetitions, folds), (m, runs, …), or (m, data sets, runs, …).

        Examples
        --------
        >>> import numpy as np
        >>> from polychotomy.comparison import ErrorTable
        >>> ErrorTable.from_array(np.full((3, 5, 2), 0.2)).errors.shape
        (3, 1, 1, 5, 2)
        """
        refuse_frame(errors, "errors")
        array = as_floats("errors", errors)
        if not 2 <= array.ndim <= 5:
            raise InvalidInput(
                f"errors has shape {array.shape}; expected (learners, repetitions, folds) or up to "
                "(learners, data sets, runs, repetitions, folds)."
            )
        full = array.reshape(len(array), *(1,) * (5 - array.ndim), *array.shape[1:])
        return cls(
            names=learner_names(names, full.shape[0]),
            data_sets=data_set_names(data_sets, full.shape[1]),
            errors=full,
        )

    @classmethod
    def from_frame(cls, frame: DataFrame, *, names: Sequence[str] | None = None) -> ErrorTable:
        """Read errors, one in a row: learner, fold, error; optional data_set, run, repetition.

        Learners are in order of preference as in ``names``, by default as they first appear. A
        cell without a row is missing.

        Examples
        --------
        >>> import pandas as pd
        >>> from polychotomy.comparison import ErrorTable
        >>> frame = pd.DataFrame(
        ...     {"learner": list("ABAB"), "fold": [0, 0, 1, 1], "error": [0.1, 0.2, 0.3, 0.4]}
        ... )
        >>> ErrorTable.from_frame(frame).of().tolist()
        [[[0.1, 0.3]], [[0.2, 0.4]]]
        """
        found_names, data_sets, errors = pivot_errors(frame, names)
        return cls(names=found_names, data_sets=data_sets, errors=errors)

    @classmethod
    def read_csv(
        cls, path: str | Path | TextIO, *, names: Sequence[str] | None = None
    ) -> ErrorTable:
        r"""Read a CSV file with the columns of `from_frame`.

        Examples
        --------
        >>> from io import StringIO
        >>> from polychotomy.comparison import ErrorTable
        >>> text = StringIO("learner,fold,error\nNA,0,0.1\nB,0,0.2\n")
        >>> ErrorTable.read_csv(text).names
        ('NA', 'B')
        """
        return cls.from_frame(read_errors(path), names=names)

    @classmethod
    def from_predictions(
        cls, predictions: OutOfFold | Mapping[str, OutOfFold], *, loss: Loss = "misclassification"
    ) -> ErrorTable:
        """Score the out-of-fold predictions of a ledger, one or one a data set.

        Parameters
        ----------
        predictions : OutOfFold or mapping from data set to OutOfFold
            All with the same learners and the same plan.
        loss : {"misclassification", "squared", "deviance"} or callable
            "squared" is Σ (p − truth)² over the classes, "deviance" −2 log p of the true class. A
            callable gets probabilities (m, runs, repetitions, n, k) and y (n,) and returns losses
            (m, runs, repetitions, n).

        Examples
        --------
        >>> import numpy as np
        >>> from polychotomy.comparison import ErrorTable
        >>> from polychotomy.core.predictions import OutOfFold
        >>> p = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.3, 0.7]])
        >>> one = OutOfFold(
        ...     names=("logistic",), classes=("no", "yes"), y=np.array([0, 1, 1, 1]),
        ...     folds=np.array([[[0, 0, 1, 1]]]), predicted=p.argmax(axis=1)[None, None, None],
        ...     probabilities=p[None, None, None], hard=np.array([False]),
        ... )
        >>> ErrorTable.from_predictions(one, loss="squared").of().round(2)
        array([[[0.05, 0.45]]])
        """
        found = {"data": predictions} if isinstance(predictions, OutOfFold) else dict(predictions)
        if not found:
            raise InvalidInput("predictions is empty; expected those of one data set or more.")
        names = next(iter(found.values())).names
        scored = {name: fold_losses(one, loss) for name, one in found.items()}
        for name, one in found.items():
            if one.names != names or scored[name].shape != next(iter(scored.values())).shape:
                raise InvalidInput(
                    f"data set {name!r} has learners {one.names} and a plan of "
                    f"{scored[name].shape[1:]} runs, repetitions and folds; expected those of the "
                    f"first, {names} and {next(iter(scored.values())).shape[1:]}."
                )
        errors = np.stack(list(scored.values()), axis=1)
        return cls(names=names, data_sets=tuple(found), errors=errors)

    def of(self, data_set: str | int = 0, *, run: int = 0) -> Floats:
        """Return the errors (m, repetitions, folds) of one data set and run."""
        row = self.data_sets.index(data_set) if data_set in self.data_sets else data_set
        if isinstance(row, str) or not 0 <= row < len(self.data_sets):
            raise unexpected("data_set", data_set, f"one of {self.data_sets}")
        if not 0 <= run < self.errors.shape[2]:
            raise InvalidInput(f"run is {run}; expected 0 to {self.errors.shape[2] - 1}.")
        return self.errors[:, row, run]

    def mean_errors(self) -> Floats:
        """Return the means by data set and learner, (data sets, m): what `friedman_test` takes.

        Folds and runs of a data set are averaged; they are not independent, so they can never
        stand for data sets themselves.
        """
        if np.isnan(self.errors).any():
            raise InvalidInput(f"{self._first_missing()}. {_WHAT_TO_DO}")
        return np.asarray(self.errors.mean(axis=(2, 3, 4)).T)

    def missing(self) -> DataFrame:
        """Return the missing cells, a row each."""
        frame = self.to_frame()
        return frame[frame["error"].isna()].drop(columns="error").reset_index(drop=True)

    def without_failed(self) -> ErrorTable:
        """Return the table without the learners that have a missing cell."""
        whole = ~np.isnan(self.errors).any(axis=(1, 2, 3, 4))
        if not whole.any():
            raise InvalidInput(f"every learner has a missing cell; {self._first_missing()}.")
        return self.reordered(np.flatnonzero(whole))

    def filled(self, loss: float) -> ErrorTable:
        """Return the table with a loss in place of each missing cell, such as 1 for an error."""
        return replace(self, errors=np.where(np.isnan(self.errors), float(loss), self.errors))

    def reordered(self, rows: ArrayLike) -> ErrorTable:
        """Return the table with these learners, in this order of preference.

        Examples
        --------
        >>> import numpy as np
        >>> from polychotomy.comparison import ErrorTable
        >>> from polychotomy.comparison import order_by_cost
        >>> table = ErrorTable.from_array(np.full((2, 5, 2), 0.2), names=["forest", "linear"])
        >>> table.reordered(order_by_cost([9.1, 0.2])).names
        ('linear', 'forest')
        """
        chosen = np.asarray(rows, dtype=np.intp)
        return replace(self, names=tuple(self.names[i] for i in chosen), errors=self.errors[chosen])

    def to_frame(self) -> DataFrame:
        """One row for each cell, with the columns of `from_frame`."""
        import pandas as pd

        index = np.indices(self.errors.shape).reshape(5, -1)
        labels = [
            np.array(self.names, object)[index[0]],
            np.array(self.data_sets, object)[index[1]],
        ]
        columns = dict(zip(AXES, [*labels, *index[2:]], strict=True))
        return pd.DataFrame({**columns, "error": self.errors.ravel()})

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the errors on the first data set, a row for each learner."""
        ax = new_axes(ax, height=1.0 + 0.4 * len(self.names))
        errors = self.errors[:, 0].reshape(len(self.names), -1)
        draw_error_rows(ax, self.names, errors, best=-1)
        ax.set_xlabel(f"error on {self.data_sets[0]}")
        return ax

    def __str__(self) -> str:
        m, sets, runs, repetitions, folds = self.errors.shape
        gaps = int(np.isnan(self.errors).sum())
        return (
            f"Errors of {m} learner{'s' * (m > 1)} on {sets} data set{'s' * (sets > 1)}: {runs} "
            f"run{'s' * (runs > 1)} of {repetitions} × {folds} folds, "
            f"{f'{gaps} cells' if gaps > 1 else '1 cell' if gaps else 'no cell'} missing."
        )

    def _first_missing(self) -> str:
        i, d, run, repetition, fold = np.argwhere(np.isnan(self.errors))[0]
        return (
            f"the error of {self.names[i]!r} on {self.data_sets[d]!r} in run {run}, repetition "
            f"{repetition}, fold {fold} is missing"
        )


_WHAT_TO_DO = "Leave the learner out (without_failed) or count the failure as a loss (filled)."


def fold_losses(predictions: OutOfFold, loss: Loss) -> Floats:
    """Mean loss of each fold, (m, runs, repetitions, folds); NaN for a failed fold."""
    if loss == "misclassification":
        return predictions.fold_errors()
    p, y = np.asarray(predictions.probabilities, dtype=np.float64), predictions.y
    if callable(loss):
        losses = as_floats("the losses", loss(p, y))
    elif loss == "squared":
        losses = np.square(p - np.eye(p.shape[-1])[y]).sum(axis=-1)
    elif loss == "deviance":
        with np.errstate(divide="ignore"):
            losses = -2.0 * np.log(np.take_along_axis(p, y[:, None][(None,) * 3], axis=-1)[..., 0])
    else:
        raise InvalidInput(
            f"loss is {loss!r}; expected 'misclassification', 'squared', 'deviance' or a function "
            "of probabilities and y."
        )
    if losses.shape != p.shape[:-1]:
        raise InvalidInput(f"the losses have shape {losses.shape}; expected {p.shape[:-1]}.")
    return predictions.fold_means(losses)


def data_set_names(data_sets: Sequence[str] | None, count: int) -> tuple[str, ...]:
    """Return a distinct name for each data set; by default its number."""
    return check_names("data_sets", data_sets, count=count, prefix="data set ")
