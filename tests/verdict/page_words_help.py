"""Sentences on trust and on what would help, with the numbers that they must have."""

import numpy as np
from page_numbers import two_digits
from page_words_kinds import assumed

# --- trust ------------------------------------------------------------------------------------


CLAIMED = {"no sign against them": "can be trusted", "too sure": "are too sure of themselves",
           "too cautious": "are too cautious", "uneven": "are right on average only"}  # fmt: skip


def trust(w, text):
    """Drawn from the same numbers as on the page, so that every digit must be the same."""
    t, chosen = w.trust, w.recalibration.chosen
    finding = t.finding(chosen)
    assert CLAIMED[finding] in text
    if "it was sure, and right" in text:
        assert t.accuracy == 1
        assert t.confidence > 0.9995
        return []
    low, high = t.slope_band
    if "slope" in text:
        found = [t.slope, low, high, 95]
        assert finding == "uneven" or low <= t.slope <= high
    elif "that of true ones" in text:
        found = [t.holm[0]]
        assert ("unlike" in text) == (t.holm[0] <= 0.05)
    elif "though their trace is as expected" in text:
        found = []
        assert min(t.holm) > 0.05
    else:
        found = [100 * t.confidence, 100 * t.accuracy]
    assert ("recalibration improves" in text) == (chosen != "none")
    if finding == "no sign against them":
        found.insert(0, 100 * t.resolution)
    if chosen != "none":
        assert f"{chosen} recalibration improves" in text
        found += w.recalibration.rows[chosen][:2]
    return found


def trust_basis(w, basis):
    trace, sure = w.trust.holm
    assumed(w, basis)
    assert ("below one in a million" in basis) == (w.recalibration.chosen != "none")
    return [trace, w.trust.confidence, w.trust.accuracy, sure]


# --- what would help --------------------------------------------------------------------------


def effect(low, middle, high, text, scale=100):
    """Middle and ends as they are said: of a fall, a rise, or from a rise to a fall."""
    ends = [-low, high] if low < 0 < high else [low, high] if middle >= 0 else [-high, -low]
    said = [] if "about as it is" in text else [scale * abs(middle)]
    level = [80]
    return [*said, *level, *(scale * e for e in ends)]


def bagging(w, text):
    b = w.bagging
    _says(text, b.answer)
    return effect(b.low, b.expected, b.high, text)


def _says(text, answer, *, probable=False):
    assert ("cannot tell" in text) == (answer == "cannot tell" and not probable)
    assert ("probably worth it" in text) == (answer == "cannot tell" and probable)
    assert ("for all of the interval exceeds half a point" in text) == (answer == "yes")
    assert ("for all of the interval is below half a point" in text) == (answer == "no")


def bagging_basis(w, basis):
    b = w.bagging
    assumed(w, basis)
    return [*effect(b.low, b.expected, b.high, "", scale=1), 0.005, w.r.n, b.single, b.bagged,
            len(w.bags[w.name][0]), 0.9]  # fmt: skip


def more_data(w, text):
    (low, middle, high), _ = w.forecast.at(2)
    answer = "yes" if low > 0.005 else "no" if high < 0.005 else "cannot tell"
    _says(text, answer, probable=middle >= 0.005)
    return effect(low, middle, high, text)


def more_data_basis(w, basis):
    found = []
    for factor in (2, 10):
        (low, gain, high), (least, error, most) = w.forecast.at(factor)
        found += [factor, gain, 80, low, high, error, least, most]
    wrong = 100 * w.r.in_folds(w.r.wrong)[w.r.best].mean()
    share = 100 * (w.r.F - 1) / w.r.F
    return [*found, w.r.n, w.forecast.error_now, 0.005, w.r.n, share, wrong,
            *w.forecast.sizes, 0.9]  # fmt: skip


def combining(w, text):
    c = w.combining
    if "faultlessly" in text:
        assert c.aucs[w.r.best] == 1
        return []
    found = [100 * c.difference, 80, 100 * c.low, 100 * c.high]
    if "this kind will tell" in text:
        assert c.rows_to_decide - w.r.n > 10 * w.r.n
    if "rows in all" in text:
        assert c.conclusion == "undecided"
        assert c.rows_to_decide - w.r.n <= 10 * w.r.n
        found.append(two_digits(np.ceil(c.rows_to_decide)))
    claims = {"helps": "a gain", "undecided": "the data cannot tell"}
    assert claims.get(c.conclusion, "no gain that matters") in text
    return found


def combining_basis(w, basis):
    c = w.combining
    assumed(w, basis)
    found = [
        c.auc,
        c.aucs[w.r.best],
        c.difference,
        95 if w.guesses else 80,
        c.low,
        c.high,
        c.pvalue,
        0.005,
    ]
    if "would decide" in basis:
        found += [two_digits(np.ceil(c.rows_to_decide)), 0.8]
    if "best single candidate" in basis:
        found.append(c.auc_best)
    if w.r.k > 14:
        found += [100, w.r.k * (w.r.k - 1) // 2]
    return found


def beyond_guessing(w, text):
    c = w.combining
    own = c.aucs[w.r.best]
    assert ("do tell the classes apart" in text) == (c.conclusion == "helps")
    return [c.auc, 95, own + c.low, own + c.high, own]
