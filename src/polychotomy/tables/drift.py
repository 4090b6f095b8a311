"""What changes through time, seen in a table before anything is fitted to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.core.arrays import Bools, Floats
from polychotomy.core.numbers import few, join, percent, short
from polychotomy.tables.column_notes import Note

if TYPE_CHECKING:
    import pandas as pd

_LEVEL = 0.01  # of all classes and columns together

_DRAWS = 999

_FEWEST_ROWS = 2 * 20  # two in a stretch

_STRETCHES = 20  # of time: rows depend on those before them, stretches hardly do

_MOST_ROWS = 2000  # spread over the time

_LEAST_SHARE = 0.05  # change of a class's share that matters

_LEAST_RANK = 0.3  # rank correlation of a column that matters


def drifting(table: Floats, time: ArrayLike) -> tuple[Floats, Bools]:
    """Return the rank correlation of each column with time, and which are shown to be none of 0.

    A column is shown to change if the correlation of its means in twenty stretches of time is
    beyond the largest of all columns in 99 of 100 dealings of the stretches: at most one of a
    hundred tables has a column shown in which none changes, however many columns there are and
    whatever these have to do with each other, if stretches do not depend on each other. Why not
    rows: a label that stays as it was for a while would be taken for a change. Gaps count as
    middle ranks.

    Parameters
    ----------
    table : (n, columns) floats
        In order of time.
    time : (n,) array_like
        Ascending.

    Examples
    --------
    >>> table = np.column_stack([np.arange(50), np.arange(50) % 2])
    >>> found, shown = drifting(table, np.arange(50))
    >>> found.round(2).tolist(), shown.tolist()
    ([1.0, 0.03], [True, False])
    """
    import pandas as pd

    def standard(values: pd.DataFrame) -> Floats:
        ranks = values.rank()
        around = (ranks - ranks.mean()).fillna(0.0).to_numpy(dtype=float)
        return np.asarray(around / np.maximum(np.sqrt((around**2).sum(axis=0)), 1e-12))

    ranked, when = standard(pd.DataFrame(table)), standard(pd.DataFrame(np.asarray(time)))[:, 0]
    parts = np.array_split(np.arange(len(when)), _STRETCHES)
    means, times = (np.stack([one[part].mean(axis=0) for part in parts]) for one in (ranked, when))
    means, times = means - means.mean(axis=0), times - times.mean()
    means /= np.maximum(np.sqrt((means**2).sum(axis=0)), 1e-12)
    dealt = np.random.default_rng(0).permuted(np.tile(times, (_DRAWS, 1)), axis=1)
    largest = np.abs(dealt @ means).max(axis=1, initial=0.0)
    beyond = (largest[:, np.newaxis] >= np.abs(times @ means) - 1e-12).sum(axis=0)
    return when @ ranked, (1 + beyond) / (1 + _DRAWS) <= _LEVEL


def note_drift(
    X: pd.DataFrame, labels: ArrayLike, target: str, time: ArrayLike, *, groups: Any = None
) -> list[Note]:
    """Say which class grows more or less frequent through time, and which columns change.

    Named is what is shown to, of one row a group, by stretches of time, and matters: 5 points of a
    class's share between the first and the last fifth of the rows, a rank correlation of 0.3 of a
    column of numbers.

    Parameters
    ----------
    X : DataFrame
        Features.
    labels, time : (n,) array_like
    target : str
    groups : (n,) array_like, optional

    Examples
    --------
    >>> import pandas as pd
    >>> kinds = ["old"] * 30 + ["new"] * 70
    >>> (note,) = note_drift(pd.DataFrame({"x": [1] * 100}), kinds, "kind", np.arange(100))
    >>> note.line.partition(";")[0]
    "'kind' drifts through time: 'new' is 0 % of the first fifth of the rows, 100.0 % of the last"
    """
    import pandas as pd

    rows = np.argsort(pd.Series(np.asarray(time)).rank().to_numpy(), kind="stable")
    if groups is not None:
        rows = rows[~pd.Series(np.asarray(groups)[rows]).duplicated().to_numpy()]
    if len(rows) < _FEWEST_ROWS:
        return []
    some = np.unique(np.linspace(0, len(rows) - 1, min(len(rows), _MOST_ROWS)).astype(int))
    given = pd.Series(np.asarray(labels, dtype=object)[rows]).map(str)
    names, codes = np.unique(given.to_numpy(dtype=str), return_inverse=True)
    numbers, k, fifth = X.select_dtypes(["number", "bool"]), len(names), len(rows) // 5
    classes = (codes[some, np.newaxis] == np.arange(k)).astype(float)
    table = np.column_stack([classes, numbers.iloc[rows[some]].to_numpy(dtype=float)])
    found, shown = drifting(table, np.asarray(time)[rows[some]])
    first, last = (np.bincount(one, minlength=k) / fifth for one in (codes[:fifth], codes[-fifth:]))
    change = np.where(shown[:k], np.abs(last - first), 0.0)
    moved = np.where(shown[k:], np.abs(found[k:]), 0.0)
    lines = []
    if change.max() >= _LEAST_SHARE:
        most = int(change.argmax())
        name = repr(short(str(names[most]), 30))
        early, late = percent(float(first[most])), percent(float(last[most]))
        said = f"{name} is {early} of the first fifth of the rows, {late} of the last"
        lines.append(f"{target!r} drifts through time: {said}")
    if moved.max(initial=0.0) >= _LEAST_RANK:
        most_first = [at for at in np.argsort(-moved) if moved[at] >= _LEAST_RANK]
        changing = [repr(short(str(numbers.columns[at]), 30)) for at in most_first]
        lines.append(f"{join(few(changing, 3))} change{'s' * (len(changing) == 1)} through time")
    how = f"a permutation test of {_STRETCHES} stretches of time, at 1 % for all"
    do = "expect the error of the last rows rather than the mean"
    return [Note(f"{one} ({how})", kind="drift", line=f"{one}; {do}") for one in lines]
