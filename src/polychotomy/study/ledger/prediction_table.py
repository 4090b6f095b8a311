"""A table of predictions from anywhere, checked row by row and made arrays."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.exceptions import InvalidInput, InvalidTable
from polychotomy.core.files import check_suffix
from polychotomy.study.design.dataset import name_some
from polychotomy.study.ledger.export import restore
from polychotomy.tables.csv_text import find_separators, with_points
from polychotomy.tables.files import did_you_mean

if TYPE_CHECKING:
    import pandas as pd


_TOLERANCE = 1e-3  # of a sum of probabilities: files round them

_LOOKED_AT = 200  # lines, for what separates their fields

_NUMBERS = (
    *("run", "repetition", "fold", "fit_seconds", "predict_seconds", "model_bytes"),
    *("score", "weight"),
)

_EXACT = 1e-6  # sums nearer to 1 than this are left as they are


@dataclass(frozen=True, eq=False, kw_only=True)
class PredictionTable:
    """Predictions of ``m`` learners, an entry a row of the table.

    Parameters
    ----------
    learners, classes, samples : tuple of str
        In order of appearance; classes in the order of their columns.
    learner, run, repetition, fold, sample, predicted : (rows,) ints
    probabilities : (rows, k) floats
    truth : (n,) ints
    hard : (m,) bools
        Whose probabilities are all zeros and ones, or who has none.
    fit_seconds, predict_seconds : (rows,) floats
        0 where the table has none.
    model_bytes : tuple of int or None
        Size of each learner's model; None where the table does not tell.
    only_right : bool
        The table tells who was right, and not what the answers were: the classes are right and
        wrong, and right is the truth.
    scale : float or None
        Of scores how far apart nine tenths of them are; ``probabilities`` has the scores then, as
        two numbers of single precision that sum to them. None where answers are known.
    groups : tuple of str, or None
        The group of each sample.
    by : (str, tuple of str), or None
        Another column, and its value of each sample, by which errors are told apart.
    weights : (n,) floats, or None
    """

    learners: tuple[str, ...]
    classes: tuple[str, ...]
    samples: tuple[str, ...]
    learner: Ints
    run: Ints
    repetition: Ints
    fold: Ints
    sample: Ints
    predicted: Ints
    probabilities: Floats
    truth: Ints
    hard: NDArray[np.bool_]
    fit_seconds: Floats
    predict_seconds: Floats
    model_bytes: tuple[int | None, ...]
    only_right: bool
    scale: float | None
    groups: tuple[str, ...] | None
    by: tuple[str, tuple[str, ...]] | None
    weights: Floats | None


def read_text_table(path: Path) -> tuple[pd.DataFrame, list[str]]:
    """Read a CSV, Parquet or JSON lines file, its cells as they are written; and a note on it.

    Semicolons, tabs or bars may separate the fields, and decimals begin with a comma then: so
    write spreadsheets and R's ``write.csv2`` in many languages.
    """
    import pandas as pd

    check_suffix(path, ".csv", ".parquet", ".jsonl", what="import")
    try:
        if path.suffix == ".parquet":
            return pd.read_parquet(path), []
        if path.suffix == ".jsonl":
            lines = path.read_text(encoding="utf-8-sig").split("\n")
            return pd.DataFrame([json.loads(line) for line in lines if line.strip()]), []
        with path.open(encoding="utf-8-sig", newline="") as file:
            separators = find_separators("".join(islice(file, _LOOKED_AT)))
        frame = pd.read_csv(path, sep=separators.field, dtype=str, keep_default_na=False)
    except FileNotFoundError:
        raise InvalidInput(f"there is no file {str(path)!r}.") from None
    except Exception as error:  # each reader has errors of its own
        raise InvalidTable(f"cannot read {path.name!r}: {error}.") from error
    frame.columns = [restore(name) for name in frame.columns]
    for column in ("candidate", "learner", "sample", "truth", "predicted", "dataset", "plan"):
        if column in frame:
            frame[column] = frame[column].map(restore)
    if separators.decimal == ",":
        for column in frame.columns:
            if column.startswith("p:") or column in _NUMBERS:
                frame[column] = frame[column].map(with_points)
    return frame, [] if separators.note is None else [separators.note]


def check_table(
    frame: pd.DataFrame, group: str | None = None, by: str | None = None
) -> PredictionTable:
    """Check a table of one data set and turn it into arrays; name the first bad row."""
    who = learner_column(frame)
    if not len(frame):
        raise InvalidTable("the table of predictions has no rows; expected one for each of them.")
    scores = _scores(frame) if "score" in frame else None
    only_right = ("correct" in frame and "predicted" not in frame) or scores is not None
    if only_right:
        right = _right_or_wrong(frame) if scores is None else _RIGHT
        frame = frame.assign(truth=_RIGHT, predicted=right)
    learner, learners = _encode(_texts(frame, who))
    sample, samples = _encode(_texts(frame, "sample"))
    classes = _classes(frame)
    truth_row = _look_up(_texts(frame, "truth"), classes, "truth")
    truth = _one_each("truth", truth_row, sample, samples, classes)
    shares = _probabilities(frame, classes)
    if "predicted" in frame:
        predicted = _look_up(_texts(frame, "predicted"), classes, "predicted")
    else:  # then there are probabilities: one of both is required
        predicted = np.argmax(np.asarray(shares), axis=1)
    probabilities = np.eye(len(classes))[predicted] if shares is None else shares
    soft = ((probabilities > 0) & (probabilities < 1)).any(axis=1)
    if scores is not None:
        probabilities = _as_pairs(scores)
    return PredictionTable(
        learners=learners,
        classes=classes,
        samples=samples,
        learner=learner,
        run=_whole(frame, "run"),
        repetition=_repetitions(frame, who),
        fold=_whole(frame, "fold"),
        sample=sample,
        predicted=predicted,
        probabilities=probabilities,
        truth=truth,
        hard=np.bincount(learner[soft], minlength=len(learners)) == 0,
        fit_seconds=_seconds(frame, "fit_seconds"),
        predict_seconds=_seconds(frame, "predict_seconds"),
        model_bytes=_model_bytes(frame, learner, len(learners)),
        only_right=only_right,
        scale=None if scores is None else _scale(scores),
        groups=None if group is None else _groups(frame, group, sample, samples),
        by=None if by is None else (by, _values(frame, by, sample, samples)),
        weights=_weights(frame, sample, samples) if "weight" in frame else None,
    )


def place(row: int) -> str:
    """Name a row as a person counts it: from 1, without the header.

    Examples
    --------
    >>> place(0)
    'row 1'
    """
    return f"row {row + 1}"


def refuse_first(wrong: ArrayLike, say: Callable[[int], str]) -> None:
    """Raise with what ``say`` has to tell of the first row that is wrong, if there is one."""
    rows = np.flatnonzero(wrong)
    if len(rows):
        raise InvalidTable(say(int(rows[0])))


def learner_column(frame: pd.DataFrame) -> str:
    """Return the column that names the learners, once all that a table needs are there."""
    named = [name for name in ("candidate", "learner") if name in frame]
    shares = any(name.startswith("p:") for name in frame.columns)
    alone = {"correct", "score"} & set(frame.columns) and not shares
    needed = ("sample",) if alone else ("sample", "truth")
    missing = [name for name in needed if name not in frame]
    if len(named) != 1:
        missing = ["candidate (or learner)", *missing] if not named else missing
    if len(named) == 2:
        raise InvalidTable("the table has both a column candidate and learner; expected one.")
    if not shares and not {"predicted", "correct", "score"} & set(frame.columns):
        missing.append("p:<class> for every class (or predicted, or correct, or score)")
    if missing:
        raise InvalidTable(
            f"the table of predictions has no column {', no '.join(missing)}; it has "
            f"{name_some([repr(name) for name in frame.columns]) or 'none'}. Where every model has "
            "a column of its own, --learners names them."
        )
    return named[0]


def as_long(
    frame: pd.DataFrame,
    group: str | None = None,
    by: str | None = None,
    learners: Sequence[str] | None = None,
    *,
    scored: bool = False,
) -> pd.DataFrame:
    """Return a table with one column for each model as one with a row for each prediction.

    The columns hold scores where that is said; else beside ``truth`` labels, and without it
    whether each model was right. Without ``learners`` all columns are models but those that have a
    meaning of their own.

    Examples
    --------
    >>> import pandas as pd
    >>> as_long(pd.DataFrame({"truth": ["a", "b"], "GPT": ["a", "a"], "mine": ["a", "b"]}))
      sample truth learner predicted
    0      0     a     GPT         a
    1      1     b     GPT         a
    2      0     a    mine         a
    3      1     b    mine         b
    """
    for name in (group, by):
        if name is not None and name not in frame:
            raise InvalidTable(f"there is no column {name!r}, but {', '.join(frame.columns)}.")
    known = [name for name in frame.columns if name in _LONG or name.startswith("p:")]
    if known and learners is not None:
        raise InvalidTable(
            f"the table has a column {known[0]!r}, so that it has a row for each prediction; "
            "expected --learners only where every learner has a column of its own."
        )
    if known:
        return frame
    told = ("sample", "truth", "fold", "repetition", "run", "dataset", "weight", group, by)
    about = [name for name in told if name in frame]
    models = [name for name in frame.columns if name not in about]
    if learners is not None:
        _check_learners(learners, models)
        models = list(learners)
    kind = "score" if scored else "predicted" if "truth" in frame else "correct"
    if kind == "predicted" and _are_shares(frame, models):
        kind = "p:1"
    if learners is None and not _is_wide(frame, models, kind):
        return frame
    for name in models if kind == "score" else ():
        try:
            _scores(frame, name)  # so that an error names the column, and its row there
        except InvalidTable as error:
            raise InvalidTable(f"{error} --learners names those that are models'.") from None
    if "sample" not in frame:
        frame = frame.assign(sample=[str(row) for row in range(len(frame))])
        about = ["sample", *about]
    long = frame.melt(about, models, var_name="learner", value_name=kind)
    if kind == "p:1":
        long.insert(0, "p:0", 1 - _floats(long, "p:1"))  # first, so that 1 is the positive class
    return long


def _are_shares(frame: pd.DataFrame, models: list[str]) -> bool:
    """Whether columns beside a truth of 0 and 1 are probabilities of 1."""
    if {_text(one) for one in frame["truth"].unique()} != {"0", "1"} or not models:
        return False
    try:
        values = np.column_stack([_floats(frame, name) for name in models])
    except InvalidTable:
        return False
    return bool(((values >= 0) & (values <= 1)).all() and (values % 1 > 0).any())


_LONG = ("candidate", "learner", "predicted", "correct", "score")


def _check_learners(learners: Sequence[str], models: list[str]) -> None:
    twice = [name for name in learners if list(learners).count(name) > 1]
    unknown = [name for name in learners if name not in models]
    if twice or unknown or not learners:
        what = f"{twice[0]!r} twice" if twice else f"{unknown[0]!r}" if unknown else "nobody"
        hint = did_you_mean(unknown[0], models) if unknown else ""
        raise InvalidTable(
            f"--learners names {what}.{hint} The columns that may be learners' are "
            f"{name_some([repr(name) for name in models])}."
        )


def _is_wide(frame: pd.DataFrame, models: list[str], kind: str) -> bool:
    """Whether columns can be models' answers; beside truth, where they have to, refuse others."""
    if kind == "correct":
        seen = {str(one).lower() for name in models for one in frame[name].unique()}
        return bool(seen) and seen <= set(_TRUE_OR_FALSE)
    for name in models if kind == "predicted" else ():
        if not frame[name].isin(set(frame["truth"])).mean() > 0.5:
            raise InvalidTable(
                "the table has no column candidate (or learner), so that every other one should be "
                f"a model's labels, but {name!r} is {_text(frame[name].iloc[0])!r} in {place(0)}; "
                "expected a class, as truth has it. Leave out what is no answer, name the cases in "
                "a column sample, or name the models' columns by --learners."
            )
    return bool(models)


def _scores(frame: pd.DataFrame, column: str = "score") -> Floats:
    scores = _floats(frame, column)
    refuse_first(
        ~(np.abs(scores) < _MOST),
        lambda row: (
            f"{column} is {_text(frame[column].iloc[row])!r} in {place(row)}; expected a number."
        ),
    )
    return scores


_MOST = 1e38  # of single precision


def _as_pairs(scores: Floats) -> Floats:
    """Return two numbers of single precision for each score, (rows, 2), that sum to it.

    So a ledger, which keeps probabilities in single precision, keeps some 14 digits of a score.

    Examples
    --------
    >>> pairs = _as_pairs(np.array([0.1, 12345.6789])).astype(np.float32)
    >>> pairs.sum(axis=1, dtype=float).round(9).tolist()
    [0.1, 12345.6789]
    """
    first = scores.astype(np.float32).astype(float)
    return np.column_stack([first, scores - first])


def _scale(scores: Floats) -> float:
    """How far apart nine tenths of the scores are, all where these are equal; two digits of it.

    Why not the range: a single one far off would make every difference small.
    """
    low, high = np.quantile(scores, [0.05, 0.95])
    return float(f"{high - low or np.ptp(scores) or 1.0:.2g}")


def _weights(frame: pd.DataFrame, sample: Ints, samples: tuple[str, ...]) -> Floats:
    weights = _floats(frame, "weight")
    refuse_first(
        ~((weights > 0) & (weights < np.inf)),
        lambda row: (
            f"weight is {_text(frame['weight'].iloc[row])!r} in {place(row)}; expected a number "
            "above 0. Leave out samples that do not count."
        ),
    )
    found, codes = np.unique(weights, return_inverse=True)
    names = tuple(f"{one:g}" for one in found)
    return np.asarray(found[_one_each("weight", codes, sample, samples, names)])


_RIGHT, _WRONG = "right", "wrong"

_TRUE_OR_FALSE = {"1": _RIGHT, "true": _RIGHT, "0": _WRONG, "false": _WRONG}


def _right_or_wrong(frame: pd.DataFrame) -> list[str]:
    found = [_TRUE_OR_FALSE.get(_text(value).lower()) for value in frame["correct"].tolist()]
    refuse_first(
        [one is None for one in found],
        lambda row: (
            f"correct is {_text(frame['correct'].iloc[row])!r} in {place(row)}; expected 1 or 0, "
            "or true or false."
        ),
    )
    return [str(one) for one in found]


def _texts(frame: pd.DataFrame, column: str) -> list[str]:
    """Cells as text; an empty one is an error."""
    values = [_text(value) for value in frame[column].tolist()]
    refuse_first(
        [not value for value in values],
        lambda row: f"{column} is empty in {place(row)}; expected a value.",
    )
    return values


def _text(value: Any) -> str:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))  # Parquet from a program without integers
    return str(value)


def _encode(values: Sequence[str]) -> tuple[Ints, tuple[str, ...]]:
    """Codes in order of first appearance."""
    codes = {name: code for code, name in enumerate(dict.fromkeys(values))}
    return np.array([codes[value] for value in values], dtype=np.intp), tuple(codes)


def _classes(frame: pd.DataFrame) -> tuple[str, ...]:
    named = [name.removeprefix("p:") for name in frame.columns if name.startswith("p:")]
    if named:
        if len(set(named)) < len(named):
            raise InvalidTable(f"the columns p:… name a class twice: {', '.join(named)}.")
        return tuple(named)
    found = {*_texts(frame, "truth"), *_texts(frame, "predicted")}
    return tuple(sorted(found if len(found) > 1 else {*found, _WRONG}))


def _look_up(values: Sequence[str], classes: tuple[str, ...], column: str) -> Ints:
    codes = {name: code for code, name in enumerate(classes)}
    refuse_first(
        [value not in codes for value in values],
        lambda row: (
            f"{column} is {values[row]!r} in {place(row)}, which is none of the classes "
            f"{name_some([repr(name) for name in classes])}. Every class needs its column p:…."
        ),
    )
    return np.array([codes[value] for value in values], dtype=np.intp)


def _one_each(
    column: str, codes: Ints, sample: Ints, samples: tuple[str, ...], names: tuple[str, ...]
) -> Ints:
    """Return the code of each sample; all of its rows must have the same."""
    first = np.full(len(samples), -1, dtype=np.intp)
    _, rows = np.unique(sample, return_index=True)
    first[sample[rows]] = codes[rows]
    refuse_first(
        codes != first[sample],
        lambda row: (
            f"{column} is {names[codes[row]]!r} in {place(row)}, but the sample "
            f"{samples[sample[row]]!r} had {names[first[sample[row]]]!r} before; expected one "
            f"{column} a sample."
        ),
    )
    return first


def _groups(
    frame: pd.DataFrame, column: str, sample: Ints, samples: tuple[str, ...]
) -> tuple[str, ...]:
    found = _values(frame, column, sample, samples)
    if len(set(found)) == 1:
        raise InvalidTable(f"the group {column!r} is {found[0]!r} everywhere; expected several.")
    return found


def _values(
    frame: pd.DataFrame, column: str, sample: Ints, samples: tuple[str, ...]
) -> tuple[str, ...]:
    """Return what each sample has in a column, in which all of its rows must agree."""
    codes, names = _encode(_texts(frame, column))
    found = _one_each(column, codes, sample, samples, names)
    return tuple(names[code] for code in found)


def _repetitions(frame: pd.DataFrame, who: str) -> Ints:
    """Count the answers of each learner to each sample, where no column says which they are.

    Of folds several rows may be a mistake, or other folds: there a column has to tell.
    """
    if not {"repetition", "run", "fold"}.isdisjoint(frame.columns):
        return _whole(frame, "repetition")
    answers = frame.groupby([who, "sample"], sort=False)
    counts = answers.size()
    if counts.nunique() > 1:
        (most, first), (least, second) = counts.idxmax(), counts.idxmin()
        raise InvalidTable(
            f"{most!r} has {counts.max()} rows of the sample {first!r} and {least!r} has "
            f"{counts.min()} of {second!r}; expected one answer to each by all, or equally many "
            "(seeds, generations)."
        )
    return answers.cumcount().to_numpy(dtype=np.intp)


def _probabilities(frame: pd.DataFrame, classes: tuple[str, ...]) -> Floats | None:
    columns = [f"p:{name}" for name in classes]
    if not set(columns) <= set(frame.columns):
        return None
    values = np.column_stack([_floats(frame, name) for name in columns])
    outside = ~((values >= 0) & (values <= 1 + _EXACT))  # NaN too
    refuse_first(
        outside.any(axis=1),
        lambda row: (
            f"{columns[outside[row].argmax()]} is {values[row, outside[row].argmax()]:g} "
            f"in {place(row)}; expected a probability from 0 to 1."
        ),
    )
    sums = values.sum(axis=1)
    refuse_first(
        np.abs(sums - 1) > _TOLERANCE,
        lambda row: (
            f"the probabilities in {place(row)} sum to {sums[row]:g}; expected 1, to "
            f"within {_TOLERANCE:g}. Are all classes there?"
        ),
    )
    return np.where(np.abs(sums - 1)[:, np.newaxis] > _EXACT, values / sums[:, np.newaxis], values)


def _floats(frame: pd.DataFrame, column: str) -> Floats:
    values = frame[column].to_numpy()
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        for row, value in enumerate(values.tolist()):
            try:
                float(value)
            except (TypeError, ValueError):
                raise InvalidTable(
                    f"{column} is {_text(value)!r} in {place(row)}; expected a number."
                ) from None
        raise


def _whole(frame: pd.DataFrame, column: str) -> Ints:
    """Whole numbers from 0; a column that is not there is all 0."""
    if column not in frame:
        return np.zeros(len(frame), dtype=np.intp)
    values = _floats(frame, column)
    refuse_first(
        ~((values >= 0) & (values == np.floor(values))),
        lambda row: (
            f"{column} is {frame[column].iloc[row]!r} in {place(row)}; expected a whole "
            "number from 0."
        ),
    )
    return np.unique(values, return_inverse=True)[1].astype(np.intp)


def _seconds(frame: pd.DataFrame, column: str) -> Floats:
    if column not in frame:
        return np.zeros(len(frame))
    return np.nan_to_num(_floats(frame.replace({column: {"": "0"}}), column))


def _model_bytes(frame: pd.DataFrame, learner: Ints, m: int) -> tuple[int | None, ...]:
    """Return the first size that the table has of each learner's model."""
    if "model_bytes" not in frame:
        return (None,) * m
    column = frame["model_bytes"].astype(object)
    told = (column.notna() & (column != "").fillna(True)).to_numpy(dtype=bool)
    column[~told] = np.nan
    sizes = _floats(column.to_frame(), "model_bytes")
    refuse_first(
        told & ~((sizes > 0) & (sizes == np.floor(sizes)) & np.isfinite(sizes)),
        lambda row: (
            f"model_bytes is {column.tolist()[row]!r} in {place(row)}; expected a whole "
            "number of bytes, or nothing."
        ),
    )
    learners, first = np.unique(learner[told], return_index=True)
    known = dict(zip(learners.tolist(), sizes[told][first].astype(int).tolist(), strict=True))
    return tuple(known.get(code) for code in range(m))
