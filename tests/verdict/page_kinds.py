"""The studies behind the pages whose claims are computed again: small, run by the product."""

import numpy as np
import pandas as pd
from page_recount import Recount
from page_world import World
from sklearn.datasets import load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

from polychotomy import import_predictions, judge
from polychotomy.app.judging import draw_verdict, prepare
from polychotomy.app.many_tables import judge_predictions
from polychotomy.app.request import Request
from polychotomy.study import Ledger, Study
from polychotomy.study.ledger.export import export_predictions
from polychotomy.verdict import Question, conclude
from polychotomy.verdict.question import criterion_of, plan_of
from polychotomy.verdict.running import run_study

COSTS = [[0, 1, 1], [5, 0, 1], [1, 1, 0]]
KINDS = [
    "error", "log-loss", "auc", "cost", "paper", "race", "failure", "noise", "guess", "perfect",
    "groups", "groups perfect", "recalibrated", "recalibrated simpler", "recalibrated guess",
    "nobody", "alone", "tiny", "time perfect", "many classes", "two classes", "elsewhere",
    "elsewhere labels", "slice",
]  # fmt: skip


class Fickle(LinearDiscriminantAnalysis):
    """A candidate that some training sets do not suit."""

    def fit(self, X, y):
        if X[0, 0] > 13.9:
            raise ValueError("no luck today")
        return super().fit(X, y)


def candidates():
    return {
        "MAX": DummyClassifier(),
        "1-NN": KNeighborsClassifier(1),
        "LDA": LinearDiscriminantAnalysis(),
        "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
    }


def too_sure(copies):
    """Naive Bayes that counts the same evidence several times."""
    again = FunctionTransformer(np.tile, kw_args={"reps": (1, copies)})
    return make_pipeline(again, GaussianNB())


def wine():
    X, y = load_wine(return_X_y=True)
    return X[:, :5], y


def apart():
    """Classes that nobody can take for each other."""
    X, y = wine()
    X[:, 0] += 100 * y
    return X, y


# --- a verdict, and what its ledger holds -------------------------------------------------------


def world_of(study, ledger, question, folder, *, anatomy=True, verdict=None):
    """The world of a verdict: nothing but what its ledger holds is used."""
    verdict = verdict or conclude(study, ledger, question, anatomy=anatomy)
    path = folder / f"{len(list(folder.iterdir()))}.csv"
    export_predictions(ledger, path)
    table = pd.read_csv(path, dtype={"truth": str, "predicted": str})
    stopped = [one["candidate"] for one in ledger.stopped()]
    trials = pd.DataFrame(ledger.trials())
    failed = set(trials[trials["status"] != "ok"]["candidate"]) | set(stopped)
    names = [name for name in preferred(question.prefer, study, table, trials)
             if name not in failed]  # fmt: skip
    costs = question.criterion.costs
    recount = Recount(table, names, rule=question.rule, margin=question.margin,
                      loss=question.criterion.name if costs is None else costs.tolist(),
                      runs=study.plan.runs, rows=len(study.y),
                      time=study.time, groups=study.groups)  # fmt: skip
    limits = {}
    if verdict.anatomy is not None:
        limits["bags"] = {n: ledger.bootstrap_predictions(n) for n in verdict.anatomy.budgets}
        limits["sizes"] = ledger.size_errors(verdict.best)
    who = study.candidates.items()
    more = (ledger.fact("columns") or {}).get(study.dataset, {}).values()
    limits["more"] = [sum(one.get(part, 0) for one in more) for part in ("fits", "seconds")]
    return World(
        verdict, recount, table, trials, left=stopped, groups=study.groups, times=study.time,
        prefer=question.prefer, race=question.race, columns=np.shape(study.X)[1], study=study,
        guessing=[name for name, one in who if isinstance(one, DummyClassifier)],
        hard=[name for name, one in who if not hasattr(one, "predict_proba")], **limits,
    )  # fmt: skip


def preferred(prefer, study, table, trials):
    """Names in order of preference: as listed, the quickest first, or the smallest."""
    own = trials[(trials["plan"] == study.plan.name) & (trials["status"] == "ok")]
    if prefer == "time":
        spent = (own["fit_seconds"] + own["predict_seconds"]).groupby(own["candidate"]).mean()
        return sorted(study.candidates, key=spent.get)
    if prefer == "memory":
        return sorted(study.candidates, key=table.groupby("candidate")["model_bytes"].first().get)
    return list(study.candidates)


def judged(folder, who, data, *, runs=1, plan="5x5", groups=None, anatomy=False, **asked):
    """The world of a study like most: 5×5 folds, or as the paper's rule has it."""
    question = Question(**asked)
    study = Study(
        who,
        *data,
        groups=groups,
        plan=plan_of(question.rule, runs, plan=None if question.rule == "paper" else plan)[0],
    )
    with run_study(study, question, Ledger(), anatomy=anatomy) as ledger:
        return world_of(study, ledger, question, folder, anatomy=anatomy)


# --- kinds --------------------------------------------------------------------------------------


class Worlds:
    """The worlds by kind, each made when it is first asked for."""

    def __init__(self, base, error_world, folder):
        self.base, self.folder, self.made = base, folder, {"error": error_world}

    def __getitem__(self, kind):
        if kind not in self.made:
            self.made[kind] = self.make(kind)
        return self.made[kind]

    def values(self):
        return [self[kind] for kind in KINDS]

    def make(self, kind):
        again = {  # other questions to the same study
            "log-loss": Question(criterion=criterion_of("log-loss")),
            "auc": Question(criterion=criterion_of("auc"), against="tree", margin=0.12),
            "cost": Question(criterion=criterion_of(COSTS)),
        }
        if kind in again:
            return world_of(*self.base, again[kind], self.folder)
        folder = self.folder / kind
        folder.mkdir()
        return globals()[f"_{kind.replace(' ', '_')}"](folder)


def _paper(folder):
    return judged(folder, candidates(), wine(), rule="paper", runs=3)


def _race(folder):
    who = candidates()
    return judged(folder, {name: who[name] for name in ("LDA", "MAX", "1-NN")}, wine(), race=True)


def _twins():
    return {
        "MAX": DummyClassifier(),
        "LDA": LinearDiscriminantAnalysis(),
        "twin": LinearDiscriminantAnalysis(solver="lsqr"),
        "fickle": Fickle(),
    }


def _failure(folder):
    return judged(folder, _twins(), wine())


def _slice(folder):
    """Labels are drawn at random where the second column is high."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = np.where(X[:, 1] > 0.8, rng.integers(2, size=300), X[:, 0] > 0)
    who = {"MAX": DummyClassifier(), "LDA": LinearDiscriminantAnalysis()}
    return judged(folder, who, (X, y), plan="1x5")


def _perfect(folder):
    return judged(folder, _twins(), apart(), anatomy=True)


def _noise(folder):
    X, y = wine()
    return judged(folder, candidates(), (X, np.random.default_rng(0).permutation(y)))


def _guess(folder):
    X, y = wine()
    lopsided = np.random.default_rng(1).choice(3, size=len(y), p=[0.7, 0.15, 0.15])
    return judged(folder, candidates(), (X, lopsided))


def _groups(folder):
    """Rows that belong together by threes; the quickest candidate is preferred."""
    who = candidates()
    listed = {"forest": RandomForestClassifier(10, random_state=0)}
    listed |= {name: who[name] for name in ("LDA", "tree", "MAX")}
    groups = np.arange(178) // 3
    return judged(folder, listed, wine(), groups=groups, prefer="time", anatomy=True)


def _groups_perfect(folder):
    who = {"MAX": DummyClassifier(), "LDA": LinearDiscriminantAnalysis()}
    return judged(folder, who, apart(), groups=np.arange(178) // 3, plan="1x5")


def _recalibrated(folder):
    """One is better than a stump, were it not so sure; the smallest candidate is preferred."""
    who = {"sure": too_sure(5), "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
           "MAX": DummyClassifier()}  # fmt: skip
    return judged(folder, who, wine(), criterion=criterion_of("log-loss"), prefer="memory")


def _recalibrated_simpler(folder):
    """A simpler one would come within the margin, were it not so sure."""
    who = {"MAX": DummyClassifier(), "sure": too_sure(6), "LDA": LinearDiscriminantAnalysis()}
    return judged(folder, who, wine(), criterion=criterion_of("brier"), margin=0.03)


def _recalibrated_guess(folder):
    """One that is so sure of its errors is worse than guessing."""
    who = {"MAX": DummyClassifier(), "sure": too_sure(5)}
    return judged(folder, who, wine(), criterion=criterion_of("log-loss"))


def _nobody(folder):
    """A race in which all reach the end; the one chosen gives labels only."""
    who = candidates()
    listed = {"MAX": who["MAX"], "ridge": RidgeClassifier(), "tree": who["tree"],
              "9-NN": KNeighborsClassifier(9)}  # fmt: skip
    return judged(folder, listed, wine(), race=True)


def _alone(folder):
    return judged(folder, {"LDA": LinearDiscriminantAnalysis()}, wine(), race=True)


def _tiny(folder):
    who = {"MAX": DummyClassifier(), "LDA": LinearDiscriminantAnalysis()}
    return judged(folder, who, apart(), criterion=criterion_of("log-loss"))


def _time_perfect(folder):
    """Rows in order of time, of which the first are never predicted; no error in the others."""
    X, y = apart()
    order = np.random.default_rng(0).permutation(len(y))
    study = Study(_twins(), X[order], y[order], time=np.arange(len(y)),
                  plan=plan_of("margin", in_time=True)[0])  # fmt: skip
    with run_study(study, Question(), Ledger()) as ledger:
        return world_of(study, ledger, Question(), folder)


# --- the built-in candidates, on rows in order of time ------------------------------------------


def in_time(folder, classes, rows, **asked):
    """A table on disk, judged as the command does, by all built-in candidates that it affords."""
    rng = np.random.default_rng(classes)
    y = np.concatenate([rng.permutation(classes) for _ in range(-(-rows // classes))])[:rows]
    X = np.column_stack([y % 6, y // 6]) + rng.normal(scale=0.45, size=(rows, 2))
    table = pd.DataFrame(X, columns=["width", "height"]).assign(day=np.arange(rows), kind=y)
    path = folder / "plants.csv"
    table.sample(frac=1, random_state=0).to_csv(path, index=False)
    request = Request(table=path, target="kind", time="day", output=folder / "page.html", **asked)
    prepared = prepare(request)
    with Ledger() as ledger:
        verdict = draw_verdict(request, prepared, ledger).verdict
        return world_of(prepared.study, ledger, prepared.question, folder, verdict=verdict)


def _many_classes(folder):
    """So many classes that some candidates are left out for their time."""
    return in_time(folder, 31, 403)


def _two_classes(folder):
    """Two classes: one candidate is the same as another, and left out."""
    return in_time(folder, 2, 126, loss="auc")


# --- predictions made elsewhere -----------------------------------------------------------------


def made_elsewhere(learners, folds):
    """Fits by scikit-learn alone, two repetitions: the rows predicted, a model, its features."""
    X, y = wine()
    for name, learner in learners.items():
        for repetition in range(2):
            split = StratifiedKFold(folds, shuffle=True, random_state=repetition).split(X, y)
            for fold, (train, test) in enumerate(split):
                rows = pd.DataFrame({"sample": [f"w{i}" for i in test], "truth": y[test]})
                rows = rows.assign(learner=name, repetition=repetition, fold=fold)
                yield rows, learner.fit(X[train], y[train]), X[test]


def world_of_file(path, verdict, *, hard=(), **reading):
    """The world of predictions in a file: nothing but what is written there is used."""
    table = pd.read_csv(path, dtype={"truth": str, "predicted": str}, **reading)
    table = table.rename(columns={"learner": "candidate"}).assign(run=0)
    shares = table[[column for column in table if column.startswith("p:")]]
    if len(shares.columns):
        table[shares.columns] = shares.div(shares.sum(axis=1), axis=0)
        table["predicted"] = shares.idxmax(axis=1).str.removeprefix("p:")
    for clock in ("fit_seconds", "predict_seconds", "model_bytes"):
        table[clock] = table.get(clock, np.nan)
    recount = Recount(table, dict.fromkeys(table["candidate"]))
    fits = table.groupby(["candidate", "repetition", "fold"], as_index=False).first()
    fits = fits.fillna({"fit_seconds": 0.0, "predict_seconds": 0.0})
    trials = fits.assign(plan=f"imported {recount.R}x{recount.F} folds", status="ok")
    return World(verdict, recount, table, trials, hard=hard, columns=0)


def _elsewhere(folder):
    """Probabilities of three learners without any clock, judged as the command does."""
    learners = {"stump": DecisionTreeClassifier(max_depth=1, random_state=0),
                "LDA": LinearDiscriminantAnalysis(), "NB": GaussianNB()}  # fmt: skip
    parts = [
        rows.join(pd.DataFrame(model.predict_proba(X).round(4)).add_prefix("p:"))
        for rows, model, X in made_elsewhere(learners, 4)
    ]
    path = folder / "wines.csv"
    pd.concat(parts).sample(frac=1, random_state=0).to_csv(path, index=False)
    judged = judge_predictions(Request(predictions=path, output=folder / "page.html"))
    return world_of_file(path, judged.verdict)


def _elsewhere_labels(folder):
    """Labels only, some with clocks and a size, fields apart by semicolons; judged in Python."""
    learners = {"stump": DecisionTreeClassifier(max_depth=1, random_state=0),
                "ridge": RidgeClassifier(), "NB": GaussianNB()}  # fmt: skip
    costs = {"stump": (0.01, 0.0025, 700.0), "ridge": (0.0375, 0.004, 900.0)}
    clocks = ("fit_seconds", "predict_seconds", "model_bytes")
    parts = [
        rows.assign(predicted=model.predict(X), **dict(zip(clocks, costs[name], strict=True)))
        if (name := rows["learner"].iloc[0]) in costs
        else rows.assign(predicted=model.predict(X))
        for rows, model, X in made_elsewhere(learners, 3)
    ]
    path = folder / "wines.csv"
    pd.concat(parts).to_csv(path, index=False, sep=";", decimal=",")
    with import_predictions(path) as ledger:
        verdict = judge(ledger)
    return world_of_file(path, verdict, hard=list(learners), sep=";", decimal=",")
