"""Metadata on its way to the learners: sample weights and whatever they request."""

from __future__ import annotations

from typing import Any

from sklearn import get_config
from sklearn.utils.metadata_routing import process_routing

from polychotomy.arrays import Floats, Ints
from polychotomy.exceptions import InvalidInput
from polychotomy.learners.sample_weights import takes_sample_weight
from polychotomy.multiclass.training_data import repeats_for


def route(
    router: Any, method: str, sample_weight: Any, weights: Floats, params: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any], Ints | None]:
    """Return what goes to the learner's ``method``, what to the splitter, and repetitions.

    Without scikit-learn's metadata routing the sample weights go to every learner that takes
    them, and nothing else can be passed. A learner that takes no weights gets its rows repeated,
    which is the same for whole weights.
    """
    takes_weight = method in dir(router.estimator) and _takes_weight(router.estimator, method)
    if get_config()["enable_metadata_routing"]:
        routed = process_routing(router, method, sample_weight=sample_weight, **params)
        to_learner = dict(routed.estimator[method])
        to_splitter = dict(routed.splitter.split) if method == "fit" else {}
        routed_weight = takes_weight or "sample_weight" in to_learner
    else:
        if params:
            raise InvalidInput(
                f"{method} got {', '.join(sorted(params))}, which can only be passed on with "
                "sklearn.set_config(enable_metadata_routing=True) and a learner that requests it."
            )
        to_learner, to_splitter, routed_weight = {}, {}, takes_weight
        if sample_weight is not None and takes_weight:
            to_learner["sample_weight"] = weights
    repeats = None
    if sample_weight is not None and not routed_weight:
        repeats = repeats_for(weights, router.estimator)
    if "sample_weight" in to_learner:
        to_learner["sample_weight"] = weights
    return to_learner, to_splitter, repeats


def _takes_weight(estimator: Any, method: str) -> bool:
    if method == "fit":
        return takes_sample_weight(estimator)
    from inspect import signature

    return "sample_weight" in signature(getattr(estimator, method)).parameters
