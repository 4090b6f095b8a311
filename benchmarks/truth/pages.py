"""The pages beside the figures: every number, and the command that makes it again."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from benchmarks.truth.answers import answers_stamp
from benchmarks.truth.draws import LEFT_OUT
from benchmarks.truth.learners import NAMES
from benchmarks.truth.nulls import HANDICAPPED, PRIVATE, SHARED, SIGNAL

RESULTS = Path(__file__).parents[2] / "docs" / "results"


def markdown(table: pd.DataFrame) -> str:
    """A table with its columns as they are; numbers are already text."""
    lines = [table.columns, ["---"] * len(table.columns), *table.itertuples(index=False)]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def honesty_page(table: pd.DataFrame) -> str:
    """Type I error and power of every way to compare two learners."""
    null, power = table[table["true_difference"] == 0], table[table["true_difference"] != 0]
    return f"""{answers_stamp("honesty")}

# The certificate of honesty

How often does each test call two learners different that are equal, and how often does it see a
true difference? Made by

```
python -m benchmarks.honesty --cache DIR
```

What was measured: the t tests, 5×2cv tests, McNemar's and Wilcoxon's as they answer now. The first
line of this page's source stands for what they answer on errors dealt at random, and a test fails
where they answer otherwise. What a verdict says of two candidates on the same rows rests on another
test, over rows: that one is on the page [The lab](lab.md).

![Type I error and power of each test](honesty.svg)

**Equal by construction.** Two equally likely classes; {SHARED} Gaussian features that both learners
see, {PRIVATE} that only A sees and {PRIVATE} that only B sees, of the same distribution (squared
distance of the class means {SIGNAL:g} a block). A and B are the same method, so they are
exchangeable: neither is better, at any n. The methods: linear discriminant analysis, the nearest
neighbour (1-NN) and, at n = 50 only, an unpruned decision tree. Each sample is resampled as people
do it: 5×2, 5×5 and 10×10-fold cross-validation, and one hold-out of 30 %.

**Different by a known amount.** For power, B's private block has signal {HANDICAPPED:g} in place of
{SIGNAL:g}, which makes its expected error larger, measured over all samples, by
{_differences(power)}.

**Uncertainty.** Half the width of the 95 % binomial interval of a rate below 20 % is at most
{_width(null, null["n"] < 1000):.1f} points below n = 1,000 and {_width(null):.1f} points from there
on, where samples are fewer; every interval is in [honesty.csv](honesty.csv), with the number of
samples. Wilcoxon's test was made on the first 1,000 samples of a setting.

## Type I error at 5 %: per cent of samples of equal learners called different

{markdown(_wide(null))}

## Power at 5 %: per cent of samples in which the true difference was seen

A test that raises more false alarms than it promises has no power worth the name: read the first
rows with that in mind.

{markdown(_wide(power))}
"""


def _wide(table: pd.DataFrame) -> pd.DataFrame:
    order = ["linear", "1-NN", "tree"]
    settings = set(zip(table["learners"], table["n"], strict=True))
    columns = sorted(settings, key=lambda setting: (order.index(setting[0]), setting[1]))
    wide = 100 * table.pivot(index="way", columns=["learners", "n"], values="different")
    wide = wide.loc[table["way"].unique(), columns].map("{:.1f}".format)
    wide.columns = [f"{learner} {n}" for learner, n in columns]
    return wide.reset_index(names="way of comparing, learners and n")


def _differences(power: pd.DataFrame) -> str:
    groups = power.groupby("learners", sort=False)["true_difference"]
    return " and ".join(
        f"{low:.1f} to {high:.1f} points ({name})"
        for (name, low), high in zip(groups.min().items(), groups.max(), strict=True)
    )


def _width(table: pd.DataFrame, rows: pd.Series | bool = True) -> float:
    small = table[rows & (table["different"] < 0.2)]
    return float(100 * (small["high"] - small["low"]).max() / 2)


_WHAT_THE_COLUMNS_MEAN = """\
**Regret**: true error of the pick less that of the truly best learner, in points. **Beyond**:
regret less that of the lowest mean on the same draws. Means over data sets, ± standard errors over
data sets. **Simple**: picks at logistic regression or simpler. **Position**: mean place of the pick
in the order of simplicity, from 0. **Undecided**: where a rule names nobody it falls back on the
lowest mean; "regret decided" is the mean over the draws on which it named somebody. An oracle sees
the truth: nobody can do as well.
"""


def truth_page(
    table: pd.DataFrame,
    sizes: pd.DataFrame,
    chosen: pd.DataFrame,
    menus: pd.DataFrame,
    picks: pd.DataFrame,
) -> str:
    """Regret and simplicity of every rule; ``chosen``: the choice made on other data sets."""
    return f"""{answers_stamp("truth")}

# The truth lab

What does a rule for choosing a learner cost on cases nobody has seen? Made by

```
python -m benchmarks.truth fit --data DIR --cache DIR
python -m benchmarks.truth report --cache DIR
```

What was measured: the rules below as they choose now. The first line of this page's source stands
for whom they choose by errors dealt at random, and a test fails where they choose otherwise.

![Regret against simplicity](truth.svg)

{_how_it_was_measured(picks)}
{_WHAT_THE_COLUMNS_MEAN}
{markdown(_rule_rows(table, sizes))}

## Chosen without looking

A winner picked from the table above is flattered by it. So here a rule is chosen for each data set
on the others alone: of all rules whose regret there is at most 0.2 points beyond the lowest mean's,
the one of lowest mean position. What it then does on the data set left out (the choices share most
of their data, so fourteen equal choices are not fourteen confirmations):

{markdown(_chosen_rows(chosen))}

## Other menus of learners

The same draws, with some of the learners only. "Simple" is again logistic regression or simpler.

{markdown(_menu_rows(menus))}
"""


def _how_it_was_measured(picks: pd.DataFrame) -> str:
    populations = list(picks["population"].unique())
    draws = _span(picks.groupby(["population", "n"])["draw"].nunique())
    sizes_drawn = sorted(picks["n"].unique())
    return f"""**Populations**: {", ".join(populations)}.
From each, {draws} small sets of each of {", ".join(map(str, sizes_drawn))} cases.

**Learners**, simplest first: {", ".join(NAMES)}.
On each small set all of them are cross-validated, 5×2 for the paper's methods and 5×5-fold for all
others, then refitted on the whole set and measured on up to {LEFT_OUT:,} of the cases left out:
that is the truth.
"""


def _menu_rows(menus: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "learners": menus["menu"],
            "rule": menus["rule"],
            "regret": _plus_minus(menus["regret"], menus["regret_se"]),
            "beyond": _plus_minus(menus["excess"], menus["excess_se"]),
            "simple, %": (100 * menus["simple"]).map("{:.0f}".format),
        }
    )


def _span(counts: pd.Series) -> str:
    low, high = counts.min(), counts.max()
    return f"{low}" if low == high else f"{low} to {high}"


def _rule_rows(table: pd.DataFrame, sizes: pd.DataFrame) -> pd.DataFrame:
    wide = sizes.pivot(index="rule", columns="n", values="regret").loc[table["rule"]]
    columns = {
        "rule": table["rule"],
        "regret": _plus_minus(table["regret"], table["regret_se"]),
        "beyond": _plus_minus(table["excess"], table["excess_se"]),
        "simple, %": (100 * table["simple"]).map("{:.0f}".format),
        "position": table["position"].map("{:.2f}".format),
        "undecided, %": (100 * table["undecided"]).map("{:.1f}".format),
        "regret decided": table["decided_regret"].map("{:.2f}".format).replace("nan", "–"),
    }
    columns |= {f"n = {n}": wide[n].map("{:.2f}".format).to_numpy() for n in wide.columns}
    return pd.DataFrame(columns)


def _chosen_rows(chosen: pd.DataFrame) -> pd.DataFrame:
    groups = chosen.groupby("population")
    means = groups[["regret", "excess", "simple"]].mean()
    rows = pd.DataFrame(
        {
            "data set": means.index,
            "rule chosen on the others": groups["chosen"].first(),
            "regret": means["regret"].map("{:.2f}".format),
            "beyond": means["excess"].map("{:+.2f}".format),
            "simple, %": (100 * means["simple"]).map("{:.0f}".format),
        }
    )
    total = means.mean()
    error = means.sem()
    rows.loc["all"] = [
        "**all**",
        "",
        f"{total['regret']:.2f} ± {error['regret']:.2f}",
        f"{total['excess']:+.2f} ± {error['excess']:.2f}",
        f"{100 * total['simple']:.0f}",
    ]
    return rows


def _plus_minus(values: pd.Series, errors: pd.Series) -> list[str]:
    return [f"{v:.2f} ± {e:.2f}" for v, e in zip(values, errors, strict=True)]
