"""Fingerprints of data: one of all, one a column and one a row, to say later what has changed."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.arrays import Ints
from polychotomy.study.design.dataset import Dataset, name_some
from polychotomy.study.design.plan import Plan

_MOST_COLUMNS = 10_000  # beyond this, columns are not told apart

_ODD = np.uint64(0x9E3779B97F4A7C15)  # 2⁶⁴ divided by the golden ratio: mixes a position in


Hashes = NDArray[np.uint64]


@dataclass(frozen=True, eq=False, kw_only=True)
class DataPrint:
    """What is kept of a data set to know it again.

    Parameters
    ----------
    sha256 : str
        Of everything: values, types, names, labels, groups, times.
    columns : tuple of (name, type, hash)
        Empty where there are more than ten thousand.
    rows : (n,) uint64
        A hash of the values of each row.
    classes, codes
        The labels.
    groups, time : str or None
        Hashes of them, where there are any.
    """

    sha256: str
    n_columns: int
    columns: tuple[tuple[str, str, str], ...]
    rows: Hashes
    classes: tuple[str, ...]
    codes: Ints
    groups: str | None
    time: str | None

    @property
    def summary(self) -> dict[str, Any]:
        """The part that a specification shows."""
        return {
            "rows": len(self.rows),
            "columns": self.n_columns,
            "classes": list(self.classes),
            "groups": self.groups is not None,
            "time": self.time is not None,
            "sha256": self.sha256,
        }

    def to_json(self) -> str:
        """All but the arrays, as text."""
        kept = {name: getattr(self, name) for name in ("n_columns", "columns", "groups", "time")}
        return json.dumps(kept | {"classes": self.classes, "sha256": self.sha256})

    @classmethod
    def from_json(cls, text: str, *, rows: Hashes, codes: Ints) -> DataPrint:
        """Read back what ``to_json`` gave."""
        kept = json.loads(text)
        kept["columns"] = tuple(tuple(column) for column in kept["columns"])
        return cls(**kept | {"classes": tuple(kept["classes"]), "rows": rows, "codes": codes})


def print_data(data: Dataset) -> DataPrint:
    """Take the fingerprints of a data set.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 2.0], [3.0, 4.0]])
    >>> a, b = (print_data(Dataset.of(x, ["u", "v"])) for x in (X, X + [[0, 1], [0, 0]]))
    >>> [was == now for was, now in zip(a.columns, b.columns)], (a.rows == b.rows).tolist()
    ([True, False], [False, True])
    """
    names, rows, columns = _hash_table(data.X)
    groups, time = (_hash_codes(codes) for codes in (data.groups, data.time))
    digest = hashlib.sha256()
    for part in (*_parts(data.X), json.dumps([data.target.names, groups, time]).encode()):
        digest.update(part)
    digest.update(data.target.codes.astype("<i8").tobytes())
    shown = len(names) <= _MOST_COLUMNS
    return DataPrint(
        sha256=digest.hexdigest(),
        n_columns=int(data.X.shape[1]),
        columns=tuple((*name, f"{h:016x}") for name, h in zip(names, columns, strict=True))
        if shown
        else (),
        rows=rows,
        classes=data.target.names,
        codes=data.target.codes,
        groups=groups,
        time=time,
    )


def explain_change(name: str, was: DataPrint, now: DataPrint) -> str:
    """Say in words how data differ from those of the same name that a study began with."""
    parts = [*_shape_changes(was, now), *_label_changes(was, now)]
    if not parts or len(was.rows) == len(now.rows):
        parts += _value_changes(was, now)
    for what in ("groups", "time"):
        if getattr(was, what) != getattr(now, what):
            parts.append(f"{what} changed")
    text = "; ".join(parts) or "some values changed"
    return f"the data {name!r} are not the same: {text}"


def _shape_changes(was: DataPrint, now: DataPrint) -> list[str]:
    changes = []
    if len(was.rows) != len(now.rows):
        changes.append(f"rows were {len(was.rows)}, now {len(now.rows)}")
    if was.n_columns != now.n_columns:
        changes.append(f"columns were {was.n_columns}, now {now.n_columns}")
    before, after = ([column[0] for column in one.columns] for one in (was, now))
    changes += _gone_and_new("column", before, after)
    if sorted(before) == sorted(after) and before != after:
        changes.append("the columns are in another order")
    types = [
        f"{old[0]!r} was {old[1]}, now {new[1]}"
        for old, new in _pairs(was, now)
        if old[1] != new[1]
    ]
    return changes + ([f"types of columns changed: {name_some(types)}"] if types else [])


def _label_changes(was: DataPrint, now: DataPrint) -> list[str]:
    if was.classes != now.classes:
        return _gone_and_new("class", was.classes, now.classes) or ["the classes changed"]
    if len(was.codes) != len(now.codes):
        return []
    return _rows_text("labels changed in", np.flatnonzero(was.codes != now.codes))


def _value_changes(was: DataPrint, now: DataPrint) -> list[str]:
    changed = [repr(old[0]) for old, new in _pairs(was, now) if old[2] != new[2]]
    which = f" of the column{'s' * (len(changed) > 1)} {name_some(changed)}" if changed else ""
    if len(was.rows) != len(now.rows) or was.n_columns != now.n_columns:
        return [f"values changed{which}"] if changed and len(was.rows) == len(now.rows) else []
    return _rows_text(f"values{which} changed in", np.flatnonzero(was.rows != now.rows))


def _pairs(was: DataPrint, now: DataPrint) -> Iterable[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Columns of the same name, in both."""
    if [column[0] for column in was.columns] == [column[0] for column in now.columns]:
        return list(zip(was.columns, now.columns, strict=True))  # a name may be there twice
    after = {column[0]: column for column in now.columns}
    return [(column, after[column[0]]) for column in was.columns if column[0] in after]


def _gone_and_new(kind: str, before: Iterable[str], after: Iterable[str]) -> list[str]:
    before, after = list(before), list(after)
    gone = [repr(name) for name in before if name not in set(after)]
    new = [repr(name) for name in after if name not in set(before)]
    return [f"{kind} {name_some(gone)} is gone"] * bool(gone) + [
        f"{kind} {name_some(new)} is new"
    ] * bool(new)


def _rows_text(what: str, rows: Ints) -> list[str]:
    if not len(rows):
        return []
    named = name_some([str(row) for row in rows])
    plural = f"{len(rows)} rows" if len(rows) > 1 else "1 row"
    return [f"{what} {plural} (counted from 0: {named})"]


def _hash_codes(codes: Ints | None) -> str | None:
    return None if codes is None else hashlib.sha256(codes.astype("<i8").tobytes()).hexdigest()


def _hash_table(X: Any) -> tuple[list[tuple[str, str]], Hashes, Hashes]:
    """Name and type of each column, a hash a row and a hash a column.

    Both hashes are sums, over the table, of hashes of a value mixed with where it is.
    """
    if hasattr(X, "tocsr"):
        return _hash_sparse(X)
    frame = hasattr(X, "iloc")
    n, width = X.shape
    rows, columns, names = np.zeros(n, np.uint64), np.zeros(width, np.uint64), []
    places = _mix(np.arange(n, dtype=np.uint64))
    for j in range(width):
        column = X.iloc[:, j] if frame else np.asarray(X)[:, j]
        values = _hash_values(column)
        rows += values * _mix(np.uint64(j))
        columns[j] = (values * places).sum(dtype=np.uint64)
        names.append((str(X.columns[j]) if frame else str(j), str(column.dtype)))
    return names, rows, columns


def _hash_sparse(X: Any) -> tuple[list[tuple[str, str]], Hashes, Hashes]:
    table = X.tocoo(copy=True)
    table.sum_duplicates()
    values = _hash_values(table.data)
    rows, columns = np.zeros(X.shape[0], np.uint64), np.zeros(X.shape[1], np.uint64)
    np.add.at(rows, table.row, values * _mix(table.col.astype(np.uint64)))
    np.add.at(columns, table.col, values * _mix(table.row.astype(np.uint64)))
    shown = X.shape[1] if X.shape[1] <= _MOST_COLUMNS else 0
    names = [(str(j), str(X.dtype)) for j in range(shown)]
    return names, rows, columns[:shown]


def _mix(places: Any) -> Any:
    with np.errstate(over="ignore"):
        return (places + np.uint64(1)) * _ODD | np.uint64(1)


def _hash_values(column: Any) -> Hashes:
    import pandas as pd

    if hasattr(column, "iloc"):
        if column.dtype == "object" and pd.api.types.infer_dtype(column) != "string":
            column = column.map(repr)  # pandas takes 1 for "1", and has no hash for lists
        hashed = pd.util.hash_pandas_object(column, index=False)
        return np.asarray(hashed.to_numpy(), dtype=np.uint64)
    values = np.ascontiguousarray(column)
    if values.dtype == object or values.dtype.kind in "US" or values.dtype.itemsize > 8:
        values = np.array([repr(value) for value in values.tolist()], dtype=object)
    return np.asarray(pd.util.hash_array(values), dtype=np.uint64)


def _parts(X: Any) -> list[bytes]:
    """Return the bytes of the whole table, by value and kind."""
    if hasattr(X, "iloc"):
        head = json.dumps([[str(c), str(t)] for c, t in zip(X.columns, X.dtypes, strict=True)])
        columns = (_hash_values(X.iloc[:, j]) for j in range(X.shape[1]))
        return [head.encode(), *(values.astype("<u8").tobytes() for values in columns)]
    if hasattr(X, "tocsr"):
        csr = X.tocsr(copy=True)
        csr.sum_duplicates()
        head = f"sparse{X.shape}{X.dtype.str}"
        return [head.encode(), csr.data.tobytes(), *(
            a.astype("<i8").tobytes() for a in (csr.indices, csr.indptr)
        )]  # fmt: skip
    array = np.ascontiguousarray(X)
    if array.dtype == object:
        return [str(array.shape).encode(), repr(array.tolist()).encode()]
    return [f"{array.shape}{array.dtype.str}".encode(), array.tobytes()]


Specification = dict[str, Any]
"""``datasets`` {name: rows, columns, classes, groups, time, sha256}, ``candidates`` {name:
description}, ``plans`` {name: plan}, ``seed``, ``keep``, ``versions``: JSON-able."""


Keep = Literal["probabilities", "labels"]


def specify(
    *,
    datasets: Mapping[str, DataPrint],
    candidates: Mapping[str, Any],
    plans: Mapping[str, Plan],
    seed: int,
    keep: Keep = "probabilities",
) -> Specification:
    """Describe a study by content."""
    return {
        "datasets": {name: data.summary for name, data in datasets.items()},
        "candidates": {name: describe(estimator) for name, estimator in candidates.items()},
        "plans": {name: plan.to_dict() for name, plan in plans.items()},
        "seed": seed,
        "keep": keep,
        "versions": _versions(candidates),
    }


def fingerprint(specification: Specification) -> str:
    """Return the SHA-256 of a specification, in hexadecimal."""
    text = json.dumps(specification, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def describe(value: Any) -> str:
    """Describe an estimator or a parameter by content, the same in every process.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> describe(KNeighborsClassifier(n_neighbors=1))[:58]
    'sklearn.neighbors._classification.KNeighborsClassifier(alg'
    """
    if hasattr(value, "get_params") and not isinstance(value, type):
        inner = ", ".join(
            f"{k}={describe(v)}" for k, v in sorted(value.get_params(deep=False).items())
        )
        return f"{type(value).__module__}.{type(value).__qualname__}({inner})"
    if isinstance(value, list | tuple):
        return f"[{', '.join(describe(item) for item in value)}]"
    if isinstance(value, set | frozenset):  # their order changes from process to process
        return f"{{{', '.join(sorted(describe(item) for item in value))}}}"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k!r}: {describe(v)}" for k, v in value.items()) + "}"
    if callable(value) and hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}{_hash_code(value)}"
    content = _content_of(value)
    if content is not None:
        digest = hashlib.sha256(content).hexdigest()[:16]
        return f"{type(value).__qualname__} {getattr(value, 'shape', '')} {digest}"
    text = repr(value)
    # An address would make every process a study of its own.
    return f"{type(value).__module__}.{type(value).__qualname__}" if " at 0x" in text else text


def _content_of(value: Any) -> bytes | None:
    """Bytes of what has a state that its text does not show: arrays, tables, generators."""
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            return describe(value.tolist()).encode()
        return f"{value.dtype.str}".encode() + np.ascontiguousarray(value).tobytes()
    if hasattr(value, "iloc"):
        return describe([str(value.axes), value.to_numpy()]).encode()
    if hasattr(value, "tocoo"):
        table = value.tocoo()
        return describe([table.row, table.col, table.data]).encode()
    if isinstance(value, np.random.RandomState):
        return describe(value.get_state(legacy=False)).encode()
    if isinstance(value, np.random.Generator):
        return describe(value.bit_generator.state).encode()
    return None


def _hash_code(function: Any) -> str:
    """Tell functions without a name of their own apart by what they do."""
    code = getattr(function, "__code__", None)
    if code is None or "<" not in function.__qualname__:
        return ""
    names = f"{code.co_names}{[c for c in code.co_consts if not hasattr(c, 'co_code')]}"
    return f" {hashlib.sha256(code.co_code + names.encode()).hexdigest()[:16]}"


@cache
def _distributions() -> Mapping[str, list[str]]:
    """Return which distributions have each module; finding out takes a tenth of a second."""
    return packages_distributions()


def _versions(candidates: Mapping[str, Any]) -> dict[str, str]:
    """Versions of the packages whose code makes the predictions."""
    modules = {"numpy", "scipy", "sklearn"}
    for estimator in candidates.values():
        parts = [estimator, *estimator.get_params(deep=True).values()]
        modules |= {type(part).__module__.split(".")[0] for part in parts}
    distributions = _distributions()
    if modules - distributions.keys() - sys.stdlib_module_names:  # installed since, or the user's
        _distributions.cache_clear()
        distributions = _distributions()
    found = {}
    for module in sorted(modules & distributions.keys()):
        name = distributions[module][0]
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # a module of the user's own, on the path but not installed
            continue
    return found
