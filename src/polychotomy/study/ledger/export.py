"""A ledger as a table: a row a prediction, for any other program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.files import check_suffix, writing_whole
from polychotomy.study.ledger.ledger import Ledger
from polychotomy.study.ledger.reading import FOLDS

if TYPE_CHECKING:
    import pandas as pd


_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what makes a spreadsheet compute a cell


def predictions_frame(ledger: Ledger, *, plan: str | None = None) -> pd.DataFrame:
    """Return the predictions of a ledger, one a row.

    The columns are ``candidate, run, repetition, fold, sample, truth, predicted``, a column
    ``p:<class>`` for each class, ``fit_seconds``, ``predict_seconds`` and ``model_bytes`` (measured
    once a candidate). ``dataset`` and ``plan`` come first where there are several of them. Failed
    fits have no rows.

    Parameters
    ----------
    plan : str, optional
        Which plan's predictions, any kind. By default those of all plans that are made of folds;
        bootstrap replicates and training sizes are not among them.

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
    kinds = {name: values["kind"] for name, values in specification["plans"].items()}
    plans = [name for name, kind in kinds.items() if kind in FOLDS] if plan is None else [plan]
    parts = []
    for dataset in specification["datasets"]:
        sizes = pd.Series(ledger.model_bytes(dataset), dtype="Int64")
        for name in plans:
            part = pd.DataFrame(ledger.prediction_columns(dataset=dataset, plan=name))
            parts.append(part.assign(model_bytes=part["candidate"].map(sizes).astype("Int64")))
    frame = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
    several = {"dataset": specification["datasets"], "plan": plans}
    single = [column for column, names in several.items() if len(names) == 1]
    price = [name for name in frame.columns if name.endswith(("_seconds", "_bytes"))]
    others = [name for name in frame.columns if name not in (*single, *price)]
    return frame[[*others, *price]]


def export_predictions(ledger: Ledger, path: str | Path, *, force: bool = False) -> int:
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
    path = Path(path)
    check_suffix(path, ".csv", ".parquet", what="export to")
    if path.exists() and not force:
        raise InvalidInput(
            f"{str(path)!r} exists and was left as it is. Choose another --output; --force would "
            "replace that file by the predictions."
        )
    if ledger.path is not None and path.exists() and path.samefile(ledger.path):
        raise InvalidInput(f"{str(path)!r} is the study itself; choose another --output.")
    frame = predictions_frame(ledger)
    if path.suffix == ".csv":
        for column in frame.select_dtypes(exclude="number").columns:
            frame[column] = frame[column].map(neutralise)
        frame.columns = [neutralise(name) for name in frame.columns]
    with writing_whole(path) as temporary:
        if path.suffix == ".csv":
            frame.to_csv(temporary, index=False)
        else:
            frame.to_parquet(temporary, index=False)
    return len(frame)


def neutralise(text: str) -> str:
    """Make text safe to open in a spreadsheet; ``restore`` gives it back.

    Examples
    --------
    >>> neutralise("=1+1"), neutralise("-3"), neutralise("-"), neutralise("setosa")
    ("'=1+1", '-3', '-', 'setosa')
    """
    return f"'{text}" if _is_formula(text) else text


def restore(text: str) -> str:
    """Take back what ``neutralise`` did.

    Examples
    --------
    >>> restore("'=1+1"), restore("'tis")
    ('=1+1', "'tis")
    """
    return text[1:] if text.startswith("'") and _is_formula(text) else text


def _is_formula(text: str) -> bool:
    """Whether text, whatever apostrophes it begins with, would be taken for a formula."""
    bare = text.lstrip("'")
    if len(bare) < 2 or not bare.startswith(_FORMULA):  # a sign alone computes nothing
        return False
    try:
        float(bare)
    except ValueError:
        return True
    return False
