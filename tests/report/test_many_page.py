"""The page over many tables: every table told, names inert, ranks only where there are some."""

import re
from dataclasses import replace

import pytest
from hostile_data import PAYLOADS
from markupsafe import escape

from polychotomy.report import render_many
from polychotomy.report.section import keep
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


def test_what_multitest_would_choose_is_told_a_table(many, page):
    which = page[page.index('id="which"') : page.index('id="real"')]
    assert "by MultiTest</th>" in which
    for one in many.verdicts:
        assert f"<bdi>{one.other_rule.best}</bdi>" in which
    papers = [replace(one, rule="paper") for one in many.verdicts]
    assert "by MultiTest</th>" not in render_many(unite_verdicts(papers))


def test_every_sentence_stands_in_its_section(many, page):
    plain = re.sub(r"</?(?:a|b|span)\b[^>]*>", "", page)
    for sentence in many.sentences():
        assert str(escape(keep(sentence.text))) in plain[plain.index(f'id="{sentence.section}"') :]


def test_one_table_has_no_ranks(ordinary):
    page = render_many(unite_verdicts([ordinary]))
    assert "Comparing over tables takes two tables" in page


def test_same_verdicts_same_bytes(many, page):
    assert render_many(many) == page


@pytest.mark.long
@pytest.mark.browser
def test_in_a_browser_nothing_runs_and_a_phone_shows_it(opened, write, page):
    tab, seen = opened(write(page), viewport={"width": 390, "height": 800})
    assert seen["console"] == []
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    assert tab.locator("script").count() == 1
    assert tab.locator("#tables details").count() == 4


def test_one_table_is_one(ordinary):
    page = render_many(unite_verdicts([ordinary]))
    assert "<b>1 table</b>" in page
    assert "1 tables" not in page
