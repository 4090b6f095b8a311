"""Combining, bagging and more data, computed again by numpy and scipy from what is documented."""

from itertools import combinations, pairwise

import numpy as np
from page_recount import pair_wins
from scipy import optimize, stats

# --- combining ------------------------------------------------------------------------------

NEAR = 2.0**-21  # odds closer than what single precision leaves of them are equal
SETTINGS = ((1.0, 1.0), (1.0, 0.1), (1.0, np.inf))  # slack and pull: tried for several classes


def margin_weights(scores, positive, pull):
    """Largest mean pair margin less pull/2 · ‖w − uniform‖² on the simplex, by its KKT conditions.

    The mean over all pairs is linear: the optimum is max(uniform + gain/pull − t, 0), with the t
    at which it sums to 1.
    """
    uniform = np.full(scores.shape[1], 1 / scores.shape[1])
    if np.isinf(pull):
        return uniform
    free = uniform + (scores[positive].mean(axis=0) - scores[~positive].mean(axis=0)) / pull
    t = optimize.brentq(
        lambda t: np.maximum(free - t, 0).sum() - 1, free.min() - 1, free.max(), xtol=1e-15
    )
    return np.maximum(free - t, 0)


def soft_margin(weights, scores, positive, slack):
    """Mean of the smallest 1/slack of all pair margins, and its slope in the weights."""
    pairs = (scores[positive][:, None] - scores[~positive]).reshape(-1, scores.shape[1])
    margins = pairs @ weights
    order = np.argsort(margins)
    count = max(1.0, len(margins) / slack)
    shares = np.clip(count - np.arange(len(margins)), 0, 1) / count  # the last one in part
    return shares @ margins[order], shares @ pairs[order]


def soft_weights(scores, positive, slack, pull):
    """Largest soft margin less pull/2 · ‖w − uniform‖²: by planes above it, each step by SLSQP."""
    m = scores.shape[1]
    uniform, planes, best = np.full(m, 1 / m), [], -np.inf
    weights = found = uniform
    for _ in range(100):
        value, slope = soft_margin(weights, scores, positive, slack)
        planes.append(np.append(slope, value - slope @ weights))
        value -= pull / 2 * ((weights - uniform) ** 2).sum()
        if value > best:
            best, found = value, weights
        cuts = np.array(planes)
        step = optimize.minimize(
            lambda x: pull / 2 * ((x[:m] - uniform) ** 2).sum() - x[m],
            np.append(found, (cuts[:, :m] @ found + cuts[:, m]).min()),
            jac=lambda x: np.append(pull * (x[:m] - uniform), -1.0),
            method="SLSQP", bounds=[(0, 1)] * m + [(None, None)], options={"ftol": 1e-13},
            constraints=[
                {"type": "eq", "fun": lambda x: x[:m].sum() - 1,
                 "jac": lambda x: np.append(np.ones(m), 0.0)},
                {"type": "ineq",
                 "fun": lambda x, cuts=cuts: cuts[:, :m] @ x[:m] + cuts[:, m] - x[m],
                 "jac": lambda x, cuts=cuts: np.column_stack([cuts[:, :m], -np.ones(len(cuts))])},
            ],
        )  # fmt: skip
        if -step.fun - best < 1e-9:
            return found
        weights = np.maximum(step.x[:m], 0) / np.maximum(step.x[:m], 0).sum()
    raise AssertionError(best)


def weights_at(scores, positive, slack, pull):
    if slack == 1:
        return margin_weights(scores, positive, pull)
    return soft_weights(scores, positive, slack, pull)


def near_weights(scores, positive, slack, pull):
    """Inner fits are for choosing only: they stay at the average if it is within 0.002 of the best.

    The objective is in the unit of the scores, or of their range where that is below 1.
    """
    best = weights_at(scores, positive, slack, pull)
    away = best - 1 / len(best)
    if np.isinf(pull) or slack > 1:
        return best
    gain = (scores[positive].mean(axis=0) - scores[~positive].mean(axis=0)) @ away
    unit = min(1.0, np.ptp(scores, axis=0).max())
    return best if gain - pull / 2 * away @ away > 0.002 * unit else best - away


def tuned_weights(scores, positive, classes):
    """The first setting, unless another gains more than a standard error of DeLong's, cross-fitted.

    The five inner folds are drawn, the classes apart, by NumPy's generator with the seed 0.
    """
    rng, folds = np.random.default_rng(0), np.empty(len(positive), dtype=int)
    parts = min(5, int(positive.sum()), int((~positive).sum()))
    for members in (np.flatnonzero(positive), np.flatnonzero(~positive)):
        folds[rng.permutation(members)] = np.arange(len(members)) % parts
    settings = [*SETTINGS, (3.0, 0.3)] if classes == 2 else SETTINGS
    placed = np.empty((len(settings), len(positive)))
    for fold in range(parts):
        held = folds == fold
        for s, setting in enumerate(settings):
            weights = near_weights(scores[~held], positive[~held], *setting)
            rounding = scores.shape[1] * 2.0**-52 * abs(scores) @ weights
            combined = joined(np.where(held, scores @ weights, np.nan), rounding)
            up, down = held & positive, held & ~positive
            wins = pair_wins(combined[up], combined[down])
            placed[s, up], placed[s, down] = wins.mean(axis=1), wins.mean(axis=0)
    areas = (placed[:, positive].mean(axis=1) + placed[:, ~positive].mean(axis=1)) / 2
    more = placed - placed[0]
    sides = (more[:, positive], more[:, ~positive])
    errors = np.sqrt(sum(part.var(axis=1, ddof=1) / part.shape[1] for part in sides))
    gains = areas - areas[0] - errors
    gains[0] = 1e-12
    return weights_at(scores, positive, *settings[int(gains.argmax())])


class Combining:
    """Weights, areas and the gain over one candidate, cross-fitted.

    A fold says something of two classes if it has both, and the others two of each. Of more than
    100 pairs of classes a hundred are drawn, and the error tells of those that were not.
    """

    def __init__(self, recount, over, repetitions=None, level=0.8):
        p, y = recount.exported[:, :repetitions], recount.y
        self.m, repetitions = p.shape[:2]
        pairs = possible = list(combinations(range(recount.k), 2))
        if len(pairs) > 100:  # every class has three rows or more where this is tried
            drawn = np.random.default_rng(0).choice(len(pairs), 100, replace=False)
            pairs = [possible[i] for i in np.sort(drawn)]
        weights, chosen = [], np.zeros(self.m)
        sums = {pair: np.zeros((4 + self.m, len(y))) for pair in pairs}  # the last: how often
        for r, f in np.ndindex(repetitions, recount.F):
            out = recount.folds[r] == f
            scores = {pair: pair_scores(p[:, r], pair) for pair in pairs if tells(y, out, pair)}
            if not scores:
                continue
            odds = {pair: log_odds(p[:, r], pair) for pair in scores}
            best = self._best_outside(odds, y, out)
            chosen[best] += 1
            for pair, w in scores.items():
                learn = np.isin(y, pair) & ~out
                weights.append(tuned_weights(w[learn], y[learn] == pair[1], recount.k))
                self._place(sums[pair], w, odds[pair], weights[-1], best, out, y, pair)
        self.weights, self.chosen = np.mean(weights, axis=0), chosen
        placed = {pair: total[:-1] / np.where(total[-1], total[-1], np.nan)
                  for pair, total in sums.items() if total[-1].any()}  # fmt: skip
        each = np.array([area_of(s, y, pair) for pair, s in placed.items()])
        areas = each.mean(axis=0)
        self.auc, self.auc_best, self.auc_average, self.aucs = *areas[:3], areas[3:]
        self.difference = self.auc - self.aucs[over]
        variance = 0.0
        for one in range(recount.k):
            own = sum(s[0] - s[3 + over] for pair, s in placed.items() if one in pair)[y == one]
            own = own[np.isfinite(own)]
            variance += own.var(ddof=1) / own.size
        shared = 1 + (recount.F - 2) / (recount.F - 1)  # folds share what weights are learned on
        unseen = (each[:, 0] - each[:, 3 + over]).var(ddof=1) if len(pairs) > 1 else 0.0
        unseen *= (1 - len(pairs) / len(possible)) / len(placed)
        self.error = np.sqrt(variance * shared / len(placed) ** 2 + unseen)
        reach = stats.norm.isf((1 - level) / 2) * self.error
        self.low, self.high = self.difference - reach, self.difference + reach
        self.pvalue = 1.0 if self.difference == 0 else 0.0
        if self.error > 0:
            self.pvalue = 2 * stats.norm.sf(abs(self.difference) / self.error)
        reach = stats.norm.isf((1 - level) / 2) + stats.norm.isf(0.2)
        needed = max(self.difference, 0.005 - self.difference)
        rows = np.any([np.isfinite(s[0]) for s in placed.values()], axis=0).sum()
        self.rows_to_decide = max(rows, rows * (reach * self.error / needed) ** 2)

    @staticmethod
    def _best_outside(odds, y, out):
        """The single candidate with the largest mean area over the pairs, on the other folds."""
        areas = []
        for (a, b), own in odds.items():
            up, down = ~out & (y == b), ~out & (y == a)
            own = np.where((up | down)[:, None], own, np.nan)
            own = joined(own, NEAR / 2)
            areas.append([pair_wins(one[up], one[down]).mean() for one in own.T])
        return int(np.mean(areas, axis=0).argmax())

    @staticmethod
    def _place(total, scores, odds, weights, best, out, y, pair):
        up, down = out & (y == pair[1]), out & (y == pair[0])
        here, m = (up | down)[:, None], len(weights)
        scores, odds = np.where(here, scores, np.nan), np.where(here, odds, np.nan)
        unsure = m * 2.0**-52 * abs(scores) + NEAR / 4 * (1 - scores**2)  # odds as near, as scores
        alone = joined(odds, NEAR / 2)
        mixed = [joined(scores @ w, unsure @ w) for w in (weights, np.full(m, 1 / m))]
        for row, s in enumerate([mixed[0], alone[:, best], mixed[1], *alone.T]):
            wins = pair_wins(s[up], s[down])
            total[row, up] += wins.mean(axis=1)
            total[row, down] += wins.mean(axis=0)
        total[-1, up | down] += 1

    @property
    def conclusion(self):
        if self.low > 0:
            return "helps" if self.high >= 0.005 else "helps little"
        if self.high < 0:
            return "harms"
        if self.high >= 0.005:
            return "undecided"
        return "makes no difference" if self.low > -0.005 else "does not help"


def tells(y, out, pair):
    """Whether a fold has both classes, and the others two of each."""
    inside, outside = ([(part & (y == one)).sum() for one in pair] for part in (out, ~out))
    return min(inside) > 0 and min(outside) > 1


def area_of(placed, y, pair):
    """Mean placement of either class, of every ranker."""
    return sum(np.nanmean(placed[:, y == one], axis=1) for one in pair) / 2


def joined(values, reach):
    """Numbers of the values in their order, those equal that no more than their reach parts."""
    flat = values.ravel()
    reach = np.broadcast_to(reach, values.shape).ravel()
    order = [i for i in np.argsort(flat, kind="stable") if not np.isnan(flat[i])]
    numbers = np.full(flat.size, np.nan)
    numbers[order[0]] = 0
    for before, now in pairwise(order):
        same = flat[now] == flat[before]  # two infinities too
        apart = not same and flat[now] - flat[before] > reach[now] + reach[before]
        numbers[now] = numbers[before] + apart
    return numbers.reshape(values.shape)


def pair_scores(p, pair):
    """(n, m) in [−1, 1]: the odds between two classes; 0 where neither is thought possible."""
    lower, upper = p[..., pair[0]], p[..., pair[1]]
    total = np.where(upper + lower > 0, upper + lower, 1)
    return ((upper - lower) / total).T


def log_odds(p, pair):
    """(n, m): logarithms of the odds between two classes; 0 where neither is thought possible."""
    lower, upper = p[..., pair[0]], p[..., pair[1]]
    neither = (lower == 0) & (upper == 0)
    with np.errstate(divide="ignore"):
        return (np.log(np.where(neither, 1, upper)) - np.log(np.where(neither, 1, lower))).T


# --- bagging --------------------------------------------------------------------------------


def votes_of(p):
    """Shares of a vote: of equal probabilities, equal ones."""
    top = np.isclose(p, p.max(axis=-1, keepdims=True), atol=1e-6)
    return top / top.sum(axis=-1, keepdims=True)


def parts_of(predictions, in_bag, y):
    """Per-case error, averaged error, what is taken off, variance: votes out of bag (T96)."""
    rows = []
    for i in range(len(y)):
        out = predictions[in_bag[:, i] == 0, i].astype(float)
        votes, bagged = votes_of(out), votes_of(out.mean(axis=0))
        error, averaged = 1 - votes[:, y[i]].mean(), 1 - bagged[y[i]]
        rows.append([error, averaged, error - averaged, (out.max(axis=1) - out @ bagged).mean()])
    return np.array(rows)


GAINS = {None: (0.2, 0.35), "naive Bayes": (-0.02, 0.05), "linear": (0.0, 0.05),
         "neighbours": (0.0, 0.1), "kernel": (0.02, 0.08), "tree": (0.12, 0.4),
         "forest": (0.09, 0.15), "boosting": (0.05, 0.15)}  # fmt: skip


class Bagging:
    """The paired gain, and its posterior under what bagging did elsewhere, by integration.

    Gains elsewhere, where single and bagged differ on a share δ of cases, are normal about a
    multiple of δ, by the kind of learner; the standard error is 1.2 (trees: 1.9) times that of
    independent cases, one won and one lost case added to the differences.
    """

    def __init__(self, single, bagged, kind=None, confidence=0.9):
        d = np.concatenate([single - bagged, [1.0, -1.0]])
        self.estimate = (single - bagged).mean()
        self.error = (1.9 if kind == "tree" else 1.2) * np.sqrt(d.var() / d.size)
        share = (d**2).mean()
        mean, spread = GAINS[kind]
        grid = np.linspace(-1, 1, 200_001) * max(share, 6 * self.error)
        prior = stats.norm.logpdf(grid, mean * share, spread * share)
        density = np.exp(prior + stats.norm.logpdf(self.estimate, grid, self.error))
        density /= density.sum()
        self.expected = density @ grid
        reach = stats.norm.ppf(confidence) * np.sqrt(density @ (grid - self.expected) ** 2)
        self.low, self.high = self.expected - reach, self.expected + reach
        self.single, self.bagged = single.mean(), bagged.mean()
        self.answer = answer(self.low, self.high)


def answer(low, high, gain=0.005):
    return "yes" if low > gain else "no" if high < gain else "cannot tell"


# --- more data ------------------------------------------------------------------------------


class Forecast:
    """Power laws with a floor, e(x) = e_N (φ + (1 − φ)(x/N)^−c), weighed by their fit.

    As documented: φ at 24 even shares, c at 22 geometric ones from 0.1 to 2.5 with a log-normal
    prior (median 0.5, deviation 0.7), e_N from the points' weighted mean at nine normal quantiles,
    a fall beyond N times a log-normal factor (0.45) at nine. The covariance of the points is 1.5²
    times that of the cases, plus two errors in N that all share, plus, for each point, a fifth of
    its height above the last, one in a hundred of the mean error and one error in N. A curve is
    weighed by the differences between points alone.
    """

    def __init__(self, sizes, losses, n):
        errors = losses.mean(axis=1)
        counted = 2 / n
        alone = np.hypot(0.2 * np.maximum(errors - errors[np.argmax(sizes)], 0), counted / 2)
        alone = np.hypot(alone, 0.01 * max(errors.mean(), counted))
        noise = 2.25 * np.cov(losses) / losses.shape[1] + counted**2 + np.diag(alone**2)
        mean = 1 / np.diag(noise) / (1 / np.diag(noise)).sum()
        contrast = np.diff(np.eye(len(sizes)), axis=0)  # (s − 1, s)
        precision = np.linalg.inv(contrast @ noise @ contrast.T)
        normal = stats.norm.ppf((np.arange(9) + 0.5) / 9)
        self.curves = []  # error now, floor share, exponent, log weight
        for share in (np.arange(24) + 0.5) / 24:
            for power in 0.1 * 25 ** (np.arange(22) / 21):
                shape = share + (1 - share) * (sizes / n) ** -power
                centre = mean @ errors / (mean @ shape)
                off = contrast @ (errors - centre * shape)
                weight = -0.5 * off @ precision @ off + stats.norm.logpdf(np.log(power / 0.5) / 0.7)
                width = np.sqrt(mean @ noise @ mean) / (mean @ shape)
                self.curves += [(now, share, power, weight) for now in centre + width * normal]
        now, share, power, weight = np.array(self.curves).T
        kept = (now > 0) & (weight > weight.max() - 12)
        self.weights = np.repeat(np.exp(weight[kept] - weight.max()), 9)
        self.now, self.share, self.power = (np.repeat(a[kept], 9) for a in (now, share, power))
        self.stray = np.tile(np.exp(0.45 * normal), kept.sum())
        self.n, self.sizes, self.errors = n, sizes, errors
        self.standard_errors = losses.std(axis=1, ddof=1) / np.sqrt(losses.shape[1])

    def gains(self, factor):
        fall = self.now * (1 - self.share) * (1 - factor**-self.power)
        return np.minimum(fall * self.stray, self.now)

    def summary(self, values):
        """A tenth, the mean, nine tenths."""
        low, high = np.quantile(values, [0.1, 0.9], weights=self.weights, method="inverted_cdf")
        return np.array([low, np.average(values, weights=self.weights), high])

    @property
    def error_now(self):
        return self.summary(self.now)[1]

    def at(self, factor):
        """(gain low, middle, high), (error low, expected, high)."""
        gains = self.gains(factor)
        return self.summary(gains), self.summary(self.now - gains)
