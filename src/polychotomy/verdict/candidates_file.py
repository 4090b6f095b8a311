"""Candidates from a Python file of the user's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from polychotomy.exceptions import InvalidInput
from polychotomy.study.user_module import load_module
from polychotomy.verdict.candidates import for_tables


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
