"""T96's formulas as plain loops over Python floats, written from the paper and not from the code.

A test module imports it; it shares nothing with the package.
"""

from math import inf, log, nan


def q1(p, c):
    highest = max(c)
    winners = [j for j, value in enumerate(c) if value >= highest - 1e-9]
    return max(p) - sum(p[j] for j in winners) / len(winners)


def q2(p, c):
    return sum((a - b) ** 2 for a, b in zip(p, c, strict=True))


def q3(p, c):
    total = 0.0
    for a, b in zip(p, c, strict=True):
        if a > 0 and b <= 0:
            return inf
        if a > 0:
            total += 2 * a * log(a / b)
    return total


LOSSES = {"misclassification": q1, "squared": q2, "deviance": q3}


def decompose(predictions, in_bag, y, loss):
    """Rows of error, aggregated error, variance, reversed variance (eqs. 24–29), a sample each."""
    q = LOSSES[loss]
    predictions, in_bag, y = predictions.tolist(), in_bag.tolist(), [int(code) for code in y]
    k = len(predictions[0][0])
    rows = []
    for i, code in enumerate(y):
        left = [fit[i] for fit, bag in zip(predictions, in_bag, strict=True) if bag[i] == 0]
        if not left:
            rows.append([nan] * 4)
            continue
        b = len(left)
        average = [sum(c[j] for c in left) / b for j in range(k)]
        truth = [1.0 if j == code else 0.0 for j in range(k)]
        rows.append(
            [
                sum(q(truth, c) for c in left) / b,
                q(truth, average),
                sum(q(c, average) for c in left) / b,
                sum(q(average, c) for c in left) / b,
            ]
        )
    return rows
