"""What learners warn about, for the reader instead of the terminal."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_LONGEST = 500
_SAID_BETTER = "Found unknown categories"  # the schema counts them and names them


@contextmanager
def gathering_warnings() -> Iterator[list[str]]:
    """Gather each different warning once; the list is filled at the end.

    Examples
    --------
    >>> import warnings
    >>> with gathering_warnings() as found:
    ...     warnings.warn("no convergence", UserWarning)
    >>> found
    ['UserWarning: no convergence']
    """
    found: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield found
    texts = (f"{one.category.__name__}: {one.message}"[:_LONGEST] for one in caught)
    found += dict.fromkeys(text for text in texts if _SAID_BETTER not in text)
