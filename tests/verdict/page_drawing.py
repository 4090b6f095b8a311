"""The marks of a drawing on a page: lines, dots and bars with the places where they stand.

Where a value should stand is read off the numbers along the axis, as a reader with a ruler does.
"""

import re

import numpy as np


def figure_of(html, name):
    """The part of a page that is one figure."""
    (found,) = [one for one in html.split("<figure>") if f'download="{name}.csv"' in one]
    return found.partition("</figure>")[0]


def marks(figure, tag, kind):
    """Attributes of every mark of a kind, in their order; per cent signs dropped."""
    found = []
    for text in re.findall(rf"<{tag} ([^>]*)>", figure):
        attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', text))
        if attributes.get("class") == kind:
            found.append({k: v.removesuffix("%") for k, v in attributes.items()})
    return found


def places(figure, kind):
    """(points, 2): the places that the one path of a kind goes through."""
    (path,) = marks(figure, "path", kind)
    return np.array(
        [[float(x) for x in one.split()] for one in re.split("[ML]", path["d"].rstrip("Z"))[1:]]
    )


def columns(found, *names):
    """(marks, names): attributes as numbers."""
    return np.array([[float(one[name]) for name in names] for one in found])


def scaled(values, low, high, first, last):
    """Where values between two ends stand between two places."""
    return first + (np.asarray(values) - low) / (high - low) * (last - first)


SECONDS = {"µs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0}


def said(words):
    """The value of a number along an axis: with its unit, per cent, or plain."""
    number, _, unit = words.replace("−", "-").replace("\xa0", " ").strip().partition(" ")
    factor = 0.01 if unit == "%" else SECONDS.get(unit, 1.0)
    return float(number.replace("\u202f", "").replace(",", "")) * factor


class Ruler:
    """Where values stand along one axis of a drawing: ``across`` in per cent, else down in pixels.

    ``inside`` are the ends of the part that is drawn: what lies beyond is put there. ``known`` is
    a value and its place, to go by where there is one number along the axis only.
    """

    def __init__(self, drawing, *, across=True, logarithmic=False, inside=(-np.inf, np.inf),
                 known=None):  # fmt: skip
        grid = re.findall(
            r'<line class="grid" x1="([^%]*)%" x2="([^%]*)%" y1="([^"]*)" y2="([^"]*)"></line>'
            r"<text [^>]*>([^<]*)</text>", drawing)  # fmt: skip
        ticks = [(said(words), float(x1 if across else y1)) for x1, x2, y1, y2, words in grid
                 if (x1 == x2) == across]  # fmt: skip
        ticks += [known] if len(ticks) == 1 and known else []
        names = re.findall(r'class="axis-name"[^>]*>([^<]*)<', drawing)
        unit = 0.01 if any("points" in name for name in names) else 1.0
        values, at = np.array(sorted(ticks)).T
        values = np.log(values) if logarithmic else values * unit
        (a, b), (first, last) = values[[0, -1]], at[[0, -1]]
        self.logarithmic, self.inside = logarithmic, inside
        self.slope = (last - first) / (b - a)
        assert (self.slope > 0) == across  # more is further right, or further up
        self.start = first - self.slope * a
        np.testing.assert_allclose(self.start + self.slope * values, at, atol=0.016)

    def __call__(self, values):
        """Places of values, (…,): those that lie beyond, where the drawing ends."""
        with np.errstate(divide="ignore"):
            values = np.log(values) if self.logarithmic else np.asarray(values, dtype=float)
        return np.clip(self.start + self.slope * values, *self.inside)


def panels(figure):
    """The drawings of a figure that stand beside each other."""
    return figure.split('<div class="panel">')[1:]
