"""Which types a model file may hold, over and above those that skops itself trusts.

Each was looked at: making one from stored values runs no code from the file, opens no file and no
connection. Functions on the list only look at a column and say yes or no. Names of several
versions of skrub and scikit-learn stand side by side.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from polychotomy.core.exceptions import InvalidInput

_POLYCHOTOMY = {
    "calibration.calibrators": "Unchanged",
    "calibration.isotonic": "Isotonic",
    "calibration.sigmoid": "Sigmoid",
    "calibration.temperature": "Temperature",
    "combination.modest_adaboost": "ModestAdaBoostClassifier",
    "combination.rank_boost": "RankBoostClassifier ThresholdRankers",
    "combination.rank_margin_classifier": "RankMarginClassifier",
    "combination.tuned_margin": "TunedMarginFit",
    "learners.chosen_neighbours": "ChosenNeighboursClassifier",
    "learners.nearest_mean": "NearestMeanClassifier",
    "learners.numbered_labels": "NumberedLabelsClassifier",
    "learners.pruned_tree": "PrunedTreeClassifier",
    "model.recalibrated": "RecalibratedClassifier",
    "multiclass.coded_classifier": "CodedClassifier",
    "multiclass.dichotomies": "Dichotomy",
    "multiclass.inputs": "DistinctRows",
    "multiclass.merged": "Kernel KernelGroup MergedKernelMachines MergedLinearMachines",
}

_SKLEARN = {
    "_loss.link": "Interval LogitLink MultinomialLogit",
    "_loss.loss": "HalfBinomialLoss HalfMultinomialLoss",
    "calibration": "_CalibratedClassifier _SigmoidCalibration",
    "compose._column_transformer": "make_column_selector",
    "ensemble._hist_gradient_boosting.binning": "_BinMapper",
    "ensemble._hist_gradient_boosting.predictor": "TreePredictor",
    "gaussian_process._gpc": "_BinaryGaussianProcessClassifierLaplace",
    "gaussian_process.kernels": "ConstantKernel Product RBF",
    "metrics._dist_metrics": "EuclideanDistance64 ManhattanDistance64 MinkowskiDistance64",
    "metrics._scorer": "_PassthroughScorer",
    "model_selection._split": "KFold StratifiedKFold",
    "multiclass": "_ConstantPredictor",
    "neighbors._ball_tree": "BallTree BallTree64",
    "neighbors._kd_tree": "KDTree KDTree64",
    "neural_network._stochastic_optimizers": "AdamOptimizer SGDOptimizer",
    "tree._tree": "Tree",
    "utils._bunch": "Bunch",
}

_SKRUB = {
    "_apply_to_cols": "ApplyToCols",
    "_apply_to_each_col": "ApplyToEachCol",
    "_check_input": "CheckInputDataFrame",
    "_clean_categories": "CleanCategories",
    "_clean_null_strings": "CleanNullStrings",
    "_dataframe._common": "is_any_date is_categorical is_numeric",
    "_datetime_encoder": "DatetimeEncoder",
    "_drop_uninformative": "DropUninformative",
    "_duration_to_float": "DurationToFloat",
    "_on_each_column": "OnEachColumn",
    "_string_encoder": "StringEncoder",
    "_table_vectorizer": "PassThrough ShortReprDict TableVectorizer _created_by_predicate",
    "_to_datetime": "ToDatetime",
    "_to_float": "ToFloat",
    "_to_float32": "ToFloat32",
    "_to_str": "ToStr",
    "selectors._base": "All And Cols Filter Inv Or Sub",
    "selectors._selectors": "_cardinality_below",
}


def _names(package: str, modules: dict[str, str]) -> set[str]:
    return {
        f"{package}.{module}.{name}" for module, names in modules.items() for name in names.split()
    }


TRUSTED = frozenset(
    {"numpy.dtype", "_loss.CyHalfBinomialLoss", "_loss.CyHalfMultinomialLoss"}
    | _names("polychotomy", _POLYCHOTOMY)
    | _names("sklearn", _SKLEARN)
    | _names("skrub", _SKRUB)
)
"""Full names of the types."""


def refuse_untrusted(path: Path, found: Iterable[str], trusted: Iterable[str]) -> None:
    """Raise if a file holds types that neither the list nor the user trusts, and name them.

    Parameters
    ----------
    found : names
        What skops does not trust of itself.
    trusted : names
        What the user trusts; ``module.*`` is all of a module.

    Examples
    --------
    >>> from pathlib import Path
    >>> refuse_untrusted(Path("m.skops"), ["mine.Classifier"], ["mine.Classifier"])
    """
    asked = set(trusted)
    refused = sorted(
        name for name in set(found) - TRUSTED - asked if f"{name.rpartition('.')[0]}.*" not in asked
    )
    if refused:
        options = " ".join(f"--trust {name}" for name in refused)
        raise InvalidInput(
            f"{path.name!r} holds types that are not trusted: {', '.join(refused)}; nothing was "
            f"loaded. Loading runs their code. If you know them and where the file is from: "
            f"{options}."
        )
