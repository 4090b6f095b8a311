"""The page over many tables: every table told, names inert, ranks only where there are some."""

from dataclasses import replace

import numpy as np
import pytest
from hostile_data import PAYLOADS

from polychotomy.report import render_many
from polychotomy.report.figures.many_tables import TableRow, draw_tables, draw_wins
from polychotomy.report.figures.ranks import draw_ranks
from polychotomy.report.words import Unit
from polychotomy.verdict.many import Problem, unite_verdicts


@pytest.fixture(scope="module")
def many(ordinary):
    names = ["wine", PAYLOADS[0], PAYLOADS[2], "last"]
    verdicts = [replace(ordinary, dataset=ordinary.dataset | {"name": name}) for name in names]
    return unite_verdicts(verdicts, problems=[Problem(PAYLOADS[1], PAYLOADS[3])])


@pytest.fixture(scope="module")
def page(many):
    return render_many(many)


def test_every_table_and_problem_is_told_and_inert(page):
    assert page.count("<script>") == page.count("</script>") == 1
    assert "<img" not in page
    assert "<b>bold" not in page
    assert page.count("The verdict on") == 2 * 4  # the caption, and the name of its region
    assert PAYLOADS[3] in page


def test_headline_and_wins_are_the_verdicts(many, page):
    assert many.best in page
    assert f"{many.wins[many.best]}<small> of 4</small>" in page


def test_one_table_has_no_ranks(ordinary):
    page = render_many(unite_verdicts([ordinary]))
    assert "Comparing over tables takes two tables" in page


def test_same_verdicts_same_bytes(many, page):
    assert render_many(many) == page


def test_a_row_a_table_with_the_chosen_on_top():
    rows = [
        TableRow("one", {"a": 0.1, "b": 0.11, "c": 0.9}, "b"),
        TableRow("two", {"a": 0.2, "b": 0.21, "c": 0.22}, "a"),
    ]
    drawing = draw_tables(rows, unit=Unit("error", True)).drawing
    assert drawing.count('class="mean best"') == 2
    assert drawing.count('class="mean other"') == 3  # one is beyond the scale
    assert "+1 ›" in drawing


def test_tables_where_all_are_equal_can_be_drawn():
    drawing = draw_tables([TableRow("one", {"a": 0.0, "b": 0.0}, "a")], unit=Unit("error", True))
    assert "nan" not in drawing.drawing


def test_wins_of_nobody_can_be_drawn():
    assert "nan" not in draw_wins({"a": 0}, n_tables=1).drawing


def test_ranks_stand_in_order(many):
    figure = draw_ranks(many.nemenyi)
    assert [row[0] for row in figure.rows] == [
        many.nemenyi.names[i] for i in np.argsort(many.nemenyi.mean_ranks, kind="stable")
    ]


@pytest.mark.browser
def test_in_a_browser_nothing_runs_and_a_phone_shows_it(opened, write, page):
    tab, seen = opened(write(page), viewport={"width": 390, "height": 800})
    assert seen["console"] == []
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    assert tab.locator("script").count() == 1
    assert tab.locator("#tables details").count() == 4
