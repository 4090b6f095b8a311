"""Every sentence of a page with the numbers that it must have, computed again from the ledger."""

import re
from itertools import combinations

import numpy as np
import pandas as pd
from page_numbers import Up, agree, two_digits
from page_recount import five_by_two
from page_recount_columns import columns, columns_basis
from page_words_first import FAR, called, caveat, guessing_loss, next_step, shared_basis
from page_words_help import (
    bagging,
    bagging_basis,
    beyond_guessing,
    combining,
    combining_basis,
    more_data,
    more_data_basis,
    trust,
    trust_basis,
)
from page_words_kinds import (
    assumed,
    labels_only,
    labels_only_basis,
    labels_said,
    left_out,
    nobody,
    nobody_basis,
    not_tried,
    not_tried_basis,
    price,
    recalibrated,
    recalibrated_basis,
    tiny,
    tiny_basis,
)
from page_words_shown import better, better_basis, open_against, open_basis
from scipy import stats

# --- what to use, and what error to expect -----------------------------------------------------


def use(w, text):
    assert text.removeprefix("Use ").startswith(w.name)
    who = [i for i in range(w.r.m) if w.r.names[i] not in w.guessing]
    guessing = [w.r.names.index(name) for name in w.guessing if name in w.r.names]
    if w.r.rule == "margin" and guessing:  # somebody is shown to beat the best of them
        lowest = min(guessing, key=w.r.means.__getitem__)
        assert any(w.r.difference(i, lowest)[2] < 0 for i in who)
    return []


def guess(w, text):
    """Nobody less preferred is lower by the margin; whether by anything is another question."""
    if not w.guesses:
        return unbeaten(w, text)
    shown = any(w.r.answer(w.r.best, j) == "worse" for j in range(1, w.r.m))
    return [w.margin] if shown else []


def unbeaten(w, text):
    """By its mean another is taken, but no difference from the best of the guessing is shown."""
    assert w.r.rule == "margin"
    lowest = min((w.r.names.index(name) for name in w.guessing), key=w.r.means.__getitem__)
    promising = w.selected is None or w.selected.expected < w.r.means[lowest]
    assert text.endswith(f"; {'if anything, use' if promising else 'closest is'} {w.name}.")
    who = [i for i in range(w.r.m) if w.r.names[i] not in w.guessing]
    assert not any(w.r.difference(i, lowest)[2] < 0 for i in who)
    return []


def use_basis(w, basis):
    ordered = basis.rpartition("Order of preference: ")[2]
    assert ordered.rstrip(".").split(", ") == w.r.names
    return [w.margin, w.folds] if w.r.rule == "margin" else [0.05]


def expect(w, text):
    s = w.selected
    assert text.endswith(", by guessing.") == w.guesses
    if w.guesses:
        assert s.expected == s.plain
    high = max(s.high, s.expected)
    return [w.scale * s.expected, 95, w.scale * s.low, w.scale * high, *guessing_loss(w)]


def seen_as(w, text):
    """What was seen, whether the choice is steady, the labels, and a growth through time."""
    said = []
    if w.r.loss != "auc" and (w.rate or w.selected.high >= 0.001) and w.selected.expected:
        as_seen = w.guesses or w.r.m == 1
        assert ("is corrected for its having been chosen" in text) == (not as_seen)
        said += [] if as_seen else [w.scale * w.r.means[w.r.best]]
        share = w.selected.shares[w.r.best]
        assert ("The choice is unsteady" in text) == (share < 0.5)
        nearly = share <= 0.05
        assert ("in more than nine of ten cases" in text) == nearly
        said += [10 * round(10 * (1 - share))] if share < 0.5 and not nearly else []
        said += luck_said(w, text)
    return [*said, *labels_said(w, text), *grows(w, text)]


def luck_said(w, text):
    """Fits are said to vary where folds differ by more than the chance of their rows, shown."""
    s, told = w.selected, "depends on the luck of the training sample" in text
    ratio = s.between / s.chance if s.chance else 0.0
    shown = ratio > 1 and stats.chi2.sf((w.r.F - 1) * ratio, w.r.F - 1) < 0.05
    assert told == (shown and not w.r.in_time)
    return [w.scale * s.luck] if told else []


def seen_basis(w, basis):
    mean = [w.folds, w.scale * w.r.means[w.r.best]]
    if "interval is" not in basis:
        return mean
    draws = w.selected.optimism.size
    assert ("from fit to fit" in basis) == (w.selected.luck > 0)
    return [*mean, *([95] if w.guesses or w.r.m == 1 else [draws, 95])]


def grows(w, text):
    """A rise over folds in time is said where it is shown: the correlation of row and fold."""
    said = "grows through time" in text
    asked = w.r.in_time and w.r.loss == "error" and w.groups is None
    assert asked or not said
    if not asked:
        return []
    rows = w.r.judged
    wrong, fold = w.r.wrong[w.r.best, 0, rows].astype(float), w.r.folds[0, rows]
    shares = [wrong[fold == i].mean() for i in range(w.r.F)]
    rho = np.corrcoef(wrong, fold)[0, 1] if 0 < wrong.mean() < 1 else 0.0
    p = 2 * stats.norm.sf(np.sqrt(rows.sum()) * rho)
    assert said == (rho > 0 and p < 0.05 and shares[-1] > shares[0])
    return [100 * shares[0], 100 * shares[-1], p] if said else []


def expect_basis(w, basis):
    mean = [w.folds, w.scale * w.r.means[w.r.best]]
    draws = w.selected.optimism.size
    assert ("not for a drift through time" in basis) == w.r.in_time
    middle = [95] if w.guesses or w.r.m == 1 else [draws, 95]
    return [*mean, *middle, seen(w)]


def seen(w):
    """Per cent of the rows that a fit was made from."""
    return 100 * w.r.seen.mean() / w.r.n


def expect_auc(w, text):
    d = w.r.table[w.r.best].ravel()
    if w.r.in_time:  # folds that see ever more rows do not vary by chance alone
        return [1 - d.mean(), *guessing_loss(w)]
    low, high = stats.t.interval(0.95, d.size - 1, loc=d.mean(), scale=w.r.spread(d))
    return [1 - d.mean(), 95, max(1 - high, 0), min(1 - low, 1), *guessing_loss(w)]


def expect_auc_basis(w, basis):
    assert ("No interval is given: folds in time order" in basis) == w.r.in_time
    return [w.folds, 100 * w.r.means[w.r.best], seen(w)]


def no_error(w, text):
    assert not w.r.wrong[w.r.best].any()
    return [w.r.judged.sum(), 100 * w.selected.high, 95, *guessing_loss(w)]


def no_error_basis(w, basis):
    return [w.folds, 0, 4]


def choice(w, text):
    """Means against the margin, for who is simpler and who is more complex."""
    best, means, found = w.r.best, w.r.means, []
    preferred, others = w.sides
    if best:
        nearest = int(np.argmin(means[:best]))
        if set(w.r.names[:best]) <= set(w.guessing):
            assert text.startswith("Guessing is ")
            found += [w.scale * (means[nearest] - means[best])]
        else:
            assert text.startswith(f"Nothing {preferred} comes within ")
            assert f"({called(w, nearest)} comes closest, " in text
            found += [w.margin, w.scale * (means[nearest] - means[best:].min())]
    rest = [j for j in range(best + 1, w.r.m) if w.guesses or w.r.names[j] not in w.guessing]
    if rest:
        lowest = min([best, *rest], key=means.__getitem__)
        lead = means[best] - means[lowest]
        more = "else" if w.guesses else others
        if lead < 0.01 * w.r.margin:
            assert f"othing {more} does better" in text
        else:
            better = f"{w.r.names[lowest]}, which is only "
            assert f"othing {more} does better than {better}" in text
            found += [w.scale * lead, w.margin]
    assert best or rest
    return found


def choice_basis(w, basis):
    return [w.margin, w.folds, *(w.scale * w.r.means)]


def paper_worse(w, text):
    found = []
    for i in range(w.r.best):
        p = {j: five_by_two(w.shown[i], w.shown[j]) for j in range(i + 1, w.r.m)}
        over = w.r.edges_of(w.shown)[i]
        strongest = min((j for j in p if over[j]), key=p.get)
        assert f"against {called(w, strongest)}" in text
        found.append(p[strongest])
    return found


def paper_better(w, text):
    rest = range(w.r.best + 1, w.r.m)
    p = [five_by_two(w.shown[w.r.best], w.shown[j]) for j in rest]
    return [len(rest), min(p), 0.05 / (w.r.m * (w.r.m - 1) / 2)]


def paper_basis(w, basis):
    pairs = w.r.m * (w.r.m - 1) / 2
    return [0.05 / pairs, 0.05, pairs]


def frequency(w, text):
    counts = sorted((w.r.orders.count(one) for one in set(w.r.orders)), reverse=True)
    return [len(w.r.orders)] if len(counts) == 1 else [counts[0], len(w.r.orders), len(counts)]


# --- is it real -------------------------------------------------------------------------------


def rival_of(w, text):
    """The rival named: the open one with the lowest mean, one that guesses first."""
    best = w.r.best
    said = text.split(".")[0]
    named = [j for j in range(w.r.m) if j != best and called(w, j) in said]
    open_ = []
    for j in range(w.r.m):
        gain, _, high, _ = w.r.difference(best, j)
        answer = w.r.answer(best, j)
        if w.r.rule == "paper":
            is_open = j > best and gain > 0 and answer in ("undecided", "worse")
        elif j < best:
            is_open = answer == "undecided"
        else:
            is_open = j > best and gain > 0 and high >= w.r.margin
        open_ += [(w.r.names[j] in w.guessing, gain, j)] if is_open else []
    (rival,) = named
    assert max(open_)[2] == rival
    return rival


def plan_of_rival(w, rival):
    """Level, data factor and the upper end, of the two with the preferred one first."""
    first, second = sorted((w.r.best, rival))
    high = w.r.difference(first, second)[2]
    if w.r.rule == "paper":
        level = 0.05 / (w.r.m * (w.r.m - 1) / 2)
        return level, w.r.data_factor(first, second, level=level), high
    return 0.025, w.r.data_factor(first, second, level=0.025, counted_from=w.r.margin), high


def undecided(w, text):
    rival = rival_of(w, text)
    d, low, high, _ = w.r.difference(w.r.best, rival)
    _, factor, _ = plan_of_rival(w, rival)
    margin = [w.margin] if "margin of" in text.split(". ")[0] else []
    worse = w.r.answer(w.r.best, rival) == "worse"
    assert worse == ("is shown to be worse than" in text)
    assert (worse and w.r.rule == "paper") == ("MultiTest's, all pairs together, do not" in text)
    rows = [two_digits(np.ceil(w.r.n * (factor - 1)))] if 1 < factor <= 1 + FAR else []
    assert ("About " in text) == bool(rows)
    assert ("Ten times these rows may not tell" in text) == (not rows)
    return [w.scale * abs(d), w.scale * (high - low) / 2, *margin, *rows]


def undecided_basis(w, basis):
    *_, text = (s["text"] for s in w.verdict["sentences"] if s["basis"] == basis)
    rival = rival_of(w, text)
    level, factor, end = plan_of_rival(w, rival)
    unit = 0.1 if w.rate else 10 ** (np.floor(np.log10(end)) - 1)
    data = [] if np.isinf(factor) else [float(f"{factor:.2g}")]
    assert "however many" in basis  # more folds of the same rows: checked where they would do
    assert ("t test over rows" in basis) == w.r.by_rows
    assert ("rows, groups of them or, in order of time, twenty stretches" in basis) == w.r.by_rows
    needed = Up(w.scale * end, unit)
    return [95, w.r.difference(w.r.best, rival)[3], level, 0.8, *data, needed]


def equals(w, text):
    shown = [n for j, n in enumerate(w.r.names) if j != w.r.best
             and w.r.answer(w.r.best, j) == "equivalent"]  # fmt: skip
    assert all(name in text for name in shown)
    return [w.margin]


def alike(w, text):
    same = [n for j, n in enumerate(w.r.names) if j != w.r.best
            and np.array_equal(w.r.table[j], w.r.table[w.r.best])]  # fmt: skip
    assert text.startswith(" and ".join(same))
    rows = w.r.judged.sum()
    return [rows, 100 * 3 / rows]


def alike_basis(w, basis):
    assumed(w, basis)
    rows = w.r.judged.sum()
    return [rows, 3, rows, 95]


def gate(w, text):
    against = w.r.names.index(w.verdict["gate"]["against"])
    (challenger,) = [i for i in w.r.order if i != against][:1]
    d, scale = w.r.unit_differences(challenger, against)
    p = stats.t.sf(d.mean() / scale, d.size - 1)
    assert text.startswith("The gate is passed" if p > 0.05 else "The gate is not passed")
    return [] if p > 0.05 else [w.scale * abs(d.mean())]


def gate_basis(w, basis):
    against = w.r.names.index(w.verdict["gate"]["against"])
    (challenger,) = [i for i in w.r.order if i != against][:1]
    d, scale = w.r.unit_differences(challenger, against)
    p = stats.t.sf(d.mean() / scale, d.size - 1)
    assert (" less " in basis) == (d.mean() < 0)
    _, low, high, _ = w.r.difference(challenger, against)
    seen_ = [w.scale * abs(d.mean()), p]
    return [*seen_, 0.05, w.folds, w.scale * low, w.scale * high, 95]


# --- the rest ---------------------------------------------------------------------------------


def confusion(w, text):
    shares = w.confusion / w.confusion.sum(axis=1, keepdims=True)
    (i, j), *_ = w.worst
    assert f": '{w.r.classes[i]}' taken for '{w.r.classes[j]}' (" in text
    members, found = w.confusion.sum(axis=1), w.confusion.diagonal()
    never = np.flatnonzero((members > 4.5) & (found == 0))
    assert ("; it never finds " in text) == bool(len(never))
    told = text.partition("; it never finds ")[2]
    assert all(repr(str(w.r.classes[c])) in told for c in never[: 2 + (len(never) == 3)])
    return [100 * shares[i, j], *([len(never) - 2] if len(never) > 3 else [])]


def slice_of(w, words):
    """The rows of a slice, by its conditions as they are written."""
    X = pd.DataFrame(w.study.X)
    X = X if not isinstance(X.columns[0], int) else X.add_prefix("x")
    inside, cuts = np.ones(len(X), dtype=bool), []
    for one in words.split(" and "):
        name, sign, value = one.rsplit(" ", 2)
        cuts += [] if sign == "is" else [float(value)]
        inside &= {
            "≤": lambda c, v: c <= float(v), ">": lambda c, v: c > float(v),
            "=": lambda c, v: c.astype(str) == v, "is": lambda c, _: c.isna(),
        }[sign](X[name], value)  # fmt: skip
    return inside, cuts


def weak(w, text):
    inside, cuts = slice_of(w, re.match("It errs more where (.*?): ", text)[1])
    inside, wrong = inside[w.r.judged], w.r.wrong[w.r.best][:, w.r.judged].mean(axis=0)
    assert wrong[inside].mean() > wrong[~inside].mean()
    return [*cuts, 100 * wrong[inside].mean(), inside.sum(), 100 * wrong[~inside].mean()]


def weak_basis(w, basis):
    told = w.verdict["weak"]
    assert told["pvalue"] <= 0.05
    return [told["searched"], 5, 50, 100 * told["pvalue"], 200]


def sets(w, text):
    """Cases alike in their highest probability are left to a human by parts."""
    p, y = w.recalibration.after, w.forecasts[1]
    errors = []
    for left in (0.1, 0.0):
        kept, wrong = round((1 - left) * y.size), 0.0
        top = p.max(axis=1).round(9)
        for value in np.unique(top)[::-1]:
            alike = np.flatnonzero(top == value)
            share = min(1.0, max(0.0, kept - (top > value).sum()) / alike.size)
            wrong += share * (p[alike].argmax(axis=1) != y[alike]).sum()
        errors.append(100 * wrong / kept)
    sizes = sets_of(w).sum(axis=1)
    repetitions = w.forecasts[3]
    runs, always = len(np.unique(repetitions)), 0
    for c in range(p.shape[1]):
        own = np.sort(p[y == c, c])
        below = int(0.1 * (own.size / runs + 1) + 1e-9)
        always += below == 0 or own[below * runs - 1] == 0
    return [10, *errors, 90, sizes.mean(), 100 * (sizes == 1).mean(), *([always] if always else [])]


def sets_of(w):
    """Which classes are in the set of each prediction, thresholds from other folds."""
    p, (_, y, _, repetitions, folds) = w.recalibration.after, w.forecasts
    held = np.eye(p.shape[1], dtype=bool)[p.argmax(axis=1)]
    for row in range(y.size):
        others = (repetitions == repetitions[row]) & (folds != folds[row])
        for c in range(p.shape[1]):
            own = p[others & (y == c), c]
            below = int(0.1 * (own.size + 1) + 1e-9)  # of so many and the new one a tenth
            held[row, c] |= below == 0 or p[row, c] >= np.sort(own)[below - 1]
    return held


def sets_basis(w, basis):
    y, held = w.forecasts[1], sets_of(w)
    return [100 * min(held[y == c, c].mean() for c in np.unique(y))]


def confusion_basis(w, basis):
    return [*(100 * w.confusion[i, j] / w.confusion[i].sum() for i, j in w.worst), 95]


def failures(w, text):
    failed = w.trials[(w.trials["status"] != "ok") & (w.trials["plan"] == w.plan)]
    counts = failed["candidate"].value_counts()
    assert all(name in text for name in counts.index)
    return counts.tolist()


def race(w, text):
    """Errors over the repetitions that the stopped ones have, and the p-value then."""
    found = []
    for name in w.left:
        own = w.trials[(w.trials["candidate"] == name) & (w.trials["status"] == "ok")]
        after = own["repetition"].nunique()
        better = re.search(f"{re.escape(name)} after .*?worse than (.*?) \\(", text)[1]
        a, b = w.stopped_errors(name, after), w.stopped_errors(better, after)
        p = stats.t.sf((a - b).mean() / w.r.spread((a - b).ravel()), a.size - 1)
        found += [after, 5, 100 * a.mean(), 100 * b.mean(), p]
    return found


def nothing(w, text):
    return []


def corrected(w, d):
    """One-sided p-value of the corrected resampled t test."""
    return stats.t.sf(d.mean() / w.r.spread(d), d.size - 1) if np.ptp(d) else float(d[0] <= 0)


def spent(w, text):
    times = [] if w.r.R == 1 else [w.r.R]
    told = re.search(r"would (?:hardly|change the choice in about (\d+) %)", text)[1]
    assert abs(int(told or 0) - 100 * w.r.redrawn()) < 10  # to a tenth, from 400 drawings there
    fits = len(w.trials[w.trials["plan"] == f"1x{w.r.F} folds"])
    return [w.r.F, *times, fits, *([int(told)] if told else [])]


def other_rule(w, text):
    turned = {"margin": "paper", "paper": "margin"}[w.r.rule]
    means = w.r.means
    if turned == "margin":
        m = range(w.r.m)
        best = next(i for i in m if all(means[i] < means[j] + w.r.margin for j in m if j > i))
    else:  # corrected t tests, as the folds are not 5×2
        level = 0.05 / (w.r.m * (w.r.m - 1) / 2)
        shown = {
            i for i, j in combinations(range(w.r.m), 2)
            if corrected(w, (w.r.table[i] - w.r.table[j]).ravel()) <= level
        }  # fmt: skip
        best = next(i for i in range(w.r.m) if i not in shown)
    assert ("the same" in text) == (best == w.r.best)
    assert "the same" in text or called(w, best) in text
    return []


def other_rule_basis(w, basis):
    return [w.margin] if w.r.rule == "paper" else [0.05]


CLAIMS = [
    (r"Use ", use, use_basis),
    (r"Nothing (is shown to beat|beats) guessing", guess, use_basis),
    (r"Combined, the candidates|Yet the features do tell", beyond_guessing, combining_basis),
    (r"The gate is ", gate, gate_basis),
    (r"Expect an? ", expect, expect_basis),
    (
        r"As seen |The choice is unsteady|Of its labels|None of its labels|Its error grows",
        seen_as,
        seen_basis,
    ),
    (r"Caveat: ", caveat, shared_basis),
    (r"Next: ", next_step, shared_basis),
    (r"It made no error on these", no_error, no_error_basis),
    (r"Its (log loss|Brier score|mean cost) was less than", tiny, tiny_basis),
    (r"But recalibrated, ", recalibrated, recalibrated_basis),
    (r"Its mean AUC is ", expect_auc, expect_auc_basis),
    (r"Every (simpler|faster|smaller) one is shown", paper_worse, paper_basis),
    (r"No (more complex|slower|larger) one is shown", paper_better, paper_basis),
    (
        r"Nothing (simpler|more complex|else|faster|slower|smaller|larger|listed) |Guessing is \d",
        choice,
        choice_basis,
    ),
    (
        r"The data cannot tell (whether .* beats|.* from) "
        r"|(?!Every|The gate).* is shown to be worse",
        undecided,
        undecided_basis,
    ),
    (r"Its probabilities ", trust, trust_basis),
    (r"It gives labels only", labels_only, labels_only_basis),
    (r"Bagging ", bagging, bagging_basis),
    (r"Combining the candidates", combining, combining_basis),
    (r"Twice the data ", more_data, more_data_basis),
    (r"Of the columns, ", columns, columns_basis),
    (r"Left out of the comparison because fits failed", failures, nothing),
    (r"Stopped early and left out", race, lambda w, basis: [0.05]),
    (r"The race stopped nobody", nobody, nobody_basis),
    (r"Not tried, for the time", not_tried, not_tried_basis),
    (r"Not tried: ", left_out, nothing),
    (r"(?!Over |Caveat).* is shown to be better than ", better, better_basis),
    (r"(Against|Whether) .* the data cannot decide[:;] ", open_against, open_basis),
    (r"Practically equal to it", equals, lambda w, basis: [95, w.margin]),
    (r".* did exactly as well in every fold", alike, alike_basis),
    (r"Compared with .*, it |.* and (is )?\S+ times cheaper", price, nothing),
    (r"Worst confusion( by least expected cost)?: ", confusion, confusion_basis),
    (r"It errs more where ", weak, weak_basis),
    (r"Leaving the 10 % of cases", sets, sets_basis),
    (r"This order was found in ", frequency, lambda w, basis: [2]),
    (r".* would have chosen ", other_rule, other_rule_basis),
    (r"The candidates were compared on ", spent, lambda w, basis: [0.3, 5]),
]


def check(world, text, basis, names):
    """Check the sentence and what it rests on; the claim that it is."""
    found = [one for one in CLAIMS if re.match(one[0], text)]
    assert len(found) == 1, text
    pattern, say, rest = found[0]
    columns = [f"x{i}" for i in range(world.columns)] if "errs more where" in text else []
    names = [*names, *world.column_names, *columns]
    agree(text, say(world, text), names)
    expected = rest(world, basis)
    if expected is not None:
        agree(basis, expected, names)
    return pattern
