"""The figures of docs/science are there, small, shown on a page, and what is said of them holds."""

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

from polychotomy import couple, multitest

ROOT = Path(__file__).parents[2]
SCIENCE = ROOT / "docs" / "science"


@pytest.fixture(scope="module")
def figures():
    path = ROOT / "benchmarks" / "papers" / "figures.py"
    spec = importlib.util.spec_from_file_location("science_figures", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_figure_is_on_a_page_and_small(figures):
    pages = "".join(page.read_text(encoding="utf-8") for page in SCIENCE.glob("*.md"))
    shown = set(re.findall(r"\]\(figures/(\w+)\.svg\)", pages))
    assert shown == set(figures.FIGURES)
    for name in shown:
        svg = (SCIENCE / "figures" / f"{name}.svg").read_text(encoding="utf-8")
        assert len(svg) < 90_000, name
        assert "<script" not in svg


@pytest.mark.long
@pytest.mark.parametrize("name", ["coupling_regions", "multitest_graph", "two_variances"])
def test_figures_can_be_drawn(figures, name):
    assert figures.FIGURES[name]().axes


def test_the_region_that_votes_leave_to_nobody_is_shared_out():
    """In a circle, 1 > 2 > 3 > 1, coupling names each of the three somewhere."""
    winners = set()
    for r12, r13 in ((0.9, 0.4), (0.55, 0.45), (0.75, 0.1)):
        table = np.array([[0, r12, r13], [1 - r12, 0, 0.7], [1 - r13, 0.3, 0]])
        assert ((table > 0.5).sum(axis=1) == 1).all()
        winners.add(int(couple(table).argmax()))
    assert winners == {0, 1, 2}


def test_nothing_overrides_the_logistic_regression_of_the_figure(figures):
    ax = figures.multitest_graph().axes[0]
    assert [label.get_text() for label in ax.get_yticklabels()][2] == "logistic"
    rng = np.random.default_rng(1)
    errors = np.array([0.42, 0.24, 0.14, 0.13])[:, None, None] + rng.normal(0, 0.012, (4, 5, 2))
    found = multitest(errors)
    assert found.best == 2
    means = errors.mean(axis=(1, 2))
    assert round(means[2] - means[3], 3) == 0.004
    assert found.edges.sum() == 5
