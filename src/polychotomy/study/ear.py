"""An ear for warnings: what each of several fits says, without setting up a catch for each."""

from __future__ import annotations

import sys
import warnings
from types import TracebackType

_PRIVATE = bool(getattr(sys.flags, "context_aware_warnings", False))
"""Whether what a fit does to the filters of warnings cannot be seen from here."""


class Ear:
    """Hears every warning while it is open.

    To catch warnings takes longer than anything else around a small fit. So the catch is left in
    place from one fit to the next, and set up anew only after one that has changed how warnings
    are filtered or shown: no fit hears, or is silenced by, another.

    Examples
    --------
    >>> with Ear() as ear:
    ...     for word in ("one", "two"):
    ...         ear.listen()
    ...         warnings.warn(word, stacklevel=1)
    ...         warnings.simplefilter("ignore")
    ...         print([str(heard.message) for heard in ear.heard])
    ['one']
    ['two']
    """

    def __enter__(self) -> Ear:
        self._catch = warnings.catch_warnings(record=True)
        heard = self._catch.__enter__()
        assert heard is not None, "a record was asked for"
        self.heard = heard
        warnings.simplefilter("always")
        self._filters, self._show = list(warnings.filters), warnings.showwarning
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._catch.__exit__(kind, error, trace)

    def listen(self) -> None:
        """Forget what was heard, and what was done to the hearing."""
        changed = warnings.filters != self._filters or warnings.showwarning is not self._show
        if changed or _PRIVATE:
            self.__exit__(None, None, None)
            self.__enter__()
        elif self.heard:
            self.heard.clear()
