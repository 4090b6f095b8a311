"""Remarks on a DataFrame given from Python: in the verdict, with what to write there."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from polychotomy import PolychotomyWarning, for_tables, judge
from polychotomy.study import Study
from polychotomy.verdict.notes import note_table

N = 180
PATIENT = np.repeat(np.arange(60), 3)
OUTCOME = pd.Series(np.array(["ill", "well"])[PATIENT % 7 % 2], name="outcome")


@pytest.fixture
def visits():
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "the patient": [f"P{i:02}" for i in PATIENT],
            "day": pd.date_range("2026-01-01", periods=N).astype(str),
            "dose": rng.normal(size=N).round(2),
            "ticket": [f"A-{i:03}" for i in rng.permutation(N)],
            "site": "north",
            "told": OUTCOME.map({"ill": "x", "well": "y"}),
        }
    )


def notes_of(X, known=(), y=OUTCOME, **how):
    return note_table(Study({"MAX": DummyClassifier()}, X, y, **how), known=known)


def test_what_the_command_line_notes_is_noted_here_too(visits):
    notes = notes_of(visits)
    assert notes[0] == "1 column has one value only: 'site'"
    assert notes[1].startswith("1 column has another value in nearly every row")
    assert notes[1].endswith("which says nothing of new rows (leave it out): 'ticket'")
    assert notes[2].startswith("1 column gives 'outcome' away")
    assert notes[3].endswith("judge with groups=X['the patient']")
    assert notes[4].endswith("judge with time=X['day']")
    assert len(notes) == 5
    assert "--" not in "".join(notes)


def test_what_is_known_or_given_is_not_noted_again(visits):
    known = "1 column has one value only: 'site'"
    assert known not in notes_of(visits, known=[known])
    grouped = notes_of(visits, groups=PATIENT)
    assert not any("groups=" in note for note in grouped)
    assert any("time=" in note for note in grouped)


def test_any_index_and_any_names(visits):
    odd = visits.set_axis(np.arange(N)[::-1] * 1.5)
    odd["dose"] = np.where(np.arange(N) == 4, np.inf, odd["dose"])
    assert any("first in data row 5" in note for note in notes_of(odd))
    numbered = visits.set_axis(range(6), axis=1)
    assert any(note.endswith("groups=X[0]") and "'0'" in note for note in notes_of(numbered))


@pytest.mark.parametrize(
    "X",
    [
        np.zeros((N, 2)),
        pd.DataFrame({"lists": [[1]] * N}),
    ],
    ids=["array", "lists"],
)
def test_of_what_is_no_table_of_values_nothing_is_said(X):
    assert notes_of(X) == ()


@pytest.mark.long
def test_they_are_in_the_verdict_and_its_page(visits):
    X = visits[["dose", "ticket"]]
    candidates = {"MAX": DummyClassifier(), "Bayes": for_tables(GaussianNB())}
    verdict = judge(candidates, X, OUTCOME, anatomy=False, notes=["a remark"])
    assert verdict.notes[0] == "a remark"
    assert verdict.notes[1].endswith("(leave it out): 'ticket'")
    assert "(leave it out): &#39;ticket&#39;" in verdict.to_html()


def test_copied_rows_are_counted_unless_a_group_holds_them_together(visits):
    X = pd.concat([visits[["dose"]].assign(age=np.sqrt(np.arange(N)))] * 2, ignore_index=True)
    y = pd.concat([OUTCOME] * 2, ignore_index=True)
    (note,) = notes_of(X, y=y)
    assert note.startswith("180 of 360 rows are copies of others in every column used: ")
    assert notes_of(X, y=y, groups=np.tile(np.arange(N), 2)) == ()


def test_what_is_grave_is_one_warning_before_the_first_fit(visits):
    """In words of Python, of a category that can be filtered, at the line that asked; once."""
    fits = []

    def at_fit(now):
        fits.append(len(caught))

    X = visits[["told"]].assign(dose=np.arange(N) ** 1.5)
    labels = OUTCOME.where(np.arange(N) % 2 > 0, OUTCOME.str.title())
    candidates = {"MAX": DummyClassifier(), "Bayes": for_tables(GaussianNB())}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        verdict = judge(candidates, X, OUTCOME, anatomy=False, progress=at_fit)
        str(verdict), verdict.to_html(), verdict._repr_html_(), verdict.to_markdown()
    (one,) = [found for found in caught if found.category is PolychotomyWarning]
    assert set(fits) == {1}
    assert one.filename == __file__
    assert str(one.message) == (
        "found in 'data' before the first fit:\n- 'told' gives 'outcome' away; unless it is known "
        "when you predict, judge again without it"
    )
    with pytest.warns(PolychotomyWarning, match=r"labels 'Ill' and 'ill' .* in case or blanks"):
        judge(candidates, X, labels, anatomy=False)


def test_of_a_sound_table_nothing_is_warned_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        judge({"MAX": DummyClassifier()}, np.arange(90.0)[:, None], [0, 1] * 45, anatomy=False)


def test_arrays_are_warned_of_too(visits):
    rng = np.random.default_rng(0)
    codes = (OUTCOME == "ill").to_numpy() * 2.0
    X = np.column_stack([rng.normal(size=(N, 2)), codes, np.ones(N)])
    (note,) = notes_of(X)
    assert note.line.startswith("'column 2' gives 'outcome' away; unless it is known")
    assert notes_of(X[:, :2]) == ()
