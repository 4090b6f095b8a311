"""Runs are kept, a line for each; a crash costs at most the line being written."""

import pytest

from polychotomy.core.exceptions import StudyError
from polychotomy.reproduction.budgets import Budget
from polychotomy.reproduction.run_log import RunLog
from polychotomy.reproduction.tasks import run_tasks

SPECIFICATION = {"paper": "t96", "seed": 0}


def squares(n):
    return {(run,): (dict, ([("square", run**2)],)) for run in range(n)}


def test_later_call_goes_on(tmp_path):
    path = tmp_path / "runs"
    with RunLog(path, SPECIFICATION) as log:
        run_tasks(squares(5), log, budget=Budget(0))
    seen = []
    with RunLog(path, SPECIFICATION) as log:
        assert [(run,) in log for run in range(5)] == [True, False, False, False, False]
        run_tasks(squares(5), log, budget=Budget(None), progress=seen.append)
    assert [(now.done, now.planned, now.resumed) for now in seen] == [
        (done, 5, 1) for done in range(1, 6)
    ]
    assert (seen[0].eta, seen[-1].eta, seen[-1].of) == (None, 0.0, "runs")
    with RunLog(path, SPECIFICATION) as log:
        assert [log.get((run,))["square"] for run in range(5)] == [0, 1, 4, 9, 16]


def test_only_one_process_has_the_file(tmp_path):
    path = tmp_path / "runs"
    with RunLog(path, SPECIFICATION), pytest.raises(StudyError, match="by another process"):
        RunLog(path, SPECIFICATION)
    RunLog(path, SPECIFICATION).close()


def test_folder_must_exist(tmp_path):
    with pytest.raises(StudyError, match=r"cannot write .* Choose a folder that exists"):
        RunLog(tmp_path / "none" / "runs", SPECIFICATION)


@pytest.mark.long
def test_two_workers_give_the_same():
    log = RunLog(None, SPECIFICATION)
    run_tasks(squares(4), log, budget=Budget(None), n_jobs=2)
    assert [log.get((run,))["square"] for run in range(4)] == [0, 1, 4, 9]


def test_unfinished_line_is_dropped(tmp_path):
    path = tmp_path / "runs"
    with RunLog(path, SPECIFICATION) as log:
        log.put((0,), {"a": 1}, seconds=1.0)
    with path.open("a") as file:
        file.write('{"key": [1], "val')
    with RunLog(path, SPECIFICATION) as again:
        assert (1,) not in again
        again.put((1,), {"a": 2}, seconds=2.0)
    with RunLog(path, SPECIFICATION) as last:
        assert last.get((1,)) == {"a": 2}
        assert last.seconds == 3.0


def test_other_files_are_left_alone(tmp_path):
    path = tmp_path / "thesis.txt"
    path.write_text("do not touch\n")
    with pytest.raises(StudyError, match="holds no runs of a reproduction"):
        RunLog(path, SPECIFICATION)
    assert path.read_text() == "do not touch\n"


def test_other_settings_are_refused(tmp_path):
    path = tmp_path / "runs"
    RunLog(path, SPECIFICATION).close()
    with pytest.raises(StudyError, match="was made with seed 0, now 1"):
        RunLog(path, SPECIFICATION | {"seed": 1})


def test_runs_of_other_data_are_not_mixed(tmp_path):
    path = tmp_path / "runs"
    with RunLog(path, SPECIFICATION) as log:
        log.hold_to({"iris": "aa"})
    with RunLog(path, SPECIFICATION) as log:
        log.hold_to({"iris": "aa", "wine": "bb"})  # sets may come later
        with pytest.raises(StudyError, match=r"another data set 'wine'.* Give a new file"):
            log.hold_to({"wine": "cc"})
