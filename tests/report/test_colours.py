"""The colours of the style sheet: contrast by WCAG 2 of every pair that meets on the page."""

import re
from importlib.resources import files

import numpy as np
import pytest

CSS = (files("polychotomy.report") / "templates" / "page.css").read_text(encoding="utf-8")
LIGHT, DARK, PAPER = (
    dict(re.findall(r"--([\w-]+): ([^;]+);", block))
    for block in re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)
)
MODES = {"light": LIGHT, "dark": LIGHT | DARK, "paper": LIGHT | PAPER}

WORDS = [
    *((ink, paper) for ink in ("ink", "soft", "accent", "warm") for paper in ("bg", "card")),
    ("ink", "tint"), ("accent", "tint"), ("ink", "warm-tint"), ("warm", "warm-tint"),
    ("ink", "even"), ("accent", "band"), ("soft", "band"), ("ink", "band"), ("bg", "ink"),
    ("card", "warm"), ("card", "accent"),
]  # fmt: skip
MARKS = [
    *((mark, paper) for mark in ("mark", "accent", "warm", "ink") for paper in ("card", "bg")),
    ("mark", "band"),
]  # fmt: skip
FADED = {"fold.best": "accent", "fold.other": "mark", "arc": "mark", "line.edge": "accent",
         "bar.variance": "mark"}  # fmt: skip


def parts(colour):
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255


def contrast(first, second):
    def luminance(rgb):
        linear = np.where(rgb <= 0.03928, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
        return linear @ [0.2126, 0.7152, 0.0722]

    low, high = sorted(luminance(one) for one in (first, second))
    return (high + 0.05) / (low + 0.05)


def test_contrast_of_known_pairs():
    assert contrast(parts("#000000"), parts("#ffffff")) == pytest.approx(21)
    assert contrast(parts("#767676"), parts("#ffffff")) == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("mode", MODES)
def test_words_stand_out(mode):
    colours = MODES[mode]
    for ink, paper in WORDS:
        assert contrast(parts(colours[ink]), parts(colours[paper])) >= 4.5, (ink, paper)


@pytest.mark.parametrize("mode", MODES)
def test_marks_stand_out(mode):
    colours = MODES[mode]
    for mark, paper in MARKS:
        assert contrast(parts(colours[mark]), parts(colours[paper])) >= 3, (mark, paper)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", FADED)
def test_faded_marks_stand_out(mode, name):
    colours = MODES[mode]
    (opacity,) = re.findall(rf"\.{re.escape(name)} \{{[^}}]*?opacity: ([\d.]+)", CSS)
    mark, card = parts(colours[FADED[name]]), parts(colours["card"])
    assert contrast(float(opacity) * mark + (1 - float(opacity)) * card, card) >= 3


def test_colour_is_never_alone():
    """Every answer has a sign of its own, every swatch its words."""
    from polychotomy.report.figures.pairs import _SIGNS, _WORDS
    from polychotomy.report.section import SIGNS

    assert len(set(_SIGNS.values())) == len(_SIGNS) == len(_WORDS)
    assert len(set(SIGNS.values())) == len(SIGNS)


def test_motion_stops_for_who_asks():
    (block,) = re.findall(r"prefers-reduced-motion: reduce\) \{(.*?\}) \}", CSS)
    moving = re.findall(r"([^{}\n]+)\{[^}]*(?:transition|animation|scroll-behavior: smooth)", CSS)
    assert moving
    assert all(one.strip() in block for one in moving)
