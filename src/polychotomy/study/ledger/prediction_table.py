"""The columns of a table of predictions from anywhere, checked row by row and made arrays."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.core.arguments import shown
from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.exceptions import InvalidTable
from polychotomy.study.design.dataset import name_some
from polychotomy.tables.files import no_column

if TYPE_CHECKING:
    import pandas as pd


RIGHT, WRONG = "right", "wrong"
"""The classes where a table tells who was right, and not what the answers were."""

_TRUE_OR_FALSE = {"1": RIGHT, "1.0": RIGHT, "true": RIGHT, "0": WRONG, "0.0": WRONG, "false": WRONG}

# Not of a table with a column for each model, whose yes and no may be answers.
_YES = ("y", "t", "yes", "right", "correct", "pass", "passed")
_NO = ("n", "f", "no", "wrong", "incorrect", "fail", "failed")
_SAID = _TRUE_OR_FALSE | dict.fromkeys(_YES, RIGHT) | dict.fromkeys(_NO, WRONG)

TOLERANCE = 0.02  # of a sum of probabilities: files round them

_EXACT = 1e-6  # sums nearer to 1 than this are left as they are

_OF_MODELS = ", as in all models' columns; --learners names these"

_OR_SCORES = "; of scores --higher-better or --lower-better says which are better"

_LONG = ("candidate", "learner", "predicted", "correct", "score")

_ABOUT = ("sample", "truth", "fold", "repetition", "run", "dataset", "weight")

_OF_A_FOLD = ("plan", "fit_seconds", "predict_seconds", "model_bytes")


def first_row(wrong: ArrayLike) -> list[int]:
    """Return the first row that is wrong, if there is one."""
    found: list[int] = np.flatnonzero(wrong)[:1].tolist()
    return found


def learner_column(frame: pd.DataFrame, names: Sequence[str] = (), said: str = "") -> str:
    """Return the column that names the learners, once all that a table needs are there.

    ``names`` are those that the columns have in the file, ``said`` how they were read.
    """
    named = [name for name in ("candidate", "learner") if name in frame]
    shares = any(name.startswith("p:") for name in frame.columns)
    alone = not shares and not {"correct", "score"}.isdisjoint(frame.columns)
    if len(named) != 1 or "sample" not in frame or not (alone or has_answers(frame)):
        raise InvalidTable(
            "the table of predictions has the columns "
            f"{name_some([repr(name) for name in names or frame.columns]) or 'none'}; expected "
            "either candidate or learner, sample, truth, and p:<class> for every class or "
            "predicted (or correct or score in place of these). Where every model has a column of "
            "its own, --learners names them, and of scores --higher-better or --lower-better says "
            f"which are better.{said}"
        )
    return named[0]


def note_unused(frame: pd.DataFrame, used: Collection[str | None]) -> list[str]:
    """Name the columns that are neither known nor used, such as those of models' answers."""
    known = {*used, *_LONG, *_ABOUT, *_OF_A_FOLD}
    left = [repr(name) for name in frame if name not in known and not name.startswith("p:")]
    return [f"columns not used: {name_some(left)} (--group or --by may name one)"] * bool(left)


def has_answers(frame: pd.DataFrame) -> bool:
    """Whether a table has true classes, and what was predicted, as a label or by probabilities."""
    told = {name[:2] if name.startswith("p:") else name for name in frame.columns}
    return "truth" in told and not told.isdisjoint(("predicted", "p:"))


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
            f"--learners is for a table with a column for each learner, and this one, with a "
            f"column {known[0]!r}, has a row for each prediction."
        )
    if known:
        labels = [name for name in ("truth", "predicted") if name in frame]
        return _alike(frame, labels) if "truth" in frame else frame
    about = [name for name in dict.fromkeys((*_ABOUT, group, by)) if name in frame]
    models = [name for name in frame.columns if name not in about]
    for name in learners or ():
        if name not in models:
            raise InvalidTable(f"--learners: {no_column('the table', name, models)}")
    models = list(dict.fromkeys(models if learners is None else learners))
    kind = "score" if scored else "correct"
    if "truth" in frame and not scored:
        kind = "p:1" if _are_shares(frame, models) else "predicted"
    if kind == "predicted":
        frame = _alike(frame, ["truth", *models])
        models = _answering(frame, models) if learners is None else models
    if not models or (kind == "correct" and learners is None and not _are_right(frame, models)):
        return frame
    check: Any = {"score": scores, "p:1": _shares, "correct": right_or_wrong}.get(kind, texts)
    for name in models:  # so that an error names the column, and its row there
        check(frame, name)
    if "sample" not in frame:
        frame = frame.assign(sample=[str(row) for row in range(len(frame))])
        about = ["sample", *about]
    long = frame.melt(about, models, var_name="learner", value_name=kind)
    if kind == "p:1":
        long.insert(0, "p:0", 1 - long["p:1"].astype(float))  # first: 1 is the positive class
    return long


def _alike(frame: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """Write labels as the classes are written: 1.0, or True, as 1 where that is the class.

    Programs write whole numbers so where a column has gaps or comes out of a comparison.
    """
    cells = {name: frame[name].map(as_text) for name in columns}
    named = [name[2:] for name in frame.columns if name.startswith("p:")]
    known = named or cells["truth"].unique().tolist()
    by_number = {_number(name): name for name in known}
    seen = {one for name in columns for one in cells[name].unique()} - {*known}
    found = {one: by_number.get(_number(one), one) for one in seen}
    return frame.assign(**{name: cells[name].replace(found) for name in columns})


def _number(text: str) -> str:
    number = {"true": "1", "false": "0"}.get(text.lower(), text)
    return re.sub(r"\.0+$", "", number)


def _are_shares(frame: pd.DataFrame, models: list[str]) -> bool:
    """Whether columns beside a truth of 0 and 1 are probabilities of 1."""
    import pandas as pd

    if {as_text(one) for one in frame["truth"].unique()} != {"0", "1"} or not models:
        return False
    values = frame[models].apply(pd.to_numeric, errors="coerce").to_numpy(dtype=float)
    inside = (values >= 0) & (values <= 1)  # most, so that the one that is not gets named
    return bool(inside.mean() > 0.5 and (inside & (values % 1 > 0)).any())


def _are_right(frame: pd.DataFrame, models: list[str]) -> bool:
    """Whether all that columns say is right or wrong."""
    seen = {as_text(one).lower() for name in models for one in frame[name].unique()} - {""}
    return bool(seen) and seen <= set(_TRUE_OR_FALSE)


def _answering(frame: pd.DataFrame, models: list[str]) -> list[str]:
    """Return the columns with classes, which are models' labels; refuse those with few of them."""
    classes = {_plainly(one) for one in frame["truth"]}
    shares = {name: frame[name].map(_plainly).isin(classes).mean() for name in models}
    found = [name for name in models if shares[name] > 0] or models
    for name in found:
        if shares[name] <= 0.5:
            two = {*frame["truth"]} == {"0", "1"}
            raise InvalidTable(
                "the table has no column candidate (or learner), so that every other one should be "
                f"a model's labels, but {name!r} is {frame[name].iloc[0]!r} in row 1; "
                f"expected a class, as truth has it{', or a probability from 0 to 1' * two}. Name "
                "the cases in a column sample, or the models' columns by --learners."
            )
    return found


def numbers(
    frame: pd.DataFrame,
    column: str,
    expected: str,
    *,
    low: float = -np.inf,
    high: float = np.inf,
    whole: bool = False,
    gaps: bool = False,
) -> Floats:
    """Return a column of numbers within limits; where there may be gaps, these are NaN.

    Examples
    --------
    >>> import pandas as pd
    >>> numbers(pd.DataFrame({"fold": ["0", "1.5"]}), "fold", "a whole number", whole=True)
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidTable: fold is '1.5' in row 2; expected a whole number.
    """
    import pandas as pd

    cells = frame[column]
    empty = (cells.isna() | (cells == "").fillna(True)).to_numpy(dtype=bool)
    known = cells.where(~empty, np.nan)
    try:
        # Not by pandas, whose reading of a text may differ from Python's in the last digit.
        values = np.asarray(known, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):  # so that one of them is refused
        said = pd.to_numeric(known.map(as_text), errors="coerce")
        values = said.to_numpy(np.float64, na_value=np.nan)
    is_right = (values >= low) & (values <= high) & ((values == np.floor(values)) | (not whole))
    _refuse_cell(cells, ~is_right & ~(empty & gaps), expected)
    return values


def _refuse_cell(cells: pd.Series, wrong: ArrayLike, expected: str) -> None:
    for row in first_row(wrong):
        found = f"{cells.name} is {shown(as_text(cells.iloc[row]))} in row {row + 1}"
        raise InvalidTable(f"{found}; expected {expected}.")


def scores(frame: pd.DataFrame, column: str = "score") -> Floats:
    """Return a column of scores, as far as single precision goes."""
    expected = "a number from −1e38 to 1e38" + _OF_MODELS * (column != "score")
    return numbers(frame, column, expected, low=-1e38, high=1e38)


def _shares(frame: pd.DataFrame, column: str) -> Floats:
    expected = "a probability from 0 to 1" + _OF_MODELS * (not column.startswith("p:"))
    return numbers(frame, column, expected, low=0, high=1 + _EXACT)


def codes_from_0(frame: pd.DataFrame, column: str) -> Ints:
    """Return the whole numbers of a column, numbered anew; one that is not there is all 0."""
    if column not in frame:
        return np.zeros(len(frame), dtype=np.intp)
    most = 2.0**53
    values = numbers(frame, column, "a whole number from 0", low=0, high=most, whole=True)
    return np.unique(values, return_inverse=True)[1].astype(np.intp)


def seconds(frame: pd.DataFrame, column: str) -> Floats:
    """Return clocks, 0 where the table has none."""
    if column not in frame:
        return np.zeros(len(frame))
    return np.nan_to_num(numbers(frame, column, "a number of seconds, or nothing", gaps=True))


def model_bytes(frame: pd.DataFrame, learner: Ints) -> dict[int, int]:
    """Return the first size that the table has of each learner's model, by its code."""
    if "model_bytes" not in frame:
        return {}
    expected, most = "a whole number of bytes, or nothing", 2.0**63
    sizes = numbers(frame, "model_bytes", expected, low=1, high=most, whole=True, gaps=True)
    told = np.flatnonzero(~np.isnan(sizes))
    learners, first = np.unique(learner[told], return_index=True)
    return dict(zip(learners.tolist(), sizes[told][first].astype(int).tolist(), strict=True))


def right_or_wrong(frame: pd.DataFrame, column: str = "correct") -> list[str]:
    """Return the classes that a column of who was right means."""
    found = [_SAID.get(value.lower(), "") for value in texts(frame, column)]
    _refuse_cell(frame[column], np.equal(found, ""), f"1 or 0, or true or false{_OR_SCORES}")
    return found


def said_right(frame: pd.DataFrame) -> list[str]:
    """Return what each cell of a column ``correct`` means, empty where it is no such word."""
    return [_SAID.get(as_text(value).lower(), "") for value in frame["correct"]]


def texts(frame: pd.DataFrame, column: str) -> list[str]:
    """Return cells as text; an empty one is an error."""
    codes, names = encode(frame, column)
    return [names[code] for code in codes.tolist()]


def encode(frame: pd.DataFrame, column: str) -> tuple[Ints, tuple[str, ...]]:
    """Return the codes of a column's texts, in order of first appearance, and these."""
    codes, found = frame[column].factorize(use_na_sentinel=False)  # each value is written once
    written = [as_text(value) for value in found.tolist()]
    place = {name: code for code, name in enumerate(dict.fromkeys(written))}
    coded: Ints = np.array([place[one] for one in written], dtype=np.intp)[codes]
    for row in first_row(coded == place.get("", -1)):
        raise InvalidTable(
            f"{column} is empty in row {row + 1}; expected a value. Where an answer is missing, "
            "leave the sample out for all, or count it as wrong, in the table."
        )
    return coded, tuple(place)


def as_text(value: Any) -> str:
    """Write a class alike, be it 1 or 1.0.

    Examples
    --------
    >>> as_text(1.0), as_text("1"), as_text(None)
    ('1', '1', '')
    """
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))  # Parquet from a program without integers
    return str(value).replace("<NA>", "")  # of pandas' own kinds of columns


def find_classes(frame: pd.DataFrame) -> tuple[str, ...]:
    """Return the classes in the order of their columns, or else sorted."""
    named = tuple(name.removeprefix("p:") for name in frame.columns if name.startswith("p:"))
    if named:
        return named
    found = {*texts(frame, "truth"), *texts(frame, "predicted")}
    return tuple(sorted(found if len(found) > 1 else {*found, WRONG}))


def look_up(values: Sequence[str], names: tuple[str, ...], column: str) -> Ints:
    """Return the code of each value among the names of the classes."""
    codes = {name: code for code, name in enumerate(names)}
    found = np.array([codes.get(value, -1) for value in values], dtype=np.intp)
    for row in first_row(found < 0):
        raise InvalidTable(
            f"{column} is {values[row]!r} in row {row + 1}, which is none of the classes "
            f"{name_some([repr(name) for name in names])}. Every class needs its column p:…."
        )
    return found


def refuse_alike(predicted: Sequence[str], truth: pd.Series, learners: Sequence[str]) -> None:
    """Refuse answers that are a class but for capitals and spaces: nobody can mean them as wrong.

    Examples
    --------
    >>> import pandas as pd
    >>> refuse_alike(["Yes"], pd.Series(["yes"]), ["GPT"])
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidTable: 'GPT' says 'Yes', which is the class 'yes' but for \
capitals or spaces; expected one way of writing each class. To count it as wrong, give a column \
correct in place of both.
    """
    known = {as_text(one) for one in truth.unique()}
    alike = {_plainly(one): one for one in known}
    for one in dict.fromkeys(predicted):
        if one not in known and _plainly(one) in alike:
            raise InvalidTable(
                f"{learners[predicted.index(one)]!r} says {one!r}, which is the class "
                f"{alike[_plainly(one)]!r} but for capitals or spaces; expected one way of writing "
                "each class. To count it as wrong, give a column correct in place of both."
            )


def _plainly(text: str) -> str:
    return " ".join(text.split()).casefold()


def one_each(
    column: str, codes: Ints, sample: Ints, samples: tuple[str, ...], names: tuple[str, ...]
) -> Ints:
    """Return the code of each sample; all of its rows must have the same."""
    first = codes[np.unique(sample, return_index=True)[1]]
    for row in first_row(codes != first[sample]):
        raise InvalidTable(
            f"{column} is {names[codes[row]]!r} in row {row + 1}, but the sample "
            f"{samples[sample[row]]!r} had {names[first[sample[row]]]!r} before; expected one "
            f"{column} for each sample."
        )
    return first


def find_repetitions(frame: pd.DataFrame, who: str) -> Ints:
    """Count the answers of each learner to each sample, where no column says which they are.

    Of folds several rows may be a mistake, or other folds: there a column has to tell.
    """
    if not {"repetition", "run", "fold"}.isdisjoint(frame.columns):
        return codes_from_0(frame, "repetition")
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


def find_probabilities(frame: pd.DataFrame, classes: tuple[str, ...]) -> Floats | None:
    """Return the probabilities of the classes, (rows, k), where the table has them."""
    columns = [f"p:{name}" for name in classes]
    if not set(columns) <= set(frame.columns):
        return None
    values = np.column_stack([_shares(frame, name) for name in columns])
    sums = values.sum(axis=1)
    for row in first_row(np.abs(sums - 1) > TOLERANCE):
        raise InvalidTable(
            f"the probabilities in row {row + 1} sum to {sums[row]:g}; expected 1, to "
            f"within {TOLERANCE:g}. Are all classes there?"
        )
    return np.where(np.abs(sums - 1)[:, np.newaxis] > _EXACT, values / sums[:, np.newaxis], values)
