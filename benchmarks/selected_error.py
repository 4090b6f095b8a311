"""Is the winner's error right once it is corrected for the choice, where the truth is known?

    python benchmarks/selected_error.py --output docs/results [--repetitions 400] [--seed 0]

Learners with known error rates err on samples drawn at random; a rule chooses one of them from its
folds, and ``selected_error`` says what to expect of it. Its correction is √2 times the optimism
that it finds by the bootstrap: here that factor stands beside others (none, 1, 2), and beside the
mean loss on samples left out (Tsamardinos et al., 2018, "BBC-CV"), which is the error of choosing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import ndtri

from polychotomy.comparison.selected_error import lowest_mean, selected_error
from polychotomy.verdict.conclusions import chooser
from polychotomy.verdict.question import Question
from simulated_pages import make_page, repeat_command, table_lines

REPLICATES = 200
SHARED = (
    0.0,
    0.7,
)  # correlation of the learners' errors on a sample, before they are cut at 0 or 1
FACTORS = {"as seen": 0.0, "× 1": 1.0, "× √2": np.sqrt(2.0), "× 2": 2.0}


class Setting(NamedTuple):
    name: str
    rule: str
    errors: list[float]  # true ones
    n: int
    choose: Callable[[np.ndarray], np.ndarray]
    shape: tuple[int, int] = (1, 5)  # repetitions, folds


MARGIN, PAPER = chooser(Question(margin=0.01)), chooser(Question(rule="paper"))
SETTINGS = (
    Setting("20 equal ones", "lowest mean", [0.3] * 20, 100, lowest_mean),
    Setting("20 equal ones, more data", "lowest mean", [0.3] * 20, 1000, lowest_mean),
    Setting("5, 2 points apart", "lowest mean", [0.3, 0.28, 0.26, 0.24, 0.22], 100, lowest_mean),
    Setting("3, 2 points apart", "lowest mean", [0.3, 0.28, 0.26], 150, lowest_mean),
    Setting("a guess and 3", "margin", [0.6, 0.4, 0.38, 0.37], 60, MARGIN),
    Setting("a guess and 3", "paper", [0.6, 0.4, 0.38, 0.37], 60, PAPER, (5, 2)),
    Setting("a ladder of 7", "margin", [0.6, 0.3, 0.28, 0.25, 0.24, 0.24, 0.23], 150, MARGIN),
    Setting("a guess and 5 good ones", "margin", [0.6, 0.1, 0.1, 0.1, 0.12, 0.09], 60, MARGIN),
)


def draw_losses(
    rng: np.random.Generator, setting: Setting, shared: float
) -> tuple[np.ndarray, np.ndarray]:
    """Losses (m, repetitions, n), the same in every repetition, and folds (repetitions, n)."""
    repetitions, folds = setting.shape
    own = rng.standard_normal((len(setting.errors), setting.n))
    hard = np.sqrt(shared) * rng.standard_normal(setting.n) + np.sqrt(1 - shared) * own
    wrong = (hard < ndtri(setting.errors)[:, None]).astype(float)
    parts = np.stack([rng.permutation(setting.n) % folds for _ in range(repetitions)])
    return np.repeat(wrong[:, None], repetitions, axis=1), parts


def one_trial(rng: np.random.Generator, setting: Setting, shared: float) -> dict[str, float]:
    """How far each estimate is from the true error of the learner that was chosen."""
    losses, folds = draw_losses(rng, setting, shared)
    found = selected_error(
        losses, folds, choose=setting.choose, n_replicates=REPLICATES, random_state=rng
    )
    truth = setting.errors[found.best]
    optimism = (found.corrected - found.plain) / np.sqrt(2.0)
    left_out = optimism + float(found.shares @ losses.mean(axis=(1, 2)))
    return {
        "true error": truth,
        **{name: found.plain + factor * optimism - truth for name, factor in FACTORS.items()},
        "BBC-CV": left_out - truth,
        "covered": float(found.low <= truth <= found.high),
    }


def table(repetitions: int, seed: int) -> pd.DataFrame:
    rows = []
    for shared in SHARED:
        for setting in SETTINGS:
            rng = np.random.default_rng([seed, len(rows)])
            trials = pd.DataFrame([one_trial(rng, setting, shared) for _ in range(repetitions)])
            off = trials.drop(columns=["true error", "covered"])
            rows.append(
                {
                    "learners": setting.name,
                    "rule": setting.rule,
                    "n": setting.n,
                    "shared": shared,
                    "true error": trials["true error"].mean(),
                    **off.mean().add_prefix("bias "),
                    "standard error": off["× √2"].std(ddof=1) / np.sqrt(repetitions),
                    **off[["as seen", "× √2", "BBC-CV"]].abs().mean().add_prefix("off by "),
                    "covered": trials["covered"].mean(),
                }
            )
    return pd.DataFrame(rows)


def summary(frame: pd.DataFrame) -> str:
    biases = frame[[name for name in frame.columns if name.startswith("bias ")]]
    typical = (100 * biases.abs().mean()).map("{:.2f}".format)
    worst = (100 * biases.abs().max()).map("{:.1f}".format)
    said = ", ".join(
        f"{name.removeprefix('bias ')} {typical[name]} ({worst[name]})" for name in biases
    )
    return (
        f"Mean size of the bias over all rows, in points, and the largest: {said}. The 95 % "
        f"interval holds the true error in {frame['covered'].min():.0%} to "
        f"{frame['covered'].max():.0%} of samples."
    )


def markdown(frame: pd.DataFrame, repetitions: int, seed: int) -> str:
    lines = []
    for row in frame.itertuples(index=False):
        learners, rule, n, shared, truth, *numbers, covered = row
        biases, others = numbers[: len(FACTORS) + 1], numbers[len(FACTORS) + 1 :]
        cells = [learners, rule, str(n), f"{shared:g}", f"{100 * truth:.1f}"]
        cells += [f"{100 * bias:+.2f}" for bias in biases] + [f"{100 * one:.2f}" for one in others]
        lines.append([*cells, f"{covered:.1%}"])
    return f"""# The winner's error, corrected for the choice

Who was chosen for a low error was lucky, too: its error as seen is too low. `selected_error` draws
samples anew, lets the rule choose again, and sees how much the chosen one loses more on the samples
not drawn: the optimism. √2 times that is added to the error as seen. Here the learners' true errors
are known. {repetitions} samples a row, {REPLICATES} bootstrap draws each; *shared* is the
correlation of the learners' errors on one sample (of the normals behind them). All in points:
*bias* is the mean of estimate less truth, of the error as seen plus so many times the optimism, and
of BBC-CV (the mean loss on samples not drawn, whoever was chosen); *standard error* is that of the
bias with √2; *off by* is the mean distance from the truth.

{summary(frame)}

{table_lines(frame.columns, lines)}

With equal learners BBC-CV and √2 agree, and BBC-CV varies a little less. Where the rule wavers
between learners that differ, as the paper's does on few samples, BBC-CV counts the errors of those
that were not taken. A factor of 1 corrects too little, since a draw has
the samples' noise twice, once as theirs and once as its own; chance then decides with twice the
variance, and is optimistic by 1/√2 of what it does on the samples themselves.

{repeat_command("selected_error", repetitions, seed)}"""


def main() -> None:
    make_page("selected_error", __doc__, repetitions=400, table=table, markdown=markdown)


if __name__ == "__main__":
    main()
