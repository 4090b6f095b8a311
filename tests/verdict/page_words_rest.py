"""What else a page says beside its sentences: figures in words, tiles, notes, tooltips, facts."""

import re

import numpy as np
from page_numbers import agree, numbers_of
from page_recount_answers import parts_of
from sklearn.metrics import average_precision_score, roc_auc_score

SECONDS = {"µs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0}
BYTES = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}


def measures(text, units):
    """Numbers that come with one of the units, as (value, what the last digit is worth)."""
    found = []
    for raw, unit in re.findall(rf"(\d[\d.]*)\s({'|'.join(units)})\b", text):
        digits = len(raw.partition(".")[2])
        found.append((float(raw) * units[unit], units[unit] * 10.0**-digits))
    return found


def agree_with(text, expected, units):
    found = measures(text, units)
    assert len(found) == len(expected), text
    for (shown, unit), wanted in zip(found, expected, strict=True):
        assert abs(shown - wanted) <= 0.5001 * unit + 0.05 * wanted * (wanted < 1e-5), (
            text,
            wanted,
        )


def thousand(w):
    s = w.selected
    return [round(1000 * x) for x in (s.expected, s.low, max(s.high, s.expected))]


def said_mean(w, name):
    return w.scale * w.r.means[w.r.names.index(name)]


def times_of(w, name):
    tested = w.tested
    return [w.seconds(name, "fit_seconds"), w.seconds(name, "predict_seconds") / tested]


def budgets(w):
    """Name: error, averaged, taken off, variance."""
    return {name: parts_of(*bags, w.r.y).mean(axis=0) for name, bags in w.bags.items()}


# --- what figures say to who cannot see them ----------------------------------------------------


def mean_message(w, text):
    names = sorted(w.r.names, key=lambda name: said_mean(w, name))
    names.remove(w.name)
    return [len(w.verdict["candidates"]), *(said_mean(w, name) for name in [w.name, *names])]


def against_message(w, text):
    words = {"better": "better than", "equivalent": "equivalent to",
             "undecided": "undecided against", "worse": "worse than"}  # fmt: skip
    for answer, said in words.items():
        group = [n for j, n in enumerate(w.r.names) if j != w.r.best
                 and w.r.answer(w.r.best, j) == answer]  # fmt: skip
        assert (said in text) == bool(group), text
        part = next((one for one in re.split(";|:", text) if said in one), "")
        assert all(name in part for name in group), text
    return []


def price_message(w, text):
    agree_with(text, times_of(w, w.name), SECONDS)
    costs = {n: (w.r.means[w.r.names.index(n)], times_of(w, n)[0]) for n in w.r.names}
    edge = [n for n, own in costs.items() if not any(
        a <= own[0] and b <= own[1] and (a, b) != own for a, b in costs.values())]  # fmt: skip
    assert text.rstrip(".").endswith(" and ".join([", ".join(edge[:-1]), edge[-1]][not edge[1:] :]))
    return


def trace_message(w, text):
    assert f"probabilities: {w.trust.finding(w.recalibration.chosen)}. " in text
    return [w.trust.slope, 1, w.trust.holm[0]]


def groups_message(w, text):
    """How many groups' intervals hold what they said: of the numbers drawn."""
    rows = w.page.csv["reliability"]
    found = [[], []]
    for i, line in enumerate(rows["line"].unique()):
        own = rows[rows["line"] == line][["forecast", "lower", "upper"]].astype(float)
        held = ((own["lower"] <= own["forecast"]) & (own["forecast"] <= own["upper"])).sum()
        found[i] = [len(own), held]
    first, second = found
    return [*first, 95, *second[::-1]]


def curve_message(w, text):
    found = [100 * w.forecast.error_now, w.r.n]
    for factor in (2, 10):
        low, middle, high = w.forecast.at(factor)[1]
        found += [100 * middle, 100 * low, 100 * high]
    return found


def budget_message(w, text):
    return [100 * x for e, _, t, v in budgets(w).values() for x in (e, abs(t), v)]


def bagging_message(w, text):
    b = w.bagging
    return [-100 * b.expected, -100 * b.high, -100 * b.low]


def gain_message(w, text):
    assert text.rstrip(".").endswith(w.combining.conclusion.replace("harms", "may harm"))
    return [100 * x for x in (w.combining.difference, w.combining.low, w.combining.high)]


def weights_message(w, text):
    top = int(w.combining.weights.argmax())
    assert w.r.names[top] in text
    return [w.combining.weights[top], 1]


def confusion_message(w, text):
    if w.worst:
        i, j = (w.r.classes[c] for c in w.worst[0])
        assert text.endswith(f"The worst: '{i}' taken for '{j}'.")
    else:
        assert text.endswith("No class is taken for another.")
    return [w.r.judged.sum(), np.trace(w.confusion)]


def thousand_message(w, text):
    about, low, high = thousand(w)
    assert ("fewer than one" in text) == (about == 0)
    return [1000, *([about] if about else []), low, high]


def curves(w):
    """Name, scores and which rows are of the class, of the best and of who has the next mean.

    Of two classes it is the rarer one, of several the one that is missed most often.
    """
    if w.guesses or w.name in w.hard:
        return []
    rows = w.r.folds[0] >= 0
    y, said = w.r.y[rows], w.r.labels[w.r.best, 0, rows]
    missed = np.bincount(y[said != y], minlength=w.r.k)
    code = int(missed.argmax()) if w.r.k > 2 else int(np.bincount(y).argmin())
    others = [j for j in np.argsort(w.r.means, kind="stable") if j != w.r.best
              and w.r.names[j] not in (*w.guessing, *w.hard)]  # fmt: skip
    return [
        (w.r.names[j], w.r.exported[j, 0, rows, code], y == code) for j in [w.r.best, *others[:1]]
    ]


def roc_message(w, text):
    return [roc_auc_score(positive, scores) for _, scores, positive in curves(w)]


def precision_message(w, text):
    return [average_precision_score(positive, scores) for _, scores, positive in curves(w)]


def precision_reading(w, text):
    return [100 * curves(w)[0][2].mean()]


def columns_message(w, text):
    c = w.columns_again
    assert f"Permuted, {c.names[c.order[0]]} raises" in text
    return [w.scale * c.interval(c.order[0])[0]]


def dependence_message(w, text):
    """The class that changes most, of two the second, at the first value and at the last."""
    c = w.columns_again
    j = next(j for j in c.order[:3] if text.startswith(f"{c.names[j]} from "))
    values, shares = c.dependence(j)
    which = 1 if len(w.r.classes) == 2 else int(np.ptp(shares, axis=0).round(4).argmax())
    assert f"probability of '{w.r.classes[which]}'" in text
    ends = [values[0], values[-1]] if isinstance(values[0], float) else []
    return [*ends, *(100 * shares[[0, -1], which])]


def dependence_title(w, text):
    """One of the dots, whose numbers are checked as such."""
    shown = [one.value for one in numbers_of(text, [])]
    curves = [w.columns_again.dependence(j) for j in w.columns_again.order[:3]]
    found = [(value, 100 * p) for one in curves for value, row in zip(*one, strict=True)
             for p in row]  # fmt: skip
    return min(found, key=lambda one: abs(one[0] - shown[0]) + abs(one[1] - shown[1]))


MESSAGES = [
    (r"Permuted, ", columns_message),
    (r".* from .* to .*: mean probability of ", dependence_message),
    (r"ROC curve of ", roc_message),
    (r"Precision against recall of ", precision_message),
    (r"Of 1000 new cases", thousand_message),
    (r"Mean .* of .* candidates?: ", mean_message),
    (r".* against the others: ", against_message),
    (r".* costs .* to fit", price_message),
    (r"Trace of the probabilities", trace_message),
    (r"Of .* groups? of predictions", groups_message),
    (r"By the curve", curve_message),
    (r"Bagging would change", bagging_message),
    (r"Combining, beside", gain_message),
    (r"In the combination", weights_message),
    (r".*: of .* cases, .* predicted right", confusion_message),
    (r".*: error .* of which averaging", budget_message),
]

# --- how to read them ---------------------------------------------------------------------------


def candidates_reading(w, text):
    assert text.startswith(f"In order of preference, {w.degrees}. ")
    assert text.endswith("The one chosen is the first from above that no arrow leaves.")
    more = w.side(0, "candidate")
    assert w.r.rule == "paper" or f"inside it a {more} is good enough" in text
    if w.r.rule == "paper":
        return [w.r.runs]
    return [w.margin]


def pairs_reading(w, text):
    return [95, w.margin, w.margin]


def strongest(w, text):
    assert ("Everything lies on the diagonal" in text) == (not w.worst)
    if not w.worst:
        return []
    shares = w.confusion / np.maximum(w.confusion.sum(axis=1, keepdims=True), 1e-9)
    return [100 * (shares - np.diag(np.diag(shares))).max()]


def thousand_reading(w, text):
    about, _, high = thousand(w)
    assert text.startswith("At most") == (about == 0 and high > 0)
    assert text.endswith("; pale: perhaps.") == (0 < about < high)
    return [about or high, 1000]


def columns_reading(w, text):
    return [5, len(w.columns_again.fits), sum(len(r) for *_, r in w.columns_again.fits), 95, 0.8]


READINGS = [
    (r"A bar is how much", columns_reading),
    (r"A dot is (the mean of a tenth|a value)", lambda w, text: []),
    (r"(At most )?\d+ of 1000 wrong", thousand_reading),
    (r"In order of preference, ", candidates_reading),
    (r"Each cell is a pair", pairs_reading),
    (r"Lower is better", lambda w, text: []),
    (r"All .* predicted probabilities", lambda w, text: [w.r.R * w.r.judged.sum() * w.r.k, 95]),
    (r"A dot is a tenth or so", lambda w, text: [95]),
    (r"A dot is the error measured", lambda w, text: [80]),
    (r".* is the error of fits to bootstrap samples", lambda w, text: [63]),
    (r"The dot is the gain expected", lambda w, text: [100 * w.bagging.estimate, 80, 0.5]),
    (r"AUC is the chance", lambda w, text: [95 if w.guesses else 80]),
    (r"The bars are the weights", lambda w, text: []),
    (r"Rows are true classes", strongest),
    (r"At each threshold, the share", lambda w, text: [95]),
    (r"Of the rows called ", precision_reading),
]

# --- the tiles ----------------------------------------------------------------------------------


def real_tile(w, text):
    own = [w.r.answer(w.r.best, j) for j in range(w.r.m) if j != w.r.best]
    words = {"better": "beaten", "equivalent": "equivalent", "undecided": "undecided",
             "worse": "better"}  # fmt: skip
    said = [f"{own.count(a)} {word}" for a, word in words.items() if own.count(a)]
    assert text == (", ".join(said) or "nothing to compare with")
    return


def price_tile(w, text):
    times = [time for time in times_of(w, w.name) if time > 0]
    assert ("not timed" in text) == (not times)
    agree_with(text, times, SECONDS)
    size = w.table[w.table["candidate"] == w.name]["model_bytes"].iloc[0]
    agree_with(text, [] if np.isnan(size) else [size], BYTES)
    return


def limits_tile(w, text):
    assert (text == "not asked") == (w.bags is None)
    if w.bags is None:
        return
    (low, middle, high), _ = w.forecast.at(2)
    words = {"yes": "helps", "no": "no help", "cannot tell": "cannot tell"}
    curve = words["yes" if low > 0.005 else "no" if high < 0.005 else "cannot tell"]
    curve = "probably helps" if curve == "cannot tell" and middle >= 0.005 else curve
    assert text == f"twice the data: {curve}; bagging: {words[w.bagging.answer]}"
    return


def failed_tile(w, text):
    failed = w.trials[w.trials["status"] != "ok"]["candidate"]
    assert text == (f"{len(failed)} fits of {failed.iloc[0]}" if len(failed) else "nothing")
    return


def combining_tile(w, text):
    assert (text == "not asked") == (not w.asked_combining)
    if not w.asked_combining:
        return
    words = {"helps": "yes, it would", "undecided": "the data cannot tell",
             "makes no difference": "no difference that matters",
             "does not help": "no, nothing that matters", "harms": "no, it may do harm",
             "helps little": "a little, not enough to matter"}  # fmt: skip
    assert text == words[w.combining.conclusion]
    return


def errors_tile(w, text):
    if not w.worst:
        assert text == "nowhere: no error"
        return
    i, j = (w.r.classes[c] for c in w.worst[0])
    assert text == f"'{i}' taken for '{j}'"
    return


def columns_tile(w, text):
    assert (text == "not asked") == (not w.verdict["columns"])
    if w.verdict["columns"]:
        c = w.columns_again
        shown = [c.names[j] for j in c.order if c.interval(j)[1] > 0]
        assert text == (", ".join(shown[:3]) or "none is shown to")


def trust_tile(w, text):
    if w.name in w.hard:
        assert text == "labels only, no probabilities"
        return
    chosen = w.recalibration.chosen
    found = w.trust.finding(chosen).replace("no sign against", "nothing speaks against")
    found = found.replace("uneven", "right on average only")
    assert text == (found if chosen == "none" else f"{found}; {chosen} recalibration improves them")
    return


TILES = [real_tile, price_tile, trust_tile, limits_tile, combining_tile, errors_tile, columns_tile,
         failed_tile, None]  # fmt: skip

# --- tooltips -----------------------------------------------------------------------------------


def pair_title(w, text):
    first, second = re.match(r"(.*) minus (.*):", text).groups()
    i, j = w.r.names.index(first), w.r.names.index(second)
    mean, low, high, _ = w.r.difference(i, j)
    assert text.endswith({"better": "shown to be better", "worse": "shown to be worse"}.get(
        w.r.answer(i, j), w.r.answer(i, j)))  # fmt: skip
    return [w.scale * x for x in (mean, low, high)]


def price_title(w, text):
    name = text.partition(":")[0]
    shown, unit = measures(text, SECONDS)[0]
    assert any(abs(shown - t) <= 0.5001 * unit + 0.05 * t * (t < 1e-5) for t in times_of(w, name))
    return [said_mean(w, name), numbers_of(text, w.r.names)[1].value]


def group_title(w, text):
    """One of the groups drawn, whose numbers are checked as such."""
    rows = w.page.csv["reliability"][["counts", "forecast", "observed", "lower", "upper"]]
    rows = rows.astype(float).to_numpy() * [1, 100, 100, 100, 100]
    shown = [one.value for one in numbers_of(text, w.r.names)]
    nearest = rows[np.abs(rows - shown).max(axis=1).argmin()]
    return nearest.tolist()


def size_title(w, text):
    cases = numbers_of(text, [])[0].value
    at = list(w.forecast.sizes).index(cases)
    return [cases, 100 * w.forecast.errors[at]]


def weight_title(w, text):
    at = w.r.names.index(text.partition(":")[0])
    return [w.combining.weights[at], w.combining.aucs[at]]


def cell_title(w, text):
    named = re.findall("'(.*?)'", text.rpartition(":")[0])
    i, j = (w.r.classes.index(one) for one in named)
    shown = [one.value for one in numbers_of(text.rpartition(":")[2], [])]
    expected = [w.confusion[i, j], w.confusion[i].sum()]
    assert [round(x, 1) if x < 20 else round(x) for x in expected] == shown, text
    return


def bar_title(part):
    def one_of(w, text):
        parts = [100 * abs(part(e, a, t, v)) for e, a, t, v in budgets(w).values()]
        shown = numbers_of(text, [])[0]
        return [min(parts, key=lambda x: abs(x - shown.value))]

    return one_of


TITLES = [
    (r"at .*: ", dependence_title),
    (r".* minus .*: .* to ", pair_title),
    (r"\d+ (recalibrated )?predictions, ", group_title),
    (r"\d+ cases: ", size_title),
    (r".*: weight .*, AUC alone", weight_title),
    (r".* taken for .*: .* of ", cell_title),
    (r"stays when bootstrap fits", bar_title(lambda e, a, t, v: min(e, a))),
    (r"(taken off|added) by averaging", bar_title(lambda e, a, t, v: t)),
    (r"variance: ", bar_title(lambda e, a, t, v: v)),
    (r".*: [\d.]+( %)?, [\d.]+ .?s$", price_title),
    (r".*: [\d.]+( %)?$", lambda w, text: [said_mean(w, text.rpartition(":")[0])]),
]


def check_rest(world, text, registry, names):
    """Check one text; a text that no entry speaks of is an error if it has a number."""
    found = [one for one in registry if re.match(one[0], text)]
    assert found, text
    expected = found[0][1](world, text)
    if expected is not None:
        agree(text, expected, names)
