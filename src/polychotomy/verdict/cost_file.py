"""A cost matrix from a file, its rows and columns found by the names of the classes."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from polychotomy.arrays import Floats
from polychotomy.datasets.csv_text import decode_text
from polychotomy.datasets.separators import find_separators, with_points
from polychotomy.exceptions import InvalidInput, InvalidTable

if TYPE_CHECKING:
    import pandas as pd


def read_costs(path: Path, classes: Sequence[str]) -> Floats:
    r"""Read costs from a CSV file: a row a true class, a column a predicted one, named by class.

    Rows and columns may stand in any order; the first field of each row is the true class.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "costs.csv")
    ...     _ = path.write_text("truth,yes,no\nno,1,0\nyes,0,5\n")
    ...     read_costs(path, ["no", "yes"])
    array([[0., 1.],
           [5., 0.]])
    """
    import pandas as pd

    frame = _read(path)
    for kind, found in (("row", frame.index), ("column", frame.columns)):
        names = [str(name) for name in found]
        if sorted(names) != sorted(classes):
            odd = sorted(set(names) ^ set(classes)) or [n for n in names if names.count(n) > 1]
            raise InvalidInput(
                f"the cost matrix {path.name!r} has the {kind}s {', '.join(names[:10])}; expected "
                f"one for each class: {', '.join(classes[:10])}. Look at {odd[0]!r}. The file "
                "needs a header with the names of the predicted classes, and the true one first in "
                "every row."
            )
    ordered = frame.loc[list(classes), list(classes)]
    costs = pd.to_numeric(ordered.stack(), errors="coerce").to_numpy(dtype=float)
    if not np.isfinite(costs).all():
        (truth, predicted), text = next(
            entry
            for entry, cost in zip(ordered.stack().items(), costs, strict=True)
            if not np.isfinite(cost)
        )
        raise InvalidInput(
            f"the cost matrix {path.name!r} has the entry {text!r} for {truth!r} taken for "
            f"{predicted!r}; expected finite numbers."
        )
    return np.asarray(costs.reshape(len(classes), len(classes)))


def _read(path: Path) -> pd.DataFrame:
    """Read the fields as texts, separated as in a table."""
    import pandas as pd

    try:
        text = decode_text(path.read_bytes(), path.name)
        mark, decimal = find_separators(text)
        frame = pd.read_csv(StringIO(text), sep=mark, dtype=str, keep_default_na=False, index_col=0)
    except InvalidTable:
        raise
    except (OSError, ValueError) as error:  # pandas' parser errors are ValueErrors
        raise InvalidInput(
            f"the cost matrix {path.name!r} cannot be read: {_why(error)}. Expected "
            "a CSV file with a column a predicted class and a row a true one."
        ) from error
    return frame.map(with_points) if decimal == "," else frame


def _why(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error).splitlines()[0].rstrip(".")
