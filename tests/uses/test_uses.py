"""What people really do, through the public door only: start to read the tests here.

One table of cells. A line is a table and who is tried on it, a door is a way in, and a cell is a
candidate who came in by a door::

    who       built-in names, and the dozen kinds of classifier in ``mine.py``
    doors     judge() and verdict.fit(), for_tables, fit_model and load_model, the command line,
              the same with --jobs 2, --study, --model and predict, that command again, and the
              same with Excel files
    tables    numbers in groups, of two classes; mixed with gaps and dates; many classes, with
              odd texts as labels; plain numbers

Every cell must end well: exit code 0, no fit failed, a page that names the candidate, the same
errors through every door, and rows back from a model. The short lines cover every candidate by
every door, and every kind of table; the long ones are the rest of the product.
"""

import html
import os
from pathlib import Path

import doors
import numpy as np
import pandas as pd
import people_tables
import pytest
from doors import Line
from mine import BY_COLUMN, EVERY
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from polychotomy import judge

OWN = ("numbers only", "class of one's own")  # whose fits get a process of their own: seconds
NAMED = ("MAX", "nearest mean", "logistic")
UNSAVED = "lambda inside"  # a file cannot hold a function without a name

SHORT = [
    Line("visits", as_it_is=tuple(name for name in EVERY if name not in OWN)),
    Line("mixed", as_numbers=tuple(EVERY), as_it_is=tuple(BY_COLUMN)),
    Line("many", built_in=NAMED),
]
LONG = [
    Line("numbers", as_numbers=tuple(EVERY), as_it_is=tuple(EVERY)),
    Line("visits", as_numbers=tuple(EVERY), as_it_is=OWN),
    Line("many", as_numbers=tuple(EVERY), as_it_is=tuple(EVERY)),
    Line("mixed", built_in=NAMED),
    Line("visits", built_in=NAMED),
]


def cells(*, of=lambda line: line.names, long=lambda line, name: False):
    """Parametrise a test over every candidate of every line."""
    short = {id(line) for line in SHORT}
    return pytest.mark.parametrize(
        ("line", "name"),
        [
            pytest.param(
                line,
                name,
                id=f"{line}-{name}",
                marks=[pytest.mark.long] if id(line) not in short or long(line, name) else [],
            )
            for line in SHORT + LONG
            for name in of(line)
        ],
    )


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """What a door gave for a line, computed once in all processes of a run."""
    own = tmp_path_factory.getbasetemp()
    return doors.Doors((own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "uses")


def assert_judged(found, name):
    """Exit code 0, no failed fit, and a page that names the candidate."""
    assert found["code"] == 0, found["said"]
    failed = [one["cause"] for one in found["document"]["failures"] if one["candidate"] == name]
    assert failed == []
    assert entry(found, name)["n_failed"] == 0
    page = Path(found["folder"], "page.html").read_text(encoding="utf-8")
    assert name in html.unescape(page)


def entry(found, name):
    (one,) = (one for one in found["document"]["candidates"] if one["name"] == name)
    return one


def errors(found, name):
    one = entry(found, name)
    return one["error"], one["sd"], one["loss"]


def assert_rows(found, line):
    """As many predictions as new rows, of the classes there are, probabilities of sum 1."""
    rows = pd.read_csv(Path(found["folder"], "found.csv"), dtype=str, keep_default_na=False)
    assert len(rows) == people_tables.NEW
    assert set(rows["predicted"]) <= {str(label) for label in line.kind.labels}
    sums = rows.filter(regex="^p:").astype(float).sum(axis=1)
    np.testing.assert_allclose(sums, 1, atol=1e-6)  # some learners answer in single precision


@cells(of=lambda line: line.plain)
def test_judge(opened, line, name):
    assert_judged(opened(doors.judge, line), name)


@cells(of=lambda line: line.as_numbers)
def test_for_tables(opened, line, name):
    assert_judged(opened(doors.for_tables, line), name)


def in_python(opened, line, name):
    return opened(doors.for_tables if name in line.as_numbers else doors.judge, line)


@cells(of=lambda line: line.names[:1])
def test_verdict_fit(opened, line, name):
    assert_rows(in_python(opened, line, name), line)


@cells(of=lambda line: line.names[:1], long=lambda line, name: not line.built_in)
def test_spreadsheet(opened, line, name):
    pytest.importorskip("openpyxl")
    found = opened(doors.spreadsheet, line)
    assert_judged(found, name)
    assert found["predicted"] == 0, found["predict_said"]
    assert_rows(found, line)


@cells(long=lambda line, name: not line.built_in)  # a file of candidates: with two jobs, below
def test_command_line(opened, line, name):
    found = opened(doors.command_line, line)
    assert_judged(found, name)
    assert errors(found, name) == errors(in_python(opened, line, name), name)


@cells()
def test_two_jobs(opened, line, name):
    found = opened(doors.two_jobs, line)
    assert_judged(found, name)
    assert errors(found, name) == errors(in_python(opened, line, name), name)


@cells()
def test_study_resumed(opened, line, name):
    first = opened(doors.two_jobs, line)
    assert_judged(first["again"], name)
    old, new = (dict(one["document"]) for one in (first, first["again"]))
    clocks = [document.pop("timings")["candidates"][name] for document in (old, new)]
    assert clocks[0] == clocks[1], "a fit made anew would have another clock"
    for document in (old, new):
        del document["provenance"]
    assert old == new


@cells(of=lambda line: line.names[:1])
def test_winner_predicts(opened, line, name):
    found = opened(doors.two_jobs, line)
    assert found["document"]["model"] == "m.skops"
    assert found["predicted"] == 0, found["predict_said"]
    assert_rows(found, line)


@cells(long=lambda line, name: name in SHORT[0].as_it_is)  # short: as it is, of numbers
def test_model_kept_in_python(opened, line, name):
    found = opened(doors.keep_model, line, name)
    if UNSAVED in name:
        assert "cannot be saved" in found["said"]
        assert "Where it holds a 'lambda', write 'def'." in found["said"]
        assert not Path(found["folder"], "m.skops").exists()
        return
    assert found["code"] == 0, found["said"]
    assert_rows(found, line)


@cells(long=lambda line, name: True)
def test_model_of_every_candidate(opened, line, name):
    found = opened(doors.command_line_alone, line, name)
    if UNSAVED in name:  # it is said, and nothing is lost but the model
        assert found["code"] == 1
        assert "cannot be saved" in found["said"]
        assert not Path(found["folder"], "m.skops").exists()
        assert Path(found["folder"], "page.html").exists()
        return
    assert_judged(found, name)
    assert found["predicted"] == 0, found["predict_said"]
    assert_rows(found, line)


def test_every_question_is_asked_in_processes_of_its_own():
    """Judge as it is by default; most other tests leave out the later questions."""
    X, y = load_iris(return_X_y=True, as_frame=True)
    found = judge({"naive Bayes": GaussianNB(), "tree": DecisionTreeClassifier()}, X, y)
    assert not [note for note in found.notes if "failed" in note]
    assert found.columns.groups
    assert found.anatomy.forecast is not None
    assert found.combination is not None
