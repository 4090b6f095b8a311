"""Tables and figures on the probabilities of every kind of page, computed again from the ledger.

What was drawn at random is drawn again from the seed on the page and must agree to the last digit
that is written; and from another seed to the error of the simulation.
"""

from functools import cache
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from page_drawing import columns, figure_of, marks, places, scaled
from page_kinds import KINDS
from page_numbers import agree
from page_reading import value
from page_recount import Recount
from page_recount_trust import Traced, smooth_error
from page_words import check
from page_words_rest import MESSAGES, READINGS, TILES, check_rest, trust_tile
from page_world import World
from scipy import optimize, stats

from polychotomy import judge
from polychotomy.study import import_predictions

LABELS_ONLY = ["nobody", "elsewhere labels"]  # of the one chosen there: nothing to check here
STUDIED = [kind for kind in KINDS if kind not in LABELS_ONLY]


def steps(q):
    """Three things to say, almost, and the lowest far too low."""
    return np.select([q < 0.15, q < 0.5], [1e-5 + 1e-6 * q, 0.3 + 0.01 * q], 0.6 + 0.01 * q)


MADE = {  # rows, what a learner says where q is true, what is found, and what corrects it
    "overbold": (400, lambda q: q**3, "too sure", "temperature"),
    "shy": (400, lambda q: q**0.3, "too cautious", "temperature"),
    "shyer": (400, lambda q: (q + 0.16 * np.sin(2 * np.pi * q)).clip(1e-3), "too cautious", "none"),
    "partial": (400, lambda q: q * [3.0, 1.0, 0.5], "too sure", "sigmoid"),
    "stepped": (400, steps, "uneven", "temperature"),
    "more steps": (800, steps, "uneven", "isotonic"),
    "rounded": (400, lambda q: (5 * q).round() + 0.1, "no sign against them", "none"),
}
LINES = ["as predicted", "recalibrated"]
QUICK = ["error", "noise", "paper", "overbold", "stepped", "shyer"]  # in every run


def made_params():
    return [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.long]) for name in MADE]


@pytest.fixture(scope="session")
def made_worlds(tmp_path_factory):
    """Pages of predictions made up so that their probabilities are wrong in every way."""
    folder = tmp_path_factory.mktemp("made")

    @cache
    def make(name):
        n, say, *_ = MADE[name]
        rng = np.random.default_rng(5)
        q = rng.dirichlet([0.8] * 3, size=n)
        y = (rng.random((n, 1)) > q.cumsum(axis=1)).sum(axis=1).clip(max=2)
        parts = []
        for repetition in range(2):
            p = say(np.exp(np.log(q + 1e-4) + 0.1 * rng.normal(size=q.shape)) / 1.01)
            p = (p / p.sum(axis=1, keepdims=True)).astype(np.float32)
            parts.append(pd.DataFrame(
                {"candidate": name, "repetition": repetition, "sample": np.arange(n),
                 "fold": rng.permutation(n) % 4, "truth": y,
                 **{f"p:{c}": p[:, c] for c in range(3)}}))  # fmt: skip
        path = folder / f"{name}.csv"
        table = pd.concat(parts)
        table.to_csv(path, index=False)
        table = table.assign(run=0, predicted=table.filter(like="p:").to_numpy().argmax(axis=1))
        with import_predictions(path) as ledger:
            verdict = judge(ledger)
        return World(verdict, Recount(table, [name]), table, pd.DataFrame())

    return make


@pytest.fixture(params=[*STUDIED, *made_params()])
def world(request, worlds, made_worlds):
    kind = request.param
    return made_worlds(kind) if kind in MADE else worlds[kind]


@pytest.fixture(params=made_params())
def made(request, made_worlds):
    return made_worlds(request.param)


@pytest.mark.parametrize("kind", LABELS_ONLY)
def test_of_labels_alone_there_is_nothing_to_show(worlds, kind):
    world = worlds[kind]
    assert world.name in world.hard
    assert world.verdict["trust"]["finding"] == "labels only"
    assert not world.page.csv.keys() & {"trace", "reliability"}
    assert not any(one.startswith(("Out-of-fold", "Cross-fitted")) for one in world.page.tables)


def test_what_is_found_is_as_it_was_made(made):
    _, _, finding, chosen = MADE[made.name]
    found = made.recalibration.chosen
    assert (made.trust.finding(found), found) == (finding, chosen)


def test_sentence_message_and_tile(made):
    """Of the pages that are made here; those of the studies are checked with all their words."""
    rows = made.page.table("Test, numbers and assumption")
    said = [row for row in rows if row["sentence"][0].startswith("Its probabilities")]
    assert len(said) == 1
    for row in said:
        check(made, row["sentence"][0], row["basis"][0], [made.name])
    (message,) = [one for one in made.page.words["message"] if one.startswith("Trace of")]
    check_rest(made, message, MESSAGES, [])
    trust_tile(made, made.page.words["answer"][TILES.index(trust_tile)])
    for text in made.page.words["figcaption"]:
        check_rest(made, text.removesuffix(" Numbers (CSV)"), READINGS, [made.name])


def test_scores_of_the_probabilities(world):
    rows = {row["score"][0]: row for row in world.page.table("Out-of-fold scores")}
    expected = world.trust.scores
    assert rows.keys() == expected.keys()
    for name, row in rows.items():
        near = 2e-6 if name == "smooth calibration error" else 1e-12  # there it is on a grid
        if np.isinf(expected[name]):
            assert row["value"][0] == "∞"
            assert "∞ as a class that came had been given 0" in row["meaning"][0]
            continue
        text, shown = row["value"][0], value(row["value"])
        assert shown == pytest.approx(expected[name], rel=1e-8, abs=near), name  # nine digits
        assert text == f"{shown:.3f}", name
        if name == "log loss":
            assert row["meaning"][0] == "smaller is better"
    told = world.verdict["trust"]
    same = {"log_loss": "log loss", "brier": "Brier score", "calibration": "of it, calibration",
            "uncertainty_coefficient": "uncertainty coefficient", "confidence":
            "mean probability of the predicted class", "accuracy": "accuracy",
            "smooth_calibration_error": "smooth calibration error",
            "slope": "slope of the trace"}  # fmt: skip
    for name, row in same.items():
        text, shown = rows[row]["value"]
        near = None if text == "∞" else pytest.approx(float(shown), rel=1e-8, abs=1e-12)
        assert told[name] == near, name
    t = world.trust
    numbers = [t.r, t.pvalue, t.confidence_pvalue()]
    np.testing.assert_allclose(
        [told[name] for name in ("r", "pvalue", "confidence_pvalue")], numbers, rtol=1e-9
    )
    found = t.finding(world.recalibration.chosen)
    assert (told["finding"], told["recalibration"]) == (found, world.recalibration.chosen)


def test_what_recalibration_would_gain(world):
    rows = world.page.table("Cross-fitted")
    assert [row["method"][0] for row in rows] == list(world.recalibration.rows)
    heads = ("log loss now", "after", "gain", "from", "to", "p-value")
    for row in rows:
        expected = world.recalibration.rows[row["method"][0]]
        np.testing.assert_allclose([value(row[h]) for h in heads], expected, rtol=1e-6, atol=1e-8)
        agree(" ; ".join(row[h][0] for h in heads), expected, [])
        assert (row["advised"][0] == "yes") == (row["method"][0] == world.recalibration.chosen)


def lines_of(world, name):
    """The numbers of a figure, line by line; the second where recalibration is advised."""
    shown = world.page.csv[name]
    lines = LINES[: 1 + (world.recalibration.chosen != "none")]
    assert list(shown["line"].unique()) == lines
    numbers = shown.drop(columns="line").replace("", "nan").astype(float)
    return [numbers[shown["line"] == line] for line in lines]


def traces_of(world):
    """As predicted, and recalibrated where that is advised."""
    _, y, cases, *_ = world.forecasts
    found = world.recalibration
    after = [] if found.chosen == "none" else [Traced(found.after, y, cases)]
    return [world.trust, *after]


def six_digits(shown, expected, *, near=1e-9):
    np.testing.assert_allclose(shown, expected, rtol=5.001e-6, atol=near)


def test_the_trace_its_band_and_the_line_after_recalibration(world):
    """Every number of the figure, from the same draws, and every place of its drawing."""
    lines, traces = lines_of(world, "trace"), traces_of(world)
    for line, one in zip(lines, traces, strict=True):
        np.testing.assert_array_equal(line["step"], one.steps[one.kept])
        six_digits(line["trace_minus_step"], one.off, near=1e-9 if one is world.trust else 1e-4)
    low, high = world.trust.band
    six_digits(lines[0][["low", "high"]], np.column_stack([low, high]))
    assert all(line[["low", "high"]].isna().all(axis=None) for line in lines[1:])
    figure = figure_of(world.html, "trace")
    ends = [step for one in traces for step in one.steps[[0, -1]]]
    reach = 1.08 * max(
        np.abs(np.concatenate([low, high, *(one.off for one in traces)])).max(), 1e-9
    )

    def place(one, values):
        x = scaled(one.steps[one.kept], min(ends), max(ends), 0, 100)
        return np.column_stack([x, scaled(values, -reach, reach, 240, 38)])

    for one, kind in zip(traces, ("line best", "line recalibrated"), strict=False):
        np.testing.assert_allclose(places(figure, kind), place(one, one.off), atol=0.0051)
    around = np.vstack([place(world.trust, low), place(world.trust, high)[::-1]])
    np.testing.assert_allclose(places(figure, "band"), around, atol=0.0051)
    assert len(marks(figure, "path", "line recalibrated")) == len(traces) - 1


def test_reliability_before_and_after_recalibration(world):
    """Every group of the figure by counting, and every dot, whisker and bar of its drawing."""
    lines = lines_of(world, "reliability")
    groups = [one.reliability() for one in traces_of(world)]
    for line, expected in zip(lines, groups, strict=True):
        six_digits(line[["forecast", "observed", "lower", "upper", "counts"]], expected, near=2e-8)
        cases = world.r.judged.sum()  # however often each was predicted
        assert line["counts"].sum() == pytest.approx(cases, rel=1e-5)
    figure = figure_of(world.html, "reliability")
    sure = world.trust.p.max(axis=1)
    least = min(sure.min(), *(one[:, 0].min() for one in groups))
    lowest = min(least, *(one[:, 2].min() for one in groups))
    left, base = (min(np.floor(10 * end) / 10, 0.9) for end in (least, lowest))
    for one, kind in zip(groups, ("best", "recalibrated"), strict=False):
        x = scaled(one[:, 0], left, 1, 10, 96)
        y = scaled(one[:, 1:4].clip(base, 1), base, 1, 240, 38)
        dots = columns(marks(figure, "circle", f"mean {kind}"), "cx", "cy")
        np.testing.assert_allclose(dots, np.column_stack([x, y[:, 0]]), atol=0.0051)
        whiskers = columns(marks(figure, "line", f"whisker {kind}"), "x1", "x2", "y1", "y2")
        np.testing.assert_allclose(whiskers, np.column_stack([x, x, y[:, 1:]]), atol=0.0051)
    assert len(marks(figure, "circle", "mean recalibrated")) == sum(map(len, groups[1:]))
    bars = columns(marks(figure, "rect", "shadow"), "x", "y", "width", "height")
    edges = np.linspace(left, 1, 21)
    counts = [((sure >= a) & ((sure < b) | (b == edges[-1]))).sum()
              for a, b in pairwise(edges)]  # fmt: skip
    tall = 32 * np.array(counts) / max(counts)
    x, wide = scaled(edges[:-1], left, 1, 10, 96) + 0.2, 86 / 20 - 0.4
    expected = np.column_stack([x, 280 - tall, np.full(20, wide), tall])[np.array(counts) > 0]
    np.testing.assert_allclose(bars, expected, atol=0.0051)


def test_groups_in_words(world):
    """Each dot's words and the figure's, from the groups counted here."""
    groups = [one.reliability() for one in traces_of(world)]
    told = [text for text in world.page.words["title"] if "sure on average" in text]
    expected = [[c, *(100 * x for x in row)] for one in groups[::-1] for *row, c in one]
    assert len(told) == len(expected)
    for text, numbers in zip(told, expected, strict=True):
        agree(text, numbers, [])
    held = [
        ((one[:, 2] <= one[:, 0] + 1e-12) & (one[:, 0] <= one[:, 3] + 1e-12)).sum()
        for one in groups
    ]
    (message,) = [one for one in world.page.words["message"] if "of predictions, " in one]
    after = [x for one, n in zip(groups[1:], held[1:], strict=True) for x in (n, len(one))]
    agree(message, [len(groups[0]), held[0], 95, *after], [])


@pytest.mark.parametrize("kind", [
    pytest.param(kind, marks=[] if kind in QUICK else [pytest.mark.long])
    for kind in (*STUDIED, *MADE)
])  # fmt: skip
def test_simulations_from_other_draws(kind, worlds, made_worlds):
    """Slopes, p-values and band from another seed: as the page says, to the simulation's error."""
    world = made_worlds(kind) if kind in MADE else worlds[kind]
    own, t = world.trust, Traced(*world.forecasts[:3], seed=11)
    rows = pd.DataFrame(world.page.csv["trace"])
    rows = rows[rows["line"] == LINES[0]]
    low, high = (rows[end].astype(float).to_numpy() for end in ("low", "high"))
    off = t.simulated[2]
    inside = ((off >= low - 1e-4) & (off <= high + 1e-4)).all(axis=1)  # all along
    assert inside.mean() == pytest.approx(0.95, abs=0.04) or np.ptp(off) < 1e-9
    assert t.slope_band == pytest.approx(own.slope_band, abs=0.5 * t.slopes.std() + 1e-12)
    sure = own.confidence_pvalue(), t.confidence_pvalue(seed=2)
    for a, b, draws in ((own.pvalue, t.pvalue, 999), (*sure, 1999)):
        near = 4 * np.sqrt(max(a, 0.004) * (1 - a / 2) * 2 / draws)
        if kind == "many classes" and draws == 999:  # what is rare there sets the scale of a draw
            again = [Traced(*world.forecasts[:3], seed=seed).pvalue for seed in range(12, 18)]
            near = max(near, 4 * np.std(again, ddof=1))
        assert abs(a - b) <= near


def test_smooth_errors_by_the_integral_itself(worlds):
    """The series of the recount is the Gaussian on the line, folded at 0 and 1."""
    p, y, *_ = worlds["noise"].forecasts
    f, happened = p.max(axis=1), p.argmax(axis=1) == y
    grid = (np.arange(1000) + 0.5) / 1000

    def error(width):
        kernel = sum(
            stats.norm.pdf(grid[:, None], mirror, width)
            for shift in (-2, 0, 2)
            for mirror in (f + shift, -f + shift)
        )
        return np.abs(kernel @ (happened - f) / f.size).mean()

    found = optimize.brentq(lambda width: error(width) - width, 0.005, 0.5, xtol=1e-6)
    assert smooth_error(f, happened) == pytest.approx(found, abs=1e-5)
