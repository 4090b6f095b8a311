"""Whom the chosen one is shown to be better than, and whom not, with the numbers said of them."""

import re

from page_words_first import called, open_ones


def better(w, text):
    shown = [j for j in range(w.r.m) if j != w.r.best and w.r.answer(w.r.best, j) == "better"]
    nearest = min(shown, key=lambda j: w.r.means[j])
    whom = text.partition("better than ")[2].partition(";" if shown[1:] else ",")[0]
    names = whom.replace(" and ", ", ").split(", ")
    assert names == [called(w, j) for j in shown][:4] + (
        [f"{len(shown) - 4} more"] * (len(shown) > 5)
    )
    if shown[1:]:
        assert f"; than {called(w, nearest)}, the nearest of them, by " in text
    mean, low, high, p = w.r.difference(nearest, w.r.best)
    more = [len(shown) - 4] if len(shown) > 5 else []
    return [*more, w.scale * mean, 95, w.scale * low, w.scale * high, p]


def better_basis(w, basis):
    return [95]


def open_against(w, text):
    """Undecided ones that have no sentence of their own; the numbers are of the lowest mean."""
    best, rest = w.r.best, sorted(open_ones(w), key=lambda j: w.r.means[j])
    lowest = rest[0]
    said = [called(w, j) for j in rest]
    start = "Whether (any of )?(.*) beats guessing, the" if w.guesses else "Against ()(.*) the"
    any_of, whom = re.match(f"{start} data cannot decide[:;] ", text).groups()
    assert bool(any_of) == (w.guesses and len(rest) > 1)
    more = len(rest) - 4 if len(rest) > 5 else 0
    assert re.split(", | and ", whom) == (said[:4] + [f"{more} more"] if more else said)
    mean, low, high, p = w.r.difference(lowest, best)
    named = f"; {said[rest.index(lowest)]}, the nearest of them, is" if rest[1:] else ": it is"
    assert named in text
    assert ("worse here (" if mean >= 0 else "better here (") in text
    if mean < 0:
        mean, low, high = -mean, -high, -low
    counted = [more] if more else []
    return [*counted, w.scale * mean, 95, w.scale * low, w.scale * high, p]


def open_basis(w, basis):
    return [95, w.margin]
