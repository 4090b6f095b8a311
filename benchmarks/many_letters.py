"""Learners that take ten classes at most, on more: codes over letters beside other ways.

    python benchmarks/many_letters.py --data DIR [--output docs/results] [--seeds 1] [--tabpfn 10]

DIR holds ``letter.csv.gz`` (26 classes) and ``leaf_margin.csv.gz`` (100), last column ``class``.
The learners are extra trees and logistic regression, kept to ten classes by force, and with
``--tabpfn`` TabPFN's first model, which takes ten by itself. Beside
``CodedClassifier(learner, classes_at_most=10)``: the learner without a limit, and the many-class
wrapper of ``tabpfn-extensions`` where that can be imported. *Fits* counts those of the temperature,
too. What is found is kept in ``many_letters.csv``, and what is there already is not done again.

None of these is a requirement of polychotomy; in an environment of their own::

    pip install torch tabpfn-extensions && pip install --no-deps tabpfn==0.1.11
    # weights (Apache-2.0), from the source distribution of pfns 0.3.0:
    cp pfns-0.3.0/models_diff/*.cpkt SITE-PACKAGES/tabpfn/models_diff/
"""

from __future__ import annotations

import argparse
import functools
import typing
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_array, check_X_y

from polychotomy.calibration.temperature import fit_exponent_and_share, sharpen
from polychotomy.codes import balanced
from polychotomy.decoding import decode_letters
from polychotomy.multiclass import CodedClassifier
from polychotomy.multiclass.letters import name_and_rest

MOST, LOWEST = 10, 1e-6
ROWS = {"letter": 8, "leaf_margin": 12}
LEARNERS = {
    "extra trees": ExtraTreesClassifier(100, random_state=0),
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=200)),
}
TABPFN = "TabPFN 0.1.11"
SAMPLES = {TABPFN: (1000, 500)}  # to train on, to test on; it is made for 1,000
OTHERS = (1200, 1200)
LEAVES = 3  # splits of leaf_margin for it: sixty forward passes each
KEYS = ["data", "learner", "seed"]


class Limited(ClassifierMixin, BaseEstimator):
    """A learner that refuses more than ten classes."""

    def __init__(self, learner: Any = None) -> None:
        self.learner = learner

    def fit(self, X: Any, y: Any) -> Limited:
        self.classes_ = np.unique(y)
        if self.classes_.size > MOST:
            raise ValueError(f"{self.classes_.size} classes, {MOST} at most")
        self.model_ = clone(self.learner).fit(X, y)
        return self

    def predict_proba(self, X: Any) -> Any:
        return self.model_.predict_proba(X)

    def predict(self, X: Any) -> Any:
        return self.model_.predict(X)


def tabpfn() -> Any:
    """TabPFN's first model; it is older than the torch and the scikit-learn of today."""
    import torch

    torch.set_num_threads(1)
    torch.load = functools.partial(torch.load, weights_only=False)
    torch.nn.modules.transformer.Optional = typing.Optional
    import tabpfn as package
    from tabpfn.scripts import transformer_prediction_interface as interface

    package.TabPFNRegressor = None  # tabpfn-extensions asks for it
    interface.check_X_y = lambda X, y, **_: check_X_y(X, y, ensure_all_finite=False)
    interface.check_array = lambda X, **_: check_array(X, ensure_all_finite=False)
    return package.TabPFNClassifier(device="cpu", N_ensemble_configurations=1, seed=0)


def answers(
    learner: Any, limited: Any, X: Any, y: Any, Z: Any, length: int, seed: int
) -> Iterator[tuple[str, int, Any]]:
    """Names of models, their numbers of fits, and probabilities for Z."""
    train, test = train_test_split(
        np.arange(y.size), test_size=1 / 3, stratify=y, random_state=seed
    )
    k = np.unique(y).size
    if limited is not learner:
        yield "learner without a limit", 1, clone(learner).fit(X, y).predict_proba(Z)
    for fits in (length, 2 * length):
        rows = 2 * fits // 3  # and half as many for the temperature
        code = balanced(k, MOST, length=rows, random_state=seed)
        model = CodedClassifier(limited, classes_at_most=MOST, code=code, cv=[(train, test)])
        said = model.fit(X, y).predict_letters(Z)
        yield "as decoded", rows, (decoded := decode_letters(code, said))
        # What predict_proba gives, without asking every learner a second time.
        p = sharpen(decoded, model.temperature_, share=k * model.floor_)
        yield "with temperature", rows + -(-rows // 2), p
    if limited is not learner:
        on_all = [
            clone(learner).fit(X[train], row[y[train]]).predict_proba(X[test]) for row in code
        ]
        asked = decode_letters(code, np.stack(on_all, axis=1)), y[test], np.ones(test.size)
        exponent, share = fit_exponent_and_share(*asked)
        p = sharpen(decode_letters(code, said), exponent, share=share)
        yield "with temperature of all rows", 2 * rows, p
        named = name_and_rest(k, MOST, length=length, random_state=seed)
        model = CodedClassifier(limited, classes_at_most=MOST, code=named, cv=[(train, test)])
        p = model.fit(X, y).predict_proba(Z)
        apart = np.unique(named[: -(-length // 2)], axis=1).shape[1] == k
        fits = length + (-(-length // 2) if apart else length)
        yield "with temperature, nine classes named", fits, p
    try:
        from tabpfn_extensions.many_class import ManyClassClassifier
    except ImportError:
        return
    for rows in (length, 2 * length):
        peer = ManyClassClassifier(
            limited, alphabet_size=MOST, n_estimators=rows, random_state=seed
        )
        yield "tabpfn-extensions", rows, peer.fit(X, y).predict_proba(Z)


def measure(folder: Path, asked: dict[str, tuple[Any, int]], kept: Path) -> pd.DataFrame:
    """Measure each learner over its number of seeds, but for what has been kept."""
    found = pd.read_csv(kept) if kept.exists() else pd.DataFrame(columns=KEYS)
    turns = [(s, d, name) for name, (_, n) in asked.items() for s in range(n) for d in ROWS]
    for seed, name, learner in sorted(turns, key=lambda turn: turn[0]):
        if (learner, name) == (TABPFN, "leaf_margin") and seed >= LEAVES:
            continue
        if (found[KEYS] == [name, learner, seed]).all(axis=1).any():
            continue
        table = pd.read_csv(folder / f"{name}.csv.gz")
        labels = np.unique(table.pop("class").astype(str), return_inverse=True)[1]
        size, tested = SAMPLES.get(learner, OTHERS)
        X, rest, y, others = train_test_split(
            table.to_numpy(float), labels, train_size=size, stratify=labels, random_state=seed
        )
        Z, z, estimator = rest[:tested], others[:tested], asked[learner][0]
        limited = estimator if learner == TABPFN else Limited(estimator)
        rows = []
        for model, fits, p in answers(estimator, limited, X, y, Z, ROWS[name], seed):
            row = {"data": name, "learner": learner, "seed": seed, "model": model, "fits": fits}
            row["log_loss"] = float(-np.log(np.maximum(p[np.arange(z.size), z], LOWEST)).mean())
            rows.append(row | {"error": float((p.argmax(axis=1) != z).mean())})
            print(*rows[-1].values(), flush=True)
        found = pd.concat([found, pd.DataFrame(rows)]) if len(found) else pd.DataFrame(rows)
        found.to_csv(kept, index=False, float_format="%.5f")
    return found


def markdown(found: pd.DataFrame) -> str:
    lines = [
        "# More classes than a learner takes",
        f"Learners of {MOST} classes at most: extra trees and logistic regression, kept to that by "
        f"force ({OTHERS[0]} training samples, {OTHERS[1]} to test on, or what is left), and "
        f"{TABPFN}, a pretrained transformer that takes no more, without ensembling "
        f"({SAMPLES[TABPFN][0]} and {SAMPLES[TABPFN][1]}). *Fits* counts those of the temperature, "
        "learned on a third of the training samples from half of the code's rows, or where it "
        "says so from all of them, which is an earlier run. Means over "
        "splits, ± standard errors. The peer is the many-class wrapper of tabpfn-extensions. "
        "Letters of several classes each suit learners that can draw any boundary; a linear one is "
        "better served by rows that name nine "
        'classes and have one letter for the rest, which `code="auto"` makes for logistic models.',
        "| data | learner | splits | model | fits | log loss | error |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for key, part in found.groupby(["data", "learner", "model", "fits"], sort=False):
        n, cells = len(part), []
        for column in ("log_loss", "error"):
            spread = f" ± {part[column].sem():.3f}" if n > 1 else ""
            cells.append(f"{part[column].mean():.3f}{spread}")
        lines.append("| " + " | ".join([*key[:2], str(n), *map(str, key[2:]), *cells]) + " |")
    most = found.groupby(found["learner"] == TABPFN)["seed"].max() + 1
    seeds = f"--seeds {most.get(False, 0)} --tabpfn {most.get(True, 0)}"
    end = f"Repeat with `python benchmarks/many_letters.py --data DIR {seeds}`."
    lines += ["", *ratios(found), "", end]
    return "\n\n".join(lines[:2]) + "\n\n" + "\n".join(lines[2:]) + "\n"


def ratios(found: pd.DataFrame) -> Iterator[str]:
    """Log loss beside the peer's with as many fits, split by split."""
    yield "Log loss as a share of the peer's with as many fits or more (of the means), and error:"
    yield ""
    for (name, learner), part in found.groupby(["data", "learner"], sort=False):
        length, said = ROWS[name], []
        each = part.set_index(["model", "fits", "seed"])[["log_loss", "error"]].sort_index()
        for model, fits in dict.fromkeys(each.index.droplevel("seed")):
            peers = [n for n in (length, 2 * length) if n >= fits]
            if not peers or not model.startswith(("as", "with")):
                continue
            if ("tabpfn-extensions", peers[0]) not in each.index:
                continue
            ours, peer = each.loc[(model, fits)], each.loc[("tabpfn-extensions", peers[0])]
            less = 100 * float((ours["error"] - peer["error"]).mean())
            share = float(ours["log_loss"].mean() / peer["log_loss"].mean())
            of = f"{fits} fits, {peers[0]}"
            said.append(f"{model} ({of}) {share:.2f}, {less:+.1f} points")
        if said:
            yield f"- {name}, {learner}: " + "; ".join(said) + "."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path, default=Path("docs/results"))
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--tabpfn", type=int, default=0, metavar="SEEDS")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    asked: dict[str, tuple[Any, int]] = {}
    if arguments.tabpfn:
        asked[TABPFN] = tabpfn(), arguments.tabpfn
    asked |= {name: (learner, arguments.seeds) for name, learner in LEARNERS.items()}
    found = measure(arguments.data, asked, arguments.output / "many_letters.csv")
    page = markdown(found.sort_values(["learner", "data"], kind="stable"))
    (arguments.output / "many_letters.md").write_text(page)
    print(page)


if __name__ == "__main__":
    main()
