"""The ways in that people take, each a function of a line of the table of uses.

A door is opened once for each line; what it gave is kept in a file, so that cells only look,
also where several processes share them.
"""

import fcntl
import json
import os
from pathlib import Path
from typing import NamedTuple

import mine
import pandas as pd
import people_tables

import polychotomy
from command_line import CommandLine

PLAN = "1x5"  # as every study begins; how far it goes on depends on who else is tried
ALONE = "1x2"  # where a winner's model is looked at, and no error
AS_IT_IS = ", as it is"
_MODEL, _STUDY = ("--model", "m.skops"), ("--study", "s.polychotomy")
_CHOICE = """
known = EVERY | BY_COLUMN
candidates = {{name: known[name] for name in {as_numbers}}}
raw_candidates = {{name + "{ending}": known[name] for name in {as_it_is}}}
"""


class Line(NamedTuple):
    """A table, and who is tried on it: by name, as numbers (``for_tables``), or as it is."""

    table: str
    built_in: tuple[str, ...] = ()
    as_numbers: tuple[str, ...] = ()
    as_it_is: tuple[str, ...] = ()

    def __str__(self):
        return self.table + (
            " built-in" if self.built_in else " as numbers" * bool(self.as_numbers)
        )

    @property
    def plain(self):
        """Names of those who get the table as it comes."""
        return (*self.built_in, *(name + AS_IT_IS for name in self.as_it_is))

    @property
    def names(self):
        return (*self.as_numbers, *self.plain)

    def only(self, name):
        """The line with one candidate, who then is the winner."""
        first, end, _ = name.partition(AS_IT_IS)
        parts = [(), (), ()]
        parts[2 if end else int(name in self.as_numbers)] = (first,)
        return Line(self.table, *parts)

    @property
    def kind(self):
        return people_tables.KINDS[self.table]

    @property
    def candidates(self):
        """What to give to ``judge()``, by name."""
        known = polychotomy.ladder() if self.built_in else mine.EVERY | mine.BY_COLUMN
        return {name: polychotomy.for_tables(known[name]) for name in self.as_numbers} | {
            name: known[name.removesuffix(AS_IT_IS)] for name in self.plain
        }

    def read(self, folder):
        """Features, labels and groups, if any."""
        table = polychotomy.read_table(folder / f"{self.table}.csv", target="y")
        if not self.kind.groups:
            return table.X, table.labels, None
        return table.X.drop(columns="patient"), table.labels, table.X["patient"]


class Doors:
    """Opens each door once."""

    def __init__(self, folder: Path):
        own = folder / f"process {os.getpid()}"
        own.mkdir(parents=True)
        self._folder = folder
        self._command = CommandLine(own)
        self._known = {}

    def __call__(self, door, line, *more):
        """Return what a door gave, as JSON has it; ``folder`` is where it left its files."""
        key = " - ".join([str(line), door.__name__, *more])
        if key not in self._known:
            with open(self._folder / f"{key}.lock", "w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                self._known[key] = self._open(door, line, *more, folder=self._folder / key)
        return self._known[key]

    def _open(self, door, line, *more, folder):
        kept = folder / "found.json"
        if not kept.exists():
            folder.mkdir()
            people_tables.write_table(line.table, folder)
            found = door(line, *more, folder=folder, command=self._command)
            kept.write_text(json.dumps({**found, "folder": str(folder)}))
        return json.loads(kept.read_text())


def judge(line, *, folder, command):
    """Python, with candidates as they are."""
    return _judge(line, line.plain, folder)


def for_tables(line, *, folder, command):
    """Python, with candidates that ``for_tables`` gives numbers."""
    return _judge(line, line.as_numbers, folder)


def _judge(line, names, folder):
    X, y, groups = line.read(folder)
    chosen = {name: line.candidates[name] for name in names}
    verdict = polychotomy.judge(
        chosen, X, y, groups=groups, plan=PLAN, anatomy=False, dataset=line.table
    )
    verdict.to_html(folder / "page.html")
    model, new = verdict.fit(), pd.read_csv(folder / f"{line.table}-new.csv")
    p = (
        model.predict_proba(new) if hasattr(model, "predict_proba")
        else (model.predict(new)[:, None] == model.classes_).astype(float)  # labels only
    )  # fmt: skip
    found = pd.DataFrame(p, columns=[f"p:{one}" for one in model.classes_])
    found.assign(predicted=model.predict(new)).to_csv(folder / "found.csv", index=False)
    return {"code": 0, "said": str(verdict), "document": verdict.to_dict()}


def keep_model(line, name, *, folder, command):
    """Python: a model kept in a file, read again, and what it predicts of new rows."""
    X, y, _ = line.read(folder)
    try:
        polychotomy.model.fit_model(line.candidates[name], X, y).save(folder / "m.skops")
    except Exception as error:
        return {"code": 1, "said": str(error)}
    model = polychotomy.load_model(folder / "m.skops", trusted=["mine.*"])
    found = model.predict_table(pd.read_csv(folder / f"{line.table}-new.csv"))
    found.frame.to_csv(folder / "found.csv", index=False)
    return {"code": 0, "said": str(found.notes)}


def command_line(line, *, folder, command, plan=PLAN):
    """The command line; with the winner's model, and what it predicts of new rows."""
    found = _command_line(line, "--jobs", 1, *_MODEL, folder=folder, command=command, plan=plan)
    return {**found, **_predict(line, folder=folder, command=command)}


def spreadsheet(line, *, folder, command):
    """The same with an Excel file, and new rows in another."""
    for name in (line.table, f"{line.table}-new"):
        frame = pd.read_csv(folder / f"{name}.csv", keep_default_na=False, na_values=[""])
        dates = {"seen": pd.to_datetime(frame["seen"])} if line.kind.mixed else {}
        frame.assign(**dates).to_excel(folder / f"{name}.xlsx", index=False)
    how = {"folder": folder, "command": command, "suffix": "xlsx"}
    return {**_command_line(line, *_MODEL, **how), **_predict(line, **how)}


def command_line_alone(line, name, *, folder, command):
    """The same with one candidate, so that the model is that one's."""
    return command_line(line.only(name), folder=folder, command=command, plan=ALONE)


def two_jobs(line, *, folder, command):
    """The same with two workers and a study file; then once more, with one worker."""
    first, again = (
        _command_line(line, *_MODEL, *_STUDY, *jobs, folder=folder, command=command)
        for jobs in (("--jobs", 2), ("--jobs", 1, "--force"))
    )
    again["folder"] = str(folder)
    return {**first, **_predict(line, folder=folder, command=command), "again": again}


def _predict(line, *, folder, command, suffix="csv"):
    trust = [] if line.built_in else ["--trust", "mine.py"]
    new = f"{line.table}-new.{suffix}"
    predict = command("predict", "m.skops", new, "-o", "found.csv", *trust, cwd=folder)
    return {"predicted": predict.returncode, "predict_said": predict.stderr}


def _command_line(line, *options, folder, command, suffix="csv", plan=PLAN):
    ask = ["judge", f"{line.table}.{suffix}", "--target", "y", "-o", "page.html", "--json"]
    ask += ["--plan", plan, "--no-anatomy"]
    ask += ["--group", "patient"] if line.kind.groups else []
    ask += ["--candidates", ",".join(line.built_in) or _write_candidates(line, folder)]
    found = command(*ask, *options, cwd=folder)
    document = json.loads(found.stdout) if found.stdout else None
    return {"code": found.returncode, "said": found.stderr, "document": document}


def _write_candidates(line, folder):
    choice = _CHOICE.format(
        as_numbers=list(line.as_numbers), as_it_is=list(line.as_it_is), ending=AS_IT_IS
    )
    (folder / "mine.py").write_text(Path(mine.__file__).read_text() + choice)
    return "mine.py"
