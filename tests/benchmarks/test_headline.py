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


def test_the_interval_with_a_prior_is_that_of_draws_from_it(seen):
    """Further fits, simulated: 2.5 % of those that the folds leave likely are beyond each end."""
    rng, own, folds = np.random.default_rng(0), seen.own[0], seen.folds[0]
    one = headline.Seen(seen.table, seen.wrong[:, :1], seen.folds[:1], seen.said)
    cells = [own[folds == fold] for fold in range(5)]
    chance = np.mean([cell.var(ddof=1) / len(cell) for cell in cells])
    differ = np.var([cell.mean() for cell in cells], ddof=1)
    ratios = (0.3 * rng.standard_t(0.5, size=400_000)) ** 2
    between = chance + ratios * own.var(ddof=1) / len(own)
    likely = stats.chi2.pdf(4 * differ / between, 4) / between
    low, high = headline.with_prior(one)
    for end, side in ((low, -1), (high, 1)):  # Wilson's: the spread is that of the end
        spread = np.sqrt(end * (1 - end) / len(own) * (1 + ratios))
        beyond = stats.norm.sf(side * (end - seen.said.corrected) / spread)
        assert np.average(beyond, weights=likely) == pytest.approx(0.025, abs=0.001)


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
    seeds = headline.widths_by_seed({"rings": REPORTED["rings"]}, n=60, seeds=4)
    assert all(
        np.diff([float(one) for one in cell.split(" / ")]).min() >= 0 for cell in seeds[0][1:5]
    )
    chosen = headline.margins(cache, group, 3, (60,))
    page = headline.markdown(frame, chosen, 0.1, seeds, "the command")
    assert "| rings | " in page.partition("Between drawings of the folds\n")[2].partition("##")[0]
    assert page.count("| rings | 60 |") == 4
    assert "the command" in page
