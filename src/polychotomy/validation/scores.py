"""What users know of probabilities, in one object: log loss, Brier and its parts, smooth ECE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from polychotomy._result import Result, new_axes
from polychotomy.arrays import Floats, Ints
from polychotomy.validation.brier_split import split_forecasts
from polychotomy.validation.forecasts import Forecasts, check_forecasts
from polychotomy.validation.smooth_calibration import smooth_calibration_error

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ProbabilityScores(Result):
    """Scores of class probabilities, smaller is better.

    Parameters
    ----------
    log_loss : float
        Mean of −log p(true class); infinite if a true class was given probability 0.
    n_infinite : int
        How many forecasts gave their true class probability 0.
    brier : float
        Mean over forecasts of the squared error summed over classes. For two classes this is
        twice the score of the positive class alone.
    calibration, refinement, resolution, uncertainty : float
        Its parts: ``brier = calibration + refinement``, ``refinement = uncertainty − resolution``.
    smooth_calibration_error : float
        Of the probability of the predicted class.
    class_brier, class_calibration, class_refinement, class_smooth_calibration_error : (k,) floats
        Of each class against the rest; the first three sum to those of all classes.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import score_probabilities
    >>> print(score_probabilities(np.array([[0.8, 0.2], [0.8, 0.2]]), [0, 1]))
    Log loss 0.9163; Brier score 0.6800 = 0.1800 calibration + 0.5000 refinement; \
smooth calibration error 0.3000.
    """

    log_loss: float
    n_infinite: int
    brier: float
    calibration: float
    refinement: float
    resolution: float
    uncertainty: float
    smooth_calibration_error: float
    class_brier: Floats
    class_calibration: Floats
    class_refinement: Floats
    class_smooth_calibration_error: Floats

    def to_frame(self) -> pd.DataFrame:
        """One row for all classes together, then a row a class."""
        import pandas as pd

        k = len(self.class_brier)
        return pd.DataFrame(
            {
                "class": ["all", *map(str, range(k))],
                "log_loss": [self.log_loss] + [np.nan] * k,
                "brier": [self.brier, *self.class_brier],
                "calibration": [self.calibration, *self.class_calibration],
                "refinement": [self.refinement, *self.class_refinement],
                "smooth_calibration_error": [
                    self.smooth_calibration_error,
                    *self.class_smooth_calibration_error,
                ],
            }
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the Brier score of each class, split in calibration and refinement."""
        ax = new_axes(ax)
        classes = np.arange(len(self.class_brier))
        ax.barh(classes, self.class_refinement, color="0.75", label="refinement: classes overlap")
        ax.barh(
            classes,
            self.class_calibration,
            left=self.class_refinement,
            label="calibration: can be mended",
        )
        ax.set(xlabel="Brier score of the class against the rest", ylabel="class")
        ax.set_yticks(classes[:: max(1, len(classes) // 20)])
        ax.invert_yaxis()
        ax.legend(frameon=False)
        return ax

    def __str__(self) -> str:
        log_loss = (
            f"infinite ({self.n_infinite} true classes had probability 0)"
            if self.n_infinite
            else f"{self.log_loss:.4f}"
        )
        return (
            f"Log loss {log_loss}; Brier score {self.brier:.4f} = "
            f"{self.calibration:.4f} calibration + {self.refinement:.4f} refinement; smooth "
            f"calibration error {self.smooth_calibration_error:.4f}."
        )


def score_probabilities(probabilities: ArrayLike, y: ArrayLike) -> ProbabilityScores:
    """Score class probabilities by what users know.

    Parameters
    ----------
    probabilities : (n, k) floats
        Rows summing to 1.
    y : (n,) ints
        True class codes, 0 to k − 1.

    Returns
    -------
    ProbabilityScores

    Examples
    --------
    >>> from polychotomy.validation import score_probabilities
    >>> score_probabilities([[1.0, 0.0], [1.0, 0.0]], [0, 1]).n_infinite
    1
    """
    return score_forecasts(check_forecasts(probabilities, y))


def score_forecasts(forecasts: Forecasts) -> ProbabilityScores:
    """Score checked forecasts.

    Examples
    --------
    >>> from polychotomy.validation import check_forecasts
    >>> score_forecasts(check_forecasts([[1.0, 0.0]], [0])).log_loss
    0.0
    """
    p, y = forecasts.probabilities, forecasts.y
    losses = log_losses(p, y)
    split = split_forecasts(forecasts)
    predicted = p.argmax(axis=1)
    return ProbabilityScores(
        log_loss=float(losses.mean()),
        n_infinite=int(np.isinf(losses).sum()),
        brier=float(split.brier.sum()),
        calibration=float(split.calibration.sum()),
        refinement=float(split.refinement.sum()),
        resolution=float(split.resolution.sum()),
        uncertainty=float(split.uncertainty.sum()),
        smooth_calibration_error=smooth_calibration_error(p.max(axis=1), predicted == y),
        class_brier=split.brier,
        class_calibration=split.calibration,
        class_refinement=split.refinement,
        class_smooth_calibration_error=np.array(
            [smooth_calibration_error(p[:, c], y == c) for c in range(forecasts.n_classes)]
        ),
    )


def log_losses(probabilities: Floats, y: Ints) -> Floats:
    """−log p of the true class of each row; inf where it is 0.

    Examples
    --------
    >>> import numpy as np
    >>> log_losses(np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([0, 1]))
    array([ 0., inf])
    """
    of_truth = probabilities[np.arange(len(y)), y]
    logs = np.full(len(y), -np.inf)
    np.log(of_truth, where=of_truth > 0, out=logs)
    losses: Floats = np.abs(logs)
    return losses  # log p is never above 0, and −0 is 0
