"""The certificate's bookkeeping: counts to errors, decisions to rates, settings and batches."""

import numpy as np
import pandas as pd
import pytest
from benchmarks.honesty import REPETITIONS, batches, settings
from benchmarks.truth.certificate import WAYS, fifths, halves, rates, ten, tenths, true_difference
from benchmarks.truth.nulls import Resampled, resample
from benchmarks.truth.pages import honesty_page, markdown
from numpy.testing import assert_allclose


def counted(a, b, n=100):
    """One sample in which A gets ``a`` and B ``b`` cases wrong in every fold."""

    def table(repetitions, folds):
        return np.stack([np.full((1, repetitions, folds), x) for x in (a, b)], axis=1)

    return Resampled(n, table(5, 2), table(5, 5), table(10, 10), np.array([[a, b]]))


def test_counts_become_errors_of_each_fold():
    one = counted(2, 4)
    assert_allclose(halves(one)[0], np.full((1, 5, 2), 2 / 50))
    assert_allclose(fifths(one)[1], np.full((1, 25), 4 / 20))
    assert_allclose(tenths(one)[0], np.full((1, 100), 2 / 10))
    assert_allclose(ten(one)[1], np.full((1, 10), 4 / 10))
    assert true_difference(one) == pytest.approx(20)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_equal_learners_never_differ_and_far_ones_always(way):
    assert not way.differs(counted(2, 2)).any()
    assert way.differs(counted(0, 20)).all()


def test_rates_count_the_samples_called_different():
    rng = np.random.default_rng(0)
    one = resample(rng, family="linear", n=50, repetitions=60, handicap=False)
    table = rates([("linear", False, one)])
    assert list(table["way"]) == [way.name for way in WAYS]
    assert ((table["low"] <= table["different"]) & (table["different"] <= table["high"])).all()
    for way, row in zip(WAYS, table.itertuples(), strict=True):
        assert row.different == way.differs(one).mean()
        assert row.repetitions == 60
    repeated = table.set_index("way")["different"]
    assert repeated["paired t on 10×10 folds"] > 3 * repeated["corrected t, 10×10 folds"]


def test_the_page_has_a_row_a_way():
    rng = np.random.default_rng(1)
    runs = [
        (family, handicap, resample(rng, family=family, n=50, repetitions=8, handicap=handicap))
        for family in ("linear", "1-NN")
        for handicap in (False, True)
    ]
    page = honesty_page(rates(runs))
    assert page.count("| paired t on 10 folds |") == 2
    assert "| nan" not in page


def test_batches_add_up():
    assert list(batches(7, 3)) == [3, 3, 1]
    assert list(batches(3, 5)) == [3]


def test_every_setting_is_planned():
    planned = list(settings())
    assert len(planned) == len(set(planned))
    assert all(n in REPETITIONS[family] for n, family, _ in planned)


def test_markdown_table():
    table = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    assert markdown(table) == "| a | b |\n| --- | --- |\n| 1 | x |\n| 2 | y |"
