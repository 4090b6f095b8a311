"""Blocks as Markdown and as HTML."""

import matplotlib.pyplot as plt

from polychotomy.reproduction.blocks import (
    Heading,
    Paragraph,
    listing,
    picture,
    to_html,
    to_markdown,
)


def drawn():
    figure, ax = plt.subplots()
    ax.plot([0, 1], [0, 1])
    return figure


def test_bars_in_cells_do_not_break_a_table():
    text = to_markdown([listing(["a|b"], [["c|d\ne"]])], stem="x")
    assert text == "| a\\|b |\n| --- |\n| c\\|d e |\n"


def test_markup_in_texts_is_inert():
    page = to_html(
        [Heading("<b>"), Paragraph("<img onerror=x>"), listing(["<i>"], [["&"]])], title="<t>"
    )
    for bad in ("<b>", "<img", "<i>", "<t>"):
        assert bad not in page
    assert "<td>&amp;</td>" in page


def test_pictures_are_the_same_bytes_every_time():
    first, second = (picture("figure1", "a line", drawn) for _ in range(2))
    assert first.svg == second.svg
    assert "![a line](page_figure1.svg)" in to_markdown([first], stem="page")
    assert 'aria-label="a line"' in to_html([first], title="page")
