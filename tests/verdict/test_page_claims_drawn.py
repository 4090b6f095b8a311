"""Where the marks of every drawing stand, on every kind of page: measured along its own axes.

Those of the thousand, the trace and the groups of predictions are measured with their numbers.
"""

import re
from itertools import pairwise

import numpy as np
import pytest
from page_drawing import Ruler, columns, figure_of, marks, panels, places
from page_kinds import KINDS
from page_recount_answers import parts_of
from scipy.optimize import linear_sum_assignment
from test_page_claims_limits import LIMITED, bound_of, interval_of

NEAR = 0.03  # places have two digits, and so have those of the numbers along an axis


@pytest.fixture(params=KINDS)
def world(request, worlds):
    return worlds[request.param]


@pytest.fixture(params=LIMITED)
def limited(request, worlds):
    return worlds[request.param]


def drawn(world, name):
    return figure_of(world.html, name)


def close(shown, expected, *, near=NEAR):
    np.testing.assert_allclose(shown, expected, atol=near)


def test_candidates(world):
    """Ticks of the folds, dots of the means, the margin's band, and an arrow for who overrides."""
    r, figure = world.r, drawn(world, "candidates")
    ruler = Ruler(figure)
    rows = [one["name"] for one in world.verdict["candidates"]]
    assert [name for name in rows if name in r.names] == r.names
    down = {name: 49 + 46 * i for i, name in enumerate(rows)}
    for kind in ("best", "other"):
        ticks = columns(marks(figure, "line", f"fold {kind}"), "x1", "x2", "y1", "y2")
        dots = columns(marks(figure, "circle", f"mean {kind}"), "cx", "cy")
        own = [i for i, name in enumerate(r.names) if (name == world.name) == (kind == "best")]
        near = [i for i in own if ruler(r.means[i]) <= 99]
        expected = [
            [x, x, y - 6, y + 6]
            for i in near
            for x, y in [(x, down[r.names[i]]) for x in np.sort(ruler(world.shown[i].ravel()))]
            if 1 - NEAR <= x <= 99 + NEAR
        ]
        close(ticks.reshape(-1, 4), np.reshape(expected, (-1, 4)))
        means = [[ruler(r.means[i]), down[r.names[i]]] for i in near]
        close(dots.reshape(-1, 2), np.reshape(means, (-1, 2)))
    bands = columns(marks(figure, "rect", "band"), "x", "width")
    if r.rule == "paper":
        assert len(bands) == 0
    else:
        left, right = ruler([r.means.min(), r.means.min() + r.margin])
        close(bands, [[left, min(right, 99) - left]])
    check_arrows(world, figure, down)


def check_arrows(world, figure, down):
    r, found = world.r, {}
    edges = r.edges_of(world.shown)
    for kind in ("best", "other"):
        paths = [one["d"] for one in marks(figure, "path", f"arc {kind}")]
        ends = [re.fullmatch(r"M\S+ (\S+)C.* (\S+)", path).groups() for path in paths]
        found[kind] = sorted((float(a), float(b)) for a, b in ends)
    expected = {"best": [], "other": []}
    for i, j in np.argwhere(edges):
        kind = "best" if j == r.best else "other"
        expected[kind].append((down[r.names[i]], down[r.names[j]]))
    assert found == {kind: sorted(ends) for kind, ends in expected.items()}


def test_differences(world):
    """The dot and the line of every pair, by the shaded margin on either side of zero."""
    if world.r.m == 1:
        assert "differences" not in world.page.csv
        return
    r, figure = world.r, drawn(world, "differences")
    zeros = columns(marks(figure, "line", "cell-zero"), "x1", "y1")
    margins = columns(marks(figure, "rect", "cell-margin"), "x", "width")
    below = [(i, j) for i in range(r.m) for j in range(i)]
    assert len(zeros) == len(margins) == len(below)
    lines, dots, arrows = {}, {}, {}
    for answer in ("better", "equivalent", "undecided", "worse"):
        for one in marks(figure, "line", f"cell-line {answer}"):
            at = float(one["y1"]) // 50, round(float(one["x1"]), 2)
            lines.setdefault(answer, []).append((*at, float(one["x2"])))
        dots[answer] = columns(marks(figure, "circle", f"cell-dot {answer}"), "cx", "cy").tolist()
        arrows[answer] = columns(marks(figure, "text", f"cell-arrow {answer}"), "x", "y").tolist()
    width = 100 / (r.m + max(1, 0.35 * r.m))
    for (i, j), (zero, _), (left, wide) in zip(below, zeros, margins, strict=True):
        close(zero, (j + 0.5) * width)
        close(left + wide / 2, zero)
        unit, answer = wide / 2 / r.margin, r.answer(i, j)
        reach = 0.42 * width
        mean, low, high, _ = r.difference(i, j)
        rough = NEAR + 0.006 / wide * 2 * reach  # the margin is drawn to two digits too
        ends = [zero + np.clip(unit * x, -reach, reach) for x in (low, high)]
        found = [(a, b) for row, a, b in lines[answer] if row == i]
        assert any(np.allclose(one, ends, atol=rough, rtol=0) for one in found), (i, j)
        place = zero + np.clip(unit * mean, -reach, reach)
        here = [x for x, y in dots[answer] + arrows[answer] if y // 50 == i]
        assert any(abs(x - place) <= rough for x in here), (i, j)
    assert sum(map(len, lines.values())) == len(below)
    assert sum(len(found[one]) for found in (dots, arrows) for one in found) == len(below)


def test_price(world):
    """The dot of every candidate by its loss and its times; who is far above stands at the top."""
    if not world.timed:
        assert "price" not in world.page.csv
        return
    r = world.r
    for panel, clock in zip(panels(drawn(world, "price")), ("fit", "predict"), strict=True):
        cases = 1 if clock == "fit" else world.tested
        times = np.array([world.seconds(name, f"{clock}_seconds") / cases for name in r.names])
        every = re.findall(r'<circle class="mean [a-z]+" cx="([^%]*)%" cy="([^"]*)"', panel)
        right, low = np.array(every, dtype=float).max(axis=0)
        across = Ruler(panel, logarithmic=True, known=(times.max(), right))
        down = Ruler(panel, across=False, inside=(38, 240), known=(r.means.min(), low))
        costs = list(zip(r.means, times, strict=True))
        edge = [not any(a <= x and b <= y and (a, b) != (x, y) for a, b in costs)
                for x, y in costs]  # fmt: skip
        for kind in ("best", "efficient", "other"):
            dots = columns(marks(panel, "circle", f"mean {kind}"), "cx", "cy").reshape(-1, 2)
            own = [i for i in range(r.m) if kind == (
                "best" if i == r.best else "efficient" if edge[i] else "other")]  # fmt: skip
            expected = np.column_stack([across(times[own]), down(r.means[own])])
            assert len(dots) == len(expected)
            apart = np.abs(dots[:, None] - expected).sum(axis=2)  # sorted, near ones may change
            row, column = linear_sum_assignment(apart)
            close(dots[row], expected[column], near=0.06)
        check_stairs(panel, sorted(zip(across(times[edge]), down(r.means[edge]), strict=True)))


def check_stairs(panel, efficient):
    """The line through the efficient ones, left to right: across first, then down."""
    if len(efficient) == 1:
        assert not marks(panel, "path", "line edge")
        return
    steps = efficient[:1]
    for (_, before), (x, y) in pairwise(efficient):
        steps += [(x, before), (x, y)]
    close(places(panel, "line edge"), steps, near=0.06)


def test_weights_and_gain(world):
    if not world.asked_combining:
        assert not world.page.csv.keys() & {"weights", "gain"}
        return
    c, figure = world.combining, drawn(world, "weights")
    bars = [[float(one["y"]), float(one["width"])] for kind in ("bar other", "bar best")
            for one in marks(figure, "rect", kind)]  # fmt: skip
    ruler = Ruler(figure)
    soft = 0.1 if world.r.k == 2 else NEAR
    close([wide for _, wide in sorted(bars)], ruler(c.weights) - ruler(0), near=soft)
    check_gauge(drawn(world, "gain"), c.difference, c.low, c.high)


def check_gauge(figure, middle, low, high):
    """A dot, its line, and the zone from half a point on."""
    ruler = Ruler(figure)
    (line,) = [one for one in re.findall(r"<line ([^>]*)>", figure) if "whisker wide" in one]
    ends = [float(x) for x in re.findall(r'x[12]="([^%]*)%', line)]
    close(ends, ruler([low, high]))
    (dot,) = re.findall(r'<circle class="mean [a-z]+" cx="([^%]*)%', figure)
    close(float(dot), ruler(middle))
    (zone,) = columns(marks(figure, "rect", "band"), "x", "width")
    close(zone, [ruler(0.005), 100 - ruler(0.005)])


def test_confusion(world):
    """Numbers and shades of the cells, row by row."""
    figure, shown = drawn(world, "confusion"), world.page.csv["confusion"]
    order = [world.r.classes.index(name) for name in shown["truth"]]
    table = world.confusion[np.ix_(order, order)]
    k, cells = len(order), np.argwhere(table > 0)
    (field,) = columns(marks(figure, "rect", "matrix-field"), "x", "y", "width", "height")
    step = field[2:] / k
    found = re.findall(r'<text class="cell-count [a-z]+" x="([^%]*)%" y="([^"]*)"[^>]*>', figure)
    if k <= 12:
        where = field[:2] + (cells[:, ::-1] + 0.5) * step + [0, 4]
        close(np.array(found, dtype=float), where)
    else:
        assert not found
    shares = table / np.maximum(table.sum(axis=1, keepdims=True), 1e-12)
    most = max((shares - np.diag(np.diag(shares))).max(), 1e-12)
    shades = {}
    for i, j in cells:
        part = shares[i, j] if i == j else shares[i, j] / most
        kind = f"{'hit' if i == j else 'miss'} shade{int(np.ceil(6 * np.sqrt(part) - 1e-9))}"
        shades.setdefault(kind, []).append([100 / k * j, step[1] * i])
    for kind in [f"{one} shade{level}" for one in ("hit", "miss") for level in range(1, 7)]:
        paths = marks(figure, "path", kind)
        corners = re.findall(r"M(\S+) ([\d.]+)", " ".join(one["d"] for one in paths))
        close(
            np.array(corners, dtype=float).reshape(-1, 2), np.reshape(shades.get(kind, []), (-1, 2))
        )


# --- what limits it -----------------------------------------------------------------------------


def test_bagging(limited):
    b = limited.bagging
    check_gauge(drawn(limited, "bagging"), b.expected, b.low, b.high)


def test_error_budgets(limited):
    """Bars of what stays, of what averaging changes and of the variance; intervals; the limit."""
    figure = drawn(limited, "error-budget")
    ruler = Ruler(figure)
    boxes = re.findall(
        r'<rect class="bar ([^"]*)" x="([^%]*)%" y="([^"]*)" width="([^%]*)%', figure
    )
    lines = columns(marks(figure, "line", "whisker ink"), "x1", "x2").tolist()
    limits, bound = (
        columns(marks(figure, "line", "limit"), "x1").ravel().tolist(),
        bound_of(limited),
    )
    for name, bags in limited.bags.items():
        parts = parts_of(*bags, limited.r.y)
        error, averaged, _, variance = parts.mean(axis=0)
        state = "best" if name == limited.name else "other"
        ends = sorted([error, averaged])
        kinds = [(state, 0, ends[0]), (f"{'gain' if error >= averaged else 'loss'} {state}", *ends),
                 ("variance", 0, variance)]  # fmt: skip
        for kind, start, end in kinds:
            shown, x, _, width = boxes.pop(0)
            assert shown == kind
            close([float(x), float(width)], [ruler(start), ruler(end) - ruler(start)])
        for column, part in ((0, "error"), (None, ""), (3, "variance")):
            reach = (error, error) if column is None else interval_of(parts[:, column], part)
            close(lines.pop(0), ruler(reach))
        if 0 < bound <= averaged:
            close(limits.pop(0), ruler(bound))
    assert not boxes
    assert not lines
    assert not limits


def test_learning_curve(limited):
    """Dots measured, rings forecast, the line and its band."""
    f, figure = limited.forecast, drawn(limited, "learning-curve")
    down = Ruler(figure, across=False, inside=(38, 240))
    low, high = np.log(f.sizes.min()), np.log(10 * f.n)

    def across(sizes):
        return 14 + 83 * (np.log(sizes) - low) / (high - low)

    reach = 2 * f.standard_errors
    dots = columns(marks(figure, "circle", "mean other"), "cx", "cy")
    close(dots, np.column_stack([across(f.sizes), down(f.errors)]), near=0.06)
    whiskers = columns(marks(figure, "line", "whisker other"), "x1", "y1", "y2")
    ends = down([f.errors - reach, f.errors + reach])
    close(whiskers, np.column_stack([across(f.sizes), *ends]), near=0.06)
    later = [f.at(factor)[1] for factor in (2, 10)]
    rings = columns(marks(figure, "circle", "mean hollow"), "cx", "cy")
    where = across(f.n * np.array([2, 10]))
    close(rings, np.column_stack([where, down([one[1] for one in later])]), near=0.06)
    whiskers = columns(marks(figure, "line", "whisker best"), "x1", "y1", "y2")
    close(
        whiskers, [[x, *down([a, b])] for x, (a, _, b) in zip(where, later, strict=True)], near=0.06
    )
    (today,) = columns(marks(figure, "line", "now"), "x1", "x2")
    close(today, across(f.n))
    factors = np.geomspace(f.sizes.min() / f.n, 10, 25)
    lowest, highest = (
        np.array([curve_at(f, factor, shift) for factor in factors]) for shift in (-1e-9, 1e-9)
    )
    band = places(figure, "band")
    for line, end in ((band[:25], 0), (places(figure, "line best"), 1), (band[:24:-1], 2)):
        close(line[:, 0], across(factors * f.n))
        assert (line[:, 1] <= down(lowest[:, end]) + 0.06).all()
        assert (line[:, 1] >= down(highest[:, end]) - 0.06).all()


def curve_at(f, factor, shift):
    """Low, middle and high of the curves at so many times the cases.

    There are so many curves, so a quantile may lie between two of them: ``shift`` to either.
    """
    values = f.now - f.gains(factor)
    if factor <= 1:
        values = f.now * (f.share + (1 - f.share) * factor**-f.power)
    levels = np.array([0.1, 0.9]) + shift
    low, high = np.quantile(values, levels, weights=f.weights, method="inverted_cdf")
    return low, np.average(values, weights=f.weights), high
