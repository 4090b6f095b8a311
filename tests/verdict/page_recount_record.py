"""How it was computed, computed again: hashes by hashlib, folds from the seed, clocks by SQL."""

import hashlib
import json
import sqlite3

import numpy as np
import pandas as pd


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).hexdigest()


def whole(values):
    """Numbers as little-endian int64."""
    return np.asarray(values).astype("<i8").tobytes()


def table_bytes(X):
    """The features as docs/study_file.md says."""
    if hasattr(X, "columns"):
        head = json.dumps([[str(name), str(kind)] for name, kind in X.dtypes.items()])
        hashed = [pd.util.hash_pandas_object(X[name], index=False) for name in X.columns]
        return head.encode() + b"".join(one.to_numpy().astype("<u8").tobytes() for one in hashed)
    if hasattr(X, "tocsr"):
        X = X.tocsr()
        head = f"sparse{X.shape}{X.dtype.str}".encode()
        return head + X.data.tobytes() + whole(X.indices) + whole(X.indptr)
    return f"{X.shape}{X.dtype.str}".encode() + X.tobytes()


def data_hash(X, labels, *, groups=None, times=None):
    """Of the features, the names of classes, groups and times, and the classes."""
    names, codes = np.unique(np.asarray(labels), return_inverse=True)
    ranks = [None if one is None else np.unique(np.asarray(one), return_inverse=True)[1]
             for one in (groups, times)]  # fmt: skip
    kept = [None if one is None else sha256(whole(one)) for one in ranks]
    said = json.dumps([[str(name) for name in names.tolist()], *kept])
    return sha256(table_bytes(X), said.encode(), whole(codes))


def predictions_hash(names, codes, samples=None):
    """Of predictions made elsewhere: the names of classes and of samples, and the classes."""
    return sha256(repr((names, samples)).encode(), whole(codes))


def study_hash(verdict, *, asked=False):
    """Of the specification, put together from the JSON of a verdict; with the question if asked."""
    record = verdict["provenance"]
    data, plan = dict(verdict["dataset"]), dict(verdict["plan"])
    specification = {
        "datasets": {data.pop("name"): data},
        "plans": {plan.pop("name"): plan},
        **{name: record[name] for name in ("candidates", "seed", "keep", "versions")},
        **({"code": record["code"]} if "code" in record else {}),  # of the user's own
    }
    found = sha256(json.dumps(specification, sort_keys=True).encode())
    if not asked:
        return found
    return sha256(json.dumps([found, record["question"]], sort_keys=True).encode())


def described(value):
    """An estimator by its class and parameters, in alphabetical order."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(described(one) for one in value)}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k!r}: {described(v)}" for k, v in value.items()) + "}"
    if isinstance(value, type) or (callable(value) and hasattr(value, "__name__")):
        return f"{value.__module__}.{value.__name__}"
    if not hasattr(value, "get_params"):
        return repr(value)
    kind = type(value)
    inner = [f"{k}={described(v)}" for k, v in sorted(value.get_params(deep=False).items())]
    return f"{kind.__module__}.{kind.__name__}({', '.join(inner)})"


def folds_of(seed, codes, n_folds, *, run=0, repetition=0):
    """The folds that a seed gives: dealt in turn, in a drawn order sorted by class."""
    key = json.dumps([seed, "split", run, repetition]).encode()
    own = int.from_bytes(hashlib.sha256(key).digest()[:4], "little")
    drawn = np.random.default_rng(own).permutation(len(codes))
    found = np.empty(len(codes), dtype=int)
    turn = 0
    for code in np.unique(codes):
        for sample in drawn[codes[drawn] == code]:
            found[sample] = turn % n_folds
            turn += 1
    return found


class StudyFile:
    """A study file read by SQLite alone."""

    def __init__(self, path):
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as file:
            self.splits = file.execute(
                "SELECT run, repetition, split FROM splits ORDER BY run, repetition"
            ).fetchall()
            columns = "candidate, status, fit_seconds, predict_seconds"
            self.trials = pd.DataFrame(
                file.execute(f"SELECT {columns} FROM trials").fetchall(),
                columns=columns.split(", "),
            )
            self.truth = file.execute("SELECT truth FROM samples").fetchone()[0]
        file.close()

    @property
    def seconds(self):
        return self.trials["fit_seconds"].sum() + self.trials["predict_seconds"].sum()
