"""Shared preparation: only what is the same is shared, and only as copies."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler, StandardScaler

from polychotomy.study import ladder
from polychotomy.study.fitting.prepare import (
    Preparation,
    Prepared,
    fit_steps,
    plan_preparations,
    read_prepared,
    shared_beginnings,
    write_prepared,
)


def shared(first, second):
    """How many steps two candidates have in common."""
    return len(shared_beginnings({"a": first, "b": second}).get("a", ()))


def pipe(*steps):
    return make_pipeline(*steps, GaussianNB())


@pytest.mark.parametrize(
    ("first", "second", "steps"),
    [
        (pipe(StandardScaler()), pipe(StandardScaler()), 1),
        (pipe(StandardScaler(), PCA(2)), pipe(StandardScaler(), PCA(2)), 2),
        (pipe(StandardScaler(), PCA(2)), pipe(StandardScaler(), PCA(3)), 1),
        (pipe(StandardScaler(), PCA(2)), pipe(StandardScaler()), 1),
        (pipe(PCA(2), StandardScaler()), pipe(StandardScaler(), PCA(2)), 0),
        (pipe(StandardScaler()), pipe(StandardScaler(with_std=False)), 0),
        (pipe(StandardScaler()), pipe(MinMaxScaler()), 0),
        (pipe(StandardScaler()), StandardScaler(), 0),
        (GaussianNB(), GaussianNB(), 0),
        (pipe(StandardScaler()), pipe(StandardScaler().set_output(transform="pandas")), 0),
        (pipe(StandardScaler()), Pipeline(pipe(StandardScaler()).steps, memory="x"), 0),
        (pipe("passthrough", PCA()), pipe("passthrough", PCA()), 0),
        (pipe(SelectKBest(k=2)), pipe(SelectKBest(k=2)), 1),
    ],
)
def test_what_is_shared(first, second, steps):
    assert shared(first, second) == steps


def test_functions_are_the_same_only_if_they_are_one():
    def make():
        return lambda X: X

    one, other = make(), make()
    assert shared(pipe(FunctionTransformer(np.log)), pipe(FunctionTransformer(np.log))) == 1
    assert shared(pipe(FunctionTransformer(np.log)), pipe(FunctionTransformer(np.exp))) == 0
    assert shared(pipe(FunctionTransformer(one)), pipe(FunctionTransformer(other))) == 0


def test_a_subclass_of_pipeline_is_left_alone():
    class Mine(Pipeline):
        pass

    assert shared(Mine(pipe(PCA()).steps), Mine(pipe(PCA()).steps)) == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (1, True),
        (0.0, -0.0),
        ((1,), [1]),
        ("1", 1),
        (np.zeros(2), np.zeros((2, 1))),
        (np.zeros(2), np.zeros(2, dtype=np.float32)),
        ({"a": 1}, {"a": 2}),
        (KNeighborsClassifier(3), KNeighborsClassifier(4)),
        (np.random.RandomState(0), np.random.RandomState(1)),
    ],
)
def test_steps_with_parameters_that_differ_are_not_shared(one, other):
    assert shared(*(pipe(FunctionTransformer(kw_args={"a": value})) for value in (one, other))) == 0


def test_nan_is_itself():
    first, second = (FunctionTransformer(kw_args={"a": float("nan")}) for _ in range(2))
    assert shared(pipe(first), pipe(second)) == 1


def test_built_in_candidates_share_what_makes_numbers():
    found = shared_beginnings(ladder())
    lengths = {name: len(beginning) for name, beginning in found.items()}
    assert lengths["logistic"] == lengths["SVM pairwise"] == 3
    assert lengths["random forest"] == lengths["boosted trees"] == 1


def test_preparations_build_on_each_other():
    candidates = {
        "tree": pipe(StandardScaler()),
        "near": make_pipeline(StandardScaler(), PCA(2), KNeighborsClassifier()),
        "bayes": pipe(StandardScaler(), PCA(2)),
        "alone": pipe(MinMaxScaler()),
    }
    preparations, chosen, n_shared = plan_preparations(candidates)
    assert [(one.start, one.parent, len(one.steps)) for one in preparations] == [
        (0, None, 1),
        (1, 0, 1),
    ]
    assert chosen == {"tree": 0, "near": 1, "bayes": 1}
    assert n_shared == {"tree": 1, "near": 2, "bayes": 2}


RAW = Prepared(np.asfortranarray(np.arange(8.0).reshape(4, 2)), np.ones((1, 2)))


def test_the_order_in_memory_is_kept_and_what_is_read_is_nobody_elses(tmp_path):
    preparation = Preparation((StandardScaler(), PCA(1)), 0, None)
    made = fit_steps(preparation, RAW, None, seed=0, weigh=True)
    by_hand = make_pipeline(StandardScaler(), PCA(1)).fit_transform(RAW.train)
    np.testing.assert_allclose(made.train, by_hand)
    assert write_prepared(tmp_path / "table", made) == (tmp_path / "table").stat().st_size
    read = read_prepared(tmp_path / "table")
    np.testing.assert_array_equal(read.train, made.train)
    np.testing.assert_array_equal(read.test, made.test)
    assert read.fit_seconds == made.fit_seconds > 0
    read.train[:] = 0
    np.testing.assert_array_equal(read_prepared(tmp_path / "table").train, made.train)

    write_prepared(tmp_path / "raw", RAW)
    assert read_prepared(tmp_path / "raw").train.flags.f_contiguous


@pytest.mark.parametrize(
    "convert", [pd.DataFrame, sparse.csr_matrix, lambda X: pd.DataFrame({"a": list("xyzx")})]
)
def test_tables_of_all_kinds_are_kept(tmp_path, convert):
    table = convert(RAW.train)
    write_prepared(tmp_path / "table", Prepared(table, table))
    read = read_prepared(tmp_path / "table").train
    assert type(read) is type(table)
    assert (pd.DataFrame(read.toarray() if sparse.issparse(read) else read).equals(
        pd.DataFrame(table.toarray() if sparse.issparse(table) else table)
    ))  # fmt: skip
