"""How often the trace's tests and the recalibration are right, where the truth is known.

    python benchmarks/validation_power.py --output docs/results [--repetitions 100] [--seed 0]

True probabilities are drawn from a Dirichlet law, classes from them; what the "learner" says is a
distortion of the truth. Since the truth is known, so is the expected log loss before and after
recalibration, and whether a chosen recalibration truly gains.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from polychotomy.validation import check_forecasts, probability_trace, recalibrate
from polychotomy.validation.trust import compare_confidence
from simulated_pages import make_page, repeat_command, table_lines
from stamps import stamps

DISTORTIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "none": lambda p: p,
    "too sure (p^1.5)": lambda p: p**1.5,
    "too sure (p^3)": lambda p: p**3,
    "too cautious (p^0.67)": lambda p: p**0.67,
    "class 0 thrice too likely": lambda p: np.column_stack([3 * p[:, 0], p[:, 1:]]),
}
LEVEL = 0.05
RULES = ("validation/trace.py", "validation/recalibration.py", "validation/trust.py")


def said(distort: Callable[[np.ndarray], np.ndarray], p: np.ndarray) -> np.ndarray:
    q = distort(np.maximum(p, 1e-9))
    return q / q.sum(axis=1, keepdims=True)


def expected_loss(truth: np.ndarray, q: np.ndarray) -> float:
    return float(-(truth * np.log(np.maximum(q, 1e-6))).sum(axis=1).mean())


def one_trial(
    rng: np.random.Generator, n: int, k: int, distort: Callable[[np.ndarray], np.ndarray]
) -> dict[str, float]:
    p = rng.dirichlet(np.full(k, 2.0 / k), size=n)
    y = (rng.random((n, 1)) > p.cumsum(axis=1)[:, :-1]).sum(axis=1)
    q = said(distort, p)
    null = probability_trace(q, y).null_band(99, random_state=rng)
    found = recalibrate(q, y, alpha=LEVEL)
    *_, confidence_pvalue = compare_confidence(check_forecasts(q, y))
    truth = rng.dirichlet(np.full(k, 2.0 / k), size=5000)
    new = said(distort, truth)
    gain = expected_loss(truth, new) - expected_loss(truth, found.calibrator.apply(new))
    return {
        "r rejects": null.pvalue_r <= LEVEL,
        "slope rejects": null.pvalue_slope <= LEVEL,
        "band left": null.pvalue_band <= LEVEL,
        "trace rejects": null.pvalue <= LEVEL,
        "confidence rejects": confidence_pvalue <= LEVEL,
        "suspected": 2 * min(null.pvalue, confidence_pvalue) <= LEVEL or found.chosen != "none",
        "recalibrated": found.chosen != "none",
        "chosen gains": gain > 0 if found.chosen != "none" else np.nan,
        "true gain": gain,
    }


def table(repetitions: int, seed: int) -> pd.DataFrame:
    rows = []
    for name, distort in DISTORTIONS.items():
        for n in (50, 200, 1000):
            for k in (2, 5):
                rng = np.random.default_rng([seed, n, k, len(rows)])
                trials = pd.DataFrame([one_trial(rng, n, k, distort) for _ in range(repetitions)])
                rows.append({"distortion": name, "n": n, "k": k, **trials.astype(float).mean()})
    return pd.DataFrame(rows)


def percent(share: float) -> str:
    return "–" if np.isnan(share) else f"{100 * share:.1f} %"


def summary(frame: pd.DataFrame, repetitions: int) -> str:
    honest = frame[frame["distortion"] == "none"].mean(numeric_only=True).map(percent)
    chosen = frame["recalibrated"] * repetitions
    right = float((frame["chosen gains"].fillna(0) * chosen).sum() / max(chosen.sum(), 1))
    return (
        f"True probabilities are rejected at the 5 % level in {honest['r rejects']} (r), "
        f"{honest['slope rejects']} (slope), {honest['band left']} (band), "
        f"{honest['trace rejects']} (trace: the three together) and "
        f"{honest['confidence rejects']} (confidence) of cases (standard error of one cell "
        f"{percent(np.sqrt(0.05 * 0.95 / repetitions))}), recalibrated in "
        f"{honest['recalibrated']}, and suspected by `assess_trust`, all in all, in "
        f"{honest['suspected']}. Over all rows, {percent(right)} of the "
        f"{chosen.sum():.0f} recalibrations that were chosen truly gain."
    )


def markdown(frame: pd.DataFrame, repetitions: int, seed: int) -> str:
    lines = [
        [*map(str, row[:3]), *map(percent, row[3:-1]), f"{row[-1]:.4f}"]
        for row in frame.itertuples(index=False)
    ]
    return f"""{stamps(RULES)}

# Trace and recalibration where the truth is known

True probabilities come from a Dirichlet law, classes from them, and the learner says a distortion
of the truth. {repetitions} repetitions for each row, level 5 %, 99 simulations for each test.
*Chosen gains*: the share of the recalibrations chosen that lower the expected log loss, which is
known; *true gain*: how much it falls, the mean over all repetitions.

{summary(frame, repetitions)}

{table_lines(frame.columns, lines)}

Two things to take home. With few cases only gross distortions can be told from chance, and the
probabilities are then left as they are. And the trace pools the classes: with five of them its r
and slope hardly see one being favoured, which recalibration does; `assess_trust` therefore listens
to trace, confidence and recalibration (*suspected*).

{repeat_command("validation_power", repetitions, seed)}"""


def main() -> None:
    make_page("validation_power", __doc__, repetitions=100, table=table, markdown=markdown)


if __name__ == "__main__":
    main()
