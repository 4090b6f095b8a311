"""The installed command in processes of its own, quickly.

Importing scikit-learn and pandas takes longer than most of what these tests ask for. So one
process imports them, and each command runs in a fork of it, with arguments, folder, output and exit
code of its own, through the entry point that the ``polychotomy`` script calls.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

_PARENT = """
import gc, json, os, sys, tempfile, traceback
try:
    import resource
except ImportError:  # Windows, where no test asks for a limit
    pass
from importlib.metadata import entry_points
import pandas, pyarrow.parquet, skops.io, skrub
import sklearn.discriminant_analysis, sklearn.dummy, sklearn.ensemble, sklearn.naive_bayes
(script,) = entry_points(group="console_scripts", name="polychotomy")
main = script.load()
rows = "".join(f"{i % 7},{'ab'[i % 2]}\\n" for i in range(40))
with tempfile.TemporaryDirectory() as folder:  # once for all: what is imported on first use
    here = os.getcwd()
    os.chdir(folder)
    with open("t.csv", "w") as file:
        file.write("x,y\\n" + rows)
    asked = ["t.csv", "--target", "y", "--candidates", "MAX,nearest mean", "--no-anatomy"]
    sys.argv = ["polychotomy", "judge", *asked, "--jobs", "1", "--model", "m.skops"]
    silent, said = os.open(os.devnull, os.O_WRONLY), [os.dup(1), os.dup(2)]
    os.dup2(silent, 1), os.dup2(silent, 2)
    try:
        main()
    except SystemExit:
        pass
    sys.stdout.flush(), sys.stderr.flush()
    os.dup2(said[0], 1), os.dup2(said[1], 2)
    os.chdir(here)
gc.collect()
gc.freeze()  # else each child's collector would touch, and so copy, all of this
from types import SimpleNamespace
from polychotomy.study.workers.processes import ForkServer
server = ForkServer._running  # of the command above: all commands share it, one after another
for line in sys.stdin:
    ask = json.loads(line)
    shared = server is not None and server.process.poll() is None
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if shared:
                server._owner = os.getpid()
                server.process = SimpleNamespace(poll=lambda: None)
            os.chdir(ask["cwd"])
            for number, name in ((1, ask["stdout"]), (2, ask["stderr"])):
                os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            if ask["largest_file"] is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (ask["largest_file"],) * 2)
            sys.argv = ["polychotomy", *ask["arguments"]]
            main()
            code = 0
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1 if stop.code else 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Finished(NamedTuple):
    returncode: int
    stdout: str
    stderr: str

    @property
    def text(self):
        """What it printed, on one line."""
        return " ".join(f"{self.stdout} {self.stderr}".split())


class CommandLine:
    """Starts on first use; close it at the end."""

    def __init__(self, folder):
        self._folder = Path(folder)
        self._parent = None

    def __call__(self, *arguments, cwd, largest_file=None):
        if self._parent is None:
            self._parent = subprocess.Popen(
                [sys.executable, "-c", _PARENT],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        names = {name: str(self._folder / name) for name in ("stdout", "stderr")}
        ask = {"arguments": [str(a) for a in arguments], "cwd": str(cwd), **names}
        ask["largest_file"] = largest_file
        self._parent.stdin.write(json.dumps(ask) + "\n")
        self._parent.stdin.flush()
        code = int(self._parent.stdout.readline())
        texts = (Path(name).read_text(encoding="utf-8") for name in names.values())
        return Finished(code, *texts)

    def close(self):
        if self._parent is not None:
            self._parent.stdin.close()
            self._parent.wait()
            self._parent.stdout.close()
