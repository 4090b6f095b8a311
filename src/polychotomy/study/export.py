"""A ledger as a table: a row a prediction, for any other program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from polychotomy.exceptions import InvalidInput
from polychotomy.study.ledger import Ledger
from polychotomy.whole_file import writing_whole

if TYPE_CHECKING:
    import pandas as pd

_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what makes a spreadsheet compute a cell


def predictions_frame(ledger: Ledger) -> pd.DataFrame:
    """Return every prediction of a ledger, one a row.

    The columns are ``candidate, run, repetition, fold, sample, truth, predicted``, a column
    ``p:<class>`` for each class, ``fit_seconds`` and ``predict_seconds``. Failed fits have no rows.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy.study import Study
    >>> X, y = load_iris(return_X_y=True)
    >>> with Study({"naive Bayes": GaussianNB()}, X, y).run() as ledger:
    ...     frame = predictions_frame(ledger)
    >>> len(frame), list(frame.columns[:7])
    (750, ['candidate', 'run', 'repetition', 'fold', 'sample', 'truth', 'predicted'])
    """
    import pandas as pd

    specification = ledger.fact("specification")
    names = list(specification["candidates"])
    found = ledger.out_of_fold(names)
    candidate, run, repetition, sample = np.nonzero(found.predicted >= 0)
    classes = np.array(found.classes, dtype=object)
    fold = found.folds[run, repetition, sample]
    columns = {
        "candidate": np.array(names, dtype=object)[candidate],
        "run": run,
        "repetition": repetition,
        "fold": fold,
        "sample": sample,
        "truth": classes[found.y[sample]],
        "predicted": classes[found.predicted[candidate, run, repetition, sample]],
    }
    probabilities = found.probabilities[candidate, run, repetition, sample]
    columns |= {f"p:{name}": probabilities[:, c] for c, name in enumerate(found.classes)}
    frame = pd.DataFrame(columns)
    clocks = pd.DataFrame(ledger.trials())
    keys = ["candidate", "run", "repetition", "fold"]
    return frame.merge(clocks[[*keys, "fit_seconds", "predict_seconds"]], on=keys, how="left")


def export_predictions(ledger: Ledger, path: Path, *, force: bool = False) -> int:
    """Write every prediction to a CSV or Parquet file; return how many.

    In a CSV file, text that a spreadsheet would take for a formula gets a leading apostrophe;
    numbers are untouched.

    Parameters
    ----------
    path : path
        The suffix, ``.csv`` or ``.parquet``, says which.
    force : bool
        Overwrite an existing file.
    """
    if path.suffix not in (".csv", ".parquet"):
        raise InvalidInput(
            f"cannot export to {path.name!r}; expected a name that ends in .csv or .parquet."
        )
    if path.exists() and not force:
        raise InvalidInput(
            f"{str(path)!r} exists and was left as it is. Choose another --output; --force would "
            "replace that file by the predictions."
        )
    if ledger.path is not None and path.exists() and path.samefile(ledger.path):
        raise InvalidInput(f"{str(path)!r} is the study itself; choose another --output.")
    frame = predictions_frame(ledger)
    if path.suffix == ".csv":
        for column in ("candidate", "truth", "predicted"):
            frame[column] = frame[column].map(neutralise)
        frame.columns = [neutralise(name) for name in frame.columns]
    with writing_whole(path) as temporary:
        if path.suffix == ".csv":
            frame.to_csv(temporary, index=False)
        else:
            frame.to_parquet(temporary, index=False)
    return len(frame)


def neutralise(text: str) -> str:
    """Make text safe to open in a spreadsheet.

    Examples
    --------
    >>> neutralise("=1+1"), neutralise("-3"), neutralise("setosa")
    ("'=1+1", '-3', 'setosa')
    """
    if not text.startswith(_FORMULA):
        return text
    try:
        float(text)
    except ValueError:
        return f"'{text}"
    return text
