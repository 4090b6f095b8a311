"""The lab of the winner's error: what it draws, what it fits, what it sets beside ours."""

import numpy as np
import pytest
from benchmarks.headline_fits import LEARNERS, REPORTED, TUNED, Table, load_table, make_table
from scipy import stats

from benchmarks import headline


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def seen(cache):
    table = load_table(cache, "interaction", REPORTED["interaction"], 100, 0)
    return headline.look(table, grows=False)


@pytest.mark.parametrize("name", [*TUNED, *REPORTED])
def test_probabilities_are_those_of_the_labels(name):
    X, p = (TUNED | REPORTED)[name](np.random.default_rng(0), 20_000)
    assert X.shape[0] == p.shape[0] == 20_000
    np.testing.assert_allclose(p.sum(axis=1), 1)
    assert p.min() >= 0


def test_no_population_is_both_tuned_on_and_reported():
    assert not TUNED.keys() & REPORTED.keys()


def test_a_rare_class_is_as_rare_as_it_says():
    _, p = REPORTED["rare, 4 %"](np.random.default_rng(0), 50_000)
    assert p[:, 1].mean() == pytest.approx(0.04, abs=0.003)


def test_the_cache_gives_back_what_was_fitted(cache):
    made = make_table("rings", REPORTED["rings"], 60, 3)
    for again in (load_table(cache, "rings", REPORTED["rings"], 60, 3) for _ in range(2)):
        for name in Table.__dataclass_fields__:
            np.testing.assert_array_equal(getattr(made, name), getattr(again, name))
    assert made.wrong.shape == (len(LEARNERS), 5, 60)
    # The guess errs in the rarer class, out of fold and in truth.
    rarer = min(np.bincount(made.y)) / 60
    assert made.wrong[headline.GUESS].mean() == pytest.approx(rarer, abs=0.15)
    assert made.truth[headline.GUESS] in (
        pytest.approx(made.guess),
        pytest.approx(1 - made.guess),
    )


def test_intervals_are_those_of_their_authors(seen):
    n, k = seen.own.shape[1], round(seen.own.mean() * seen.own.shape[1])
    whole = headline.Seen(seen.table, np.repeat(np.arange(n)[None] < k, 6, 0)[:, None] * 1.0,
                          seen.folds[:1], seen.said)  # fmt: skip
    exact = stats.binomtest(k, n).proportion_ci(method="exact")
    assert headline.clopper_pearson(whole) == pytest.approx((exact.low, exact.high))
    errors = seen.fold_errors.ravel()
    scale = errors.std(ddof=1) * np.sqrt(1 / 25 + 1 / 4)
    expected = stats.t.interval(0.95, 24, loc=errors.mean(), scale=scale)
    assert headline.corrected_t(seen) == pytest.approx(expected)


def test_a_page_from_a_few_tables(cache):
    group = {"rings": REPORTED["rings"], "rare, 2 %": REPORTED["rare, 2 %"]}
    frame = headline.score(cache, group, 3, (60,))
    assert len(frame) == 2 * 2 * 3
    assert (frame["ours low"] <= frame["ours high"]).all()
    page = headline.markdown(frame, headline.margins(cache, group, 3, (60,)), 0.1, "the command")
    assert page.count("| rings | 60 |") == 4
    assert "the command" in page
