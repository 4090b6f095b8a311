"""A study by content: its data, candidates and plans as plain values, and what of them has changed.

The fingerprints of the data are in ``DataPrint``: one of all, and one for each column, so that a
change can be named. Rows are not told apart: a hash for each would be kept and compared by every
study, and whoever has both tables finds the row sooner.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from itertools import chain
from typing import Any, Literal

import numpy as np

from polychotomy.core.arrays import Ints
from polychotomy.study.design.dataset import Dataset, name_some
from polychotomy.study.design.description import code_of, describe
from polychotomy.study.design.fixed_split import FixedSplit, GivenFolds
from polychotomy.study.design.plan import (
    Bootstrap,
    HoldOut,
    ImportedFolds,
    NestedSizes,
    Plan,
    RepeatedFolds,
    Rung,
    TimeFolds,
)

# ``datasets`` {name: rows, columns, classes, groups, time, sha256}, ``candidates`` {name:
# description}, ``plans`` {name: plan}, ``seed``, ``keep``, ``versions``, and where candidates are
# made of code of the user's own ``code`` {name: {"class Mine": hash}}: JSON-able.
Specification = dict[str, Any]

Keep = Literal["probabilities", "labels"]

_MOST_COLUMNS = 10_000  # beyond this, columns are not told apart

_EXTENT = {"runs", "replicates"}  # of a plan: what may grow later

_JOINED = {"datasets", "candidates", "versions", "code"}

_PLANS: dict[str, type[Any]] = {
    plan.kind: plan
    for plan in (
        *(RepeatedFolds, HoldOut, Rung, TimeFolds, Bootstrap),
        *(FixedSplit, GivenFolds, NestedSizes, ImportedFolds),
    )
}


@dataclass(frozen=True, eq=False, kw_only=True)
class DataPrint:
    """What is kept of a data set to know it again.

    Parameters
    ----------
    sha256 : str
        Of everything: values, types, names, labels, groups, times.
    columns : tuple of (name, type, hash)
        Empty for sparse tables, and where there are more than ten thousand.
    classes, codes
        The labels.
    groups, time : str or None
        Hashes of them, where there are any.
    """

    sha256: str
    n_columns: int = 0
    columns: tuple[tuple[str, str, str], ...] = ()
    classes: tuple[str, ...]
    codes: Ints
    groups: str | None = None
    time: str | None = None

    @property
    def summary(self) -> dict[str, Any]:
        """The part that a specification shows."""
        return {
            "rows": len(self.codes), "columns": self.n_columns, "classes": list(self.classes),
            "groups": self.groups is not None, "time": self.time is not None,
            "sha256": self.sha256,
        }  # fmt: skip

    def to_json(self) -> str:
        """All but the codes, as text."""
        return json.dumps({name: value for name, value in vars(self).items() if name != "codes"})

    @classmethod
    def from_json(cls, text: str, *, codes: Ints) -> DataPrint:
        """Read back what ``to_json`` gave."""
        kept = json.loads(text)
        kept["columns"] = tuple(tuple(column) for column in kept["columns"])
        return cls(**kept | {"classes": tuple(kept["classes"]), "codes": codes})


def print_data(data: Dataset) -> DataPrint:
    """Take the fingerprints of a data set.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 2.0], [3.0, 4.0]])
    >>> a, b = (print_data(Dataset.of(x, ["u", "v"])) for x in (X, X + [[0, 1], [0, 0]]))
    >>> [was == now for was, now in zip(a.columns, b.columns)]
    [True, False]
    """
    parts, columns = _hash_table(data.X)
    groups, time = (
        None if codes is None else hashlib.sha256(codes.astype("<i8").tobytes()).hexdigest()
        for codes in (data.groups, data.time)
    )
    labels = json.dumps([data.target.names, groups, time]).encode()
    digest = hashlib.sha256()
    for part in chain(parts, (labels, data.target.codes.astype("<i8").tobytes())):
        digest.update(part)
    return DataPrint(
        sha256=digest.hexdigest(), n_columns=int(data.X.shape[1]), groups=groups, time=time,
        columns=tuple(columns) if len(columns) <= _MOST_COLUMNS else (),
        classes=data.target.names, codes=data.target.codes,
    )  # fmt: skip


def _hash_table(X: Any) -> tuple[Iterable[bytes], list[tuple[str, str, str]]]:
    """Return the bytes of a table, by value and kind, and name, type and hash of each column.

    Those of a frame's columns are there once the bytes have been used: not all of them at a time.
    """
    if hasattr(X, "iloc"):
        named = [(str(name), str(kind)) for name, kind in zip(X.columns, X.dtypes, strict=True)]
        columns: list[tuple[str, str, str]] = []
        return _hash_columns(X, named, columns), columns
    if hasattr(X, "tocsr"):
        csr = X.tocsr(copy=True)
        csr.sum_duplicates()
        places = (a.astype("<i8").tobytes() for a in (csr.indices, csr.indptr))
        return [f"sparse{X.shape}{X.dtype.str}".encode(), csr.data.tobytes(), *places], []
    array = np.ascontiguousarray(X)
    named = [(str(j), str(array.dtype)) for j in range(array.shape[1])]
    if array.dtype == object:
        parts = [str(array.shape).encode(), repr(array.tolist()).encode()]
        contents = (repr(column).encode() for column in array.T.tolist())
    else:
        parts = [f"{array.shape}{array.dtype.str}".encode(), array.tobytes()]
        contents = (column.tobytes() for column in array.T)
    hashes = (hashlib.sha256(content).hexdigest()[:16] for content in contents)
    return parts, [(*name, own) for name, own in zip(named, hashes, strict=True)]


def _hash_columns(
    X: Any, named: list[tuple[str, str]], columns: list[tuple[str, str, str]]
) -> Iterator[bytes]:
    yield json.dumps(named).encode()
    for j, name in enumerate(named):
        content = _hash_values(X.iloc[:, j])
        columns.append((*name, hashlib.sha256(content).hexdigest()[:16]))
        yield content


def _hash_values(column: Any) -> bytes:
    """Return pandas' hashes of a column's values."""
    import pandas as pd

    if column.dtype == "object" and pd.api.types.infer_dtype(column) != "string":
        column = column.map(repr)  # pandas takes 1 for "1", and has no hash for lists
    hashed = pd.util.hash_pandas_object(column, index=False)
    return np.asarray(hashed.to_numpy(), dtype="<u8").tobytes()


def explain_change(name: str, was: DataPrint, now: DataPrint) -> str:
    """Say in words how data differ from those of the same name that a study began with."""
    rows, now_rows = len(was.codes), len(now.codes)
    before, after = (_aspects(data, same_rows=rows == now_rows) for data in (was, now))
    found = {
        "gone": [one for one in before if one not in after],
        "new": [one for one in after if one not in before],
        "changed": [one for one in before if before[one] != after.get(one, before[one])],
    }
    parts = [f"rows were {rows}, now {now_rows}"] if rows != now_rows else []
    parts += [f"{what}: {name_some(names)}" for what, names in found.items() if names]
    words = "; ".join(parts) or "some values or the order of the columns changed"
    return f"the data {name!r} are not the same: {words}"


def _aspects(data: DataPrint, *, same_rows: bool) -> dict[str, Any]:
    """Return all that can be compared, by its name; values only where rows are the same."""
    by_row: dict[str, Any] = {f"column {one!r} ({kind})": own for one, kind, own in data.columns}
    by_row |= {"labels": data.codes.tobytes(), "groups": data.groups, "time": data.time}
    classes = {f"class {one!r}": "" for one in data.classes}
    found = by_row if same_rows else dict.fromkeys(by_row)
    return {"number of columns": data.n_columns, **found, **classes}


def specify(
    *,
    datasets: Mapping[str, DataPrint],
    candidates: Mapping[str, Any],
    plans: Mapping[str, Plan],
    seed: int,
    keep: Keep = "probabilities",
) -> Specification:
    """Describe a study by content."""
    code = {name: own for name, one in candidates.items() if (own := code_of(one))}
    found: Specification = {"seed": seed, "keep": keep, "versions": _versions(candidates)}
    return found | ({"code": code} if code else {}) | {
        "datasets": {name: data.summary for name, data in datasets.items()},
        "candidates": {name: describe(estimator) for name, estimator in candidates.items()},
        "plans": {name: plan.to_dict() for name, plan in plans.items()},
    }  # fmt: skip


def plan_from_dict(values: Mapping[str, Any]) -> Plan:
    """Return the plan that ``to_dict`` gave.

    Examples
    --------
    >>> plan_from_dict(RepeatedFolds(runs=3).to_dict()) == RepeatedFolds(runs=3)
    True
    """
    plan: Plan = _PLANS[values["kind"]](**{k: v for k, v in values.items() if k != "kind"})
    return plan


def fingerprint(specification: Specification) -> str:
    """Return the SHA-256 of a specification, in hexadecimal."""
    text = json.dumps(specification, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


_distributions = cache(packages_distributions)  # finding out takes a tenth of a second


def _versions(candidates: Mapping[str, Any]) -> dict[str, str]:
    """Versions of the packages whose code makes the predictions."""
    modules = {"numpy", "scipy", "sklearn"}
    for estimator in candidates.values():
        parts = [estimator, *estimator.get_params(deep=True).values()]
        modules |= {type(part).__module__.split(".")[0] for part in parts}
        modules |= {getattr(type(part), "made_with", "numpy") for part in parts}
    distributions = _distributions()
    return installed(distributions[module][0] for module in sorted(modules & distributions.keys()))


def installed(packages: Iterable[str]) -> dict[str, str]:
    """Return the versions of packages, without those on the path that are not installed.

    Examples
    --------
    >>> list(installed(["numpy", "a-file-of-the-users-own"]))
    ['numpy']
    """
    found = {}
    for name in packages:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def find_conflicts(
    stored: Specification, asked: Specification, prints: Mapping[str, tuple[DataPrint, DataPrint]]
) -> list[str]:
    """Say in words what would make recorded results of ``stored`` wrong for ``asked``.

    More data sets, candidates, plans or runs are no conflict: only what is new has to be computed.

    Parameters
    ----------
    prints : {data set: (stored, asked)}
        Fingerprints of the data sets that both have.
    """
    pairs = [
        ("the seed was", stored["seed"], asked["seed"]),
        ("what is kept was", repr(stored["keep"]), repr(asked["keep"])),
    ]
    for kind, say in (
        ("plans", "the plan {!r} was"),
        ("candidates", "the candidate {!r} was"),
        ("versions", "{} was"),
    ):
        for name in stored[kind].keys() & asked[kind].keys():
            was, now = (_without_extent(one[kind][name]) for one in (stored, asked))
            pairs.append((say.format(name), *_only_the_change(was, now)))
    changed = [f"{what} {was}, now {now}" for what, was, now in pairs if was != now]
    return [*_data_conflicts(stored, asked, prints), *changed, *_code_conflicts(stored, asked)]


def _code_conflicts(stored: Specification, asked: Specification) -> Iterator[str]:
    """Say whose code is another; a study of before such hashes were kept has none."""
    was, now = stored.get("code", {}), asked.get("code", {})
    for name in [one for one in now if one in was]:
        parts = [part for part in now[name] if now[name][part] != was[name].get(part)]
        if "Python" in parts:  # by which code is compiled
            parts = ["Python", was[name]["Python"], now[name]["Python"]]
            yield "the candidate {!r} is of your own code, and {} was {}, now {}".format(
                name, *parts
            )
        elif parts:
            yield f"of the candidate {name!r} the code of {name_some(parts)} has changed"


def _without_extent(part: Any) -> Any:
    """Return a plan as text, without what may grow later; other parts as they are."""
    if not isinstance(part, dict):
        return part
    return str({name: value for name, value in sorted(part.items()) if name not in _EXTENT})


_AROUND = 60  # characters: a shorter text is shown whole


def _only_the_change(was: Any, now: Any) -> tuple[Any, Any]:
    """Cut what two long texts have alike, at commas and brackets.

    Examples
    --------
    >>> many = "one=1, " * 20
    >>> _only_the_change(f"A(a=1, {many}b=2, c=3)", f"A(a=7, {many}b=5, c=3)")
    ('… a=1 … b=2 …', '… a=7 … b=5 …')
    """
    if was == now or not isinstance(was, str) or max(len(was), len(now)) <= _AROUND:
        return was, now
    old, new = (re.split(r"[,()[\]]\s*", text) for text in (was, now))
    gone, come = [one for one in old if one not in new], [one for one in new if one not in old]
    if not gone or not come:
        return was, now
    return f"… {' … '.join(gone)} …", f"… {' … '.join(come)} …"


def _data_conflicts(
    stored: Specification, asked: Specification, prints: Mapping[str, tuple[DataPrint, DataPrint]]
) -> Iterator[str]:
    names = {data["sha256"]: name for name, data in stored["datasets"].items()}
    for name, data in asked["datasets"].items():
        was = stored["datasets"].get(name)
        if was is None and data["sha256"] in names:
            yield f"the data {name!r} are in the study as {names[data['sha256']]!r}; use that name"
        elif was is not None and was["sha256"] != data["sha256"]:
            if name in prints:
                yield explain_change(name, *prints[name])
            else:  # what was kept of them is damaged
                yield f"the data {name!r} are not the same"


# {plan: {data set: {candidate: repetitions of all runs}}}
Planned = dict[str, dict[str, dict[str, int]]]


def unite_planned(stored: Planned, asked: Planned) -> Planned:
    """Join two tables of what is planned: the larger number of repetitions counts.

    Examples
    --------
    >>> unite_planned({"p": {"d": {"a": 5}}}, {"p": {"d": {"a": 2, "b": 2}}})
    {'p': {'d': {'a': 5, 'b': 2}}}
    """
    united: Planned = {}
    for one in (stored, asked):
        for plan, datasets in one.items():
            for dataset, candidates in datasets.items():
                known = united.setdefault(plan, {}).setdefault(dataset, {})
                more = {name: max(n, known.get(name, 0)) for name, n in candidates.items()}
                known.update(more)
    return united


def unite(stored: Specification, asked: Specification) -> Specification:
    """Join two specifications without conflict.

    Examples
    --------
    >>> one = {"datasets": {}, "candidates": {"a": "A()"}, "plans": {"p": {"runs": 2}},
    ...        "seed": 0, "keep": "labels", "versions": {}}
    >>> two = one | {"candidates": {"b": "B()"}, "plans": {"p": {"runs": 1}}}
    >>> both = unite(one, two)
    >>> list(both["candidates"]), both["plans"]
    (['a', 'b'], {'p': {'runs': 2}})
    """
    plans = stored["plans"] | asked["plans"]
    for name in stored["plans"].keys() & asked["plans"].keys():
        was, now = stored["plans"][name], asked["plans"][name]
        plans[name] = was | {part: max(was[part], now[part]) for part in _EXTENT & was.keys()}
    joined = {one: stored.get(one, {}) | asked.get(one, {}) for one in _JOINED & asked.keys()}
    return stored | joined | {"plans": plans}
