"""Any two-class learner made a many-class one."""

from polychotomy.multiclass.thresholds import optimal_threshold

__all__ = ["optimal_threshold"]
