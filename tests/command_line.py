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
import json, os, sys, traceback
from importlib.metadata import entry_points
import pandas, pyarrow.parquet, skops.io, skrub
import polychotomy.learners, polychotomy.model, polychotomy.multiclass, polychotomy.report
import polychotomy.app
polychotomy.study.ladder()  # its imports
(script,) = entry_points(group="console_scripts", name="polychotomy")
main = script.load()
for line in sys.stdin:
    ask = json.loads(line)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.chdir(ask["cwd"])
            for number, name in ((1, ask["stdout"]), (2, ask["stderr"])):
                os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
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

    def __call__(self, *arguments, cwd):
        if self._parent is None:
            self._parent = subprocess.Popen(
                [sys.executable, "-c", _PARENT],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        names = {name: str(self._folder / name) for name in ("stdout", "stderr")}
        ask = {"arguments": [str(a) for a in arguments], "cwd": str(cwd), **names}
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
