"""Numbers of a figure: they come back from the address; text is no formula to a spreadsheet."""

import csv
import io
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from polychotomy.report.drawing import Figure, label

# csv's reader ends lines at these, whatever was quoted.
words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\0"))


def figure(rows):
    return Figure("f", Markup(""), "m", "r", ("name", "value"), rows)


@given(words, st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_come_back(name, value):
    address = figure([(name, value)]).address
    assert not set(address) & set("\"'<>&\n ")
    text = unquote(address.removeprefix("data:text/csv;charset=utf-8,"))
    _, row = csv.reader(io.StringIO(text))
    assert row[0].removeprefix("'") == name.removeprefix("'")
    assert float(row[1]) == pytest.approx(value, rel=1e-5)


@pytest.mark.parametrize("formula", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"])
def test_text_is_no_formula(formula):
    assert figure([(formula, -1.5)]).csv.splitlines()[1].lstrip('"').startswith("'")
    assert ",-1.5" in figure([(formula, -1.5)]).csv  # a number stays one


def test_a_name_is_isolated_and_cut():
    assert "<bdi>עברית</bdi>" in label("עברית")
    assert len(label("x" * 10_000)) < 500
