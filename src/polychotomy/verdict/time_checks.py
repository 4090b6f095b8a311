"""Whether rows can be tested in the order of time, said in the words of the command line."""

from __future__ import annotations

from polychotomy.exceptions import InvalidInput
from polychotomy.study import Study


def check_time_folds(study: Study, *, group: str | None, time: str) -> None:
    """Refuse times, or times with groups, that leave a fold nothing to learn or to predict.

    Parameters
    ----------
    group, time : str
        The columns, to be named in the message.
    """
    data, plan = study.data, study.plan
    try:
        plan.split(data.target.codes, groups=data.groups, time=data.time, seed=study.random_state)
    except InvalidInput as error:
        found = str(error).split("; expected")[0]
        if group is None:
            raise InvalidInput(
                f"the rows cannot be cut into {plan.n_folds + 1} blocks by --time {time!r}: "
                f"{found}. Take a finer time, add rows, or leave --time out."
            ) from None
        raise InvalidInput(
            f"--time {time!r} and --group {group!r} leave nothing to test, as only rows of groups "
            f"not seen before are: {found}. Keep one of the two: --time to test on later rows, "
            "--group to test on new groups."
        ) from None
