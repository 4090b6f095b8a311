"""SVG: one element, the page's own colours, stable bytes, text as text."""

import warnings
import xml.etree.ElementTree as ET

import pytest

from polychotomy.report import draw_svg


def draw(ax):
    ax.plot([0, 1], [0, 1], color="black")
    ax.set_title("<b> & $a$ 🌱")


def test_is_well_formed_and_keeps_text_as_text():
    svg = draw_svg(draw, width=4, height=3, name="a")
    root = ET.fromstring(svg)
    texts = ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "<b> & $a$ 🌱" in [text.strip() for text in texts]
    assert root.get("width") is None
    assert root.get("viewBox")


def test_same_bytes_every_time():
    assert draw_svg(draw, width=4, height=3, name="a") == draw_svg(
        draw, width=4, height=3, name="a"
    )


def test_two_figures_share_no_identifier():
    def ids(name):
        root = ET.fromstring(draw_svg(draw, width=4, height=3, name=name))
        return {node.get("id") for node in root.iter() if node.get("id")}

    assert ids("a")
    assert not ids("a") & ids("b")


def test_black_and_white_become_the_pages():
    svg = draw_svg(draw, width=4, height=3, name="a")
    assert "#000000" not in svg
    assert "currentColor" in svg


def test_missing_glyphs_are_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        draw_svg(lambda ax: ax.set_title("🌱 漢字"), width=2, height=2, name="a")


def test_settings_are_put_back():
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    with pytest.raises(ZeroDivisionError):
        draw_svg(lambda ax: 1 / 0, width=2, height=2, name="a")
    assert dict(mpl.rcParams) == before
