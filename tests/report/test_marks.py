"""Marks: escaped, short, well-formed, across in per cent."""

import xml.etree.ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from polychotomy.report.drawing import (
    area,
    box,
    curve,
    dot,
    element,
    line,
    number,
    plot,
    share,
    stairs,
    stretched,
    text,  # fmt: skip
)

# What XML cannot hold at all, a browser may show as it likes.
words = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"))


@given(words, words)
def test_words_come_back_whatever_they_are(inside, attribute):
    node = ET.fromstring(element("text", inside, title=attribute))
    assert (node.text or "") == inside
    assert node.get("title") == attribute


def test_markup_inside_is_kept():
    assert element("g", Markup("<b></b>")) == "<g><b></b></g>"


def test_none_leaves_an_attribute_out():
    assert element("g", class_=None, stroke_width=2) == '<g stroke-width="2"></g>'


@given(st.floats(-1e6, 1e6))
def test_numbers_are_short_and_near(value):
    assert abs(float(number(value)) - value) <= 0.005001
    assert number(value) != "-0"


def test_a_drawing_is_well_formed_and_as_wide_as_its_place():
    drawing = plot(
        line(0, 50, 1, 2, class_="a"),
        dot(10, 5, title="<here>"),
        box(1, 2, width=3, height=4, class_="b", title="&"),
        text("words", 3, 4, dx=5),
        stretched(
            curve([(0, 1), (100, 2)], class_="c"), area([(0, 0)], [(0, 1)], class_="d"), height=9
        ),
        height=100,
    )
    root = ET.fromstring(drawing)
    assert root.get("width") == "100%"
    assert root.get("viewBox") is None
    assert [node.tag for node in root] == ["line", "circle", "rect", "text", "svg"]
    assert root[0].get("x2") == "50%"
    assert root[1][0].text == "<here>"


def test_stairs_go_across_first():
    assert stairs([(0, 9), (5, 4), (8, 4)]) == [(0, 9), (5, 9), (5, 4), (8, 4), (8, 4)]
    assert stairs([]) == []
    assert share(33.333) == "33.33%"
