"""Remarks on a table given from Python: as those on the command line, with what to write here."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from polychotomy.datasets.column_notes import note_columns
from polychotomy.datasets.copied_rows import note_copies
from polychotomy.datasets.related_rows import note_groups, note_order
from polychotomy.study import Study

if TYPE_CHECKING:
    import pandas as pd

_OPTIONS = {"--group": "groups", "--time": "time"}


def note_table(study: Study, *, known: Sequence[str] = ()) -> tuple[str, ...]:
    """Name columns of a DataFrame that a reader should know of, but for what is ``known`` already.

    These are constant, empty, equal, infinite or like an identifier, or give the target away; and,
    where no groups or times are given, such as rows seem to belong together by. Rows that are
    copies of others are counted. Of a table that is no DataFrame, or whose values cannot be
    counted, nothing is said.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.dummy import DummyClassifier
    >>> X = pd.DataFrame({"ticket": [f"A-{i:03}" for i in range(40)]})
    >>> study = Study({"MAX": DummyClassifier()}, X, [i % 2 for i in range(40)])
    >>> (note,) = note_table(study)
    >>> note.partition(", ")[0], note.rpartition(" (")[2]
    ('1 column has another value in nearly every row', "leave it out): 'ticket'")
    """
    X = study.X
    if not hasattr(X, "iloc") or not hasattr(X, "columns") or not X.columns.is_unique:
        return ()
    try:
        found = _note(study, X.reset_index(drop=True))
    except (TypeError, ValueError):  # such as lists in cells: no value can be told from another
        return ()
    names = sorted(X.columns.tolist(), key=lambda name: -len(str(name)))
    return tuple(_in_python(note, names) for note in found if note not in known)


def _note(study: Study, X: pd.DataFrame) -> list[str]:
    target = study.data.target
    labels = [target.names[code] for code in target.codes]
    name = getattr(study.y, "name", None)
    notes = [*note_columns(X, labels, "y" if name is None else str(name))]
    notes += note_copies(X, labels, groups=study.groups, time=study.time)
    notes += [] if study.groups is not None else note_groups(X, labels)
    return notes + ([] if study.time is not None else note_order(X))


def _in_python(note: str, names: Sequence[Any]) -> str:
    """Write options of the command line as what is given to judge; the longest names come first."""
    for option, argument in _OPTIONS.items():
        for name in names:
            asked = f"judge with {option} {shlex.quote(str(name))}"
            note = note.replace(asked, f"judge with {argument}=X[{name!r}]")
    return re.sub(r" out by --drop .*\)(?=: )", " out)", note)
