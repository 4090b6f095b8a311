"""The marks of a drawing on a page: lines, dots and bars with the places where they stand."""

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
