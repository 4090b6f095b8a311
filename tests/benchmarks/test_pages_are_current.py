"""A page that certifies a rule measured the rule as it is: the code has not changed since."""

import numpy as np
import pandas as pd
import pytest
from benchmarks.lab import RULES, SAID, page, weighted_auc
from benchmarks.lab_fits import DRAWN, at_random, is_tuned, populations
from benchmarks.stamps import ROOT, STAMP, choice_stamp, code_hash, outdated
from benchmarks.truth.answers import ANSWERS, answers_stamp

from polychotomy import telling

PAGES = sorted((ROOT / "docs" / "results").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_page_is_older_than_its_rule(page):
    assert outdated(page) == [], "measure again: the page says how"


@pytest.mark.parametrize("page", ANSWERS)
def test_rules_and_tests_answer_as_they_did_when_the_page_was_measured(page):
    first = (ROOT / "docs" / "results" / f"{page}.md").read_text().splitlines()[0]
    assert first == answers_stamp(page), "measure again: the page says how"


@pytest.mark.parametrize("page", ["lab", "headline", "growing"])
def test_the_rule_chooses_as_it_did_when_the_page_was_measured(page):
    text = (ROOT / "docs" / "results" / f"{page}.md").read_text()
    assert choice_stamp() in text.splitlines(), "measure again: the page says how"


def test_the_lab_names_every_rule_it_measured():
    text = (ROOT / "docs" / "results" / "lab.md").read_text()
    assert [path for path, _ in STAMP.findall(text)] == list(RULES)


def test_the_lab_is_made_of_its_table():
    results = ROOT / "docs" / "results"
    assert page(pd.read_csv(results / "lab.csv")) == (results / "lab.md").read_text()


def test_the_lab_has_every_kind_of_sentence():
    said = {one.__name__ for one in (*telling._FIRST_SCREEN, *telling._FURTHER)}
    assert {name for names in SAID for name in names.split()} == said


def test_words_do_not_count_and_code_does(tmp_path):
    path = tmp_path / "rule.py"
    hashes = []
    for text in ('"""One."""\nx = 1\n', '"""Other."""\n\n# why\nx = 1\n', "x = 2\n"):
        path.write_text(text)
        hashes.append(code_hash(path))
    assert hashes[0] == hashes[1] != hashes[2]


def test_populations_are_split_for_good():
    tuned = [name for name in populations() if is_tuned(name)]
    assert len(populations()) == len(set(populations()))
    assert 30 < len(tuned) < len(populations()) - 30
    assert "sat" in tuned
    assert "wave" not in tuned


@pytest.mark.parametrize("name", list(DRAWN)[:8])
def test_probabilities_of_random_populations(name):
    X, p = at_random(DRAWN[name])(np.random.default_rng(0), 500)
    assert len(X) == len(p)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    assert p.min() >= 0


def test_auc_of_cases_whose_classes_are_probabilities():
    up = np.array([1.0, 0.0, 1.0, 0.5])
    assert weighted_auc(np.array([3.0, 1.0, 2.0, 0.0]), up, 1 - up) == pytest.approx(
        (2 * 1 + 2 * 0.5 + 0.5 * 0.25) / (2.5 * 1.5)
    )
