"""A ledger as a table: a row for each prediction, for any other program."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.files import check_suffix, writing_whole
from polychotomy.study.ledger.ledger import Ledger
from polychotomy.study.ledger.reading import FOLDS

if TYPE_CHECKING:
    import pandas as pd


_VALUES = 4_000_000  # probabilities in memory at a time

_ROWS = 200_000  # written out at a time

_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what makes a spreadsheet compute a cell


def predictions_frame(ledger: Ledger) -> pd.DataFrame:
    """Return the predictions of a ledger, one a row.

    The columns are ``candidate, run, repetition, fold, sample, truth, predicted``, a column
    ``p:<class>`` for each class, ``fit_seconds``, ``predict_seconds`` and ``model_bytes`` (measured
    once for each candidate). ``dataset`` and ``plan`` come first where there are several of them.
    Failed fits have no rows, nor do bootstrap replicates and training sizes.

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

    parts = list(_frames(ledger))
    frame = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
    return frame[sorted(frame, key=lambda name: name.endswith(("_seconds", "_bytes")))]  # last


def _frames(ledger: Ledger) -> Iterator[pd.DataFrame]:
    """Yield predictions of each data set and plan, some candidates read and some rows at a time."""
    import pandas as pd

    specification = ledger.fact("specification")
    plans = [name for name, how in specification["plans"].items() if how["kind"] in FOLDS]
    several = {"dataset": specification["datasets"], "plan": plans}
    single = [column for column, names in several.items() if len(names) == 1]
    candidates = list(specification["candidates"])
    for (dataset, about), plan in itertools.product(specification["datasets"].items(), plans):
        sizes = pd.Series(ledger.model_bytes(dataset), dtype="Int64")
        # Each time the study is read from its beginning to its end, hence few times.
        values = len(about["classes"]) * ledger.folds(dataset=dataset, plan=plan).size
        size = max(1, _VALUES // values)
        for first in range(0, len(candidates), size):
            asked = {"dataset": dataset, "plan": plan, "candidates": candidates[first:][:size]}
            for found in ledger.prediction_columns(_ROWS, **asked):
                part = pd.DataFrame(found).drop(columns=single)
                yield part.assign(model_bytes=part["candidate"].map(sizes).astype("Int64"))


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
    # Some candidates at a time, which is the order of the rows, and of these some rows.
    # Data sets have other classes, hence other columns: only together do they make a table.
    is_one = len(ledger.fact("specification")["datasets"]) == 1
    frames = _frames(ledger) if is_one else [predictions_frame(ledger)]
    count = 0
    with (
        writing_whole(path) as temporary,
        writing_rows(temporary, as_parquet=path.suffix == ".parquet") as write,
    ):
        for frame in frames:
            if len(frame) or not count:
                write(frame)
            count += len(frame)
    return count


@contextmanager
def writing_rows(path: Path, *, as_parquet: bool) -> Iterator[Callable[[pd.DataFrame], None]]:
    r"""Give a function that adds rows to a file; in CSV no cell of text is a formula.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import pandas as pd
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "rows")
    ...     with writing_rows(path, as_parquet=False) as write:
    ...         write(pd.DataFrame({"x": [0.5], "y": ["=1+1"]}))
    ...         write(pd.DataFrame({"x": [0.25], "y": ["a,b"]}))
    ...     path.read_text()
    'x,y\n0.5,\'=1+1\n0.25,"a,b"\n'
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not as_parquet:
        with path.open("w", encoding="utf-8", newline="") as file:
            yield lambda frame: _write_csv(frame, file)
        return
    with ExitStack() as stack:
        writers: list[pq.ParquetWriter] = []

        def add(frame: pd.DataFrame) -> None:
            if not writers:
                schema = pa.Schema.from_pandas(frame, preserve_index=False)
                for place, field in enumerate(schema):  # a text of which no row is known yet
                    if pa.types.is_null(field.type):
                        schema = schema.set(place, field.with_type(pa.string()))
                writers.append(stack.enter_context(pq.ParquetWriter(path, schema)))
            table = pa.Table.from_pandas(frame, schema=writers[0].schema, preserve_index=False)
            writers[0].write_table(table)

        yield add


def _write_csv(frame: pd.DataFrame, file: TextIO) -> None:
    """Write rows, under their header if they are the first."""
    safe = frame.rename(columns=neutralise)
    for place, dtype in enumerate(frame.dtypes):
        column = frame.iloc[:, place]
        if dtype.kind in "Mm":  # days without hours, if all are such
            safe.isetitem(place, column.astype(str).where(column.notna()))
        elif dtype.kind not in "biuf":  # texts are often few, and each is looked at once
            codes, distinct = column.astype("string").factorize(use_na_sentinel=False)
            safe.isetitem(place, distinct.map(neutralise, na_action="ignore").take(codes))
    safe.to_csv(file, index=False, header=not file.tell())


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
