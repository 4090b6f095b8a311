"""The order of the tutorials: as the questions come up, not by the alphabet."""

from __future__ import annotations

from pathlib import Path

QUESTIONS = (
    "plot_which_classifier",
    "plot_from_judge_to_a_service",
    "plot_is_the_difference_real",
    "plot_can_i_trust_the_probabilities",
    "plot_why_is_my_classifier_wrong",
    "plot_would_combining_help",
    "plot_only_two_classes",
    "plot_replacing_svc_probability",
    "plot_codes_and_decision_regions",
    "plot_models_from_another_language",
    "plot_a_gate_in_ci",
    "plot_a_study_on_a_cluster",
)


def position(path: str) -> tuple[int, str]:
    """Sort key of a tutorial; those not listed come last, by name."""
    stem = Path(path).stem
    return (QUESTIONS.index(stem) if stem in QUESTIONS else len(QUESTIONS), stem)
