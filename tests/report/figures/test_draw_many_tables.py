"""Many tables: rows are tables, the chosen one in colour."""

from polychotomy.comparison import Criterion
from polychotomy.report.figures.many_tables import TableRow, draw_tables, draw_wins


def test_a_row_a_table_with_the_chosen_on_top():
    rows = [
        TableRow("one", {"a": 0.1, "b": 0.11, "c": 0.9}, "b"),
        TableRow("two", {"a": 0.2, "b": 0.21, "c": 0.22}, "a"),
    ]
    drawing = draw_tables(rows, criterion=Criterion(name="error")).drawing
    assert drawing.count('class="mean best"') == 2
    assert drawing.count('class="mean other"') == 3  # one is beyond the scale
    assert "+1 ›" in drawing


def test_tables_where_all_are_equal_can_be_drawn():
    drawing = draw_tables(
        [TableRow("one", {"a": 0.0, "b": 0.0}, "a")], criterion=Criterion(name="error")
    )
    assert "nan" not in drawing.drawing


def test_wins_of_nobody_can_be_drawn():
    assert "nan" not in draw_wins({"a": 0}, n_tables=1).drawing
