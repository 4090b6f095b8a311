"""What changes through time is named before any fit, and seldom what does not."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from polychotomy.tables.drift import drifting, note_drift

N = 400


def test_correlations_are_spearmans():
    rng = np.random.default_rng(0)
    table, time = rng.integers(6, size=(50, 4)).astype(float), rng.integers(20, size=50)
    found, _ = drifting(table, time)
    expected = [spearmanr(column, time).statistic for column in table.T]
    np.testing.assert_allclose(found, expected)


@pytest.mark.parametrize("kind", ["normal", "heavy tails", "classes", "equal columns"])
def test_without_any_change_something_is_shown_in_one_of_a_hundred_tables(kind):
    """Of any number of columns, however they depend on each other."""
    rng, draws = np.random.default_rng(0), 300
    false = 0
    for _ in range(draws):
        table = rng.normal(size=(60, 8))
        if kind == "heavy tails":
            table = rng.standard_cauchy(size=(60, 8))
        elif kind == "classes":
            table = np.eye(8)[rng.integers(8, size=60)]
        elif kind == "equal columns":
            table = np.repeat(table[:, :1], 8, axis=1)
        false += drifting(table, np.arange(60))[1].any()
    assert false <= 9  # at 1 %, a Poisson of 3: more in one of a thousand


def test_one_column_among_many_is_found():
    rng = np.random.default_rng(0)
    table = rng.normal(size=(N, 50))
    table[:, 7] += 2 * np.arange(N) / N
    assert np.flatnonzero(drifting(table, np.arange(N))[1]).tolist() == [7]


@pytest.fixture
def grown():
    """Rows of which more are faults, and larger ones, as time goes on; shuffled."""
    rng = np.random.default_rng(0)
    at = rng.permutation(N)
    X = pd.DataFrame({"load": at / N + 0.3 * rng.normal(size=N), "noise": rng.normal(size=N)})
    return X.assign(place="north"), np.where(rng.random(N) < 0.1 + 0.7 * at / N, "fault", "ok"), at


def test_classes_and_columns_that_change_are_named_with_what_to_do(grown):
    X, labels, time = grown
    classes, columns = note_drift(X, labels, "state", time)
    early, late = (labels[part] for part in (time < N // 5, time >= N - N // 5))
    first, last = (100 * np.mean(part == "fault") for part in (early, late))
    assert classes.line.startswith(
        f"'state' drifts through time: 'fault' is {first:.1f} % of the first fifth of the rows, "
        f"{last:.1f} % of the last; expect the error of the last rows"
    )
    assert columns.line.startswith("'load' changes through time; expect")
    assert {note.kind for note in (classes, columns)} == {"drift"}
    dates = pd.to_datetime("2026-01-01") + pd.to_timedelta(time, unit="D")
    assert note_drift(X, labels, "state", dates.to_numpy()) == [classes, columns]


def test_of_a_group_one_row_is_taken(grown):
    """Sixteen patients with a hundred rows each, all alike, are sixteen cases: too few."""
    patient = np.repeat(np.arange(16), 100)
    labels = np.where(patient > 7, "ill", "well")
    X = pd.DataFrame({"x": 0.0}, index=range(1600))
    assert note_drift(X, labels, "outcome", np.arange(1600))
    assert note_drift(X, labels, "outcome", np.arange(1600), groups=patient) == []


def test_what_is_shown_but_hardly_matters_is_not_named():
    rng = np.random.default_rng(0)
    time = np.arange(20_000)
    X = pd.DataFrame({"x": rng.normal(size=20_000) + time / 20_000})
    assert drifting(X.to_numpy()[::10], time[::10])[1].all()
    labels = np.where(rng.random(20_000) < 0.5, "a", "b")
    assert note_drift(X, labels, "kind", time) == []


def test_any_table_can_be_asked(grown):
    X, labels, time = grown
    for other in (X[["place"]], X.assign(gap=np.nan, on=labels == "ok"), X.iloc[:, :0]):
        assert note_drift(other, labels, "state", time)[0].startswith("'state' drifts")
    assert note_drift(X[:10], labels[:10], "state", time[:10]) == []
    assert note_drift(X, labels, "state", np.zeros(N)) == []
