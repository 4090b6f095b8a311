"""Published texts made tables."""

import pytest

from polychotomy.core.exceptions import InvalidTable
from polychotomy.reproduction.data.catalogue import Recipe
from polychotomy.reproduction.data.raw_tables import make_table


def recipe(**changes):
    plain = {
        "name": "pets", "files": ("uci:pets",), "columns": ("-", "legs", "fur", "class"),
        "kinds": {"legs": "numeric", "fur": "nominal"}, "counts": (2, 1), "missing": 0,
    }  # fmt: skip
    return Recipe(**(plain | changes))


def rows(recipe, *texts):
    return make_table(recipe, list(texts)).fillna("").to_numpy().tolist()


def test_headings_arff_and_records_over_two_lines():
    plain = [["4", "yes", "dog"], ["4", "no", "dog"], ["2", "no", "bird"]]
    heading = ";;; a heading\n\nLEGS,FUR\n\n"
    body = "7, 4.0 ,yes,dog\n8,4,\nno,dog\n\n9,02,no,bird"
    assert rows(recipe(), heading + body) == plain
    assert rows(recipe(), "@relation x\n@Data\n" + body) == plain
    assert rows(recipe(), *body.split("\n\n")) == plain
    assert rows(recipe(separator=" "), body.replace(",\n", " ").replace(",", " ")) == plain


def test_classes_made_of_others():
    body = "7,4,Yes,1\n8,4,?,2\n9,.28,no,3\n"
    made = recipe(positive=("1", "2"), missing=1)
    assert rows(made, body) == [["4", "Yes", "1"], ["4", "", "1"], ["0.28", "no", "0"]]
    made = recipe(positive=("1",), leave_out=("3",), counts=(1, 1), missing=1, lower=True)
    assert rows(made, body) == [["4", "yes", "1"], ["4", "", "0"]]
    assert [row[2] for row in rows(recipe(above=1.5, missing=1), body)] == ["0", "1", "1"]
    assert len(rows(recipe(head=2, counts=(1, 1), missing=1), body)) == 2


def test_changed_layouts():
    with pytest.raises(InvalidTable, match=r"has 5 fields: '1,2,3,4,5'; expected 4"):
        make_table(recipe(), ["7,4,yes,dog\n1,2,3,4,5\n"])
    with pytest.raises(InvalidTable, match="holds 'many'; expected a number"):
        make_table(recipe(), ["7,many,yes,dog\n"])
    with pytest.raises(InvalidTable, match=r"classes of \[1\] rows and 1 missing"):
        make_table(recipe(), ["7,?,yes,dog\n"])
