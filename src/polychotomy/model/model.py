"""Model: a fitted classifier that knows what table it wants and what labels it gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polychotomy.arrays import Floats
from polychotomy.exceptions import InvalidTable, LearnerError
from polychotomy.model.conforming import conform
from polychotomy.model.fitted_dates import dates_of
from polychotomy.model.recalibrated import RecalibratedClassifier
from polychotomy.model.schema import Schema
from polychotomy.model.warned import gathering_warnings

if TYPE_CHECKING:
    import pandas as pd


class Predictions(NamedTuple):
    """Predictions for a table, and remarks about it.

    ``frame`` has a row a row of the table: ``predicted`` in the labels' own type, and a column
    ``p:<class>`` for each class.

    Examples
    --------
    >>> import pandas as pd
    >>> from polychotomy.model import Predictions
    >>> Predictions(pd.DataFrame({"predicted": ["a"], "p:a": [1.0]}), notes=()).frame.shape
    (1, 2)
    """

    frame: pd.DataFrame
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Model:
    """A classifier fitted on all data, with its recalibration, costs, schema and card.

    Made by :func:`fit_model`, read from a file by :func:`load_model`.

    Parameters
    ----------
    name : str
        The candidate's name.
    classifier : RecalibratedClassifier
        A scikit-learn classifier: ``predict``, ``predict_proba``. It keeps recalibration and costs.
    schema : Schema
        What table it wants and what labels it gives.
    card : str
        The model card, in Markdown.
    versions : {package: version}
        With what it was fitted.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy.model import fit_model
    >>> X = pd.DataFrame({"size": [1.0, 1.2, 3.0, 3.1]})
    >>> model = fit_model(GaussianNB(), X, ["small", "small", "large", "large"])
    >>> found = model.predict_table(pd.DataFrame({"size": [0.9], "colour": ["red"]}))
    >>> found.frame["predicted"].tolist(), list(found.frame.columns)
    (['small'], ['predicted', 'p:large', 'p:small'])
    >>> found.notes
    ("1 column that the model does not use was left out: 'colour'",)

    One file, which `load_model` reads:

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.save(pathlib.Path(folder, "sizes.skops"))
    """

    name: str
    classifier: RecalibratedClassifier
    schema: Schema
    card: str
    versions: Mapping[str, str]

    def __repr__(self) -> str:
        wants = ", ".join(str(column.name) for column in self.schema.columns)
        return f"<Model: {self.name!r}, tells {', '.join(self.schema.labels)} by {wants}>"

    @property
    def classes(self) -> pd.Series:
        """The class labels in their own type, in the order of the probabilities."""
        return self.schema.label_series()

    @property
    def costs(self) -> Floats | None:
        """``costs[truth, predicted]``, (k, k), by which it decides; None: the most probable class.

        Examples
        --------
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from polychotomy.model import fit_model
        >>> X, y = [[0.0], [0.2], [0.8], [1.0]], ["no", "no", "yes", "yes"]
        >>> fit_model(GaussianNB(), X, y, costs=[[0, 1], [5, 0]]).costs.tolist()
        [[0.0, 1.0], [5.0, 0.0]]
        """
        return self.classifier.costs

    @property
    def deciding(self) -> str:
        """What its labels and probabilities are, in words.

        Examples
        --------
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from polychotomy.model import fit_model
        >>> fit_model(GaussianNB(), [[0.0], [0.2], [0.8], [1.0]], [0, 0, 1, 1]).deciding
        'labels are the most probable ones, probabilities are without recalibration'
        """
        if self.classifier.is_hard:
            return "labels are the learner's own, it gives no probabilities but 0 and 1"
        rule = "the most probable ones" if self.costs is None else "those of least expected cost"
        calibrator = self.classifier.calibrator
        mended = "without" if calibrator is None else f"with {type(calibrator).__name__.lower()}"
        return f"labels are {rule}, probabilities are {mended} recalibration"

    def predict_table(self, table: pd.DataFrame) -> Predictions:
        """Predict the class of each row of a table: the most probable, or by costs the cheapest.

        Parameters
        ----------
        table : DataFrame
            With the columns of training, in any order; others are left out and remarked on.
        """
        import pandas as pd

        if not isinstance(table, pd.DataFrame):
            wanted = ", ".join(repr(column.name) for column in self.schema.columns)
            raise InvalidTable(
                f"the table is a {type(table).__name__}; expected a DataFrame with the columns of "
                f"training: {wanted}."
            )
        if not len(table):
            raise InvalidTable("the table has no rows; expected at least one to predict.")
        X, notes = conform(table, self.schema, dates_of(self.classifier))
        try:
            with gathering_warnings() as warned:
                probabilities = self.classifier.predict_proba(X)
        except Exception as error:  # whatever the learner raises
            raise LearnerError(
                f"{self.name!r} cannot predict this table: {type(error).__name__}: "
                f"{error}{_hint_infinite(X, self.schema)}"
            ) from error
        winners = self.classifier.decide(probabilities)
        labels = self.classes
        columns = {"predicted": labels.take(winners).reset_index(drop=True)}
        names = [f"p:{label}" for label in self.schema.labels]
        frame = pd.concat(
            [pd.DataFrame(columns), pd.DataFrame(probabilities, columns=names)], axis=1
        )
        return Predictions(frame, (*notes, *warned))

    def save(self, path: str | Path, *, force: bool = False) -> None:
        """Write the model to one file, whole or not at all.

        The file is a zip archive in skops' format, so that ``skops.io.load`` gives the classifier;
        it also holds ``polychotomy.json``, the schema, and ``README.md``, the card.

        Parameters
        ----------
        path : path
            A name that ends in ``.skops``.
        force : bool
            Overwrite an existing file.
        """
        from polychotomy.model.model_file import save_model

        save_model(self, Path(path), force=force)


def _hint_infinite(X: Any, schema: Schema) -> str:
    """Say which column is infinite, which most learners cannot take."""
    for position, column in enumerate(schema.columns):
        values = X.iloc[:, position] if hasattr(X, "iloc") else X[:, position]
        if column.kind == "number":
            rows = np.flatnonzero(np.isinf(np.asarray(values, dtype=np.float64)))
            if len(rows):
                return f" (the column {column.name!r} is infinite, first in data row {rows[0] + 1})"
    return ""
