"""Things of another kind than asked for are refused in words, not by Python."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from polychotomy import (
    CodedClassifier,
    decode,
    friedman_test,
    mcnemar_test,
    multitest,
    one_vs_rest,
    would_combining_help,
)
from polychotomy.calibration import Temperature, fit_isotonic
from polychotomy.codes import draw_code
from polychotomy.combination import auc, pair_margins, tuned_margin_weights
from polychotomy.comparison import (
    order_by_removal,
    paired_t_test,
    selected_error,
)
from polychotomy.core.exceptions import InvalidInput
from polychotomy.decomposition import (
    decompose_error,
    draw_error_budget,
    learning_curve_forecast,
    would_bagging_help,
)
from polychotomy.model import fit_model
from polychotomy.reproduction.data.fetching import fetch_dataset
from polychotomy.reproduction.data.problems import TwoNormals
from polychotomy.reproduction.other_decompositions import domingos, kohavi_wolpert
from polychotomy.reproduction.truth import simulate_decomposition
from polychotomy.study import Ledger, Study, affordable_ladder, import_predictions
from polychotomy.tables.reading import read_table
from polychotomy.validation import (
    confusion_of,
    probability_trace,
    recalibrate,
    reliability_diagram,
    smooth_calibration_error,
)
from polychotomy.verdict import conclude, unite_verdicts
from polychotomy.verdict.judge import judge

X, y = load_iris(return_X_y=True)


def test_a_ledger_is_told_to_give_its_predictions():
    with Ledger() as ledger:
        for ask in (would_combining_help, confusion_of):
            with pytest.raises(InvalidInput, match=r"is a Ledger; .*ledger.out_of_fold\(\)"):
                ask(ledger)


def test_labels_are_no_out_of_fold_predictions():
    with pytest.raises(InvalidInput, match="predictions is a ndarray; expected an OutOfFold"):
        confusion_of(y, y)


def test_a_learner_is_a_name_or_a_row():
    with Study({"MAX": DummyClassifier()}, X, y).run() as ledger:
        predictions = ledger.out_of_fold()
    with pytest.raises(
        InvalidInput, match="learner is 1; expected one of 'MAX' or a position from 0 to 0"
    ):
        confusion_of(predictions, 1)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (DecisionTreeClassifier(), r"cross_validated is DecisionTree.*; expected an array"),
        (np.array(["a", "b"]), "cross_validated is .*; expected an array of real numbers"),
    ],
)
def test_bagging_is_asked_of_probabilities(given, message):
    with pytest.raises(InvalidInput, match=message):
        would_bagging_help(given, np.eye(2), np.arange(2))


def test_a_class_is_no_estimator():
    with pytest.raises(
        InvalidInput, match=r"estimator is .*DecisionTreeClassifier.*; expected a learner"
    ):
        decompose_error(DecisionTreeClassifier, X, y)


def test_verdicts_come_in_a_list_and_tables_in_a_file():
    for given in ({"iris": 1}, [1], 1, []):
        with pytest.raises(InvalidInput, match=r"expected a list .* list\(verdicts.values\(\)\)"):
            unite_verdicts(given)
    with pytest.raises(InvalidInput, match="7 is no name of a file or folder; expected a text"):
        import_predictions(7)


CODES = np.arange(20) % 2
LOSSES, FOLDS = CODES[None, None].astype(float), np.arange(20)[None] % 5
EVEN = np.full((20, 2), 0.5)

DOORS = {
    "recalibrate alpha": (lambda: recalibrate(EVEN, CODES, alpha="x"), "alpha is 'x'; expected a"),
    "Temperature": (lambda: Temperature("x"), "exponent is 'x'; expected a finite number of 0"),
    "negative Temperature": (lambda: Temperature(-1.0), "exponent is -1.0; expected a finite"),
    "CodedClassifier n_jobs": (
        lambda: CodedClassifier(GaussianNB(), n_jobs="x").fit(X, y),
        "n_jobs is 'x'; expected None, 1 or more",
    ),
    "CodedClassifier NaN": (
        lambda: CodedClassifier(GaussianNB()).fit(X, np.where(y == 1, np.nan, y)),
        r"y\[50\] is missing; expected a label for every sample",
    ),
    "selected_error losses": (lambda: selected_error("x", FOLDS), "losses is 'x'; expected an"),
    "selected_error folds": (
        lambda: selected_error(LOSSES, [["a"] * 20]),
        "folds is .*; expected an array of real",
    ),
    "selected_error groups": (
        lambda: selected_error(LOSSES, FOLDS, groups=[1]),
        r"groups has shape \(1,\); expected \(20,\)",
    ),
    "selected_error n_replicates": (
        lambda: selected_error(LOSSES, FOLDS, n_replicates="x"),
        "n_replicates is 'x'; expected an int of at least 1",
    ),
    "decompose_error n_bootstraps": (
        lambda: decompose_error(GaussianNB(), X, y, n_bootstraps="x"),
        "n_bootstraps is 'x'; expected a whole number of fits",
    ),
    "decompose_error n_jobs": (
        lambda: decompose_error(GaussianNB(), X, y, n_jobs="x"),
        "n_jobs is 'x'; expected None, 1 or more",
    ),
    "simulate_decomposition n_train": (
        lambda: simulate_decomposition(TwoNormals(), GaussianNB(), n_train="x"),
        "n_train is 'x'; expected an int of at least 2",
    ),
    "simulate_decomposition problem": (
        lambda: simulate_decomposition("x", GaussianNB(), n_train=20),
        "problem is 'x'; expected one that can be drawn from",
    ),
    "learning_curve_forecast": (
        lambda: learning_curve_forecast("x", [[0.1, 0.2]]),
        "sizes is 'x'; expected an array of real numbers",
    ),
    "judge notes": (
        lambda: judge({"NB": GaussianNB()}, X, y, notes="a remark"),
        "notes is 'a remark'; expected a list of remarks",
    ),
    "judge notes, a number": (
        lambda: judge({"NB": GaussianNB()}, X, y, notes=3),
        "notes is 3; expected a list of remarks",
    ),
    "predict_table": (
        lambda: fit_model(GaussianNB(), X, y).predict_table(X[:, :1]),
        "the table is an array of 1 columns; expected the . of training: x0",
    ),
    "fetch_dataset": (lambda: fetch_dataset(3), "there is no benchmark set 3 to fetch"),
    "fetch_dataset, a list": (lambda: fetch_dataset([]), r"there is no benchmark set \[\]"),
    "read_table": (lambda: read_table(None, target="y"), "None is no name of a file or folder"),
    "conclude": (lambda: conclude({}, None), r"study is \{\}; expected a Study: conclude\(study"),
    "affordable_ladder rows": (
        lambda: affordable_ladder("x", 3), "rows is 'x'; expected a whole number of rows",
    ),
    "affordable_ladder classes": (
        lambda: affordable_ladder(9, None), "classes is None; expected a whole number",
    ),
    "kohavi_wolpert": (
        lambda: kohavi_wolpert(EVEN[0], [0]), r"votes has shape \(2,\); expected \(n, k\)",
    ),
    "domingos": (
        lambda: domingos(EVEN * 2, CODES), r"votes\[0\] is \[1.0, 1.0\]; expected shares that add",
    ),
    "domingos y": (lambda: domingos(EVEN, CODES + 1), r"y\[1\] is 2; expected a class code"),
    "would_bagging_help gain": (
        lambda: would_bagging_help(EVEN, EVEN, CODES, gain=[1]), r"gain is \[1\]; expected the",
    ),
    "learning_curve_forecast n": (
        lambda: learning_curve_forecast([9, 10], [[0.1, 0.2]] * 2, n="x"), "n is 'x'; expected",
    ),
    "decompose_error output": (
        lambda: decompose_error(GaussianNB(), X, y, output=X),
        r"output is an array of shape \(150, 4\); expected 'probabilities', 'votes' or None",
    ),
    "decompose_error loss": (
        lambda: decompose_error(GaussianNB(), X, y, loss=dict),
        "loss is .*; expected 'misclassification'",
    ),
    "draw_error_budget": (
        lambda: draw_error_budget([1]), r"decompositions is \[1\]; expected \{learner: what",
    ),
    "draw_code": (lambda: draw_code(None), "code"),
    "one_vs_rest": (lambda: one_vs_rest(10**30), "k is 1000000.*; expected at most 2147483647 c"),
    "decode": (
        lambda: decode(one_vs_rest(3), np.eye(3), decoder=np.eye(2)),
        r"decoder is an array of shape \(2, 2\); expected 'bradley-terry'",
    ),
    "auc": (lambda: auc([[1, 2], [3]], [0, 1]), r"scores is \[\[1, 2\], \[3\]\], which is no"),
    "pair_margins points": (
        lambda: pair_margins(EVEN, CODES, points="x"), "points is 'x'; expected a whole number",
    ),
    "tuned_margin_weights settings": (
        lambda: tuned_margin_weights(EVEN, CODES, settings=((0.5, 1.0),)),
        r"settings is \(\(0.5, 1.0\),\); expected pairs of a slack of at least 1",
    ),
    "probability_trace y": (
        lambda: probability_trace(EVEN, [[0], [0, 1]]), r"y is \[\[0\], \[0, 1\]\], which is no",
    ),
    "probability_trace samples": (
        lambda: probability_trace(EVEN, CODES, samples=[None, 1] * 10), "samples holds .*cannot be",
    ),
    "fit_isotonic": (
        lambda: fit_isotonic(EVEN, CODES, n_cases="x"), "n_cases is 'x'; expected an int of at le",
    ),
    "reliability_diagram": (
        lambda: reliability_diagram(EVEN, CODES, of_class=CODES),
        r"of_class is an array of shape \(20,\); expected a class code from 0 to 1",
    ),
    "smooth_calibration_error": (
        lambda: smooth_calibration_error("x", [1]), "forecasts is 'x'; expected an array of real",
    ),
    "paired_t_test": (
        lambda: paired_t_test(CODES, CODES, alternative=CODES),
        r"alternative is an array of shape \(20,\); expected 'two-sided'",
    ),
    "mcnemar_test": (
        lambda: mcnemar_test(CODES, CODES, exact="yes"),
        "exact is 'yes'; expected True, False or 'mid-p'",
    ),
    "multitest names": (
        lambda: multitest(np.zeros((2, 5, 2)), names=7), "names is 7; expected 2 distinct names",
    ),
    "multitest test": (
        lambda: multitest(np.zeros((2, 5, 2)), test=None), "test is None; expected one of",
    ),
    "multitest correction": (
        lambda: multitest(np.zeros((2, 5, 2)), correction=CODES),
        r"correction is an array of shape \(20,\); expected 'bonferroni', 'holm'",
    ),
    "friedman_test": (lambda: friedman_test(EVEN, better=1), "better is 1; expected 'smaller'"),
    "selected_error choose": (
        lambda: selected_error(LOSSES, FOLDS, choose="best"), "choose is 'best'; expected a funct",
    ),
    "order_by_removal": (lambda: order_by_removal([[1], [1, 2]]), r"edges is \[\[1\], \[1, 2\]\]"),
}  # fmt: skip


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.filterwarnings("error")
def test_what_an_argument_cannot_be_is_said_at_the_door(door):
    ask, words = DOORS[door]
    with pytest.raises(InvalidInput, match=words):
        ask()
