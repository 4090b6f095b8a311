"""The command line in the process of the tests, as a shell would run it.

Importing scikit-learn and pandas takes longer than most of what these tests ask for. So a command
runs here, through the entry point that the ``polychotomy`` script calls, with arguments, folder,
standard input and outputs of its own, down to the files' numbers, and its exit code. That the real
script says the same is a test in ``test_bad_input.py``; each command in an interpreter of its own
is one in ``test_cli.py``.
"""

import os
import sys
import traceback
import warnings
from contextlib import contextmanager, suppress
from importlib.metadata import entry_points
from pathlib import Path
from typing import NamedTuple

with suppress(ImportError):  # Windows, where no test asks for a limit
    import resource

USUALLY_IGNORED = (
    DeprecationWarning,
    PendingDeprecationWarning,
    ImportWarning,
    ResourceWarning,
)


class Finished(NamedTuple):
    returncode: int
    stdout: str
    stderr: str

    @property
    def text(self):
        """What it printed, on one line."""
        return " ".join(f"{self.stdout} {self.stderr}".split())


class CommandLine:
    """``run(*arguments, cwd=folder)``; outputs go through files in a folder of its own."""

    def __init__(self, folder):
        (script,) = entry_points(group="console_scripts", name="polychotomy")
        self._main = script.load()
        self._folder = Path(folder)

    def __call__(self, *arguments, cwd, largest_file=None):
        names = [self._folder / name for name in ("stdout", "stderr")]
        with _streams(names), _settings(arguments, cwd), _usual_warnings(), _limit(largest_file):
            code = self._run()
        return Finished(code, *(name.read_text(encoding="utf-8") for name in names))

    def _run(self):
        """Return the exit code that Python would end with."""
        try:
            self._main()
        except SystemExit as stop:
            if isinstance(stop.code, str):
                print(stop.code, file=sys.stderr)
            return stop.code if isinstance(stop.code, int) else int(bool(stop.code))
        except Exception:
            traceback.print_exc()
            return 1
        return 0


@contextmanager
def _streams(names):
    """Nothing to read, and files to write to, for Python and for whoever writes to 1 and 2."""
    before = sys.stdin, sys.stdout, sys.stderr
    kept = [os.dup(number) for number in range(3)]
    files = [os.open(os.devnull, os.O_RDONLY)]
    files += [os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) for name in names]
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    try:
        with (
            open(0, closefd=False) as sys.stdin,
            open(1, "w", encoding="utf-8", closefd=False) as sys.stdout,
            open(2, "w", 1, "utf-8", "backslashreplace", closefd=False) as sys.stderr,
        ):
            yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
        for number, file in enumerate(kept):
            os.dup2(file, number)
            os.close(file)


@contextmanager
def _settings(arguments, cwd):
    before = sys.argv, os.getcwd(), sys.excepthook
    os.chdir(cwd)
    sys.argv = ["polychotomy", *map(str, arguments)]
    try:
        yield
    finally:
        sys.argv, folder, sys.excepthook = before
        os.chdir(folder)
        for name in [name for name in sys.modules if name.startswith("polychotomy_user_")]:
            del sys.modules[name]  # the next command runs its file of candidates itself


@contextmanager
def _usual_warnings():
    """Those that Python shows by itself, on standard error: pytest would keep them."""
    from polychotomy.cli import terminal

    before = terminal._PYTHONS_OWN
    with warnings.catch_warnings():
        warnings.resetwarnings()
        for category in USUALLY_IGNORED:
            warnings.simplefilter("ignore", category)
        terminal._PYTHONS_OWN = warnings.showwarning = _print_warning
        try:
            yield
        finally:
            terminal._PYTHONS_OWN = before


def _print_warning(message, category, filename, lineno, file=None, line=None):
    sys.stderr.write(warnings.formatwarning(message, category, filename, lineno, line))


@contextmanager
def _limit(largest_file):
    if largest_file is None:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
