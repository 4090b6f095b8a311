"""Tables: what is written and what sorts."""

from polychotomy.report.section import Cell, Table


def test_cells_sort_by_number_text_or_not_at_all():
    assert [Cell("a").value, Cell("1 %", 0.01).value, Cell("–", float("inf")).value] == [
        None, "0.01", "",
    ]  # fmt: skip


def test_columns_of_numbers_are_marked():
    table = Table("t", ("a", "#b"), [("x", Cell("1", 1)), ("y", "z")], ["best"])
    assert table.columns == [("a", False), ("b", True)]
    assert [cell.text for cell in table.lines[1]] == ["y", "z"]
    assert (table.state(0), table.state(1)) == ("best", "")
