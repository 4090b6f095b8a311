"""A question that was not asked carries its reason, whatever the columns are called."""

import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from polychotomy import judge


@pytest.fixture(scope="module")
def verdict():
    """A table whose notes are about columns with the names of questions."""
    X, y = load_iris(return_X_y=True)
    frame = pd.DataFrame(X[:, :3], columns=["a", "b", "bagging"])
    frame["credit_limit"] = 1.0
    frame["combining"] = 2.0
    return judge({"Bayes": GaussianNB()}, frame, y, anatomy=False)


def section(page, anchor):
    return page.partition(f'<section id="{anchor}"')[2].partition("</section>")[0]


def test_the_reasons_are_fields(verdict):
    assert verdict.anatomy is None
    assert verdict.combination is None
    assert sorted(verdict.not_asked) == ["anatomy", "columns", "combination"]
    assert "--no-anatomy" in verdict.not_asked["anatomy"]
    assert "two candidates" in verdict.not_asked["combination"]
    assert verdict.to_dict()["not_asked"] == verdict.not_asked
    assert set(verdict.not_asked.values()) <= set(verdict.notes)


def test_a_section_says_its_own_reason_and_no_note_on_a_column(verdict):
    assert any("credit_limit" in note for note in verdict.notes)
    page = verdict.to_html()
    for anchor, question in (("limits", "anatomy"), ("combining", "combination")):
        said = section(page, anchor)
        assert said.count('class="note"') == 1
        assert verdict.not_asked[question][1:30] in said
        assert "credit_limit" not in said
        assert "column" not in said


def test_what_was_asked_has_no_reason():
    both = {"MAX": DummyClassifier(), "Bayes": GaussianNB()}
    verdict = judge(both, *load_iris(return_X_y=True))
    assert verdict.not_asked == {}
    assert verdict.anatomy is not None
    assert verdict.columns is not None
    assert verdict.combination is not None
