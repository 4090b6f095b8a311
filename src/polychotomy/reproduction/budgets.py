"""Time to spend: asked after each run, so that a run is never cut in two."""

from __future__ import annotations

import time

from polychotomy.core.exceptions import InvalidInput


class Budget:
    """Minutes to spend from now on; None is no limit.

    Examples
    --------
    >>> Budget(None).is_spent(), Budget(0.0).is_spent()
    (False, True)
    """

    def __init__(self, minutes: float | None) -> None:
        if minutes is not None and not minutes >= 0:
            raise InvalidInput(f"budget={minutes!r}; expected minutes, 0 or more.")
        self.minutes = minutes
        self._started = time.monotonic()

    def part(self, share: float) -> Budget:
        """Return a share of these minutes, from now on.

        Examples
        --------
        >>> Budget(60).part(0.2).minutes, Budget(None).part(0.2).minutes
        (12.0, None)
        """
        return Budget(None if self.minutes is None else share * self.minutes)

    def is_spent(self) -> bool:
        """Say whether the time is over."""
        return self.minutes is not None and self.left() <= 0

    def left(self) -> float:
        """Seconds that are left; infinite without a limit."""
        if self.minutes is None:
            return float("inf")
        return 60 * self.minutes - (time.monotonic() - self._started)
