"""What can go wrong, as one short tree.

::

    PolychotomyError
    ├── InvalidInput (ValueError)      an argument cannot be used; nothing was computed
    │   ├── InvalidCode                a coding matrix is not one
    │   └── InvalidTable               a data table cannot be read or judged
    ├── LearnerError (RuntimeError)    a user's learner failed; says on which part of the data
    └── StudyError (RuntimeError)      a study file cannot be opened, written or resumed
        └── StudyStopped               one could not be written on: what was recorded is kept

Every message says what was found, what was expected and what to do; every warning is a
``PolychotomyWarning``.
"""

from __future__ import annotations


class PolychotomyError(Exception):
    """Base of every error that polychotomy raises on purpose.

    Examples
    --------
    >>> from polychotomy.core.exceptions import PolychotomyError
    >>> from polychotomy.codes import one_vs_one
    >>> try:
    ...     one_vs_one(1)
    ... except PolychotomyError as error:
    ...     print(type(error).__name__, isinstance(error, ValueError))
    InvalidInput True
    """


class InvalidInput(PolychotomyError, ValueError):
    """An argument cannot be used; nothing was computed."""


class InvalidCode(InvalidInput):
    """A coding matrix is not one: wrong entries, an empty row, two equal columns."""


class InvalidTable(InvalidInput):
    """A data table cannot be read, or its target cannot be judged."""


class LearnerError(PolychotomyError, RuntimeError):
    """A learner given by the user failed."""


class StudyError(PolychotomyError, RuntimeError):
    """A study file cannot be opened, written or resumed."""


class StudyStopped(StudyError):
    """A study that was running could not go on; what was recorded is kept."""


class NoVerdictYet(StudyStopped):
    """The time of a study was over before there was a verdict."""


class PolychotomyWarning(UserWarning):
    """What polychotomy warns of, such as what in a table may make a verdict misleading.

    Examples
    --------
    >>> import warnings
    >>> from polychotomy import PolychotomyWarning
    >>> warnings.filterwarnings("ignore", category=PolychotomyWarning)
    """
