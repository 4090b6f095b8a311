"""A cost matrix from a file, its rows and columns found by the names of the classes."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from polychotomy.core.arrays import Floats
from polychotomy.core.exceptions import InvalidInput, InvalidTable
from polychotomy.core.files import check_folder
from polychotomy.study.design.candidates import for_tables
from polychotomy.study.fitting.user_module import load_module
from polychotomy.tables.csv_text import decode_text, find_separators, with_points

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


_SUFFIXES = (".html", ".htm")

_LONGEST_PAGE = 4 * 2**20


def check_page(page: Path, study: Path | None, mark: str, *, force: bool) -> None:
    """Refuse a page that could not or should not be written.

    A page that was written for the same study, which ``mark`` tells, may be written again.
    """
    if page.is_dir():
        raise InvalidInput(f"{str(page)!r} is a folder; expected the name of a page to write.")
    if page.suffix.lower() not in _SUFFIXES:
        raise InvalidInput(
            f"--output {str(page)!r}: the page is HTML; expected a name that ends in .html. For "
            "JSON, use --json."
        )
    if not page.parent.is_dir():
        raise InvalidInput(f"there is no folder {str(page.parent)!r} to write {page.name!r} into.")
    if page.exists() and not force and not (study and _has_mark(page, mark)):
        raise InvalidInput(
            f"{str(page)!r} exists and was left as it is. Choose another --output, or overwrite it "
            "by --force."
        )
    check_folder(page.parent)


def check_study_path(study: Path | None) -> None:
    """Refuse a study that could not be kept there."""
    if study is None or study.is_file():
        return
    if study.is_dir():
        raise InvalidInput(f"--study {str(study)!r} is a folder; expected the name of a file.")
    if not study.parent.is_dir():
        raise InvalidInput(
            f"there is no folder {str(study.parent)!r} to keep the study {study.name!r} in."
        )
    check_folder(study.parent)


def spare_inputs(outputs: dict[str, Path | None], inputs: dict[str, Path | None]) -> None:
    """Refuse, whatever --force says, to write over what the request reads, or one file twice."""
    taken = {path.resolve(): kind for kind, path in inputs.items() if path is not None}
    for option, path in outputs.items():
        if path is None:
            continue
        kind = taken.get(path.resolve())
        if kind is not None:
            raise InvalidInput(
                f"{option} {str(path)!r} is the {kind} itself; choose another name for it."
            )
        taken[path.resolve()] = f"file of {option}"


def _has_mark(page: Path, fingerprint: str) -> bool:
    """Whether a page was written for just this study: it holds the study's fingerprint."""
    with page.open("rb") as file:
        return fingerprint.encode() in file.read(_LONGEST_PAGE)


def read_candidates(path: Path) -> dict[str, Any]:
    r"""Read candidates from a Python file, in order of preference, simplest first.

    The file defines a dict ``candidates`` of classifiers for numbers, each of which gets the
    table's columns turned into numbers (:func:`for_tables`), a dict ``raw_candidates`` of
    classifiers that get the table as it is, or both; without either, every classifier that is a
    variable of the file is a candidate under the variable's name. The file is run.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "mine.py")
    ...     _ = path.write_text(
    ...         "from sklearn.naive_bayes import GaussianNB\n"
    ...         "candidates = {'naive Bayes': GaussianNB()}\n"
    ...     )
    ...     list(read_candidates(path))
    ['naive Bayes']
    """
    try:
        module = load_module(path)
    except SystemExit:
        raise InvalidInput(
            f"{path.name!r} ends the program; expected definitions only. Put what is to be run "
            'under: if __name__ == "__main__".'
        ) from None
    given = {name: getattr(module, name, None) for name in ("candidates", "raw_candidates")}
    for name, value in given.items():
        if value is not None and not isinstance(value, dict):
            raise InvalidInput(
                f"{name} in {path.name!r} is {value!r}; expected a dict {{name: classifier}}."
            )
    if given["candidates"] is None and given["raw_candidates"] is None:
        given["candidates"] = {
            name: value for name, value in vars(module).items() if _is_classifier(value)
        }
    plain, raw = given["candidates"] or {}, given["raw_candidates"] or {}
    twice = sorted(plain.keys() & raw.keys())
    if twice:
        raise InvalidInput(
            f"{twice[0]!r} is in candidates and in raw_candidates of {path.name!r}; expected each "
            "name once."
        )
    if not plain and not raw:
        raise InvalidInput(
            f"{path.name!r} names no candidates; expected a dict 'candidates' of scikit-learn "
            "classifiers, or variables that are such."
        )
    for name, value in (plain | raw).items():
        if not _is_classifier(value):
            call = f" Write {value.__name__}()." if isinstance(value, type) else ""
            raise InvalidInput(
                f"the candidate {name!r} of {path.name!r} is {repr(value)[:80]}; expected a "
                f"scikit-learn classifier, with fit, predict and get_params.{call}"
            )
    return {name: for_tables(value) for name, value in plain.items()} | raw


def _is_classifier(value: Any) -> bool:
    return not isinstance(value, type) and all(
        hasattr(value, method) for method in ("fit", "predict", "get_params")
    )
