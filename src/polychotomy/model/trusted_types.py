"""What a model file may hold: types that were looked at, with contents that cannot crash a reader.

Each type was looked at: making one from stored values runs no code from the file, opens no file
and no connection. Functions on the list only look at a column and say yes or no. Names of several
versions of skrub and scikit-learn stand side by side.

A type can be trusted and its contents not: scikit-learn's compiled code follows the indices in a
tree without looking, so that a tree made by hand ends the process. Those are checked here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import issparse

from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.numbers import join
from polychotomy.study.fitting.user_module import PREFIX

# By room and name, not by module: a file outlives the file that a class stands in.
_POLYCHOTOMY = {
    "calibration": "Isotonic Sigmoid Temperature Unchanged",
    "combination": "ModestAdaBoostClassifier RankBoostClassifier RankMarginClassifier "
    "ThresholdRankers TunedMarginFit",
    "learners": "ChosenNeighboursClassifier NearestMeanClassifier NumberedLabelsClassifier "
    "PrunedTreeClassifier TunedClassifier",
    "model": "RecalibratedClassifier",
    "multiclass": "Calibration CodedClassifier Dichotomy DistinctRows FittedDichotomies Kernel "
    "KernelGroup LetterLearner MergedKernelMachines MergedLinearMachines PairMachines",
    "study": "MedianImputer TableNumbers",
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
    "_string_encoder": "StringEncoder",
    "_table_vectorizer": "PassThrough ShortReprDict TableVectorizer _created_by_predicate",
    "_to_datetime": "ToDatetime",
    "_to_float": "ToFloat",
    "_to_str": "ToStr",
    "selectors._base": "All And Cols Filter Inv Or Sub",
    "selectors._selectors": "_cardinality_below",
}


def _names(package: str, modules: dict[str, str]) -> set[str]:
    return {
        f"{package}.{module}.{name}" for module, names in modules.items() for name in names.split()
    }


TRUSTED = frozenset(
    {"numpy.dtype", "numpy.number", "_loss.CyHalfBinomialLoss", "_loss.CyHalfMultinomialLoss"}
    | _names("polychotomy", _POLYCHOTOMY)
    | _names("sklearn", _SKLEARN)
    | _names("skrub", _SKRUB)
)
"""Names of the types: full, but for those of polychotomy, which are by room."""


def _listed_as(name: str) -> str:
    """Return how a type's full name stands on the list.

    Examples
    --------
    >>> _listed_as("polychotomy.multiclass.coded_classifier.CodedClassifier")
    'polychotomy.multiclass.CodedClassifier'
    """
    parts = name.split(".")
    return ".".join((*parts[:2], parts[-1])) if parts[0] == "polychotomy" else name


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
        name
        for name in set(found) - asked
        if _listed_as(name) not in TRUSTED and f"{name.rpartition('.')[0]}.*" not in asked
    )
    if refused:
        # A class of a candidates file, or of one beside it, can only be found again by running it.
        named = [name for name in refused if not name.startswith(PREFIX)]
        files = [name for name in asked if name.endswith(".py")]
        if files and len(named) < len(refused):
            raise InvalidInput(
                f"{path.name!r} was judged with another file than {join(files)}, or with this one "
                "before it was changed; nothing was loaded. Expected the file that was judged."
            )
        named.append("CANDIDATES.py")
        raise InvalidInput(
            f"{path.name!r} holds types that are not trusted: {', '.join(refused)}; nothing was "
            f"loaded. Loading runs their code. If you know them and where the file is from: "
            f"trusted={named} in Python, {' '.join(f'--trust {name}' for name in named)} on the "
            "command line (the file it was judged with, where classes are your own)."
        )


def refuse_unsound(classifier: Any) -> None:
    """Raise where compiled code would read outside of the arrays that a classifier holds.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> refuse_unsound(DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1]))
    """
    for part in reachable(classifier):
        if issparse(part):
            part.check_format(full_check=True)
        for base in type(part).__mro__:
            fitted, is_sound = _CHECKS.get(base.__name__, ("", None))
            if is_sound is not None and hasattr(part, fitted) and not is_sound(part):
                raise InvalidInput(
                    f"a {type(part).__name__} in it points outside of its own arrays; expected one "
                    "as scikit-learn makes it"
                )


def reachable(whole: Any) -> Iterator[Any]:
    """Yield every object that a classifier holds, at any depth, once."""
    todo, seen = [whole], {id(whole): whole}  # kept, so that no id is given twice
    while todo:
        part = todo.pop()
        yield part
        inner: Iterable[Any] = ()
        if isinstance(part, dict):
            inner = part.values()
        elif isinstance(part, (list, tuple, set)):
            inner = part
        elif isinstance(part, np.ndarray):
            inner = part.ravel().tolist() if part.dtype == object else ()
        elif hasattr(part, "__dict__") and not isinstance(part, type):
            inner = vars(part).values()
        for one in inner:
            if id(one) not in seen and not isinstance(one, (str, bytes, int, float)):
                seen[id(one)] = one
                todo.append(one)


def _has_sound_links(left: Any, right: Any, is_leaf: Any) -> bool:
    """Whether children come after their parents, which also excludes a walk without end."""
    inside = np.flatnonzero(~is_leaf)
    children = np.stack([left[inside], right[inside]]).astype(np.int64)
    return len(is_leaf) > 0 and bool(((children > inside) & (children < len(is_leaf))).all())


def _is_below(values: Any, least: int, bound: int) -> bool:
    return bool(((values >= least) & (values < bound)).all())


def _is_sound_tree(tree: Any) -> bool:
    if tree.node_count != tree.capacity:  # first: all else is read up to node_count
        return False
    left, is_leaf = tree.children_left, tree.children_left == -1
    sound = _has_sound_links(left, tree.children_right, is_leaf)
    return sound and _is_below(tree.feature[~is_leaf], 0, tree.n_features)


def _is_sound_ensemble(ensemble: Any) -> bool:
    """Whether its trees, which get rows unchecked, expect as many features as it."""
    trees = [one for one in np.ravel(ensemble.estimators_) if hasattr(one, "tree_")]
    return all(one.n_features_in_ == ensemble.n_features_in_ for one in trees)


def _is_sound_boosting(boosting: Any) -> bool:
    is_categorical = np.asarray(boosting._bin_mapper.is_categorical_, dtype=bool)
    n_features = boosting.n_features_in_
    if len(is_categorical) != n_features:
        return False
    for predictor in np.ravel(np.array(boosting._predictors, dtype=object)):
        nodes = predictor.nodes
        is_leaf = nodes["is_leaf"].astype(bool)
        inside = nodes[~is_leaf]
        by_category = inside[inside["is_categorical"].astype(bool)]
        if not (
            _has_sound_links(nodes["left"], nodes["right"], is_leaf)
            and _is_below(inside["feature_idx"], 0, n_features)
            and is_categorical[by_category["feature_idx"]].all()
            and _is_below(by_category["bitset_idx"], 0, len(predictor.raw_left_cat_bitsets))
            and np.shape(predictor.raw_left_cat_bitsets)[1:] == (8,)
        ):
            return False
    return True


def _is_sound_neighbour_tree(tree: Any) -> bool:
    data, indices, nodes, bounds, _, n_levels, n_nodes = tree.__getstate__()[:7]
    n, n_features = data.shape
    inside = np.flatnonzero(nodes["is_leaf"] == 0)
    return (
        n_levels in range(64)  # first: two to the power of a huge number takes for ever
        and len(nodes) == n_nodes == 2**n_levels - 1
        and bounds.shape[1:] == (n_nodes, n_features)
        and len(indices) == n
        and _is_below(indices, 0, n)
        and _is_below(nodes["idx_start"], 0, n + 1)
        and _is_below(nodes["idx_end"], 0, n + 1)
        and _is_below(2 * inside + 2, 0, n_nodes)
    )


def _is_sound_machine(machine: Any) -> bool:
    """Whether libsvm finds as many coefficients and support vectors as it counts."""
    vectors, k = machine.support_vectors_, len(machine._n_support)
    coefficients, pairs = machine._dual_coef_, k * (k - 1) // 2
    if machine.__class__.__name__ in ("SVC", "NuSVC"):
        sizes = {np.size(machine._probA), np.size(machine._probB)}
        if np.size(machine._intercept_) != pairs or not (sizes <= {0} or sizes <= {pairs}):
            return False
        if len(machine.classes_) != k or coefficients.shape[0] != max(k - 1, 1):
            return False
    counts = np.asarray(machine._n_support)
    is_precomputed = machine.kernel == "precomputed"
    return (
        bool((counts >= 0).all())
        and int(counts.sum()) == vectors.shape[0] == coefficients.shape[1] == len(machine.support_)
        and (is_precomputed or vectors.shape[1] == machine.n_features_in_)
        and tuple(machine.shape_fit_)[1] == machine.n_features_in_
        and _is_below(machine.support_, 0, machine.shape_fit_[0])
    )


_CHECKS: dict[str, tuple[str, Callable[[Any], bool]]] = {  # base class: what a fitted one has
    "Tree": ("node_count", _is_sound_tree),
    "BaseDecisionTree": ("tree_", lambda one: bool(one.tree_.n_features == one.n_features_in_)),
    "BaseForest": ("estimators_", _is_sound_ensemble),
    "BaseGradientBoosting": ("estimators_", _is_sound_ensemble),
    "BaseHistGradientBoosting": ("_predictors", _is_sound_boosting),
    "BinaryTree64": ("__getstate__", _is_sound_neighbour_tree),
    "BaseLibSVM": ("support_vectors_", _is_sound_machine),
}
